//! The net: a tower of residual blocks over a board, and its heads.

use kosumi_learn::{WeightFile, WeightFileError};

use crate::board::Board;
use crate::globals::{Globals, Pooled};
use crate::kernel::{Cells, Output, Path, Work, run};
use crate::layer::{CEILING, Dense, Layer, SCALAR_CEILING, UNIT, wrong};
use crate::shape::{BlockKind, GameInputs, PASS, Shape};

/// The model's name and version in weight files.
const MODEL: &str = "net";
const VERSION: u32 = 2;

/// A net that evaluates positions of one game on boards of any size.
#[derive(Clone, Debug, PartialEq)]
pub struct Net {
    shape: Shape,
    first: Layer,
    scalars: Option<Dense>,
    blocks: Vec<Block>,
    policy_hidden: Option<Layer>,
    policy: Layer,
    value: Layer,
    globals: Globals,
    /// The place of the pass among the globals.
    pass: Option<usize>,
    cells: Vec<Layer>,
}

#[derive(Clone, Debug, PartialEq)]
struct Block {
    one: Layer,
    two: Layer,
    pool: Option<Dense>,
}

/// What a net tells of a position, for the player to move.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Evaluation {
    /// The logit of each move, up to a constant that all have in common: by cells of the grid, row by
    /// row. 0 off the board.
    pub policy: Vec<f32>,
    /// The logit of the pass, with the same constant, if the game has one.
    pub pass_logit: Option<f32>,
    /// The logit of the player to move winning.
    pub value_logit: f32,
    /// All numbers of the position in the order of [`Net::globals`], the value first.
    pub globals: Vec<f32>,
    /// Further numbers of each cell in the order of [`Net::cells`], each as `policy`. Empty unless
    /// [`Heads::All`] are computed.
    pub cells: Vec<Vec<f32>>,
}

/// What is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Heads {
    /// Policy and globals.
    #[default]
    Play,
    /// Further numbers of each cell too.
    All,
}

/// What one thread needs to evaluate positions. It fits itself to nets and boards, which costs little
/// as long as both stay the same.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// The board that the buffers are for.
    board: Option<Board>,
    input: Vec<i16>,
    /// Off the board both stay 0.
    tower: [Vec<i16>; 2],
    hidden: Vec<i16>,
    sums: Vec<i32>,
    pooled: Vec<i32>,
    dense: Vec<i64>,
    bias: Vec<i32>,
    globals: Pooled,
    evaluation: Evaluation,
}

/// Where a game sets the planes of a position.
#[derive(Debug)]
pub struct Planes<'a> {
    input: &'a mut [i16],
    planes: usize,
    /// Planes and what fills them up to pairs.
    depth: usize,
    rows: usize,
    columns: usize,
}

impl Planes<'_> {
    /// Sets a plane, by its place in [`Net::planes`], at a row and a column of the field: the board
    /// with a margin of one. Row 0 and column 0 are the margin, cells begin at 1.
    ///
    /// # Panics
    /// There is no such plane, row or column.
    #[inline]
    pub fn set(&mut self, plane: usize, row: usize, column: usize) {
        assert!(plane < self.planes && row < self.rows && column < self.columns);
        self.input[(row * self.columns + column) * self.depth + plane] = UNIT as i16;
    }
}

impl Net {
    /// Reads a net for a game.
    ///
    /// # Errors
    /// The file is of another model, version or game, needs planes or scalars that the game does not
    /// have, or is not as docs/net-format.md says.
    pub fn from_file(file: &WeightFile, inputs: &GameInputs<'_>) -> Result<Self, WeightFileError> {
        if (file.game.as_str(), file.model.as_str()) == (inputs.game, MODEL)
            && file.version < VERSION
        {
            return Err(WeightFileError::Old {
                found: file.version,
                wanted: VERSION,
                remedy: "write it again from its checkpoint (docs/net-format.md), or use the program's own net",
            });
        }
        file.check(inputs.game, MODEL, VERSION)?;
        let shape = Shape::read(file, inputs)?;
        check_sections(file, &shape.sections())?;
        let (planes, channels) = (shape.planes.len(), shape.channels);
        let values = shape.value_channels;
        let taps = shape.taps.steps().len();
        let cellwise = |section: &str, inputs: usize, outputs: usize| {
            Layer::read(file, section, [inputs, outputs, 1], None)
        };
        let scalars = match shape.scalars.len() {
            0 => None,
            count => Some(Dense::read(file, "scalars", [count, channels], SCALAR_CEILING)?),
        };
        let first = Layer::read(file, "first", [planes, channels, taps], scalars.as_ref())?;
        let block = |(number, kind): (usize, &BlockKind)| {
            let layer = |part: &str, added: Option<&Dense>| {
                let section = format!("block{number}.{part}");
                Layer::read(file, &section, [channels, channels, taps], added)
            };
            let pool = match kind {
                BlockKind::Plain => None,
                BlockKind::Pool => {
                    let section = format!("block{number}.pool");
                    Some(Dense::read(file, &section, [2 * channels, channels], CEILING)?)
                }
            };
            Ok(Block { one: layer("one", None)?, two: layer("two", pool.as_ref())?, pool })
        };
        let blocks = shape.blocks.iter().enumerate().map(block);
        let blocks = blocks.collect::<Result<_, WeightFileError>>()?;
        let (policy_hidden, policy_inputs) = match shape.policy_channels {
            0 => (None, channels),
            count => (Some(cellwise("policy.hidden", channels, count)?), count),
        };
        let cells = shape.cells.iter().map(|name| cellwise(&format!("cells.{name}"), channels, 1));
        Ok(Self {
            first,
            scalars,
            blocks,
            policy_hidden,
            policy: cellwise("policy", policy_inputs, 1)?,
            value: cellwise("value", channels, values)?,
            globals: Globals::read(file, values, shape.globals.len())?,
            pass: shape.globals.iter().position(|name| name == PASS),
            cells: cells.collect::<Result<_, WeightFileError>>()?,
            shape,
        })
    }

    /// The names of the planes, in their order.
    #[must_use]
    pub fn planes(&self) -> &[String] {
        &self.shape.planes
    }

    /// The place of each of these planes in [`Net::planes`]; `None` for those that the net does not
    /// see.
    #[must_use]
    pub fn places<const N: usize>(&self, planes: [&str; N]) -> [Option<usize>; N] {
        planes.map(|plane| self.shape.planes.iter().position(|name| name == plane))
    }

    /// The names of the scalars, in their order.
    #[must_use]
    pub fn scalars(&self) -> &[String] {
        &self.shape.scalars
    }

    /// The names of the numbers of a position, in their order.
    #[must_use]
    pub fn globals(&self) -> &[String] {
        &self.shape.globals
    }

    /// The names of the further numbers of a cell, in their order.
    #[must_use]
    pub fn cells(&self) -> &[String] {
        &self.shape.cells
    }

    /// Evaluates a position: `fill` sets its planes, none of which is set before, and `scalars` are in
    /// units of 1/256 (those beyond ±65536 count as these).
    ///
    /// # Panics
    /// The scalars are not as many as [`Net::scalars`].
    pub fn evaluate<'a>(
        &self,
        scratch: &'a mut Scratch,
        board: &Board,
        scalars: &[i32],
        fill: impl FnOnce(&mut Planes<'_>),
    ) -> &'a Evaluation {
        self.evaluate_by(Path::best(), Heads::Play, scratch, board, scalars, fill)
    }

    /// The same with instructions that this CPU has, and perhaps with more heads.
    ///
    /// # Panics
    /// As for [`Net::evaluate`].
    pub fn evaluate_by<'a>(
        &self,
        path: Path,
        heads: Heads,
        scratch: &'a mut Scratch,
        board: &Board,
        scalars: &[i32],
        fill: impl FnOnce(&mut Planes<'_>),
    ) -> &'a Evaluation {
        assert_eq!(scalars.len(), self.shape.scalars.len(), "scalars of {:?}", self.shape.scalars);
        scratch.fit(self, board);
        let Scratch {
            input, tower, hidden, sums, pooled, dense, bias, globals, evaluation, ..
        } = scratch;
        let (alone, around) = (board.alone(), board.around(self.shape.taps));
        let (rows, columns) = (board.rows() + 2, board.columns() + 2);
        let (planes, depth) = (self.shape.planes.len(), self.first.inputs);
        fill(&mut Planes { input, planes, depth, rows, columns });
        let [now, next] = tower;
        let run =
            |layer: &Layer, bias: &[i32], cells: &Cells, input: &[i16], output: Output<'_>| {
                run(path, Work { layer, bias, cells, input }, output);
            };

        let mut first_bias = &self.first.bias;
        if let Some(layer) = &self.scalars {
            pooled.clear();
            pooled.extend(scalars.iter().map(|n| n.clamp(&-SCALAR_CEILING, &SCALAR_CEILING)));
            layer.add(&self.first, pooled, dense, bias);
            first_bias = bias;
        }
        run(&self.first, first_bias, around, input, Output::Activations(now));
        for Block { one, two, pool } in &self.blocks {
            run(one, &one.bias, around, now, Output::Activations(next));
            let mut two_bias = &two.bias;
            if let Some(layer) = pool {
                pool_activations(alone, next, self.shape.channels, pooled);
                layer.add(two, pooled, dense, bias);
                two_bias = bias;
            }
            run(two, two_bias, around, next, Output::Added(now));
        }

        let mut of_each_cell = |layer: &Layer, input: &[i16], to: &mut Vec<f32>| {
            sums.resize(alone.board().len() * layer.outputs, 0);
            run(layer, &layer.bias, alone, input, Output::Sums(sums));
            to.clear();
            to.resize(board.rows() * board.columns(), 0.0);
            for (&cell, sums) in board.cells().iter().zip(sums.chunks_exact(layer.outputs)) {
                to[cell] = layer.number(sums[0]);
            }
        };
        let policy_input = match &self.policy_hidden {
            Some(layer) => {
                run(layer, &layer.bias, alone, now, Output::Activations(hidden));
                &*hidden
            }
            None => &*now,
        };
        of_each_cell(&self.policy, policy_input, &mut evaluation.policy);
        let heads = if heads == Heads::All { &*self.cells } else { &[] };
        evaluation.cells.resize_with(heads.len(), Vec::new);
        for (layer, to) in heads.iter().zip(&mut evaluation.cells) {
            of_each_cell(layer, now, to);
        }
        sums.resize(alone.board().len() * self.value.outputs, 0);
        run(&self.value, &self.value.bias, alone, now, Output::Sums(sums));
        self.globals.evaluate(&self.value, sums, globals, &mut evaluation.globals);
        evaluation.value_logit = evaluation.globals[0];
        evaluation.pass_logit = self.pass.map(|place| evaluation.globals[place]);
        evaluation
    }
}

/// Refuses sections that a net of this shape does not have, or that are there twice.
fn check_sections(file: &WeightFile, wanted: &[String]) -> Result<(), WeightFileError> {
    let found: Vec<&str> = file.section_names().collect();
    for (place, name) in found.iter().enumerate() {
        if !wanted.iter().any(|wanted| wanted == name) {
            return Err(wrong(name, "a net of this shape has no such section"));
        }
        if found[..place].contains(name) {
            return Err(wrong(name, "it is there twice"));
        }
    }
    Ok(())
}

/// Means and then maxima of all channels over the board.
fn pool_activations(cells: &Cells, activations: &[i16], channels: usize, pooled: &mut Vec<i32>) {
    pooled.clear();
    pooled.resize(2 * channels, 0);
    let (means, maxima) = pooled.split_at_mut(channels);
    for &cell in cells.board() {
        let activations = &activations[cell * channels..][..channels];
        for ((mean, most), &activation) in means.iter_mut().zip(&mut *maxima).zip(activations) {
            *mean += i32::from(activation);
            *most = i32::from(activation).max(*most);
        }
    }
    let count = cells.board().len() as i32;
    means.iter_mut().for_each(|mean| *mean /= count);
}

impl Scratch {
    /// Room for a net on a board, with no plane set.
    fn fit(&mut self, net: &Net, board: &Board) {
        let field = board.alone().field();
        let tower = field * net.shape.channels;
        if self.board.as_ref() != Some(board) || self.tower[0].len() != tower {
            self.tower = [vec![0; tower], vec![0; tower]];
            self.board = Some(board.clone());
        }
        self.hidden.resize(field * net.shape.policy_channels, 0);
        self.input.clear();
        self.input.resize(field * net.first.inputs, 0);
    }
}
