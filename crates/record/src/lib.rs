//! Game records: SGF (`FF[4]`, and what older files still hold) as a tree, read and written.
//!
//! Two levels, each useful alone:
//!
//! - [`GameTree`] is the file: nodes, variations and every property verbatim, known or not.
//!   [`Reader`] takes trees one by one from a stream and goes on after a broken one.
//! - [`GameRecord`] is a game: [`GameInfo`], set-up stones, and the moves of the main line in the
//!   notation of the engine (`D4`, `a1`, `pass`, `swap-pieces`). It knows the boards of Go, Hex and
//!   Havannah, so a point off the board is an error, but no rules: whether a move is legal is the
//!   game's business.
//!
//! No bytes make this crate panic, and no depth of nesting overflows the stack: the tree is an
//! arena and all walks over it are loops.
//!
//! The parser is our own because the records come from everywhere: `sgf-parse` takes moves off the
//! board, stops a collection at its first broken game, and knows one encoding.
//!
//! ```
//! use kosumi_record::{Colour, GameRecord, GameTree};
//!
//! let tree = GameTree::parse(b"(;GM[1]SZ[9]KM[7]PB[Rin];B[ee];W[gc]C[Why here?](;B[])(;B[cc]))")?;
//! let record = GameRecord::from_tree(&tree)?;
//! assert_eq!(record.info.black.name.as_deref(), Some("Rin"));
//! let moves: Vec<_> = record.moves().map(|m| (m.colour, m.mv.as_str())).collect();
//! assert_eq!(moves, [(Colour::Black, "E5"), (Colour::White, "G7"), (Colour::Black, "pass")]);
//! # Ok::<(), kosumi_record::SgfError>(())
//! ```
#![deny(missing_docs)]
#![forbid(unsafe_code)]

mod atomic;
mod charset;
mod error;
mod info;
mod notation;
mod parse;
mod reader;
mod record;
mod text;
mod tree;
mod whole;
mod write;

pub use atomic::{WriteError, write_atomically};
pub use error::{Place, Problem, SgfError};
pub use info::{GameInfo, GameResult, Participant, Victory};
pub use notation::{Colour, GameKind};
pub use reader::Reader;
pub use record::{GameRecord, RecordMove, Setup, Step};
pub use tree::{GameTree, Node, NodeId, Property};
pub use whole::{MOST_SGF_BYTES, read_at_most, read_whole};
