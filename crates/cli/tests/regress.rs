//! `kosumi regress` and `kosumi openings` from the outside.

use std::process::Command;

fn kosumi(arguments: &[&str]) -> (bool, String, String) {
    let run = Command::new(env!("CARGO_BIN_EXE_kosumi")).args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (run.status.success(), text(&run.stdout), text(&run.stderr))
}

const TESTS: &str = "\
1 name
#? [Kosumi]
2 name
#? [Somebody]
3 name
#? [!Kosumi]*
4 make_coffee
#? [.*]
loadsgf two.sgf
5 list_stones b
#? [c3]
boardsize 6 7
6 list_stones b
#? [.*]
";

#[test]
fn a_file_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mixed.tst");
    std::fs::write(&file, TESTS).unwrap();
    std::fs::write(folder.path().join("two.sgf"), "(;GM[11]SZ[5];B[c3];W[d2])").unwrap();
    let file = file.to_str().unwrap();
    let options = ["--game", "hex", "--options", "--memory 8", "--timeout", "600", "--long"];
    let arguments: Vec<&str> = ["regress"].into_iter().chain(options).chain([file]).collect();
    let (success, out, err) = kosumi(&arguments);
    let counts = out.lines().last().unwrap().split_whitespace().collect::<Vec<_>>();
    assert_eq!(counts, ["2", "2", "1", "0", "1", "1", "in", "all"], "{out}{err}");
    assert!(!success && err.contains("1 tests failed that should pass"), "{err}");
    assert!(out.contains("line 3: 2 name: failed: [Somebody] expected, got 'Kosumi'"), "{out}");
    assert!(out.contains("no board: 'boardsize 6 7'"), "{out}");
}

/// Answers with the moves so far, and to `think` never.
#[cfg(unix)]
const SLEEPER: &str = "\
while read -r word rest; do
  case $word in
    think) sleep 1000 ;;
    play) moves=\"$moves$rest;\" ;;
  esac
  printf '= %s\\n\\n' \"$moves\"
done
";

#[cfg(unix)]
#[test]
fn a_program_that_hangs_is_brought_back_to_the_position() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (script, file) = (path("sleeper"), path("hang.tst"));
    std::fs::write(&script, SLEEPER).unwrap();
    std::fs::write(&file, "play b a1\n1 think\n#? [.*]\n2 moves\n#? [b a1;]\n").unwrap();
    let program = format!("sh {script}");
    let (success, out, err) = kosumi(&["regress", "--program", &program, "--timeout", "5", &file]);
    let counts = out.lines().last().unwrap().split_whitespace().collect::<Vec<_>>();
    assert_eq!(counts, ["1", "0", "0", "1", "0", "0", "in", "all"], "{out}{err}");
    assert!(!success);
}

#[test]
fn what_cannot_be_run_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("wrong.tst");
    std::fs::write(&file, "1 name\n#? no brackets\n").unwrap();
    let (success, _, err) = kosumi(&["regress", file.to_str().unwrap()]);
    assert!(!success && err.contains("line 2"), "{err}");
    let (success, _, err) = kosumi(&["regress", "/nowhere/at.tst"]);
    assert!(!success && err.contains("/nowhere/at.tst"), "{err}");
}

#[test]
fn openings_are_put_into_a_table_and_kept_in_a_journal() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (journal, table) = (path("3.jsonl"), path("tables.jsonl"));
    let arguments = ["openings", "--size", "3", "--memory", "4", "--out", &journal];
    let with = |more: &[&str]| kosumi(&[&arguments[..], more].concat());
    let (success, out, err) = with(&["--table", &table]);
    assert!(success, "{err}");
    assert_eq!(out.lines().next(), Some("0.00 0.00 1.00"), "c1 wins on 3x3: {out}");
    let tables = std::fs::read_to_string(&table).unwrap();
    assert_eq!(tables.lines().count(), 1);
    assert!(tables.contains("\"size\":3") && tables.contains("\"b2\":1.0"), "{tables}");
    let (success, _, err) = with(&[]);
    assert!(!success && err.contains("--resume"), "{err}");
    assert!(with(&["--resume"]).0);
}
