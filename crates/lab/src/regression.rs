//! Regression files in the format of GNU Go and `gogui-regress`: commands for a GTP program, and
//! what it should answer to some of them.
//!
//! ```text
//! loadsgf sgf/ladder.sgf 12
//! 10 reg_genmove black
//! #? [d4|e5]
//! ```
//!
//! A comment `#? [pattern]` after a command makes it a test: the pattern, a regular expression, must
//! match the whole answer. `[!pattern]` must not match, and a star behind the bracket says that the
//! author's own program failed. Names of records are relative to the file.
//!
//! A program need not know every command that a file has. Tests of commands it does not know, and
//! tests on boards it could not set up, are counted apart from those it fails. After a time-out it
//! is started anew and brought back to the position.

mod file;
mod pattern;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::gtp_client::{GtpClient, GtpError};

use file::Step;
pub use file::{RegressionError, RegressionFile};
use pattern::Pattern;

/// Commands that start a position afresh.
const AFRESH: [&str; 3] = ["loadsgf", "boardsize", "clear_board"];
/// Commands that change the position: without them a test asks about another board.
const MOVING: [&str; 5] = ["play", "undo", "gg-undo", "gogui-setup", "gogui-play_sequence"];

/// How a test came out.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// The answer is as it should be.
    Passed,
    /// So it is, though the author's own program failed.
    PassedUnexpectedly,
    /// The answer is another.
    Failed {
        /// What was answered.
        answer: String,
        /// Whether the author's own program failed as well.
        expected: bool,
    },
    /// The program does not know the command.
    UnknownCommand,
    /// The board of the test could not be set up.
    NoBoard {
        /// What the program said.
        why: String,
    },
    /// No answer in time.
    TimedOut,
}

/// A test and its outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tested {
    /// The number of the test, if it has one.
    pub number: Option<u64>,
    /// The line of its command in the file, from 1.
    pub line: usize,
    /// What was asked.
    pub command: String,
    /// What was expected, as it stands in the file.
    pub expected: String,
    /// How it came out.
    pub verdict: Verdict,
}

/// How many tests came out how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RegressionCounts {
    /// As they should, those that were expected to fail included.
    pub passed: usize,
    /// Otherwise.
    pub failed: usize,
    /// Of the failed ones those that the author's own program fails too.
    pub failed_as_expected: usize,
    /// Without an answer in time.
    pub timed_out: usize,
    /// Of commands the program does not know.
    pub unknown: usize,
    /// On boards the program does not have.
    pub no_board: usize,
}

impl RegressionCounts {
    /// Counts one more.
    pub fn add(&mut self, verdict: &Verdict) {
        let counter = match verdict {
            Verdict::Passed | Verdict::PassedUnexpectedly => &mut self.passed,
            Verdict::Failed { expected, .. } => {
                self.failed_as_expected += usize::from(*expected);
                &mut self.failed
            }
            Verdict::TimedOut => &mut self.timed_out,
            Verdict::UnknownCommand => &mut self.unknown,
            Verdict::NoBoard { .. } => &mut self.no_board,
        };
        *counter += 1;
    }

    /// All tests that the program could have passed.
    #[must_use]
    pub fn asked(&self) -> usize {
        self.passed + self.failed + self.timed_out
    }
}

impl std::ops::AddAssign for RegressionCounts {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.failed_as_expected += other.failed_as_expected;
        self.timed_out += other.timed_out;
        self.unknown += other.unknown;
        self.no_board += other.no_board;
    }
}

/// What became of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Response {
    Answer(String),
    Refused(String),
    Unknown,
    TimedOut,
}

impl RegressionFile {
    /// Runs the tests of a file with a program of its own, and tells of each. Ends early, between
    /// two commands, when `stop` becomes true.
    ///
    /// # Errors
    /// The program cannot be started, or ends where it should answer.
    pub fn run(
        &self,
        program: &[String],
        patience: Duration,
        stop: &AtomicBool,
        told: &mut dyn FnMut(&Tested),
    ) -> Result<RegressionCounts, GtpError> {
        let mut session = Session {
            client: started(program, patience)?,
            program,
            patience,
            position: Vec::new(),
            no_board: None,
        };
        let mut counts = RegressionCounts::default();
        let mut last: Option<(&Step, Response)> = None;
        for step in &self.steps {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            match step {
                Step::Command { text, .. } => last = Some((step, session.ask(text)?)),
                Step::Expect { source, pattern } => {
                    let Some((Step::Command { number, line, text }, response)) = &last else {
                        continue;
                    };
                    let tested = Tested {
                        number: *number,
                        line: *line,
                        command: text.clone(),
                        expected: source.clone(),
                        verdict: session.judge(text, response, pattern),
                    };
                    counts.add(&tested.verdict);
                    told(&tested);
                }
            }
        }
        session.client.finish();
        Ok(counts)
    }
}

/// Programs read their files before they answer for the first time.
const START: Duration = Duration::from_secs(60);

/// A program that is ready to answer.
fn started(program: &[String], patience: Duration) -> Result<GtpClient, GtpError> {
    let mut client = GtpClient::start(program, true)?;
    match client.send("protocol_version", patience.max(START)) {
        Ok(_) | Err(GtpError::Refused { .. }) => Ok(client),
        Err(error) => Err(error),
    }
}

/// A program in the middle of a file.
struct Session<'a> {
    client: GtpClient,
    program: &'a [String],
    patience: Duration,
    /// The commands that lead to the position.
    position: Vec<String>,
    /// Why the board is not the one that the file means.
    no_board: Option<String>,
}

impl Session<'_> {
    /// Sends a command, and follows what it does to the board.
    fn ask(&mut self, text: &str) -> Result<Response, GtpError> {
        let name = text.split_whitespace().next().unwrap_or_default();
        let (afresh, moves) = (AFRESH.contains(&name), MOVING.contains(&name));
        let response = self.send(text, name)?;
        if afresh {
            self.position.clear();
            self.no_board = None;
        }
        if afresh || moves {
            match &response {
                Response::Answer(_) => self.position.push(text.to_owned()),
                Response::Refused(why) => self.lose_board(format!("'{text}': {why}")),
                Response::Unknown => self.lose_board(format!("'{name}' is not known")),
                Response::TimedOut => self.lose_board(format!("no answer to '{text}'")),
            }
        }
        Ok(response)
    }

    fn lose_board(&mut self, why: String) {
        // What came first is the cause.
        self.no_board.get_or_insert(why);
    }

    fn send(&mut self, text: &str, name: &str) -> Result<Response, GtpError> {
        match self.client.send(text, self.patience) {
            Ok(answer) => Ok(Response::Answer(answer)),
            Err(GtpError::Refused { answer, .. }) => {
                if self.client.knows(name, self.patience)? {
                    Ok(Response::Refused(answer))
                } else {
                    Ok(Response::Unknown)
                }
            }
            Err(GtpError::Hang { .. }) => self.restart().map(|()| Response::TimedOut),
            Err(GtpError::BadCommand(_)) => Ok(Response::Unknown),
            Err(error) => Err(error),
        }
    }

    /// A new program at the same position. The old one dies with its handle.
    fn restart(&mut self) -> Result<(), GtpError> {
        self.client = started(self.program, self.patience)?;
        for command in &self.position {
            match self.client.send(command, self.patience) {
                Ok(_) | Err(GtpError::Refused { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn judge(&self, text: &str, response: &Response, pattern: &Pattern) -> Verdict {
        let name = text.split_whitespace().next().unwrap_or_default();
        // Whether the board can be set up may be the question.
        if !AFRESH.contains(&name)
            && let Some(why) = &self.no_board
        {
            return Verdict::NoBoard { why: why.clone() };
        }
        let answer = match response {
            Response::Answer(answer) if pattern.fits(answer) => {
                return if pattern.fails_elsewhere() {
                    Verdict::PassedUnexpectedly
                } else {
                    Verdict::Passed
                };
            }
            Response::Answer(answer) => answer.clone(),
            Response::Refused(why) => format!("? {why}"),
            Response::Unknown => return Verdict::UnknownCommand,
            Response::TimedOut => return Verdict::TimedOut,
        };
        Verdict::Failed { answer, expected: pattern.fails_elsewhere() }
    }
}
