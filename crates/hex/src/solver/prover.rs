//! The solver beside a search (H14): goes on a few positions at a time and tells what it knows.

use kosumi_game::{Game, Move, ProvenLine, Prover};
use kosumi_proof::{Limits, Verdict};

use super::{HexSolver, Search, Width};
use crate::width::each_width;
use crate::{Colour, Hex, HexMove};

/// A solver that follows a game. Its table is kept from move to move.
#[derive(Debug)]
pub struct HexProver {
    bytes: usize,
    /// Made for the first board it sees, with the size of that.
    solver: Option<(usize, HexSolver)>,
}

impl HexProver {
    /// A prover that will take so many bytes.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        Self { bytes, solver: None }
    }

    fn solver(&mut self, size: usize) -> Option<&mut HexSolver> {
        if self.solver.as_ref().is_none_or(|(made_for, _)| *made_for != size) {
            self.solver = HexSolver::new(size, self.bytes).map(|solver| (size, solver));
        }
        self.solver.as_mut().map(|(_, solver)| solver)
    }
}

impl Prover<Hex> for HexProver {
    /// Nothing while the swap may come: a first stone that wins on the board is taken over.
    fn pursue(
        &mut self,
        root: &Hex,
        line: &[HexMove],
        positions: u64,
        proven: &mut Vec<ProvenLine<HexMove>>,
    ) {
        let mut position = root.clone();
        let played = line.iter().all(|&mv| position.try_play(mv).is_ok());
        if !played || position.swap_may_come() || position.winner().is_some() {
            return;
        }
        let Some(solver) = self.solver(root.size()) else { return };
        let known =
            each_width!(Width, &mut solver.0, search => search.pursue(&position, positions));
        proven.extend(known.into_iter().map(|(mv, winner)| ProvenLine {
            line: line.iter().copied().chain(mv).collect(),
            winner: position.player_of(winner),
        }));
    }
}

impl<const W: usize> Search<W> {
    /// Goes on by so many positions. Tells who wins the position, with a move if the colour to move
    /// wins and one is known; while that is open, which moves lose.
    fn pursue(&mut self, position: &Hex, positions: u64) -> Vec<(Option<HexMove>, Colour)> {
        let limits = Limits { nodes: Some(positions), ..Limits::default() };
        let to_move = position.colour_to_move();
        let solution = self.solve(position, limits);
        if let Some(winner) = solution.winner {
            return vec![(solution.best, winner)];
        }
        let board = self.board(position);
        let lost = |&cell: &usize| self.solver.recall_after(&board, cell as u16) == Verdict::Won;
        let losing = board.stones().empty().iter().filter(lost);
        losing.map(|cell| (Some(HexMove::from_index(cell)), to_move.opponent())).collect()
    }
}

#[cfg(test)]
mod tests {
    use kosumi_game::Player;

    use super::*;
    use crate::HexRules;

    #[test]
    fn a_win_is_found_bit_by_bit_and_kept() {
        // A weak first move of White's: Black wins, but no connection shows it.
        let rules = HexRules { swap: false };
        let stones = [(Colour::White, HexMove::from_index(1))];
        let root = Hex::from_stones(6, rules, stones, Colour::Black).unwrap();
        let mut prover = HexProver::new(1 << 22);
        let mut calls = 0;
        let first = loop {
            let mut proven = Vec::new();
            prover.pursue(&root, &[], 5, &mut proven);
            calls += 1;
            if let Some(won) = proven.iter().find(|found| found.winner == Player::First) {
                break won.clone();
            }
            assert!(proven.iter().all(|found| found.line.len() == 1), "moves that lose");
            assert!(calls < 10_000);
        };
        assert!(calls > 1, "not solved at a glance");
        assert_eq!(first.line.len(), 1, "the move that wins");
        // The same again costs nothing, and after the move it is known as well.
        let mut proven = Vec::new();
        prover.pursue(&root, &[], 0, &mut proven);
        assert_eq!(proven, std::slice::from_ref(&first));
        proven.clear();
        prover.pursue(&root, &first.line, 1, &mut proven);
        assert_eq!(proven, [first]);
    }

    #[test]
    fn nothing_is_said_while_the_swap_may_come_or_after_the_end() {
        let mut prover = HexProver::new(1 << 20);
        let mut proven = Vec::new();
        let mut position = Hex::new(3, HexRules { swap: true }).unwrap();
        prover.pursue(&position, &[], 1000, &mut proven);
        position.play(HexMove(4));
        prover.pursue(&position, &[], 1000, &mut proven);
        assert!(proven.is_empty());
        // An illegal line is no work either.
        prover.pursue(&position, &[HexMove(4)], 1000, &mut proven);
        assert!(proven.is_empty());
        prover.pursue(&position, &[HexMove(0)], 1000, &mut proven);
        assert!(!proven.is_empty());
    }
}
