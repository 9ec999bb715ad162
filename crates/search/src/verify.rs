//! A walk over the whole tree that recomputes what the search keeps incrementally.

use crate::arena::NONE;
use crate::node::{Edge, ONE, Proof};
use crate::tree::Tree;
use kosumi_game::{Game, Move, Player, Turn};

/// Counts of a consistent tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TreeFacts {
    /// Nodes, that is moves visited at least once, and the root.
    pub nodes: u64,
    /// Edges, that is legal moves of expanded nodes.
    pub edges: u64,
    /// Nodes with a proof.
    pub proven: u64,
}

/// A tree whose incremental state is wrong. Never seen unless there is a bug.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("node at {path:?}: {what}")]
#[non_exhaustive]
pub struct Inconsistent {
    /// Indices of the moves from the root.
    pub path: Vec<usize>,
    /// What differs.
    pub what: String,
}

impl Tree {
    /// Checks every node against its children; nobody else is running. `mover` moved into the root.
    pub(crate) fn verify<G: Game>(
        &self,
        root: &G,
        mover: Option<Player>,
    ) -> Result<TreeFacts, Inconsistent> {
        let mut facts = TreeFacts::default();
        let mut stack = vec![(self.root(), root.clone(), mover, Vec::new())];
        while let Some((id, position, mover, path)) = stack.pop() {
            let node = self.node(id);
            facts.nodes += 1;
            facts.proven += u64::from(node.proof().is_some());
            let fail = |what: String| Err(Inconsistent { path: path.clone(), what });
            if node.in_flight() != 0 {
                return fail(format!("{} virtual losses remain", node.in_flight()));
            }
            if node.shape() != self.shape_of(id) {
                return fail(format!(
                    "shape {:?}, recomputed {:?}",
                    node.shape(),
                    self.shape_of(id)
                ));
            }
            let (mut visits, mut sum) = node.own();
            let mut children = 0;
            if let Some(links) = node.links() {
                facts.edges += u64::from(links.count);
                let player = match position.turn() {
                    Turn::Player(player) => Some(player),
                    _ => None,
                };
                for edge in self.edges(links).filter(|edge| edge.child() != NONE) {
                    let child = self.node(edge.child());
                    children += 1;
                    // What merges have left to the node itself may be below 0 for a while.
                    visits = visits.wrapping_add(child.visits());
                    let same_seat =
                        mover.unwrap_or(Player::First) == player.unwrap_or(Player::First);
                    let whole = child.visits().wrapping_mul(ONE);
                    sum = sum.wrapping_add(if same_seat {
                        child.sum()
                    } else {
                        whole.wrapping_sub(child.sum())
                    });
                    let mut next = position.clone();
                    let mv = G::Move::from_index(usize::from(edge.mv()));
                    if next.try_play(mv).is_err() {
                        return fail(format!("illegal child {mv:?}"));
                    }
                    let mut path = path.clone();
                    path.push(mv.index());
                    stack.push((edge.child(), next, player, path));
                }
                let closed = self.edges(links).filter(|edge| edge.facts().is_closed()).count();
                if usize::from(node.closed()) != closed {
                    return fail(format!("{} edges closed, counted {closed}", node.closed()));
                }
                if let Some(player) = player
                    && !node.is_asserted()
                {
                    let won = self.edges(links).map(Edge::child).any(|child| {
                        child != NONE && self.node(child).proof() == Some(Proof::Win(player))
                    });
                    let proof = if won {
                        Some(Proof::Win(player))
                    } else if closed == usize::from(links.count) {
                        Some(self.best_closed(links, player))
                    } else {
                        None
                    };
                    if proof != node.proof() {
                        return fail(format!("proof {:?}, recomputed {proof:?}", node.proof()));
                    }
                }
            }
            if children != node.children() {
                return fail(format!("{} children, recomputed {children}", node.children()));
            }
            if (visits, sum) != (node.visits(), node.sum()) {
                return fail(format!(
                    "visits and sum {:?}, recomputed {:?}",
                    (node.visits(), node.sum()),
                    (visits, sum)
                ));
            }
        }
        Ok(facts)
    }
}
