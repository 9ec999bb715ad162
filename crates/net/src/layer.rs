//! Layers in integers: what they hold, how they are read, and why their sums cannot overflow.

use kosumi_learn::{WeightFile, WeightFileError};

/// Activations are in units of 1/256.
pub(crate) const UNIT: i32 = 256;
/// Activations end here.
pub(crate) const CEILING: i32 = 8191;
/// Scalars end here, on both sides of 0.
pub(crate) const SCALAR_CEILING: i32 = 65_536;
/// Outputs are computed so many at a time.
pub(crate) const LANES: usize = 16;
/// A layer reads so many inputs at a time.
pub(crate) const PAIR: usize = 2;

/// A convolution over some places around each cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layer {
    /// Rounded up to [`PAIR`]; the last one may be idle.
    pub(crate) inputs: usize,
    /// Rounded up to [`LANES`]; the last ones may be idle.
    pub(crate) outputs: usize,
    pub(crate) taps: usize,
    /// Weights are in units of 2^-shift.
    pub(crate) shift: u32,
    /// In units of the sums: 1/256 times that of the weights.
    pub(crate) bias: Vec<i32>,
    /// By tap, pair of inputs, output, and input of the pair: as instructions for pairs read them.
    pub(crate) weights: Vec<i16>,
    /// The same by tap, input and output.
    pub(crate) singly: Vec<i16>,
}

/// A layer without places: its sums are added to those of a convolution on every cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Dense {
    shift: u32,
    /// In the unit of its own sums, as for [`Layer`].
    bias: Vec<i32>,
    /// By input and output.
    weights: Vec<i16>,
    /// What a sum can be at most, for any inputs.
    most: Vec<i64>,
}

/// A problem of a section.
pub(crate) fn wrong(section: &str, problem: impl Into<String>) -> WeightFileError {
    WeightFileError::Section { section: section.to_owned(), problem: problem.into() }
}

/// The numbers of a section of known length, from its beginning.
pub(crate) struct Numbers<'a>(std::slice::Iter<'a, u8>);

impl<'a> Numbers<'a> {
    pub(crate) fn of(
        file: &'a WeightFile,
        section: &str,
        length: usize,
    ) -> Result<Self, WeightFileError> {
        let bytes = file.section(section)?;
        if bytes.len() != length {
            let problem = if bytes.len() < length { "short" } else { "long" };
            let found = bytes.len();
            return Err(wrong(
                section,
                format!("it is too {problem}: {found} bytes, not {length}"),
            ));
        }
        Ok(Self(bytes.iter()))
    }

    fn next<const N: usize>(&mut self) -> [u8; N] {
        // The length is checked when a section is opened.
        std::array::from_fn(|_| self.0.next().copied().unwrap_or(0))
    }

    pub(crate) fn f32s(&mut self, count: usize) -> Vec<f32> {
        (0..count).map(|_| f32::from_le_bytes(self.next())).collect()
    }

    /// What all layers begin with: how fine the weights are, and the biases.
    fn shift_and_bias(
        &mut self,
        section: &str,
        outputs: usize,
    ) -> Result<(u32, Vec<i32>), WeightFileError> {
        let shift = u32::from_le_bytes(self.next());
        if !(1..=15).contains(&shift) {
            return Err(wrong(section, format!("its shift is {shift}, but must be 1 to 15")));
        }
        Ok((shift, (0..outputs).map(|_| i32::from_le_bytes(self.next())).collect()))
    }
}

/// Bytes of a layer with so many weights for each output.
fn bytes(outputs: usize, weights: usize) -> usize {
    4 + 4 * outputs + 2 * weights * outputs
}

impl Layer {
    /// Reads a layer to whose sums those of `added` are added, if any.
    pub(crate) fn read(
        file: &WeightFile,
        section: &str,
        [inputs, outputs, taps]: [usize; 3],
        added: Option<&Dense>,
    ) -> Result<Self, WeightFileError> {
        let mut numbers = Numbers::of(file, section, bytes(outputs, taps * inputs))?;
        let (shift, mut bias) = numbers.shift_and_bias(section, outputs)?;
        // What a sum can be at most, for any activations.
        let mut most: Vec<i64> = bias.iter().map(|&bias| i64::from(bias).abs()).collect();
        if let Some(added) = added {
            let added = added.most.iter().map(|&most| added.rescaled_most(most, shift));
            most.iter_mut().zip(added).for_each(|(most, added)| *most += added);
        }
        let (depth, room) = (inputs.next_multiple_of(PAIR), outputs.next_multiple_of(LANES));
        bias.resize(room, 0);
        let mut weights = vec![0; taps * depth * room];
        let mut singly = weights.clone();
        for tap in 0..taps {
            for input in 0..inputs {
                let (pair, of_pair) = (input / PAIR, input % PAIR);
                for (output, most) in most.iter_mut().enumerate() {
                    let weight = i16::from_le_bytes(numbers.next());
                    let place = (tap * (depth / PAIR) + pair) * room + output;
                    weights[place * PAIR + of_pair] = weight;
                    singly[(tap * depth + input) * room + output] = weight;
                    *most += i64::from(weight).abs() * i64::from(CEILING);
                }
            }
        }
        // Half a unit is added for rounding.
        if most.iter().any(|&most| most + (1 << (shift - 1)) > i64::from(i32::MAX)) {
            return Err(wrong(section, "its weights are so large that sums would overflow"));
        }
        Ok(Self { inputs: depth, outputs: room, taps, shift, bias, weights, singly })
    }

    /// A sum of this layer as a number.
    pub(crate) fn number(&self, sum: i32) -> f32 {
        sum as f32 / (UNIT << self.shift) as f32
    }
}

impl Dense {
    /// Reads a layer whose inputs are at most `ceiling`.
    pub(crate) fn read(
        file: &WeightFile,
        section: &str,
        [inputs, outputs]: [usize; 2],
        ceiling: i32,
    ) -> Result<Self, WeightFileError> {
        let mut numbers = Numbers::of(file, section, bytes(outputs, inputs))?;
        let (shift, bias) = numbers.shift_and_bias(section, outputs)?;
        let weights: Vec<i16> =
            (0..inputs * outputs).map(|_| i16::from_le_bytes(numbers.next())).collect();
        let mut most: Vec<i64> = bias.iter().map(|&bias| i64::from(bias).abs()).collect();
        for weights in weights.chunks_exact(outputs) {
            for (most, &weight) in most.iter_mut().zip(weights) {
                *most += i64::from(weight).abs() * i64::from(ceiling);
            }
        }
        Ok(Self { shift, bias, weights, most })
    }

    /// Writes the bias of a convolution with this layer's sums added to `total`.
    pub(crate) fn add(
        &self,
        layer: &Layer,
        inputs: &[i32],
        sums: &mut Vec<i64>,
        total: &mut Vec<i32>,
    ) {
        let outputs = self.bias.len();
        debug_assert_eq!(inputs.len() * outputs, self.weights.len());
        sums.clear();
        sums.extend(self.bias.iter().map(|&bias| i64::from(bias)));
        for (&input, weights) in inputs.iter().zip(self.weights.chunks_exact(outputs)) {
            // About a third of all means and maxima.
            if input != 0 {
                for (sum, &weight) in sums.iter_mut().zip(weights) {
                    *sum += i64::from(input) * i64::from(weight);
                }
            }
        }
        total.clear();
        total.extend(layer.bias.iter().zip(&*sums).map(|(&bias, &sum)| {
            let sum = i64::from(bias) + self.rescaled(sum, layer.shift);
            // The bound was checked when the convolution was read.
            i32::try_from(sum).expect("sums do not overflow")
        }));
    }

    /// A sum in the unit of a convolution with that shift.
    fn rescaled(&self, sum: i64, shift: u32) -> i64 {
        if shift >= self.shift { sum << (shift - self.shift) } else { sum >> (self.shift - shift) }
    }

    /// A bound of sums on both sides of 0, the same: those below 0 are rounded down.
    fn rescaled_most(&self, most: i64, shift: u32) -> i64 {
        -self.rescaled(-most, shift)
    }
}
