//! Playouts and knowledge that parameters choose, at one branch per call.

use kosumi_game::{Context, Game, Knowledge, Playout, Reward, Rng, Trace, Verdict};

/// One of two playout policies.
pub(crate) enum Either<A, B> {
    Light(A),
    Heavy(B),
}

impl<G: Game, A: Playout<G>, B: Playout<G>> Playout<G> for Either<A, B> {
    #[inline]
    fn run(&mut self, from: &G, rng: &mut Rng, trace: &mut Trace) -> Reward {
        match self {
            Self::Light(playout) => playout.run(from, rng, trace),
            Self::Heavy(playout) => playout.run(from, rng, trace),
        }
    }
}

/// Knowledge that can be switched off.
pub(crate) struct Switched<K>(pub Option<K>);

impl<G: Game, K: Knowledge<G>> Knowledge<G> for Switched<K> {
    type Worker = Option<K::Worker>;

    fn worker(&self) -> Self::Worker {
        self.0.as_ref().map(K::worker)
    }

    fn thresholds(&self) -> &[u64] {
        self.0.as_ref().map_or(&[], K::thresholds)
    }

    fn assess(
        &self,
        worker: &mut Self::Worker,
        position: &G,
        context: &Context<'_, G>,
        verdict: &mut Verdict,
    ) {
        if let (Some(knowledge), Some(worker)) = (&self.0, worker) {
            knowledge.assess(worker, position, context, verdict);
        }
    }
}
