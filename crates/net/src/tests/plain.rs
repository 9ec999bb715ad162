//! A net with weights at random and the same net computed plainly: by its definition, in 64 bits,
//! from the numbers in the file.

use kosumi_learn::{Provenance, WeightFile};
use serde_json::json;

/// Weights of all layers are in units of 2^-9, unless told otherwise.
const SHIFT: u32 = 9;
const HEXAGON: &[(isize, isize)] = &[(-1, 0), (-1, 1), (0, -1), (0, 0), (0, 1), (1, -1), (1, 0)];
const DOWN: &[(isize, isize)] = &[(-1, -1), (-1, 0), (0, -1), (0, 0), (0, 1), (1, 0), (1, 1)];
const SQUARE: &[(isize, isize)] =
    &[(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 0), (0, 1), (1, -1), (1, 0), (1, 1)];

/// Numbers that look random, the same every time.
pub struct Draw(pub u64);

impl Draw {
    pub fn below(&mut self, most: i64) -> i64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as i64 % most
    }
}

/// Biases by output, weights by tap, input and output.
#[derive(Clone)]
pub struct Plain {
    inputs: usize,
    outputs: usize,
    pub shift: u32,
    pub bias: Vec<i32>,
    pub weights: Vec<i16>,
}

impl Plain {
    pub fn draw(inputs: usize, outputs: usize, taps: usize, draw: &mut Draw) -> Self {
        let bias = (0..outputs).map(|_| draw.below(40_001) as i32 - 20_000).collect();
        let weights = (0..taps * inputs * outputs).map(|_| draw.below(401) as i16 - 200).collect();
        Self { inputs, outputs, shift: SHIFT, bias, weights }
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.shift.to_le_bytes().to_vec();
        bytes.extend(self.bias.iter().flat_map(|bias| bias.to_le_bytes()));
        bytes.extend(self.weights.iter().flat_map(|weight| weight.to_le_bytes()));
        bytes
    }

    /// The sum of an output at a cell, with taps around it.
    fn sum(&self, field: &Field, taps: &[(isize, isize)], at: (usize, usize), out: usize) -> i64 {
        let mut sum = i64::from(self.bias[out]);
        for (tap, (down, right)) in taps.iter().enumerate() {
            let (row, column) = (at.0.wrapping_add_signed(*down), at.1.wrapping_add_signed(*right));
            for input in 0..self.inputs {
                let weight = self.weights[(tap * self.inputs + input) * self.outputs + out];
                sum += field.at((row, column), input) * i64::from(weight);
            }
        }
        sum
    }

    /// The sums of a dense layer in the unit of a convolution with that shift.
    fn dense(&self, inputs: &[i64], shift: u32) -> Vec<i64> {
        let sum = |out: usize| {
            let parts =
                inputs.iter().zip(self.weights.iter().skip(out).step_by(self.outputs).copied());
            i64::from(self.bias[out]) + parts.map(|(i, w)| i * i64::from(w)).sum::<i64>()
        };
        // Exact: no weight or bias is large enough to overflow here.
        let finer = |sum: i64| (sum << shift).div_euclid(1 << self.shift);
        (0..self.outputs).map(|out| finer(sum(out))).collect()
    }

    /// A sum as a number.
    fn number(&self, sum: i64) -> f64 {
        sum as f64 / f64::from(256u32 << self.shift)
    }
}

/// What is where on a board with a margin.
#[derive(Clone)]
struct Field {
    size: (usize, usize),
    cells: Vec<(usize, usize)>,
    depth: usize,
    values: Vec<i64>,
}

impl Field {
    fn new(&(size, is_cell): &Grid, depth: usize) -> Self {
        let all = (1..=size.0).flat_map(|row| (1..=size.1).map(move |column| (row, column)));
        let cells = all.filter(|(row, column)| is_cell(row - 1, column - 1)).collect();
        Self { size, cells, depth, values: vec![0; (size.0 + 2) * (size.1 + 2) * depth] }
    }

    fn at(&self, (row, column): (usize, usize), channel: usize) -> i64 {
        self.values[(row * (self.size.1 + 2) + column) * self.depth + channel]
    }

    fn set(&mut self, (row, column): (usize, usize), channel: usize, value: i64) {
        self.values[(row * (self.size.1 + 2) + column) * self.depth + channel] = value;
    }

    fn after(
        &self,
        layer: &Plain,
        taps: &[(isize, isize)],
        to_sums: Option<Vec<i64>>,
        to_activations: Option<&Self>,
    ) -> Self {
        let mut next = self.clone();
        next.depth = layer.outputs;
        next.values = vec![0; (self.size.0 + 2) * (self.size.1 + 2) * layer.outputs];
        for &cell in &self.cells {
            for out in 0..layer.outputs {
                let more = to_sums.as_ref().map_or(0, |sums| sums[out]);
                let sum = layer.sum(self, taps, cell, out) + more;
                let rounded = (sum + (1 << (layer.shift - 1))) >> layer.shift;
                let before = to_activations.map_or(0, |before| before.at(cell, out));
                next.set(cell, out, (rounded + before).clamp(0, 8191));
            }
        }
        next
    }

    /// Means and then maxima over the board.
    fn pooled(&self) -> Vec<i64> {
        let of = |channel: usize| self.cells.iter().map(move |&cell| self.at(cell, channel));
        let means = (0..self.depth).map(|c| of(c).sum::<i64>() / self.cells.len() as i64);
        means.chain((0..self.depth).map(|c| of(c).max().unwrap())).collect()
    }
}

/// Rows and columns, and which cells of them there are.
pub type Grid = ((usize, usize), fn(usize, usize) -> bool);

/// A net of any shape.
#[derive(Clone)]
pub struct Case {
    pub shape: serde_json::Value,
    pub layers: Vec<(String, Plain)>,
    pub globals: Vec<f32>,
}

/// What a net tells, by its definition.
pub struct Expected {
    pub policy: Vec<f32>,
    pub globals: Vec<f64>,
    pub cells: Vec<Vec<f32>>,
}

impl Case {
    /// A net of the shape that Hex has.
    pub fn like_hex(seed: u64) -> Self {
        Self::draw(
            json!({
                "taps": "hexagon", "planes": ["a", "b", "c", "d"], "scalars": [], "channels": 16,
                "blocks": ["plain", "plain"], "policy_channels": 0, "value_channels": 16,
                "globals": ["value"], "cells": []
            }),
            seed,
        )
    }

    /// One with everything that there is.
    pub fn with_all(taps: &str, seed: u64) -> Self {
        let case = Self::draw(
            json!({
                "taps": taps, "planes": ["a", "b", "c"], "scalars": ["komi", "length"],
                "channels": 32, "blocks": ["plain", "pool", "pool"], "policy_channels": 16,
                "value_channels": 16, "globals": ["value", "score", "pass"],
                "cells": ["ownership", "liberties"]
            }),
            seed,
        );
        // Pooled numbers have finer weights than what they are added to, and coarser ones.
        let shift = |case: Self, section: &str, shift| case.with(section, |l| l.shift = shift);
        let case = shift(shift(case, "block1.pool", 12), "block2.pool", 7);
        case.with("scalars", |layer| layer.weights.iter_mut().for_each(|weight| *weight /= 10))
    }

    pub fn draw(shape: serde_json::Value, seed: u64) -> Self {
        let mut draw = Draw(seed);
        let count = |key: &str| shape[key].as_u64().unwrap() as usize;
        let names = |key: &str| shape[key].as_array().unwrap().clone();
        let taps = Self::taps(&shape).len();
        let (channels, values, hidden) =
            (count("channels"), count("value_channels"), count("policy_channels"));
        let mut layers = Vec::new();
        let mut layer = |name: String, inputs: usize, outputs: usize, taps: usize| {
            layers.push((name, Plain::draw(inputs, outputs, taps, &mut draw)));
        };
        layer("first".into(), names("planes").len(), channels, taps);
        if !names("scalars").is_empty() {
            layer("scalars".into(), names("scalars").len(), channels, 1);
        }
        for (number, kind) in names("blocks").iter().enumerate() {
            layer(format!("block{number}.one"), channels, channels, taps);
            layer(format!("block{number}.two"), channels, channels, taps);
            if kind == "pool" {
                layer(format!("block{number}.pool"), 2 * channels, channels, 1);
            }
        }
        if hidden > 0 {
            layer("policy.hidden".into(), channels, hidden, 1);
        }
        layer("policy".into(), if hidden > 0 { hidden } else { channels }, 1, 1);
        layer("value".into(), channels, values, 1);
        for name in names("cells") {
            layer(format!("cells.{}", name.as_str().unwrap()), channels, 1, 1);
        }
        let floats = values * (2 * values + 1) + names("globals").len() * (values + 1);
        let globals = (0..floats).map(|_| draw.below(2001) as f32 / 5000.0 - 0.2).collect();
        Self { shape, layers, globals }
    }

    fn taps(shape: &serde_json::Value) -> &'static [(isize, isize)] {
        match shape["taps"].as_str().unwrap() {
            "hexagon" => HEXAGON,
            "hexagon-down" => DOWN,
            _ => SQUARE,
        }
    }

    fn layer(&self, name: &str) -> &Plain {
        &self.layers.iter().find(|(layer, _)| layer == name).unwrap().1
    }

    /// With a layer changed.
    pub fn with(mut self, name: &str, change: impl FnOnce(&mut Plain)) -> Self {
        change(&mut self.layers.iter_mut().find(|(layer, _)| layer == name).unwrap().1);
        self
    }

    /// With a line of the shape changed.
    pub fn with_shape(mut self, key: &str, value: serde_json::Value) -> Self {
        self.shape[key] = value;
        self
    }

    pub fn sections(&self) -> Vec<(String, Vec<u8>)> {
        let mut sections = vec![("shape".to_owned(), self.shape.to_string().into_bytes())];
        sections.extend(self.layers.iter().map(|(name, layer)| (name.clone(), layer.bytes())));
        let globals = self.globals.iter().flat_map(|number| number.to_le_bytes());
        sections.push(("globals".to_owned(), globals.collect()));
        sections
    }

    pub fn file(&self) -> WeightFile {
        let mut file = WeightFile::new("hex", "net", 2, Provenance::default());
        self.sections().into_iter().for_each(|(name, bytes)| file.push_section(&name, bytes));
        file
    }

    /// All numbers by the definition.
    pub fn expected(
        &self,
        grid: &Grid,
        scalars: &[i64],
        plane: impl Fn(usize, usize, usize) -> bool,
    ) -> Expected {
        let taps = Self::taps(&self.shape);
        let list = |key: &str| self.shape[key].as_array().unwrap().clone();
        let mut input = Field::new(grid, list("planes").len());
        for (row, column) in (0..grid.0.0 + 2).flat_map(|r| (0..grid.0.1 + 2).map(move |c| (r, c)))
        {
            for number in (0..input.depth).filter(|&number| plane(number, row, column)) {
                input.set((row, column), number, 256);
            }
        }
        let first = self.layer("first");
        let from_scalars =
            (!scalars.is_empty()).then(|| self.layer("scalars").dense(scalars, first.shift));
        let mut now = input.after(first, taps, from_scalars, None);
        for (number, kind) in list("blocks").iter().enumerate() {
            let layer = |part: &str| self.layer(&format!("block{number}.{part}"));
            let middle = now.after(layer("one"), taps, None, None);
            let two = layer("two");
            let pooled = (kind == "pool").then(|| layer("pool").dense(&middle.pooled(), two.shift));
            now = middle.after(two, taps, pooled, Some(&now));
        }
        let alone = &[(0, 0)];
        let (rows, columns) = grid.0;
        let per_cell = |layer: &Plain, field: &Field| {
            let mut numbers = vec![0.0; rows * columns];
            for &(row, column) in &field.cells {
                let sum = layer.sum(field, alone, (row, column), 0);
                numbers[(row - 1) * columns + column - 1] = layer.number(sum) as f32;
            }
            numbers
        };
        let policy_input = match self.shape["policy_channels"].as_u64() {
            Some(0) => now.clone(),
            _ => now.after(self.layer("policy.hidden"), alone, None, None),
        };
        let heads = list("cells");
        let heads = heads.iter().map(|name| format!("cells.{}", name.as_str().unwrap()));
        let cells = heads.map(|section| per_cell(self.layer(&section), &now));
        let value = self.layer("value");
        let values: Vec<Vec<f64>> = (0..value.outputs)
            .map(|out| {
                let sums = now.cells.iter().map(|&cell| value.sum(&now, alone, cell, out));
                sums.map(|sum| value.number(sum.clamp(0, 8191 << value.shift))).collect()
            })
            .collect();
        let means = values.iter().map(|v| v.iter().sum::<f64>() / v.len() as f64);
        let maxima = values.iter().map(|v| v.iter().copied().fold(0.0, f64::max));
        let pooled: Vec<f64> = means.chain(maxima).collect();
        let dense = |weights: &[f32], bias: &[f32], inputs: &[f64]| -> Vec<f64> {
            let rows = weights.chunks(inputs.len()).zip(bias);
            let sum = |w: &[f32]| w.iter().zip(inputs).map(|(&w, i)| f64::from(w) * i).sum::<f64>();
            rows.map(|(weights, &bias)| f64::from(bias) + sum(weights)).collect()
        };
        let count = value.outputs;
        let (hidden, rest) = self.globals.split_at(2 * count * count);
        let (hidden_bias, rest) = rest.split_at(count);
        let (last, last_bias) = rest.split_at(list("globals").len() * count);
        let hidden: Vec<f64> =
            dense(hidden, hidden_bias, &pooled).into_iter().map(|sum| sum.max(0.0)).collect();
        Expected {
            policy: per_cell(self.layer("policy"), &policy_input),
            globals: dense(last, last_bias, &hidden),
            cells: cells.collect(),
        }
    }
}
