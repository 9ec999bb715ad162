//! The near end of a GTP pipe: runs a program as a child process and talks to it without ever
//! trusting it.
//!
//! The program may hang, crash, close its pipes, or print without end: every command has a time
//! limit, answers and lines have a size limit, and standard error is drained, with its end kept to
//! say what went wrong. HTP (Hex) is the same protocol.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::os::{Process, Usage};

/// A longer line is a flood; principal variations in comments stay far below.
const MAX_LINE: usize = 64 << 10;
/// A longer answer, noise before it included, is a flood.
const MAX_ANSWER: usize = 1 << 20;
/// More than this on standard error in one life is a flood.
const MAX_STDERR: u64 = 64 << 20;
/// Lines that may wait unread; then the program has to wait.
const WAITING_LINES: usize = 64;
/// How much of the end of standard error is kept.
const STDERR_TAIL: usize = 2000;
/// How long a program may take to go after `quit`, or after it closed its output.
const FAREWELL: Duration = Duration::from_secs(2);

/// Why a command was not answered as hoped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GtpError {
    /// The program could not be started.
    #[error("cannot start '{program}': {source}; check the path and that it may be executed")]
    Start {
        /// The program's file.
        program: String,
        /// What the system says.
        source: io::Error,
    },
    /// The program answered `?`. It can still be used; after all other errors it cannot.
    #[error("'{command}' was refused: {answer}")]
    Refused {
        /// What was asked.
        command: String,
        /// What came after the question mark.
        answer: String,
    },
    /// No answer in time.
    #[error("no answer to '{command}' in {seconds} s")]
    Hang {
        /// What was asked.
        command: String,
        /// How long it had.
        seconds: f64,
    },
    /// The program ended.
    #[error("the program ended at '{command}' ({status}){}", tail(stderr))]
    Crash {
        /// What was asked.
        command: String,
        /// How it ended, in the system's words.
        status: String,
        /// The end of what it wrote to standard error.
        stderr: String,
    },
    /// The program closed a pipe and went on running.
    #[error("the program closed its pipe at '{command}'{}", tail(stderr))]
    ClosedPipe {
        /// What was asked.
        command: String,
        /// The end of what it wrote to standard error.
        stderr: String,
    },
    /// The program wrote more than any answer needs.
    #[error("the program flooded {stream} at '{command}'")]
    Flood {
        /// What was asked.
        command: String,
        /// Where it wrote.
        stream: &'static str,
    },
    /// A command that GTP cannot carry.
    #[error("'{0}' is no GTP command: it must be one line of printable text")]
    BadCommand(String),
}

fn tail(stderr: &str) -> String {
    match stderr.trim() {
        "" => String::new(),
        text => format!("; its last words: {text}"),
    }
}

/// A running GTP program.
#[derive(Debug)]
pub struct GtpClient {
    process: Process,
    stdin: Option<ChildStdin>,
    lines: Receiver<Line>,
    stderr: Arc<Mutex<Stderr>>,
}

#[derive(Debug)]
enum Line {
    Text(String),
    TooLong,
}

#[derive(Debug, Default)]
struct Stderr {
    total: u64,
    tail: VecDeque<u8>,
}

/// What is left to say about a program that has ended.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Farewell {
    /// How it ended, in the system's words.
    pub status: String,
    /// CPU time and memory.
    pub usage: Usage,
    /// The end of what it wrote to standard error.
    pub stderr: String,
}

impl GtpClient {
    /// Starts a program: its file and its arguments.
    ///
    /// With `bound_to_thread` it dies with the current thread (on Linux): nothing is left running
    /// when a match is killed.
    ///
    /// # Errors
    /// The program cannot be started.
    pub fn start(command: &[String], bound_to_thread: bool) -> Result<Self, GtpError> {
        let program = command.first().cloned().unwrap_or_default();
        let fail = |source| GtpError::Start { program: program.clone(), source };
        if program.is_empty() {
            return Err(fail(io::ErrorKind::NotFound.into()));
        }
        let mut run = Command::new(&program);
        run.args(&command[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = Process::spawn(run, bound_to_thread).map_err(fail)?;
        let (stdin, stdout, stderr) = process.take_pipes();
        let (sender, lines) = sync_channel(WAITING_LINES);
        if let Some(stdout) = stdout {
            std::thread::spawn(move || read_lines(BufReader::new(stdout), &sender));
        }
        let kept = Arc::new(Mutex::new(Stderr::default()));
        if let Some(stderr) = stderr {
            let kept = Arc::clone(&kept);
            std::thread::spawn(move || drain(stderr, &kept));
        }
        Ok(Self { process, stdin, lines, stderr: kept })
    }

    /// Sends a command and waits for its answer, without the status and joined by newlines.
    ///
    /// # Errors
    /// All of [`GtpError`]; after any but [`GtpError::Refused`] and [`GtpError::BadCommand`] the
    /// program is of no more use.
    pub fn send(&mut self, command: &str, patience: Duration) -> Result<String, GtpError> {
        let command = command.trim();
        if command.is_empty() || command.contains(|c: char| c.is_control() && c != '\t') {
            return Err(GtpError::BadCommand(command.escape_debug().to_string()));
        }
        let deadline = Instant::now() + patience;
        self.forget_noise(command)?;
        let line = format!("{command}\n");
        let written = match &mut self.stdin {
            Some(stdin) => stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        };
        if written.is_err() {
            return Err(self.gone(command));
        }
        let (status, text) = self.answer(command, patience, deadline)?;
        match status {
            Status::Success => Ok(text),
            Status::Failure => {
                Err(GtpError::Refused { command: command.to_owned(), answer: excerpt(&text) })
            }
        }
    }

    /// CPU seconds that the program has used so far; `None` where the system does not tell.
    #[must_use]
    pub fn cpu_seconds(&self) -> Option<f64> {
        self.process.cpu_seconds()
    }

    /// Whether the program says that it knows a command.
    ///
    /// # Errors
    /// As [`GtpClient::send`], but a refusal means no.
    pub fn knows(&mut self, command: &str, patience: Duration) -> Result<bool, GtpError> {
        match self.send(&format!("known_command {command}"), patience) {
            Ok(answer) => Ok(answer.trim().eq_ignore_ascii_case("true")),
            Err(GtpError::Refused { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Says goodbye and sees to it that the program is gone.
    pub fn finish(mut self) -> Farewell {
        // Whatever it answers, it ends.
        if let Some(mut stdin) = self.stdin.take() {
            let _ = stdin.write_all(b"quit\n").and_then(|()| stdin.flush());
        }
        let start = Instant::now();
        let mut read = 0;
        while start.elapsed() < FAREWELL && read < MAX_ANSWER {
            match self.lines.recv_timeout(FAREWELL) {
                Ok(Line::Text(line)) => read += line.len() + 1,
                _ => break,
            }
        }
        self.process.ends_within(FAREWELL);
        let exit = self.process.end().clone();
        Farewell { status: exit.status, usage: exit.usage, stderr: self.stderr_tail() }
    }

    /// Takes what was printed without being asked for, so that it is not taken for an answer.
    fn forget_noise(&mut self, command: &str) -> Result<(), GtpError> {
        let flood = |stream| GtpError::Flood { command: command.to_owned(), stream };
        if lock(&self.stderr).total > MAX_STDERR {
            return Err(flood("standard error"));
        }
        let mut read = 0;
        while read < MAX_ANSWER {
            match self.lines.try_recv() {
                Ok(Line::Text(line)) => read += line.len() + 1,
                Ok(Line::TooLong) => return Err(flood("standard output")),
                Err(TryRecvError::Empty | TryRecvError::Disconnected) => return Ok(()),
            }
        }
        Err(flood("standard output"))
    }

    fn answer(
        &mut self,
        command: &str,
        patience: Duration,
        deadline: Instant,
    ) -> Result<(Status, String), GtpError> {
        let mut read = 0;
        let mut answer: Option<(Status, String)> = None;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let line = match self.lines.recv_timeout(left) {
                Ok(Line::Text(line)) => line,
                Ok(Line::TooLong) => {
                    return Err(GtpError::Flood {
                        command: command.to_owned(),
                        stream: "standard output",
                    });
                }
                Err(RecvTimeoutError::Timeout) => {
                    return Err(GtpError::Hang {
                        command: command.to_owned(),
                        seconds: patience.as_secs_f64(),
                    });
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.gone(command)),
            };
            read += line.len() + 1;
            if read > MAX_ANSWER {
                return Err(GtpError::Flood {
                    command: command.to_owned(),
                    stream: "standard output",
                });
            }
            match &mut answer {
                // Banners and blank lines before the answer are no part of it.
                None => answer = Status::of(&line),
                Some(_) if line.is_empty() => break,
                Some((_, text)) => {
                    text.push('\n');
                    text.push_str(&line);
                }
            }
        }
        Ok(answer.map_or((Status::Success, String::new()), |(status, text)| {
            (status, text.trim_end().to_owned())
        }))
    }

    /// The pipe is closed: has the program ended, or only closed it?
    fn gone(&mut self, command: &str) -> GtpError {
        let ended = self.process.ends_within(FAREWELL);
        let status = self.process.end().status.clone();
        // Its last words may still be on their way to us.
        std::thread::sleep(Duration::from_millis(20));
        let command = command.to_owned();
        let stderr = self.stderr_tail();
        if ended {
            GtpError::Crash { command, status, stderr }
        } else {
            GtpError::ClosedPipe { command, stderr }
        }
    }

    fn stderr_tail(&self) -> String {
        let tail: Vec<u8> = lock(&self.stderr).tail.iter().copied().collect();
        String::from_utf8_lossy(&tail).into_owned()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    Success,
    Failure,
}

impl Status {
    /// The status and the rest of the first line of an answer: `=`, `?`, perhaps a number, text.
    fn of(line: &str) -> Option<(Self, String)> {
        let (status, rest) = match (line.strip_prefix('='), line.strip_prefix('?')) {
            (Some(rest), _) => (Self::Success, rest),
            (_, Some(rest)) => (Self::Failure, rest),
            _ => return None,
        };
        let text = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        Some((status, text.trim_start().to_owned()))
    }
}

fn lock(stderr: &Mutex<Stderr>) -> std::sync::MutexGuard<'_, Stderr> {
    stderr.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The first line of a text from outside, short.
pub(crate) fn excerpt(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let plain = line.chars().filter(|c| !c.is_control());
    plain.take(200).collect()
}

fn read_lines(mut stdout: impl BufRead, lines: &SyncSender<Line>) {
    let mut line = Vec::new();
    loop {
        line.clear();
        let mut limited = (&mut stdout).take(MAX_LINE as u64);
        match limited.read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let ended = line.last() == Some(&b'\n');
        if !ended && line.len() >= MAX_LINE {
            // An error means that nobody listens any more.
            let _ = lines.send(Line::TooLong);
            return;
        }
        while line.last().is_some_and(u8::is_ascii_whitespace) {
            line.pop();
        }
        let text = String::from_utf8_lossy(&line).into_owned();
        if lines.send(Line::Text(text)).is_err() {
            return;
        }
    }
}

fn drain(mut stderr: impl Read, kept: &Mutex<Stderr>) {
    let mut buffer = [0; 4096];
    loop {
        match stderr.read(&mut buffer) {
            Ok(0) => return,
            Ok(count) => {
                let mut kept = lock(kept);
                kept.total += count as u64;
                kept.tail.extend(&buffer[..count]);
                let excess = kept.tail.len().saturating_sub(STDERR_TAIL);
                kept.tail.drain(..excess);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}
