//! Sets of cells as bits, the currency of connections, inferior cells and proofs.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Sub, SubAssign};

/// A set of cells by their move index, row by row from a1 = 0.
///
/// `W` is the number of words: 2 hold boards up to 11x11, 3 up to 13x13, 6 all of them. The
/// analysis of a position is generic in `W`, for its time goes into whole-set operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CellSet<const W: usize>([u64; W]);

impl<const W: usize> Default for CellSet<W> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<const W: usize> CellSet<W> {
    /// No cell.
    pub const EMPTY: Self = Self([0; W]);

    /// Whether a board of `size` x `size` fits.
    #[must_use]
    pub const fn holds(size: usize) -> bool {
        size * size <= W * 64
    }

    /// The set of one cell.
    #[inline]
    #[must_use]
    pub fn of(cell: usize) -> Self {
        let mut set = Self::EMPTY;
        set.insert(cell);
        set
    }

    /// Adds a cell.
    #[inline]
    pub fn insert(&mut self, cell: usize) {
        self.0[cell / 64] |= 1 << (cell % 64);
    }

    /// Takes a cell away.
    #[inline]
    pub fn remove(&mut self, cell: usize) {
        self.0[cell / 64] &= !(1 << (cell % 64));
    }

    /// Whether the cell is in the set.
    #[inline]
    #[must_use]
    pub fn contains(&self, cell: usize) -> bool {
        self.0[cell / 64] >> (cell % 64) & 1 != 0
    }

    /// The set with one more cell.
    #[inline]
    #[must_use]
    pub fn with(mut self, cell: usize) -> Self {
        self.insert(cell);
        self
    }

    /// The set without a cell.
    #[inline]
    #[must_use]
    pub fn without(mut self, cell: usize) -> Self {
        self.remove(cell);
        self
    }

    /// Whether there is no cell.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// How many cells.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether every cell of this set is in `other`.
    #[inline]
    #[must_use]
    pub fn is_subset(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    /// Whether the sets share no cell.
    #[inline]
    #[must_use]
    pub fn is_disjoint(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & b == 0)
    }

    /// The cell with the lowest index.
    #[inline]
    #[must_use]
    pub fn first(&self) -> Option<usize> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some(word * 64 + self.0[word].trailing_zeros() as usize)
    }

    /// The cells in rising order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(index, mut word)| {
            std::iter::from_fn(move || {
                (word != 0).then(|| {
                    let bit = word.trailing_zeros() as usize;
                    word &= word - 1;
                    index * 64 + bit
                })
            })
        })
    }
}

impl<const W: usize> FromIterator<usize> for CellSet<W> {
    fn from_iter<I: IntoIterator<Item = usize>>(cells: I) -> Self {
        let mut set = Self::EMPTY;
        cells.into_iter().for_each(|cell| set.insert(cell));
        set
    }
}

macro_rules! set_operator {
    ($operator:ident $method:ident $assign:ident $assign_method:ident, |$a:ident, $b:ident| $word:expr) => {
        impl<const W: usize> $assign for CellSet<W> {
            #[inline]
            fn $assign_method(&mut self, other: Self) {
                for ($a, $b) in self.0.iter_mut().zip(other.0) {
                    *$a = $word;
                }
            }
        }
        impl<const W: usize> $operator for CellSet<W> {
            type Output = Self;
            #[inline]
            fn $method(mut self, other: Self) -> Self {
                $assign::$assign_method(&mut self, other);
                self
            }
        }
    };
}
set_operator!(BitOr bitor BitOrAssign bitor_assign, |a, b| *a | b);
set_operator!(BitAnd bitand BitAndAssign bitand_assign, |a, b| *a & b);
set_operator!(Sub sub SubAssign sub_assign, |a, b| *a & !b);

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn both(cells: &[usize]) -> (CellSet<3>, BTreeSet<usize>) {
        (cells.iter().copied().collect(), cells.iter().copied().collect())
    }

    proptest! {
        #[test]
        fn sets_of_bits_are_sets(
            left in proptest::collection::vec(0usize..169, 0..60),
            right in proptest::collection::vec(0usize..169, 0..60),
        ) {
            let ((a, plain_a), (b, plain_b)) = (both(&left), both(&right));
            let same = |set: CellSet<3>, plain: BTreeSet<usize>| set.iter().eq(plain);
            prop_assert!(same(a | b, &plain_a | &plain_b));
            prop_assert!(same(a & b, &plain_a & &plain_b));
            prop_assert!(same(a - b, &plain_a - &plain_b));
            prop_assert_eq!(a.len(), plain_a.len());
            prop_assert_eq!(a.first(), plain_a.first().copied());
            prop_assert_eq!(a.is_subset(&b), plain_a.is_subset(&plain_b));
            prop_assert_eq!(a.is_disjoint(&b), plain_a.is_disjoint(&plain_b));
            prop_assert!((a & b).is_subset(&a) && (a - b).is_disjoint(&b));
        }
    }
}
