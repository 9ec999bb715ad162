//! Learned priors (N6, N7): P(m) of the Bradley-Terry model, for widening and bias, and as games
//! already won.

use std::sync::Arc;

use kosumi_game::{Context, Knowledge, Value, Verdict, VirtualGames, math};

use super::is_useless_eye;
use crate::features::Features;
use crate::{BoardClass, MoveModel, Position};

kosumi_game::parameters! {
    /// How the learned model speaks to the search.
    pub struct GoModelParams {
        /// Whether P(m) counts as games already played, too; else it only orders moves and biases.
        games "model.games": bool = false;
        /// Games of value one half for every move.
        even "model.even": f32 = 14.0, 0..=1000;
        /// Games won by a move of probability 1; by others as many as this times the root of theirs.
        won "model.won": f32 = 100.0, 0..=10000;
        /// The probability of a pass.
        pass "model.pass": f32 = 0.001, 0..=1;
    }
}

/// Knowledge from game records.
#[derive(Clone, Debug)]
pub struct LearnedKnowledge {
    params: GoModelParams,
    model: Arc<MoveModel>,
}

impl LearnedKnowledge {
    /// The knowledge of a model.
    #[must_use]
    pub fn new(model: Arc<MoveModel>, params: GoModelParams) -> Self {
        Self { params, model }
    }
}

/// Scratch memory of one thread.
#[derive(Debug, Default)]
pub struct LearnedWorker<C: BoardClass> {
    features: Features<C>,
    strengths: Vec<f32>,
}

impl<C: BoardClass> Knowledge<Position<C>> for LearnedKnowledge {
    type Worker = Box<LearnedWorker<C>>;

    fn worker(&self) -> Self::Worker {
        Box::default()
    }

    fn thresholds(&self) -> &[u64] {
        &[0]
    }

    fn assess(
        &self,
        worker: &mut Self::Worker,
        position: &Position<C>,
        context: &Context<'_, Position<C>>,
        verdict: &mut Verdict,
    ) {
        let LearnedWorker { features, strengths } = &mut **worker;
        self.model.log_strengths(features, position, context.moves, strengths);
        let (board, player) = (position.board(), position.to_move());
        let points = || context.moves.iter().zip(&*strengths).filter(|(mv, _)| !mv.is_pass());
        let most = points().map(|(_, &s)| s).fold(f32::NEG_INFINITY, f32::max);
        let mut total = 0.0;
        for (place, (&mv, &strength)) in context.moves.iter().zip(&*strengths).enumerate() {
            let prior = match mv.point() {
                None => 0.0,
                Some(p) if is_useless_eye(board, p, player) => {
                    verdict.pruned.push(place as u16);
                    0.0
                }
                Some(_) => math::exp(strength - most),
            };
            verdict.priors.push(prior);
            total += prior;
        }
        // A pass is always among the moves and has its share; without any other it has all.
        let pass = if total > 0.0 { self.params.pass } else { 1.0 };
        let scale = if total > 0.0 { (1.0 - pass) / total } else { 0.0 };
        for (prior, mv) in verdict.priors.iter_mut().zip(context.moves) {
            *prior = if mv.is_pass() { pass } else { *prior * scale };
            if self.params.games {
                let won = self.params.won * prior.sqrt();
                let count = self.params.even + won;
                let value = if count > 0.0 { (self.params.even / 2.0 + won) / count } else { 0.5 };
                verdict.virtual_games.push(VirtualGames { count, value: Value::new(value) });
            }
        }
    }
}
