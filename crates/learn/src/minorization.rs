//! Maximum likelihood by minorization-maximization (N3; Coulom 2007).
//!
//! The gamma of a feature becomes its wins over what the rest of its teams made of its decisions:
//! `gamma = W / sum(C / E)`, `C` the strength of its teams without it, `E` that of all teams. As
//! `C gamma / E` is the share of its teams, this is `gamma W / X` with `X` the wins to be expected.
//! The likelihood never falls if all features change at once of which a team has one at most (a
//! family). Where teams have up to `d` of the features that change in a pass, the root of that degree
//! of each factor has the same guarantee (generalized iterative scaling; Darroch and Ratcliff 1972),
//! which spares passes where reading the data is what costs. Such short steps are stretched further
//! and further as long as the likelihood rises (adaptive overrelaxation; Salakhutdinov and Roweis 2003)
//! and keep most of the direction of the step before (the heavy ball of Polyak 1964). A step after which
//! the likelihood has fallen is taken back, and shorter ones begin without that direction.
//!
//! Where gammas are added ([`Combining::Sum`]) it is as if the members of a team played on their own
//! and only the team's win were known: a member has won with the probability of its part in the team
//! (expectation-maximization), so wins are counted anew in every pass.
//!
//! As a prior each feature has won and lost some games against a team of strength 1.

use std::ops::Range;

use crate::decision::Shares;
use crate::prediction::PredictionOf;
use crate::{Combining, Decision, Decisions, parallel};

/// How to learn.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MinorizationOptions {
    /// Threads at work.
    pub threads: usize,
    /// Games that each feature has won, and as many that it has lost, against strength 1.
    pub prior: f64,
    /// How gammas make a team's strength.
    pub combining: Combining,
}

impl Default for MinorizationOptions {
    fn default() -> Self {
        Self { threads: 1, prior: 1.0, combining: Combining::Product }
    }
}

/// Gammas on their way to maximum likelihood.
#[derive(Clone, Debug)]
pub struct Minorization {
    options: MinorizationOptions,
    families: Vec<Range<usize>>,
    /// Wins of each feature; empty before the first pass.
    wins: Vec<f64>,
    state: MinorizationState,
}

/// All that [`Minorization`] cannot count anew, to be written down and gone on with.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MinorizationState {
    /// The log-gammas.
    pub log_gammas: Vec<f32>,
    /// What steps are stretched by.
    pub stretch: f64,
    /// The log-gammas before the last step, and how likely they made the data, unless that step was
    /// taken back or there was none.
    pub before: Option<(Vec<f32>, f64)>,
}

impl MinorizationState {
    /// A state of so many features, of which nothing is known.
    #[must_use]
    pub fn new(features: usize) -> Self {
        Self { log_gammas: vec![0.0; features], stretch: 1.0, before: None }
    }
}

/// How much of the whole way the first step goes, where more than one feature of a team changes.
const FIRST_STEP: f64 = 0.18;
/// How much further each step goes than the one before.
const STRETCH: f64 = 1.05;
/// The same after one that went too far.
const SHORTEN: f64 = 0.6;
/// How much of the step before is kept.
const MOMENTUM: f64 = 0.9;

/// What one thread counts in a pass.
struct Counts {
    shares: Shares,
    expected: Vec<f64>,
    wins: Vec<f64>,
    /// The most features of a team that change.
    degree: usize,
    seen: PredictionOf,
}

impl Minorization {
    /// All gammas are 1. The families are ranges of features.
    ///
    /// # Panics
    /// A family goes beyond the last feature.
    #[must_use]
    pub fn new(features: usize, families: Vec<Range<usize>>, options: MinorizationOptions) -> Self {
        Self::resume(MinorizationState::new(features), families, options)
    }

    /// Goes on from a state.
    ///
    /// # Panics
    /// A family goes beyond the last feature, or the state's lists are not of one length.
    #[must_use]
    pub fn resume(
        state: MinorizationState,
        families: Vec<Range<usize>>,
        options: MinorizationOptions,
    ) -> Self {
        let features = state.log_gammas.len();
        assert!(families.iter().all(|family| family.end <= features), "families within features");
        let before = state.before.as_ref().map_or(features, |(before, _)| before.len());
        assert_eq!(before, features, "lists of one length");
        Self { options, families, wins: Vec::new(), state }
    }

    /// What is known so far.
    #[must_use]
    pub fn state(&self) -> &MinorizationState {
        &self.state
    }

    /// The log-gammas.
    #[must_use]
    pub fn log_gammas(&self) -> &[f32] {
        &self.state.log_gammas
    }

    /// The families.
    #[must_use]
    pub fn families(&self) -> &[Range<usize>] {
        &self.families
    }

    /// Updates families, by number, in one pass over the parts, which must be the same every time;
    /// tells how well their moves were predicted before. A pass that finds that the step before it
    /// went too far takes that step back instead.
    pub fn update<D: Decisions>(
        &mut self,
        decisions: &D,
        parts: &[usize],
        families: &[usize],
    ) -> PredictionOf {
        let features = self.state.log_gammas.len();
        let combining = self.options.combining;
        let count_wins = self.wins.is_empty() || combining == Combining::Sum;
        let mut changes = vec![false; features];
        for &family in families {
            changes[self.families[family].clone()].fill(true);
        }
        let counts = || Counts {
            shares: Shares::default(),
            expected: vec![0.0; features],
            wins: vec![0.0; if count_wins { features } else { 0 }],
            degree: 0,
            seen: PredictionOf::default(),
        };
        let visit = |counts: &mut Counts, decision: &Decision| {
            let Counts { shares, expected, wins, degree, seen } = counts;
            let log_gamma = |feature: u32| self.state.log_gammas[feature as usize];
            shares.of(decision, combining, log_gamma);
            seen.add(&shares.shares, decision.chosen(), shares.log_chosen);
            let both = shares.shares.iter().zip(&shares.log_strengths);
            for (team, (&share, &log_strength)) in decision.teams().zip(both) {
                let mut changing = 0;
                for &feature in team {
                    let part = combining.part(log_gamma(feature), log_strength);
                    expected[feature as usize] += f64::from(share * part);
                    changing += usize::from(changes[feature as usize]);
                }
                *degree = (*degree).max(changing);
            }
            if count_wins {
                let log_strength = shares.log_strengths[decision.chosen()];
                for &feature in decision.chosen_team() {
                    let part = combining.part(log_gamma(feature), log_strength);
                    wins[feature as usize] += f64::from(part);
                }
            }
        };
        let all = parallel::for_each(decisions, parts, self.options.threads, counts, visit);
        let mut sum = counts();
        for counts in all {
            add(&mut sum.expected, &counts.expected);
            add(&mut sum.wins, &counts.wins);
            sum.degree = sum.degree.max(counts.degree);
            sum.seen.merge(&counts.seen);
        }
        if count_wins {
            self.wins = sum.wins;
        }
        let now = sum.seen.log_likelihood();
        // A step of degree 1 goes all the way; members that play on their own never make more.
        let whole = combining == Combining::Product && sum.degree <= 1;
        let degree = if combining == Combining::Sum { 1.0 } else { sum.degree.max(1) as f64 };
        let mut velocity = None;
        match self.state.before.take() {
            Some((before, likelihood)) if now < likelihood && !whole => {
                self.state.log_gammas = before;
                self.state.stretch = (self.state.stretch * SHORTEN).max(1.0);
                return sum.seen;
            }
            Some((before, _)) => {
                self.state.stretch *= STRETCH;
                velocity = (!whole).then_some(before);
            }
            None => self.state.stretch = self.state.stretch.max(FIRST_STEP * degree),
        }
        let now_at = self.state.log_gammas.clone();
        let power = if whole { 1.0 } else { self.state.stretch / degree };
        let prior = self.options.prior;
        for &family in families {
            for feature in self.families[family].clone() {
                let gamma = f64::from(self.state.log_gammas[feature]).exp();
                let wins = self.wins[feature] + prior;
                let expected = sum.expected[feature] + prior * 2.0 * gamma / (gamma + 1.0);
                if wins > 0.0 && expected > 0.0 {
                    self.state.log_gammas[feature] += (power * (wins / expected).ln()) as f32;
                }
            }
        }
        if let Some(before) = velocity {
            let steps = now_at.iter().zip(&before).map(|(now, before)| now - before);
            for (log_gamma, step) in self.state.log_gammas.iter_mut().zip(steps) {
                *log_gamma += MOMENTUM as f32 * step;
            }
        }
        self.state.before = Some((now_at, now));
        sum.seen
    }
}

fn add(sum: &mut [f64], more: &[f64]) {
    sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use kosumi_game::Rng;

    /// Games among teams of two features, one of each half, won by chance with known gammas.
    pub(crate) fn tournament(games: u64, seed: u64) -> (Vec<Vec<Decision>>, Vec<f64>) {
        tournament_of(Combining::Product, games, seed)
    }

    fn tournament_of(
        combining: Combining,
        games: u64,
        seed: u64,
    ) -> (Vec<Vec<Decision>>, Vec<f64>) {
        let gammas = vec![0.25, 0.5, 1.0, 2.0, 4.0, 0.1, 1.0, 3.0, 1.0, 0.5];
        let mut rng = Rng::new(seed);
        let mut game = |_| {
            let mut decision = Decision::new();
            let mut strengths = Vec::new();
            for _ in 0..6 {
                let team = [rng.below(5), 5 + rng.below(5)];
                let [a, b] = team.map(|f| gammas[f as usize]);
                strengths.push(if combining == Combining::Sum { a + b } else { a * b });
                decision.push_team(&team);
            }
            let mut left =
                f64::from(rng.next_u32()) / 4_294_967_296.0 * strengths.iter().sum::<f64>();
            let chosen = strengths.iter().position(|strength| {
                left -= strength;
                left < 0.0
            });
            decision.choose(chosen.unwrap_or(0), 0);
            vec![decision]
        };
        ((0..games).map(&mut game).collect(), gammas)
    }

    fn families() -> Vec<Range<usize>> {
        vec![0..5, 5..10]
    }

    /// Gammas of a family are known up to a factor: their logarithms, with mean 0.
    fn centred(log_gammas: impl Iterator<Item = f64>) -> Vec<f64> {
        let all: Vec<f64> = log_gammas.collect();
        let centre = |family: Range<usize>| {
            let mean = all[family.clone()].iter().sum::<f64>() / family.len() as f64;
            all[family].iter().map(move |theta| theta - mean).collect::<Vec<_>>()
        };
        families().into_iter().flat_map(centre).collect()
    }

    #[test]
    fn one_update_by_hand() {
        // Feature 0 against feature 1, three wins of four, all gammas 1: two wins were expected.
        let game = |chosen| {
            let mut decision = Decision::new();
            decision.push_team(&[0]);
            decision.push_team(&[1]);
            decision.choose(chosen, 0);
            vec![decision]
        };
        let games = vec![game(0), game(0), game(1), game(0)];
        let family = 0..2;
        let options = MinorizationOptions { prior: 0.0, ..MinorizationOptions::default() };
        let mut mm = Minorization::new(2, vec![family.clone()], options);
        let before = mm.update(&games, &[0, 1, 2, 3], &[0]);
        assert!((before.log_likelihood() - 0.5f64.ln()).abs() < 1e-6);
        let gammas: Vec<f32> = mm.log_gammas().iter().map(|theta| theta.exp()).collect();
        assert!((gammas[0] - 1.5).abs() < 1e-6 && (gammas[1] - 0.5).abs() < 1e-6);
        // With one win and one loss against strength 1 in the prior: (3 + 1) / (2 + 1).
        let mut mm = Minorization::new(2, vec![family], MinorizationOptions::default());
        mm.update(&games, &[0, 1, 2, 3], &[0]);
        assert!((mm.log_gammas()[0].exp() - 4.0 / 3.0).abs() < 1e-6);
    }

    #[test]
    fn the_likelihood_never_falls_and_the_truth_is_found() {
        let (games, truth) = tournament(20_000, 3);
        let parts: Vec<usize> = (0..games.len()).collect();
        for groups in [vec![vec![0], vec![1]], vec![vec![0, 1]]] {
            let options =
                MinorizationOptions { prior: 0.0, threads: 2, ..MinorizationOptions::default() };
            let mut mm = Minorization::new(truth.len(), families(), options);
            let mut before = f64::NEG_INFINITY;
            for _ in 0..40 {
                for group in &groups {
                    let now = mm.update(&games, &parts, group).log_likelihood();
                    // A step of one family never goes too far; a stretched one is taken back.
                    let taken_back = group.len() > 1 && mm.state().before.is_none();
                    assert!(taken_back || now >= before - 1e-7, "{now} after {before}");
                    before = if taken_back { f64::NEG_INFINITY } else { now };
                }
            }
            let found = centred(mm.log_gammas().iter().map(|&theta| f64::from(theta)));
            let truth = centred(truth.iter().map(|gamma| gamma.ln()));
            for (found, truth) in found.iter().zip(&truth) {
                assert!((found - truth).abs() < 0.08, "{found} {truth}");
            }
        }
    }

    #[test]
    fn going_on_from_a_state_is_as_if_nothing_had_happened() {
        let (games, truth) = tournament(500, 5);
        let parts: Vec<usize> = (0..games.len()).collect();
        let new = || Minorization::new(truth.len(), families(), MinorizationOptions::default());
        let mut whole = new();
        let mut interrupted = new();
        // Long enough for steps to be stretched, go too far and be taken back.
        let (mut stretched, mut taken_back) = (false, false);
        for _ in 0..60 {
            whole.update(&games, &parts, &[0, 1]);
            let state = interrupted.state().clone();
            interrupted = Minorization::resume(state, families(), MinorizationOptions::default());
            interrupted.update(&games, &parts, &[0, 1]);
            assert_eq!(interrupted.state(), whole.state());
            stretched |= whole.state().stretch > 1.0;
            taken_back |= whole.state().before.is_none();
        }
        assert!(stretched && taken_back);
    }

    #[test]
    fn gammas_that_are_added_are_found_by_both_methods() {
        use crate::{Gradient, GradientOptions};
        let (games, truth) = tournament_of(Combining::Sum, 30_000, 6);
        let parts: Vec<usize> = (0..games.len()).collect();
        let combining = Combining::Sum;
        let options = MinorizationOptions { prior: 0.0, combining, threads: 2 };
        let all = 0..truth.len();
        let mut mm = Minorization::new(truth.len(), vec![all], options);
        let options = GradientOptions { prior: 0.0, combining, ..GradientOptions::default() };
        let mut gradient = Gradient::new(truth.len(), options);
        let mut before = f64::NEG_INFINITY;
        for pass in 0..60 {
            let now = mm.update(&games, &parts, &[0]).log_likelihood();
            let taken_back = mm.state().before.is_none();
            assert!(taken_back || now >= before - 1e-7, "{now} after {before}");
            before = if taken_back { f64::NEG_INFINITY } else { now };
            if pass < 20 {
                gradient.set_rate(0.3 / (1.0 + pass as f32));
                gradient.learn(&games, &parts);
            }
        }
        // What one half gains and the other loses changes nothing: only sums are known, up to one
        // factor.
        let truth: Vec<f64> = truth.iter().map(|gamma| gamma.ln()).collect();
        let sum = |thetas: &[f64], a: usize, b: usize| (thetas[a].exp() + thetas[b].exp()).ln();
        for (found, tolerance) in [(mm.log_gammas().to_vec(), 0.08), (gradient.log_gammas(), 0.2)] {
            let found: Vec<f64> = found.into_iter().map(f64::from).collect();
            let factor = sum(&found, 4, 7) - sum(&truth, 4, 7);
            for (a, b) in (0..5).flat_map(|a| (5..10).map(move |b| (a, b))) {
                let error = sum(&found, a, b) - sum(&truth, a, b) - factor;
                assert!(error.abs() < tolerance, "{a} + {b}: {error}");
            }
        }
    }

    #[test]
    fn both_methods_agree() {
        use crate::{Gradient, GradientOptions};
        let (games, truth) = tournament(5000, 4);
        let parts: Vec<usize> = (0..games.len()).collect();
        let mut mm = Minorization::new(truth.len(), families(), MinorizationOptions::default());
        let mut gradient = Gradient::new(truth.len(), GradientOptions::default());
        for pass in 0..40 {
            mm.update(&games, &parts, &[pass % 2]);
            gradient.set_rate(0.2 / (1.0 + pass as f32));
            gradient.learn(&games, &parts);
        }
        gradient.set_rate(0.0);
        let theirs = gradient.learn(&games, &parts).log_likelihood();
        let ours = mm.update(&games, &parts, &[]).log_likelihood();
        assert!((theirs - ours).abs() < 1e-3, "{theirs} {ours}");
    }
}
