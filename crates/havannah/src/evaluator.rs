//! The net as an evaluator of a search, for any number of threads.

use std::sync::Arc;

use kosumi_game::{Evaluation, Evaluator, Game};
use kosumi_net::ScratchPool;

use crate::Havannah;
use crate::net::HavannahNet;

/// A net that evaluates positions in which no swap may come: it has never seen one.
#[derive(Debug)]
pub struct HavannahEvaluator {
    net: Arc<HavannahNet>,
    scratch: ScratchPool,
}

impl HavannahEvaluator {
    /// An evaluator with this net.
    #[must_use]
    pub fn new(net: Arc<HavannahNet>) -> Self {
        Self { net, scratch: ScratchPool::default() }
    }
}

impl Evaluator<Havannah> for HavannahEvaluator {
    /// The net sees the last stone, which the state does not tell.
    fn key(&self, position: &Havannah) -> Option<u64> {
        let last = position.last_place().map_or(0, |place| place as u64 + 1);
        let key = position.state_hash() ^ last.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (!position.swap_may_come()).then_some(key)
    }

    fn evaluate(&self, positions: &[&Havannah], evaluations: &mut Vec<Evaluation>) {
        self.scratch.with(|scratch| {
            evaluations
                .extend(positions.iter().map(|position| self.net.evaluate(scratch, position)));
        });
    }
}
