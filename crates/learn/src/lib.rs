//! Bradley-Terry models of moves (N2, N3).
//!
//! A move is a team of features, each with a strength gamma; the strength of a team is the product
//! of its gammas (or their sum, see [`Combining`]), and a move is played with the probability of its share in the sum over all legal
//! moves (eq. 2). A [`Decision`] is one position: the teams of all legal moves, and which of them was
//! played. [`Gradient`] and [`Minorization`] find the gammas under which the moves of many decisions
//! are likely; [`Prediction`] tells how well they do on others.
//!
//! A [`Decisions`] gives decisions game by game, as often as asked. The gradient needs few passes and
//! learns from them one by one, never with all in memory; minorization-maximization needs many, over
//! decisions that are [`Condensed`].
//!
//! ```
//! use kosumi_learn::{Decision, Gradient, GradientOptions};
//!
//! // Feature 0 beats feature 1 in three games of four.
//! let game = |chosen| {
//!     let mut decision = Decision::new();
//!     decision.push_team(&[0]);
//!     decision.push_team(&[1]);
//!     decision.choose(chosen, 0);
//!     vec![decision]
//! };
//! let games = vec![game(0), game(0), game(0), game(1)];
//! let mut gradient = Gradient::new(2, GradientOptions::default());
//! for _ in 0..500 {
//!     gradient.learn(&games, &[0, 1, 2, 3]);
//! }
//! let theta = gradient.log_gammas();
//! let share = 1.0 / (1.0 + (theta[1] - theta[0]).exp());
//! assert!((share - 0.75).abs() < 0.05);
//! ```
#![deny(missing_docs)]
#![forbid(unsafe_code)]

mod condensed;
mod decision;
mod file;
mod gradient;
mod minorization;
mod parallel;
mod prediction;

pub use condensed::{Condensed, TooLarge};
pub use decision::{Combining, Decision, Decisions};
pub use file::{Provenance, WeightFile, WeightFileError};
pub use gradient::{Gradient, GradientOptions, GradientState};
pub use minorization::{Minorization, MinorizationOptions, MinorizationState, Trial};
pub use parallel::share_out;
pub use prediction::{Prediction, PredictionOf};
