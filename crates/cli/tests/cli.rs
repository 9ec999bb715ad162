//! The program as its users meet it: arguments, streams, exit codes.

mod common;

use std::path::Path;
use std::process::{Command, Output, Stdio};

use common::{kosumi, refuses, stderr, stdout, succeeds};

#[test]
fn help_teaches_by_examples() {
    assert!(succeeds(&["--help"], "").contains("kosumi gtp --game go --size 9"));
    for command in
        ["gtp", "play", "match", "tournament", "tune", "experiment", "bench", "params", "version"]
    {
        let text = succeeds(&["help", command], "");
        assert!(text.contains("Examples:"), "{command}: {text}");
        assert!(text.contains(&format!("kosumi {command}")), "{command}: {text}");
    }
}

#[test]
fn bad_usage_is_one_clear_line() {
    refuses(&["frobnicate"], "frobnicate");
    refuses(&["gtp", "--game", "chess"], "chess");
    refuses(&["gtp", "--game", "go", "--size", "77"], "no Go board of size 77");
    refuses(&["gtp", "--preset", "strngest"], "strngest");
    refuses(&["gtp", "--set", "search.thraeds=2"], "search.threads");
    refuses(&["gtp", "--set", "nonsense"], "KEY=VALUE");
    refuses(&["gtp", "--config", "/nonexistent.toml"], "/nonexistent.toml");
    refuses(&["params", "--set", "search.threads=0"], "search.threads");
    refuses(&["play", "--game", "hex", "--komi", "3"], "komi");
    refuses(&["match", "light", "uct", "third"], "'third'");
    refuses(&["match", "lihgt"], "lihgt");
    refuses(&["gtp", "--game", "havannah", "--weights", "x"], "weights is for Go and Hex");
    refuses(&["gtp", "--sims", "0"], "at least 1");
    refuses(&["match"], "kosumi match strongest light");
    refuses(&["match", "light", "uct", "--sims", "0"], "at least 1");
    refuses(&["match", "light", "uct", "--sims-b", "0"], "at least 1");
    refuses(&["tournament", "light:sims=0", "uct"], "at least 1");
    refuses(&["match", "light", "--clock", "soon"], "byo-yomi");
    refuses(&["match", "light", "--komi", "7.3"], "7.3");
    refuses(&["match", "light", "--game", "hex", "--size", "2"], "size 2");
    refuses(&["match", "--cmd-b", "'gnugo"], "closing");
    refuses(&["match", "light", "--time", "-1"], "-1");
    refuses(&["match", "light", "--equal-cpu"], "--sims-a");
    refuses(&["match", "--equal-cpu", "--sims-a", "9", "--cmd-a", "gnugo --mode gtp"], "{sims}");
    refuses(&["bench", "--seconds", "0"], "--seconds");
    let tune =
        |range: &str, about: &str| refuses(&["tune", "--sims", "9", "--param", range], about);
    tune("rave.lat=1..2", "rave.late");
    tune("rave.late=2..1", "MIN must be a number below MAX");
    tune("rave.late", "NAME=MIN..MAX");
    tune("search.threads=0..4", "'0' does not fit");
    tune("tree.expand_at=1.5..4", "whole numbers");
    tune("play.ponder=0..1", "only numbers can be tuned");
    refuses(&["tune", "--report", "/nonexistent.jsonl"], "/nonexistent.jsonl");
    refuses(&["tune", "--sims", "9", "--param", "rave.late=1..9", "--opponent", "lihgt"], "lihgt");
}

#[test]
fn a_command_whose_output_nobody_reads_any_more_does_its_work() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games.jsonl");
    let mut child = Command::new(env!("CARGO_BIN_EXE_kosumi"))
        .args(["match", "light", "uct", "--size", "5", "--sims", "5", "-n", "2", "--out"])
        .arg(&games)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(!stderr(&output).contains("panicked"), "{output:?}");
    // What was to be played, the games, and how it ended.
    assert_eq!(std::fs::read_to_string(games).unwrap().lines().count(), 4);
}

#[test]
fn speaks_gtp_in_all_three_games() {
    for (game, size, colour, shown) in [
        ("go", "5", "b", "A B C D E"),
        ("hex", "5", "b", "a b c d e"),
        ("havannah", "4", "w", "1 2 3 4"),
    ] {
        let input = format!("1 genmove {colour}\n2 showboard\nnonsense\n3 quit\n");
        let text = succeeds(
            &[
                "gtp",
                "--game",
                game,
                "--size",
                size,
                "--sims",
                "50",
                "--seed",
                "1",
                "--threads",
                "1",
            ],
            &input,
        );
        assert!(text.starts_with("=1 "), "{text}");
        assert!(text.contains(shown) && text.contains("\n? "), "{text}");
        assert!(text.ends_with("=3 \n\n"), "{text}");
        // The end of the input is the end of the program.
        let again = succeeds(
            &[
                "gtp",
                "--game",
                game,
                "--size",
                size,
                "--sims",
                "50",
                "--seed",
                "1",
                "--threads",
                "1",
            ],
            &format!("1 genmove {colour}\n"),
        );
        assert_eq!(again.lines().next(), text.lines().next(), "one seed, one move");
    }
}

#[test]
fn keeps_a_transcript_and_reports_any_version() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("gtp.log");
    let arguments = ["gtp", "--report-version", "0.19", "--log", log.to_str().unwrap()];
    assert_eq!(succeeds(&arguments, "version\n"), "= 0.19\n\n");
    let text = std::fs::read_to_string(log).unwrap();
    assert!(text.contains("version") && text.contains("0.19"), "{text}");
}

#[test]
fn params_reproduce_themselves() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.toml");
    for game in ["go", "hex", "havannah"] {
        let toml = succeeds(&["params", "--game", game, "--set", "search.seed=77"], "");
        assert!(toml.contains("seed = 77"), "{toml}");
        std::fs::write(&file, &toml).unwrap();
        let file = file.to_str().unwrap();
        let again =
            succeeds(&["params", "--game", game, "--preset", "light", "--config", file], "");
        assert_eq!(again, toml);
        let docs = succeeds(&["params", "--game", game, "--docs"], "");
        assert!(docs.contains("| `search.threads` |"), "{docs}");
        assert!(
            docs.contains("| `search.seed` | `1` | `1` | a whole number, 0 or more |"),
            "{docs}"
        );
        assert!(docs.contains("`balance`: `(1 - final.visit_weight)"), "{docs}");
        assert!(docs.lines().all(|line| line.starts_with('|') && line.ends_with('|')));
    }
    assert!(succeeds(&["params", "--list"], "").contains("strongest"));
}

#[test]
fn version_tells_what_is_running() {
    let text = succeeds(&["version"], "");
    assert!(text.starts_with("Kosumi 0."), "{text}");
    let json: serde_json::Value =
        serde_json::from_str(&succeeds(&["version", "--json"], "")).unwrap();
    for key in ["version", "commit", "cpu_path", "presets"] {
        assert!(!json[key].is_null(), "{key}: {json}");
    }
    let hash = |name: &str| json["presets"]["go"][name].as_str().unwrap().to_owned();
    assert_ne!(hash("strongest"), hash("light"));
}

#[test]
fn bench_ends_with_a_signature() {
    let text = succeeds(&["bench", "--game", "hex", "--seconds", "0.2", "--threads", "1"], "");
    let last = text.lines().last().unwrap();
    let alone = succeeds(&["bench", "--signature"], "");
    assert_eq!(alone.trim_end(), last);
    let hex = last.strip_prefix("signature ").unwrap();
    assert!(hex.len() == 16 && hex.chars().all(|c| c.is_ascii_hexdigit()), "{last}");
    assert!(text.contains("savebridge playouts"), "{text}");
}

/// Plays Hex on 3x3: fast, and a person can win it.
const HEX: &[&str] = &["play", "--game", "hex", "--size", "3", "--sims", "50", "--threads", "1"];

#[test]
fn play_asks_what_it_does_not_know() {
    let text = succeeds(&[], "chess\nhex\n99\n4\nblack\nquit\n");
    assert!(text.contains("unknown game 'chess'"), "{text}");
    assert!(text.contains("3 to 19, please"), "{text}");
    assert!(text.contains("Hex, size 4"), "{text}");
    assert!(text.contains("a b c d"), "{text}");
    // Nothing typed: the defaults.
    assert!(succeeds(&["play"], "\n\n\nquit\n").contains("Go, size 9, komi 7.5"));
}

#[test]
fn play_ends_with_the_input_wherever_that_is() {
    for input in ["", "hex\n", "hex\n3\n", "hex\n3\nblack\n", "hex\n3\nblack\nb2"] {
        succeeds(&[], input);
    }
}

#[test]
fn a_game_can_be_played_undone_and_saved() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.sgf");
    let save = format!("save! {}\n", file.display());
    let input = format!(
        "help\nhint\nb2\nundo\nmoves\nb9\nb2\n{save}resign\nundo\nboard\nresign\n{save}quit\n"
    );
    let mut arguments = HEX.to_vec();
    arguments.extend(["--set", "rules.swap=false"]);
    let text = succeeds(&arguments, &input);
    assert!(text.contains("Kosumi would play"), "{text}");
    assert!(text.contains("win rate") && text.contains("Kosumi plays"), "{text}");
    assert!(text.contains("No moves yet."), "undo takes back both moves: {text}");
    assert!(text.contains("'b9' is not a move"), "{text}");
    assert!(text.contains("White wins by resignation."), "{text}");
    let sgf = std::fs::read_to_string(file).unwrap();
    assert!(sgf.contains("PB[Human]PW[Kosumi]"), "{sgf}");
    assert!(sgf.contains("RE[W+R]") && sgf.contains("B[b2]"), "{sgf}");
}

#[test]
fn a_game_between_people_ends_by_the_rules() {
    let mut arguments = HEX.to_vec();
    arguments.extend(["--colour", "both", "--set", "rules.swap=false"]);
    let text = succeeds(&arguments, "b1\na1\nb2\na2\nb3\nundo\nb3\na3\nnew\nquit\n");
    assert_eq!(text.matches("Black wins.").count(), 2, "{text}");
    let go = ["play", "--game", "go", "--size", "5", "--colour", "both", "--komi", "0.5"];
    let text = succeeds(&go, "C3\npass\npass\nquit\n");
    assert!(text.contains("Black wins by 24.5 points."), "{text}");
    assert!(text.contains("(X)"), "the last move is marked: {text}");
}

#[test]
fn kosumi_plays_both_sides_if_asked() {
    let mut arguments = HEX.to_vec();
    arguments.extend(["--colour", "none"]);
    let text = succeeds(&arguments, "");
    assert!(text.contains(" wins"), "{text}");
}

fn play_match(out: &Path, more: &[&str]) -> Output {
    let mut arguments = vec!["match", "--game", "hex", "--size", "4", "--sims", "50"];
    arguments.extend(["--out", out.to_str().unwrap()]);
    arguments.extend(more);
    kosumi(&arguments, "")
}

#[test]
fn a_match_is_told_written_down_and_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("m.jsonl");
    let players = ["strongest", "light", "--games"];
    let run = |more: &[&str]| play_match(&out, &[&players[..], more].concat());
    let output = run(&["2"]);
    assert!(output.status.success(), "{output:?}");
    let text = stdout(&output);
    for part in ["of 2 games", "95 % interval", "Elo of A", "A moving first", "CPU seconds"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(stderr(&output).contains("2/2: game"), "{output:?}");
    let again = run(&["4"]);
    assert_eq!(again.status.code(), Some(2));
    assert!(stderr(&again).contains("--resume"), "{again:?}");
    let resumed = run(&["4", "--resume"]);
    assert!(stdout(&resumed).contains("of 4 games"), "{resumed:?}");
    let other = run(&["4", "--resume", "--seed", "5"]);
    assert!(stderr(&other).contains("its seed is 1, not 5"), "{other:?}");
    let lines = std::fs::read_to_string(&out).unwrap();
    assert_eq!(lines.lines().count(), 1 + 1 + 4, "match, introduction, games");
    let sgf = std::fs::read_to_string(out.with_extension("sgf")).unwrap();
    assert_eq!(sgf.lines().count(), 4);
}

#[test]
fn a_player_may_be_a_file_or_another_program() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("mine.toml");
    std::fs::write(&config, "[search]\nthreads = 1\n").unwrap();
    let program =
        format!("'{}' gtp --game hex --sims 20 --seed {{seed}}", env!("CARGO_BIN_EXE_kosumi"));
    let out = folder.path().join("m.jsonl");
    let output = play_match(
        &out,
        &[
            config.to_str().unwrap(),
            "--cmd-b",
            &program,
            "--setup-b",
            "kosumi-param rules.swap false",
            "--name-b",
            "Other",
            "--args-a",
            "--threads 2",
            "--openings",
            "random:2",
            "--clock",
            "10+3x5",
            "--games",
            "2",
        ],
    );
    assert!(output.status.success(), "{output:?}");
    let text = stdout(&output);
    assert!(text.contains("A: Kosumi mine.toml\nB: Other\n"), "{text}");
    assert!(!text.contains("failures"), "{text}");
    let journal = std::fs::read_to_string(&out).unwrap();
    assert!(journal.contains("--threads 2") && journal.contains("10+3x5"), "{journal}");
}

#[test]
fn a_program_that_cannot_start_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("m.jsonl");
    let output = play_match(&out, &["strongest", "--cmd-b", "/nonexistent/program"]);
    assert_eq!(output.status.code(), Some(1));
    let text = stderr(&output);
    assert!(text.lines().last().unwrap().contains("cannot start '/nonexistent/program'"), "{text}");
    // Nothing was played, so that nothing is in the way.
    let output = play_match(&out, &["strongest", "light", "--games", "1"]);
    assert!(output.status.success(), "{output:?}");
}

/// Kills a match in the middle, as hard as can be, and goes on with it.
#[cfg(unix)]
#[test]
fn a_killed_match_loses_and_repeats_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("m.jsonl");
    let mut arguments = vec!["match", "strongest", "strongest", "--game", "hex", "--size", "5"];
    arguments.extend(["--sims", "300"]);
    arguments.extend(["--games", "40", "-j", "2", "--resume", "--out", out.to_str().unwrap()]);
    let mut finished = 0;
    for kill_at in [3, 9] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_kosumi"))
            .args(&arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while finished < kill_at {
            let text = std::fs::read_to_string(&out).unwrap_or_default();
            finished = text.matches('\n').count().saturating_sub(2);
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let before = std::fs::read_to_string(&out).unwrap();
    let output = kosumi(&arguments, "");
    assert!(stdout(&output).contains("of 40 games"), "{output:?}");
    let after = std::fs::read_to_string(&out).unwrap();
    let whole = before.rfind('\n').unwrap() + 1;
    assert!(after.starts_with(&before[..whole]), "finished games are kept");
    let mut numbers: Vec<u64> = after
        .lines()
        .skip(2)
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .map(|game| game["number"].as_u64().unwrap())
        .collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=40).collect::<Vec<_>>());
}

#[test]
fn a_tuning_ends_with_a_report_and_resumes() {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("t.jsonl");
    let out = journal.to_str().unwrap();
    let tune = |more: &[&str]| {
        let mut words = vec!["tune", "light", "--game", "hex", "--size", "4", "--sims", "5"];
        words.extend([
            "--param",
            "tree.expand_at=1..8",
            "--param",
            "rave.late=10..1000:log",
            "--out",
            out,
        ]);
        words.extend(more);
        kosumi(&words, "")
    };
    let lines = |journal: &Path| std::fs::read_to_string(journal).unwrap().lines().count();
    let output = tune(&["-n", "3"]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(lines(&journal), 4);
    assert_eq!(tune(&["-n", "3"]).status.code(), Some(2), "the journal is not overwritten");
    let other = tune(&["-n", "5", "--resume", "--seed", "2"]);
    assert!(stderr(&other).contains("its seed is 1, not 2"), "{other:?}");
    let output = tune(&["-n", "5", "--resume", "-j", "2"]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(lines(&journal), 6);
    let text = stdout(&output);
    for about in ["5 samples, 5 used", "[rave]\nlate = ", "[tree]\nexpand_at = ", "points there"] {
        assert!(text.contains(about), "{about}: {text}");
    }
    let chart = folder.path().join("t.rave.late.svg");
    assert!(std::fs::read_to_string(&chart).unwrap().starts_with("<svg"));
    std::fs::remove_file(&chart).unwrap();
    assert_eq!(succeeds(&["tune", "--report", out], ""), text);
    assert!(chart.exists());
}

/// A value set by a preset, by its table for a size, or by hand is the one shown.
#[test]
fn the_docs_of_parameters_show_the_values_in_force() {
    let docs = succeeds(&["params", "--game", "hex", "--docs", "--set", "rave.late=77"], "");
    assert!(docs.contains("| `rave.late` | `77` | `3000` |"), "{docs}");
}

/// Files and --set win over the cores of the machine.
#[test]
fn threads_are_the_cores_unless_told_otherwise() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.toml");
    std::fs::write(&file, "search.threads = 3").unwrap();
    let threads = |more: &[&str]| {
        let text = succeeds(&[&["gtp"], more].concat(), "kosumi-param search.threads\n");
        text.trim().trim_start_matches("= ").to_owned()
    };
    let cores = std::thread::available_parallelism().unwrap().to_string();
    assert_eq!(threads(&[]), cores);
    assert_eq!(threads(&["--config", file.to_str().unwrap()]), "3");
    assert_eq!(threads(&["--set", "search.threads=4"]), "4");
    assert_eq!(threads(&["--threads", "5"]), "5");
}

#[test]
fn a_match_without_a_limit_says_how_long_it_thinks() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("m.jsonl");
    let set = ["--set", "think.seconds=0.01", "--game", "hex", "--size", "3", "-n", "1"];
    let arguments = ["match", "light", "uct", "--sims-b", "9", "--out", out.to_str().unwrap()];
    let output = kosumi(&[&arguments[..], &set].concat(), "");
    assert!(output.status.success(), "{output:?}");
    let text = stderr(&output);
    assert!(text.contains("light: no --sims, --time or --clock is given"), "{text}");
    assert!(text.contains("0.01 s a move") && !text.contains("uct: no --sims"), "{text}");
}

#[test]
fn shells_and_manuals_learn_all_commands() {
    for shell in ["bash", "zsh", "fish"] {
        let script = succeeds(&["completions", shell], "");
        assert!(script.contains("tournament") && script.contains("at-once"), "{shell}");
    }
    refuses(&["completions", "tcsh"], "tcsh");
    let folder = tempfile::tempdir().unwrap();
    let man = folder.path().join("man/man1");
    succeeds(&["man", man.to_str().unwrap()], "");
    for page in ["kosumi.1", "kosumi-match.1", "kosumi-gtp.1"] {
        let text = std::fs::read_to_string(man.join(page)).unwrap();
        assert!(text.contains(".TH"), "{page}");
    }
}

#[test]
fn weights_of_hex_are_used_and_checked() {
    let patterns = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/hex/playouts.weights");
    let gtp = ["gtp", "--game", "hex", "--preset", "light", "--weights", patterns];
    let text = succeeds(&gtp, "kosumi-weights\nkosumi-param knowledge.learned\n");
    assert!(text.contains("playouts.weights ") && text.contains("= true"), "{text}");
    // Before a match, not in its first game.
    let net = "knowledge.net=/nonexistent.weights";
    refuses(&["match", "light", "uct", "--game", "hex", "--set", net], "/nonexistent.weights");
}
