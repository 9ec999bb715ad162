//! Maximum likelihood by minorization-maximization (N3; Coulom 2007).
//!
//! The gamma of a feature becomes its wins over what the rest of its teams made of its decisions:
//! `gamma = W / sum(C / E)`, `C` the strength of its teams without it, `E` that of all teams. As
//! `C gamma / E` is the share of its teams, this is `gamma W / X` with `X` the wins to be expected.
//! The likelihood never falls if only features change of which a team has one at most. Here all
//! change in every pass; where teams have up to `d` features, the root of that degree of each factor
//! has the same guarantee (generalized iterative scaling; Darroch and Ratcliff 1972).
//!
//! Such steps are short. How they changed over the last passes tells where they lead: of all
//! combinations of the last points the next pass begins at the one whose step should be the shortest,
//! one step further (Anderson 1965; with restarts for such algorithms, Henderson and Varadhan 2019).
//! Where that made the data less likely, the plain step is taken instead and the memory begins anew.
//!
//! Where gammas are added ([`Combining::Sum`]) it is as if the members of a team played on their own
//! and only the team's win were known: a member has won with the probability of its part in the team
//! (expectation-maximization), so wins are counted anew in every pass.
//!
//! As a prior each feature has won and lost some games against a team of strength 1.

use crate::condensed::Counts;
use crate::prediction::PredictionOf;
use crate::{Combining, Condensed};

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
    state: MinorizationState,
}

/// All that [`Minorization`] knows, to be written down and gone on with.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MinorizationState {
    /// The log-gammas.
    pub log_gammas: Vec<f32>,
    /// What was tried in the last passes, the latest last.
    pub tried: Vec<Trial>,
    /// How likely the latest made data and gammas.
    pub likelihood: f64,
}

/// Log-gammas of an earlier pass.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Trial {
    /// The log-gammas.
    pub log_gammas: Vec<f32>,
    /// The step from there.
    pub step: Vec<f32>,
}

impl Trial {
    /// These log-gammas and the step from there.
    #[must_use]
    pub fn new(log_gammas: Vec<f32>, step: Vec<f32>) -> Self {
        Self { log_gammas, step }
    }
}

impl MinorizationState {
    /// A state of so many features, of which nothing is known.
    #[must_use]
    pub fn new(features: usize) -> Self {
        Self { log_gammas: vec![0.0; features], tried: Vec::new(), likelihood: f64::NEG_INFINITY }
    }
}

/// Passes that are remembered.
const MEMORY: usize = 10;
/// How much longer than a step with a guarantee those are that are combined.
const STRETCH: f64 = 3.0;
/// Keeps the combination of steps that hardly differ within bounds.
const RIDGE: f64 = 1e-8;

impl Minorization {
    /// All gammas are 1.
    #[must_use]
    pub fn new(features: usize, options: MinorizationOptions) -> Self {
        Self::resume(MinorizationState::new(features), options)
    }

    /// Goes on from a state.
    ///
    /// # Panics
    /// The state's lists are not of one length.
    #[must_use]
    pub fn resume(state: MinorizationState, options: MinorizationOptions) -> Self {
        let features = state.log_gammas.len();
        let lists = state.tried.iter().flat_map(|trial| [&trial.log_gammas, &trial.step]);
        assert!(lists.into_iter().all(|list| list.len() == features), "lists of one length");
        Self { options, state }
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

    /// One pass over decisions, the same every time; tells how well their moves were predicted
    /// before.
    ///
    /// # Panics
    /// The decisions have more features.
    pub fn update(&mut self, decisions: &Condensed) -> PredictionOf {
        let features = self.state.log_gammas.len();
        assert!(decisions.feature_bound() <= features, "as many features as the decisions");
        let MinorizationOptions { threads, combining, .. } = self.options;
        let counts = decisions.count(&self.state.log_gammas, combining, threads);
        // Members that play on their own never make a step too long.
        let (degree, stretch) = match combining {
            Combining::Product => (decisions.degree().max(1) as f64, STRETCH),
            Combining::Sum => (1.0, 1.0),
        };
        let Step { step, wins, likelihood } = self.step(&counts, stretch / degree);
        let state = &mut self.state;
        if likelihood < state.likelihood
            && let Some(last) = state.tried.pop()
        {
            state.log_gammas = last.log_gammas;
            add(&mut state.log_gammas, &last.step, 1.0 / stretch);
            state.tried.clear();
            return counts.seen;
        }
        state.likelihood = likelihood;
        if state.tried.len() > MEMORY {
            state.tried.remove(0);
        }
        let parts = combination(&state.tried, &step, &wins);
        let latest = Trial::new(state.log_gammas.clone(), step);
        add(&mut state.log_gammas, &latest.step, 1.0);
        for (earlier, part) in state.tried.iter().zip(parts) {
            for (list, of) in
                [(&earlier.log_gammas, &latest.log_gammas), (&earlier.step, &latest.step)]
            {
                add(&mut state.log_gammas, list, part);
                add(&mut state.log_gammas, of, -part);
            }
        }
        state.tried.push(latest);
        counts.seen
    }

    /// The step after a pass, this power of the whole factor.
    fn step(&self, counts: &Counts, power: f64) -> Step {
        let prior = self.options.prior;
        let mut wins = counts.wins.clone();
        let mut likelihood = counts.seen.log_likelihood() * counts.seen.decisions() as f64;
        let mut of = |(feature, wins): (usize, &mut f64)| {
            let theta = f64::from(self.state.log_gammas[feature]);
            let share = 1.0 / (1.0 + (-theta).exp());
            let expected = counts.expected[feature] + prior * 2.0 * share;
            *wins += prior;
            if *wins > 0.0 && expected > 0.0 {
                likelihood += prior * (share * (1.0 - share)).ln();
                (power * (*wins / expected).ln()) as f32
            } else {
                0.0
            }
        };
        let step = wins.iter_mut().enumerate().map(&mut of).collect();
        Step { step, wins, likelihood }
    }
}

/// What a pass leads to.
struct Step {
    step: Vec<f32>,
    /// What each feature has won: as much as it counts.
    wins: Vec<f64>,
    likelihood: f64,
}

fn add(sum: &mut [f32], more: &[f32], factor: f64) {
    sum.iter_mut().zip(more).for_each(|(sum, &more)| *sum += (factor * f64::from(more)) as f32);
}

/// The parts of earlier trials in the combination with the latest, of this step, that makes the
/// combined step the shortest.
fn combination(earlier: &[Trial], step: &[f32], weights: &[f64]) -> Vec<f64> {
    let difference = |trial: &Trial| -> Vec<f64> {
        step.iter().zip(&trial.step).map(|(now, then)| f64::from(now - then)).collect()
    };
    let differences: Vec<Vec<f64>> = earlier.iter().map(difference).collect();
    let latest: Vec<f64> = step.iter().map(|&step| f64::from(step)).collect();
    let product = |a: &[f64], b: &[f64]| -> f64 {
        a.iter().zip(b).zip(weights).map(|((a, b), weight)| a * b * weight).sum()
    };
    let equation = |(at, row): (usize, &Vec<f64>)| {
        let mut equation: Vec<f64> = differences.iter().map(|other| product(row, other)).collect();
        equation[at] *= 1.0 + RIDGE;
        equation.push(product(row, &latest));
        equation
    };
    solved(differences.iter().enumerate().map(equation).collect())
}

/// The solution of equations, each a row of factors and what they add up to, of a positive definite
/// matrix; unknowns that nothing tells are 0.
fn solved(mut rows: Vec<Vec<f64>>) -> Vec<f64> {
    let count = rows.len();
    for at in 0..count {
        let (above, below) = rows.split_at_mut(at + 1);
        let pivot = &above[at];
        for row in below.iter_mut().filter(|_| pivot[at] > 0.0) {
            let factor = row[at] / pivot[at];
            row.iter_mut().zip(pivot).for_each(|(value, pivot)| *value -= factor * pivot);
        }
    }
    let mut solution = vec![0.0; count];
    for at in (0..count).rev() {
        let known: f64 = (at + 1..count).map(|other| rows[at][other] * solution[other]).sum();
        if rows[at][at] > 0.0 {
            solution[at] = (rows[at][count] - known) / rows[at][at];
        }
    }
    solution
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::Decision;
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

    /// Gammas of each half are known up to a factor: their logarithms, with mean 0.
    fn centred(log_gammas: impl Iterator<Item = f64>) -> Vec<f64> {
        let all: Vec<f64> = log_gammas.collect();
        let centre = |half: &[f64]| {
            let mean = half.iter().sum::<f64>() / half.len() as f64;
            half.iter().map(|theta| theta - mean).collect::<Vec<_>>()
        };
        all.chunks(5).flat_map(centre).collect()
    }

    fn condensed(games: &Vec<Vec<Decision>>) -> Condensed {
        let parts: Vec<usize> = (0..games.len()).collect();
        Condensed::gather(games, &parts, 2, 100, &|| ()).unwrap()
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
        let games = condensed(&vec![game(0), game(0), game(1), game(0)]);
        let combining = Combining::Sum;
        let options = MinorizationOptions { prior: 0.0, combining, threads: 1 };
        let mut mm = Minorization::new(2, options);
        let before = mm.update(&games);
        assert!((before.log_likelihood() - 0.5f64.ln()).abs() < 1e-6);
        let gammas: Vec<f32> = mm.log_gammas().iter().map(|theta| theta.exp()).collect();
        assert!((gammas[0] - 1.5).abs() < 1e-6 && (gammas[1] - 0.5).abs() < 1e-6);
        // With one win and one loss against strength 1 in the prior: (3 + 1) / (2 + 1).
        let options = MinorizationOptions { prior: 1.0, combining, threads: 1 };
        let mut mm = Minorization::new(2, options);
        mm.update(&games);
        assert!((mm.log_gammas()[0].exp() - 4.0 / 3.0).abs() < 1e-6);
        // Where gammas are multiplied steps are longer.
        let mut mm = Minorization::new(2, MinorizationOptions::default());
        mm.update(&games);
        let whole = f64::from(mm.log_gammas()[0]) / STRETCH;
        assert!((whole.exp() - 4.0 / 3.0).abs() < 1e-6);
    }

    #[test]
    fn the_combination_is_that_of_a_line() {
        // The steps of 0 and 1 are 2 and 1: at 2 there would be none.
        let earlier = [Trial::new(vec![0.0], vec![2.0])];
        let part = combination(&earlier, &[1.0], &[1.0])[0];
        assert!((part + 1.0).abs() < 1e-6, "{part}");
        // Equal steps tell nothing.
        assert_eq!(combination(&[Trial::new(vec![0.0], vec![1.0])], &[1.0], &[1.0]), [0.0]);
        let rows = vec![vec![4.0, 2.0, 10.0], vec![2.0, 3.0, 9.0]];
        assert_eq!(solved(rows), [1.5, 2.0]);
    }

    #[test]
    fn the_likelihood_never_falls_for_long_and_the_truth_is_found() {
        let (games, truth) = tournament(20_000, 3);
        let games = condensed(&games);
        let options =
            MinorizationOptions { prior: 0.0, threads: 2, ..MinorizationOptions::default() };
        let mut mm = Minorization::new(truth.len(), options);
        let mut best = f64::NEG_INFINITY;
        for _ in 0..40 {
            let now = mm.update(&games).log_likelihood();
            // What made it fall is taken back.
            assert!(now >= best - 1e-7 || mm.state().tried.is_empty(), "{now} after {best}");
            best = best.max(now);
        }
        let found = centred(mm.log_gammas().iter().map(|&theta| f64::from(theta)));
        let truth = centred(truth.iter().map(|gamma| gamma.ln()));
        for (found, truth) in found.iter().zip(&truth) {
            assert!((found - truth).abs() < 0.08, "{found} {truth}");
        }
    }

    #[test]
    fn going_on_from_a_state_is_as_if_nothing_had_happened() {
        let (games, truth) = tournament(500, 5);
        let games = condensed(&games);
        let new = || Minorization::new(truth.len(), MinorizationOptions::default());
        let mut whole = new();
        let mut interrupted = new();
        for _ in 0..30 {
            whole.update(&games);
            let state = interrupted.state().clone();
            interrupted = Minorization::resume(state, MinorizationOptions::default());
            interrupted.update(&games);
            assert_eq!(interrupted.state(), whole.state());
        }
    }

    #[test]
    fn a_step_that_went_too_far_is_taken_back() {
        let (games, truth) = tournament(500, 5);
        let games = condensed(&games);
        let mut mm = Minorization::new(truth.len(), MinorizationOptions::default());
        (0..3).for_each(|_| drop(mm.update(&games)));
        let good = mm.state().tried.last().unwrap().clone();
        let likelihood = mm.state().likelihood;
        mm.state.log_gammas[0] += 9.0;
        mm.update(&games);
        assert!(mm.state().tried.is_empty());
        let third = good.log_gammas[1] + good.step[1] / STRETCH as f32;
        assert!((mm.log_gammas()[1] - third).abs() < 1e-6);
        mm.update(&games);
        assert!(mm.state().likelihood >= likelihood, "a plain step never makes it worse");
    }

    #[test]
    fn gammas_that_are_added_are_found_by_both_methods() {
        use crate::{Gradient, GradientOptions};
        let (games, truth) = tournament_of(Combining::Sum, 30_000, 6);
        let parts: Vec<usize> = (0..games.len()).collect();
        let all = condensed(&games);
        let combining = Combining::Sum;
        let options = MinorizationOptions { prior: 0.0, combining, threads: 2 };
        let mut mm = Minorization::new(truth.len(), options);
        let options = GradientOptions { prior: 0.0, combining, ..GradientOptions::default() };
        let mut gradient = Gradient::new(truth.len(), options);
        let mut best = f64::NEG_INFINITY;
        for pass in 0..60 {
            let now = mm.update(&all).log_likelihood();
            assert!(now >= best - 1e-7 || mm.state().tried.is_empty(), "{now} after {best}");
            best = best.max(now);
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
        let all = condensed(&games);
        let mut mm = Minorization::new(truth.len(), MinorizationOptions::default());
        let mut gradient = Gradient::new(truth.len(), GradientOptions::default());
        for pass in 0..40 {
            mm.update(&all);
            gradient.set_rate(0.2 / (1.0 + pass as f32));
            gradient.learn(&games, &parts);
        }
        gradient.set_rate(0.0);
        let theirs = gradient.learn(&games, &parts).log_likelihood();
        let ours = mm.update(&all).log_likelihood();
        assert!((theirs - ours).abs() < 1e-3, "{theirs} {ours}");
    }
}
