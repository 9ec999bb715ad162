//! Calling the program in a test.
#![allow(dead_code)] // Each test file uses its part.

use std::io::Write;
use std::process::{Command, Output, Stdio};

pub fn kosumi(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_kosumi"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that ends early does not read; that is no failure of the test.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[track_caller]
pub fn succeeds(arguments: &[&str], input: &str) -> String {
    let output = kosumi(arguments, input);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    stdout(&output)
}

/// Bad usage: exit code 2 and one clear line that says `about`.
#[track_caller]
pub fn refuses(arguments: &[&str], about: &str) {
    let output = kosumi(arguments, "");
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
    let text = stderr(&output);
    let first = text.lines().next().unwrap_or_default();
    assert!(first.contains(about), "{arguments:?}: {text}");
    assert!(stdout(&output).is_empty());
}
