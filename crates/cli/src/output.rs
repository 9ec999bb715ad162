//! What commands print on standard output.

use std::fmt;
use std::io::{self, Write as _};

/// Prints a line, as `println!` does, but fails with an error instead of a panic, and not at all
/// where nobody reads any more.
macro_rules! say {
    ($($text:tt)*) => {
        $crate::output::print(format_args!("{}\n", format_args!($($text)*)))
    };
}
pub(crate) use say;

/// Prints as it stands. Whoever closed our output (`kosumi match … | head`) has seen enough, but what
/// else the command does is still wanted: its files are written.
///
/// # Errors
/// Standard output cannot be written for any other reason.
pub fn print(text: fmt::Arguments<'_>) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_fmt(text).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}
