//! Experiments: a table or figure of a paper, measured again by one command.
//!
//! An experiment is a TOML file (see [`AnyExperiment::read`]). As a rule it becomes a list of points,
//! each a [`Match`] of its own with its own journal, so that a killed experiment goes on where it was
//! ([`Experiment`]); or models are learned and measured ([`PredictionExperiment`]). A [`Report`] sums
//! up what there is and puts the paper's figures beside ours.

mod file;
mod page;
mod prediction;
mod provenance;
mod report;
mod run;
mod shape;
#[cfg(test)]
mod tests;
mod twin;

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::json_lines::JournalError;
use crate::learning::{LearnError, ReadGamesError};
use crate::match_runner::{Match, MatchError};

pub use page::write_index;
pub use prediction::{PredictionExperiment, PredictionObserver, PredictionRun, PredictionSeries};
pub use provenance::{Machine, Provenance};
pub use report::{Measure, PointResult, Report, SeriesResult};
pub use run::{ExperimentObserver, ExperimentRun};
pub use shape::{ShapeProbe, TreeShape};

/// The experiment of a file.
#[derive(Clone, Debug, PartialEq)]
pub enum AnyExperiment {
    /// Games are played.
    Games(Experiment),
    /// Moves are predicted.
    Prediction(PredictionExperiment),
}

impl AnyExperiment {
    /// Reads the file of an experiment and checks all of it.
    ///
    /// # Errors
    /// Names the place and what would be right there: a key that does not exist, a parameter or
    /// preset that the engine does not know, a value that does not fit.
    pub fn read(path: &Path) -> Result<Self, ExperimentError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| ExperimentError::Io { path: path.to_owned(), source })?;
        Self::parse(path, &text)
    }

    /// As [`AnyExperiment::read`], with the text of the file; `path` is for messages.
    ///
    /// # Errors
    /// The same.
    pub fn parse(path: &Path, text: &str) -> Result<Self, ExperimentError> {
        if PredictionExperiment::is_meant(&file::read_toml(path, text)?) {
            return PredictionExperiment::parse(path, text).map(Self::Prediction);
        }
        Experiment::parse(path, text).map(Self::Games)
    }

    /// What it is about.
    #[must_use]
    pub fn about(&self) -> &About {
        match self {
            Self::Games(experiment) => &experiment.about,
            Self::Prediction(experiment) => &experiment.about,
        }
    }

    /// Sums up what the folder of a run has.
    ///
    /// # Errors
    /// There is nothing, or it cannot be read or is of other settings.
    pub fn report(&self, folder: &Path) -> Result<Report, ExperimentError> {
        match self {
            Self::Games(experiment) => experiment.report(folder),
            Self::Prediction(experiment) => experiment.report(folder),
        }
    }
}

/// What an experiment is about, whatever it measures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct About {
    /// Short name, also of its files.
    pub id: String,
    /// In words.
    pub title: String,
    /// The paper and its table or figure.
    pub paper: String,
    /// The parts of the papers that it measures, such as `S3`.
    pub parts: Vec<String>,
    /// What it is about and how to read it.
    pub text: String,
}

/// What is measured, point by point.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Experiment {
    /// What it is about.
    pub about: About,
    /// What the x axis shows.
    pub x_label: String,
    /// Whether it is logarithmic.
    pub x_log: bool,
    /// Games for each point at scale 1.
    pub games: u32,
    /// How to measure the shape of player A's tree, if that is wanted.
    pub shape: Option<ShapeProbe>,
    /// The curves.
    pub series: Vec<PlannedSeries>,
}

/// A curve of an experiment.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PlannedSeries {
    /// What the legend calls it.
    pub name: String,
    /// What the legend calls the paper's figures.
    pub paper_name: String,
    /// The paper's figures: x and percent, also where we measure nothing.
    pub paper: Vec<(f64, f64)>,
    /// Whether its points are cases with names and not numbers.
    pub cases: bool,
    /// What we measure.
    pub points: Vec<PlannedPoint>,
}

/// A point of an experiment.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PlannedPoint {
    /// The name of its journal, without an ending.
    pub file: String,
    /// Where on the x axis; the number of the case, from 0, where cases are compared.
    pub x: f64,
    /// The value or case in words.
    pub label: String,
    /// The match to be played.
    pub settings: Match,
}

impl Experiment {
    /// All points with the numbers of their series.
    pub fn points(&self) -> impl Iterator<Item = (usize, &PlannedPoint)> {
        let numbered = self.series.iter().enumerate();
        numbered.flat_map(|(number, series)| series.points.iter().map(move |p| (number, p)))
    }

    /// The number of games of a point at some scale: pairs, and at least one.
    #[must_use]
    pub fn games_at(&self, scale: f64) -> u32 {
        let pairs = (f64::from(self.games) * scale / 2.0).round();
        2 * (pairs.clamp(1.0, 1e6) as u32)
    }
}

/// Why an experiment cannot be read, run or reported.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExperimentError {
    /// A file cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file of an experiment is not what it should be.
    #[error("{}{}: {problem}", path.display(), line.map(|n| format!(", line {n}")).unwrap_or_default())]
    File {
        /// The file.
        path: PathBuf,
        /// The line, from 1, if it is known.
        line: Option<usize>,
        /// What is wrong, with the remedy.
        problem: String,
    },
    /// The games of a point could not be played.
    #[error("point {point}: {source}")]
    Match {
        /// The point's file.
        point: String,
        /// Why.
        source: Box<MatchError>,
    },
    /// The journal of a point cannot be used.
    #[error(transparent)]
    Journal(#[from] Box<JournalError>),
    /// There are results already.
    #[error("{} exists; --resume goes on with it", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// Game records cannot be read.
    #[error(transparent)]
    Records(Box<ReadGamesError>),
    /// A model cannot be learned.
    #[error("{series}: {source}")]
    Learn {
        /// Which.
        series: String,
        /// Why.
        source: Box<LearnError>,
    },
    /// The tree of a point could not be measured.
    #[error("point {point}: the tree's shape: {problem}")]
    Shape {
        /// The point's file.
        point: String,
        /// Why.
        problem: String,
    },
    /// Nothing has been played.
    #[error("{} has no games of {id}; run the experiment first", folder.display())]
    NoGames {
        /// The experiment.
        id: String,
        /// Where its games should be.
        folder: PathBuf,
    },
}
