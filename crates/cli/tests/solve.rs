//! `kosumi solve` as its users meet it.

mod common;

use common::{kosumi, refuses, stderr, stdout, succeeds};

#[test]
fn openings_are_a_board_of_values() {
    let text = succeeds(&["solve", "--size", "4", "--openings", "--memory", "4"], "");
    assert!(text.contains(" 1  w w w b  1\n  2  w w b w  2\n"), "{text}");
    let text = succeeds(&["solve", "--size", "3", "--openings", "--memory", "4", "--json"], "");
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&json["size"], &json["winners"]["b2"]), (&3.into(), &"black".into()));
}

#[test]
fn a_proof_is_written_and_checked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("b2.proof");
    let path = path.to_str().unwrap();
    let text = succeeds(
        &["solve", "--size", "5", "--moves", "a1,b2", "--memory", "8", "--proof", path],
        "",
    );
    assert!(text.contains("black to move: "), "{text}");
    assert!(succeeds(&["solve", "--check", path], "").starts_with("right: 5x5 with 2 stones"));
    // A proof of the other winner is none.
    let proof = std::fs::read_to_string(path).unwrap();
    let (winner, loser) = if proof.contains("winner black") {
        ("winner black", "winner white")
    } else {
        ("winner white", "winner black")
    };
    std::fs::write(path, proof.replace(winner, loser)).unwrap();
    let output = kosumi(&["solve", "--check", path], "");
    assert!(!output.status.success() && stderr(&output).contains("not a proof"), "{output:?}");
}

#[test]
fn bad_positions_get_clear_answers() {
    refuses(&["solve", "--size", "2"], "size 2");
    refuses(&["solve", "--size", "30"], "size 30");
    refuses(&["solve", "--size", "5", "--moves", "a1,a1"], "occupied");
    refuses(&["solve", "--size", "5", "--moves", "z9"], "a1 to e5");
    refuses(&["solve", "--memory", "0"], "--memory");
    refuses(&["solve", "--seconds", "-1"], "-1");
    let diagram = |text: &str, more: &[&str]| {
        kosumi(&[&["solve", "--memory", "4", "--diagram", "-"], more].concat(), text)
    };
    let output = diagram("B B .\nB . .\n. . .", &[]);
    assert!(stderr(&output).contains("3 black and 0 white stones"), "{output:?}");
    let output = diagram("B B .\nB . .\n. . .", &["--to-move", "white"]);
    assert!(stdout(&output).contains("white to move: black wins"), "{output:?}");
    let output = diagram("W B .\nW B .\n. B .", &[]);
    assert!(stdout(&output).contains("white to move: black wins"), "{output:?}");
    let output = diagram("W B\nW B .\n. B .", &[]);
    assert!(stderr(&output).contains("line 1"), "{output:?}");
}

#[test]
fn a_search_that_ends_early_says_so() {
    let arguments = ["solve", "--size", "11", "--memory", "4", "--seconds", "0.2"];
    let output = kosumi(&arguments, "");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(stdout(&output).contains("unknown yet"), "{output:?}");
    assert!(stderr(&output).contains("not solved"), "{output:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_search_tells_what_it_knows() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::{Command, Stdio};

    let mut child = Command::new(env!("CARGO_BIN_EXE_kosumi"))
        .args(["solve", "--size", "9", "--openings", "--memory", "4"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    // From here on the signal is watched for.
    errors.read_line(&mut line).unwrap();
    let status = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(status.success());
    let mut text = String::new();
    child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert!(text.contains(" ? ? "), "{text}");
}

#[test]
fn the_diagrams_of_other_commands_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("board.txt");
    let play = ["play", "--game", "hex", "--size", "4", "--colour", "both"];
    let played = succeeds(&play, "b2\nc3\nquit\n");
    // Behind the prompt of White's move.
    let (_, board) = played.split("\n\n").nth(3).unwrap().split_once('\n').unwrap();
    let gtp = ["gtp", "--game", "hex", "--size", "4"];
    let shown = succeeds(&gtp, "play b b2\nplay w c3\nshowboard\n");
    let shown = shown.split("\n\n").nth(2).unwrap();
    assert!(board.contains("(O)") && shown.contains('W'), "{board}\n{shown}");
    let by_moves = succeeds(&["solve", "--size", "4", "--moves", "b2,c3", "--json"], "");
    for text in [board, shown] {
        std::fs::write(&file, text).unwrap();
        let solved = succeeds(&["solve", "--diagram", file.to_str().unwrap(), "--json"], "");
        let answer = |text: &str| -> (serde_json::Value, serde_json::Value) {
            let json: serde_json::Value = serde_json::from_str(text).unwrap();
            (json["winner"].clone(), json["to_move"].clone())
        };
        assert_eq!(answer(&solved), answer(&by_moves), "{text}");
    }
}
