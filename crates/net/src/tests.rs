//! Nets with weights at random, against the same net computed plainly: by its definition, in 64 bits, from
//! the numbers in the file.

use kosumi_learn::{Provenance, WeightFile, WeightFileError};

use crate::{Net, Path, Scratch};

const PLANES: usize = 2;
const CHANNELS: usize = 16;
const BLOCKS: usize = 2;
const SHIFT: u32 = 9;
const HEXAGON: [(isize, isize); 7] = [(-1, 0), (-1, 1), (0, -1), (0, 0), (0, 1), (1, -1), (1, 0)];

/// Numbers that look random, the same every time.
struct Draw(u64);

impl Draw {
    fn below(&mut self, most: i64) -> i64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as i64 % most
    }
}

/// Biases by output, weights by tap, input and output.
struct Plain {
    name: String,
    inputs: usize,
    outputs: usize,
    bias: Vec<i32>,
    weights: Vec<i16>,
}

impl Plain {
    fn draw(name: &str, inputs: usize, outputs: usize, taps: usize, draw: &mut Draw) -> Self {
        let bias = (0..outputs).map(|_| draw.below(40_001) as i32 - 20_000).collect();
        let weights = (0..taps * inputs * outputs).map(|_| draw.below(401) as i16 - 200).collect();
        Self { name: name.to_owned(), inputs, outputs, bias, weights }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = SHIFT.to_le_bytes().to_vec();
        bytes.extend(self.bias.iter().flat_map(|bias| bias.to_le_bytes()));
        bytes.extend(self.weights.iter().flat_map(|weight| weight.to_le_bytes()));
        bytes
    }

    /// The sum of an output at a cell; what lies outside of the field counts 0.
    fn sum(&self, field: &Field, row: usize, column: usize, output: usize) -> i64 {
        let taps: &[(isize, isize)] =
            if self.weights.len() == self.inputs * self.outputs { &[(0, 0)] } else { &HEXAGON };
        let mut sum = i64::from(self.bias[output]);
        for (tap, (down, right)) in taps.iter().enumerate() {
            let (row, column) =
                (row.wrapping_add_signed(*down), column.wrapping_add_signed(*right));
            for input in 0..self.inputs {
                let weight = self.weights[(tap * self.inputs + input) * self.outputs + output];
                sum += field.at(row, column, input) * i64::from(weight);
            }
        }
        sum
    }
}

struct Field {
    size: (usize, usize),
    depth: usize,
    values: Vec<i64>,
}

impl Field {
    fn new(size: (usize, usize), depth: usize) -> Self {
        Self { size, depth, values: vec![0; (size.0 + 2) * (size.1 + 2) * depth] }
    }
    fn place(&self, row: usize, column: usize, channel: usize) -> usize {
        (row * (self.size.1 + 2) + column) * self.depth + channel
    }
    fn at(&self, row: usize, column: usize, channel: usize) -> i64 {
        self.values[self.place(row, column, channel)]
    }
    fn board(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let (rows, columns) = self.size;
        (1..=rows).flat_map(move |row| (1..=columns).map(move |column| (row, column)))
    }
    fn after(&self, layer: &Plain, added: Option<&Self>) -> Self {
        let mut next = Self::new(self.size, layer.outputs);
        for (row, column) in self.board() {
            for output in 0..layer.outputs {
                let sum = layer.sum(self, row, column, output);
                let rounded = (sum + (1 << (SHIFT - 1))) >> SHIFT;
                let place = next.place(row, column, output);
                let before = added.map_or(0, |added| added.values[place]);
                next.values[place] = (rounded + before).clamp(0, 8191);
            }
        }
        next
    }
}

struct Case {
    layers: Vec<Plain>,
    odds: Vec<f32>,
}

impl Case {
    fn draw(seed: u64) -> Self {
        let mut draw = Draw(seed);
        let mut layers = vec![Plain::draw("layer0", PLANES, CHANNELS, 7, &mut draw)];
        for number in 1..=2 * BLOCKS {
            let name = format!("layer{number}");
            layers.push(Plain::draw(&name, CHANNELS, CHANNELS, 7, &mut draw));
        }
        layers.push(Plain::draw("policy", CHANNELS, 1, 1, &mut draw));
        layers.push(Plain::draw("value", CHANNELS, CHANNELS, 1, &mut draw));
        let count = CHANNELS * 2 * CHANNELS + 2 * CHANNELS + 1;
        let odds = (0..count).map(|_| draw.below(2001) as f32 / 5000.0 - 0.2).collect();
        Self { layers, odds }
    }

    fn file(&self) -> WeightFile {
        let mut file = WeightFile::new("hex", "net", 1, Provenance::default());
        let shape = [CHANNELS as u32, BLOCKS as u32, CHANNELS as u32];
        file.push_section("shape", shape.iter().flat_map(|n| n.to_le_bytes()).collect());
        for layer in &self.layers {
            file.push_section(&layer.name, layer.bytes());
        }
        file.push_section("odds", self.odds.iter().flat_map(|n| n.to_le_bytes()).collect());
        file
    }

    /// Strengths and odds by the definition.
    fn judged(
        &self,
        size: (usize, usize),
        plane: impl Fn(usize, usize, usize) -> bool,
    ) -> (Vec<f32>, f64) {
        let mut input = Field::new(size, PLANES);
        for row in 0..size.0 + 2 {
            for column in 0..size.1 + 2 {
                for number in 0..PLANES {
                    let place = input.place(row, column, number);
                    input.values[place] = if plane(number, row, column) { 256 } else { 0 };
                }
            }
        }
        let mut now = input.after(&self.layers[0], None);
        for block in 0..BLOCKS {
            let middle = now.after(&self.layers[2 * block + 1], None);
            now = middle.after(&self.layers[2 * block + 2], Some(&now));
        }
        let [policy, value] = &self.layers[2 * BLOCKS + 1..] else { unreachable!() };
        let unit = f64::from(256u32 << SHIFT);
        let strength = |(row, column)| (policy.sum(&now, row, column, 0) as f64 / unit) as f32;
        let strengths = now.board().map(strength).collect();
        let values = |output| {
            let one = |(row, column)| value.sum(&now, row, column, output).max(0) as f64 / unit;
            now.board().map(one).collect::<Vec<f64>>()
        };
        let mean = |output| values(output).iter().sum::<f64>() / (size.0 * size.1) as f64;
        let most = |output| values(output).into_iter().fold(0.0, f64::max);
        let pooled: Vec<f64> = (0..CHANNELS).map(mean).chain((0..CHANNELS).map(most)).collect();
        let (hidden, rest) = self.odds.split_at(CHANNELS * 2 * CHANNELS);
        let mut odds = f64::from(rest[2 * CHANNELS]);
        for (unit, weights) in hidden.chunks(2 * CHANNELS).enumerate() {
            let sum: f64 = weights.iter().zip(&pooled).map(|(&w, p)| f64::from(w) * p).sum();
            odds += f64::from(rest[CHANNELS + unit]) * (sum + f64::from(rest[unit])).max(0.0);
        }
        (strengths, odds)
    }
}

#[test]
fn every_path_computes_what_the_definition_says() {
    for (seed, size) in [(1, (1, 1)), (2, (3, 3)), (3, (5, 4)), (4, (11, 11)), (5, (2, 13))] {
        let case = Case::draw(seed);
        let net = Net::from_file(&case.file(), "hex", PLANES).unwrap();
        let plane = |number: usize, row: usize, column: usize| {
            (row * 5 + column * 3 + number).is_multiple_of(4)
        };
        let (strengths, odds) = case.judged(size, plane);
        assert!(strengths.iter().any(|strength| *strength != strengths[0]) || size == (1, 1));
        let mut first: Option<crate::Judgement> = None;
        let mut scratch = Scratch::default();
        for path in Path::available() {
            // Buffers that another board has used.
            net.judge_by(path, &mut scratch, (4, 6), |_, _, _| true);
            let found = net.judge_by(path, &mut scratch, size, plane).clone();
            assert_eq!(found.policy, strengths, "{path:?} on {size:?}");
            assert!((f64::from(found.odds) - odds).abs() < 1e-3 * odds.abs().max(1.0), "{path:?}");
            assert_eq!(*first.get_or_insert_with(|| found.clone()), found, "{path:?}: other bits");
        }
    }
}

#[test]
fn activations_stop_at_both_ends() {
    let mut case = Case::draw(6);
    case.layers[1].bias.fill(-1_000_000_000);
    case.layers[3].bias.fill(1_000_000_000);
    let net = Net::from_file(&case.file(), "hex", PLANES).unwrap();
    let plane = |number: usize, row: usize, _| row == number;
    let (strengths, _) = case.judged((4, 4), plane);
    for path in Path::available() {
        assert_eq!(net.judge_by(path, &mut Scratch::default(), (4, 4), plane).policy, strengths);
    }
}

fn with(case: &Case, name: &str, bytes: Vec<u8>) -> Result<Net, WeightFileError> {
    let good = case.file();
    let mut file = WeightFile::new("hex", "net", 1, Provenance::default());
    let names =
        ["shape", "layer0", "layer1", "layer2", "layer3", "layer4", "policy", "value", "odds"];
    for section in names {
        let own = good.section(section).unwrap().to_vec();
        file.push_section(section, if section == name { bytes.clone() } else { own });
    }
    Net::from_file(&file, "hex", PLANES)
}

#[test]
fn what_makes_no_sense_is_refused() {
    let case = Case::draw(7);
    assert!(with(&case, "", Vec::new()).is_ok());
    let numbers =
        |numbers: &[u32]| numbers.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<u8>>();
    let mut large = Plain::draw("layer2", CHANNELS, CHANNELS, 7, &mut Draw(1));
    large.weights.fill(30_000);
    let long = [case.layers[2].bytes(), vec![0]].concat();
    for (name, bytes, told) in [
        ("shape", numbers(&[17, 2, 16]), "17 channels"),
        ("shape", numbers(&[16, 2]), "too short"),
        ("layer1", case.layers[1].bytes()[1..].to_vec(), "'layer1'"),
        ("layer2", long, "too long"),
        ("layer2", large.bytes(), "overflow"),
        ("layer3", numbers(&[77]), "2^-77"),
        ("odds", numbers(&vec![f32::NAN.to_bits(); case.odds.len()]), "none"),
    ] {
        let error = with(&case, name, bytes).unwrap_err().to_string();
        assert!(error.contains(told), "{error}");
    }
    assert!(
        Net::from_file(&case.file(), "go", PLANES).unwrap_err().to_string().contains("go, net")
    );
    assert!(Net::from_file(&case.file(), "hex", 4).is_err());
}
