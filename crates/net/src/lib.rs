//! Small convolutional nets in integers: they see a board and tell how good each move is and who is
//! winning.
//!
//! A [`Net`] is a tower of residual blocks. Activations and weights are 16-bit integers and sums are
//! 32-bit ones that cannot overflow (checked when a net is read), so that every CPU path and every
//! machine computes the same bits. Training is done elsewhere, in floating point; `scripts/train-hex-net`
//! writes the files.
#![deny(missing_docs)]

mod kernel;
mod layer;
mod net;
#[cfg(test)]
mod tests;

pub use kernel::Path;
pub use net::{Judgement, Net, Scratch};
