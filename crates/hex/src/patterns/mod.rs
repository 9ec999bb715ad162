//! Learned patterns (H8, H9): what strong players do where the cells around look like this.
//!
//! A pattern is what the 6, 12 or 18 cells around a move hold ([`PatternKey`]); it is global if it
//! may be anywhere and local if the opponent's last move is one of its cells. Each has a strength
//! gamma, learned from game records. Of the patterns of growing extent around a move the largest
//! one counts that the model knows ([`PatternTable`]). The strength of a move is the **sum** of its
//! global and its local gamma, where Go multiplies: 1 without a known global pattern, plus 0 without
//! a known local one ([`PatternModel::strength`]); [`HexPriors`] scales it to the rho of H9.
//!
//! How the gammas that are added were learned, the paper does not say; it cites Coulom's
//! minorization-maximization, in which the members of a team multiply. `kosumi learn --combine` does
//! either: it maximizes the likelihood of products, as MM has it, or of the sums that are used.
//! `docs/learning.md` compares the two.

mod class;
mod code;
mod model;
mod priors;
mod surroundings;
mod table;

pub use class::Prunable;
pub use code::{Content, Extent, PatternKey};
pub use model::PatternModel;
pub use priors::HexPriors;
pub use surroundings::Surroundings;
pub use table::PatternTable;

pub(crate) use code::{Codes, OFFSETS, mirrored, opposite, rotate, white_view};
