//! The file of a tuning: every finished trial at once, so that a kill loses none of them.
//!
//! JSON, one object a line: first the settings, then the trials with their games in the order in
//! which they ended. It is all that a tuning needs to go on, here or elsewhere.

use std::borrow::Cow;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::runner::{Trial, Tuning};

/// The version of the format; it changes when old files can no longer be read.
const FORMAT: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Header<'a> {
    kosumi_tune: u32,
    #[serde(flatten)]
    settings: Cow<'a, Tuning>,
}

/// Why the journal of a tuning cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TuneJournalError {
    /// Reading or writing fails.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// There is a tuning in the file already.
    #[error(
        "{} holds a tuning already: --resume goes on with it, another --out keeps it",
        path.display()
    )]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The tuning in the file is not the one to go on with.
    #[error(
        "{} holds another tuning: {difference}; choose another --out, or the settings it began with",
        path.display()
    )]
    Other {
        /// The file.
        path: PathBuf,
        /// What is different.
        difference: String,
    },
    /// A line that is no trial.
    #[error(
        "{}, line {line}: {problem}; remove the line, and its sample is played again",
        path.display()
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

/// An open journal.
#[derive(Debug)]
pub struct TuneJournal {
    path: PathBuf,
    file: File,
    trials: Vec<Trial>,
}

impl TuneJournal {
    /// Starts the journal of a tuning at `path`.
    ///
    /// # Errors
    /// There are trials of a tuning already, or the file cannot be written.
    pub fn create(path: &Path, settings: &Tuning) -> Result<Self, TuneJournalError> {
        // One line is a tuning that came to nothing, such as one with a mistake in a command.
        let lines = |bytes: Vec<u8>| bytes.split(|&b| b == b'\n').filter(|l| !l.is_empty()).count();
        if std::fs::read(path).is_ok_and(|bytes| lines(bytes) > 1) {
            return Err(TuneJournalError::Exists { path: path.to_owned() });
        }
        Self::begin(path, settings)
    }

    /// Goes on with the journal of a tuning at `path`, or starts it if there is none. A line that a
    /// kill left unfinished is dropped.
    ///
    /// # Errors
    /// The file holds another tuning, a line in it cannot be read, or it cannot be written.
    pub fn resume(path: &Path, settings: &Tuning) -> Result<Self, TuneJournalError> {
        let io = |source| TuneJournalError::Io { path: path.to_owned(), source };
        let bytes = match std::fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(io(error)),
        };
        let whole = whole_lines(&bytes);
        if whole.is_empty() {
            return Self::begin(path, settings);
        }
        let (found, trials) = read(path, whole)?;
        if let Some(difference) = settings.difference(&found) {
            return Err(TuneJournalError::Other { path: path.to_owned(), difference });
        }
        let file = open(path).map_err(io)?;
        file.set_len(whole.len() as u64).map_err(io)?;
        Ok(Self { path: path.to_owned(), file, trials })
    }

    /// An empty journal, whatever there was.
    fn begin(path: &Path, settings: &Tuning) -> Result<Self, TuneJournalError> {
        let io = |source| TuneJournalError::Io { path: path.to_owned(), source };
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(io)?;
        }
        let file = open(path).map_err(io)?;
        file.set_len(0).map_err(io)?;
        let mut this = Self { path: path.to_owned(), file, trials: Vec::new() };
        this.write(&Header { kosumi_tune: FORMAT, settings: Cow::Borrowed(settings) })?;
        Ok(this)
    }

    /// The trials so far, in the order in which they ended.
    #[must_use]
    pub fn trials(&self) -> &[Trial] {
        &self.trials
    }

    /// Appends a finished trial.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn append(&mut self, trial: Trial) -> Result<(), TuneJournalError> {
        self.write(&trial)?;
        self.trials.push(trial);
        Ok(())
    }

    fn write(&mut self, line: &impl Serialize) -> Result<(), TuneJournalError> {
        let io = |source| TuneJournalError::Io { path: self.path.clone(), source };
        let mut line = serde_json::to_vec(line).map_err(|e| io(e.into()))?;
        line.push(b'\n');
        // In one piece, so that a kill cannot leave half a line but for the system's own failure.
        self.file.write_all(&line).and_then(|()| self.file.sync_data()).map_err(io)
    }
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).append(true).open(path)
}

fn whole_lines(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1)]
}

/// Reads a journal: the tuning and its trials.
///
/// # Errors
/// The file cannot be read, or a line is not what it should be.
pub fn read_tune_journal(path: &Path) -> Result<(Tuning, Vec<Trial>), TuneJournalError> {
    let bytes = std::fs::read(path)
        .map_err(|source| TuneJournalError::Io { path: path.to_owned(), source })?;
    read(path, whole_lines(&bytes))
}

fn read(path: &Path, bytes: &[u8]) -> Result<(Tuning, Vec<Trial>), TuneJournalError> {
    let broken =
        |line, problem: String| TuneJournalError::Broken { path: path.to_owned(), line, problem };
    let mut lines = bytes.split(|&b| b == b'\n').zip(1..);
    let (first, _) = lines.next().unwrap_or_default();
    let header: Header<'_> =
        serde_json::from_slice(first).map_err(|e| broken(1, format!("no tuning: {e}")))?;
    if header.kosumi_tune != FORMAT {
        let found = header.kosumi_tune;
        return Err(broken(1, format!("format {found} instead of {FORMAT}")));
    }
    let settings = header.settings.into_owned();
    let mut trials: Vec<Trial> = Vec::new();
    for (line, number) in lines.filter(|(line, _)| !line.is_empty()) {
        let trial: Trial =
            serde_json::from_slice(line).map_err(|e| broken(number, format!("no sample: {e}")))?;
        if trials.iter().any(|other| other.number == trial.number) {
            return Err(broken(number, format!("sample {} is there twice", trial.number)));
        }
        if trial.values.len() != settings.parameters.len()
            || trial.opponent >= settings.opponents.len()
        {
            return Err(broken(number, "a sample of another tuning".to_owned()));
        }
        trials.push(trial);
    }
    Ok((settings, trials))
}
