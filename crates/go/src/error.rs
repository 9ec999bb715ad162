//! What can be wrong with rules and set-ups from outside.

use crate::Rules;

/// Rules that do not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RulesError {
    /// Text that is no komi.
    #[error("'{0}' is no komi: expected a whole or half number from -625 to 625, e.g. 6.5")]
    Komi(String),
    /// No rule set of that name.
    #[error("unknown rules '{name}': expected one of {}", Rules::NAMES.join(", "))]
    UnknownName {
        /// What was asked for, without blanks and the like.
        name: String,
    },
}

/// A position that cannot be set up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// The board class has no such board.
    #[error("no board of size {size}: expected 2 to {max}")]
    Size {
        /// What was asked for.
        size: usize,
        /// The largest board of the class.
        max: usize,
    },
    /// A stone outside the board.
    #[error("a stone lies outside the board of size {size}")]
    OffBoard {
        /// Lines of the board.
        size: usize,
    },
    /// Two stones on one point.
    #[error("two stones on {point}")]
    Occupied {
        /// The point, e.g. `D4`.
        point: String,
    },
    /// A chain that could not stand there.
    #[error("the stones at {point} have no liberties")]
    NoLiberties {
        /// A point of the chain, e.g. `D4`.
        point: String,
    },
    /// Handicap stones go on an empty board.
    #[error("the board is not empty: clear it before placing handicap stones")]
    NotEmpty,
    /// A number of handicap stones that this board does not take.
    #[error("{stones} handicap stones do not fit a board of size {size}: expected {expected}")]
    Handicap {
        /// What was asked for.
        stones: usize,
        /// Lines of the board.
        size: usize,
        /// What would fit, e.g. "2 to 9".
        expected: String,
    },
    /// A diagram that does not read as a board.
    #[error("line {line} of the diagram: {problem}")]
    Diagram {
        /// Which line, from 1.
        line: usize,
        /// What is wrong there.
        problem: String,
    },
}
