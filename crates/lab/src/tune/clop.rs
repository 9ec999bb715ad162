//! CLOP: sample where it is not yet sure that the parameters are worse than the average.
//!
//! H12 (Coulom 2011). A quadratic fits a peak well only near its top. So samples get weights, and the
//! quadratic is fitted to the weighted samples: `w(x) = min(1, exp((q(x) - m) / (H s)))`, where `q(x)`
//! is the fitted log-odds of winning, `m` the log-odds of all weighted samples together, `s` the
//! standard deviation of `m`, and `H` = 3. What is worse than the average loses weight, the more the
//! surer the average is: with more samples `s` falls and the neighbourhood shrinks around the
//! optimum. Fit and weights are repeated, weights never rising, until they settle; new samples are
//! drawn from `w`; the estimate of the optimum is the weighted mean of the samples, which is far
//! steadier than the top of the quadratic.
//!
//! Our own are the prior of the regression, the samples at random before the first fit, and the
//! intervals.

use kosumi_game::Rng;

use super::parameter::Parameter;
use super::regression::{Data, Quadratic};
use crate::stats::{Score, logistic};

/// `H` of the paper.
const CONFIDENCE: f64 = 3.0;
/// The weights have settled when a round takes away less than this share of them.
const SETTLED: f64 = 0.01;
/// More rounds than it ever takes.
const MOST_ROUNDS: usize = 100;
/// Samples from the whole range before the first fit, for each parameter and once more. Without
/// them one or two tunings in sixty of a narrow peak settled beside it for good.
const AT_RANDOM: usize = 10;
/// Rounds over all parameters until a drawn point has forgotten where it started.
const SWEEPS: usize = 10;
/// How many drawn quadratics an interval is made of.
const DRAWS: usize = 400;
/// Samples of less weight are outside the neighbourhood of the optimum.
const NEAR: f64 = 0.1;
/// 95 % of a normal distribution lie within so many standard deviations.
const Z95: f64 = 1.959_963_984_540_054;

/// The method without the games: draws values to try, hears their results, estimates the best.
///
/// Equal seeds and equal results give equal draws and estimates.
///
/// ```
/// use kosumi_lab::{Clop, Parameter, Score};
///
/// let mut clop = Clop::new(vec!["rave.late=100..5000:log".parse()?], 1);
/// for number in 1..=50 {
///     let values = clop.draw(number);
///     // Play games with these values; here whatever is above 1000 wins.
///     let wins = if values[0] > 1000.0 { 2 } else { 0 };
///     clop.add(&values, Score { wins, draws: 0, losses: 2 - wins });
/// }
/// assert!(clop.optimum().values[0] > 1000.0);
/// # Ok::<(), kosumi_lab::InvalidParameter>(())
/// ```
#[derive(Clone, Debug)]
pub struct Clop {
    parameters: Vec<Parameter>,
    seed: u64,
    data: Data,
    local: Local,
    /// The number of samples at which the weights are worked out anew.
    next_fit: usize,
}

/// The best values as far as is known, and what they are worth.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Optimum {
    /// One value for each parameter.
    pub values: Vec<f64>,
    /// The rate of points to expect there.
    pub rate: f64,
    /// The 95 % interval of the rate, from the variance of the fitted log-odds (delta method).
    pub rate_interval: (f64, f64),
}

/// The optimum with intervals of its values.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Tuned {
    /// The optimum.
    pub optimum: Optimum,
    /// The 95 % interval of each value: quadratics are drawn from the posterior distribution of the
    /// fit, and the best of the samples that have weight is looked up in each. Rather too wide than
    /// too narrow.
    pub intervals: Vec<(f64, f64)>,
}

/// The neighbourhood in which the samples are fitted.
#[derive(Clone, Debug, Default)]
struct Local {
    rounds: Vec<Round>,
    weights: Vec<f64>,
}

/// One round of fit and weights.
#[derive(Clone, Debug)]
struct Round {
    fit: Quadratic,
    mean: f64,
    width: f64,
}

impl Round {
    fn log_weight(&self, x: &[f64]) -> f64 {
        ((self.fit.at(x) - self.mean) / self.width).min(0.0)
    }
}

impl Local {
    /// The neighbourhood of the optimum of these samples.
    fn of(data: &Data) -> Self {
        let mut this = Self { rounds: Vec::new(), weights: vec![1.0; data.x.len()] };
        if data.x.is_empty() {
            return this;
        }
        let mut before = this.weights.len() as f64;
        for _ in 0..MOST_ROUNDS {
            let (mean, deviation) = data.log_odds(&this.weights);
            let fit = Quadratic::fit(data, &this.weights);
            let round = Round { fit, mean, width: CONFIDENCE * deviation };
            for (weight, x) in this.weights.iter_mut().zip(&data.x) {
                *weight = weight.min(round.log_weight(x).exp());
            }
            this.rounds.push(round);
            let after = this.weights.iter().sum::<f64>();
            if after > (1.0 - SETTLED) * before {
                break;
            }
            before = after;
        }
        this
    }

    /// The logarithm of the weight that a sample at this point would have.
    fn log_weight(&self, x: &[f64]) -> f64 {
        self.rounds.iter().fold(0.0, |least, round| round.log_weight(x).min(least))
    }
}

/// A number from 0 to 1, without 1.
fn uniform(rng: &mut Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// A standard normal number, by Box and Muller.
fn normal(rng: &mut Rng) -> f64 {
    let (u, v) = (1.0 - uniform(rng), uniform(rng));
    (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
}

impl Clop {
    /// Nothing is known yet.
    #[must_use]
    pub fn new(parameters: Vec<Parameter>, seed: u64) -> Self {
        let next_fit = AT_RANDOM * (1 + parameters.len());
        Self { parameters, seed, data: Data::default(), local: Local::default(), next_fit }
    }

    /// The parameters.
    #[must_use]
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// How many samples there are.
    #[must_use]
    pub fn samples(&self) -> usize {
        self.data.x.len()
    }

    /// The values to try in the sample of that number.
    #[must_use]
    pub fn draw(&self, number: u64) -> Vec<f64> {
        let mut rng = Rng::stream(self.seed, number);
        let mut x: Vec<f64> =
            self.parameters.iter().map(|_| 2.0 * uniform(&mut rng) - 1.0).collect();
        // Gibbs sampling, along one parameter after the other.
        if let Some(start) = self.start(&mut rng) {
            x = start;
            for _ in 0..SWEEPS {
                for i in 0..x.len() {
                    self.move_along(i, &mut x, &mut rng);
                }
            }
        }
        self.values(&x)
    }

    /// A sample, each as likely as its weight.
    fn start(&self, rng: &mut Rng) -> Option<Vec<f64>> {
        let mut left = uniform(rng) * self.local.weights.iter().sum::<f64>();
        let chosen = self.local.weights.iter().position(|weight| {
            left -= weight;
            left < 0.0
        });
        self.data.x.get(chosen?).cloned()
    }

    /// Draws one coordinate anew, by the weights along its line. By slices: unlike plain rejection
    /// this also ends soon where the neighbourhood is a tiny part of the range.
    fn move_along(&self, i: usize, x: &mut [f64], rng: &mut Rng) {
        let level = self.local.log_weight(x) + (1.0 - uniform(rng)).ln();
        let (mut low, mut high) = (-1.0, 1.0);
        let here = x[i];
        while high - low > 1e-9 {
            x[i] = low + (high - low) * uniform(rng);
            if self.local.log_weight(x) >= level {
                return;
            }
            if x[i] < here { low = x[i] } else { high = x[i] }
        }
        x[i] = here;
    }

    fn values(&self, x: &[f64]) -> Vec<f64> {
        self.parameters.iter().zip(x).map(|(parameter, &x)| parameter.value(x)).collect()
    }

    /// Hears the result of a sample.
    pub fn add(&mut self, values: &[f64], score: Score) {
        let x = self.parameters.iter().zip(values).map(|(p, &value)| p.coordinate(value));
        self.data.x.push(x.collect());
        self.data.games.push(f64::from(score.games()));
        self.data.points.push(f64::from(score.games()) * score.rate());
        let samples = self.samples();
        // One sample in twenty changes little. The schedule depends on nothing but their number, so
        // that a tuning goes on exactly where it was left.
        if samples >= self.next_fit {
            self.local = Local::of(&self.data);
            self.next_fit = samples + 1 + samples / 20;
        } else {
            let weight = self.local.log_weight(&self.data.x[samples - 1]).exp();
            self.local.weights.push(weight);
        }
    }

    /// The same with weights that know of every sample.
    fn settled(&self) -> Self {
        Self { local: Local::of(&self.data), ..self.clone() }
    }

    /// The coordinates of the optimum.
    fn centre(&self) -> Vec<f64> {
        match self.samples() {
            0 => vec![0.0; self.parameters.len()],
            _ => self.data.mean(&self.local.weights),
        }
    }

    /// The optimum as far as is known.
    #[must_use]
    pub fn optimum(&self) -> Optimum {
        let centre = self.centre();
        let (rate, rate_interval) = self.rate_at(&centre);
        Optimum { values: self.values(&centre), rate, rate_interval }
    }

    /// The rate of points at a point with its 95 % interval; anything before the first sample.
    fn rate_at(&self, x: &[f64]) -> (f64, (f64, f64)) {
        let Some(Round { fit, .. }) = self.local.rounds.last() else {
            return (0.5, (0.0, 1.0));
        };
        let (q, margin) = (fit.at(x), Z95 * fit.deviation_at(x));
        (logistic(q), (logistic(q - margin), logistic(q + margin)))
    }

    /// The coordinates of the samples in the neighbourhood.
    fn near(&self) -> Vec<&[f64]> {
        let weighted = self.data.x.iter().zip(&self.local.weights);
        weighted.filter(|(_, weight)| **weight > NEAR).map(|(x, _)| x.as_slice()).collect()
    }

    /// The optimum with the interval of each value, from all samples.
    #[must_use]
    pub fn estimate(&self) -> Tuned {
        let this = self.settled();
        let near = this.near();
        let mut best: Vec<Vec<f64>> = vec![Vec::new(); self.parameters.len()];
        if let Some(Round { fit, .. }) = this.local.rounds.last() {
            // Far from the streams of the draws.
            let mut rng = Rng::stream(self.seed, 1 << 63);
            for _ in 0..DRAWS {
                let drawn = fit.draw(|| normal(&mut rng));
                let top = near.iter().max_by(|a, b| drawn.at(a).total_cmp(&drawn.at(b)));
                for (best, &x) in best.iter_mut().zip(top.into_iter().copied().flatten()) {
                    best.push(x);
                }
            }
        }
        let intervals = best.iter_mut().zip(&self.parameters).map(|(best, parameter)| {
            best.sort_by(f64::total_cmp);
            let tail = best.len() / 40;
            match best.get(tail..best.len() - tail) {
                Some([low, .., high]) => (parameter.value(*low), parameter.value(*high)),
                _ => (parameter.min, parameter.max),
            }
        });
        Tuned { intervals: intervals.collect(), optimum: this.optimum() }
    }

    /// The fitted rate along one parameter through the optimum, as far as there are samples in the
    /// neighbourhood; and all samples in groups, where a sample counts as much as it would with
    /// this parameter at the optimum.
    pub(super) fn profile(&self, i: usize, curve: usize, groups: usize) -> Profile {
        let this = self.settled();
        let parameter = &self.parameters[i];
        let centre = this.centre();
        let moved = |x: f64| {
            let mut point = centre.clone();
            point[i] = x;
            point
        };
        let near = this.near();
        let low = near.iter().map(|x| x[i]).fold(centre[i], f64::min);
        let high = near.iter().map(|x| x[i]).fold(centre[i], f64::max);
        let along = |k: usize| {
            let x = low + (high - low) * k as f64 / (curve - 1) as f64;
            let (rate, interval) = this.rate_at(&moved(x));
            (parameter.mark(x), rate, interval)
        };
        let weight = |x: &Vec<f64>| {
            let mut x = x.clone();
            x[i] = centre[i];
            this.local.log_weight(&x).exp()
        };
        let weights: Vec<f64> = this.data.x.iter().map(weight).collect();
        let mut order: Vec<usize> = (0..this.samples()).collect();
        order.sort_by(|&a, &b| this.data.x[a][i].total_cmp(&this.data.x[b][i]));
        let share = weights.iter().sum::<f64>() / groups as f64;
        let mut profile = Profile { curve: (0..curve).map(along).collect(), groups: Vec::new() };
        let mut group = vec![0.0; weights.len()];
        let mut filled = 0.0;
        for (place, &k) in order.iter().enumerate() {
            group[k] = weights[k];
            filled += weights[k];
            if filled >= share || place + 1 == order.len() {
                let (m, s) = this.data.log_odds(&group);
                let at = parameter.mark(this.data.mean(&group)[i]);
                let interval = (logistic(m - Z95 * s), logistic(m + Z95 * s));
                profile.groups.push((at, logistic(m), interval));
                group.fill(0.0);
                filled = 0.0;
            }
        }
        profile
    }
}

/// The rate along one parameter: value, rate and 95 % interval.
pub(super) struct Profile {
    pub(super) curve: Vec<(f64, f64, (f64, f64))>,
    pub(super) groups: Vec<(f64, f64, (f64, f64))>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Many games of a peak at 0.25, with just the results to be expected.
    fn peak() -> Clop {
        let mut clop = Clop::new(vec![Parameter::new("x", -1.0, 1.0)], 1);
        for i in 0..=40 {
            let x = f64::from(i) / 20.0 - 1.0;
            let wins = (100.0 * logistic(1.0 - 4.0 * (x - 0.25).powi(2))).round() as u32;
            clop.add(&[x], Score { wins, draws: 0, losses: 100 - wins });
        }
        clop.settled()
    }

    #[test]
    fn weights_follow_the_formula() {
        let clop = peak();
        let Local { rounds, weights } = &clop.local;
        assert!(rounds.len() > 1);
        for (x, &weight) in clop.data.x.iter().zip(weights) {
            let least = rounds
                .iter()
                .map(|round| ((round.fit.at(x) - round.mean) / round.width).exp())
                .fold(1.0, f64::min);
            assert!((weight - least).abs() < 1e-12);
        }
        // The first width by hand: H times the standard deviation of the log-odds of all games.
        let games: f64 = clop.data.games.iter().sum();
        let rate = (clop.data.points.iter().sum::<f64>() + 0.5) / (games + 1.0);
        let width = 3.0 / ((games + 1.0) * rate * (1.0 - rate)).sqrt();
        assert!((rounds[0].width - width).abs() < 1e-12);
        // With so many games only the surroundings of the peak are left, and the mean is there.
        assert!(weights[0] < 1e-6 && weights[25] > 0.99);
        let optimum = clop.optimum();
        assert!((optimum.values[0] - 0.25).abs() < 0.02, "{optimum:?}");
        assert!((optimum.rate - logistic(1.0)).abs() < 0.03, "{optimum:?}");
    }

    #[test]
    fn draws_follow_the_weights() {
        let clop = peak();
        let weight = |x: f64| clop.local.log_weight(&[x]).exp();
        let integral = |from: f64, to: f64| {
            let at = |i: u32| weight(from + (to - from) * (f64::from(i) + 0.5) / 1000.0);
            (to - from) * (0..1000).map(at).sum::<f64>()
        };
        let share = integral(-1.0, 0.15) / integral(-1.0, 1.0);
        assert!((0.05..0.45).contains(&share), "{share}");
        let below = (0..4000).filter(|&number| clop.draw(number)[0] < 0.15).count();
        // Four standard deviations.
        let margin = 4.0 * (share * (1.0 - share) / 4000.0).sqrt();
        assert!((below as f64 / 4000.0 - share).abs() < margin, "{below} {share}");
    }
}
