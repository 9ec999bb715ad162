//! A prover beside the search (H14): what it proves becomes proofs of the tree at once.
//!
//! It works, in turn, on the root and on the positions along the line that the search thinks best: a
//! proof of any of them ends the search or sends it elsewhere. Below the first move it looks for
//! refutations that the search has not tried, and for those that are only put off by moves between.
//! Nobody waits for it. In the time of the search, whichever
//! thread comes first works on while the others search; a thread of its own leaves what it has
//! found for the search to take.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use crate::arena::NONE;
use crate::control::Control;
use crate::descent::Descent;
use crate::node::Proof;
use crate::tree::{Step, Tree};
use crate::worker::{Job, Worker};
use kosumi_game::{Game, Knowledge, Move, Playout, ProvenLine, Prover};

/// When a prover works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Pace {
    /// In the time of the search's threads: so many positions for every 1,000 simulations, so
    /// that equal searches stay equal.
    Between(u64),
    /// All the time, in a thread of its own.
    OwnThread,
}

/// Simulations between two calls of the prover, or looks at what it has found.
pub(crate) const SLICE: u64 = 64;

/// Positions between two looks of a prover's own thread at whether the search is over.
const OWN_SLICE: u64 = 16;

/// A prover that follows a search.
pub(crate) struct Beside<G: Game> {
    pace: Pace,
    prover: Mutex<Box<dyn Prover<G>>>,
    /// Found by a thread of its own, not yet taken.
    found: Mutex<Vec<ProvenLine<G::Move>>>,
}

impl<G: Game> fmt::Debug for Beside<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Beside").field("pace", &self.pace).finish_non_exhaustive()
    }
}

impl<G: Game> Beside<G> {
    pub(crate) fn new(prover: Box<dyn Prover<G>>, pace: Pace) -> Self {
        Self { pace, prover: Mutex::new(prover), found: Mutex::default() }
    }

    pub(crate) fn has_own_thread(&self) -> bool {
        self.pace == Pace::OwnThread
    }

    /// Begins a search: what was found in the last one was about another root.
    pub(crate) fn begin(&self) {
        self.found.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Works until the search is over or the root is proven, in the prover's own thread.
    pub(crate) fn run(&self, tree: &Tree, root: &G, control: &Control) {
        let mut prover = self.prover.lock().unwrap_or_else(PoisonError::into_inner);
        let mut proven = Vec::new();
        for slice in 0.. {
            let line = {
                let _no_recycling = tree.gate.read().unwrap_or_else(PoisonError::into_inner);
                if control.is_stopped() || tree.node(tree.root()).proof().is_some() {
                    return;
                }
                line_of::<G>(tree, slice)
            };
            prover.pursue(root, &line, OWN_SLICE, &mut proven);
            let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
            found.append(&mut proven);
        }
    }

    /// What is proven after the slice of that number; nothing if another thread is at it.
    fn slice(&self, job: &Job<G>, slice: u64, proven: &mut Vec<ProvenLine<G::Move>>) {
        match self.pace {
            Pace::OwnThread => {
                if let Ok(mut found) = self.found.try_lock() {
                    std::mem::swap(&mut *found, proven);
                }
            }
            Pace::Between(pace) => {
                let positions = due(pace, slice);
                if positions > 0
                    && let Ok(mut prover) = self.prover.try_lock()
                {
                    let line = line_of::<G>(&job.tree, slice);
                    prover.pursue(&job.root, &line, positions, proven);
                }
            }
        }
    }
}

/// The positions of one slice, so that all slices together keep the pace.
fn due(pace: u64, slice: u64) -> u64 {
    let until = |slices: u64| (u128::from(pace) * u128::from(slices) * u128::from(SLICE)) / 1000;
    (until(slice + 1) - until(slice)) as u64
}

/// The most moves of the line that a prover looks at.
const DEPTH: usize = 4;

/// Visits from which on a position of the line is worth a proof.
const ENOUGH: u64 = 256;

/// The root, or the first moves of the most visited line, in turn.
fn line_of<G: Game>(tree: &Tree, slice: u64) -> Vec<G::Move> {
    let mut line = Vec::with_capacity(DEPTH);
    let mut node = tree.node(tree.root());
    while line.len() < DEPTH
        && let Some((mv, child)) = tree.most_visited(node)
        && (line.is_empty() || child.visits() >= ENOUGH)
    {
        line.push(G::Move::from_index(usize::from(mv)));
        node = child;
    }
    line.truncate(slice as usize % (line.len() + 1));
    line
}

impl<G: Game, P: Playout<G>, K: Knowledge<G>> Worker<G, P, K> {
    /// Lets the prover work after simulation `index`, and notes what it has proven.
    pub(crate) fn ask_prover(&mut self, job: &Job<G>, beside: &Beside<G>, index: u64) {
        let tree = &*job.tree;
        if tree.node(tree.root()).proof().is_some() {
            return;
        }
        let mut proven = std::mem::take(&mut self.proven_lines);
        beside.slice(job, index / SLICE, &mut proven);
        for ProvenLine { line, winner } in proven.drain(..) {
            self.note(job, &line, Proof::Win(winner));
        }
        self.proven_lines = proven;
    }

    /// Notes a proof at the end of a line, as far as the tree goes there.
    fn note(&mut self, job: &Job<G>, line: &[G::Move], proof: Proof) {
        let tree = &*job.tree;
        let mut way = self.free.pop().unwrap_or_else(|| Box::new(Descent::new(job.root.clone())));
        way.begin(tree, &job.root, job.root_mover);
        self.note_at(job, &mut way, line, proof);
        self.free.push(way);
    }

    fn note_at(&mut self, job: &Job<G>, way: &mut Descent<G>, line: &[G::Move], proof: Proof) {
        let tree = &*job.tree;
        for (number, &mv) in (1..).zip(line) {
            let node = tree.node(way.last().node);
            let (Some(links), Some(player)) = (node.links(), way.last_turn()) else {
                return;
            };
            let mut edges = (0..).zip(tree.edges(links));
            let Some((place, edge)) = edges.find(|(_, e)| usize::from(e.mv()) == mv.index()) else {
                return;
            };
            if edge.child() == NONE && number < line.len() {
                return;
            }
            if edge.child() == NONE && proof != Proof::Win(player) {
                // No node is needed to tell that a move is not worth a visit.
                if tree.close_edge(node, links, place)
                    && node.prove(tree.best_closed(links, player), false)
                {
                    tree.propagate_proof(&way.path);
                }
                return;
            }
            let Ok((child, made)) = tree.child(&mut self.reserve, edge) else {
                job.control.request_recycling();
                return;
            };
            if made {
                tree.grow(&way.path);
            }
            way.go_on(Step { node: child, edge: place, mover: Some(player), made }, mv);
        }
        if tree.node(way.last().node).prove(proof, true) {
            tree.propagate_proof(&way.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_keep_the_pace() {
        // 20 positions for 1,000 simulations are 1.28 for a slice of 64.
        let first: Vec<u64> = (0..8).map(|slice| due(20, slice)).collect();
        assert_eq!(first, [1, 1, 1, 2, 1, 1, 1, 2]);
        assert_eq!((0..1000).map(|slice| due(3, slice)).sum::<u64>(), 3 * 64);
        assert_eq!(due(0, 5), 0);
    }
}
