//! Monte-Carlo tree search for any game.
//!
//! [`Search`] explores a [`kosumi_game::Game`] with one lock-free tree that any number of threads
//! share. It knows no game: rules, playouts and move knowledge come in through three traits, and
//! two-player, one-player and stochastic games fit alike. Selection formulas (UCT, RAVE in three
//! forms, knowledge bias in five, progressive widening, tree shape control) are chosen by
//! [`SearchParams`], one line each.
//!
//! ```
//! use kosumi_game::{NoKnowledge, UniformPlayout};
//! use kosumi_search::{Limits, Search, SearchParams};
//! # mod nim {
//! #     use kosumi_game::*;
//! #     #[derive(Clone)] pub struct Nim { pub left: usize, pub turn: Player }
//! #     #[derive(Clone, Copy, PartialEq, Eq, Debug)] pub struct Take(pub usize);
//! #     impl Move for Take { fn index(self) -> usize { self.0 } fn from_index(i: usize) -> Self { Take(i) } }
//! #     impl Game for Nim {
//! #         type Move = Take;
//! #         fn turn(&self) -> Turn { Turn::Player(self.turn) }
//! #         fn outcome(&self) -> Option<Reward> { (self.left == 0).then(|| Reward::win(self.turn.opponent())) }
//! #         fn legal_moves(&self, out: &mut Vec<Take>) { out.extend((1..=self.left.min(3)).map(Take)) }
//! #         fn play(&mut self, mv: Take) { self.left -= mv.0; self.turn = self.turn.opponent(); }
//! #         fn move_space(&self) -> usize { 4 }
//! #         fn position_hash(&self) -> u64 { self.left as u64 }
//! #     }
//! # }
//! // Take one to three stones; who takes the last one wins. Of ten, take two.
//! let nim = nim::Nim { left: 10, turn: kosumi_game::Player::First };
//! let mut search = Search::new(nim, SearchParams::default(), || UniformPlayout::new(100), NoKnowledge)?;
//! let found = search.run(Limits::simulations(5_000));
//! assert_eq!(found.best(), Some(nim::Take(2)));
//! # Ok::<(), kosumi_search::SearchError>(())
//! ```
#![deny(missing_docs)]
#![deny(unsafe_code)]

mod arena;
mod beside;
mod cache;
mod clock;
mod control;
mod criticality;
mod delta;
mod descent;
mod formula;
mod limits;
mod node;
mod params;
mod rave;
mod recycle;
mod report;
mod root_moves;
mod search;
mod shape;
mod sync;
mod tree;
mod verify;
mod widening;
mod worker;

#[cfg(all(test, loom))]
mod loom_models;

pub use beside::Pace;
pub use cache::{CacheFacts, CachedEvaluator, EvaluationCache};
pub use clock::{Clock, TimeControl};
pub use delta::{Absent, MergeError, Merged, NodeDelta, TreeDelta, Weight};
pub use limits::{Limits, TimeBudget};
pub use node::Proof;
pub use params::{Bias, FinalMove, Mean, SearchParams};
pub use report::{MoveReport, Snapshot, TreeView};
pub use root_moves::Restriction;
pub use search::{Outdated, Search, SearchError, SearchHandle, StartOptions};
pub use verify::{Inconsistent, TreeFacts};
pub use widening::InvalidMu;
pub use worker::EvaluateAt;
