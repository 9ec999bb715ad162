//! The lab: matches between programs that play Go, Hex or Havannah over GTP.
//!
//! Every claim about strength is made by games. A [`Match`] plays two programs (Kosumi with some
//! configuration, or any GTP or HTP program) in pairs of games with colours exchanged, several at
//! once on cores of their own, by our own rules; counts what goes wrong and goes on; writes every
//! finished game at once into a [`Journal`], from which a killed match resumes; and sums up in a
//! [`Tally`] with an interval. An [`experiment`] is a series of matches that measures again what a
//! paper has measured; [`plot`] draws the results.
//!
//! ```no_run
//! use std::sync::atomic::AtomicBool;
//! use kosumi_lab::{Journal, Match, NoObserver, Player, Rulebook, Run, split_command};
//! use kosumi_record::GameKind;
//!
//! let gnugo = Player::new("GNU Go", split_command("gnugo --mode gtp --chinese-rules")?);
//! let fuego = Player::new("Fuego", split_command("fuego --quiet")?);
//! let settings = Match::new(Rulebook::new(GameKind::Go, 9), [gnugo, fuego]);
//! let mut journal = Journal::resume("match.jsonl".as_ref(), &settings)?;
//! let stop = AtomicBool::new(false);
//! let tally = settings.run(&Run::new(100), &mut journal, &mut NoObserver, &stop)?;
//! let (low, high) = tally.score.interval();
//! println!("{:.1} % ({:.1} to {:.1})", 100.0 * tally.score.rate(), 100.0 * low, 100.0 * high);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![deny(missing_docs)]
#![deny(unsafe_code)]

mod arbiter;
mod clock;
mod csv;
mod difference;
mod equal_cpu;
pub mod experiment;
mod game;
mod gtp_client;
mod journal;
mod json_lines;
mod kosumi_player;
mod learning;
mod match_runner;
mod opening;
mod opening_values;
pub mod os;
mod player;
pub mod plot;
mod rating;
mod referee;
mod regression;
mod sprt;
mod stats;
mod tournament;
mod tune;

pub use arbiter::{Arbiter, Rulebook, RulebookError};
pub use clock::{Clock, InvalidTimeControl, Overtime, TimeControl, TimeOver};
pub use csv::{csv_games, csv_header};
pub use equal_cpu::EqualCpu;
pub use game::{CountedBy, Ending, PlayedGame, Side};
pub use gtp_client::{Farewell, GtpClient, GtpError};
pub use journal::{Introduction, Journal, JournalContent, read_journal};
pub use json_lines::JournalError;
pub use kosumi_player::KosumiPlayer;
pub use learning::*;
pub use match_runner::{Match, MatchError, NoObserver, Observer, Replay, Run, Tally};
pub use opening::{OpeningError, Openings};
pub use opening_values::{OpeningValues, OpeningValuesError, fit_to_games};
pub use player::{InvalidCommand, KOSUMI, Limit, Player, SEED, SIMULATIONS, Timing, split_command};
pub use rating::{Outcome, RatingError, Ratings};
pub use referee::{RefereeError, score as referee_score};
pub use regression::{RegressionCounts, RegressionError, RegressionFile, Tested, Verdict};
pub use sprt::{Hypothesis, InvalidSprt, Sprt, SprtState, SprtWatch};
pub use stats::{Estimate, PairCounts, Score, elo, elo_score};
pub use tournament::{
    Pairings, Standing, Standings, Tournament, TournamentError, TournamentObserver,
};
pub use tune::{
    Clop, InvalidParameter, NoTuneObserver, Optimum, Parameter, Trial, TuneError, TuneJournal,
    TuneObserver, Tuned, Tuning, read_tune_journal, tune_charts,
};
