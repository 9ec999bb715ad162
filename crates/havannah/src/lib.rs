//! Havannah: the rules, a board that finds every win as the stone is placed, playouts, and a net.
//!
//! Two players fill a hexagon of hexagons; the first to make a *ring*, a *bridge* or a *fork* wins,
//! a full board without one is a draw. White moves first, and the second player may answer the
//! first move by taking it over ([`HavannahRules::swap`]).
//!
//! | rule | where |
//! |---|---|
//! | cells, corners, edges, notation, symmetries | `geometry` |
//! | ring | `ring` |
//! | bridge, fork, chains | `board` |
//! | moves, swap, draw, notation | `rules`, `position` |
//!
//! Evaluation by a net: `net`.
//!
//! ```
//! use kosumi_game::Game;
//! use kosumi_havannah::{Havannah, HavannahRules};
//!
//! let mut game = Havannah::new(4, HavannahRules::default())?;
//! for text in ["a1", "d4", "a2", "d5", "a3", "d3", "a4"] {
//!     let mv = game.parse_move(text)?;
//!     game.try_play(mv)?;
//! }
//! // White joined two corners: a bridge.
//! assert_eq!(game.winner(), Some(kosumi_havannah::Colour::White));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![deny(missing_docs)]
#![forbid(unsafe_code)]

mod board;
mod colour;
#[cfg(test)]
mod conformance;
mod diagram;
mod evaluator;
mod geometry;
mod net;
mod playout;
mod position;
mod ring;
mod rules;
#[cfg(test)]
mod slow;

pub use colour::Colour;
pub use diagram::DiagramError;
pub use evaluator::HavannahEvaluator;
pub use geometry::{MAX_SIZE, MIN_SIZE, SizeError};
pub use kosumi_net::Scratch;
pub use net::HavannahNet;
pub use playout::{HeavyParams, HeavyPlayout, LightPlayout, WinReach};
pub use position::{Havannah, SetupError};
pub use rules::{HavannahMove, HavannahRules};
