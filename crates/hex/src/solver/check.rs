//! The independent checker of proofs: knows what a neighbour is, which sides are whose, and
//! nothing else. It shares no code with the solver, so that a fault there cannot hide here.

use super::proof::{Proof, ProofNode};
use super::trial::{Board, Set, TooHard, are_captured, needed_cells};
use crate::{Colour, MAX_SIZE, MIN_SIZE};

/// Why a proof proves nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CheckError {
    /// There is no board of that size.
    #[error("no Hex board of size {0}")]
    Size(usize),
    /// A cell that is not on the board, or that has two stones.
    #[error("cell number {0} of the position is off the board or taken twice")]
    Stone(u16),
    /// The first move is missing, or there is one though the loser moves, or it is on a stone.
    #[error("the winner's first move is missing, not his, or on a stone")]
    First,
    /// There is no node.
    #[error("the proof has no nodes")]
    Empty,
    /// A node names a cell off the board, or leads to one that does not come later.
    #[error("node {0} names no cell of the board or no later node")]
    Node(usize),
    /// A stone of the loser stops all threats of a node.
    #[error("the threats of node {node} are all stopped by one stone, on cell number {cell}")]
    Stopped {
        /// The node, from 0.
        node: usize,
        /// One such cell.
        cell: usize,
    },
    /// A node has no threat.
    #[error("node {0} has no threats")]
    NoThreat(usize),
    /// On the carrier of a node the loser can keep the sides apart.
    #[error("the carrier of node {0} does not join the sides")]
    Carrier(usize),
    /// Cells that the loser can keep from the winner.
    #[error("the pairs of node {0} are not the winner's")]
    Pairs(usize),
    /// A carrier that takes too long to be tried out.
    #[error("the carrier of node {0} is too large to be tried out: give it as threats")]
    LargeCarrier(usize),
    /// The check was ended before it was done.
    #[error("the check was interrupted")]
    Interrupted,
    /// The strategy needs a cell that the loser holds.
    #[error("the strategy needs cell number {0}, which the loser holds")]
    Taken(usize),
}

/// The most steps to try out one carrier. Well above what proofs are written with, so that another
/// order of its cells does no harm.
const MOST_STEPS: u32 = 8 * super::proof::CARRIER_STEPS;

/// Nodes between two calls of a check's progress.
const REPORT_INTERVAL: usize = 64;

/// Replays a proof.
///
/// # Errors
/// Names the first thing that is wrong.
pub fn check_proof(proof: &Proof) -> Result<(), CheckError> {
    check_proof_while(proof, &mut |_| true)
}

/// Replays a proof as long as `go_on`, which is told now and then how many nodes are checked,
/// says so.
///
/// # Errors
/// Names the first thing that is wrong, or that the check was interrupted.
pub fn check_proof_while(
    proof: &Proof,
    go_on: &mut dyn FnMut(usize) -> bool,
) -> Result<(), CheckError> {
    let Proof { size, ref stones, to_move, winner, first, ref nodes } = *proof;
    if !(MIN_SIZE..=MAX_SIZE).contains(&size) {
        return Err(CheckError::Size(size));
    }
    let board = Board { size, winner };
    let mut taken = Set::NONE;
    for &cell in stones.iter().flatten() {
        let index = usize::from(cell);
        if index >= board.cells() || taken.has(index) {
            return Err(CheckError::Stone(cell));
        }
        taken = taken.or(Set::of([index]));
    }
    let of = |colour: Colour| Set::of(stones[colour.index()].iter().map(|&c| usize::from(c)));
    let (mut own, loser) = (of(winner), of(winner.opponent()));
    let begins = winner == to_move && !board.joins(own);
    match first.map(usize::from) {
        Some(mv) if begins && mv < board.cells() && !taken.has(mv) => own = own.or(Set::of([mv])),
        None if !begins => (),
        _ => return Err(CheckError::First),
    }
    let needed = carrier(&board, own, nodes, go_on)?;
    match needed.and(loser).lowest() {
        Some(cell) => Err(CheckError::Taken(cell)),
        None => Ok(()),
    }
}

/// The cells that the strategy needs, from the winner's stones at its beginning.
fn carrier(
    board: &Board,
    own: Set,
    nodes: &[ProofNode],
    go_on: &mut dyn FnMut(usize) -> bool,
) -> Result<Set, CheckError> {
    if nodes.is_empty() {
        return Err(CheckError::Empty);
    }
    // Parents come first: the stones that the winner has at a node by whichever way he comes.
    let mut stones: Vec<Option<Set>> = vec![None; nodes.len()];
    stones[0] = Some(own);
    for (index, node) in nodes.iter().enumerate() {
        // What he has at the next node besides what he has here.
        let mut lead = |cells: &[u16], child: u32| {
            let child = child as usize;
            let on_board = cells.iter().all(|&cell| usize::from(cell) < board.cells());
            if !on_board || child <= index || child >= nodes.len() {
                return Err(CheckError::Node(index));
            }
            if let Some(here) = stones[index] {
                let there = here.or(Set::of(cells.iter().map(|&cell| usize::from(cell))));
                stones[child] = Some(stones[child].map_or(there, |other| other.and(there)));
            }
            Ok(())
        };
        match node {
            ProofNode::Carrier(_) => (),
            ProofNode::Threats(threats) => {
                threats.iter().try_for_each(|&(mv, child)| lead(&[mv], child))?;
            }
            ProofNode::Filled(pairs, child) => lead(pairs.as_flattened(), *child)?,
        }
    }
    // Children come last: what each node needs.
    let mut needs = vec![Set::NONE; nodes.len()];
    for (done, (index, node)) in nodes.iter().enumerate().rev().enumerate() {
        if done.is_multiple_of(REPORT_INTERVAL) && !go_on(done) {
            return Err(CheckError::Interrupted);
        }
        // A node that nothing leads to proves nothing and need not be right.
        let Some(here) = stones[index] else {
            continue;
        };
        needs[index] = match node {
            ProofNode::Carrier(cells) => {
                if cells.iter().any(|&cell| usize::from(cell) >= board.cells()) {
                    return Err(CheckError::Node(index));
                }
                let cells: Vec<usize> = cells.iter().map(|&cell| usize::from(cell)).collect();
                // Cells that he holds already need no trial.
                let open: Vec<usize> = cells.iter().copied().filter(|&c| !here.has(c)).collect();
                match needed_cells(board, here, &open, MOST_STEPS) {
                    Ok(Some(_)) => (),
                    Ok(None) => return Err(CheckError::Carrier(index)),
                    Err(TooHard) => return Err(CheckError::LargeCarrier(index)),
                }
                Set::of(cells)
            }
            ProofNode::Filled(pairs, child) => {
                let pairs: Vec<_> = pairs.iter().map(|pair| pair.map(usize::from)).collect();
                let cells = Set::of(pairs.as_flattened().iter().copied());
                let needed = needs[*child as usize].or(cells);
                // Nothing else is of use to him from here on.
                let free: Vec<usize> = (0..board.cells())
                    .filter(|&cell| needed.has(cell) && !here.has(cell))
                    .collect();
                if !are_captured(board, here, &free, &pairs) {
                    return Err(CheckError::Pairs(index));
                }
                needed
            }
            ProofNode::Threats(threats) => {
                let needed = threats
                    .iter()
                    .map(|&(mv, child)| needs[child as usize].or(Set::of([usize::from(mv)])));
                let mut shared = Set::of(0..board.cells());
                let mut all = Set::NONE;
                for needed in needed {
                    shared = shared.and(needed);
                    all = all.or(needed);
                }
                if threats.is_empty() {
                    return Err(CheckError::NoThreat(index));
                }
                // A stone of the winner's own cannot be taken from him.
                if let Some(cell) = shared.minus(here).lowest() {
                    return Err(CheckError::Stopped { node: index, cell });
                }
                all
            }
        };
    }
    Ok(needs[0])
}
