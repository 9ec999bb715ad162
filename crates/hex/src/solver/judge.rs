//! What df-pn asks: is a position settled, and else which moves, in which order?

use kosumi_proof::{Assessment, Candidate, Evaluator};

use super::board::Board;
use crate::circuit::by_current;
use crate::insight::{Analyst, HexAnalysis, Insight, Settled};
use crate::{CellSet, Colour};

/// Judges positions by insight, and orders what is left by the circuit (H4): a move is good where
/// much of both colours' current goes through.
#[derive(Debug)]
pub(super) struct Judge<const W: usize> {
    analyst: Analyst<W>,
}

impl<const W: usize> Judge<W> {
    pub(super) fn new(size: usize) -> Option<Self> {
        Some(Self { analyst: Analyst::new(size, HexAnalysis::Both)? })
    }

    /// Who wins, where that needs no search.
    pub(super) fn settled(&mut self, board: &Board<W>) -> Option<Settled<W>> {
        self.analyst.look(board.stones(), board.to_move()).settled
    }

    /// Moves with which a colour would join its sides by connections, and the empty cells that are
    /// enough for it, where nothing is settled though the opponent is to move.
    pub(super) fn semis(&mut self, board: &Board<W>, winner: Colour) -> Vec<(usize, CellSet<W>)> {
        let Insight { stones, settled, .. } = self.analyst.look(board.stones(), board.to_move());
        if settled.is_some() {
            return Vec::new();
        }
        let filled = stones.of(winner) - board.stones().of(winner);
        let semis = self.analyst.semis(winner).iter();
        semis.map(|semi| (usize::from(semi.key), semi.carrier | filled)).collect()
    }
}

impl<const W: usize> Evaluator<Board<W>> for Judge<W> {
    fn assess(&mut self, board: &Board<W>, out: &mut Vec<Candidate<u16>>) -> Assessment<u16> {
        let to_move = board.to_move();
        let Insight { stones, settled, moves } = self.analyst.look(board.stones(), to_move);
        match settled {
            Some(settled) if settled.winner == to_move => {
                return Assessment::Won(settled.key.map(|cell| cell as u16));
            }
            Some(_) => return Assessment::Lost,
            None => (),
        }
        let flows = self.analyst.flows(&stones);
        out.extend(by_current(&flows, moves).into_iter().map(Candidate::new));
        Assessment::Open
    }
}
