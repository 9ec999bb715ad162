//! Playouts that parameters choose, at one branch per call.

use kosumi_game::{Game, Playout, Reward, Rng, Trace};

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
