//! Which moves a search may choose near its root, and noise on the priors of the root's moves.

use crate::formula::Candidates;
use kosumi_game::math::{exp, ln};
use kosumi_game::{Game, Move, Player, Rng};

/// Moves that one player may not choose, or the only ones that it may, at the levels below `until`; the
/// root has level 0. Several restrictions hold together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restriction<M> {
    /// Whose moves.
    pub player: Player,
    /// Which moves.
    pub moves: Vec<M>,
    /// Whether these are the only ones allowed; else they are the ones to avoid.
    pub only: bool,
    /// The first level at which all moves are allowed again.
    pub until: u16,
}

/// What holds at the root of one search and near it.
#[derive(Clone, Debug, Default)]
pub(crate) struct RootMoves {
    /// Who is to move at the root.
    player: Option<Player>,
    /// By player and move: the first level at which the move is allowed. Empty: all are, everywhere.
    allowed_from: [Vec<u16>; 2],
    /// The levels at which anything is different.
    levels: usize,
    /// By move: the noise, which sums to 1 over the root's moves. Empty: none.
    noise: Vec<f32>,
    noise_weight: f32,
}

impl RootMoves {
    pub(crate) fn new<G: Game>(root: &G, restrictions: &[Restriction<G::Move>]) -> Self {
        let mut found = Self { player: root.turn().player(), ..Self::default() };
        if restrictions.is_empty() {
            return found;
        }
        found.allowed_from = [(); 2].map(|()| vec![0; root.move_space()]);
        for restriction in restrictions {
            let table = &mut found.allowed_from[restriction.player.index()];
            let named = |mv: usize| restriction.moves.iter().any(|named| named.index() == mv);
            for (mv, from) in table.iter_mut().enumerate() {
                if named(mv) != restriction.only {
                    *from = restriction.until.max(*from);
                }
            }
            found.levels = found.levels.max(restriction.until.into());
        }
        found
    }

    /// Mixes Dirichlet noise into the priors of the root's moves: `weight` of it, the more even the
    /// larger `alpha` is.
    pub(crate) fn with_noise<G: Game>(
        mut self,
        root: &G,
        weight: f32,
        alpha: f32,
        seed: u64,
    ) -> Self {
        if weight <= 0.0 || root.turn().player().is_none() {
            return self;
        }
        let mut moves = Vec::new();
        root.legal_moves(&mut moves);
        // A stream that no simulation has.
        let mut rng = Rng::stream(seed, u64::MAX);
        let drawn: Vec<f32> = moves.iter().map(|_| gamma(alpha, &mut rng)).collect();
        let total: f32 = drawn.iter().sum();
        self.noise = vec![0.0; root.move_space()];
        for (mv, drawn) in moves.iter().zip(drawn) {
            self.noise[mv.index()] =
                if total > 0.0 { drawn / total } else { 1.0 / moves.len() as f32 };
        }
        self.noise_weight = weight;
        self.levels = self.levels.max(1);
        self
    }

    /// Who is to move at the root.
    pub(crate) fn player(&self) -> Option<Player> {
        self.player
    }

    /// The levels at which anything is different.
    #[inline]
    pub(crate) fn levels(&self) -> usize {
        self.levels
    }

    /// Whether a player may choose a move at a level.
    pub(crate) fn allows(&self, level: usize, player: Player, mv: u16) -> bool {
        let table = &self.allowed_from[player.index()];
        table.get(usize::from(mv)).is_none_or(|&from| level >= usize::from(from))
    }

    /// Whether any move is not allowed.
    pub(crate) fn restricts(&self) -> bool {
        !self.allowed_from[0].is_empty()
    }

    pub(crate) fn add_noise(&self, candidates: &mut Candidates) {
        if !self.noise.is_empty() {
            let weight = self.noise_weight;
            candidates.change_priors(|mv, prior| {
                (1.0 - weight) * prior + weight * self.noise[usize::from(mv)]
            });
        }
    }
}

/// A number in (0, 1).
fn uniform(rng: &mut Rng) -> f64 {
    (rng.next_u32() as f64 + 0.5) / 4_294_967_296.0
}

/// A number with the standard normal distribution, by Marsaglia's polar method.
fn normal(rng: &mut Rng) -> f64 {
    loop {
        let (x, y) = (2.0 * uniform(rng) - 1.0, 2.0 * uniform(rng) - 1.0);
        let square = x * x + y * y;
        if square > 1e-300 && square < 1.0 {
            return x * (-2.0 * ln(square) / square).sqrt();
        }
    }
}

/// A number with the gamma distribution of that shape, by Marsaglia and Tsang's method.
fn gamma(shape: f32, rng: &mut Rng) -> f32 {
    let shape = f64::from(shape);
    // Shapes below 1 by way of the next one.
    let boost = if shape < 1.0 { ln(uniform(rng)) / shape } else { 0.0 };
    let d = (if shape < 1.0 { shape + 1.0 } else { shape }) - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = normal(rng);
        let v = (1.0 + c * x) * (1.0 + c * x) * (1.0 + c * x);
        if v > 1e-300 && ln(uniform(rng)) < 0.5 * x * x + d - d * v + d * ln(v) {
            return d as f32 * v as f32 * exp(boost as f32);
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn gamma_has_the_mean_and_the_variance_of_its_shape() {
        for shape in [0.3, 1.0, 4.0] {
            let mut rng = Rng::new(7);
            let drawn: Vec<f64> = (0..40_000).map(|_| gamma(shape, &mut rng).into()).collect();
            let mean = drawn.iter().sum::<f64>() / drawn.len() as f64;
            let variance =
                drawn.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / drawn.len() as f64;
            let shape = f64::from(shape);
            assert!((mean / shape - 1.0).abs() < 0.05, "{shape}: mean {mean}");
            assert!((variance / shape - 1.0).abs() < 0.1, "{shape}: variance {variance}");
        }
    }
}
