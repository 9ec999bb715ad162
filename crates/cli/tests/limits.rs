//! What large, strange and unwritable files do to the program: it says what is wrong and goes on.
#![cfg(unix)]

mod common;

use std::io::Write;
use std::process::{Command, Output, Stdio};

use common::{kosumi, refuses, stderr, stdout, succeeds};

/// Runs the program in a shell, after these commands.
fn in_shell(before: &str, arguments: &str, input: &str) -> Output {
    let line = format!("{before}; exec '{}' {arguments}", env!("CARGO_BIN_EXE_kosumi"));
    let mut child = Command::new("sh")
        .args(["-c", &line])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

/// Each move once took 63 KB.
#[cfg(target_os = "linux")]
#[test]
fn a_long_game_takes_little_memory() {
    let folder = tempfile::tempdir().unwrap();
    let sgf = folder.path().join("long.sgf");
    let moves = 50_000;
    std::fs::write(&sgf, format!("(;GM[1]SZ[19]{})", ";B[];W[]".repeat(moves / 2))).unwrap();
    let input = format!("loadsgf {}\ngg-undo 200\nplay b D4\nundo\nlist_stones b\n", sgf.display());
    // In KiB.
    let output = in_shell("ulimit -v 700000", "gtp --threads 1 --memory 16", &input);
    assert!(output.status.success(), "{output:?}");
    let text = stdout(&output);
    assert_eq!(text.matches("= ").count(), 5, "{text}");
}

#[test]
fn only_regular_files_are_read_as_weights_records_and_configurations() {
    let folder = tempfile::tempdir().unwrap();
    let fifo = folder.path().join("fifo");
    let fifo = fifo.to_str().unwrap();
    assert!(Command::new("mkfifo").arg(fifo).status().unwrap().success());
    for device in ["/dev/zero", fifo] {
        refuses(&["gtp", "--weights", device], "only regular files");
        refuses(&["gtp", "--game", "hex", "--weights", device], "only regular files");
        refuses(&["gtp", "--config", device], "only regular files");
        let text = succeeds(&["gtp"], &format!("loadsgf {device}\nname\n"));
        assert!(text.contains("? cannot load file") && text.contains("regular files"), "{text}");
        assert!(text.contains("= Kosumi"), "{text}");
        let output = kosumi(&["solve", "--sgf", device], "");
        assert!(stderr(&output).contains("only regular files"), "{output:?}");
    }
}

#[test]
fn a_transcript_that_cannot_be_written_is_told_of_once() {
    if !std::path::Path::new("/dev/full").exists() {
        return;
    }
    let output = kosumi(&["gtp", "--log", "/dev/full"], "name\nversion\nname\n");
    assert!(output.status.success(), "{output:?}");
    assert_eq!(stdout(&output).matches("= Kosumi").count(), 2);
    let text = stderr(&output);
    assert_eq!(text.matches("/dev/full").count(), 1, "{text}");
    assert!(text.contains("the session goes on"), "{text}");
}

#[test]
fn a_game_is_saved_over_another_file_only_if_asked_to() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("notes.txt");
    std::fs::write(&file, "precious").unwrap();
    let name = file.display();
    let play = ["play", "--game", "hex", "--size", "3", "--colour", "both"];
    let text = succeeds(&play, &format!("save {name}\nquit\n"));
    assert!(text.contains(&format!("Type 'save! {name}'")), "{text}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "precious");
    let text = succeeds(&play, &format!("save! {name}\nquit\n"));
    assert!(text.contains("Saved to"), "{text}");
    assert!(std::fs::read_to_string(&file).unwrap().starts_with("(;"));
}

/// Nothing is learned before: the records do not even exist.
#[test]
fn weights_are_learned_only_where_they_can_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let learn =
        |out: &str| ["learn", "--records", "/nonexistent.sgf", "--out", out].map(String::from);
    let refused = |out: &str, about: &str| {
        let arguments = learn(out);
        refuses(&arguments.each_ref().map(String::as_str), about);
    };
    refused(&path("no/such/folder/my.weights"), "create it first");
    refused(&path(""), "is a folder");
    std::fs::write(path("my.weights"), "precious").unwrap();
    refused(&path("my.weights"), "--force replaces it");
    let mut forced = learn(&path("my.weights")).to_vec();
    forced.push("--force".to_owned());
    let forced: Vec<&str> = forced.iter().map(String::as_str).collect();
    assert!(stderr(&kosumi(&forced, "")).contains("/nonexistent.sgf"));
    assert_eq!(std::fs::read_to_string(path("my.weights")).unwrap(), "precious");
}
