//! The winner of a full board, by walking along the border between the colours.
//!
//! Enter at the acute top-left corner, with the black top side on the left hand and the white left
//! side on the right, and always keep black on the left and white on the right. The stones on the
//! left are joined to the top and those on the right to the left side; the walk can only leave the
//! board at a corner where its own two colours meet the same way round: at the left end of the
//! bottom side, and then the black stones along it join top and bottom, or at the upper end of the
//! right side, and then the white stones join left and right. That exactly one colour wins a full
//! board is the same argument.

use crate::geometry::{POINTS, Point, RING};
use crate::{Cell, Colour};

/// The winner of a board without empty cells.
pub(super) fn winner(cells: &[u8; POINTS]) -> Colour {
    // `black` and its neighbour in direction `facing`, which is white, have the border between
    // them. Ahead lies the common neighbour of the two, one direction back.
    let mut black = Point::new(1, 0);
    let mut facing = 2;
    loop {
        let back = [5, 0, 1, 2, 3, 4][facing];
        let ahead = black.offset(RING[back]);
        match Cell::from_bits(cells[ahead.index()]) {
            Cell::Black => {
                // Seen from there, the same white place is one direction on.
                black = ahead;
                facing = [1, 2, 3, 4, 5, 0][facing];
            }
            Cell::White => facing = back,
            Cell::Corner | Cell::Empty => {
                debug_assert!(ahead.column() == 0 || ahead.row() == 0, "not full: {ahead}");
                return match ahead.column() {
                    0 => Colour::Black,
                    _ => Colour::White,
                };
            }
        }
    }
}
