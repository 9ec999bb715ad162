//! Symmetries of a board as permutations of move indices.

/// A permutation of the indices `0..move_space`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permutation {
    image: Box<[u16]>,
}

impl Permutation {
    /// The permutation that sends `i` to `image(i)`, or `None` if that is not one-to-one on
    /// `0..space`.
    #[must_use]
    pub fn from_fn(space: usize, image: impl Fn(usize) -> usize) -> Option<Self> {
        let mut hit = vec![false; space];
        let image: Option<Box<[u16]>> = (0..space)
            .map(|i| {
                let to = image(i);
                (to < space && !std::mem::replace(&mut hit[to], true)).then_some(to as u16)
            })
            .collect();
        image.map(|image| Self { image })
    }

    /// The permutation that moves nothing.
    #[must_use]
    pub fn identity(space: usize) -> Self {
        Self { image: (0..space).map(|i| i as u16).collect() }
    }

    /// Where the symmetry sends a move index.
    #[inline]
    #[must_use]
    pub fn apply(&self, index: usize) -> usize {
        usize::from(self.image[index])
    }

    /// The symmetry that undoes this one.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let mut image = vec![0; self.image.len()];
        for (from, &to) in self.image.iter().enumerate() {
            image[usize::from(to)] = from as u16;
        }
        Self { image: image.into() }
    }

    /// On how many indices the permutation acts.
    #[must_use]
    pub fn space(&self) -> usize {
        self.image.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inverse_undoes() {
        let rotate = Permutation::from_fn(5, |i| (i + 2) % 5).unwrap();
        let back = rotate.inverse();
        assert!((0..5).all(|i| back.apply(rotate.apply(i)) == i));
        assert_eq!(Permutation::from_fn(3, |_| 1), None);
        assert_eq!(Permutation::from_fn(3, |i| i + 1), None);
        assert_eq!(Permutation::identity(9).space(), 9);
    }
}
