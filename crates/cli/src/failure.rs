//! How errors end the program: one line on standard error, and an exit code.

use std::fmt;
use std::io;
use std::process::ExitCode;

use crate::interrupt;

/// What the user can mend by calling the program differently; the exit code is 2.
#[derive(Debug)]
pub struct Usage(String);

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// Ctrl-C has ended the command; the text says what stands and how to go on.
#[derive(Debug)]
pub struct Interrupted(String);

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "interrupted {}", self.0)
    }
}

impl std::error::Error for Interrupted {}

/// The end of a command by Ctrl-C.
pub fn interrupted(what_stands: impl fmt::Display) -> anyhow::Error {
    Interrupted(what_stands.to_string()).into()
}

/// Makes an error one of usage.
pub fn usage(error: impl fmt::Display) -> anyhow::Error {
    Usage(error.to_string()).into()
}

/// Tells the error and gives the exit code.
pub fn report(error: &anyhow::Error) -> ExitCode {
    // Whoever closed our output (`kosumi params | head`) has seen enough.
    let closed = |cause: &io::Error| cause.kind() == io::ErrorKind::BrokenPipe;
    if error.chain().filter_map(|e| e.downcast_ref()).any(closed) {
        return ExitCode::SUCCESS;
    }
    eprintln!("kosumi: {}", one_line(error));
    ExitCode::from(if error.is::<Interrupted>() {
        interrupt::EXIT_CODE
    } else if error.is::<Usage>() {
        2
    } else {
        1
    })
}

/// The error and its causes in one line; messages that hold their cause's say it once.
fn one_line(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        let words: Vec<&str> = cause.split_whitespace().collect();
        let cause = words.join(" ");
        if !text.contains(&cause) {
            let between = if text.is_empty() { "" } else { ": " };
            text.extend([between, &cause]);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_one_line_that_says_nothing_twice() {
        let error = anyhow::anyhow!("no such\nfile").context("x.toml: no such file");
        assert_eq!(one_line(&error), "x.toml: no such file");
        let error = anyhow::anyhow!("no such file").context("x.toml");
        assert_eq!(one_line(&error), "x.toml: no such file");
    }
}
