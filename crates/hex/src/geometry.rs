//! The padded board: where cells, sides and neighbours are, once per size.
//!
//! Every size uses the same row length, so a neighbour is a constant offset and the border needs no
//! special case: it consists of cells that hold the colour of their side.

use std::fmt;
use std::sync::OnceLock;

use kosumi_game::{Permutation, zobrist_key};

use crate::{Cell, Colour};

/// The smallest board.
pub const MIN_SIZE: usize = 3;
/// The largest board.
pub const MAX_SIZE: usize = 19;

/// From a cell to the one below it.
pub(crate) const STRIDE: usize = MAX_SIZE + 2;
/// How many cells the padded board has.
pub(crate) const POINTS: usize = STRIDE * STRIDE;

/// The neighbours of a cell as offsets, clockwise from the right; neighbours in a row here are
/// neighbours of each other on the board.
pub(crate) const RING: [isize; 6] = {
    let down = STRIDE as isize;
    [1, down, down - 1, -1, -down, 1 - down]
};

/// Tags of the hash keys, never to be changed: hashes may be stored.
pub(crate) mod key {
    /// The game.
    pub const HEX: u64 = u64::from_be_bytes(*b"kosumHex");
    /// Stones: this plus the colour's index.
    pub const STONE: u64 = 0;
    /// The size of the board.
    pub const SIZE: u64 = 2;
    /// White is to move.
    pub const WHITE_TO_MOVE: u64 = 3;
    /// Whether the swap is still to come or possible now.
    pub const SWAP: u64 = 4;
    /// The second player holds Black.
    pub const SWAPPED: u64 = 5;
}

/// A place on the padded board: a cell, or a piece of the border (row or column 0 or size + 1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point(pub(crate) u16);

impl Point {
    /// The place in a column and a row, both counted from 1 and at most [`MAX_SIZE`] + 1.
    ///
    /// # Panics
    /// If a coordinate is larger.
    #[inline]
    #[must_use]
    pub const fn new(column: usize, row: usize) -> Point {
        assert!(column < STRIDE && row < STRIDE);
        Point((row * STRIDE + column) as u16)
    }

    /// Its column; a is 1.
    #[inline]
    #[must_use]
    pub const fn column(self) -> usize {
        self.0 as usize % STRIDE
    }

    /// Its row, from 1 at the top.
    #[inline]
    #[must_use]
    pub const fn row(self) -> usize {
        self.0 as usize / STRIDE
    }

    /// The six neighbours of a cell, clockwise from the right; some may be border.
    #[inline]
    #[must_use]
    pub fn neighbours(self) -> [Point; 6] {
        RING.map(|offset| self.offset(offset))
    }

    #[inline]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    #[inline]
    pub(crate) const fn offset(self, by: isize) -> Point {
        Point((self.0 as isize + by) as u16)
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.column() {
            column @ 1..=26 => write!(f, "{}{}", (b'a' + column as u8 - 1) as char, self.row()),
            column => write!(f, "({column}, {})", self.row()),
        }
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// What does not change while a game is played on a board of one size.
#[derive(Debug)]
pub(crate) struct Geometry {
    pub size: usize,
    /// The cells in the order of move indices, row by row.
    pub points: Box<[Point]>,
    /// The move index of each cell.
    pub move_of: [u16; POINTS],
    /// The empty board with its border.
    pub empty: [u8; POINTS],
    /// One place on each side, by colour: top and bottom, left and right.
    pub sides: [[Point; 2]; 2],
    /// Keys of stones by colour and place.
    pub stone_keys: [[u64; POINTS]; 2],
    /// The hash of the empty board.
    pub empty_key: u64,
    /// The identity and the rotation by 180 degrees.
    pub symmetries: [Permutation; 2],
}

/// The geometry of a size, or `None` if there is no board of that size.
pub(crate) fn geometry(size: usize) -> Option<&'static Geometry> {
    static BY_SIZE: [OnceLock<Geometry>; MAX_SIZE - MIN_SIZE + 1] =
        [const { OnceLock::new() }; MAX_SIZE - MIN_SIZE + 1];
    let slot = BY_SIZE.get(size.checked_sub(MIN_SIZE)?)?;
    Some(slot.get_or_init(|| Geometry::new(size)))
}

impl Geometry {
    fn new(size: usize) -> Self {
        let points: Box<[Point]> =
            (0..size * size).map(|index| Point::new(index % size + 1, index / size + 1)).collect();
        let mut move_of = [u16::MAX; POINTS];
        let mut empty = [Cell::Corner as u8; POINTS];
        let mut stone_keys = [[0; POINTS]; 2];
        for (index, point) in points.iter().enumerate() {
            move_of[point.index()] = index as u16;
            empty[point.index()] = Cell::Empty as u8;
            for colour in Colour::BOTH {
                // The place in the key is free of the padding, which may change.
                let place = (point.row() * 32 + point.column()) as u64;
                let feature = key::STONE + colour.index() as u64;
                stone_keys[colour.index()][point.index()] = zobrist_key(key::HEX, feature, place);
            }
        }
        let end = size + 1;
        for i in 1..=size {
            for (point, colour) in [
                (Point::new(i, 0), Colour::Black),
                (Point::new(i, end), Colour::Black),
                (Point::new(0, i), Colour::White),
                (Point::new(end, i), Colour::White),
            ] {
                empty[point.index()] = colour.cell() as u8;
            }
        }
        // The swap, index size², stays where it is.
        let cells = size * size;
        let rotation =
            Permutation::from_fn(
                cells + 1,
                |index| {
                    if index < cells { cells - 1 - index } else { index }
                },
            )
            .expect("a rotation is one-to-one");
        Self {
            size,
            points,
            move_of,
            empty,
            sides: [[Point::new(1, 0), Point::new(1, end)], [Point::new(0, 1), Point::new(end, 1)]],
            stone_keys,
            empty_key: zobrist_key(key::HEX, key::SIZE, size as u64),
            symmetries: [Permutation::identity(cells + 1), rotation],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_the_six_of_the_notation() {
        let of = |c: usize, r: usize| Point::new(c, r);
        assert_eq!(
            of(4, 7).neighbours(),
            [of(5, 7), of(4, 8), of(3, 8), of(3, 7), of(4, 6), of(5, 6)]
        );
        assert_eq!(of(9, 11).to_string(), "i11");
    }

    #[test]
    fn neighbours_in_a_row_touch_each_other() {
        for i in 0..6 {
            let step = RING[(i + 1) % 6] - RING[i];
            assert!(RING.contains(&step), "{i}");
        }
    }

    #[test]
    fn the_obtuse_corners_have_three_neighbours_and_the_acute_two() {
        for size in MIN_SIZE..=MAX_SIZE {
            let board = geometry(size).unwrap();
            let cells = |c, r| {
                let inside = |p: &Point| board.empty[p.index()] == Cell::Empty as u8;
                Point::new(c, r).neighbours().iter().filter(|p| inside(p)).count()
            };
            assert_eq!([cells(1, 1), cells(size, size)], [2, 2]);
            assert_eq!([cells(size, 1), cells(1, size)], [3, 3]);
        }
        assert!(geometry(2).is_none() && geometry(20).is_none());
    }
}
