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
        let word = self.0.iter().position(|&word| word != 0)?;
        Some(word * 64 + self.0[word].trailing_zeros() as usize)
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

    /// How far a cell is from the winner's first side: by rows for Black, by columns for White.
    fn progress(&self, cell: usize) -> usize {
        match self.winner {
            Colour::Black => cell / self.size,
            Colour::White => cell % self.size,
        }
    }

    fn neighbours(&self, cell: usize) -> impl Iterator<Item = usize> {
        let size = self.size as isize;
        let (row, column) = ((cell / self.size) as isize, (cell % self.size) as isize);
        [(0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1)]
            .into_iter()
            .map(move |(down, right)| (row + down, column + right))
            .filter(move |(row, column)| (0..size).contains(row) && (0..size).contains(column))
            .map(move |(row, column)| (row * size + column) as usize)
    }

    /// The cells of a set that hang together with one of them.
    fn chain(&self, from: usize, cells: Set) -> Set {
        let (mut chain, mut fresh) = (Set::of([from]), vec![from]);
        while let Some(cell) = fresh.pop() {
            for next in self.neighbours(cell) {
                if cells.has(next) && !chain.has(next) {
                    chain = chain.or(Set::of([next]));
                    fresh.push(next);
                }
            }
        }
        chain
    }

    /// Whether these cells join the winner's sides.
    fn joins(&self, cells: Set) -> bool {
        (0..self.cells()).filter(|&cell| self.progress(cell) == 0 && cells.has(cell)).any(|cell| {
            let chain = self.chain(cell, cells);
            (0..self.cells()).any(|end| chain.has(end) && self.progress(end) == self.size - 1)
        })
    }
}

/// Some cells of a carrier, by their place in it.
type Part = u16;

/// Tries out whether the winner joins his sides on a carrier, with his stones as they are.
struct Trial {
    /// The parts that touch the first and the second side, by themselves or by a chain of stones.
    ends: [Part; 2],
    /// For each cell what it touches, by itself or by a chain of stones.
    touched: Vec<Part>,
    /// What the winner needs, if he can, when the loser is to move; by what is his and what is
    /// free.
    tried: HashMap<(Part, Part), Option<Part>>,
}

/// The places in a part.
fn places(mut part: Part) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (part != 0).then(|| {
            let place = part.trailing_zeros() as usize;
            part &= part - 1;
            place
        })
    })
}

impl Trial {
    /// `None` if the stones alone join the sides.
    fn new(board: &Board, stones: Set, carrier: &[usize]) -> Option<Self> {
        let touches = |group: Set| {
            let beside = |cell: usize| board.neighbours(cell).any(|next| group.has(next));
            let touched = (0..carrier.len()).filter(|&place| beside(carrier[place]));
            touched.fold(0, |part: Part, place| part | 1 << place)
        };
        let reaches = |group: Set, row| {
            (0..board.cells()).any(|cell| group.has(cell) && board.progress(cell) == row)
        };
        let mut trial = Self {
            ends: [0, 0],
            touched: carrier.iter().map(|&cell| touches(Set::of([cell]))).collect(),
            tried: HashMap::new(),
        };
        for (place, &cell) in carrier.iter().enumerate() {
            for (end, row) in [0, board.size - 1].into_iter().enumerate() {
                trial.ends[end] |= Part::from(board.progress(cell) == row) << place;
            }
        }
        let mut left = stones;
        while let Some(stone) = left.lowest() {
            let chain = board.chain(stone, stones);
            left = left.minus(chain);
            let beside = touches(chain);
            let reached = [0, board.size - 1].map(|row| reaches(chain, row));
            if reached == [true, true] {
                return None;
            }
            for (end, reached) in trial.ends.iter_mut().zip(reached) {
                *end |= if reached { beside } else { 0 };
            }
            places(beside).for_each(|place| trial.touched[place] |= beside);
        }
        Some(trial)
    }

    fn joins(&self, own: Part) -> bool {
        let mut reached = self.ends[0] & own;
        let mut fresh = reached;
        while fresh != 0 {
            let step = self.touched[fresh.trailing_zeros() as usize] & own & !reached;
            fresh = fresh & (fresh - 1) | step;
            reached |= step;
        }
        reached & self.ends[1] != 0
    }

    /// The loser moves first.
    fn second(&mut self, own: Part, free: Part) -> Option<Part> {
        if self.joins(own) {
            return Some(0);
        }
        if !self.joins(own | free) {
            return None;
        }
        if let Some(&known) = self.tried.get(&(own, free)) {
            return known;
        }
        let needed = self.replies(own, free);
        self.tried.insert((own, free), needed);
        needed
    }

    /// Answers every stone of the loser; one that an answer does not need needs no other.
    fn replies(&mut self, own: Part, free: Part) -> Option<Part> {
        let mut needed = self.first(own, free, 0)?;
        let mut open = needed;
        while open != 0 {
            let stone = open & open.wrapping_neg();
            let near = self.touched[stone.trailing_zeros() as usize];
            let answer = self.first(own, free & !stone, near)?;
            needed |= answer;
            open &= answer;
        }
        Some(needed)
    }

    /// The winner moves first, and tries what is near before the rest.
    fn first(&mut self, own: Part, free: Part, near: Part) -> Option<Part> {
        if self.joins(own) {
            return Some(0);
        }
        // Without a way left no move helps.
        if !self.joins(own | free) {
            return None;
        }
        places(free & near).chain(places(free & !near)).find_map(|place| {
            let mv = 1 << place;
            Some(self.second(own | mv, free & !mv)? | mv)
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
                let cells: Vec<usize> = cells.iter().map(|&cell| usize::from(cell)).collect();
                // Cells that he holds already need no trial.
                let open: Vec<usize> = cells.iter().copied().filter(|&c| !here.has(c)).collect();
                let all = ((1u32 << open.len()) - 1) as Part;
                if let Some(mut trial) = Trial::new(board, here, &open) {
                    trial.second(0, all).ok_or(CheckError::Carrier(index))?;
                }
                Set::of(cells)
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
