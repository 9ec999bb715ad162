//! What one tree tells another: the simulations that each has made near its root (S8).
//!
//! Visits and sums of values travel, by path, and nothing else: RAVE, priors, move orders, proofs and
//! the shape stay what this search has found. Every tree remembers of each shared node what it has
//! told and what it was told, so that a simulation is told once, whatever comes in between: reuse of
//! the tree, recycling, pondering.
//!
//! A node's visits are always those that ended in it and those of its children. So what another tree
//! counts at a node and not at one of the children that are shared counts here as ended in the node.
//! A child that is shared later than its parent brings simulations that the parent has told already:
//! they move from the node to the child.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::{Mutex, PoisonError};

use crate::arena::{LineId, NONE, Reserve};
use crate::node::ONE;
use crate::tree::{Step, Tree};
use kosumi_game::{Game, Move, Player};

/// New simulations of one search at the nodes near its root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TreeDelta {
    /// [`Game::state_hash`] of the root.
    pub root: u64,
    /// Parents before children, the root first. Empty: nothing is new.
    pub nodes: Vec<NodeDelta>,
}

/// New simulations through one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeDelta {
    /// Place of the parent in [`TreeDelta::nodes`]; 0 for the root itself.
    pub parent: u32,
    /// The index of the move that leads here; 0 for the root.
    pub mv: u16,
    /// How many.
    pub visits: u64,
    /// The sum of their values for [`Player::First`], in parts of 2^30.
    pub sum_for_first: u64,
}

/// How much the simulations of a delta count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// As those made here.
    Sum,
    /// One for so many: of the sum over that many trees the mean. What a division leaves is carried
    /// to the next merge.
    Mean(NonZeroU32),
}

/// What becomes of simulations at a node that is not in this tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absent {
    /// The node is made, if its parent's moves are listed and memory is left.
    Make,
    /// They count as ended in the parent.
    LeaveOut,
}

/// What a merge has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Merged {
    /// Visits that the root has gained.
    pub visits: u64,
    /// Nodes that were made.
    pub made: u32,
    /// Nodes of the delta that are not in this tree.
    pub left_out: u32,
}

/// Why a delta cannot be merged. Nothing of it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MergeError {
    /// The search has moved on, or the delta is of another position.
    #[error("the delta is of position {theirs:016x}, and this tree's root is {ours:016x}")]
    OtherRoot {
        /// The delta's.
        theirs: u64,
        /// This tree's.
        ours: u64,
    },
    /// The search of this handle has another root by now.
    #[error(transparent)]
    Outdated(#[from] crate::Outdated),
    /// It is no tree of this game.
    #[error("node {0} of the delta makes no sense: its parent, its move or its counts are wrong")]
    Node(usize),
}

/// What a tree knows of the nodes that it shares: a tree itself.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    /// Visits and sum (for the player who moved here) told or received so far.
    told: (u64, u64),
    /// What divisions have left: visits and sum for the first player, not divided.
    carried: (u64, u64),
    children: BTreeMap<u16, Ledger>,
}

/// The ledger of a tree. Locked by who shares, never by a simulation.
pub(crate) type SharedLedger = Mutex<Ledger>;

impl Tree {
    fn ledger(&self) -> std::sync::MutexGuard<'_, Ledger> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The ledger follows the root to a child.
    pub(crate) fn advance_ledger(&self, mv: u16) {
        let mut ledger = self.ledger();
        let child = ledger.children.remove(&mv).unwrap_or_default();
        *ledger = child;
    }

    pub(crate) fn clear_ledger(&self) {
        *self.ledger() = Ledger::default();
    }

    /// Forgets nodes that recycling has forgotten. Nobody else is running.
    pub(crate) fn prune_ledger(&self) {
        fn prune(tree: &Tree, id: LineId, ledger: &mut Ledger) {
            let links = tree.node(id).links();
            ledger.children.retain(|&mv, below| {
                let child = links.and_then(|links| {
                    tree.edges(links).find(|edge| edge.mv() == mv).map(|edge| edge.child())
                });
                let kept = child.filter(|&child| child != NONE);
                if let Some(child) = kept {
                    prune(tree, child, below);
                }
                kept.is_some()
            });
        }
        prune(self, self.root(), &mut self.ledger());
    }

    /// New simulations of the nodes that `select` wants, by path and visits; it is asked for a child
    /// only if it wanted the parent. The caller holds the gate.
    pub(crate) fn take_delta<G: Game>(
        &self,
        root: &G,
        mover: Option<Player>,
        select: &mut dyn FnMut(&[u16], u64) -> bool,
    ) -> TreeDelta {
        let mut taken = TreeDelta { root: root.state_hash(), nodes: Vec::new() };
        let mut path = Vec::new();
        let at = Place { id: self.root(), mover, parent: 0, mv: 0 };
        let mut ledger = self.ledger();
        self.take_node(root, at, &mut ledger, &mut path, select, &mut taken.nodes);
        taken
    }

    /// Appends a node and its children, unless nothing of them is new.
    fn take_node<G: Game>(
        &self,
        position: &G,
        at: Place,
        ledger: &mut Ledger,
        path: &mut Vec<u16>,
        select: &mut dyn FnMut(&[u16], u64) -> bool,
        nodes: &mut Vec<NodeDelta>,
    ) {
        let node = self.node(at.id);
        let place = nodes.len();
        nodes.push(NodeDelta { parent: at.parent, mv: at.mv, visits: 0, sum_for_first: 0 });
        if let Some(links) = node.links() {
            let player = position.turn().player();
            for edge in self.edges(links).filter(|edge| edge.child() != NONE) {
                path.push(edge.mv());
                if select(path, self.node(edge.child()).visits()) {
                    let mut next = position.clone();
                    next.play(G::Move::from_index(usize::from(edge.mv())));
                    let below = ledger.children.entry(edge.mv()).or_default();
                    let at = Place {
                        id: edge.child(),
                        mover: player,
                        parent: place as u32,
                        mv: edge.mv(),
                    };
                    self.take_node(&next, at, below, path, select, nodes);
                }
                path.pop();
            }
        }
        let (told_visits, told_sum) = ledger.told;
        let visits = node.visits().saturating_sub(told_visits);
        // A sum may be there before its visit; it is told with it, next time.
        let sum = node.sum().saturating_sub(told_sum).min(visits * ONE);
        ledger.told = (told_visits + visits, told_sum + sum);
        let sum_for_first = for_first(at.mover, visits, sum);
        nodes[place] = NodeDelta { parent: at.parent, mv: at.mv, visits, sum_for_first };
        if visits == 0 && nodes.len() == place + 1 {
            nodes.pop();
        }
    }

    /// Adds the simulations of another tree. The caller holds the gate.
    pub(crate) fn merge<G: Game>(
        &self,
        root: &G,
        mover: Option<Player>,
        delta: &TreeDelta,
        weight: Weight,
        absent: Absent,
    ) -> Result<Merged, MergeError> {
        let ours = root.state_hash();
        if delta.root != ours {
            return Err(MergeError::OtherRoot { theirs: delta.root, ours });
        }
        let children = children_of(delta)?;
        let mut merged = Merged::default();
        if delta.nodes.is_empty() {
            return Ok(merged);
        }
        check_moves(root, delta, &children, 0)?;
        let mut reserve = Reserve::default();
        let mut steps = vec![Step { node: self.root(), edge: 0, mover, made: false }];
        let mut ledger = self.ledger();
        let mut merge = Merge { delta, children: &children, weight, absent, merged: &mut merged };
        let (visits, _) =
            self.merge_node(root, &mut merge, 0, &mut ledger, &mut steps, &mut reserve);
        merged.visits = visits;
        Ok(merged)
    }

    /// Adds what the delta says of one node and of those below it; gives what the node has gained,
    /// with the sum for the first player.
    fn merge_node<G: Game>(
        &self,
        position: &G,
        merge: &mut Merge<'_>,
        place: usize,
        ledger: &mut Ledger,
        steps: &mut Vec<Step>,
        reserve: &mut Reserve,
    ) -> (u64, u64) {
        let step = steps[steps.len() - 1];
        let node = self.node(step.node);
        let NodeDelta { visits, sum_for_first, .. } = merge.delta.nodes[place];
        let gained = ledger.weigh(visits, sum_for_first, merge.weight);
        let player = position.turn().player();
        let (mut below_visits, mut below_sum) = (0u64, 0u64);
        let children = merge.children;
        for &child in &children[place] {
            let mv = merge.delta.nodes[child].mv;
            let found = node.links().and_then(|links| {
                let (at, edge) = (0u16..).zip(self.edges(links)).find(|(_, e)| e.mv() == mv)?;
                if edge.child() == NONE && merge.absent == Absent::LeaveOut {
                    return None;
                }
                let (child, made) = self.child(reserve, edge).ok()?;
                Some(Step { node: child, edge: at, mover: player, made })
            });
            let Some(step) = found else {
                merge.merged.left_out += 1 + descendants(children, child);
                continue;
            };
            if step.made {
                merge.merged.made += 1;
                self.grow(steps);
            }
            let mut next = position.clone();
            next.play(G::Move::from_index(usize::from(mv)));
            let below = ledger.children.entry(mv).or_default();
            steps.push(step);
            let (visits, sum) = self.merge_node(&next, merge, child, below, steps, reserve);
            steps.pop();
            below_visits += visits;
            below_sum = below_sum.wrapping_add(sum);
        }
        let own_visits = gained.0.wrapping_sub(below_visits);
        let own_sum = gained.1.wrapping_sub(below_sum);
        let seen = |visits: u64, sum: u64| match step.mover.unwrap_or(Player::First) {
            Player::First => sum,
            Player::Second => visits.wrapping_mul(ONE).wrapping_sub(sum),
        };
        let sum = seen(gained.0, gained.1);
        node.add_foreign(gained.0, sum, (own_visits, seen(own_visits, own_sum)));
        // What came from elsewhere is not told again.
        ledger.told.0 += gained.0;
        ledger.told.1 = ledger.told.1.wrapping_add(sum);
        gained
    }
}

/// A node as it is taken.
struct Place {
    id: LineId,
    mover: Option<Player>,
    parent: u32,
    mv: u16,
}

struct Merge<'a> {
    delta: &'a TreeDelta,
    children: &'a [Vec<usize>],
    weight: Weight,
    absent: Absent,
    merged: &'a mut Merged,
}

impl Ledger {
    /// What so many simulations count, with what was carried; the rest is carried on. The mean of
    /// what counts is that of all that was there.
    fn weigh(&mut self, visits: u64, sum: u64, weight: Weight) -> (u64, u64) {
        let Weight::Mean(trees) = weight else {
            return (visits, sum);
        };
        let trees = u64::from(trees.get());
        let (visits, sum) = (self.carried.0 + visits, self.carried.1 + sum);
        let counted = visits / trees;
        if counted == 0 {
            self.carried = (visits, sum);
            return (0, 0);
        }
        let share = (u128::from(sum) * u128::from(counted) / u128::from(visits)) as u64;
        self.carried = (visits - counted * trees, sum - share * trees);
        (counted, share)
    }
}

/// The sum for the first player, from that of who moved.
fn for_first(mover: Option<Player>, visits: u64, sum: u64) -> u64 {
    match mover.unwrap_or(Player::First) {
        Player::First => sum,
        Player::Second => visits * ONE - sum,
    }
}

/// The children of every node of a delta, by place.
fn children_of(delta: &TreeDelta) -> Result<Vec<Vec<usize>>, MergeError> {
    let mut children = vec![Vec::new(); delta.nodes.len()];
    for (place, node) in delta.nodes.iter().enumerate() {
        let sound = node.visits < 1 << 33 && node.sum_for_first <= node.visits * ONE;
        let parent = node.parent as usize;
        if !sound || (place > 0 && parent >= place) {
            return Err(MergeError::Node(place));
        }
        if place > 0 {
            children[parent].push(place);
        }
    }
    Ok(children)
}

fn descendants(children: &[Vec<usize>], place: usize) -> u32 {
    children[place].iter().map(|&child| 1 + descendants(children, child)).sum()
}

/// Whether all moves of a delta are legal, each once.
fn check_moves<G: Game>(
    position: &G,
    delta: &TreeDelta,
    children: &[Vec<usize>],
    place: usize,
) -> Result<(), MergeError> {
    let mut seen = Vec::new();
    for &child in &children[place] {
        let mv = delta.nodes[child].mv;
        let mut next = position.clone();
        let legal = next.try_play(G::Move::from_index(mv.into())).is_ok();
        if !legal || seen.contains(&mv) {
            return Err(MergeError::Node(child));
        }
        seen.push(mv);
        check_moves(&next, delta, children, child)?;
    }
    Ok(())
}
