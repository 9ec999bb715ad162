//! Nets with weights at random against their definition, and files that are refused.

mod plain;

use kosumi_learn::{Provenance, WeightFile};
use serde_json::json;

use self::plain::{Case, Draw, Grid, Plain};
use crate::{Board, Evaluation, GameInputs, Heads, Net, Path, Scratch};

const INPUTS: GameInputs<'_> = GameInputs {
    game: "hex",
    planes: &["a", "b", "c", "d"],
    scalars: &["komi", "length"],
    passes: false,
};
const WITH_PASS: GameInputs<'_> = GameInputs { passes: true, ..INPUTS };

const FULL: fn(usize, usize) -> bool = |_, _| true;
/// A board of Havannah of base size 4.
const HEXAGON: Grid = ((7, 7), |row, column| row.abs_diff(column) < 4);
/// Cells here and there, with whole rows and columns of the grid without any.
const HOLES: Grid =
    ((6, 9), |row, column| row > 1 && column != 4 && !(row + column).is_multiple_of(3));

/// Compares a net with its definition, on all paths, with buffers that another board has used.
fn check(case: &Case, inputs: &GameInputs<'_>, grid: &Grid, scalars: &[i32]) -> Evaluation {
    let net = Net::from_file(&case.file(), inputs).unwrap();
    let plane = |number: usize, row: usize, column: usize| {
        (row * 5 + column * 3 + number).is_multiple_of(4)
    };
    let count = net.planes().len();
    let wide: Vec<i64> = scalars.iter().map(|&n| i64::from(n)).collect();
    let expected = case.expected(grid, &wide, plane);
    let ((rows, columns), is_cell) = *grid;
    let board = Board::new(rows, columns, is_cell);
    let mut scratch = Scratch::default();
    let mut first: Option<Evaluation> = None;
    for path in Path::available() {
        let fill_all = |planes: &mut crate::Planes<'_>| {
            (0..6 * 8).for_each(|at| planes.set(at % count, at / 8, at % 8));
        };
        let other = Board::rectangle(4, 6);
        net.evaluate_by(path, Heads::All, &mut scratch, &other, scalars, fill_all);
        let found = net.evaluate_by(path, Heads::All, &mut scratch, &board, scalars, |planes| {
            for at in 0..(rows + 2) * (columns + 2) {
                let (row, column) = (at / (columns + 2), at % (columns + 2));
                for number in (0..count).filter(|&number| plane(number, row, column)) {
                    planes.set(number, row, column);
                }
            }
        });
        assert_eq!(found.policy, expected.policy, "{path:?} on {rows} x {columns}");
        assert_eq!(found.cells, expected.cells, "{path:?} on {rows} x {columns}");
        assert_eq!(found.globals.len(), expected.globals.len());
        for (found, expected) in found.globals.iter().zip(&expected.globals) {
            let error = (f64::from(*found) - expected).abs();
            assert!(error < 1e-3 * expected.abs().max(1.0), "{path:?}: {found}, not {expected}");
        }
        assert_eq!(found.value_logit, found.globals[0]);
        assert_eq!(*first.get_or_insert_with(|| found.clone()), *found, "{path:?}: other bits");
    }
    first.unwrap()
}

fn varies(numbers: &[f32]) -> bool {
    numbers.iter().any(|number| *number != numbers[0])
}

#[test]
fn every_path_computes_what_the_definition_says() {
    for (seed, size) in [(1, (1, 1)), (2, (3, 3)), (3, (5, 4)), (4, (11, 11)), (5, (2, 13))] {
        let found = check(&Case::like_hex(seed), &INPUTS, &(size, FULL), &[]);
        assert!(varies(&found.policy) || size == (1, 1));
        assert_eq!((found.pass_logit, found.cells.len()), (None, 0));
    }
}

#[test]
fn every_part_computes_what_the_definition_says() {
    for (seed, taps) in [(10, "hexagon"), (11, "hexagon-down"), (12, "square")] {
        let case = Case::with_all(taps, seed);
        for grid in [((1, 1), FULL), ((5, 4), FULL), ((9, 9), FULL), HEXAGON, HOLES] {
            let found = check(&case, &WITH_PASS, &grid, &[1920, -77]);
            assert_eq!(found.pass_logit, Some(found.globals[2]));
            if grid.0 == (1, 1) {
                continue;
            }
            assert!(varies(&found.policy));
            // Everything has a say, so that nothing can be left out.
            let other = check(&case, &WITH_PASS, &grid, &[1920, 900]);
            assert_ne!(found.policy, other.policy, "{taps}");
            let pool = |layer: &mut Plain| layer.weights.iter_mut().for_each(|weight| *weight /= 2);
            for block in ["block1.pool", "block2.pool"] {
                let other = check(&case.clone().with(block, pool), &WITH_PASS, &grid, &[1920, -77]);
                assert_ne!(found.policy, other.policy, "{taps}, {block}");
            }
        }
    }
}

#[test]
fn activations_stop_at_both_ends() {
    let bias = |bias: i32| move |layer: &mut Plain| layer.bias.fill(bias);
    let case = Case::like_hex(6)
        .with("block0.one", bias(-1_000_000_000))
        .with("block1.one", bias(1_000_000_000))
        .with("value", bias(1_000_000_000));
    check(&case, &INPUTS, &((4, 4), FULL), &[]);
}

#[test]
fn scalars_end_at_65536() {
    let case = Case::with_all("square", 8);
    let at = |komi: i32| check(&case, &WITH_PASS, &((3, 3), FULL), &[komi, 0]);
    let net = Net::from_file(&case.file(), &WITH_PASS).unwrap();
    let board = Board::rectangle(3, 3);
    for (komi, end) in [(i32::MAX, 65_536), (i32::MIN, -65_536)] {
        let mut scratch = Scratch::default();
        let far = net.evaluate(&mut scratch, &board, &[komi, 0], |_| ()).clone();
        let near = net.evaluate(&mut scratch, &board, &[end, 0], |_| ());
        assert_eq!(far, *near);
        assert_ne!(at(end).globals, at(end / 2).globals, "it still counts there");
    }
}

#[test]
fn heads_of_cells_are_computed_when_asked_for() {
    let net = Net::from_file(&Case::with_all("square", 9).file(), &WITH_PASS).unwrap();
    assert_eq!(net.cells(), ["ownership", "liberties"]);
    assert_eq!(net.globals(), ["value", "score", "pass"]);
    assert_eq!(net.scalars(), ["komi", "length"]);
    assert_eq!(net.places(["c", "d", "a"]), [Some(2), None, Some(0)]);
    let (board, mut scratch) = (Board::rectangle(5, 5), Scratch::default());
    let mut ask = |heads: Heads| {
        let path = Path::best();
        net.evaluate_by(path, heads, &mut scratch, &board, &[0, 0], |_| ()).cells.len()
    };
    assert_eq!([Heads::All, Heads::Play, Heads::All].map(&mut ask), [2, 0, 2]);
}

/// One scratch for nets of different shapes and boards of different sizes, in turn.
#[test]
fn buffers_fit_themselves() {
    let cases = [Case::like_hex(20), Case::with_all("square", 21), Case::with_all("hexagon", 22)];
    let nets = cases.map(|case| {
        let inputs = if case.shape["scalars"] == json!([]) { INPUTS } else { WITH_PASS };
        Net::from_file(&case.file(), &inputs).unwrap()
    });
    let boards = [Board::rectangle(6, 6), Board::new(6, 6, |y, x| x >= y), Board::rectangle(3, 9)];
    let mut shared = Scratch::default();
    for round in 0..2 {
        for net in &nets {
            for board in &boards {
                let scalars = vec![300; net.scalars().len()];
                let evaluate = |scratch: &mut Scratch| {
                    net.evaluate(scratch, board, &scalars, |p| p.set(0, 2, 3)).clone()
                };
                assert_eq!(evaluate(&mut shared), evaluate(&mut Scratch::default()), "{round}");
            }
        }
    }
}

#[test]
#[should_panic(expected = "plane < self.planes")]
fn a_plane_beyond_the_last_is_not_set() {
    let net = Net::from_file(&Case::with_all("square", 9).file(), &WITH_PASS).unwrap();
    let board = Board::rectangle(5, 5);
    // There is room for a fourth one, since inputs are read in pairs.
    net.evaluate(&mut Scratch::default(), &board, &[0, 0], |planes| planes.set(3, 1, 1));
}

#[track_caller]
fn refused(sections: Vec<(String, Vec<u8>)>, inputs: &GameInputs<'_>, told: &str) {
    let mut file = WeightFile::new("hex", "net", 2, Provenance::default());
    sections.into_iter().for_each(|(name, bytes)| file.push_section(&name, bytes));
    let Err(error) = Net::from_file(&file, inputs) else { panic!("accepted, not '{told}'") };
    let error = error.to_string();
    assert!(error.contains(told), "'{error}' does not tell '{told}'");
}

/// Each with what the error tells.
#[test]
fn layers_that_make_no_sense_are_refused() {
    let case = Case::with_all("square", 7);
    assert!(Net::from_file(&case.file(), &WITH_PASS).is_ok());
    let bytes = |name: &str| {
        let mut sections = case.sections().into_iter();
        sections.find(|(section, _)| section == name).unwrap().1
    };
    let edited = |name: &str, edit: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = bytes(name);
        edit(&mut bytes);
        bytes
    };
    let with_float =
        |number: f32| edited("globals", &|b| b[400..404].copy_from_slice(&number.to_le_bytes()));
    let shift =
        |name: &str, shift: u32| edited(name, &|b| b[..4].copy_from_slice(&shift.to_le_bytes()));
    let large = |name: &str| {
        edited(name, &|b| b[4..].fill(0x75)) // Weights of 30,069, biases of 1,970,632,053.
    };
    for (name, bytes, told) in [
        (
            "first",
            edited("first", &|b| b.truncate(1000)),
            "section 'first' of the weights: it is too short",
        ),
        (
            "block0.two",
            edited("block0.two", &|b| b.push(0)),
            "'block0.two' of the weights: it is too long",
        ),
        (
            "block1.pool",
            edited("block1.pool", &|b| b.truncate(3)),
            "'block1.pool' of the weights: it is too short",
        ),
        ("policy", Vec::new(), "'policy' of the weights: it is too short: 0 bytes, not 40"),
        (
            "globals",
            edited("globals", &|b| b.truncate(7)),
            "'globals' of the weights: it is too short",
        ),
        (
            "block0.one",
            shift("block0.one", 77),
            "'block0.one' of the weights: its shift is 77, but must be 1 to 15",
        ),
        ("scalars", shift("scalars", 0), "'scalars' of the weights: its shift is 0"),
        ("policy.hidden", shift("policy.hidden", u32::MAX), "'policy.hidden'"),
        (
            "block2.one",
            large("block2.one"),
            "'block2.one' of the weights: its weights are so large",
        ),
        // What is added counts where it is added.
        (
            "block1.pool",
            large("block1.pool"),
            "'block1.two' of the weights: its weights are so large",
        ),
        ("scalars", large("scalars"), "'first' of the weights: its weights are so large"),
        (
            "cells.ownership",
            large("cells.ownership"),
            "'cells.ownership' of the weights: its weights",
        ),
        ("globals", with_float(f32::NAN), "'globals' of the weights: it contains NaN"),
        ("globals", with_float(f32::NEG_INFINITY), "it contains an infinite number"),
        ("globals", with_float(3e38), "'globals' of the weights: its weights are so large"),
    ] {
        let mut sections = case.sections();
        sections.iter_mut().find(|(section, _)| section == name).unwrap().1 = bytes;
        refused(sections, &WITH_PASS, told);
    }
    let mut sections = case.sections();
    sections.retain(|(name, _)| name != "cells.liberties");
    refused(sections, &WITH_PASS, "'cells.liberties' of the weights: it is missing");
    let mut sections = case.sections();
    sections.push(("block3.one".to_owned(), Vec::new()));
    refused(
        sections,
        &WITH_PASS,
        "'block3.one' of the weights: a net of this shape has no such section",
    );
    let mut sections = case.sections();
    sections.push(sections[3].clone());
    refused(sections, &WITH_PASS, "it is there twice");
}

#[test]
fn shapes_that_make_no_sense_are_refused() {
    let names = |count: usize| (0..count).map(|n| format!("n{n}")).collect::<Vec<_>>();
    for (key, value, told) in [
        ("taps", json!("octagon"), "unknown variant `octagon`"),
        ("blocks", json!(["plain", "dense"]), "unknown variant `dense`"),
        ("blocks", json!(vec!["plain"; 101]), "101 blocks, but at most 100 are allowed"),
        ("channels", json!(17), "'channels' is 17, but must be a multiple of 16 up to 512"),
        ("channels", json!(0), "'channels' is 0"),
        ("channels", json!(528), "'channels' is 528"),
        ("channels", json!(-16), "invalid value"),
        ("channels", json!(1e30), "invalid type"),
        ("value_channels", json!(0), "'value_channels' is 0"),
        ("policy_channels", json!(8), "'policy_channels' is 8"),
        ("planes", json!([]), "'planes' is empty"),
        ("planes", json!(names(65)), "65 planes, but at most 64 are allowed"),
        ("planes", json!(["a", "b", "a"]), "'planes' contains 'a' twice"),
        ("planes", json!(["a", ""]), "'planes' contains an empty name"),
        ("planes", json!(["a", "ladder"]), "the plane 'ladder' is unknown: hex has a, b, c, d"),
        ("scalars", json!(["weather"]), "the scalar 'weather' is unknown: hex has komi, length"),
        ("globals", json!([]), "'globals' does not begin with 'value'"),
        ("globals", json!(["pass", "value"]), "'globals' does not begin with 'value'"),
        ("globals", json!(["value", "value"]), "'globals' contains 'value' twice"),
        ("globals", json!(["value"]), "'globals' lacks 'pass', which hex needs"),
        ("cells", json!(["ownership", "ownership"]), "'cells' contains 'ownership' twice"),
        ("colour", json!("red"), "unknown field `colour`"),
    ] {
        let case = Case::with_all("square", 7).with_shape(key, value);
        refused(case.sections(), &WITH_PASS, &format!("'shape' of the weights: {told}"));
    }
    let mut missing = Case::like_hex(1);
    missing.shape.as_object_mut().unwrap().remove("cells");
    refused(missing.sections(), &INPUTS, "missing field `cells`");
    refused(
        Case::with_all("square", 7).sections(),
        &INPUTS,
        "'globals' contains 'pass', but hex has no pass",
    );
    let none = GameInputs { scalars: &[], ..WITH_PASS };
    refused(Case::with_all("square", 7).sections(), &none, "'komi' is unknown: hex has none");
    let mut text = Case::like_hex(1).sections();
    text[0].1 = vec![0xFF, b'{'];
    refused(text, &INPUTS, "'shape'");
}

/// The bound is sharp: half a unit of rounding more and no more.
#[test]
fn sums_may_come_as_far_as_the_largest_number() {
    let weights = |layer: &mut Plain| {
        layer.weights.fill(0);
        layer.bias.fill(i32::MAX - 256);
    };
    let fits = Case::like_hex(1).with("block0.one", weights);
    check(&fits, &INPUTS, &((2, 2), FULL), &[]);
    let one_more = fits.with("block0.one", |layer| layer.bias[5] += 1);
    refused(one_more.sections(), &INPUTS, "'block0.one' of the weights: its weights are so large");
    // What is added by a pool, of coarser weights and so worth more.
    let mut draw = Draw(3);
    let full =
        Case::with_all("square", 1).with("block1.two", weights).with("block1.pool", |layer| {
            *layer = Plain::draw(64, 32, 1, &mut draw);
            layer.weights.fill(0);
            layer.bias.fill(0);
            layer.shift = 8;
        });
    check(&full, &WITH_PASS, &((2, 2), FULL), &[0, 0]);
    // A finer sum than that is rounded down, so away from 0.
    for shift in [8, 10] {
        let one_more = full.clone().with("block1.pool", |layer| {
            (layer.shift, layer.bias[7]) = (shift, -1);
        });
        refused(one_more.sections(), &WITH_PASS, "'block1.two' of the weights: its weights are so");
    }
}

/// Bytes written over those of a good net, often the largest numbers: it is refused or evaluates.
#[test]
fn no_numbers_make_it_panic() {
    let (case, mut draw, mut accepted) = (Case::with_all("hexagon", 30), Draw(30), 0);
    let board = Board::new(5, 5, HEXAGON.1);
    for _ in 0..600 {
        let mut sections = case.sections();
        let section = draw.below(sections.len() as i64) as usize;
        let bytes = &mut sections[section].1;
        for _ in 0..1 + draw.below(3) {
            let begin = draw.below(bytes.len() as i64) as usize;
            let end = bytes.len().min(begin + 1 + draw.below(8) as usize);
            let extreme = [0x00, 0x7F, 0x80, 0xFF, draw.below(256) as u8][draw.below(5) as usize];
            bytes[begin..end].fill(extreme);
        }
        let mut file = WeightFile::new("hex", "net", 2, Provenance::default());
        sections.into_iter().for_each(|(name, bytes)| file.push_section(&name, bytes));
        let Ok(net) = Net::from_file(&file, &WITH_PASS) else { continue };
        accepted += 1;
        let scalars = vec![[i32::MIN, i32::MAX, 300][draw.below(3) as usize]; net.scalars().len()];
        for path in Path::available() {
            let mut scratch = Scratch::default();
            let fill = |planes: &mut crate::Planes<'_>| {
                (0..7 * 7).for_each(|at| planes.set(at % 3, at / 7, at % 7));
            };
            let found =
                net.evaluate_by(path, Heads::All, &mut scratch, &board, &scalars, fill).clone();
            let numbers = found.cells.iter().flatten().chain(&found.policy).chain(&found.globals);
            assert!(numbers.into_iter().all(|number| number.is_finite()));
        }
    }
    assert!((100..550).contains(&accepted), "{accepted}");
}

#[test]
fn other_files_are_refused() {
    let file = |game: &str, model: &str, version: u32| {
        let mut file = WeightFile::new(game, model, version, Provenance::default());
        let sections = Case::like_hex(1).sections();
        sections.into_iter().for_each(|(name, bytes)| file.push_section(&name, bytes));
        Net::from_file(&file, &INPUTS).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(file("hex", "net", 2), Ok(()));
    for (game, model, version, told) in [
        ("go", "net", 2, "weights of go, net, version 2, but hex, net, version 2 are needed"),
        ("go", "net", 1, "weights of go, net, version 1, but hex"),
        ("hex", "patterns", 1, "weights of hex, patterns, version 1, but hex, net"),
        ("hex", "net", 3, "weights of hex, net, version 3, but hex, net, version 2 are needed"),
        ("hex", "net", 1, "version 1, but this program reads version 2: write it again"),
    ] {
        let error = file(game, model, version).unwrap_err();
        assert!(error.contains(told), "'{error}' does not tell '{told}'");
    }
}

#[test]
#[should_panic(expected = "a board without cells")]
fn a_board_has_cells() {
    let _ = Board::new(3, 3, |_, _| false);
}
