//! The net as an evaluator of a search, for any number of threads.

use std::sync::Arc;

use kosumi_game::{Evaluation, Evaluator};
use kosumi_net::ScratchPool;

use crate::Hex;
use crate::net::HexNet;

/// A net that evaluates positions in which no swap may come: it has never seen one.
#[derive(Debug)]
pub struct HexEvaluator {
    net: Arc<HexNet>,
    scratch: ScratchPool,
}

impl HexEvaluator {
    /// An evaluator with this net.
    #[must_use]
    pub fn new(net: Arc<HexNet>) -> Self {
        Self { net, scratch: ScratchPool::default() }
    }
}

impl Evaluator<Hex> for HexEvaluator {
    fn key(&self, position: &Hex) -> Option<u64> {
        (!position.swap_may_come()).then(|| HexNet::key(position))
    }

    fn evaluate(&self, positions: &[&Hex], evaluations: &mut Vec<Evaluation>) {
        self.scratch.with(|scratch| {
            evaluations
                .extend(positions.iter().map(|position| self.net.evaluate(scratch, position)));
        });
    }
}

#[cfg(test)]
mod tests {
    use kosumi_game::Game;

    use super::*;
    use crate::HexRules;

    fn after(swap: bool, moves: &str) -> Hex {
        let mut position = Hex::new(11, HexRules { swap }).unwrap();
        for mv in moves.split_whitespace() {
            position.play(position.parse_move(mv).unwrap());
        }
        position
    }

    #[test]
    fn keys_tell_what_the_net_sees() {
        let evaluator = HexEvaluator::new(Arc::new(HexNet::own()));
        let one = after(false, "f6 c3 d8 e5");
        let same = after(false, "d8 c3 f6 e5");
        let other = after(false, "f6 e5 d8 c3");
        assert_eq!(evaluator.key(&one), evaluator.key(&same));
        assert_ne!(evaluator.key(&one), evaluator.key(&other), "another last stone");
        let mut evaluations = Vec::new();
        evaluator.evaluate(&[&one, &same, &other], &mut evaluations);
        assert_eq!(evaluations[0], evaluations[1]);
        assert_ne!(evaluations[0].value_logit, evaluations[2].value_logit);
    }

    #[test]
    fn nothing_is_said_while_the_swap_may_come() {
        let evaluator = HexEvaluator::new(Arc::new(HexNet::own()));
        for moves in ["", "f6"] {
            assert_eq!(evaluator.key(&after(true, moves)), None);
            assert!(evaluator.key(&after(false, moves)).is_some());
        }
        assert!(evaluator.key(&after(true, "f6 c3")).is_some());
    }
}
