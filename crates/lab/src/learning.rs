//! Learning from game records, and how well the result predicts moves (N2 to N4).
//!
//! Games are read once and kept as moves, which is small; positions and their features are made anew
//! in every pass of the gradient, which is faster than any disk and needs no memory, and gathered once
//! for the many passes of minorization-maximization. [`learn`] counts patterns,
//! learns, and writes what it has down as it goes; [`predict`] measures a model on games. Go has two
//! kinds of models ([`LearnSubject`]), one for the tree and one for playouts; Hex has one kind for both
//! (H8).

mod decisions;
mod games;
mod harvest;
mod hex;
mod model;
mod predict;
mod run;

pub use decisions::GoDecisions;
pub use games::{GameMoves, GamesRead, Part, ReadGamesError, Skipped, read_games};
pub use harvest::frequent_patterns;
pub use hex::{HexDecisions, frequent_hex_patterns};
pub use model::{GoView, LearnSubject, LearnedModel};
pub use predict::{PredictOptions, PredictionReport, predict};
pub use run::{LearnError, LearnMethod, LearnObserver, LearnOptions, NoLearnObserver, learn};

/// Moves in one phase of a game.
const PHASE_MOVES: usize = 30;
/// The last phase goes on to the end.
const PHASES: usize = 10;

/// The phase of a move, counted from 0.
fn phase_of(number: usize) -> usize {
    (number / PHASE_MOVES).min(PHASES - 1)
}
