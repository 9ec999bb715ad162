//! Provers: what solves positions beside a search, a little at a time (H14).

use crate::{Game, Player};

/// A position whose winner is known for certain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProvenLine<M> {
    /// The moves that lead there from the root of the search; none for the root itself.
    pub line: Vec<M>,
    /// Who wins there with best play.
    pub winner: Player,
}

/// Solves positions beside a search that asks it now and then to go on. It keeps what it has learned
/// from call to call and from move to move.
pub trait Prover<G: Game>: Send {
    /// Goes on solving the position that `line` leads to from `root`, by so many positions, and
    /// appends what is proven at the end of the line and one move further. The answers depend
    /// only on the calls so far. A line that ends the game or is illegal is no work.
    ///
    /// Where the player to move wins, a move that does it is told if one is known.
    fn pursue(
        &mut self,
        root: &G,
        line: &[G::Move],
        positions: u64,
        proven: &mut Vec<ProvenLine<G::Move>>,
    );
}
