//! Small convolutional nets in integers: they see a board and evaluate each move and who is winning.
//!
//! A [`Net`] is a tower of residual blocks. Activations and weights are 16-bit integers and sums are
//! 32-bit ones that cannot overflow (checked when a net is read), so that every CPU path and every
//! machine computes the same bits. Training is done elsewhere, in floating point; docs/net-format.md
//! has the files.
//!
//! A file says everything about its net: where a cell's neighbours are, which planes of the board and
//! which scalars it wants to see, by name, its layers and what it tells. A game says what it can build
//! ([`GameInputs`]), makes a [`Board`] for each of its sizes, and sets the [`Planes`] of a position:
//!
//! ```no_run
//! # fn evaluate(bytes: &[u8]) -> Result<(), Box<dyn std::error::Error>> {
//! use kosumi_learn::WeightFile;
//! use kosumi_net::{Board, GameInputs, Net, Scratch};
//!
//! let inputs = GameInputs { game: "hex", planes: &["own", "opp"], scalars: &[], passes: false };
//! let net = Net::from_file(&WeightFile::from_bytes(bytes)?, &inputs)?;
//! let [own] = net.places(["own"]);
//! let (board, mut scratch) = (Board::rectangle(11, 11), Scratch::default());
//! let evaluation = net.evaluate(&mut scratch, &board, &[], |planes| {
//!     // A stone on the sixth cell of the sixth row.
//!     if let Some(own) = own {
//!         planes.set(own, 6, 6);
//!     }
//! });
//! println!("{} {:?}", evaluation.value_logit, evaluation.policy);
//! # Ok(())
//! # }
//! ```
#![deny(missing_docs)]

mod board;
mod globals;
mod kernel;
mod layer;
mod net;
mod pool;
mod shape;
#[cfg(test)]
mod tests;

pub use board::Board;
pub use kernel::Path;
pub use net::{Evaluation, Heads, Net, Planes, Scratch};
pub use pool::ScratchPool;
pub use shape::GameInputs;
