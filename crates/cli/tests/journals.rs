//! Journals after the match: reports, tables, checksums, compressed files.

mod common;

use std::io::Write;
use std::path::Path;

use common::{kosumi, refuses, stderr, succeeds};

fn play(out: &Path) {
    let mut arguments = vec!["match", "light", "uct", "--game", "hex", "--size", "4"];
    arguments.extend(["--sims", "20", "-n", "4", "--no-pin", "--out", out.to_str().unwrap()]);
    succeeds(&arguments, "");
}

fn compress(path: &Path) {
    let mut packed = path.as_os_str().to_owned();
    packed.push(".xz");
    let file = std::fs::File::create(packed).unwrap();
    let mut writer =
        lzma_rust2::XzWriter::new(file, lzma_rust2::XzOptions::with_preset(1)).unwrap();
    writer.write_all(&std::fs::read(path).unwrap()).unwrap();
    writer.finish().unwrap();
    std::fs::remove_file(path).unwrap();
}

#[test]
fn journals_are_reported_without_playing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.jsonl");
    let name = path.to_str().unwrap();
    play(&path);
    let report = succeeds(&["match", "--report", name], "");
    assert!(report.contains("A: Kosumi light\nB: Kosumi uct\n"), "{report}");
    assert!(report.contains("of 4 games") && report.contains("Elo of A over B"), "{report}");
    assert_eq!(succeeds(&["match", "--report", name, name], "").matches("of 4 games").count(), 2);
    let csv = succeeds(&["match", "--report", name, "--csv"], "");
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 1 + 4);
    assert!(lines[0].starts_with("journal,number,a,b,first,winner,"), "{csv}");
    for (number, line) in (1..).zip(&lines[1..]) {
        assert!(line.starts_with(&format!("{name},{number},Kosumi light,Kosumi uct,")), "{csv}");
        assert_eq!(line.matches(',').count(), lines[0].matches(',').count());
    }
    let output = kosumi(&["match", "light", "--csv"], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("--report"), "{output:?}");

    compress(&path);
    // Named or not, the compressed file is found.
    assert_eq!(succeeds(&["match", "--report", name], ""), report);
    let packed = format!("{name}.xz");
    let of_packed = succeeds(&["match", "--report", &packed], "");
    assert_eq!(of_packed.replace(&packed, name), report);
    let resume =
        ["match", "light", "uct", "--game", "hex", "--size", "4", "--sims", "20", "-n", "6"];
    let output = kosumi(&[&resume[..], &["--resume", "--out", name]].concat(), "");
    assert!(stderr(&output).contains("xz -d"), "{output:?}");
    assert!(!path.exists());
}

#[test]
fn a_line_that_was_changed_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.jsonl");
    let name = path.to_str().unwrap();
    play(&path);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.lines().all(|line| line.contains("\"crc32\":\"")), "{text}");
    let changed = text.replacen("\"number\":1,", "\"number\":7,", 1);
    std::fs::write(&path, changed).unwrap();
    refuses(&["match", "--report", name], "its checksum is wrong");
    refuses(&["match", "--report", name], "remove the line");
    // Earlier versions wrote none.
    let plain: String = text
        .lines()
        .map(|line| format!("{}}}\n", line.split(",\"crc32\"").next().unwrap()))
        .collect();
    std::fs::write(&path, plain).unwrap();
    assert!(succeeds(&["match", "--report", name], "").contains("of 4 games"));
}

#[test]
fn another_option_is_named_with_both_values() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.jsonl");
    play(&path);
    let again = |sims: &str, more: &[&str]| {
        let mut arguments = vec!["match", "light", "uct", "--game", "hex", "--size", "4"];
        arguments.extend(["--sims", sims, "-n", "4", "--resume", "--out", path.to_str().unwrap()]);
        arguments.extend(more);
        stderr(&kosumi(&arguments, ""))
    };
    let text = again("30", &[]);
    assert!(text.contains("player A has '--sims 20', not '--sims 30'"), "{text}");
    let text = again("20", &["--set", "rave.late=9"]);
    assert!(text.contains("player A has no '--set rave.late=9'"), "{text}");
    let text = again("20", &["--openings", "first"]);
    assert!(text.contains("its openings are random 2, not first"), "{text}");
}
