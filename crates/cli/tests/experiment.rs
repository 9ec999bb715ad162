//! Experiments from the file to the page, played by the program itself.

use std::path::Path;
use std::process::{Command, Output};

const FILE: &str = r#"
id = "tiny"
title = "Tiny"
paper = "none"
parts = ["T7"]
text = "A test."
game = "hex"
size = 4
openings = "random:1"
games = 4
[a]
preset = "uct"
sims = 60
[b]
preset = "uct"
sims = 30
[[series]]
name = "c1"
key = "shape.c1"
values = [-0.5, 0.5]
paper = [[0.5, 61]]
[shape]
positions = 2
stones = 3
"#;

fn kosumi(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kosumi"));
    command.current_dir(folder).arg("experiment").args(arguments).output().unwrap()
}

#[track_caller]
fn succeeds(folder: &Path, arguments: &[&str]) -> String {
    let output = kosumi(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[track_caller]
fn refuses(folder: &Path, arguments: &[&str], about: &str) {
    let output = kosumi(folder, arguments);
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && text.contains(about), "{arguments:?}: {text}");
}

/// What a journal holds, line by line.
fn lines(path: &Path) -> Vec<String> {
    std::fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn an_experiment_is_played_resumed_and_reported() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::create_dir(folder.join("experiments")).unwrap();
    let file = "experiments/tiny.toml";
    std::fs::write(folder.join(file), FILE).unwrap();
    assert!(succeeds(folder, &["list"]).contains("2 points of 4 games"));
    refuses(folder, &["report", file], "run the experiment first");

    succeeds(folder, &["run", file, "--scale", "0.5", "--no-pin"]);
    let journal = folder.join("experiments/runs/tiny/1-shape.c1=0.5.jsonl");
    let first = lines(&journal);
    assert_eq!(first.len(), 1 + 1 + 2, "the match, its introduction and two games");
    refuses(folder, &["run", file], "--resume");

    // What a kill leaves: the last line cut off.
    let mut cut = first[..3].join("\n") + "\n";
    cut.push_str(&first[3][..20]);
    std::fs::write(&journal, cut).unwrap();
    succeeds(folder, &["run", file, "--resume", "-j", "2", "--no-pin"]);
    let second = lines(&journal);
    assert_eq!(second.len(), 1 + 1 + 4);
    assert_eq!(second[..3], first[..3]);

    succeeds(folder, &["report", "all", "--out", "results"]);
    let read = |name: &str| std::fs::read_to_string(folder.join("results").join(name)).unwrap();
    let report: serde_json::Value = serde_json::from_str(&read("tiny.json")).unwrap();
    let point = &report["series"][0]["points"][1];
    let games: u64 =
        ["wins", "draws", "losses"].map(|key| point[key].as_u64().unwrap()).iter().sum();
    assert_eq!(games, 4);
    assert_eq!(point["paper"], 61.0);
    assert_eq!(point["failures"], serde_json::json!([0, 0]));
    assert!(point["shape"]["depth"].as_f64().unwrap() > 1.0, "{point}");
    assert_eq!(report["runs"].as_array().unwrap().len(), 2);
    let markdown = read("tiny.md");
    assert!(markdown.contains("kosumi experiment run experiments/tiny.toml --scale 0.5"));
    assert!(read("tiny.svg").starts_with("<svg"));
    assert!(read("tiny-shape.svg").starts_with("<svg"));
    assert!(read("index.html").contains("id=\"tiny\""));
}

#[test]
fn a_mistake_in_a_file_is_one_line_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.toml");
    std::fs::write(&path, FILE.replace("openings", "opening")).unwrap();
    let output = kosumi(folder.path(), &["run", "x.toml"]);
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.contains("x.toml, line 9") && text.contains("openings"), "{text}");
    refuses(folder.path(), &["list", "nowhere"], "nowhere");
}

#[test]
fn experiments_are_part_of_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let text = succeeds(folder, &["list"]);
    assert!(text.contains("s2-go9.toml\n") && text.contains("n4-prediction.toml\n"), "{text}");
    // Nothing has been run.
    refuses(folder, &["report", "s2-go9"], "run the experiment first");
    // A file of that name counts first.
    std::fs::write(folder.join("s2-go9.toml"), "nonsense").unwrap();
    refuses(folder, &["report", "s2-go9.toml"], "s2-go9.toml, line 1");
    refuses(folder, &["report", "no-such"], "no-such");
    std::fs::create_dir(folder.join("experiments")).unwrap();
    std::fs::write(folder.join("experiments/tiny.toml"), FILE).unwrap();
    assert_eq!(succeeds(folder, &["list"]).matches(".toml").count(), 1);
}
