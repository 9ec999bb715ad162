//! Computes what first moves of Hex are worth: small boards by the solver, larger ones by a search
//! after each move. Every value goes at once into a journal, from which a killed run resumes.
//! Searched values can be fitted to games ([`fit_to_games`]).

mod fit;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use kosumi_engine::solve::{HexProblem, SolveError, SolveOptions};
use kosumi_engine::{
    Colour, Engine, EngineError, EngineOptions, GameKind, Limits, OpeningMethod, OpeningTable,
};
use serde::{Deserialize, Serialize};

use crate::difference::difference;
use crate::json_lines::{Format, JournalError, JsonLines, Lines};

pub use fit::fit_to_games;

const FORMAT: Format = Format { what: "table of openings", key: "openings", version: 1 };

/// Why there is no table.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpeningValuesError {
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The engine cannot be used.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The solver cannot be used.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// A match that says nothing about the table.
    #[error("{}: {reason}", path.display())]
    Match {
        /// Its journal.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
}

/// A table to be computed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OpeningValues {
    /// The number of rows and of columns.
    pub size: usize,
    /// How values are found.
    pub by: OpeningMethod,
    /// Memory of the solver or of the tree.
    pub memory_mb: usize,
    /// Which program computes it.
    pub commit: String,
}

/// One value, a line of the journal.
#[derive(Debug, Serialize, Deserialize)]
struct Known {
    #[serde(rename = "move")]
    mv: String,
    value: f32,
}

impl OpeningValues {
    /// Computes all values that the journal does not hold yet, tells of each, and gives the table.
    /// `None` if `stop` became true before it was whole; what is known by then is in the journal.
    ///
    /// # Errors
    /// The journal is another run's, or there is no such board, preset or memory.
    pub fn compute(
        &self,
        journal: &Path,
        resume: bool,
        stop: &AtomicBool,
        told: &mut dyn FnMut(&str, f32),
    ) -> Result<Option<OpeningTable>, OpeningValuesError> {
        let (mut journal, mut values) = self.open(journal, resume)?;
        for (mv, value) in &values {
            told(mv, *value);
        }
        for mv in OpeningTable::moves(self.size) {
            if values.contains_key(&mv) {
                continue;
            }
            let Some(value) = self.value(&mv, stop)? else {
                return Ok(None);
            };
            journal.write(&Known { mv: mv.clone(), value })?;
            told(&mv, value);
            values.insert(mv, value);
        }
        let (size, by, commit) = (self.size, self.by.clone(), self.commit.clone());
        Ok(Some(OpeningTable { size, by, commit, games: 0, values }))
    }

    fn open(
        &self,
        path: &Path,
        resume: bool,
    ) -> Result<(JsonLines, BTreeMap<String, f32>), JournalError> {
        let what = FORMAT.what;
        let Some(lines) = Lines::read_if_any(path)? else {
            return Ok((JsonLines::begin(path, FORMAT, self)?, BTreeMap::new()));
        };
        if !resume {
            return Err(JournalError::Exists { path: path.to_owned(), what });
        }
        let begun: Self = lines.settings(FORMAT)?;
        if begun != *self {
            let difference = difference(self, &begun).unwrap_or_default();
            return Err(JournalError::Other { path: path.to_owned(), what, difference });
        }
        let mut values = BTreeMap::new();
        for (number, line) in lines.results() {
            let Known { mv, value } = serde_json::from_slice(line)
                .map_err(|error| lines.broken(number, error.to_string()))?;
            values.insert(mv, value);
        }
        Ok((JsonLines::go_on(path, &lines)?, values))
    }

    /// What a first move is worth to Black; `None` if it was stopped.
    fn value(&self, mv: &str, stop: &AtomicBool) -> Result<Option<f32>, OpeningValuesError> {
        let value = match &self.by {
            OpeningMethod::Search { preset, simulations, seed } => {
                let mut options = EngineOptions::new(GameKind::Hex);
                options.size = Some(self.size);
                options.preset = Some(preset.clone());
                options.seed = Some(*seed);
                options.threads = Some(1);
                options.memory_mb = Some(self.memory_mb);
                options.set.push(("rules.swap".to_owned(), "false".to_owned()));
                let mut engine = Engine::new(&options)?;
                engine.play(Colour::Black, mv)?;
                let thinking = engine.start(Colour::White, Limits::simulations(*simulations))?;
                thinking.wait();
                engine.halt()?;
                Some(1.0 - thinking.analysis()?.outlook())
            }
            _ => {
                let options = SolveOptions {
                    memory_mb: self.memory_mb,
                    threads: 1,
                    seconds: None,
                    stop,
                    proof: false,
                };
                let solved =
                    HexProblem::from_moves(self.size, [mv])?.solve(&options, &mut |_| ())?;
                solved.winner.map(|winner| if winner == Colour::Black { 1.0 } else { 0.0 })
            }
        };
        Ok(value.filter(|_| !stop.load(Ordering::Relaxed)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_boards_are_solved_and_a_stopped_run_resumes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("4.jsonl");
        let settings = OpeningValues {
            size: 4,
            by: OpeningMethod::Solver,
            memory_mb: 4,
            commit: "test".to_owned(),
        };
        let stop = AtomicBool::new(false);
        let mut count = 0;
        let told = &mut |_: &str, _: f32| {
            count += 1;
            stop.store(count == 3, Ordering::Relaxed);
        };
        assert_eq!(settings.compute(&path, false, &stop, told).unwrap(), None);
        stop.store(false, Ordering::Relaxed);
        assert!(settings.compute(&path, false, &stop, &mut |_, _| ()).is_err(), "it exists");
        let mut told = Vec::new();
        let table = settings.compute(&path, true, &stop, &mut |mv, _| told.push(mv.to_owned()));
        let table = table.unwrap().unwrap();
        assert_eq!(told.len(), 8, "each is told once");
        let wins: Vec<usize> = (0..16).filter(|&cell| table.value(cell) == Some(1.0)).collect();
        assert_eq!(wins, [3, 6, 9, 12], "the short diagonal wins on 4x4");
        let other = OpeningValues { memory_mb: 5, ..settings };
        assert!(other.compute(&path, true, &stop, &mut |_, _| ()).is_err(), "another run's");
    }

    #[test]
    fn a_search_knows_the_centre_from_the_corner() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("3.jsonl");
        let (preset, simulations, seed) = ("light".to_owned(), 200, 1);
        let settings = OpeningValues {
            size: 3,
            by: OpeningMethod::Search { preset, simulations, seed },
            memory_mb: 4,
            commit: "test".to_owned(),
        };
        let stop = AtomicBool::new(false);
        let table = settings.compute(&path, false, &stop, &mut |_, _| ()).unwrap().unwrap();
        assert!(table.value(4) > table.value(0), "{table:?}");
    }
}
