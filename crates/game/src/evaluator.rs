//! Evaluators: what looks at a whole position at once, in batches, such as a neural net.

use crate::math::{exp, logistic};
use crate::{Game, Move, Player, Reward};

/// What an evaluator says of a position, for the player to move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evaluation {
    /// The logit of each move by [`Move::index`], up to a constant. A move that the list does not
    /// reach has the prior 0. What stands at the places of illegal moves does not matter.
    pub policy: Vec<f32>,
    /// The logit of the probability that the player to move wins.
    pub value_logit: f32,
}

impl Evaluation {
    /// How the game ends by this evaluation, if `player` is to move.
    #[must_use]
    pub fn reward(&self, player: Player) -> Reward {
        Reward::win(player.opponent()).mixed(Reward::win(player), logistic(self.value_logit))
    }

    /// Appends the strength of each of these moves, relative to the strongest, which has 1.
    pub fn push_strengths<M: Move>(&self, moves: &[M], strengths: &mut Vec<f32>) {
        let logit = |mv: &M| self.policy.get(mv.index()).copied();
        let most = moves.iter().filter_map(logit).fold(f32::NEG_INFINITY, f32::max);
        strengths.extend(moves.iter().map(|mv| logit(mv).map_or(0.0, |logit| exp(logit - most))));
    }
}

/// Evaluates positions, several at a time. One evaluator serves all threads and all searches of a
/// process; what it needs for its work it keeps itself.
///
/// Unlike [`crate::Knowledge`] it has no part in proofs and pruning: it gives a policy and a value,
/// and costs so much that it is asked once for a position.
pub trait Evaluator<G: Game>: Send + Sync {
    /// A hash of all that the evaluator sees of a position: equal keys have equal evaluations. `None`
    /// means that it has nothing to say about this position, for example because a swap may come.
    fn key(&self, position: &G) -> Option<u64> {
        Some(position.state_hash())
    }

    /// Appends one evaluation for each position, in their order. Every position has a key, is not
    /// over, and a player is to move. The same position gets the same bits in every batch.
    fn evaluate(&self, positions: &[&G], evaluations: &mut Vec<Evaluation>);
}

impl<G: Game, E: Evaluator<G> + ?Sized> Evaluator<G> for std::sync::Arc<E> {
    fn key(&self, position: &G) -> Option<u64> {
        (**self).key(position)
    }

    fn evaluate(&self, positions: &[&G], evaluations: &mut Vec<Evaluation>) {
        (**self).evaluate(positions, evaluations);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strengths_are_relative_and_a_move_without_a_logit_has_none() {
        let evaluation = Evaluation { policy: vec![0.0, 2.0, 1.0], value_logit: 0.0 };
        let mut strengths = Vec::new();
        evaluation.push_strengths(&[1u16, 2, 5], &mut strengths);
        // exp(0), exp(-1), and no logit at all.
        assert_eq!(strengths[0], 1.0);
        assert!((strengths[1] - 0.367_879).abs() < 1e-5);
        assert_eq!(strengths[2], 0.0);
    }

    #[test]
    fn a_value_is_that_of_the_player_to_move() {
        // 1 / (1 + e^-2) = 0.880797.
        let evaluation = Evaluation { policy: Vec::new(), value_logit: 2.0 };
        for player in Player::BOTH {
            let value = evaluation.reward(player).value_for(player).get();
            assert!((value - 0.880_797).abs() < 1e-5, "{value}");
        }
    }
}
