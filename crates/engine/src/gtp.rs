//! The Go Text Protocol, version 2, with the extensions of its clients; `docs/gtp.md` lists all
//! commands.
//!
//! A thread reads lines, so that any input interrupts an analysis. Every line that is neither empty
//! nor a comment gets exactly one answer, `=` or `?`, whatever bytes it holds: a command that
//! panics is answered `? internal error`, and the game goes on.

mod analyze;
mod arguments;
mod board;
mod clients;
mod core;
mod game;
mod hex;
mod input;
mod own;
mod table;
mod time;

use std::fmt;
use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::engine::Engine;
use crate::error::{EngineError, panic_text};
use arguments::Arguments;
use input::{Inbox, Line};

pub use table::{Command, commands};

/// How a protocol server is to behave.
#[derive(Default)]
#[non_exhaustive]
pub struct GtpOptions {
    /// What `version` answers instead of the program's version. Lizzie wants `0.15` or more.
    pub version: Option<String>,
    /// Where a full transcript of input and output goes.
    pub log: Option<Box<dyn Write + Send>>,
    /// Where a live view of the search goes: `gogui-gfx` blocks, which GoGui reads from standard
    /// error and HexGUI from standard output. `None`: nowhere.
    pub live: Option<Box<dyn Write + Send>>,
}

impl fmt::Debug for GtpOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GtpOptions")
            .field("version", &self.version)
            .field("log", &self.log.is_some())
            .field("live", &self.live.is_some())
            .finish()
    }
}

/// Serves an engine until `quit` or the end of the input.
///
/// The input is read by a thread of its own, which ends with the input or after `quit`.
///
/// # Errors
/// The output cannot be written.
pub fn serve(
    engine: Engine,
    input: impl BufRead + Send + 'static,
    mut output: impl Write,
    options: GtpOptions,
) -> io::Result<()> {
    let mut session = Session {
        engine,
        inbox: Inbox::spawn(input),
        output: &mut output,
        options,
        id: String::new(),
        open: false,
    };
    while let Some(line) = session.inbox.next() {
        if !session.answer(line)? {
            break;
        }
    }
    session.inbox.close();
    Ok(())
}

/// What a command answers.
enum Reply {
    /// `= text`.
    Text(String),
    /// The answer was begun with [`Session::open`] and is to be closed.
    Streamed,
    /// `=`, and the session ends.
    Quit,
}

/// Why a command answers `?`.
enum Refusal {
    Because(String),
    /// The output is gone.
    Output(io::Error),
}

impl Refusal {
    fn new(text: impl Into<String>) -> Self {
        Self::Because(text.into())
    }
}

impl From<EngineError> for Refusal {
    fn from(error: EngineError) -> Self {
        Self::Because(error.to_string())
    }
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

type Answer = Result<Reply, Refusal>;

fn done() -> Answer {
    Ok(Reply::Text(String::new()))
}

fn text(text: impl Into<String>) -> Answer {
    Ok(Reply::Text(text.into()))
}

struct Session<'a> {
    engine: Engine,
    inbox: Inbox,
    output: &'a mut dyn Write,
    options: GtpOptions,
    /// The id of the command that is being answered.
    id: String,
    /// Whether its answer has begun to be written.
    open: bool,
}

impl Session<'_> {
    /// Answers one line. False after `quit`.
    fn answer(&mut self, line: Line) -> io::Result<bool> {
        let logged = match &line {
            Line::Text(text) => text.as_str(),
            Line::TooLong => "(a line that is too long)",
        };
        self.log('<', logged);
        let (id, words) = match line {
            Line::Text(text) => input::split(&text),
            Line::TooLong => {
                self.id.clear();
                let most = input::LONGEST_LINE;
                let refusal = format!("the line is too long: at most {most} bytes are read");
                return self.write_answer('?', &refusal).map(|()| true);
            }
        };
        if id.is_empty() && words.is_empty() {
            return Ok(true);
        }
        self.id = id;
        self.open = false;
        let result = catch_unwind(AssertUnwindSafe(|| self.execute(&words)));
        let result = result.unwrap_or_else(|panic| {
            let recovered = catch_unwind(AssertUnwindSafe(|| self.engine.recover()));
            let lost = if matches!(recovered, Ok(Ok(()))) {
                ""
            } else {
                " (and the search could not be restarted)"
            };
            let why = panic_text(&*panic);
            Err(Refusal::new(format!("internal error{lost}: {why}")))
        });
        match result {
            Err(Refusal::Output(error)) => Err(error),
            Ok(reply) if self.open => self.close().map(|()| !matches!(reply, Reply::Quit)),
            Err(Refusal::Because(why)) if self.open => {
                self.write_line(&format!("# {why}"))?;
                self.close().map(|()| true)
            }
            Ok(Reply::Text(text)) => self.write_answer('=', &text).map(|()| true),
            Ok(Reply::Streamed) => self.write_answer('=', "").map(|()| true),
            Ok(Reply::Quit) => self.write_answer('=', "").map(|()| false),
            Err(Refusal::Because(why)) => self.write_answer('?', &why).map(|()| true),
        }
    }

    fn execute(&mut self, words: &[String]) -> Answer {
        let Some((name, rest)) = words.split_first() else {
            return Err(Refusal::new("unknown command: there is none"));
        };
        let Some(command) = table::find(name, self.engine.game()) else {
            return Err(Refusal::new(format!("unknown command '{}'", shorten(name))));
        };
        (command.run)(self, &Arguments::new(rest, command.syntax))
    }

    /// Begins an answer that is written piece by piece.
    fn open(&mut self) -> io::Result<()> {
        self.open = true;
        let head = format!("={} ", self.id);
        self.write_line(&head)
    }

    fn close(&mut self) -> io::Result<()> {
        self.open = false;
        self.write_line("")
    }

    /// One line of an open answer.
    fn write_line(&mut self, line: &str) -> io::Result<()> {
        let line = clean(line);
        self.log('>', &line);
        writeln!(self.output, "{line}")?;
        self.output.flush()
    }

    fn write_answer(&mut self, sign: char, text: &str) -> io::Result<()> {
        let mut answer = format!("{sign}{} ", self.id);
        // An empty line would end the answer.
        let mut lines = text.lines().map(clean).filter(|line| !line.trim().is_empty());
        answer.push_str(&lines.next().unwrap_or_default());
        for line in lines {
            answer.push('\n');
            answer.push_str(&line);
        }
        self.log('>', &answer);
        write!(self.output, "{answer}\n\n")?;
        self.output.flush()
    }

    /// Keeps the transcript. A log that cannot be written is given up: play is worth more.
    fn log(&mut self, sign: char, text: &str) {
        if let Some(log) = &mut self.options.log {
            let written = text
                .split('\n')
                .try_for_each(|line| writeln!(log, "{sign} {line}"))
                .and_then(|()| log.flush());
            if written.is_err() {
                self.options.log = None;
            }
        }
    }
}

/// Control characters have no place in an answer.
fn clean(line: &str) -> String {
    line.chars().map(|c| if c.is_control() && c != '\t' { '?' } else { c }).collect()
}

/// Text from outside, for a message.
fn shorten(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(40).collect()
}
