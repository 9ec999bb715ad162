//! Where games, playouts, knowledge and search meet: engines that play Go, Hex and Havannah.
//!
//! An [`Engine`] holds one game in progress: a board, a search that follows it, clocks and
//! parameters. Nothing in its interface depends on the game; moves are text.
//!
//! ```
//! use kosumi_engine::{Colour, Engine, EngineOptions, GameKind};
//!
//! let mut options = EngineOptions::new(GameKind::Hex);
//! options.size = Some(5);
//! options.simulations = Some(200);
//! options.memory_mb = Some(16);
//! let mut engine = Engine::new(&options)?;
//! engine.play(Colour::Black, "c3")?;
//! let decision = engine.genmove(Colour::White)?;
//! println!("{} after {} simulations", decision.mv, decision.analysis.simulations);
//! # Ok::<(), kosumi_engine::EngineError>(())
//! ```
//!
//! [`gtp::serve`] puts an engine behind the Go Text Protocol, [`presets`] are named parameter
//! files, [`bench`](mod@bench) measures and signs the whole, [`solve`] proves who
//! wins at Hex.
#![deny(missing_docs)]
#![forbid(unsafe_code)]

mod analysis;
pub mod bench;
mod config;
mod engine;
mod error;
mod fnv;
pub mod gtp;
mod openings;
mod params;
mod player;
pub mod presets;
mod resources;
pub mod solve;
mod system;
mod weights;

pub use analysis::{Analysis, MoveAnalysis, MoveRestriction, Proven, Thinking, TreeNode};
pub use config::{Config, ConfigError, to_toml};
pub use engine::{Decision, Engine, EngineOptions, Pending, default_size, parse_game, size_range};
pub use error::EngineError;
pub use fnv::Fnv;
pub use kosumi_record::{Colour, GameKind, GameResult, RecordMove, Victory};
pub use kosumi_search::{Limits, TimeControl, TreeFacts};
pub use openings::{OpeningMethod, OpeningTable};
pub use params::{DeadStones, EngineParams, GameParams, PlayParams};
pub use player::{
    Connection, ConnectionKind, GoChoices, GoParams, GoPolicy, Goal, HavannahChoices,
    HavannahParams, HavannahPolicy, HexChoices, HexParams, HexPolicy, HexSearch, HexSolverParams,
    HexSolving, HexView, Inferiority, Resistance, SolveLimits, Status,
};
pub use resources::Resources;
pub use system::cpu_seconds;
pub use weights::{MOST_BYTES as MOST_WEIGHT_BYTES, Weights, WeightsInUse, own_weights};
