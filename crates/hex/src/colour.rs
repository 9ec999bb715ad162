//! The two colours and what a cell can hold.

use std::fmt;

/// A colour of stones and sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Colour {
    /// Joins top and bottom; moves first.
    Black = 0,
    /// Joins left and right.
    White = 1,
}

impl Colour {
    /// Black, White.
    pub const BOTH: [Colour; 2] = [Colour::Black, Colour::White];

    /// The other colour.
    #[inline]
    #[must_use]
    pub const fn opponent(self) -> Colour {
        match self {
            Colour::Black => Colour::White,
            Colour::White => Colour::Black,
        }
    }

    /// 0 or 1, for tables per colour.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// What a cell with a stone of this colour holds.
    #[inline]
    #[must_use]
    pub const fn cell(self) -> Cell {
        match self {
            Colour::Black => Cell::Black,
            Colour::White => Cell::White,
        }
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Colour::Black => "black",
            Colour::White => "white",
        })
    }
}

/// What a cell of the padded board holds: two bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Cell {
    /// No stone yet.
    Empty = 0,
    /// A black stone, or the border above the top or below the bottom row.
    Black = 1,
    /// A white stone, or the border beside the first or last column.
    White = 2,
    /// A corner of the border, where a black and a white side meet, and everything beyond.
    Corner = 3,
}

impl Cell {
    /// The colour that holds the cell; `None` if it is empty or shared.
    #[inline]
    #[must_use]
    pub const fn colour(self) -> Option<Colour> {
        match self {
            Cell::Black => Some(Colour::Black),
            Cell::White => Some(Colour::White),
            Cell::Empty | Cell::Corner => None,
        }
    }

    /// The cell with these two bits.
    #[inline]
    pub(crate) const fn from_bits(bits: u8) -> Cell {
        match bits & 3 {
            0 => Cell::Empty,
            1 => Cell::Black,
            2 => Cell::White,
            _ => Cell::Corner,
        }
    }
}
