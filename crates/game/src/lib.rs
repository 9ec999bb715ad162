//! The seams of Kosumi: what a [`Game`], a [`Playout`], move [`Knowledge`] and an
//! [`Evaluator`] are.
//!
//! A search built on these traits knows no game, and a game that implements them knows no search.
//! The crate holds what both sides must agree on and nothing else: seats and [`Reward`]s with
//! their viewpoint, dense move indices, the [`Trace`] of a simulation, the generator of random
//! numbers whose streams never change, Zobrist keys, symmetries, and the one-line
//! [`parameters!`] from which configuration files, GTP commands and docs come.
//!
//! Implement [`Game`] and, to test it, run [`testing::conformance`] (feature `testing`) over it:
//! the suite plays thousands of random games and checks every promise the traits make.
#![deny(missing_docs)]
#![forbid(unsafe_code)]

mod evaluator;
mod game;
mod hash;
mod knowledge;
pub mod math;
pub mod params;
mod playout;
mod prover;
mod reward;
mod rng;
mod symmetry;
#[cfg(feature = "testing")]
pub mod testing;
mod trace;
mod zobrist;

pub use evaluator::{Evaluation, Evaluator};
pub use game::{Game, IllegalMove, Move, ParseMoveError};
pub use hash::hash_of;
pub use knowledge::{Context, Knowledge, NoKnowledge, Verdict, VirtualGames};
pub use playout::{Playout, UniformPlayout};
pub use prover::{ProvenLine, Prover};
pub use reward::{Player, Reward, Turn, Value};
pub use rng::Rng;
pub use symmetry::Permutation;
pub use trace::{Trace, TracedMove};
pub use zobrist::zobrist_key;
