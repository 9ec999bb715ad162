//! A winning strategy as a graph of threats.
//!
//! When the loser is to move, the winner must have several threats that no single stone stops: each
//! is a move with what follows it, each needs a set of cells, its carrier, and no cell is in all
//! of them. Wherever the loser plays, the winner carries out a threat whose carrier was missed. A
//! carrier is the winning move with all cells that its threats need in turn.
//!
//! So nothing is said of the loser's moves, only of cells that he has not got, and knowledge of any
//! kind (inferior cells, virtual connections) is dissolved into plain moves. The end is a carrier
//! so plain that trying everything on it is little work.

use crate::Colour;

/// What the winner has when the loser is to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProofNode {
    /// The winner joins his sides on these cells alone, though the loser moves first; without
    /// cells they are joined already.
    Carrier(Vec<u16>),
    /// Moves of the winner, each with the node that it leads to. No cell is needed by all.
    Threats(Vec<(u16, u32)>),
    /// Pairs of cells of which the winner gets one each, and then the other is of no use to
    /// anybody; with them his, the node is as good as another.
    Filled(Vec<[u16; 2]>, u32),
}

/// A position, its winner, and how he wins. Cells are move indices, row by row from a1 = 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The number of rows and of columns.
    pub size: usize,
    /// The black and the white stones.
    pub stones: [Vec<u16>; 2],
    /// The colour to move.
    pub to_move: Colour,
    /// The colour that wins.
    pub winner: Colour,
    /// The winner's first move, if it is his turn.
    pub first: Option<u16>,
    /// The strategy. The first node is its beginning, and a node leads only to later ones.
    pub nodes: Vec<ProofNode>,
}

/// A carrier at the end of a proof can be tried out in so many steps.
pub(super) const CARRIER_STEPS: u32 = 2000;
