//! How errors end the program: one line on standard error, and an exit code.

use std::fmt;
use std::io;
use std::process::ExitCode;

/// What the user can mend by calling the program differently; the exit code is 2.
#[derive(Debug)]
pub struct Usage(String);

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

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
    let text = format!("{error:#}").replace('\n', " ");
    eprintln!("kosumi: {text}");
    ExitCode::from(if error.is::<Usage>() { 2 } else { 1 })
}
