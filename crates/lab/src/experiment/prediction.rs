//! Experiments of prediction (N4): models that differ in what they may know, learned from the same
//! games and measured on those kept apart.
//!
//! ```toml
//! id = "n4-prediction"
//! title = "Prediction of professional moves"
//! paper = "Nomitan, Fig. 1"
//! parts = ["N4"]
//! text = "Games come from the command line."
//! game = "go"
//! size = 19
//!
//! [prediction]
//! games = 8000                 # to learn from, of each file of records, at scale 1
//! patterns = 200000
//! passes = 2
//!
//! [[series]]
//! name = "without distance"
//! without = ["last", "before"] # families and kinds of patterns, as kosumi learn has them
//! paper = [[20, 84]]
//! ```

use std::path::{Path, PathBuf};

use kosumi_go::Selection;
use kosumi_record::GameKind;
use serde::{Deserialize, Serialize};

use super::file::{file_stem, read_toml};
use super::report::{Measure, PointResult, Report, SeriesResult};
use super::run::{RUNS, add_run, read_json, read_notes, write_json};
use super::{About, ExperimentError, Provenance};
use crate::learning::{
    GameMoves, LearnObserver, LearnOptions, LearnedModel, Part, PredictOptions, PredictionReport,
    learn, predict, read_games,
};
use crate::stats::Score;

/// What is learned and measured.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PredictionExperiment {
    /// What it is about.
    pub about: About,
    /// The board.
    pub size: u8,
    /// Games to learn from, of each file of records at most, at scale 1.
    pub games: usize,
    /// Patterns at most.
    pub patterns: usize,
    /// Passes over the games.
    pub passes: usize,
    /// The models.
    pub series: Vec<PredictionSeries>,
}

/// A model and its curve.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PredictionSeries {
    /// What the legend calls it.
    pub name: String,
    /// What the legend calls the paper's figures.
    pub paper_name: String,
    /// The paper's figures: T and percent.
    pub paper: Vec<(f64, f64)>,
    /// What it may know.
    pub selection: Selection,
    /// The name of its files, without an ending.
    pub file: String,
}

/// How such an experiment is run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PredictionRun {
    /// The folder of this experiment's results.
    pub folder: PathBuf,
    /// Files or folders of game records.
    pub records: Vec<PathBuf>,
    /// The number of games as a part or multiple of the file's.
    pub scale: f64,
    /// Whether to go on with what the folder has.
    pub resume: bool,
    /// Threads at work.
    pub threads: usize,
    /// What the report will say about this run.
    pub provenance: Provenance,
}

impl PredictionRun {
    /// All games of the file, learned from these records, in this folder.
    #[must_use]
    pub fn new(folder: PathBuf, records: Vec<PathBuf>, provenance: Provenance) -> Self {
        Self { folder, records, scale: 1.0, resume: false, threads: 1, provenance }
    }
}

/// What there is to tell while models are learned and measured.
pub trait PredictionObserver: LearnObserver {
    /// A model begins to be learned.
    fn series_begins(&self, name: &str);
    /// A model is being measured on so many moves.
    fn measuring(&self, moves: usize);
    /// One more move is measured.
    fn measured(&self);
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    id: String,
    title: String,
    paper: String,
    parts: Vec<String>,
    text: String,
    game: String,
    size: u8,
    prediction: LearningTable,
    series: Vec<SeriesTable>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LearningTable {
    games: usize,
    patterns: usize,
    passes: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SeriesTable {
    name: String,
    #[serde(default)]
    without: Vec<String>,
    #[serde(default)]
    paper: Vec<(f64, f64)>,
    paper_name: Option<String>,
}

/// The result of one model.
#[derive(Serialize, Deserialize)]
struct Measured {
    /// What it was learned from and how.
    settings: String,
    report: PredictionReport,
}

/// Where the curve has points.
const TOPS: [usize; 12] = [1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 40, 50];

impl PredictionExperiment {
    /// Whether the file of an experiment is one of prediction.
    pub(super) fn is_meant(table: &toml::Table) -> bool {
        table.contains_key("prediction")
    }

    /// The experiment in the text of a file; `path` is for messages.
    ///
    /// # Errors
    /// Names the place and what would be right there.
    pub fn parse(path: &Path, text: &str) -> Result<Self, ExperimentError> {
        let file: File = read_toml(path, text)?;
        let wrong =
            |problem: String| ExperimentError::File { path: path.to_owned(), line: None, problem };
        if file.game != "go" {
            return Err(wrong(format!("game '{}': prediction is of go", file.game)));
        }
        let LearningTable { games, patterns, passes } = file.prediction;
        if games == 0 || passes == 0 || file.series.is_empty() {
            let problem = "nothing to learn: give games, passes and at least one series";
            return Err(wrong(problem.to_owned()));
        }
        let mut series = Vec::new();
        for (table, number) in file.series.into_iter().zip(1..) {
            let mut selection = Selection::default();
            for name in &table.without {
                let place = |error| wrong(format!("series {number}: {error}"));
                selection.leave_out(name).map_err(place)?;
            }
            let paper_name = table.paper_name.unwrap_or_else(|| format!("paper, {}", table.name));
            let file = format!("{number}-{}", file_stem(&table.name));
            let SeriesTable { name, paper, .. } = table;
            series.push(PredictionSeries { name, paper_name, paper, selection, file });
        }
        let File { id, title, paper, parts, text, size, .. } = file;
        let about = About { id, title, paper, parts, text }.checked().map_err(wrong)?;
        Ok(Self { about, size, games, patterns, passes, series })
    }

    /// Learns and measures what is missing.
    ///
    /// # Errors
    /// Records cannot be read, learning fails, a file cannot be written, or the folder has results
    /// that are not to be gone on with.
    pub fn run(
        &self,
        run: &PredictionRun,
        observer: &dyn PredictionObserver,
    ) -> Result<(), ExperimentError> {
        let most = ((self.games as f64 * run.scale).round() as usize).max(1);
        let games = |part, most| {
            read_games(GameKind::Go, &run.records, Some(self.size), part, most)
                .map_err(|error| ExperimentError::Records(Box::new(error)))
        };
        let learned = games(Part::Learned, most)?;
        // One of 20 is kept apart.
        let apart = games(Part::HeldOut, usize::MAX)?;
        let moves: usize = learned.games.iter().map(|game| game.len()).sum();
        for series in &self.series {
            let path = self.result(&run.folder, series);
            if !run.resume && path.exists() {
                return Err(ExperimentError::Exists { path });
            }
        }
        add_run(&run.folder.join(RUNS), run.resume, &run.provenance)?;
        for series in &self.series {
            let settings = format!(
                "{} games learned from ({moves} moves, {} patterns at most, {} passes), {} kept \
                 apart, without [{}]",
                learned.games.len(),
                self.patterns,
                self.passes,
                apart.games.len(),
                series.selection.left_out().join(", ")
            );
            let path = self.result(&run.folder, series);
            let known: Option<Measured> = read_json(&path)?;
            if let Some(known) = known {
                if known.settings == settings {
                    continue;
                }
                let problem = format!(
                    "is of other settings ({}, not {settings}); remove it, or go on with those",
                    known.settings
                );
                return Err(ExperimentError::File { path, line: None, problem });
            }
            observer.series_begins(&series.name);
            let checkpoint = path.with_extension("partial");
            let model = self.model(run, series, &learned.games, &checkpoint, observer)?;
            observer.measuring(apart.games.iter().map(|game| game.len()).sum());
            let how = PredictOptions { threads: run.threads, ..PredictOptions::default() };
            let report = predict(&series.name, &model, &apart.games, &how, &|| observer.measured());
            write_json(&path, &Measured { settings, report })?;
            let _ = std::fs::remove_file(checkpoint);
        }
        Ok(())
    }

    /// Learns the model of a curve.
    fn model(
        &self,
        run: &PredictionRun,
        series: &PredictionSeries,
        games: &[GameMoves],
        checkpoint: &Path,
        observer: &dyn PredictionObserver,
    ) -> Result<LearnedModel, ExperimentError> {
        let options = LearnOptions {
            passes: self.passes,
            patterns: self.patterns,
            selection: series.selection.clone(),
            threads: run.threads,
            checkpoint: Some(checkpoint.to_owned()),
            ..LearnOptions::default()
        };
        learn(games, &options, observer).map_err(|source| ExperimentError::Learn {
            series: series.name.clone(),
            source: Box::new(source),
        })
    }

    fn result(&self, folder: &Path, series: &PredictionSeries) -> PathBuf {
        folder.join(format!("{}.json", series.file))
    }

    /// Sums up the results in the folder of a run.
    ///
    /// # Errors
    /// There are none, or one cannot be read.
    pub fn report(&self, folder: &Path) -> Result<Report, ExperimentError> {
        let (runs, _) = read_notes(folder)?;
        let mut series = Vec::new();
        let mut setting = None;
        for planned in &self.series {
            let known: Option<Measured> = read_json(&self.result(folder, planned))?;
            let Some(Measured { settings, report }) = known else { continue };
            let common = settings.split(", without").next().unwrap_or_default().to_owned();
            setting.get_or_insert(format!("Go {0}x{0}, {common}", self.size));
            series.push(SeriesResult {
                name: planned.name.clone(),
                paper_name: planned.paper_name.clone(),
                paper: planned.paper.clone(),
                points: points(&report, &planned.paper),
            });
        }
        let Some(setting) = setting else {
            let (id, folder) = (self.about.id.clone(), folder.to_owned());
            return Err(ExperimentError::NoGames { id, folder });
        };
        Ok(Report {
            about: self.about.clone(),
            setting,
            measure: Measure::Prediction,
            x_label: "T".to_owned(),
            x_log: false,
            cases: false,
            runs,
            series,
        })
    }
}

/// The curve as points: a hit is a win.
fn points(report: &PredictionReport, paper: &[(f64, f64)]) -> Vec<PointResult> {
    let moves = report.rows.first().map_or(0, |all| all.decisions);
    let point = |&top: &usize| {
        let percent = *report.curve.get(top - 1)?;
        let wins = (moves as f64 * percent / 100.0).round() as u32;
        let losses = (moves as u32).saturating_sub(wins);
        let x = top as f64;
        let paper = paper.iter().find(|(at, _)| *at == x).map(|(_, percent)| *percent);
        let mut point = PointResult::of(top.to_string(), x, Score { wins, draws: 0, losses });
        point.paper = paper;
        Some(point)
    };
    TOPS.iter().filter_map(point).collect()
}
