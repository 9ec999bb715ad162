//! Tuning of parameters by playing (H12): CLOP and a runner of games for it.
//!
//! CLOP is Coulom's "Confident Local Optimization for Noisy Black-Box Parameter Tuning" (Advances in
//! Computer Games 13, 2011). [`Clop`] is the method alone, without any games: it says which values
//! to try, hears how they did, and estimates the best ones. [`Tuning`] tries values of a Kosumi
//! player in games, several at once, into a [`TuneJournal`] from which a killed tuning resumes.

mod charts;
mod clop;
mod journal;
mod parameter;
mod regression;
mod runner;

pub use charts::charts as tune_charts;
pub use clop::{Clop, Optimum, Tuned};
pub use journal::{TuneJournal, read_tune_journal};
pub use parameter::{InvalidParameter, Parameter};
pub use runner::{NoTuneObserver, Trial, TuneError, TuneObserver, Tuning};
