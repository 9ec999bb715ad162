//! One convolution: what it holds, how it is read, and why its sums cannot overflow.

use kosumi_learn::{WeightFile, WeightFileError};

/// Activations are in units of 1/256.
pub(crate) const UNIT: i32 = 256;
/// Activations end here.
pub(crate) const CEILING: i32 = 8191;
/// Outputs are computed so many at a time.
pub(crate) const LANES: usize = 16;
/// A layer reads so many inputs at a time.
pub(crate) const PAIR: usize = 2;

/// A convolution over some places around each cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layer {
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

/// Reads numbers of a section from its beginning.
pub(crate) struct Numbers<'a> {
    section: &'a str,
    bytes: &'a [u8],
}

impl<'a> Numbers<'a> {
    pub(crate) fn of(file: &'a WeightFile, section: &'a str) -> Result<Self, WeightFileError> {
        Ok(Self { section, bytes: file.section(section)? })
    }

    pub(crate) fn wrong(&self, problem: impl Into<String>) -> WeightFileError {
        WeightFileError::Section { section: self.section.to_owned(), problem: problem.into() }
    }

    pub(crate) fn next<const N: usize>(&mut self) -> Result<[u8; N], WeightFileError> {
        let Some((number, rest)) = self.bytes.split_first_chunk() else {
            return Err(self.wrong("it is too short"));
        };
        self.bytes = rest;
        Ok(*number)
    }

    pub(crate) fn end(&self) -> Result<(), WeightFileError> {
        if self.bytes.is_empty() { Ok(()) } else { Err(self.wrong("it is too long")) }
    }
}

impl Layer {
    pub(crate) fn read(
        file: &WeightFile,
        section: &str,
        inputs: usize,
        outputs: usize,
        taps: usize,
    ) -> Result<Self, WeightFileError> {
        let mut numbers = Numbers::of(file, section)?;
        let shift = u32::from_le_bytes(numbers.next()?);
        if !(1..=15).contains(&shift) {
            return Err(numbers.wrong(format!("weights in units of 2^-{shift}")));
        }
        let room = outputs.next_multiple_of(LANES);
        let mut bias = vec![0; room];
        for bias in &mut bias[..outputs] {
            *bias = i32::from_le_bytes(numbers.next()?);
        }
        let mut weights = vec![0; taps * inputs * room];
        let mut singly = weights.clone();
        // What a sum can be at most, for any activations.
        let mut most: Vec<i64> = bias.iter().map(|&bias| i64::from(bias).abs()).collect();
        for tap in 0..taps {
            for input in 0..inputs {
                let (pair, of_pair) = (input / PAIR, input % PAIR);
                for (output, most) in most[..outputs].iter_mut().enumerate() {
                    let weight = i16::from_le_bytes(numbers.next()?);
                    let place = (tap * (inputs / PAIR) + pair) * room + output;
                    weights[place * PAIR + of_pair] = weight;
                    singly[(tap * inputs + input) * room + output] = weight;
                    *most += i64::from(weight).abs() * i64::from(CEILING);
                }
            }
        }
        numbers.end()?;
        // Half a unit is added for rounding.
        if most.iter().any(|&most| most + (1 << shift) > i64::from(i32::MAX)) {
            return Err(numbers.wrong("its weights are so large that sums would overflow"));
        }
        Ok(Self { inputs, outputs: room, taps, shift, bias, weights, singly })
    }

    /// A sum of this layer as a number.
    pub(crate) fn number(&self, sum: i32) -> f32 {
        sum as f32 / (UNIT << self.shift) as f32
    }
}
