//! What can go wrong between a client and an engine.

use kosumi_game::params::ParamError;
use kosumi_game::{IllegalMove, ParseMoveError};
use kosumi_learn::WeightFileError;
use kosumi_record::{GameKind, SgfError};
use kosumi_search::SearchError;

use crate::config::ConfigError;

/// Why an engine did not do what it was asked to.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The name of no game.
    #[error("unknown game '{0}': expected go, hex or havannah")]
    UnknownGame(String),
    /// The game has no such board.
    #[error("no {game} board of size {size}: expected {min} to {max}")]
    Size {
        /// The game's name.
        game: &'static str,
        /// What was asked for.
        size: usize,
        /// The smallest board.
        min: usize,
        /// The largest board.
        max: usize,
    },
    /// A command of another game.
    #[error("{what} is for {wanted}; this engine plays {game}")]
    OtherGame {
        /// What was asked for.
        what: &'static str,
        /// The games that have it.
        wanted: &'static str,
        /// The game that is played.
        game: &'static str,
    },
    /// Text that is no move.
    #[error(transparent)]
    NoMove(#[from] ParseMoveError),
    /// A move against the rules.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    /// There is nothing to take back.
    #[error("cannot undo: no move has been played")]
    NothingToUndo,
    /// The game has ended.
    #[error("the game is over: {0}")]
    GameOver(String),
    /// Stones that cannot be set up.
    #[error("cannot set up the board: {0}")]
    Setup(String),
    /// A search that must consider all moves.
    #[error("this search cannot avoid moves: set search.kind to tree")]
    Unrestricted,
    /// A handle was kept too long.
    #[error(transparent)]
    Outdated(#[from] kosumi_search::Outdated),
    /// All memory of the process is reserved.
    #[error(
        "search.memory is {asked} MB, but {left} MB of the {total} MB for all engines are left; choose less, or close an engine"
    )]
    NoMemoryLeft {
        /// Megabytes asked for.
        asked: u64,
        /// Megabytes left.
        left: u64,
        /// Megabytes for all engines.
        total: u64,
    },
    /// Rules or komi that do not exist.
    #[error(transparent)]
    Rules(#[from] kosumi_go::RulesError),
    /// A parameter that does not exist or a value that does not fit it.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// A configuration file that cannot be used.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A record that cannot be used.
    #[error(transparent)]
    Record(#[from] SgfError),
    /// A record of another game.
    #[error("the record is of {record}, this engine plays {game}")]
    RecordOfOtherGame {
        /// The record's game.
        record: &'static str,
        /// The engine's game.
        game: &'static str,
    },
    /// A move of a record that the rules forbid.
    #[error("move {number} of the record: {error}")]
    RecordMove {
        /// Which move, from 1.
        number: usize,
        /// What is wrong with it.
        error: Box<EngineError>,
    },
    /// Parameters that cannot be searched with.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// The search of this player keeps no tree.
    #[error("this player searches by alpha-beta: it keeps no tree to verify")]
    NoTree,
    /// There is no such file of weights.
    #[error("weights {path}: {error}; name a file that 'kosumi learn' made, or own")]
    NoWeights {
        /// The file.
        path: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// Weights that cannot be used.
    #[error("weights {path}: {error}")]
    Weights {
        /// The file.
        path: String,
        /// What is wrong with them, and the remedy.
        error: WeightFileError,
    },
    /// A question that makes no sense on this board.
    #[error("{0}")]
    Unanswerable(String),
    /// A thread of the search panicked. The position is kept and the search starts afresh.
    #[error("internal error: {0}")]
    Internal(String),
    /// A file could not be read or written.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: String,
        /// What the system says.
        error: std::io::Error,
    },
}

impl EngineError {
    pub(crate) fn other_game(what: &'static str, wanted: &'static str, game: GameKind) -> Self {
        Self::OtherGame { what, wanted, game: game.name() }
    }
}

/// What a caught panic said.
pub(crate) fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .map(ToString::to_string)
        .or_else(|| panic.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "a panic without a message".to_string())
}
