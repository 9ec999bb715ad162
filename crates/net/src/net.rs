//! The net: a tower of residual blocks over a board, and two heads.

use kosumi_learn::{WeightFile, WeightFileError};

use crate::kernel::{Cells, Output, Path, run};
use crate::layer::{Layer, Numbers, UNIT};

/// The model's name and version in weight files.
const MODEL: &str = "net";
const VERSION: u32 = 1;

/// A cell and its six neighbours on a board of hexagons, as steps of rows and columns.
const HEXAGON: [(isize, isize); 7] = [(-1, 0), (-1, 1), (0, -1), (0, 0), (0, 1), (1, -1), (1, 0)];

/// A net that judges positions.
#[derive(Clone, Debug, PartialEq)]
pub struct Net {
    planes: usize,
    channels: usize,
    first: Layer,
    blocks: Vec<[Layer; 2]>,
    policy: Layer,
    value: Layer,
    odds: Odds,
}

/// The last layers of the value: from means and maxima over the board to the odds of winning.
#[derive(Clone, Debug, PartialEq)]
struct Odds {
    /// For each hidden unit the weights of all means, then of all maxima.
    hidden: Vec<Vec<f32>>,
    hidden_bias: Vec<f32>,
    last: Vec<f32>,
    last_bias: f32,
}

/// What a net says of a position, for the player to move.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Judgement {
    /// For each cell, row by row, the logarithm of how good a move there is, up to a constant.
    pub policy: Vec<f32>,
    /// The logarithm of the odds of winning.
    pub odds: f32,
}

/// What one thread needs to judge positions.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// The board that the buffers are for: rows and columns.
    board: (usize, usize),
    around: Cells,
    alone: Cells,
    input: Vec<i16>,
    tower: [Vec<i16>; 2],
    policy: Vec<i32>,
    value: Vec<i32>,
    judgement: Judgement,
}

impl Net {
    /// Reads a net that sees so many planes of a game's boards.
    ///
    /// # Errors
    /// The file is of another model or game, or what it says makes no sense.
    pub fn from_file(
        file: &WeightFile,
        game: &str,
        planes: usize,
    ) -> Result<Self, WeightFileError> {
        file.check(game, MODEL, VERSION)?;
        let mut shape = Numbers::of(file, "shape")?;
        let mut number = || Ok(u32::from_le_bytes(shape.next()?) as usize);
        let (channels, blocks, values): (usize, usize, usize) = (number()?, number()?, number()?);
        shape.end()?;
        let even = |count: usize| (16..=512).contains(&count) && count.is_multiple_of(16);
        if !even(channels) || !even(values) || blocks > 100 {
            let told =
                format!("{channels} channels, {blocks} blocks, {values} channels of the value");
            return Err(shape.wrong(told));
        }
        let around = |number: usize, inputs: usize| {
            Layer::read(file, &format!("layer{number}"), inputs, channels, HEXAGON.len())
        };
        let block = |number: usize| {
            Ok([around(2 * number + 1, channels)?, around(2 * number + 2, channels)?])
        };
        Ok(Self {
            planes,
            channels,
            first: around(0, planes)?,
            blocks: (0..blocks).map(block).collect::<Result<_, WeightFileError>>()?,
            policy: Layer::read(file, "policy", channels, 1, 1)?,
            value: Layer::read(file, "value", channels, values, 1)?,
            odds: Odds::read(file, values)?,
        })
    }

    /// Judges a position. `plane` tells whether a plane is set at a row and a column of the board with
    /// a margin of one: row 0 and column 0 are the margin.
    pub fn judge<'a>(
        &self,
        scratch: &'a mut Scratch,
        board: (usize, usize),
        plane: impl FnMut(usize, usize, usize) -> bool,
    ) -> &'a Judgement {
        self.judge_by(Path::best(), scratch, board, plane)
    }

    /// The same with instructions that this CPU has.
    pub fn judge_by<'a>(
        &self,
        path: Path,
        scratch: &'a mut Scratch,
        board: (usize, usize),
        mut plane: impl FnMut(usize, usize, usize) -> bool,
    ) -> &'a Judgement {
        scratch.fit(self, board);
        let Scratch { around, alone, input, tower, policy, value, judgement, .. } = scratch;
        let wide = board.1 + 2;
        for (at, input) in input.iter_mut().enumerate() {
            let (cell, number) = (at / self.planes, at % self.planes);
            *input = if plane(number, cell / wide, cell % wide) { UNIT as i16 } else { 0 };
        }
        let [now, next] = tower;
        run(path, &self.first, around, input, Output::Activations(now));
        for [one, other] in &self.blocks {
            run(path, one, around, now, Output::Activations(next));
            run(path, other, around, next, Output::Added(now));
        }
        run(path, &self.policy, alone, now, Output::Sums(policy));
        run(path, &self.value, alone, now, Output::Sums(value));
        judgement.policy.clear();
        let strengths = policy.chunks(self.policy.outputs).map(|sums| self.policy.number(sums[0]));
        judgement.policy.extend(strengths);
        judgement.odds = self.odds.of(&self.value, value, board.0 * board.1);
        judgement
    }
}

impl Odds {
    fn read(file: &WeightFile, values: usize) -> Result<Self, WeightFileError> {
        let mut numbers = Numbers::of(file, "odds")?;
        let mut number = || Ok(f32::from_le_bytes(numbers.next()?));
        let mut many = |count: usize| (0..count).map(|_| number()).collect::<Result<Vec<f32>, _>>();
        let hidden = (0..values).map(|_| many(2 * values)).collect::<Result<Vec<_>, _>>()?;
        let (hidden_bias, last, last_bias) = (many(values)?, many(values)?, many(1)?);
        numbers.end()?;
        let mut all = hidden.iter().flatten().chain(&hidden_bias).chain(&last).chain(&last_bias);
        if !all.all(|number| number.is_finite()) {
            return Err(numbers.wrong("it has numbers that are none"));
        }
        Ok(Self { hidden, hidden_bias, last, last_bias: last_bias[0] })
    }

    /// The odds by the sums of the value's layer. Floating point in a fixed order: the same bits
    /// everywhere.
    fn of(&self, layer: &Layer, sums: &[i32], cells: usize) -> f32 {
        let values = self.last.len();
        let mut means = vec![0i64; values];
        let mut maxima = vec![0i32; values];
        for sums in sums.chunks(layer.outputs) {
            for ((mean, most), &sum) in means.iter_mut().zip(&mut maxima).zip(sums) {
                *mean += i64::from(sum.max(0));
                *most = sum.max(*most);
            }
        }
        let scale = (UNIT as f32) * (1u32 << layer.shift) as f32;
        let means = means.iter().map(|&sum| sum as f32 / (scale * cells as f32));
        let pooled: Vec<f32> = means.chain(maxima.iter().map(|&most| layer.number(most))).collect();
        let mut odds = self.last_bias;
        for ((weights, bias), last) in self.hidden.iter().zip(&self.hidden_bias).zip(&self.last) {
            let mut sum = *bias;
            for (weight, pooled) in weights.iter().zip(&pooled) {
                sum += weight * pooled;
            }
            odds += last * sum.max(0.0);
        }
        odds
    }
}

impl Scratch {
    /// Room for a net on a board.
    fn fit(&mut self, net: &Net, board: (usize, usize)) {
        let (rows, columns) = board;
        let wide = columns + 2;
        let field = wide * (rows + 2);
        let tower = field * net.channels;
        if self.board == board && self.tower[0].len() == tower {
            return;
        }
        let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let cells: Vec<usize> = cells.map(|(row, column)| (row + 1) * wide + column + 1).collect();
        let taps = HEXAGON.map(|(row, column)| row * wide as isize + column).to_vec();
        self.policy = vec![0; cells.len() * net.policy.outputs];
        self.value = vec![0; cells.len() * net.value.outputs];
        self.around = Cells::new(cells.clone(), field, taps);
        self.alone = Cells::new(cells, field, vec![0]);
        self.input = vec![0; field * net.planes];
        // The margin stays 0.
        self.tower = [vec![0; tower], vec![0; tower]];
        self.board = board;
    }
}
