//! Playouts that fill the board: the light one, savebridge (H6) and learned patterns (H10).
//!
//! All fill every empty cell, as MoHex does: nothing is asked before the last stone, RAVE sees
//! every cell, and the winner of a full board is found by one walk. The traced game therefore goes
//! on after the deciding stone, which changes nothing about who won. Playouts never swap. Cells that
//! an analysis has filled in are stones from the start.

mod full_board;
mod patterns;
mod savebridge;

use kosumi_game::{Playout, Reward, Rng, Trace};

use crate::geometry::{POINTS, Point};
use crate::{Cell, Hex, MAX_SIZE};

pub use patterns::{HexPlayoutParams, PatternPlayout, PatternWeights};
pub use savebridge::SavebridgePlayout;

/// The board of a playout: contents and empty cells, without chains and hashes.
#[derive(Clone, Debug)]
struct Scratch {
    cells: [u8; POINTS],
    /// The cells that were empty at the start.
    empties: [u16; MAX_SIZE * MAX_SIZE],
}

impl Scratch {
    fn new() -> Self {
        Self { cells: [0; POINTS], empties: [0; MAX_SIZE * MAX_SIZE] }
    }

    /// Copies the board; returns how many cells are empty.
    #[inline]
    fn load(&mut self, from: &Hex) -> usize {
        self.cells = *from.cells();
        let mut count = 0;
        // Always written and sometimes kept: stones are too irregular to predict.
        for &point in from.points() {
            self.empties[count] = point.0;
            count += usize::from(self.cells[point.index()] == Cell::Empty as u8);
        }
        count
    }
}

/// Uniformly random stones until the board is full.
#[derive(Clone, Debug)]
pub struct LightPlayout {
    scratch: Scratch,
}

impl LightPlayout {
    /// A playout for boards of any size.
    #[must_use]
    pub fn new() -> Self {
        Self { scratch: Scratch::new() }
    }
}

impl Default for LightPlayout {
    fn default() -> Self {
        Self::new()
    }
}

impl Playout<Hex> for LightPlayout {
    fn run(&mut self, from: &Hex, rng: &mut Rng, trace: &mut Trace) -> Reward {
        let count = self.scratch.load(from);
        let Scratch { cells, empties } = &mut self.scratch;
        let move_of = &from.geometry().move_of;
        let mut colour = from.colour_to_move();
        let mut player = from.player_of(colour);
        let empties = &mut empties[..count];
        for i in 0..count {
            let pick = i + rng.below((count - i) as u32) as usize;
            empties.swap(i, pick);
            let at = Point(empties[i]);
            cells[at.index()] = colour.cell() as u8;
            trace.push(player, usize::from(move_of[at.index()]));
            colour = colour.opponent();
            player = player.opponent();
        }
        Reward::win(from.player_of(full_board::winner(cells)))
    }
}
