//! Go: rules, a fast board, playouts and hand-made knowledge.
//!
//! [`Position`] is the game (superko, passes, scoring by area); [`Board`] is what stands on the
//! board, kept up to date move by move for playouts and tactics: chains with exact liberties, 3x3
//! codes, empty points. Both are generic over a size class ([`UpTo9`] to [`UpTo25`]), so that their
//! arrays are small and copy fast.
//!
//! ```
//! use kosumi_game::Game;
//! use kosumi_go::{Position, Rules, UpTo9};
//!
//! let mut position = Position::<UpTo9>::new(9, Rules::CHINESE)?;
//! let tengen = position.parse_move("E5")?;
//! position.try_play(tengen)?;
//! assert!(position.try_play(tengen).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![deny(missing_docs)]
#![forbid(unsafe_code)]

mod board;
mod class;
mod code;
mod diagram;
mod error;
mod features;
mod handicap;
mod history;
mod knowledge;
mod model;
mod pattern;
mod playout;
mod point;
mod position;
mod rules;
mod score;
mod shape;
mod status;
mod tactics;

pub use board::Board;
pub use class::{BoardClass, Item, PerPoint, PointSet, Points, UpTo9, UpTo13, UpTo19, UpTo25};
pub use code::Code;
pub use error::{RulesError, SetupError};
pub use features::{
    EARLIER_FEATURES, FAMILIES, FAMILY_FEATURES, Family, FeatureSink, Features, PatternKind,
    PatternTable, Selection, UnknownFeatures,
};
pub use handicap::{fixed_handicap, free_handicap, max_fixed_handicap};
pub use knowledge::{
    GoKnowledge, GoModelParams, GoPriorParams, HandKnowledge, HandWorker, LearnedKnowledge,
    LearnedWorker,
};
pub use model::MoveModel;
pub use playout::{
    GoGammaParams, GoPlayoutParams, HeavyPlayout, LearnedPlayout, LightPlayout, PlayoutModel,
    PlayoutWeights,
};
pub use point::{GoMove, Point};
pub use position::Position;
pub use rules::{Compensation, KoRule, Komi, Rules, Scoring};
pub use score::reward;
pub use status::{Ownership, Status, Verdicts, score_text};

#[cfg(test)]
mod tests;
