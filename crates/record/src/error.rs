//! What can be wrong with a record, where, and what to do about it.

use std::{fmt, io};

/// Where in a record something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// In a text that was read.
    Text {
        /// The line, from 1.
        line: u64,
        /// The byte in the line, from 1.
        column: u64,
        /// The byte in the input, from 0.
        offset: u64,
    },
    /// In a tree or record made in memory: the number of the node or step, the root being 0.
    Node(usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Text { line, column, offset } => {
                write!(f, "line {line}, column {column} (byte {offset})")
            }
            Place::Node(number) => write!(f, "node {number}"),
        }
    }
}

/// A record that cannot be read or written: where, and what is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {problem}")]
#[non_exhaustive]
pub struct SgfError {
    /// Where it is.
    pub place: Place,
    /// What is wrong, with the remedy.
    pub problem: Problem,
}

impl SgfError {
    pub(crate) fn new(place: Place, problem: Problem) -> Self {
        Self { place, problem }
    }
}

/// What is wrong with a record. Texts from the record are shortened and kept on one line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// There is no `(;` in the input.
    #[error("no game here: an SGF game starts with '(;'; is this an SGF file?")]
    NoGame,
    /// Something else stands where the grammar wants `expected`.
    #[error("expected {expected}, found {found}; correct the file there")]
    Unexpected {
        /// What the grammar allows here.
        expected: &'static str,
        /// What is here.
        found: String,
    },
    /// The input ends inside a game.
    #[error(
        "the file ends inside the game that starts at line {start_line}: expected {expected}; \
         the file may be cut off, fetch it again or close the game with ')'"
    )]
    Truncated {
        /// What the grammar wants next.
        expected: &'static str,
        /// The line where the broken game starts.
        start_line: u64,
    },
    /// Another game starts before this one is closed.
    #[error(
        "another game starts here, but the one from line {start_line} is not closed; \
         end it with '{missing}'"
    )]
    Unclosed {
        /// The line where the broken game starts.
        start_line: u64,
        /// What would have closed it.
        missing: &'static str,
    },
    /// A game beyond the limits of one tree.
    #[error("the game is too large: {what}; split the file")]
    TooLarge {
        /// Which limit it exceeds.
        what: &'static str,
    },
    /// Text in an encoding that cannot be decoded.
    #[error(
        "text in the encoding '{label}' cannot be read here; \
         convert the file to UTF-8 and write CA[UTF-8]"
    )]
    Encoding {
        /// The encoding's name as the record gives it.
        label: String,
    },
    /// The input could not be read.
    #[error("reading failed: {message}")]
    Io {
        /// The kind of failure.
        kind: io::ErrorKind,
        /// What the system says.
        message: String,
    },
    /// A property name that SGF cannot write.
    #[error("'{ident}' is no property name; use upper-case letters, e.g. 'C'")]
    BadIdent {
        /// The name.
        ident: String,
    },
    /// A game that is none of ours.
    #[error("GM[{value}] is not supported; expected GM[1] (Go), GM[11] (Hex) or GM[Havannah]")]
    UnknownGame {
        /// The value of `GM`.
        value: String,
    },
    /// A size that the game does not have.
    #[error("SZ[{value}] is no board size of {game}; expected a whole number from 1 to {max}")]
    BadSize {
        /// The value of `SZ`.
        value: String,
        /// The game's name.
        game: &'static str,
        /// The largest board.
        max: u8,
    },
    /// No size, in a game that has no usual one.
    #[error("no SZ in the root, and {game} has no usual size; add one, e.g. SZ[{example}]")]
    MissingSize {
        /// The game's name.
        game: &'static str,
        /// A common size.
        example: u8,
    },
    /// A board that is not square.
    #[error("SZ[{value}]: only square boards are supported; expected e.g. SZ[19]")]
    NotSquare {
        /// The value of `SZ`.
        value: String,
    },
    /// A value that is not what its property holds.
    #[error("{ident}[{value}]: expected {expected}")]
    BadValue {
        /// The property.
        ident: String,
        /// Its value.
        value: String,
        /// What it may hold.
        expected: &'static str,
    },
    /// A point or move that the board does not have.
    #[error("'{text}' is no {what} on {game} of size {size}; expected {expected}")]
    BadPoint {
        /// The text.
        text: String,
        /// `point` or `move`.
        what: &'static str,
        /// The game's name.
        game: &'static str,
        /// The board's size.
        size: u8,
        /// What would be right.
        expected: String,
    },
    /// One property twice in a node, with different values.
    #[error("{ident} appears twice in this node with different values; keep one of them")]
    Duplicate {
        /// The property.
        ident: String,
    },
    /// Black and White both move in one node.
    #[error("both B and W in this node; give each move a node of its own")]
    TwoMoves,
    /// Set-up puts two things on one point.
    #[error("the set-up names the point {point} in more than one of AB, AW and AE; keep one")]
    SetupConflict {
        /// The point.
        point: String,
    },
}

/// `text` from outside, short and on one line, for a message.
pub(crate) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 24;
    let mut shown: String = text.chars().filter(|c| !c.is_control()).take(LONGEST).collect();
    if text.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    shown
}
