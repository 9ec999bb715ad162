//! The files behind journals: JSON, one object a line, the settings first, every result at once, so
//! that a kill loses none of them.
//!
//! The last field of a line, `crc32`, is a checksum of the line without it. Lines without one, of
//! earlier versions, are read as they are. A journal that is complete may be compressed (`.xz`); it
//! is read then, but not written.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Without its settings a journal is none.
const FIRST_LINE_REMEDY: &str = "restore the line from a copy, or choose another file";

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// Reading or writing fails.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// There are results in the file already.
    #[error(
        "{} holds a {what} already: --resume goes on with it, another --out keeps it",
        path.display()
    )]
    Exists {
        /// The file.
        path: PathBuf,
        /// A match or a tuning.
        what: &'static str,
    },
    /// Another process writes into the file.
    #[error(
        "{} is being written by another process: wait for it, or choose another --out",
        path.display()
    )]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// A compressed journal cannot be appended to.
    #[error("{} is compressed, and only read: unpack it with 'xz -d', or choose another --out", path.display())]
    Compressed {
        /// The file.
        path: PathBuf,
    },
    /// What is in the file is not what to go on with.
    #[error(
        "{} holds another {what}: {difference}; choose another --out, or the settings it began with",
        path.display()
    )]
    Other {
        /// The file.
        path: PathBuf,
        /// A match or a tuning.
        what: &'static str,
        /// What is different.
        difference: String,
    },
    /// A line that cannot be read.
    #[error(
        "{}, line {line}: {problem}; {}",
        path.display(),
        if *line == 1 { FIRST_LINE_REMEDY } else { "remove the line, and what it held is played again" }
    )]
    Broken {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        problem: String,
    },
}

/// An open journal, to which lines are appended.
#[derive(Debug)]
pub(crate) struct JsonLines {
    path: PathBuf,
    file: File,
}

/// The first line: the format under the name of what the journal holds, and the settings.
#[derive(Serialize)]
struct Header<'a, S> {
    #[serde(flatten)]
    format: std::collections::BTreeMap<String, u32>,
    #[serde(flatten)]
    settings: &'a S,
}

/// What a journal holds, and the version of its format, which changes when old files can no longer
/// be read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Format {
    /// In words: a match, a tuning.
    pub(crate) what: &'static str,
    /// The key of the version in the first line.
    pub(crate) key: &'static str,
    pub(crate) version: u32,
}

impl JsonLines {
    /// An empty journal of these settings, whatever there was.
    pub(crate) fn begin(
        path: &Path,
        format: Format,
        settings: &impl Serialize,
    ) -> Result<Self, JournalError> {
        let io = |source| JournalError::Io { path: path.to_owned(), source };
        if is_compressed(path) {
            return Err(JournalError::Compressed { path: path.to_owned() });
        }
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(io)?;
        }
        let file = locked(path)?;
        file.set_len(0).map_err(io)?;
        let mut this = Self { path: path.to_owned(), file };
        let format = [(format.key.to_owned(), format.version)].into();
        this.write(&Header { format, settings })?;
        Ok(this)
    }

    /// Goes on behind the whole lines that were read; what a kill left unfinished is dropped.
    pub(crate) fn go_on(path: &Path, lines: &Lines) -> Result<Self, JournalError> {
        let io = |source| JournalError::Io { path: path.to_owned(), source };
        if is_compressed(&lines.path) {
            return Err(JournalError::Compressed { path: lines.path.clone() });
        }
        let this = Self { path: path.to_owned(), file: locked(path)? };
        // Another process may have written and ended since they were read.
        if Lines::read(path)?.bytes.len() != lines.bytes.len() {
            return Err(JournalError::Busy { path: path.to_owned() });
        }
        this.file.set_len(lines.bytes.len() as u64).map_err(io)?;
        Ok(this)
    }

    /// In one piece, so that a kill cannot leave half a line but for the system's own failure.
    pub(crate) fn write(&mut self, content: &impl Serialize) -> Result<(), JournalError> {
        let io = |source| JournalError::Io { path: self.path.clone(), source };
        let mut line = serde_json::to_vec(content).map_err(|e| io(e.into()))?;
        add_checksum(&mut line);
        line.push(b'\n');
        self.file.write_all(&line).and_then(|()| self.file.sync_data()).map_err(io)
    }
}

/// Closing alone would not do: a program that is being started holds the file, and with it the lock, for a
/// moment after its fork.
impl Drop for JsonLines {
    fn drop(&mut self) {
        // A lock that cannot be given up ends with the file.
        let _ = self.file.unlock();
    }
}

/// Opens a journal that no other process may write as long as it is open.
fn locked(path: &Path) -> Result<File, JournalError> {
    let file =
        append_to(path).map_err(|source| JournalError::Io { path: path.to_owned(), source })?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(JournalError::Busy { path: path.to_owned() }),
        // Some file systems have no locks; there nobody is kept out.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
    }
}

/// Before the checksum of a line, and behind it.
const CHECKSUM: (&[u8], &[u8]) = (b",\"crc32\":\"", b"\"}");
const CHECKSUM_DIGITS: usize = 8;

/// Adds the field `crc32` to a JSON object.
fn add_checksum(line: &mut Vec<u8>) {
    if line.last() != Some(&b'}') || line.len() <= 2 {
        return;
    }
    let checksum = format!("{:08x}", crc32fast::hash(line));
    line.pop();
    let (before, behind) = CHECKSUM;
    line.extend([before, checksum.as_bytes(), behind].concat());
}

/// Whether the checksum of a line is right, or there is none.
fn is_whole(line: &[u8]) -> bool {
    let (before, behind) = CHECKSUM;
    let Some(start) = line.len().checked_sub(before.len() + CHECKSUM_DIGITS + behind.len()) else {
        return true;
    };
    let (content, field) = line.split_at(start);
    let digits = field.strip_prefix(before).and_then(|rest| rest.strip_suffix(behind));
    match digits.and_then(|digits| str::from_utf8(digits).ok()) {
        Some(digits) => digits == format!("{:08x}", crc32fast::hash(&[content, b"}"].concat())),
        // A field that is there, but not where it was written, is one that was changed.
        None => !line.windows(before.len()).any(|part| part == before),
    }
}

/// Whether the file's name says that it is compressed.
fn is_compressed(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "xz")
}

/// The journal at that path: the file itself or, if there is none, the compressed one.
pub(crate) fn existing(path: &Path) -> Option<PathBuf> {
    let mut compressed = path.as_os_str().to_owned();
    compressed.push(".xz");
    [path.to_owned(), compressed.into()].into_iter().find(|path| path.exists())
}

pub(crate) fn append_to(path: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).append(true).open(path)
}

/// The whole lines of a journal.
#[derive(Debug)]
pub(crate) struct Lines {
    path: PathBuf,
    bytes: Vec<u8>,
}

impl Lines {
    /// Reads a file, or the compressed one beside it if it is not there.
    pub(crate) fn read(path: &Path) -> Result<Self, JournalError> {
        let path = &existing(path).unwrap_or_else(|| path.to_owned());
        let mut bytes = Vec::new();
        File::open(path)
            .and_then(|mut file| {
                if is_compressed(path) {
                    let file = BufReader::new(file);
                    lzma_rust2::XzReader::new(file, true).read_to_end(&mut bytes)
                } else {
                    file.read_to_end(&mut bytes)
                }
            })
            .map_err(|source| JournalError::Io { path: path.to_owned(), source })?;
        bytes.truncate(bytes.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1));
        Ok(Self { path: path.to_owned(), bytes })
    }

    /// As [`Lines::read`]; `None` if there is no file or no whole line in it.
    pub(crate) fn read_if_any(path: &Path) -> Result<Option<Self>, JournalError> {
        match Self::read(path) {
            Ok(lines) => Ok(Some(lines).filter(|lines| !lines.bytes.is_empty())),
            Err(JournalError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// The settings in the first line, if every line is as it was written.
    pub(crate) fn settings<S: DeserializeOwned>(&self, format: Format) -> Result<S, JournalError> {
        for (number, line) in (1..).zip(self.bytes.split(|&b| b == b'\n')) {
            if !is_whole(line) {
                let problem = "its checksum is wrong: it was changed or damaged";
                return Err(self.broken(number, problem.to_owned()));
            }
        }
        let first = self.bytes.split(|&b| b == b'\n').next().unwrap_or_default();
        let no = |problem: String| self.broken(1, format!("no {}: {problem}", format.what));
        let value: serde_json::Value =
            serde_json::from_slice(first).map_err(|e| no(e.to_string()))?;
        let version = value.get(format.key).and_then(serde_json::Value::as_u64);
        match version {
            Some(found) if found == u64::from(format.version) => {}
            Some(found) => {
                return Err(self.broken(1, format!("format {found} instead of {}", format.version)));
            }
            None => return Err(no(format!("'{}' is missing", format.key))),
        }
        S::deserialize(value).map_err(|e| no(e.to_string()))
    }

    /// The other lines with their numbers.
    pub(crate) fn results(&self) -> impl Iterator<Item = (usize, &[u8])> {
        let lines = (1..).zip(self.bytes.split(|&b| b == b'\n')).skip(1);
        lines.filter(|(_, line)| !line.is_empty())
    }

    /// An error in a line.
    pub(crate) fn broken(&self, line: usize, problem: String) -> JournalError {
        JournalError::Broken { path: self.path.clone(), line, problem }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORMAT: Format = Format { what: "test", key: "test", version: 1 };

    #[test]
    fn a_journal_has_one_writer_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl");
        let settings = std::collections::BTreeMap::from([("size", 3)]);
        let mut first = JsonLines::begin(&path, FORMAT, &settings).unwrap();
        first.write(&1).unwrap();
        let lines = Lines::read(&path).unwrap();
        let busy = |result: Result<JsonLines, JournalError>| {
            let error = result.unwrap_err().to_string();
            assert!(error.contains("a.jsonl is being written by another process"), "{error}");
        };
        busy(JsonLines::go_on(&path, &lines));
        first.write(&2).unwrap();
        drop(first);
        // Written after it was read: what came between would be lost.
        busy(JsonLines::go_on(&path, &lines));
        let lines = Lines::read(&path).unwrap();
        assert_eq!(lines.results().count(), 2);
        JsonLines::go_on(&path, &lines).unwrap();
    }

    #[test]
    fn a_line_that_was_changed_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl");
        let settings = std::collections::BTreeMap::from([("size", 3)]);
        let mut journal = JsonLines::begin(&path, FORMAT, &settings).unwrap();
        let game = |number: i32| std::collections::BTreeMap::from([("winner", number)]);
        journal.write(&game(1)).unwrap();
        journal.write(&game(2)).unwrap();
        drop(journal);
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text.matches("\"crc32\":\"").count(), 3, "{text}");
        let read = |text: &str| {
            std::fs::write(&path, text).unwrap();
            let lines = Lines::read(&path).unwrap();
            lines.settings::<serde_json::Value>(FORMAT).map(drop).map_err(|e| e.to_string())
        };
        assert_eq!(read(&text), Ok(()));
        for changed in [
            text.replace("{\"winner\":2", "{\"winner\":7"),
            text.replace("{\"winner\":2", "{\"winner\": 2"),
            text.trim_end().to_owned() + " \n",
        ] {
            let error = read(&changed).unwrap_err();
            assert!(error.contains("line 3: its checksum is wrong"), "{error}");
            assert!(error.contains("remove the line"), "{error}");
        }
        // Lines of earlier versions have none.
        let plain: String = text
            .lines()
            .map(|line| line.split(",\"crc32\"").next().unwrap().to_owned() + "}\n")
            .collect();
        assert_eq!(read(&plain), Ok(()));
    }

    /// As between fork and exec of a program that another thread starts.
    #[test]
    fn a_journal_that_was_closed_is_free_even_if_a_child_still_holds_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let journal = JsonLines::begin(&path, FORMAT, &()).unwrap();
        let held = journal.file.try_clone().unwrap();
        assert!(matches!(locked(&path), Err(JournalError::Busy { .. })));
        drop(journal);
        locked(&path).unwrap();
        drop(held);
    }
}
