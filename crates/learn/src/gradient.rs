//! Maximum likelihood by stochastic gradient ascent (N3).
//!
//! For one decision the gradient of the log-likelihood in a feature's log-gamma is how often the
//! chosen team has the feature, less how often it was to be expected: the shares of the teams that
//! have it. Where gammas are added ([`Combining::Sum`]) a member counts with its part of the team. Each feature has a step length of its own that shrinks with the squares of its gradients
//! so far (AdaGrad; Duchi et al. 2011): rare patterns still move far when common ones have settled.
//! A normal prior draws log-gammas to 0, so that a pattern seen twice is not trusted like one seen a
//! thousand times.
//!
//! Threads share the gammas without locks (Niu et al. 2011): an update may be lost when two threads
//! hit one feature at the same moment, which happens to common features alone, whose updates are
//! many. With one thread the result depends on nothing but the data and their order.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::decision::Shares;
use crate::prediction::PredictionOf;
use crate::{Combining, Decision, Decisions, parallel};

/// How to learn.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct GradientOptions {
    /// Threads at work.
    pub threads: usize,
    /// The length of the first steps.
    pub rate: f32,
    /// How strongly log-gammas are drawn to 0: the inverse of the variance of their prior.
    pub prior: f32,
    /// Decisions per step.
    pub batch: usize,
    /// How gammas make a team's strength.
    pub combining: Combining,
}

impl Default for GradientOptions {
    fn default() -> Self {
        Self { threads: 1, rate: 0.1, prior: 0.1, batch: 8, combining: Combining::Product }
    }
}

/// Teams of a smaller share than this teach nothing.
const LEAST_SHARE: f32 = 1e-6;
/// Keeps the first step of a feature within bounds.
const LEAST_SQUARE: f32 = 1e-4;

/// Gammas on their way to maximum likelihood.
#[derive(Debug)]
pub struct Gradient {
    options: GradientOptions,
    /// Log-gammas; loads and stores relaxed, see above.
    theta: Vec<AtomicU32>,
    /// Sums of the squares of the gradients; likewise.
    squares: Vec<AtomicU32>,
}

/// All that [`Gradient`] knows, to be written down and gone on with.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct GradientState {
    /// The log-gammas.
    pub log_gammas: Vec<f32>,
    /// The sums of squared gradients.
    pub squares: Vec<f32>,
}

impl GradientState {
    /// A state of so many features, of which nothing is known.
    #[must_use]
    pub fn new(features: usize) -> Self {
        Self { log_gammas: vec![0.0; features], squares: vec![0.0; features] }
    }
}

fn load(word: &AtomicU32) -> f32 {
    f32::from_bits(word.load(Ordering::Relaxed))
}

fn store(word: &AtomicU32, value: f32) {
    word.store(value.to_bits(), Ordering::Relaxed);
}

/// What one thread has gathered since its last step.
struct Batch {
    gradient: Vec<f32>,
    touched: Vec<u32>,
    decisions: usize,
    shares: Shares,
    seen: PredictionOf,
}

impl Batch {
    fn add(&mut self, feature: u32, amount: f32) {
        let gradient = &mut self.gradient[feature as usize];
        if *gradient == 0.0 {
            self.touched.push(feature);
        }
        *gradient += amount;
    }
}

impl Gradient {
    /// All gammas are 1.
    #[must_use]
    pub fn new(features: usize, options: GradientOptions) -> Self {
        Self::resume(&GradientState::new(features), options)
    }

    /// Goes on from a state.
    ///
    /// # Panics
    /// The state's two lists are not of one length.
    #[must_use]
    pub fn resume(state: &GradientState, options: GradientOptions) -> Self {
        assert_eq!(state.log_gammas.len(), state.squares.len(), "lists of one length");
        let words = |list: &[f32]| list.iter().map(|v| AtomicU32::new(v.to_bits())).collect();
        Self { options, theta: words(&state.log_gammas), squares: words(&state.squares) }
    }

    /// What is known so far.
    #[must_use]
    pub fn state(&self) -> GradientState {
        let list = |words: &[AtomicU32]| words.iter().map(load).collect();
        GradientState { log_gammas: list(&self.theta), squares: list(&self.squares) }
    }

    /// The log-gammas.
    #[must_use]
    pub fn log_gammas(&self) -> Vec<f32> {
        self.theta.iter().map(load).collect()
    }

    /// Changes the length of the steps: shorter ones at the end settle on the optimum.
    pub fn set_rate(&mut self, rate: f32) {
        self.options.rate = rate;
    }

    /// Learns from these parts once; tells how well their moves were predicted just before each was
    /// learned.
    pub fn learn<D: Decisions>(&mut self, decisions: &D, parts: &[usize]) -> PredictionOf {
        let batch = || Batch {
            gradient: vec![0.0; self.theta.len()],
            touched: Vec::new(),
            decisions: 0,
            shares: Shares::default(),
            seen: PredictionOf::default(),
        };
        let visit = |batch: &mut Batch, decision: &Decision| {
            self.gather(batch, decision);
            if batch.decisions == self.options.batch {
                self.step(batch);
            }
        };
        let batches = parallel::for_each(decisions, parts, self.options.threads, batch, visit);
        let mut seen = PredictionOf::default();
        for mut batch in batches {
            self.step(&mut batch);
            seen.merge(&batch.seen);
        }
        self.shrink(parts.len() as f32 / decisions.parts().max(1) as f32);
        seen
    }

    fn gather(&self, batch: &mut Batch, decision: &Decision) {
        let mut shares = std::mem::take(&mut batch.shares);
        let combining = self.options.combining;
        shares.of(decision, combining, |feature| load(&self.theta[feature as usize]));
        batch.seen.add(&shares.shares, decision.chosen(), shares.log_chosen);
        let part = |feature: u32, log_strength| {
            combining.part(load(&self.theta[feature as usize]), log_strength)
        };
        let log_chosen = shares.log_strengths[decision.chosen()];
        for &feature in decision.chosen_team() {
            batch.add(feature, part(feature, log_chosen));
        }
        let both = shares.shares.iter().zip(&shares.log_strengths);
        for (team, (&share, &log_strength)) in decision.teams().zip(both) {
            if share >= LEAST_SHARE {
                for &feature in team {
                    batch.add(feature, -share * part(feature, log_strength));
                }
            }
        }
        batch.shares = shares;
        batch.decisions += 1;
    }

    fn step(&self, batch: &mut Batch) {
        for feature in batch.touched.drain(..) {
            let feature = feature as usize;
            let gradient = std::mem::take(&mut batch.gradient[feature]);
            let square = load(&self.squares[feature]) + gradient * gradient;
            store(&self.squares[feature], square);
            let theta = &self.theta[feature];
            store(theta, load(theta) + self.length(square) * gradient);
        }
        batch.decisions = 0;
    }

    /// The length of a feature's step.
    fn length(&self, square: f32) -> f32 {
        self.options.rate / (square + LEAST_SQUARE).sqrt()
    }

    /// The share of the prior's gradient that belongs to this share of the data, as a proximal step,
    /// which never overshoots.
    fn shrink(&mut self, share: f32) {
        let pull = self.options.prior * share;
        for (theta, square) in self.theta.iter().zip(&self.squares) {
            let length = self.length(load(square));
            store(theta, load(theta) / (1.0 + length * pull));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::minorization::tests::tournament;

    /// With a weak prior the likelihood is at its maximum: expected and real counts are equal.
    #[test]
    fn the_gradient_vanishes_in_the_end() {
        let (games, truth) = tournament(4000, 7);
        let mut options = GradientOptions { prior: 0.0, rate: 0.3, ..GradientOptions::default() };
        options.batch = 32;
        let mut gradient = Gradient::new(truth.len(), options);
        let parts: Vec<usize> = (0..games.len()).collect();
        for pass in 0..30 {
            gradient.set_rate(0.3 / (1.0 + pass as f32));
            gradient.learn(&games, &parts);
        }
        let theta = gradient.log_gammas();
        let mut balance = vec![0.0f64; truth.len()];
        let mut wins = vec![0.0f64; truth.len()];
        let mut shares = Shares::default();
        for decision in games.iter().flatten() {
            shares.of(decision, Combining::Product, |f| theta[f as usize]);
            for &f in decision.chosen_team() {
                balance[f as usize] += 1.0;
                wins[f as usize] += 1.0;
            }
            for (team, &share) in decision.teams().zip(&shares.shares) {
                team.iter().for_each(|&f| balance[f as usize] -= f64::from(share));
            }
        }
        for (balance, wins) in balance.iter().zip(wins) {
            assert!(balance.abs() < 0.05 * wins, "{balance} of {wins}");
        }
    }

    #[test]
    fn it_goes_on_where_it_was_left() {
        let (games, truth) = tournament(300, 8);
        let parts: Vec<usize> = (0..games.len()).collect();
        let options = GradientOptions::default();
        let mut whole = Gradient::new(truth.len(), options.clone());
        whole.learn(&games, &parts[..100]);
        let mut resumed = Gradient::resume(&whole.state(), options);
        whole.learn(&games, &parts[100..]);
        resumed.learn(&games, &parts[100..]);
        assert_eq!(whole.state(), resumed.state());
    }

    #[test]
    fn a_strong_prior_keeps_gammas_at_one() {
        let (games, truth) = tournament(300, 9);
        let parts: Vec<usize> = (0..games.len()).collect();
        let options = GradientOptions { prior: 1e6, threads: 2, ..GradientOptions::default() };
        let mut gradient = Gradient::new(truth.len(), options);
        gradient.learn(&games, &parts);
        assert!(gradient.log_gammas().iter().all(|theta| theta.abs() < 1e-3));
    }
}
