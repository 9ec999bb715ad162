//! Hex (H1, H6, H8 to H10) from 3x3 to 19x19: rules with swap, incremental connections, fast
//! playouts, learned patterns.
//!
//! [`Hex`] is a position and implements [`kosumi_game::Game`]. Letters are columns (`i` included),
//! numbers are rows, and a1 is the acute corner at the top left:
//!
//! ```text
//!   a b c
//! 1  . . .      Black joins row 1 with row 3 (top with bottom),
//!  2  . . .     White joins column a with column c (left with right).
//!   3  . . .
//! ```
//!
//! The two opponents are persons, [`kosumi_game::Player`], and hold a [`Colour`] each. Black moves
//! first and starts in the hands of [`Player::First`](kosumi_game::Player::First); the swap
//! exchanges the persons and leaves the board alone, see [`Hex::colour_of`].
#![deny(missing_docs)]
#![forbid(unsafe_code)]

mod alphabeta;
mod cells;
mod chains;
mod circuit;
mod colour;
#[cfg(test)]
mod conformance;
mod connections;
mod diagram;
mod evaluator;
mod geometry;
mod inferior;
mod insight;
mod knowledge;
mod lattice;
mod net;
mod patterns;
#[cfg(test)]
mod plain;
mod playout;
mod position;
mod rules;
mod solver;
mod width;

pub use alphabeta::{
    AlphaBetaLimits, AlphaBetaParams, AlphaBetaReport, HexAlphaBeta, RootMove, Score,
};
pub use cells::CellSet;
pub use circuit::{Circuit, Flow};
pub use colour::{Cell, Colour};
pub use connections::{Connections, End, Limits, Link, Semi};
pub use evaluator::HexEvaluator;
pub use geometry::{MAX_SIZE, MIN_SIZE, Point};
pub use inferior::{Findings, Inferior, Kind, LocalKind, local_kind};
pub use insight::{HexAnalysis, Outlook};
pub use knowledge::{HexKnowledge, HexStudy, HexWorker};
pub use lattice::{Lattice, Stones};
pub use net::HexNet;
pub use patterns::{
    Content, Extent, HexPriors, PatternKey, PatternModel, PatternTable, Prunable, Surroundings,
};
pub use playout::{
    HexPlayoutParams, LightPlayout, PatternPlayout, PatternWeights, SavebridgePlayout,
};
pub use position::{Hex, SetupError};
pub use rules::{HexMove, HexRules};
pub use solver::{
    CheckError, HexProver, HexSolver, Proof, ProofError, ProofFileError, ProofNode, Solution,
    check_proof, check_proof_while,
};
