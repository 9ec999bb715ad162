//! The global head: from means and maxima over the board to numbers of the whole position.

use kosumi_learn::{WeightFile, WeightFileError};

use crate::layer::{CEILING, Layer, Numbers, UNIT, wrong};

const SECTION: &str = "globals";
/// No output can be larger, so that none becomes infinite.
const MOST: f64 = 1e30;

/// Two layers in floating point.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Globals {
    /// For each hidden unit the weights of all means, then of all maxima.
    hidden: Vec<Vec<f32>>,
    hidden_bias: Vec<f32>,
    /// For each output the weights of all hidden units.
    last: Vec<Vec<f32>>,
    last_bias: Vec<f32>,
}

/// Room for the computation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pooled {
    means: Vec<i64>,
    maxima: Vec<i32>,
    numbers: Vec<f32>,
    hidden: Vec<f32>,
}

impl Globals {
    pub(crate) fn read(
        file: &WeightFile,
        values: usize,
        outputs: usize,
    ) -> Result<Self, WeightFileError> {
        let count = values * (2 * values + 1) + outputs * (values + 1);
        let mut numbers = Numbers::of(file, SECTION, 4 * count)?;
        let hidden: Vec<_> = (0..values).map(|_| numbers.f32s(2 * values)).collect();
        let hidden_bias = numbers.f32s(values);
        let last: Vec<_> = (0..outputs).map(|_| numbers.f32s(values)).collect();
        let globals = Self { hidden, hidden_bias, last, last_bias: numbers.f32s(outputs) };
        let all = [&globals.hidden_bias, &globals.last_bias];
        for number in globals.hidden.iter().chain(&globals.last).chain(all).flatten() {
            if number.is_nan() {
                return Err(wrong(SECTION, "it contains NaN"));
            }
            if number.is_infinite() {
                return Err(wrong(SECTION, "it contains an infinite number"));
            }
        }
        if globals.most() > MOST {
            return Err(wrong(SECTION, "its weights are so large that sums would overflow"));
        }
        Ok(globals)
    }

    /// What an output can be at most.
    fn most(&self) -> f64 {
        let ceiling = f64::from(CEILING) / f64::from(UNIT);
        let sum = |weights: &[f32]| weights.iter().map(|&w| f64::from(w).abs()).sum::<f64>();
        let hidden = self.hidden.iter().zip(&self.hidden_bias);
        let hidden: Vec<f64> =
            hidden.map(|(weights, &bias)| ceiling * sum(weights) + f64::from(bias).abs()).collect();
        let largest = hidden.iter().copied().fold(0.0, f64::max);
        let outputs = self.last.iter().zip(&self.last_bias).map(|(weights, &bias)| {
            let sum = weights.iter().zip(&hidden).map(|(&w, hidden)| f64::from(w).abs() * hidden);
            sum.sum::<f64>() + f64::from(bias).abs()
        });
        outputs.fold(largest, f64::max)
    }

    /// The outputs by the sums of the value's layer on all cells. Floating point in a fixed order: the
    /// same bits everywhere.
    pub(crate) fn evaluate(
        &self,
        layer: &Layer,
        sums: &[i32],
        pooled: &mut Pooled,
        outputs: &mut Vec<f32>,
    ) {
        let values = self.hidden.len();
        let cells = sums.len() / layer.outputs;
        let Pooled { means, maxima, numbers, hidden } = pooled;
        means.clear();
        means.resize(values, 0);
        maxima.clear();
        maxima.resize(values, 0);
        let ceiling = CEILING << layer.shift;
        for sums in sums.chunks_exact(layer.outputs) {
            for ((mean, most), &sum) in means.iter_mut().zip(maxima.iter_mut()).zip(sums) {
                let sum = sum.clamp(0, ceiling);
                *mean += i64::from(sum);
                *most = sum.max(*most);
            }
        }
        let scale = (UNIT as f32) * (1u32 << layer.shift) as f32;
        numbers.clear();
        numbers.extend(means.iter().map(|&sum| sum as f32 / (scale * cells as f32)));
        numbers.extend(maxima.iter().map(|&most| layer.number(most)));
        hidden.clear();
        hidden.extend(self.hidden.iter().zip(&self.hidden_bias).map(|(weights, &bias)| {
            let sum = weights.iter().zip(&*numbers).fold(bias, |sum, (w, number)| sum + w * number);
            sum.max(0.0)
        }));
        outputs.clear();
        outputs.extend(self.last.iter().zip(&self.last_bias).map(|(weights, &bias)| {
            weights.iter().zip(&*hidden).fold(bias, |sum, (w, hidden)| sum + w * hidden)
        }));
    }
}
