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
    // them. Ahead lies the common neighbour of the two, one direction back: if it is white the walk
    // turns to it; if it is black, the same white place is one direction on as seen from there.
    // Turns are as random as the stones, so the step is arithmetic instead of a branch.
    const AHEAD: [isize; 6] = [RING[5], RING[0], RING[1], RING[2], RING[3], RING[4]];
    const TURN: [[u8; 2]; 6] = [[5, 1], [0, 2], [1, 3], [2, 4], [3, 5], [4, 0]];
    let mut black = Point::new(1, 0);
    let mut facing = 2;
    loop {
        let ahead = black.offset(AHEAD[facing]);
        let cell = cells[ahead.index()];
        if cell == Cell::Corner as u8 {
            return match ahead.column() {
                0 => Colour::Black,
                _ => Colour::White,
            };
        }
        debug_assert_ne!(cell, Cell::Empty as u8, "{ahead} is empty");
        let is_black = cell & Cell::Black as u8;
        let step = AHEAD[facing] * isize::from(is_black);
        black = black.offset(step);
        facing = usize::from(TURN[facing][usize::from(is_black)]);
    }
}
