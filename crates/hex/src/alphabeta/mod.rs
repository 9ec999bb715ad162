//! Alpha-beta on the circuit (H4): a player after Wolve, which knows no playouts.
//!
//! Positions are judged by inferior cells and virtual connections where these settle them, else by
//! the resistance of the circuit with virtual connections as further links. Deeper and deeper
//! searches look at the moves through which most current flows, so many at each ply; what is found
//! to lose for certain makes room for others, so that a loss is a proof as much as a win is.
//!
//! - [`HexAlphaBeta`] searches positions of one size and remembers what it found out;
//! - `judge` evaluates and orders, `search` is the principal variation search below the root,
//!   `root` deepens and reports, `table` remembers.
//!
//! The swap: a stone is taken over if it is worth more than the answer, and a first stone is chosen
//! that is worth half of the best one.

mod judge;
mod root;
mod score;
mod search;
mod table;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use kosumi_game::params::PerLevel;

pub use self::score::Score;

use self::root::Player;
use crate::width::{any_width, each_width};
use crate::{Hex, HexMove};

kosumi_game::parameters! {
    /// How alpha-beta searches.
    pub struct AlphaBetaParams {
        /// Moves searched at a position, best current first, those that surely lose not counted; one number per ply from the root.
        widths "alphabeta.widths": PerLevel = PerLevel::constant(15.0), 1..=361;
        /// The deepest search, in plies.
        depth "alphabeta.depth": u32 = 99, 1..=99;
    }
}

/// When a search ends, and who is told how it goes. The default is to search to the last depth.
#[derive(Default)]
pub struct AlphaBetaLimits<'a> {
    /// The search ends soon after this becomes true.
    pub stop: Option<&'a AtomicBool>,
    /// The most positions to evaluate.
    pub positions: Option<u64>,
    /// The most time to take.
    pub time: Option<Duration>,
    /// Called after each move of the root.
    pub progress: Option<&'a mut dyn FnMut(&AlphaBetaReport)>,
}

impl fmt::Debug for AlphaBetaLimits<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { stop, positions, time, .. } = self;
        f.debug_struct("AlphaBetaLimits")
            .field("stop", stop)
            .field("positions", positions)
            .field("time", time)
            .finish_non_exhaustive()
    }
}

/// One move of the root.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RootMove {
    /// The move.
    pub mv: HexMove,
    /// What it is worth to the player to move. Exact for the best move, a bound from above for the
    /// others; by the circuit of the position itself before the move was searched.
    pub score: Score,
    /// The depth at which it was last searched; 0 before the first.
    pub depth: u32,
    /// Positions evaluated below it in this search.
    pub positions: u64,
    /// The line expected from here, beginning with the move.
    pub line: Vec<HexMove>,
}

/// What a search has found out.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct AlphaBetaReport {
    /// The moves that were considered, the one to play first. Empty if there was no time for a
    /// single evaluation.
    pub moves: Vec<RootMove>,
    /// What the position is worth to the player to move.
    pub score: Score,
    /// The depth that was searched completely.
    pub depth: u32,
    /// Positions evaluated in this search.
    pub positions: u64,
    /// Bytes of the table in use.
    pub memory: u64,
}

impl AlphaBetaReport {
    /// The move to play.
    #[must_use]
    pub fn best(&self) -> Option<&RootMove> {
        self.moves.first()
    }
}

any_width! {
    #[derive(Debug)]
    enum Width of Player(bytes: usize)
}

/// Searches positions of one size by alpha-beta.
#[derive(Debug)]
pub struct HexAlphaBeta(Width);

impl HexAlphaBeta {
    /// A search for boards of one size with a table of so many bytes; `None` if there is no such
    /// board.
    #[must_use]
    pub fn new(size: usize, bytes: usize) -> Option<Self> {
        Width::new(size, bytes).map(Self)
    }

    /// Looks for the best move; `None` if the position has another size or is over.
    pub fn search(
        &mut self,
        position: &Hex,
        params: &AlphaBetaParams,
        limits: AlphaBetaLimits<'_>,
    ) -> Option<AlphaBetaReport> {
        each_width!(Width, &mut self.0, player => player.play(position, params, limits))
    }
}
