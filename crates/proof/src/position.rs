//! What a solver asks of a game: positions with undo, and what is known about them.

use kosumi_game::Move;

use crate::Numbers;

/// A position that is walked by play and undo. Games in which a position can come back are not
/// for this search: it takes every walk to be finite.
pub trait Position {
    /// The game's moves.
    type Move: Move;

    /// A hash of the position with the player to move. Two positions of equal key are taken to be
    /// the same.
    fn key(&self) -> u64;

    /// The key of the position after a move.
    fn key_after(&self, mv: Self::Move) -> u64;

    /// Plays a move.
    fn play(&mut self, mv: Self::Move);

    /// Takes the last move back.
    fn undo(&mut self);
}

/// What is known of a position without search, for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assessment<M> {
    /// The player to move wins, with this move if one is known; `None` where the game is over.
    Won(Option<M>),
    /// The player to move loses.
    Lost,
    /// The candidates must be searched. No candidate at all means a loss.
    Open,
}

/// A move worth trying, with the numbers its position starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate<M> {
    /// The move.
    pub mv: M,
    /// Of the position after the move, so for the opponent: at least 1.
    pub phi: u8,
    /// Of the position after the move: at least 1.
    pub delta: u8,
}

impl<M> Candidate<M> {
    /// A move of which nothing is known.
    pub const fn new(mv: M) -> Self {
        Self { mv, phi: 1, delta: 1 }
    }

    pub(crate) const fn numbers(&self) -> Numbers {
        Numbers { phi: at_least_one(self.phi), delta: at_least_one(self.delta) }
    }
}

/// 0 would be a proof, which only an assessment can give.
const fn at_least_one(number: u8) -> u32 {
    if number == 0 { 1 } else { number as u32 }
}

/// Knows positions. Asked once for each position as long as the table keeps its answer, and again
/// when it is lost, so equal positions must get equal answers.
pub trait Evaluator<P: Position> {
    /// Settles the position or appends its candidates to `out`, best first. A move may be left out
    /// if the value stays the same without it.
    fn assess(&mut self, position: &P, out: &mut Vec<Candidate<P::Move>>) -> Assessment<P::Move>;
}
