//! How well a model predicts moves (N4): the top-T curve and the log-likelihood.

use crate::decision::Shares;
use crate::{Combining, Decision, Decisions, parallel};

/// The quality of prediction on some decisions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PredictionOf {
    /// How often the chosen move had rank 1, 2, ...
    ranks: Vec<u64>,
    log_likelihood: f64,
    decisions: u64,
}

impl PredictionOf {
    /// Adds a decision: the strengths of all moves on any rising scale, which was chosen, and the
    /// logarithm of its probability. Among equals the chosen move ranks last.
    pub fn add(&mut self, strengths: &[f32], chosen: usize, log_probability: f64) {
        let own = strengths[chosen];
        // All but the weaker ones: a strength that is no number must not rank first.
        let weaker = strengths.iter().filter(|&&other| other < own).count();
        let rank = (strengths.len() - weaker).max(1);
        if self.ranks.len() < rank {
            self.ranks.resize(rank, 0);
        }
        self.ranks[rank - 1] += 1;
        self.log_likelihood += log_probability;
        self.decisions += 1;
    }

    /// Adds other decisions.
    pub fn merge(&mut self, other: &Self) {
        if self.ranks.len() < other.ranks.len() {
            self.ranks.resize(other.ranks.len(), 0);
        }
        self.ranks.iter_mut().zip(&other.ranks).for_each(|(ours, theirs)| *ours += theirs);
        self.log_likelihood += other.log_likelihood;
        self.decisions += other.decisions;
    }

    /// How many decisions there were.
    #[must_use]
    pub fn decisions(&self) -> u64 {
        self.decisions
    }

    /// How often the chosen move was among the first `top`; not a number without decisions.
    #[must_use]
    pub fn top(&self, top: usize) -> f64 {
        let hits: u64 = self.ranks.iter().take(top).sum();
        hits as f64 / self.decisions as f64
    }

    /// The mean logarithm of the probability of the chosen moves, in nats; not a number without
    /// decisions.
    #[must_use]
    pub fn log_likelihood(&self) -> f64 {
        self.log_likelihood / self.decisions as f64
    }
}

/// The quality of prediction, in all and by phases of the game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Prediction {
    phases: Vec<PredictionOf>,
}

impl Prediction {
    /// Measures log-gammas on all decisions; `seen` is called after each.
    #[must_use]
    pub fn measure<D: Decisions>(
        decisions: &D,
        log_gammas: &[f32],
        combining: Combining,
        threads: usize,
        seen: &(dyn Fn() + Sync),
    ) -> Self {
        let parts: Vec<usize> = (0..decisions.parts()).collect();
        let visit = |(prediction, shares): &mut (Self, Shares), decision: &Decision| {
            shares.of(decision, combining, |feature| log_gammas[feature as usize]);
            let Shares { shares, log_chosen, .. } = shares;
            prediction.add(decision.phase(), shares, decision.chosen(), *log_chosen);
            seen();
        };
        let all = parallel::for_each(decisions, &parts, threads, Default::default, visit);
        let mut sum = Self::default();
        all.iter().for_each(|(prediction, _)| sum.merge(prediction));
        sum
    }

    /// Adds a decision of a phase, see [`PredictionOf::add`].
    pub fn add(&mut self, phase: usize, strengths: &[f32], chosen: usize, log_probability: f64) {
        if self.phases.len() <= phase {
            self.phases.resize_with(phase + 1, PredictionOf::default);
        }
        self.phases[phase].add(strengths, chosen, log_probability);
    }

    /// Adds other decisions.
    pub fn merge(&mut self, other: &Self) {
        if self.phases.len() < other.phases.len() {
            self.phases.resize_with(other.phases.len(), PredictionOf::default);
        }
        self.phases.iter_mut().zip(&other.phases).for_each(|(ours, theirs)| ours.merge(theirs));
    }

    /// Each phase, from the first on.
    #[must_use]
    pub fn phases(&self) -> &[PredictionOf] {
        &self.phases
    }

    /// All decisions.
    #[must_use]
    pub fn all(&self) -> PredictionOf {
        let mut all = PredictionOf::default();
        self.phases.iter().for_each(|phase| all.merge(phase));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_count_as_the_worse_rank() {
        let mut prediction = Prediction::default();
        prediction.add(0, &[0.4, 0.4, 0.2], 0, 0.4f64.ln());
        prediction.add(2, &[0.4, 0.4, 0.2], 2, 0.2f64.ln());
        prediction.add(2, &[0.5, 0.3, 0.2], 0, 0.5f64.ln());
        let all = prediction.all();
        assert_eq!([1, 2, 3, 20].map(|top| (3.0 * all.top(top)).round()), [1.0, 2.0, 3.0, 3.0]);
        let mean = (0.4f64.ln() + 0.2f64.ln() + 0.5f64.ln()) / 3.0;
        assert!((all.log_likelihood() - mean).abs() < 1e-12);
        assert_eq!(prediction.phases()[2].decisions(), 2);
        assert_eq!(prediction.phases()[1].decisions(), 0);
    }

    #[test]
    fn measuring_is_adding_up() {
        let game = |chosen| {
            let mut decision = Decision::new();
            decision.push_team(&[0, 1]);
            decision.push_team(&[1]);
            decision.choose(chosen, chosen);
            vec![decision]
        };
        let games = vec![game(0), game(1), game(0)];
        let seen = std::sync::atomic::AtomicU32::new(0);
        let count = || {
            seen.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        };
        let prediction =
            Prediction::measure(&games, &[3f32.ln(), 7.0], Combining::Product, 2, &count);
        assert_eq!(seen.into_inner(), 3);
        assert_eq!(prediction.phases().iter().map(|p| p.top(1)).collect::<Vec<_>>(), [1.0, 0.0]);
        let mean = (2.0 * 0.75f64.ln() + 0.25f64.ln()) / 3.0;
        assert!((prediction.all().log_likelihood() - mean).abs() < 1e-6);
    }

    #[test]
    fn a_model_without_opinion_predicts_nothing() {
        let mut prediction = PredictionOf::default();
        prediction.add(&[1.0; 81], 3, -(81.0f64).ln());
        assert_eq!((prediction.top(80), prediction.top(81)), (0.0, 1.0));
        prediction.add(&[f32::NAN; 5], 3, f64::NAN);
        assert_eq!(prediction.top(4), 0.0);
    }
}
