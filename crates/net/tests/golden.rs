//! Nets evaluated on every CPU path as another program has evaluated them.
//!
//! Each `golden/NAME.weights` has its `NAME.json` beside it:
//!
//! ```json
//! {"game": "havannah", "passes": false, "tolerance": 1e-6, "globals_tolerance": 1e-5, "positions": [
//!   {"board": {"kind": "rectangle", "rows": 5, "columns": 4},
//!    "planes": [[0, 1, 1], [1, 3, 2]], "scalars": [1920], "policy": [0.25, null], "value_logit": 0.5,
//!    "pass_logit": null, "globals": {"score": 1.5}, "cells": {"ownership": [0.1, null]}}
//! ]}
//! ```
//! Boards are also `{"kind": "havannah", "size": 4}` and `{"kind": "mask", "cells": [".##", "##."]}`, where
//! `#` is a cell. A cell that is set is plane, row and column of the field, where the margin is row 0
//! and column 0. Policy and cells have a number for each cell of the grid, row by row, `null` off
//! the board. `|found - expected|` is at most the tolerance times `max(1, |expected|)`: `tolerance` for
//! policy and cells, which are exact, `globals_tolerance` for the others. `passes`, both tolerances,
//! `scalars`, `pass_logit`, `globals` and `cells` may be left out.
//!
//! `scripts/net_golden.py` has written those called `toy-…`.

use std::collections::BTreeMap;
use std::path::Path as FilePath;

use kosumi_learn::WeightFile;
use kosumi_net::{Board, GameInputs, Heads, Net, Path, Scratch};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Golden {
    game: String,
    #[serde(default)]
    passes: bool,
    #[serde(default = "tolerance")]
    tolerance: f64,
    #[serde(default = "globals_tolerance")]
    globals_tolerance: f64,
    positions: Vec<Position>,
}

fn tolerance() -> f64 {
    1e-6
}

fn globals_tolerance() -> f64 {
    1e-5
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Position {
    board: Form,
    planes: Vec<[usize; 3]>,
    #[serde(default)]
    scalars: Vec<i32>,
    policy: Vec<Option<f64>>,
    value_logit: f64,
    pass_logit: Option<f64>,
    #[serde(default)]
    globals: BTreeMap<String, f64>,
    #[serde(default)]
    cells: BTreeMap<String, Vec<Option<f64>>>,
}

#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
enum Form {
    Rectangle { rows: usize, columns: usize },
    Havannah { size: usize },
    Mask { cells: Vec<String> },
}

impl Form {
    fn board(&self) -> Board {
        match self {
            Self::Rectangle { rows, columns } => Board::rectangle(*rows, *columns),
            Self::Havannah { size } => {
                Board::new(2 * size - 1, 2 * size - 1, |y, x| y.abs_diff(x) < *size)
            }
            Self::Mask { cells } => {
                Board::new(cells.len(), cells[0].len(), |y, x| cells[y].as_bytes()[x] == b'#')
            }
        }
    }
}

/// Names and shapes that a file itself tells, as if the game had all of them.
fn names(file: &WeightFile, list: &str) -> Vec<String> {
    let shape: serde_json::Value = serde_json::from_slice(file.section("shape").unwrap()).unwrap();
    serde_json::from_value(shape[list].clone()).unwrap()
}

fn check(weights: &FilePath) {
    let file = WeightFile::from_bytes(&std::fs::read(weights).unwrap()).unwrap();
    let golden = std::fs::read(weights.with_extension("json")).unwrap();
    let golden: Golden = serde_json::from_slice(&golden).unwrap();
    let (planes, scalars) = (names(&file, "planes"), names(&file, "scalars"));
    let net = Net::from_file(
        &file,
        &GameInputs {
            game: &golden.game,
            planes: &planes.iter().map(String::as_str).collect::<Vec<_>>(),
            scalars: &scalars.iter().map(String::as_str).collect::<Vec<_>>(),
            passes: golden.passes,
        },
    )
    .unwrap();
    assert!(!golden.positions.is_empty());
    let mut scratch = Scratch::default();
    for (number, position) in golden.positions.iter().enumerate() {
        let board = position.board.board();
        for path in Path::available() {
            let place = format!("{}, position {number}, {}", weights.display(), path.name());
            let close = |found: f32, expected: f64, tolerance: f64, what: &str| {
                let error = (f64::from(found) - expected).abs();
                let most = tolerance * expected.abs().max(1.0);
                assert!(error <= most, "{place}, {what}: {found}, not {expected}");
            };
            let scalars = &position.scalars;
            let found =
                net.evaluate_by(path, Heads::All, &mut scratch, &board, scalars, |planes| {
                    position.planes.iter().for_each(|&[plane, y, x]| planes.set(plane, y, x));
                });
            let by_cell = |found: &[f32], expected: &[Option<f64>], what: &str| {
                assert_eq!(found.len(), expected.len(), "{place}, {what}");
                for (cell, (&found, expected)) in found.iter().zip(expected).enumerate() {
                    assert_eq!(board.cells().contains(&cell), expected.is_some(), "{place}");
                    if let Some(expected) = expected {
                        let what = format!("{what} of cell {cell}");
                        close(found, *expected, golden.tolerance, &what);
                    }
                }
            };
            by_cell(&found.policy, &position.policy, "policy");
            assert_eq!(net.cells().len(), position.cells.len(), "{place}: heads of cells");
            for (name, found) in net.cells().iter().zip(&found.cells) {
                by_cell(found, &position.cells[name], name);
            }
            let mut expected = position.globals.clone();
            expected.insert("value".to_owned(), position.value_logit);
            expected.extend(position.pass_logit.map(|pass| ("pass".to_owned(), pass)));
            assert_eq!(net.globals().len(), expected.len(), "{place}: globals");
            for (name, &found) in net.globals().iter().zip(&found.globals) {
                close(found, expected[name], golden.globals_tolerance, name);
            }
        }
    }
}

#[test]
fn nets_tell_what_another_program_computes() {
    let folder = FilePath::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files: Vec<_> = files.filter(|path| path.extension() == Some("weights".as_ref())).collect();
    assert!(files.len() >= 3, "{files:?}");
    files.iter().for_each(|path| check(path));
}
