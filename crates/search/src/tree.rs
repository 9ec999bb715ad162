//! The shared tree: how nodes come into being and how results and proofs travel up (S7).
//!
//! No operation waits for another thread. Records are written completely and then published by one
//! Release compare-exchange; whoever loses that race takes the winner's record and gives its own
//! memory back. Counters are added to, so their order does not matter.

use std::io;
use std::sync::{PoisonError, RwLock};

use crate::arena::{Arena, LINE_WORDS, LineId, NONE, Reserve};
use crate::delta::SharedLedger;
use crate::node::{EDGE_WORDS, Edge, EdgePrior, Links, Node, Proof};
use crate::sync::{AtomicU32, AtomicU64, Ordering};
use kosumi_game::Player;

/// Moves in a line of an order: 16 bits each.
const ORDER_PER_LINE: usize = LINE_WORDS * 4;

#[derive(Debug)]
pub(crate) struct Tree {
    pub(crate) arena: Arena,
    /// The root's line; changed only between searches and while recycling.
    root: AtomicU32,
    /// Nodes forgotten by recycling since the tree was made.
    pub(crate) recycled: AtomicU64,
    /// Recycling moves nodes, and a search moves its root: they write here, and who looks at the
    /// tree from outside reads.
    pub(crate) gate: RwLock<()>,
    /// How often the root has changed. Written under the gate.
    epoch: AtomicU64,
    /// What was told to other trees and received from them.
    pub(crate) shared: SharedLedger,
}

/// A move of a node with what is known of it, before its edge is made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewEdge {
    pub(crate) mv: u16,
    pub(crate) prior: EdgePrior,
    pub(crate) pruned: bool,
}

/// The arena is full: the simulation goes on without growing the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Full;

/// One step of a simulation's way down: the node, the edge that led there, and who chose it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) node: LineId,
    /// Place of the edge at the parent; meaningless for the root.
    pub(crate) edge: u16,
    /// Who moved into the node; `None` when chance did.
    pub(crate) mover: Option<Player>,
    /// This simulation made the node.
    pub(crate) made: bool,
}

impl Tree {
    /// A tree with memory for `lines` lines and an unvisited root.
    pub(crate) fn new(lines: u32) -> io::Result<Self> {
        let tree = Self {
            arena: Arena::new(lines)?,
            root: AtomicU32::new(NONE),
            recycled: AtomicU64::new(0),
            gate: RwLock::new(()),
            epoch: AtomicU64::new(0),
            shared: SharedLedger::default(),
        };
        tree.clear();
        Ok(tree)
    }

    /// Forgets everything. Nobody else is running. Nothing is freed, so this takes no time.
    pub(crate) fn clear(&self) {
        let _nobody_reads = self.gate.write().unwrap_or_else(PoisonError::into_inner);
        self.arena.truncate(1);
        let root = self.new_node(&mut Reserve::default()).expect("an arena has room for a root");
        self.root.store(root, Ordering::Relaxed);
        self.epoch.fetch_add(1, Ordering::Relaxed);
        self.clear_ledger();
    }

    /// How often the root has changed; under the gate.
    pub(crate) fn epoch(&self) -> u64 {
        self.epoch.load(Ordering::Relaxed)
    }

    pub(crate) fn root(&self) -> LineId {
        self.root.load(Ordering::Relaxed)
    }

    /// The child behind a move of the root becomes the root. Nobody else is running.
    pub(crate) fn advance(&self, mv: u16, root: LineId) {
        let _nobody_reads = self.gate.write().unwrap_or_else(PoisonError::into_inner);
        self.move_root(root);
        self.epoch.fetch_add(1, Ordering::Relaxed);
        self.advance_ledger(mv);
    }

    /// The root is at another place. Nobody else is running or looking.
    pub(crate) fn move_root(&self, root: LineId) {
        self.root.store(root, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn node(&self, id: LineId) -> Node<'_> {
        Node::new(self.arena.words(id, LINE_WORDS))
    }

    /// The edges of a node, in the order they were made.
    #[inline]
    pub(crate) fn edges(&self, links: Links) -> impl ExactSizeIterator<Item = Edge<'_>> {
        Edge::all(self.edge_record(links), links.count)
    }

    #[inline]
    pub(crate) fn edge(&self, links: Links, place: u16) -> Edge<'_> {
        Edge::at(self.edge_record(links), links.count, place)
    }

    #[inline]
    fn edge_record(&self, links: Links) -> &[AtomicU64] {
        self.arena.words(links.edges, usize::from(links.count) * EDGE_WORDS)
    }

    /// The places of the edges in a move order.
    pub(crate) fn order(&self, order: LineId, count: u16) -> impl Iterator<Item = u16> {
        let words = self.arena.words(order, usize::from(count).div_ceil(4));
        (0..usize::from(count))
            .map(move |i| (words[i / 4].load(Ordering::Relaxed) >> (16 * (i % 4))) as u16)
    }

    /// The place of the edge that stands at a place of a move order.
    pub(crate) fn order_at(&self, order: LineId, place: u16) -> u16 {
        let word = &self.arena.words(order, usize::from(place) / 4 + 1)[usize::from(place) / 4];
        (word.load(Ordering::Relaxed) >> (16 * (place % 4))) as u16
    }

    fn new_node(&self, reserve: &mut Reserve) -> Result<LineId, Full> {
        let id = self.arena.allocate(reserve, 1).ok_or(Full)?;
        self.node(id).initialise();
        Ok(id)
    }

    /// Lists the moves of a leaf. When two threads do so at once, one list wins and both go on
    /// with it. Pruned moves are closed from the start.
    pub(crate) fn expand(
        &self,
        reserve: &mut Reserve,
        leaf: LineId,
        moves: &[NewEdge],
    ) -> Result<Links, Full> {
        let lines = edge_lines(moves.len());
        let edges = self.arena.allocate(reserve, lines).ok_or(Full)?;
        let links = Links { edges, count: moves.len() as u16 };
        for (edge, new) in self.edges(links).zip(moves) {
            edge.initialise(new.mv, new.prior);
        }
        let node = self.node(leaf);
        if node.publish_links(links) {
            for place in (0..links.count).filter(|&place| moves[usize::from(place)].pruned) {
                self.close_edge(node, links, place);
            }
            Ok(links)
        } else {
            self.arena.give_back(reserve, edges, lines);
            Ok(node.links().expect("somebody published"))
        }
    }

    /// The child behind an edge, made if this is the first visit; true if this thread made it.
    #[inline]
    pub(crate) fn child(
        &self,
        reserve: &mut Reserve,
        edge: Edge<'_>,
    ) -> Result<(LineId, bool), Full> {
        let child = edge.child();
        if child != NONE {
            return Ok((child, false));
        }
        let new = self.new_node(reserve)?;
        match edge.publish_child(new) {
            Ok(()) => Ok((new, true)),
            Err(theirs) => {
                self.arena.give_back(reserve, new, 1);
                Ok((theirs, false))
            }
        }
    }

    /// Replaces a node's move order; `places` is a permutation of its edges.
    pub(crate) fn replace_order(
        &self,
        reserve: &mut Reserve,
        node: LineId,
        places: &[u16],
    ) -> Result<(), Full> {
        let lines = places.len().div_ceil(ORDER_PER_LINE) as u32;
        let order = self.arena.allocate(reserve, lines).ok_or(Full)?;
        let words = self.arena.words(order, places.len().div_ceil(4));
        for (word, places) in words.iter().zip(places.chunks(4)) {
            let packed = places.iter().rev().fold(0, |word, &place| word << 16 | u64::from(place));
            word.store(packed, Ordering::Relaxed);
        }
        self.node(node).publish_order(order);
        Ok(())
    }

    /// Takes a move out of the search; true if it was the last one that was open.
    pub(crate) fn close_edge(&self, node: Node<'_>, links: Links, place: u16) -> bool {
        self.edge(links, place).close() && node.add_closed() == links.count
    }

    /// Carries the proof of the last node of `path`, which this thread has just made, towards the
    /// root, as far as it proves anything. Returns how many further nodes it proved.
    ///
    /// A move that wins for the player to move proves the node. Every other proven move is closed;
    /// who closes the last one proves the node with the best of them. Each close is counted once,
    /// so of two threads that close the last two moves one sees the full count, and with it
    /// everything that the other wrote.
    pub(crate) fn propagate_proof(&self, path: &[Step]) -> usize {
        for k in (1..path.len()).rev() {
            let (step, parent_step) = (path[k], path[k - 1]);
            let (parent, child) = (self.node(parent_step.node), self.node(step.node));
            let Some(proof) = child.proof() else {
                return path.len() - 1 - k;
            };
            // Chance has no best event: what it leads to must be proven by other means.
            let Some(player) = step.mover else {
                return path.len() - 1 - k;
            };
            let links = parent.links().expect("a parent has edges");
            let proven = if proof == Proof::Win(player) {
                parent.prove(proof, false)
            } else {
                self.close_edge(parent, links, step.edge)
                    && parent.prove(self.best_closed(links, player), false)
            };
            if !proven {
                return path.len() - 1 - k;
            }
        }
        path.len() - 1
    }

    /// What a player whose moves are all closed can still reach. Pruned moves without a proof are
    /// no better than the rest.
    pub(crate) fn best_closed(&self, links: Links, player: Player) -> Proof {
        let mut best = Proof::Win(player.opponent());
        for child in self.edges(links).map(Edge::child).filter(|&child| child != NONE) {
            match self.node(child).proof() {
                Some(Proof::Draw) => best = Proof::Draw,
                Some(win) if win == Proof::Win(player) => return win,
                _ => {}
            }
        }
        best
    }

    /// Counts a finished simulation whose last node is the end of `path`: visits, values, shape.
    /// `values[p]` is the result for player `p` in fixed point.
    pub(crate) fn backup(&self, path: &[Step], values: [u64; 2]) {
        for (k, step) in path.iter().enumerate() {
            let node = self.node(step.node);
            let value = values[step.mover.unwrap_or(Player::First).index()];
            if k + 1 == path.len() {
                node.add_own(value);
            }
            node.add_visit(value);
            if k > 0 {
                node.leave();
            }
            if step.made {
                self.grow(&path[..k]);
            }
        }
    }

    /// Counts a new node below `above` in the shape of all nodes there (T1). A simulation can make
    /// more than one: another thread may expand the first before this one has left it.
    pub(crate) fn grow(&self, above: &[Step]) {
        let Some(parent) = above.last() else { return };
        // A first child replaces its parent as the leaf; every other one widens all above.
        let widens = !self.node(parent.node).add_child();
        for (height, step) in (2..).zip(above.iter().rev()) {
            let node = self.node(step.node);
            node.deepen(height);
            if widens {
                node.widen();
            }
        }
    }
}

/// Lines that the edges of a node with so many moves take.
pub(crate) fn edge_lines(moves: usize) -> u32 {
    (moves * EDGE_WORDS).div_ceil(LINE_WORDS) as u32
}

/// Lines that a move order takes.
pub(crate) fn order_lines(moves: u16) -> u32 {
    usize::from(moves).div_ceil(ORDER_PER_LINE) as u32
}
