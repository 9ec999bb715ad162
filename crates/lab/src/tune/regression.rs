//! Quadratic logistic regression: the log-odds of winning as a quadratic function of the parameters.
//!
//! The coefficients have a Gaussian prior of mean 0, in coordinates whose weighted samples have mean
//! 0 and variance 1. So the prior means the same whether the samples cover the whole range or a
//! small neighbourhood, and Newton's equations are well conditioned in both.

use crate::stats::logistic;

/// Standard deviation of the prior of the constant: rates from nearly 0 to nearly 1.
const PRIOR_CONSTANT: f64 = 5.0;
/// Standard deviation of the prior of all other coefficients. Not much: a quadratic that believes
/// its first few samples leaves the optimum behind; of many samples any prior is overruled.
const PRIOR: f64 = 0.5;

/// Samples as regression sees them.
#[derive(Clone, Debug, Default)]
pub(super) struct Data {
    /// The coordinates of each sample.
    pub(super) x: Vec<Vec<f64>>,
    /// The games of each sample.
    pub(super) games: Vec<f64>,
    /// Its points: a draw is half of one.
    pub(super) points: Vec<f64>,
}

impl Data {
    /// The weighted mean of the samples' coordinates.
    pub(super) fn mean(&self, weights: &[f64]) -> Vec<f64> {
        let parameters = self.x.first().map_or(0, Vec::len);
        let total: f64 = weights.iter().sum();
        let mut mean = vec![0.0; parameters];
        for (x, weight) in self.x.iter().zip(weights) {
            mean.iter_mut().zip(x).for_each(|(m, x)| *m += weight / total * x);
        }
        mean
    }

    fn deviation(&self, weights: &[f64], mean: &[f64]) -> Vec<f64> {
        let total: f64 = weights.iter().sum();
        let mut variance = vec![0.0; mean.len()];
        for (x, weight) in self.x.iter().zip(weights) {
            for ((v, x), m) in variance.iter_mut().zip(x).zip(mean) {
                *v += weight / total * (x - m) * (x - m);
            }
        }
        // All samples on one whole number have no deviation at all.
        variance.iter().map(|v| v.sqrt().max(1e-3)).collect()
    }

    /// The log-odds of all samples together, and its standard deviation: a regression with nothing
    /// but the constant.
    pub(super) fn log_odds(&self, weights: &[f64]) -> (f64, f64) {
        let (mut games, mut points) = (0.0, 0.0);
        for ((n, y), weight) in self.games.iter().zip(&self.points).zip(weights) {
            games += weight * n;
            points += weight * y;
        }
        // Half a game more on each side, so that a rate of 0 or 1 has log-odds too.
        let rate = (points + 0.5) / (games + 1.0);
        let information = (games + 1.0) * rate * (1.0 - rate);
        ((rate / (1.0 - rate)).ln(), information.sqrt().recip())
    }
}

/// A fitted quadratic.
#[derive(Clone, Debug)]
pub(super) struct Quadratic {
    centre: Vec<f64>,
    scale: Vec<f64>,
    coefficients: Vec<f64>,
    /// Cholesky factor of the precision of the coefficients, lower triangle, row by row.
    factor: Vec<f64>,
}

/// 1, the coordinates, and their products.
fn features(z: impl Iterator<Item = f64>, out: &mut Vec<f64>) {
    out.clear();
    out.push(1.0);
    out.extend(z);
    let last = out.len();
    for i in 1..last {
        for j in i..last {
            out.push(out[i] * out[j]);
        }
    }
}

/// ln(1 + e^q) without overflow.
fn softplus(q: f64) -> f64 {
    q.max(0.0) + (-q.abs()).exp().ln_1p()
}

impl Quadratic {
    /// The most probable quadratic for the weighted samples, by Newton's method.
    pub(super) fn fit(data: &Data, weights: &[f64]) -> Self {
        let centre = data.mean(weights);
        let scale = data.deviation(weights, &centre);
        let mut this = Self { centre, scale, coefficients: Vec::new(), factor: Vec::new() };
        let mut rows = Rows::default();
        let mut phi = Vec::new();
        for (i, &weight) in weights.iter().enumerate() {
            if weight > 1e-9 {
                features(this.standard(&data.x[i]), &mut phi);
                rows.features.extend_from_slice(&phi);
                rows.games.push(weight * data.games[i]);
                rows.points.push(weight * data.points[i]);
            }
        }
        let d = this.centre.len();
        let count = 1 + d + d * (d + 1) / 2;
        this.coefficients = vec![0.0; count];
        this.coefficients[0] = data.log_odds(weights).0;
        let mut here = rows.derivatives(&this.coefficients);
        // Newton needs about five steps; the objective is concave, so halving ends.
        for _ in 0..50 {
            cholesky(&mut here.precision, count);
            let mut step = here.gradient.clone();
            solve(&here.precision, &mut step);
            let size = step.iter().fold(0.0, |most: f64, s| most.max(s.abs()));
            let mut share = 1.0;
            let there = loop {
                let moved: Vec<f64> =
                    this.coefficients.iter().zip(&step).map(|(c, s)| c + share * s).collect();
                let there = rows.derivatives(&moved);
                if there.objective >= here.objective || share < 1e-6 {
                    this.coefficients = moved;
                    break there;
                }
                share /= 2.0;
            };
            here = there;
            if size < 1e-5 || share < 1e-6 {
                break;
            }
        }
        cholesky(&mut here.precision, count);
        this.factor = here.precision;
        this
    }

    fn standard<'a>(&'a self, x: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
        x.iter().zip(&self.centre).zip(&self.scale).map(|((x, c), s)| (x - c) / s)
    }

    /// The log-odds at a point.
    pub(super) fn at(&self, x: &[f64]) -> f64 {
        let d = self.centre.len();
        let (linear, quadratic) = self.coefficients[1..].split_at(d);
        let mut q = self.coefficients[0];
        let mut pair = quadratic.iter();
        let z = |i: usize| (x[i] - self.centre[i]) / self.scale[i];
        for (i, slope) in linear.iter().enumerate() {
            q += slope * z(i);
            for j in i..d {
                // There is a coefficient for each pair.
                q += pair.next().copied().unwrap_or(0.0) * z(i) * z(j);
            }
        }
        q
    }

    /// The same quadratic with coefficients drawn from their posterior distribution, where `normal`
    /// gives standard normal numbers.
    pub(super) fn draw(&self, mut normal: impl FnMut() -> f64) -> Self {
        let mut step: Vec<f64> = self.coefficients.iter().map(|_| normal()).collect();
        backward(&self.factor, &mut step);
        let mut drawn = self.clone();
        drawn.coefficients.iter_mut().zip(step).for_each(|(c, s)| *c += s);
        drawn
    }

    /// The standard deviation of the log-odds at a point.
    pub(super) fn deviation_at(&self, x: &[f64]) -> f64 {
        let mut phi = Vec::new();
        features(self.standard(x), &mut phi);
        forward(&self.factor, &mut phi);
        phi.iter().map(|v| v * v).sum::<f64>().sqrt()
    }
}

/// The weighted samples with their features, row by row.
#[derive(Default)]
struct Rows {
    features: Vec<f64>,
    games: Vec<f64>,
    points: Vec<f64>,
}

/// The logarithm of the posterior and its derivatives.
struct Derivatives {
    objective: f64,
    gradient: Vec<f64>,
    /// Minus the second derivatives, lower triangle of a square.
    precision: Vec<f64>,
}

impl Rows {
    fn derivatives(&self, coefficients: &[f64]) -> Derivatives {
        let count = coefficients.len();
        let mut objective = 0.0;
        let mut gradient = vec![0.0; count];
        let mut precision = vec![0.0; count * count];
        for (k, c) in coefficients.iter().enumerate() {
            let prior = if k == 0 { PRIOR_CONSTANT } else { PRIOR };
            let tau = 1.0 / (prior * prior);
            objective -= 0.5 * tau * c * c;
            gradient[k] = -tau * c;
            precision[k * count + k] = tau;
        }
        let outcomes = self.games.iter().zip(&self.points);
        for (phi, (&games, &points)) in self.features.chunks_exact(count).zip(outcomes) {
            let q: f64 = phi.iter().zip(coefficients).map(|(f, c)| f * c).sum();
            let p = logistic(q);
            objective += points * q - games * softplus(q);
            let (slope, curve) = (points - games * p, games * p * (1.0 - p));
            for (i, f) in phi.iter().enumerate() {
                gradient[i] += slope * f;
                let row = &mut precision[i * count..=i * count + i];
                row.iter_mut().zip(phi).for_each(|(h, g)| *h += curve * f * g);
            }
        }
        Derivatives { objective, gradient, precision }
    }
}

/// Replaces the lower triangle of a positive definite matrix by its Cholesky factor.
fn cholesky(a: &mut [f64], n: usize) {
    for i in 0..n {
        for j in 0..=i {
            let dot: f64 = (0..j).map(|k| a[i * n + k] * a[j * n + k]).sum();
            let rest = a[i * n + j] - dot;
            // The prior keeps the diagonal above 0 but for rounding.
            a[i * n + j] = if i == j { rest.max(1e-12).sqrt() } else { rest / a[j * n + j] };
        }
    }
}

/// Solves `L y = b` in place.
fn forward(factor: &[f64], b: &mut [f64]) {
    let n = b.len();
    for i in 0..n {
        let dot: f64 = (0..i).map(|k| factor[i * n + k] * b[k]).sum();
        b[i] = (b[i] - dot) / factor[i * n + i];
    }
}

/// Solves `L Lᵀ x = b` in place.
fn solve(factor: &[f64], b: &mut [f64]) {
    forward(factor, b);
    backward(factor, b);
}

/// Solves `Lᵀ x = b` in place.
fn backward(factor: &[f64], b: &mut [f64]) {
    let n = b.len();
    for i in (0..n).rev() {
        let dot: f64 = (i + 1..n).map(|k| factor[k * n + i] * b[k]).sum();
        b[i] = (b[i] - dot) / factor[i * n + i];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cholesky_by_hand() {
        // [4 2; 2 5] = L Lᵀ with L = [2 0; 1 2]; [4 2; 2 5] x = (8, 8) has x = (1.5, 1).
        let mut a = vec![4.0, 0.0, 2.0, 5.0];
        cholesky(&mut a, 2);
        assert_eq!([a[0], a[2], a[3]], [2.0, 1.0, 2.0]);
        let mut b = [8.0, 8.0];
        solve(&a, &mut b);
        assert_eq!(b, [1.5, 1.0]);
    }

    #[test]
    fn all_samples_together_by_hand() {
        let data = Data { x: vec![vec![0.0]; 2], games: vec![2.0; 2], points: vec![2.0, 0.5] };
        // Weighted 1 and ½: 2.25 points of 3 games, with half a game each 2.75 of 4.
        let (m, s) = data.log_odds(&[1.0, 0.5]);
        assert!((m - (2.75_f64 / 1.25).ln()).abs() < 1e-12);
        assert!((s - (4.0_f64 * 0.6875 * 0.3125).sqrt().recip()).abs() < 1e-12);
    }

    #[test]
    fn a_quadratic_is_found_again() {
        // Expected results on a grid, of many games: the prior hardly counts.
        let truth = |x: &[f64]| 0.5 + x[0] - 0.5 * x[1] - x[0] * x[0] + 0.5 * x[0] * x[1];
        let mut data = Data::default();
        for i in 0..=10 {
            for j in 0..=10 {
                let x = vec![f64::from(i) / 5.0 - 1.0, f64::from(j) / 5.0 - 1.0];
                data.points.push(1e4 * logistic(truth(&x)));
                data.games.push(1e4);
                data.x.push(x);
            }
        }
        let mut weights = vec![1.0; data.x.len()];
        // What has no weight does not count, whatever it says.
        weights[60] = 0.0;
        data.points[60] = 0.0;
        let fit = Quadratic::fit(&data, &weights);
        for x in [[0.3, -0.7], [0.0, 0.0], [-1.0, 1.0]] {
            assert!((fit.at(&x) - truth(&x)).abs() < 1e-3, "{} {}", fit.at(&x), truth(&x));
            assert!(fit.deviation_at(&x) < 0.02);
        }
        assert!(fit.deviation_at(&[3.0, 3.0]) > 3.0 * fit.deviation_at(&[0.0, 0.0]));
        // What is drawn from the posterior deviates as much as the posterior says.
        let mut rng = kosumi_game::Rng::new(1);
        let x = [0.9, 0.9];
        let mut normal =
            || (0..12).map(|_| f64::from(rng.below(1 << 20)) / 1048576.0).sum::<f64>() - 6.0;
        let square =
            (0..2000).map(|_| (fit.draw(&mut normal).at(&x) - fit.at(&x)).powi(2)).sum::<f64>();
        let ratio = (square / 2000.0).sqrt() / fit.deviation_at(&x);
        assert!((0.93..1.07).contains(&ratio), "{ratio}");
    }

    #[test]
    fn hopeless_samples_do_no_harm() {
        let data = Data { x: vec![vec![0.5]; 30], games: vec![2.0; 30], points: vec![2.0; 30] };
        let fit = Quadratic::fit(&data, &[1.0; 30]);
        assert!(fit.at(&[0.5]) > 2.0 && fit.at(&[-1.0]).is_finite());
    }
}
