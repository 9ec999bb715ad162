//! The solver of Hex (H14): df-pn with what is known about positions, and proofs that can be
//! checked without it.
//!
//! - [`HexSolver`] solves positions of any size and gives [`Proof`]s;
//! - `board` is the position with undo;
//! - `prover` is the solver beside a search;
//! - `judge` asks what is known ([`crate::insight`]) and orders the moves by the circuit;
//! - `proof` is a winning strategy as a graph of threats, `extract` finds it, `file` reads and
//!   writes it;
//! - `check` replays it, with `trial` for its carriers; they share no code with the rest.

pub(crate) mod board;
mod check;
mod extract;
mod file;
mod judge;
mod proof;
mod prover;
#[cfg(test)]
mod tests;
mod trial;

use kosumi_game::{Game, Move};
use kosumi_proof::{Limits, Solver, Verdict};

pub use self::check::{CheckError, check_proof, check_proof_while};
pub use self::file::ProofFileError;
pub use self::proof::{Proof, ProofNode};
pub use self::prover::HexProver;

use self::board::Board;
use self::judge::Judge;
use crate::width::{any_width, each_width};
use crate::{Colour, Hex, HexMove, Stones};

/// What a search has found out about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Solution {
    /// Who wins; `None` if the search ended before.
    pub winner: Option<Colour>,
    /// A winning move, if the colour to move wins and the search knows one.
    pub best: Option<HexMove>,
}

/// Why there is no proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProofError {
    /// The search ended before.
    #[error("the search was ended before there was a proof: give it more time")]
    Interrupted,
    /// A position was called won in which every move loses: the knowledge is at fault.
    #[error("the solver contradicts itself: report the position, please")]
    Contradiction,
    /// The proof has more nodes than were allowed.
    #[error("the proof has more than {0} nodes: give it more memory")]
    TooLarge(usize),
}

/// Solves positions of one size and remembers what it has found out.
#[derive(Debug)]
pub struct HexSolver(Width);

any_width! {
    #[derive(Debug)]
    enum Width of Search(bytes: usize)
}

impl HexSolver {
    /// A solver for boards of one size within so many bytes; `None` if there is no such board.
    #[must_use]
    pub fn new(size: usize, bytes: usize) -> Option<Self> {
        Width::new(size, bytes).map(Self)
    }

    /// Who wins a position of the solver's size. A swap that is still possible is left out of
    /// account.
    ///
    /// # Panics
    /// If the position has another size.
    pub fn solve(&mut self, position: &Hex, limits: Limits<'_>) -> Solution {
        each_width!(Width, &mut self.0, search => search.solve(position, limits))
    }

    /// Solves a position and gives the winner's strategy, of at most so many nodes.
    ///
    /// # Errors
    /// The search was interrupted, or the proof is too large.
    ///
    /// # Panics
    /// If the position has another size.
    pub fn prove(
        &mut self,
        position: &Hex,
        most_nodes: usize,
        limits: Limits<'_>,
    ) -> Result<Proof, ProofError> {
        each_width!(Width, &mut self.0, search => search.prove(position, most_nodes, limits))
    }

    /// How many positions were looked at in all searches.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        each_width!(Width, &self.0, search => search.solver.nodes())
    }

    /// The used part of the table, 0 to 1.
    #[must_use]
    pub fn fullness(&self) -> f64 {
        each_width!(Width, &self.0, search => search.solver.fullness())
    }
}

/// What [`HexSolver`] is for one number of words.
#[derive(Debug)]
struct Search<const W: usize> {
    size: usize,
    solver: Solver,
    judge: Judge<W>,
}

impl<const W: usize> Search<W> {
    fn new(size: usize, bytes: usize) -> Option<Self> {
        Some(Self { size, solver: Solver::new(bytes), judge: Judge::new(size)? })
    }

    fn board(&self, position: &Hex) -> Board<W> {
        assert_eq!(position.size(), self.size, "a solver is for one size");
        let stones = Stones::new(position).expect("the size fits");
        Board::new(stones, position.colour_to_move())
    }

    fn solve(&mut self, position: &Hex, limits: Limits<'_>) -> Solution {
        let mut board = self.board(position);
        let to_move = position.colour_to_move();
        let best = self.solver.answer(&mut board, &mut self.judge, limits);
        let winner = match self.solver.recall(&board) {
            Verdict::Won => Some(to_move),
            Verdict::Lost => Some(to_move.opponent()),
            Verdict::Open => None,
        };
        let best = best.map(|cell| HexMove::from_index(cell.index()));
        Solution { winner, best: best.filter(|&mv| position.is_legal(mv)) }
    }

    fn prove(
        &mut self,
        position: &Hex,
        most_nodes: usize,
        limits: Limits<'_>,
    ) -> Result<Proof, ProofError> {
        let mut board = self.board(position);
        extract::extract(&mut self.solver, &mut self.judge, &mut board, most_nodes, limits)
    }
}
