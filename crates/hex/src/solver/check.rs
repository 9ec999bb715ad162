//! The independent checker of proofs: knows what a neighbour is, which sides are whose, and
//! nothing else. It shares no code with the solver, so that a fault there cannot hide here.

use std::collections::HashMap;

use super::proof::{MOST_CARRIER, Proof, ProofNode};
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
    /// A carrier that is too large to be tried out.
    #[error("the carrier of node {0} has more than {MOST_CARRIER} cells")]
    LargeCarrier(usize),
    /// The strategy needs a cell that the loser holds.
    #[error("the strategy needs cell number {0}, which the loser holds")]
    Taken(usize),
}

/// A set of cells.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Set([u64; 6]);

impl Set {
    const NONE: Self = Self([0; 6]);

    fn of(cells: impl IntoIterator<Item = usize>) -> Self {
        let mut words = [0; 6];
        cells.into_iter().for_each(|cell| words[cell / 64] |= 1 << (cell % 64));
        Self(words)
    }

    fn combined(self, other: Self, with: fn(u64, u64) -> u64) -> Self {
        Self(std::array::from_fn(|i| with(self.0[i], other.0[i])))
    }

    fn and(self, other: Self) -> Self {
        self.combined(other, |a, b| a & b)
    }

    fn or(self, other: Self) -> Self {
        self.combined(other, |a, b| a | b)
    }

    fn minus(self, other: Self) -> Self {
        self.combined(other, |a, b| a & !b)
    }

    fn has(self, cell: usize) -> bool {
        self.0[cell / 64] >> (cell % 64) & 1 == 1
    }

    fn lowest(self) -> Option<usize> {
        (0..384).find(|&cell| self.has(cell))
    }
}

/// The winner's view of the board.
struct Board {
    size: usize,
    winner: Colour,
}

impl Board {
    fn cells(&self) -> usize {
        self.size * self.size
    }

    /// Whether these cells join the winner's sides: the rows for Black, the columns for White.
    fn joins(&self, cells: Set) -> bool {
        let size = self.size as isize;
        let progress = |cell: usize| match self.winner {
            Colour::Black => cell / self.size,
            Colour::White => cell % self.size,
        };
        let start = |&cell: &usize| progress(cell) == 0 && cells.has(cell);
        let mut reached: Vec<usize> = (0..self.cells()).filter(start).collect();
        let mut seen = Set::of(reached.iter().copied());
        while let Some(cell) = reached.pop() {
            if progress(cell) == self.size - 1 {
                return true;
            }
            let (row, column) = ((cell / self.size) as isize, (cell % self.size) as isize);
            for (down, right) in [(0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1)] {
                let (row, column) = (row + down, column + right);
                if (0..size).contains(&row) && (0..size).contains(&column) {
                    let next = (row * size + column) as usize;
                    if cells.has(next) && !seen.has(next) {
                        seen = seen.or(Set::of([next]));
                        reached.push(next);
                    }
                }
            }
        }
        false
    }
}

/// Tries out whether the winner joins his sides with these stones on these cells alone.
struct Trial<'a> {
    board: &'a Board,
    /// The cells he needs, if he can, when the loser is to move; by his stones and the free cells.
    tried: HashMap<(Set, Set), Option<Set>>,
}

impl Trial<'_> {
    /// The loser moves first.
    fn second(&mut self, stones: Set, free: Set) -> Option<Set> {
        if self.board.joins(stones) {
            return Some(Set::NONE);
        }
        if !self.board.joins(stones.or(free)) {
            return None;
        }
        if let Some(&known) = self.tried.get(&(stones, free)) {
            return known;
        }
        let needed = self.replies(stones, free);
        self.tried.insert((stones, free), needed);
        needed
    }

    /// Answers every stone of the loser; one that an answer does not need needs no other.
    fn replies(&mut self, stones: Set, free: Set) -> Option<Set> {
        let mut needed = self.first(stones, free)?;
        let mut open = needed;
        while let Some(cell) = open.lowest() {
            let answer = self.first(stones, free.minus(Set::of([cell])))?;
            needed = needed.or(answer);
            open = open.and(answer);
        }
        Some(needed)
    }

    /// The winner moves first.
    fn first(&mut self, stones: Set, free: Set) -> Option<Set> {
        if self.board.joins(stones) {
            return Some(Set::NONE);
        }
        (0..self.board.cells()).filter(|&cell| free.has(cell)).find_map(|cell| {
            let mv = Set::of([cell]);
            Some(self.second(stones.or(mv), free.minus(mv))?.or(mv))
        })
    }
}

/// Replays a proof.
///
/// # Errors
/// Names the first thing that is wrong.
pub fn check_proof(proof: &Proof) -> Result<(), CheckError> {
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
    let needed = carrier(&board, own, nodes)?;
    match needed.and(loser).lowest() {
        Some(cell) => Err(CheckError::Taken(cell)),
        None => Ok(()),
    }
}

/// The cells that the strategy needs, from the winner's stones at its beginning.
fn carrier(board: &Board, own: Set, nodes: &[ProofNode]) -> Result<Set, CheckError> {
    if nodes.is_empty() {
        return Err(CheckError::Empty);
    }
    // Parents come first: the stones that the winner has at a node by whichever way he comes.
    let mut stones: Vec<Option<Set>> = vec![None; nodes.len()];
    stones[0] = Some(own);
    for (index, node) in nodes.iter().enumerate() {
        let ProofNode::Threats(threats) = node else {
            continue;
        };
        for &(mv, child) in threats {
            let (cell, child) = (usize::from(mv), child as usize);
            if cell >= board.cells() || child <= index || child >= nodes.len() {
                return Err(CheckError::Node(index));
            }
            if let Some(here) = stones[index] {
                let there = here.or(Set::of([cell]));
                stones[child] = Some(stones[child].map_or(there, |other| other.and(there)));
            }
        }
    }
    // Children come last: what each node needs.
    let mut needs = vec![Set::NONE; nodes.len()];
    for (index, node) in nodes.iter().enumerate().rev() {
        // A node that nothing leads to proves nothing and need not be right.
        let Some(here) = stones[index] else {
            continue;
        };
        needs[index] = match node {
            ProofNode::Carrier(cells) => {
                if cells.iter().any(|&cell| usize::from(cell) >= board.cells()) {
                    return Err(CheckError::Node(index));
                }
                if cells.len() > MOST_CARRIER {
                    return Err(CheckError::LargeCarrier(index));
                }
                let cells = Set::of(cells.iter().map(|&cell| usize::from(cell)));
                let mut trial = Trial { board, tried: HashMap::new() };
                trial.second(here, cells.minus(here)).ok_or(CheckError::Carrier(index))?;
                cells
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
