//! Learning and prediction as users meet them, above all with files that cannot be used.

mod common;

use std::path::{Path, PathBuf};

use common::{kosumi, refuses, stderr, succeeds};
use kosumi_learn::{Provenance, WeightFile};

/// A game on nine lines that fills every other one from some point on; no stone is ever taken.
fn game(from: usize) -> String {
    let letter = |n: usize| char::from(b'a' + n as u8);
    let mut text = "(;GM[1]FF[4]SZ[9]".to_owned();
    for ply in 0..45 {
        let place = (from + ply) % 45;
        let (x, y) = (place % 9, place / 9 * 2);
        let colour = if ply % 2 == 0 { 'B' } else { 'W' };
        text += &format!(";{colour}[{}{}]", letter(x), letter(y));
    }
    text + ")\n"
}

const ILLEGAL: &str = "(;GM[1]FF[4]SZ[9];B[aa];W[aa])\n";

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        std::fs::write(self.path(name), content).unwrap();
        self.text(name)
    }

    /// Forty games and the weights learned from them.
    fn with_weights() -> Self {
        let folder = Self::new();
        let records = folder.write("games.sgf", (0..40).map(game).collect::<String>());
        let weights = folder.text("my.weights");
        learn(&records, &weights, &[]);
        folder
    }
}

fn learn(records: &str, out: &str, more: &[&str]) {
    let arguments = ["learn", "--records", records, "--out", out, "--passes", "2", "--least", "5"];
    succeeds(&[&arguments[..], more].concat(), "");
}

/// Exit code 1 or 2, no panic, and one line on standard error that says all of this.
#[track_caller]
fn fails(arguments: &[&str], about: &[&str]) {
    let output = kosumi(arguments, "");
    assert!(matches!(output.status.code(), Some(1 | 2)), "{arguments:?}: {output:?}");
    let text = stderr(&output);
    let last = text.lines().last().unwrap_or_default();
    assert!(last.starts_with("kosumi: ") && !text.contains("panicked"), "{arguments:?}: {text}");
    assert!(about.iter().all(|part| last.contains(part)), "{arguments:?}: {text}");
}

#[test]
fn what_is_learned_predicts_and_plays() {
    let folder = Folder::with_weights();
    let [records, weights] = ["games.sgf", "my.weights"].map(|name| folder.text(name));
    assert!(!folder.path("my.partial").exists());
    let [svg, json] = ["curve.svg", "curve.json"].map(|name| folder.text(name));
    let arguments =
        ["predict", "--records", &records, "--weights", &weights, "--svg", &svg, "--json", &json];
    let text = succeeds(&arguments, "");
    // Every 20th of 40 games is kept apart.
    assert!(text.starts_with("my: 2 games"), "{text}");
    assert!(std::fs::read_to_string(svg).unwrap().contains("</svg>"));
    let curve: serde_json::Value = serde_json::from_slice(&std::fs::read(json).unwrap()).unwrap();
    assert_eq!(curve[0]["curve"].as_array().unwrap().len(), 50);
    let text = succeeds(&["predict", "--records", &records], "");
    assert!(text.starts_with("9x9: 2 games"), "the program's own weights: {text}");

    let gtp = ["gtp", "--size", "9", "--sims", "50", "--weights", &weights];
    let input = "kosumi-weights\nkosumi-param knowledge.weights own\nkosumi-weights\ngenmove b\n";
    let text = succeeds(&gtp, input);
    let answers: Vec<&str> = text.split("\n\n").collect();
    assert!(answers[0].starts_with("= my.weights "), "{text}");
    assert!(answers[2].starts_with("= 9x9.weights "), "{text}");
    assert!(answers[3].starts_with("= "), "{text}");
    let config = folder.write("mine.toml", format!("[knowledge]\nweights = '{weights}'\n"));
    let text = succeeds(&["gtp", "--config", &config], "kosumi-weights\n");
    assert_eq!(text.lines().next(), answers[0].lines().next());
}

#[test]
fn a_match_writes_down_which_weights_were_used() {
    let folder = Folder::with_weights();
    let out = folder.text("match.jsonl");
    let set = format!("knowledge.weights={}", folder.text("my.weights"));
    let players = ["match", "strongest", "uct", "--set-a", &set, "--game", "go", "--size", "5"];
    let rest = ["--sims", "10", "--games", "2", "--no-pin", "--out", &out];
    succeeds(&[&players[..], &rest].concat(), "");
    let journal = std::fs::read_to_string(&out).unwrap();
    let introduction: serde_json::Value =
        serde_json::from_str(journal.lines().nth(1).unwrap()).unwrap();
    let weights = &introduction["introduction"]["weights"];
    let said = weights[0].as_str().unwrap();
    assert!(said.starts_with("my.weights ") && said.len() == 11 + 16, "{said}");
    assert!(weights[1].is_null(), "{weights}");
}

#[test]
fn weights_that_cannot_be_used_are_told_with_the_remedy() {
    let folder = Folder::with_weights();
    let records = folder.text("games.sgf");
    let good = std::fs::read(folder.path("my.weights")).unwrap();
    let mut changed = good.clone();
    changed[good.len() / 2] ^= 1;
    let of = |game: &str, model: &str, version| {
        WeightFile::new(game, model, version, Provenance::default()).to_bytes()
    };
    let WeightFile { model, version, .. } = WeightFile::from_bytes(&good).unwrap();
    let files = [
        ("missing.weights", None, "o such file"),
        ("text.weights", Some(ILLEGAL.as_bytes().to_vec()), "kosumi learn makes some"),
        ("empty.weights", Some(Vec::new()), "no weight file"),
        ("cut.weights", Some(good[..good.len() / 2].to_vec()), "cut off"),
        ("changed.weights", Some(changed), "damaged"),
        ("newer.weights", Some(of("go", &model, 99)), "version 99"),
        ("format.weights", Some(b"Kosumi weights\n{\"format\":9}\n".to_vec()), "format 9"),
        ("hex.weights", Some(of("hex", &model, version)), "weights of hex"),
        ("hollow.weights", Some(of("go", &model, version)), "missing"),
    ];
    for (name, content, says) in files {
        let path = folder.text(name);
        if let Some(content) = content {
            folder.write(name, content);
        }
        fails(&["predict", "--records", &records, "--weights", &path], &[name, says]);
        fails(&["gtp", "--weights", &path], &[name, says]);
        let set = format!("knowledge.weights={path}");
        refuses(&["match", "light", "--set-b", &set, "--out", &folder.text("no.jsonl")], name);
        // An engine that runs keeps what it has.
        let input = format!("kosumi-param knowledge.weights {path}\nkosumi-weights\n");
        let text = succeeds(&["gtp", "--size", "9"], &input);
        assert!(text.starts_with("? ") && text.contains(says), "{text}");
        assert!(text.contains("\n\n= 9x9.weights "), "{text}");
    }
}

#[test]
fn records_that_cannot_be_used_are_counted_or_told() {
    let folder = Folder::with_weights();
    let [weights, out] = ["my.weights", "new.weights"].map(|name| folder.text(name));
    let empty = folder.text("empty");
    std::fs::create_dir(folder.path("empty")).unwrap();
    let passes = "(;GM[1]FF[4]SZ[9];B[];W[])\n";
    let cases = [
        (empty, "empty has no records"),
        (folder.text("missing.sgf"), "missing.sgf"),
        (folder.write("illegal.sgf", ILLEGAL), "1: an illegal move"),
        (folder.write("passes.sgf", passes), "1: no moves"),
        (folder.write("words.sgf", "not a record"), "words.sgf"),
        (folder.write("cut.sgf", &game(0)[..100]), "cut.sgf"),
        (folder.write("nothing.sgf", ""), "there are none"),
        (folder.write("plain.sgf.xz", game(0)), "plain.sgf.xz"),
    ];
    for (records, says) in cases {
        fails(&["learn", "--records", &records, "--out", &out, "--all"], &[says]);
        let predict = ["predict", "--records", &records, "--weights", &weights, "--part", "all"];
        fails(&predict, &[says]);
    }
    let games = folder.write("games.sgf", game(0));
    let size = ["learn", "--records", &games, "--out", &out, "--size", "19"];
    fails(&size, &["1: another board size"]);
    fails(&["predict", "--records", &games, "--weights", &weights], &["every 20th"]);
    assert!(!Path::new(&out).exists());

    let mixed = folder.write("mixed.sgf", format!("{ILLEGAL}{}{ILLEGAL}", game(0)));
    let learn = ["learn", "--records", &mixed, "--out", &out, "--passes", "1"];
    let predict = ["predict", "--records", &mixed, "--weights", &out, "--part", "all"];
    for arguments in [&learn[..], &predict] {
        let output = kosumi(arguments, "");
        assert!(output.status.success(), "{output:?}");
        assert!(stderr(&output).contains("passed over 2 games: an illegal move"), "{output:?}");
    }
}

#[test]
fn nothing_is_learned_from_options_that_teach_nothing() {
    let folder = Folder::new();
    let records = folder.write("games.sgf", game(0));
    let out = folder.text("my.weights");
    let learn = ["learn", "--records", &records, "--out", &out];
    for wrong in [["--passes", "0"], ["--rate", "0"], ["--rate", "NaN"], ["--prior", "inf"]] {
        refuses(&[&learn[..], &wrong].concat(), wrong[0]);
    }
    refuses(&[&learn[..], &["--game", "havannah"]].concat(), "only Go and Hex");
    refuses(&[&learn[..], &["--game", "hex", "--of", "playouts"]].concat(), "leave out --of");
    refuses(&[&learn[..], &["--cells", "7"]].concat(), "6, 12 or 18");
    // What an earlier run left and cannot be read.
    folder.write("my.partial", "Kosumi weights\n{");
    fails(&learn, &["my.partial", "cut off", "begins anew"]);
}
