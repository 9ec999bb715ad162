//! Size classes: one compiled board per range of sizes, so that every array has a fixed length, a
//! position copies by memcpy, and neighbour offsets are constants.
//!
//! A class fixes the stride for all its sizes (a 7x7 board lies in the corner of a 9x9 one). Array
//! lengths are powers of two and indices are masked, which spares every bounds check in safe code.

use std::fmt::Debug;
use std::ops::{Index, IndexMut};
use std::sync::OnceLock;

use kosumi_game::{Permutation, zobrist_key};

use crate::Point;

mod sealed {
    pub trait Sealed {}
}

/// What is stored per point.
pub trait Item: Copy + Send + Sync + 'static {}
impl<T: Copy + Send + Sync + 'static> Item for T {}

/// A range of board sizes that share one layout. Sealed: [`UpTo9`], [`UpTo13`], [`UpTo19`] and
/// [`UpTo25`] are all there are.
pub trait BoardClass: sealed::Sealed + Copy + Debug + Default + Send + Sync + 'static {
    /// The largest board of the class; the smallest has two lines.
    const MAX_SIZE: usize;
    /// From a point to the one above it. One border column serves both sides of the board.
    const STRIDE: usize = Self::MAX_SIZE + 1;
    /// Length of the arrays per point, a power of two.
    const LEN: usize;

    /// An array with one entry per point.
    type Points<T: Item>: Copy + AsRef<[T]> + AsMut<[T]> + Send + Sync + 'static;
    /// One bit per point.
    type Words: Copy + AsRef<[u64]> + AsMut<[u64]> + Send + Sync + Debug + Eq + 'static;
    /// No bit set.
    const NO_BITS: Self::Words;

    /// An array of equal entries.
    fn filled<T: Item>(value: T) -> Self::Points<T>;

    /// Zobrist keys per point, for stones of the first and of the second player.
    fn keys() -> &'static [[u64; 2]];

    /// The eight symmetries of a board of this class, the identity first.
    fn symmetries(size: usize) -> &'static [Permutation];
}

/// Tag of Go in [`zobrist_key`].
pub(crate) const GO: u64 = 0x676f;

/// Keys depend on the coordinates alone, so that equal positions hash alike in every class.
const fn keys<const LEN: usize>(stride: usize) -> [[u64; 2]; LEN] {
    let mut keys = [[0; 2]; LEN];
    let mut index = 0;
    while index < LEN {
        let place = (index / stride * 32 + index % stride) as u64;
        keys[index] = [zobrist_key(GO, 1, place), zobrist_key(GO, 2, place)];
        index += 1;
    }
    keys
}

/// Where symmetry `number` of a square with coordinates `0..=last` sends a point.
fn image(number: usize, x: usize, y: usize, last: usize) -> (usize, usize) {
    let (x, y) = if number & 1 == 0 { (x, y) } else { (last - x, y) };
    let (x, y) = if number & 2 == 0 { (x, y) } else { (x, last - y) };
    if number & 4 == 0 { (x, y) } else { (y, x) }
}

/// The symmetries of a `size`x`size` board in a layout with that stride; pass and border stay.
fn square_symmetries(size: usize, stride: usize) -> Vec<Permutation> {
    (0..8)
        .filter_map(|number| {
            Permutation::from_fn((size + 1) * stride, |index| {
                let (row, column) = (index / stride, index % stride);
                if row == 0 || column == 0 || column > size {
                    return index;
                }
                let (x, y) = image(number, column - 1, row - 1, size - 1);
                (y + 1) * stride + x + 1
            })
        })
        .collect()
}

macro_rules! classes {
    ($($(#[$doc:meta])* $name:ident: $max:literal, $len:literal, $words:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $name;

        impl sealed::Sealed for $name {}

        impl BoardClass for $name {
            const MAX_SIZE: usize = $max;
            const LEN: usize = $len;
            type Points<T: Item> = [T; $len];
            type Words = [u64; $words];
            const NO_BITS: Self::Words = [0; $words];

            #[inline]
            fn filled<T: Item>(value: T) -> [T; $len] {
                [value; $len]
            }

            #[inline]
            fn keys() -> &'static [[u64; 2]] {
                static KEYS: [[u64; 2]; $len] = keys($max + 1);
                &KEYS
            }

            fn symmetries(size: usize) -> &'static [Permutation] {
                static TABLES: [OnceLock<Vec<Permutation>>; $max + 1] =
                    [const { OnceLock::new() }; $max + 1];
                TABLES[size].get_or_init(|| square_symmetries(size, $max + 1))
            }
        }
    )*};
}

classes! {
    /// Boards of 2 to 9 lines.
    UpTo9: 9, 128, 2;
    /// Boards of up to 13 lines.
    UpTo13: 13, 256, 4;
    /// Boards of up to 19 lines.
    UpTo19: 19, 512, 7;
    /// Boards of up to 25 lines.
    UpTo25: 25, 1024, 11;
}

/// One `T` per point of a board, border included.
#[derive(Clone, Copy)]
pub struct PerPoint<C: BoardClass, T: Item>(C::Points<T>);

impl<C: BoardClass, T: Item> PerPoint<C, T> {
    /// The same value everywhere.
    #[inline]
    #[must_use]
    pub fn filled(value: T) -> Self {
        Self(C::filled(value))
    }

    /// Sets every entry.
    #[inline]
    pub fn fill(&mut self, value: T) {
        self.0.as_mut().fill(value);
    }

    #[inline(always)]
    pub(crate) fn at(&self, index: usize) -> T {
        debug_assert!(index < C::LEN);
        self.0.as_ref()[index & (C::LEN - 1)]
    }

    #[inline(always)]
    pub(crate) fn put(&mut self, index: usize, value: T) {
        debug_assert!(index < C::LEN);
        self.0.as_mut()[index & (C::LEN - 1)] = value;
    }
}

impl<C: BoardClass, T: Item + Debug> Debug for PerPoint<C, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.0.as_ref()).finish()
    }
}

impl<C: BoardClass, T: Item> Index<Point> for PerPoint<C, T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, point: Point) -> &T {
        &self.0.as_ref()[point.index() & (C::LEN - 1)]
    }
}

impl<C: BoardClass, T: Item> IndexMut<Point> for PerPoint<C, T> {
    #[inline(always)]
    fn index_mut(&mut self, point: Point) -> &mut T {
        &mut self.0.as_mut()[point.index() & (C::LEN - 1)]
    }
}

/// A set of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointSet<C: BoardClass>(C::Words);

impl<C: BoardClass> PointSet<C> {
    /// The set without points.
    pub const EMPTY: Self = Self(C::NO_BITS);

    /// Whether the point is in the set.
    #[inline(always)]
    #[must_use]
    pub fn contains(&self, point: Point) -> bool {
        self.0.as_ref()[point.index() >> 6] >> (point.index() & 63) & 1 != 0
    }

    /// Adds the point `times` (0 or 1) times; returns how many points that made more.
    #[inline(always)]
    pub(crate) fn insert_if(&mut self, point: Point, times: u64) -> u16 {
        let word = &mut self.0.as_mut()[point.index() >> 6];
        let new = !(*word >> (point.index() & 63)) & times;
        *word |= times << (point.index() & 63);
        new as u16
    }

    /// Adds the point.
    #[inline(always)]
    pub fn insert(&mut self, point: Point) {
        self.0.as_mut()[point.index() >> 6] |= 1 << (point.index() & 63);
    }

    /// Takes the point out; returns how many points that made less, 0 or 1.
    #[inline(always)]
    pub(crate) fn remove(&mut self, point: Point) -> u16 {
        let word = &mut self.0.as_mut()[point.index() >> 6];
        let had = *word >> (point.index() & 63) & 1;
        *word &= !(1 << (point.index() & 63));
        had as u16
    }

    /// Adds all points of `other`; returns how many were in both.
    #[inline]
    pub(crate) fn union(&mut self, other: &Self) -> u16 {
        let mut shared = 0;
        for (mine, &theirs) in self.0.as_mut().iter_mut().zip(other.0.as_ref()) {
            // Chains that merge share few liberties: counting them one by one beats a population
            // count that the baseline processor does not have.
            let mut both = *mine & theirs;
            while both != 0 {
                both &= both - 1;
                shared += 1;
            }
            *mine |= theirs;
        }
        shared
    }

    /// Adds all points of `other`.
    #[inline(always)]
    pub(crate) fn add_all(&mut self, other: &Self) {
        for (mine, &theirs) in self.0.as_mut().iter_mut().zip(other.0.as_ref()) {
            *mine |= theirs;
        }
    }

    /// Takes all points of `other` out.
    #[inline(always)]
    pub(crate) fn remove_all(&mut self, other: &Self) {
        for (mine, &theirs) in self.0.as_mut().iter_mut().zip(other.0.as_ref()) {
            *mine &= !theirs;
        }
    }

    /// Takes all points out that are not in `other`.
    #[inline(always)]
    pub(crate) fn keep_all(&mut self, other: &Self) {
        for (mine, &theirs) in self.0.as_mut().iter_mut().zip(other.0.as_ref()) {
            *mine &= theirs;
        }
    }

    /// How many points there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.as_ref().iter().map(|w| w.count_ones() as usize).sum()
    }

    /// Whether there is no point.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.as_ref().iter().all(|&w| w == 0)
    }

    /// How many points there are, but not counted beyond `limit`.
    #[inline]
    pub(crate) fn len_up_to(&self, limit: u32) -> u32 {
        let mut count = 0;
        for &word in self.0.as_ref() {
            let mut word = word;
            while word != 0 {
                count += 1;
                if count >= limit {
                    return count;
                }
                word &= word - 1;
            }
        }
        count
    }

    /// The points in rising order.
    #[inline]
    pub fn iter(&self) -> Points<C> {
        Points { words: self.0, at: 0 }
    }

    /// The lowest point, [`Point::NONE`] if there is none.
    #[inline]
    pub(crate) fn first(&self) -> Point {
        for (i, &word) in self.0.as_ref().iter().enumerate() {
            if word != 0 {
                return Point::from_index(i * 64 + word.trailing_zeros() as usize);
            }
        }
        Point::NONE
    }
}

impl<C: BoardClass> PointSet<C> {
    /// The two lowest points; [`Point::NONE`] where there are fewer.
    #[inline]
    pub(crate) fn pair(&self) -> (Point, Point) {
        let mut points = self.iter();
        let mut next = || points.next().unwrap_or(Point::NONE);
        (next(), next())
    }
}

/// The points of a [`PointSet`] in rising order.
#[derive(Clone, Debug)]
pub struct Points<C: BoardClass> {
    words: C::Words,
    at: usize,
}

impl<C: BoardClass> Iterator for Points<C> {
    type Item = Point;

    #[inline]
    fn next(&mut self) -> Option<Point> {
        let words = self.words.as_mut();
        while let Some(word) = words.get_mut(self.at) {
            if *word != 0 {
                let bit = word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Some(Point::from_index(self.at * 64 + bit));
            }
            self.at += 1;
        }
        None
    }
}

impl<C: BoardClass> IntoIterator for &PointSet<C> {
    type Item = Point;
    type IntoIter = Points<C>;

    fn into_iter(self) -> Points<C> {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_coordinates_have_equal_keys_in_every_class() {
        for (x, y) in [(0, 0), (8, 8), (3, 5)] {
            let small = UpTo9::keys()[Point::at::<UpTo9>(x, y).index()];
            assert_eq!(small, UpTo19::keys()[Point::at::<UpTo19>(x, y).index()]);
        }
    }

    #[test]
    fn a_set_counts_and_lists_its_points() {
        let mut set = PointSet::<UpTo19>::EMPTY;
        assert_eq!(set.first(), Point::NONE);
        let points = [21, 63, 64, 399].map(Point::from_index);
        for p in points {
            assert_eq!(set.insert_if(p, 1), 1);
            assert_eq!(set.insert_if(p, 1), 0);
        }
        assert_eq!(set.insert_if(Point::from_index(100), 0), 0);
        assert_eq!(set.iter().collect::<Vec<_>>(), points);
        assert_eq!((set.len(), set.len_up_to(3)), (4, 3));
        let mut other = PointSet::EMPTY;
        other.insert(points[1]);
        other.insert(Point::from_index(70));
        assert_eq!(set.union(&other), 1);
        assert_eq!(set.len(), 5);
        assert_eq!(set.remove(points[0]) + set.remove(points[0]), 1);
        assert!(!set.contains(points[0]) && set.contains(points[3]));
    }
}
