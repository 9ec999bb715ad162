//! Ctrl-C: long commands say what stands and how to go on, and a second one ends them at once.
#![cfg(unix)]

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use common::{stderr, stdout, succeeds};

fn start(arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_kosumi"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn press_ctrl_c(child: &Child) {
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(120), "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn lines(path: &Path) -> usize {
    std::fs::read_to_string(path).map_or(0, |text| text.lines().count())
}

/// Interrupts a command when its journal has so many lines.
fn interrupted(arguments: &[&str], journal: &Path, at: usize) -> Output {
    let child = start(arguments);
    wait_until("results are written", || lines(journal) >= at);
    press_ctrl_c(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let text = stderr(&output);
    let last = text.lines().last().unwrap_or_default();
    assert!(last.starts_with("kosumi: interrupted") && last.contains("--resume"), "{text}");
    output
}

#[test]
fn a_match_tells_what_stands_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("m.jsonl");
    let mut arguments =
        vec!["match", "light", "uct", "--game", "hex", "--size", "5", "--sims", "200", "-n", "400"];
    arguments.extend(["--no-pin", "--out", out.to_str().unwrap()]);
    let output = interrupted(&arguments, &out, 4);
    assert!(stdout(&output).contains("Elo of A over B"), "{output:?}");
    assert!(stderr(&output).contains("of 400 games: the same command with --resume"), "{output:?}");
    let played = lines(&out) - 2;
    let last = arguments.iter().position(|word| *word == "400").unwrap();
    let more = (played + 1).to_string();
    arguments[last] = &more;
    arguments.push("--resume");
    let text = succeeds(&arguments, "");
    assert!(text.contains(&format!("of {more} games")), "{text}");
}

#[test]
fn a_tournament_and_a_tuning_tell_what_stands() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("all");
    let game = ["--game", "hex", "--size", "5", "--sims", "200", "--no-pin", "-n", "400", "--out"];
    let mut arguments = vec!["tournament", "light", "uct"];
    arguments.extend(game);
    arguments.push(out.to_str().unwrap());
    let output = interrupted(&arguments, &out.join("1-2.jsonl"), 4);
    assert!(stdout(&output).contains("wins-draws-losses"), "{output:?}");
    assert!(out.join("standings.txt").exists());

    let out = folder.path().join("t.jsonl");
    let mut arguments = vec!["tune", "light", "--param", "tree.expand_at=1..8"];
    arguments.extend(game);
    arguments.push(out.to_str().unwrap());
    let output = interrupted(&arguments, &out, 3);
    assert!(stdout(&output).contains("samples"), "{output:?}");
}

#[test]
fn an_experiment_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tiny.toml");
    let text = "id = 'tiny'\ntitle = 'T'\npaper = 'ours'\nparts = ['T7']\ntext = 'A test.'\n\
                game = 'hex'\nsize = 5\nopenings = 'random:1'\ngames = 400\n\
                [a]\npreset = 'uct'\nsims = 200\n[b]\npreset = 'uct'\nsims = 200\n\
                [[series]]\nname = 'c1'\nkey = 'shape.c1'\nvalues = [0.5]\n";
    std::fs::write(&file, text).unwrap();
    let out = folder.path().join("runs");
    let arguments =
        ["experiment", "run", file.to_str().unwrap(), "--no-pin", "--out", out.to_str().unwrap()];
    interrupted(&arguments, &out.join("tiny/1-shape.c1=0.5.jsonl"), 4);
}

#[test]
fn a_second_one_ends_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("m.jsonl");
    // The first move takes longer than anybody waits.
    let mut child = start(&[
        "match",
        "light",
        "uct",
        "--game",
        "hex",
        "--size",
        "5",
        "--time",
        "3000",
        "--no-pin",
        "--out",
        out.to_str().unwrap(),
    ]);
    wait_until("the players are introduced", || lines(&out) >= 2);
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    press_ctrl_c(&child);
    let mut line = String::new();
    while !line.contains("press it again") {
        line.clear();
        assert!(errors.read_line(&mut line).unwrap() > 0, "no word about Ctrl-C");
    }
    let begun = Instant::now();
    press_ctrl_c(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(begun.elapsed() < Duration::from_secs(20));
}

#[test]
fn learning_says_what_it_knows() {
    let folder = tempfile::tempdir().unwrap();
    let [records, out] = ["games.sgf", "my.weights"].map(|name| folder.path().join(name));
    let game = "(;GM[1]SZ[9];B[ee];W[gc];B[cc];W[gg];B[cg];W[ec];B[eg];W[ge];B[ce])\n";
    std::fs::write(&records, game.repeat(200)).unwrap();
    let child = start(&[
        "learn",
        "--records",
        records.to_str().unwrap(),
        "--out",
        out.to_str().unwrap(),
        "--passes",
        "1000000",
    ]);
    let partial = out.with_extension("partial");
    wait_until("a pass is learned", || partial.exists());
    press_ctrl_c(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let text = stderr(&output);
    let last = text.lines().last().unwrap_or_default();
    assert!(last.contains("interrupted after: pass "), "{text}");
    assert!(last.contains("my.partial"), "{text}");
    assert!(!out.exists());
}

/// The engine moves at once and the game goes on; at the prompt two of them leave.
#[test]
fn in_a_game_it_interrupts_the_thinking() {
    let mut child = start(&[
        "play",
        "--game",
        "hex",
        "--size",
        "5",
        "--colour",
        "white",
        "--time",
        "3000",
        "--set",
        "knowledge.openings=false",
        "--threads",
        "1",
    ]);
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut read_until = |part: &str| {
        let mut text = Vec::new();
        while !String::from_utf8_lossy(&text).contains(part) {
            let mut byte = [0];
            output.read_exact(&mut byte).unwrap();
            text.push(byte[0]);
        }
    };
    read_until("thinks ... ");
    std::thread::sleep(Duration::from_millis(300));
    press_ctrl_c(&child);
    read_until("Kosumi plays");
    read_until("White, move 2> ");
    press_ctrl_c(&child);
    std::thread::sleep(Duration::from_millis(300));
    child.stdin.as_mut().unwrap().write_all(b"moves\nquit\n").unwrap();
    read_until("1. ");
    assert!(child.wait().unwrap().success());
}
