//! The file of a tuning: every finished trial at once, so that a kill loses none of them.
//!
//! JSON, one object a line: first the settings, then the trials with their games in the order in
//! which they ended. It is all that a tuning needs to go on, here or elsewhere.

use std::path::Path;

use super::runner::{Trial, Tuning};
use crate::json_lines::{Format, JournalError, JsonLines, Lines};

const FORMAT: Format = Format { what: "tuning", key: "kosumi_tune", version: 2 };

/// An open journal.
#[derive(Debug)]
pub struct TuneJournal {
    lines: JsonLines,
    trials: Vec<Trial>,
}

impl TuneJournal {
    /// Starts the journal of a tuning at `path`.
    ///
    /// # Errors
    /// There are trials of a tuning already, or the file cannot be written.
    pub fn create(path: &Path, settings: &Tuning) -> Result<Self, JournalError> {
        // Without a trial it is a tuning that came to nothing, such as one with a mistake in a
        // command. What cannot be read is kept, whatever it is.
        let lines = Lines::read_if_any(path)?;
        if !lines.is_none_or(|lines| read(&lines).is_ok_and(|(_, trials)| trials.is_empty())) {
            return Err(JournalError::Exists { path: path.to_owned(), what: FORMAT.what });
        }
        Self::begin(path, settings)
    }

    /// Goes on with the journal of a tuning at `path`, or starts it if there is none. A line that a
    /// kill left unfinished is dropped.
    ///
    /// # Errors
    /// The file holds another tuning, a line in it cannot be read, or it cannot be written.
    pub fn resume(path: &Path, settings: &Tuning) -> Result<Self, JournalError> {
        let Some(lines) = Lines::read_if_any(path)? else {
            return Self::begin(path, settings);
        };
        let (found, trials) = read(&lines)?;
        if let Some(difference) = settings.difference(&found) {
            let (path, what) = (path.to_owned(), FORMAT.what);
            return Err(JournalError::Other { path, what, difference });
        }
        Ok(Self { lines: JsonLines::go_on(path, &lines)?, trials })
    }

    /// An empty journal, whatever there was.
    fn begin(path: &Path, settings: &Tuning) -> Result<Self, JournalError> {
        Ok(Self { lines: JsonLines::begin(path, FORMAT, settings)?, trials: Vec::new() })
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
    pub fn append(&mut self, trial: Trial) -> Result<(), JournalError> {
        self.lines.write(&trial)?;
        self.trials.push(trial);
        Ok(())
    }
}

/// Reads a journal: the tuning and its trials.
///
/// # Errors
/// The file cannot be read, or a line is not what it should be.
pub fn read_tune_journal(path: &Path) -> Result<(Tuning, Vec<Trial>), JournalError> {
    read(&Lines::read(path)?)
}

fn read(lines: &Lines) -> Result<(Tuning, Vec<Trial>), JournalError> {
    let settings: Tuning = lines.settings(FORMAT)?;
    let mut trials: Vec<Trial> = Vec::new();
    for (number, line) in lines.results() {
        let trial: Trial = serde_json::from_slice(line)
            .map_err(|e| lines.broken(number, format!("no sample: {e}")))?;
        if trials.iter().any(|other| other.number == trial.number) {
            return Err(lines.broken(number, format!("sample {} is there twice", trial.number)));
        }
        if trial.values.len() != settings.parameters.len()
            || trial.opponent >= settings.opponents.len()
        {
            return Err(lines.broken(number, "a sample of another tuning".to_owned()));
        }
        trials.push(trial);
    }
    Ok((settings, trials))
}
