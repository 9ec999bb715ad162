//! What a position is worth without search, and which moves are worth one.

use crate::circuit::{advantage_of, by_current};
use crate::insight::{Analyst, HexAnalysis, Insight, Settled};
use crate::solver::board::Board;
use crate::{Circuit, Colour, Stones};

use super::score::Score;

/// Knows positions.
pub(super) trait Assess<const W: usize> {
    /// What a position is worth to the colour to move. Unless that is certain, appends the moves
    /// to `out`, best first; of those left out none may be the only one that wins.
    fn assess(&mut self, board: &Board<W>, out: &mut Vec<u16>) -> Score;
}

/// Judges by inferior cells and virtual connections, and where these leave the winner open by the
/// circuit (H4).
#[derive(Debug)]
pub(super) struct Judge<const W: usize> {
    analyst: Analyst<W>,
    circuit: Circuit,
}

impl<const W: usize> Judge<W> {
    pub(super) fn new(size: usize) -> Option<Self> {
        Some(Self { analyst: Analyst::new(size, HexAnalysis::Both)?, circuit: Circuit::new() })
    }

    /// What to play where the winner is certain, the best first: the winner what wins, the loser
    /// where the winner still needs cells and most current flows. Empty where nothing is certain.
    pub(super) fn last_moves(&mut self, board: &Board<W>) -> Vec<u16> {
        let stones = board.stones();
        let insight = self.analyst.look(stones, board.to_move());
        let needed = match insight.settled {
            Some(Settled { winner, key: Some(key), .. }) if winner == board.to_move() => {
                return vec![key as u16];
            }
            Some(Settled { carrier, .. }) => carrier & stones.empty(),
            // Every move is killed or outside of what must be played.
            None if insight.moves.is_empty() => stones.empty(),
            None => return Vec::new(),
        };
        // What is filled in decides the game by itself.
        let cells = if needed.is_empty() { stones.empty() } else { needed };
        let flows = Colour::BOTH.map(|colour| self.circuit.flow(stones, colour, []));
        by_current(&flows, cells)
    }
}

impl<const W: usize> Assess<W> for Judge<W> {
    fn assess(&mut self, board: &Board<W>, out: &mut Vec<u16>) -> Score {
        let to_move = board.to_move();
        let Insight { stones, settled, moves } = self.analyst.look(board.stones(), to_move);
        match settled {
            Some(settled) if settled.winner == to_move => return Score::WON,
            Some(_) => return Score::LOST,
            None if moves.is_empty() => return Score::LOST,
            None => (),
        }
        let flows = self.analyst.flows(&stones);
        out.extend(by_current(&flows, moves));
        Score::of_circuit(advantage_of(to_move, &flows))
    }
}

/// The stones of a board of that size and words, with a colour to move.
pub(super) fn board<const W: usize>(position: &crate::Hex) -> Option<Board<W>> {
    Some(Board::new(Stones::new(position)?, position.colour_to_move()))
}
