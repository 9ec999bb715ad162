//! Playouts: the seam is a whole random game, not a move, so the loop inside stays monomorphic.

use crate::{Game, Move, Reward, Rng, Trace, Turn};

/// A policy that plays a position out to a result. A search keeps one per thread.
///
/// The result may depend on `from` and `rng` alone: equal streams give equal playouts, whatever
/// the worker has played before.
pub trait Playout<G: Game>: Send {
    /// Plays on from `from` (which is not over) to the end, draws all chance from `rng`, and
    /// appends the moves played by both players to `trace`.
    fn run(&mut self, from: &G, rng: &mut Rng, trace: &mut Trace) -> Reward;
}

/// Uniformly random legal moves, for any game: slow, but right. Games bring their own.
#[derive(Clone, Debug)]
pub struct UniformPlayout<G: Game> {
    scratch: Option<G>,
    moves: Vec<G::Move>,
    /// Games longer than this many moves end as draws.
    max_moves: usize,
}

impl<G: Game> UniformPlayout<G> {
    /// A playout that calls a game of more than `max_moves` further moves a draw.
    #[must_use]
    pub fn new(max_moves: usize) -> Self {
        Self { scratch: None, moves: Vec::new(), max_moves }
    }
}

impl<G: Game> Playout<G> for UniformPlayout<G> {
    fn run(&mut self, from: &G, rng: &mut Rng, trace: &mut Trace) -> Reward {
        let position = match &mut self.scratch {
            Some(scratch) => {
                scratch.clone_from(from);
                scratch
            }
            empty => empty.insert(from.clone()),
        };
        for _ in 0..self.max_moves {
            if let Some(reward) = position.outcome() {
                return reward;
            }
            let mv = match position.turn() {
                Turn::Chance => position.sample_chance(rng),
                Turn::Player(player) => {
                    self.moves.clear();
                    position.legal_moves(&mut self.moves);
                    let mv = self.moves[rng.below(self.moves.len() as u32) as usize];
                    trace.push(player, mv.index());
                    mv
                }
            };
            position.play(mv);
        }
        position.outcome().unwrap_or(Reward::DRAW)
    }
}
