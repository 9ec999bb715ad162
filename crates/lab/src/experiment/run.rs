//! Running an experiment: one match after another, each with a journal of its own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use kosumi_record::write_atomically;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::shape::TreeShape;
use super::twin::games_of_twin;
use super::{Experiment, ExperimentError, PlannedPoint, Provenance};
use crate::journal::Journal;
use crate::match_runner::{MatchError, Observer, Run};

/// How an experiment is run on this machine.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ExperimentRun {
    /// The folder of this experiment's journals.
    pub folder: PathBuf,
    /// The number of games as a part or multiple of the file's.
    pub scale: f64,
    /// Whether to go on with what the folder has.
    pub resume: bool,
    /// How each match is run; the number of games is set by the experiment.
    pub run: Run,
    /// What the report will say about this run.
    pub provenance: Provenance,
}

impl ExperimentRun {
    /// All games of the file, in this folder.
    #[must_use]
    pub fn new(folder: PathBuf, provenance: Provenance) -> Self {
        Self { folder, scale: 1.0, resume: false, run: Run::new(0), provenance }
    }
}

/// What there is to tell while an experiment runs.
pub trait ExperimentObserver: Observer {
    /// The games of a point begin or go on.
    fn point_begins(&mut self, point: &PlannedPoint);
}

/// The runs of an experiment, in its folder.
pub(super) const RUNS: &str = "runs.json";
/// The shapes of its trees by the points' files.
const SHAPES: &str = "shapes.json";

impl Experiment {
    /// Plays what is missing of all points, or until `stop` is set.
    ///
    /// # Errors
    /// A match cannot be played, a tree not be measured, or a file not be written. What players do
    /// wrong during games is counted instead.
    pub fn run(
        &self,
        run: &ExperimentRun,
        observer: &mut dyn ExperimentObserver,
        stop: &AtomicBool,
    ) -> Result<(), ExperimentError> {
        // All journals are opened before the first game: a mistake shows at once.
        let open = if run.resume { Journal::resume } else { Journal::create };
        let mut journals = Vec::new();
        for (_, point) in self.points() {
            journals
                .push(open(&journal_path(&run.folder, point), &point.settings).map_err(Box::new)?);
        }
        add_run(&run.folder.join(RUNS), run.resume, &run.provenance)?;

        let path = run.folder.join(SHAPES);
        let mut shapes: BTreeMap<String, TreeShape> = read_json(&path)?;
        for ((_, point), journal) in self.points().zip(&mut journals) {
            observer.point_begins(point);
            let mut settings = run.run.clone();
            settings.games = self.games_at(run.scale);
            let failed = |source| ExperimentError::Match {
                point: point.file.clone(),
                source: Box::new(source),
            };
            adopt(point, run, &settings, journal).map_err(failed)?;
            point.settings.run(&settings, journal, observer, stop).map_err(failed)?;
            if stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            if let Some(probe) = &self.shape
                && !shapes.contains_key(&point.file)
            {
                let shape = probe.measure(&point.settings, &settings.kosumi);
                let shape = shape.map_err(|problem| ExperimentError::Shape {
                    point: point.file.clone(),
                    problem,
                })?;
                shapes.insert(point.file.clone(), shape);
                write_json(&path, &shapes)?;
            }
        }
        Ok(())
    }
}

/// Takes the games over that another point has played already, being the same match.
fn adopt(
    point: &PlannedPoint,
    run: &ExperimentRun,
    settings: &Run,
    journal: &mut Journal,
) -> Result<(), MatchError> {
    if !journal.games().is_empty() {
        return Ok(());
    }
    let introduction = point.settings.introduce(settings)?;
    let games = games_of_twin(&run.folder, point, &introduction);
    for game in games.into_iter().filter(|game| game.number <= settings.games) {
        journal.introduce(introduction.clone())?;
        journal.append(game)?;
    }
    Ok(())
}

/// Notes a run in the file of runs, after the earlier ones if it goes on with them.
pub(super) fn add_run(
    path: &Path,
    resume: bool,
    provenance: &Provenance,
) -> Result<(), ExperimentError> {
    let mut runs: Vec<Provenance> = if resume { read_json(path)? } else { Vec::new() };
    if runs.last() != Some(provenance) {
        runs.push(provenance.clone());
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)
            .map_err(|source| ExperimentError::Io { path: folder.to_owned(), source })?;
    }
    write_json(path, &runs)
}

/// The journal of a point.
pub(super) fn journal_path(folder: &Path, point: &PlannedPoint) -> PathBuf {
    folder.join(format!("{}.jsonl", point.file))
}

/// The runs and shapes in a folder.
pub(super) fn read_notes(
    folder: &Path,
) -> Result<(Vec<Provenance>, BTreeMap<String, TreeShape>), ExperimentError> {
    Ok((read_json(&folder.join(RUNS))?, read_json(&folder.join(SHAPES))?))
}

/// Reads a file of ours; nothing if there is none.
pub(super) fn read_json<T: DeserializeOwned + Default>(path: &Path) -> Result<T, ExperimentError> {
    match std::fs::read(path) {
        Ok(bytes) => serde_json::from_slice(&bytes).map_err(|error| ExperimentError::File {
            path: path.to_owned(),
            line: Some(error.line()),
            problem: format!("{error}; remove the file, and it is made anew"),
        }),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(T::default()),
        Err(source) => Err(ExperimentError::Io { path: path.to_owned(), source }),
    }
}

pub(super) fn write_json(path: &Path, value: &impl Serialize) -> Result<(), ExperimentError> {
    let io = |source| ExperimentError::Io { path: path.to_owned(), source };
    let mut text = serde_json::to_string_pretty(value).map_err(|e| io(e.into()))?;
    text.push('\n');
    write_atomically(path, text.as_bytes()).map_err(|error| io(error.source))
}
