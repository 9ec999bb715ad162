//! Lines from a thread of their own.

use std::io::{self, BufRead};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// Longer lines are refused without being kept.
pub(super) const LONGEST_LINE: usize = 1 << 20;

/// How many lines may wait before the reader does.
const WAITING_LINES: usize = 1024;

/// A line of input.
#[derive(Debug, PartialEq)]
pub(super) enum Line {
    /// Without its end.
    Text(String),
    /// Longer than [`LONGEST_LINE`].
    TooLong,
}

/// Where lines wait.
pub(super) struct Inbox {
    lines: Receiver<Line>,
    /// A line that was seen coming but not taken.
    peeked: Option<Line>,
    ended: bool,
    reader: JoinHandle<()>,
}

impl Inbox {
    /// Starts to read. The thread ends with the input, after `quit`, or when nobody listens.
    pub fn spawn(input: impl BufRead + Send + 'static) -> Self {
        let (sender, lines) = sync_channel(WAITING_LINES);
        let reader = std::thread::spawn(move || read_lines(input, &sender));
        Self { lines, peeked: None, ended: false, reader }
    }

    /// After `quit` or the end of the input: waits for the thread, which has nothing left to do.
    pub fn close(self) {
        drop(self.lines);
        // A reader that panicked has told all it will.
        let _ = self.reader.join();
    }

    /// The next line; `None` at the end.
    pub fn next(&mut self) -> Option<Line> {
        if let Some(line) = self.peeked.take() {
            return Some(line);
        }
        let line = self.lines.recv().ok();
        self.ended |= line.is_none();
        line
    }

    /// Takes a waiting `# interrupt`, which GoGui sends while a move is generated.
    pub fn take_interrupt(&mut self) -> bool {
        if !self.wait(Duration::ZERO) {
            return false;
        }
        let is_interrupt = matches!(&self.peeked, Some(Line::Text(text))
            if text.trim().strip_prefix('#').is_some_and(|rest| rest.trim() == "interrupt"));
        if is_interrupt {
            self.peeked = None;
        }
        is_interrupt
    }

    /// Waits until a line or the end of the input is there, at most so long. True if so.
    pub fn wait(&mut self, timeout: Duration) -> bool {
        if self.ended || self.peeked.is_some() {
            return true;
        }
        match self.lines.recv_timeout(timeout) {
            Ok(line) => {
                self.peeked = Some(line);
                true
            }
            Err(RecvTimeoutError::Timeout) => false,
            Err(RecvTimeoutError::Disconnected) => {
                self.ended = true;
                true
            }
        }
    }
}

fn read_lines(mut input: impl BufRead, sender: &SyncSender<Line>) {
    // An input that fails has ended.
    while let Ok(Some(line)) = read_line(&mut input) {
        let quits = matches!(&line, Line::Text(text)
            if split(text).1.first().is_some_and(|word| word == "quit"));
        if sender.send(line).is_err() || quits {
            return;
        }
    }
}

fn read_line(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut line = Vec::new();
    let mut too_long = false;
    let mut any = false;
    loop {
        let buffer = match input.fill_buf() {
            Ok(buffer) => buffer,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if buffer.is_empty() {
            break;
        }
        any = true;
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let part = &buffer[..end.unwrap_or(buffer.len())];
        if line.len() + part.len() > LONGEST_LINE {
            too_long = true;
            line.clear();
        }
        if !too_long {
            line.extend_from_slice(part);
        }
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            break;
        }
    }
    Ok(any.then(|| {
        if too_long {
            Line::TooLong
        } else {
            Line::Text(String::from_utf8_lossy(&line).into_owned())
        }
    }))
}

/// The id and the words of a line: control characters dropped, tabs as blanks, comment cut off.
pub(super) fn split(line: &str) -> (String, Vec<String>) {
    let plain: String = line
        .chars()
        .take_while(|&c| c != '#')
        .filter_map(|c| match c {
            '\t' => Some(' '),
            _ if c.is_ascii_control() => None,
            _ => Some(c),
        })
        .collect();
    let mut words: Vec<String> =
        plain.split(' ').filter(|word| !word.is_empty()).map(str::to_string).collect();
    let has_id = words.first().is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
    let id = if has_id { words.remove(0) } else { String::new() };
    (id, words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_words_and_comments_are_told_apart() {
        let (id, words) = split("12\tplay\u{7}  b D4 # here");
        assert_eq!((id.as_str(), words.join("|").as_str()), ("12", "play|b|D4"));
        assert_eq!(split(" # only"), (String::new(), vec![]));
        assert_eq!(split("\r"), (String::new(), vec![]));
        assert_eq!(split("7"), ("7".to_string(), vec![]));
        assert_eq!(split("7a").1, ["7a"]);
    }

    #[test]
    fn long_lines_are_not_kept() {
        let mut input = vec![b'x'; LONGEST_LINE + 7];
        input.extend_from_slice(b"\nname\nlast");
        let mut input = io::BufReader::new(io::Cursor::new(input));
        let mut next = || read_line(&mut input).unwrap();
        assert_eq!(next(), Some(Line::TooLong));
        assert_eq!(next(), Some(Line::Text("name".to_string())));
        assert_eq!(next(), Some(Line::Text("last".to_string())));
        assert_eq!(next(), None);
    }
}
