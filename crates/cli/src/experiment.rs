//! `kosumi experiment`: the papers' tables and figures, measured again.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, Subcommand};
use indicatif::ProgressBar;
use kosumi_lab::experiment::{
    AnyExperiment, Experiment, ExperimentError, ExperimentObserver, ExperimentRun, PlannedPoint,
    PredictionExperiment, PredictionObserver, PredictionRun, Provenance, write_index,
};
use kosumi_lab::{Observer, PlayedGame, Tally};

use crate::failure::{interrupted, usage};
use crate::interrupt::{self, is_stopped, stop_flag};
use crate::learn::Follower;
use crate::output::say;
use crate::progress::{bar, score_line};
use crate::version;

/// Measures again what the papers have measured
///
/// An experiment is a file of the folder 'experiments': who plays whom, which setting is varied,
/// how many games a point gets, and the paper's own figures. Running it plays a match for each
/// point; a report puts the results beside the paper's, in a table and a plot. Experiments of
/// prediction learn models from game records, which you give, and measure them.
#[derive(Args)]
#[command(after_help = "\
Examples:
  kosumi experiment list
      what there is
  kosumi experiment run experiments/s3-havannah5.toml -j 2
      about an hour on two cores; --scale 0.1 a tenth of the games, --scale 10 ten times as many
  kosumi experiment run experiments/s3-havannah5.toml -j 2 --resume
      go on after a kill
  kosumi experiment run experiments/n4-prediction.toml --records games/pro.sgf.xz -j 2
      learn from records and predict the games kept apart
  kosumi experiment report all
      tables, plots and an index page in docs/results")]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Plays the games of an experiment
    Run(RunArguments),
    /// Writes tables and plots of what has been played
    Report(ReportArguments),
    /// Tells which experiments there are
    List(ListArguments),
}

// EXPERIMENTS: the names and texts of the experiments that are part of the program.
include!(concat!(env!("OUT_DIR"), "/experiments.rs"));

/// Where experiments are, in the sources.
const FOLDER: &str = "experiments";
/// Where their games go.
const RUNS: &str = "experiments/runs";

#[derive(Args)]
struct RunArguments {
    /// The experiment: a file, or the name of one that is part of the program
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The number of games as a part or multiple of the file's
    #[arg(long, value_name = "S", default_value_t = 1.0)]
    scale: f64,
    /// Go on with the games in the folder
    #[arg(long)]
    resume: bool,
    /// Of prediction: files or folders with game records, .sgf or .sgf.xz
    #[arg(short, long, value_name = "PATH", num_args = 1..)]
    records: Vec<PathBuf>,
    /// Games played at once, each on a core of its own; of prediction, threads
    #[arg(short = 'j', long, value_name = "N", default_value_t = 1)]
    at_once: usize,
    /// Do not pin games to cores
    #[arg(long)]
    no_pin: bool,
    /// Where games go, in a folder of the experiment's name
    #[arg(short, long, value_name = "DIR", default_value = RUNS)]
    out: PathBuf,
}

#[derive(Args)]
struct ReportArguments {
    /// The experiments, or 'all' that have been run
    #[arg(value_name = "FILE", default_value = "all")]
    files: Vec<PathBuf>,
    /// Where their games are
    #[arg(long, value_name = "DIR", default_value = RUNS)]
    runs: PathBuf,
    /// Where reports go; its index page shows all that are there
    #[arg(short, long, value_name = "DIR", default_value = "docs/results")]
    out: PathBuf,
}

#[derive(Args)]
struct ListArguments {
    /// Where experiments are [default: 'experiments', or else those that are part of the program]
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    match &arguments.command {
        Command::Run(arguments) => play(arguments),
        Command::Report(arguments) => report(arguments),
        Command::List(arguments) => list(arguments),
    }
}

fn play(arguments: &RunArguments) -> anyhow::Result<()> {
    let experiment = read(&arguments.file).map_err(usage)?;
    if !(arguments.scale > 0.0 && arguments.scale.is_finite()) {
        anyhow::bail!(usage(format!("--scale {}: give a number above 0", arguments.scale)));
    }
    let folder = arguments.out.join(&experiment.about().id);
    match &experiment {
        AnyExperiment::Games(experiment) => games(arguments, experiment, &folder)?,
        AnyExperiment::Prediction(experiment) => prediction(arguments, experiment, &folder)?,
    }
    let table = aligned(&experiment.report(&folder)?.table());
    say!("{table}results: {}", folder.display())?;
    if is_stopped() {
        anyhow::bail!(interrupted("before the last game: the same command with --resume goes on"));
    }
    Ok(())
}

/// This run; what a file of records is called matters, not where it lies.
fn provenance(records: &[PathBuf]) -> Provenance {
    let name = |word: String| match records.iter().find(|path| path.as_os_str() == &*word) {
        Some(path) => path.file_name().map_or(word, |name| name.to_string_lossy().into_owned()),
        None => word,
    };
    let words = std::env::args().skip(1).map(name);
    Provenance::now(version::LINE, std::iter::once("kosumi".to_owned()).chain(words))
}

fn games(arguments: &RunArguments, experiment: &Experiment, folder: &Path) -> anyhow::Result<()> {
    if !arguments.records.is_empty() {
        anyhow::bail!(usage("this experiment plays games and reads none: leave out --records"));
    }
    let mut run = ExperimentRun::new(folder.to_owned(), provenance(&[]));
    run.scale = arguments.scale;
    run.resume = arguments.resume;
    run.run.at_once = arguments.at_once;
    run.run.pin = !arguments.no_pin;
    run.run.kosumi = std::env::current_exe().context("the program does not know its own file")?;
    let mut progress = Progress::new(experiment, arguments.scale);
    experiment.run(&run, &mut progress, stop_flag())?;
    progress.bar.finish_and_clear();
    Ok(())
}

fn prediction(
    arguments: &RunArguments,
    experiment: &PredictionExperiment,
    folder: &Path,
) -> anyhow::Result<()> {
    let records = arguments.records.clone();
    if records.is_empty() {
        anyhow::bail!(usage("this experiment learns from game records: give --records PATH"));
    }
    if arguments.no_pin {
        anyhow::bail!(usage("this experiment plays no games: leave out --no-pin"));
    }
    let provenance = provenance(&records);
    let mut run = PredictionRun::new(folder.to_owned(), records, provenance);
    run.scale = arguments.scale;
    run.resume = arguments.resume;
    run.threads = arguments.at_once;
    let follower = Follower::new();
    let last = follower.last_line();
    interrupt::at_each(move || {
        eprintln!("\nkosumi: interrupted{last}: the same command with --resume goes on");
        interrupt::end();
    });
    experiment.run(&run, &follower)?;
    follower.bar().finish_and_clear();
    Ok(())
}

impl PredictionObserver for Follower {
    fn series_begins(&self, name: &str) {
        self.say(name);
    }

    fn measuring(&self, moves: usize) {
        self.begin(moves, 0, "measuring");
    }

    fn measured(&self) {
        self.bar().inc(1);
    }
}

/// A table whose columns stand below each other.
fn aligned(rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let line = |row: &Vec<String>| {
        let cells = row.iter().enumerate();
        let cells: Vec<String> = cells.map(|(i, cell)| format!("{cell:<0$}", width(i))).collect();
        format!("{}\n", cells.join("  ").trim_end())
    };
    rows.iter().map(line).collect()
}

fn report(arguments: &ReportArguments) -> anyhow::Result<()> {
    let all = arguments.files.iter().any(|file| file.as_os_str() == "all");
    let files = if all { experiment_files(None)? } else { arguments.files.clone() };
    for file in files {
        let experiment = match read(&file) {
            Ok(experiment) => experiment,
            // What is part of the program and needs files that are not here has not been run.
            Err(_) if all && !file.exists() => continue,
            Err(error) => anyhow::bail!(usage(error)),
        };
        let folder = arguments.runs.join(&experiment.about().id);
        if all && !folder.exists() {
            continue;
        }
        let report = experiment.report(&folder).map_err(usage)?;
        report.write(&arguments.out)?;
        say!("{}", arguments.out.join(format!("{}.md", report.about.id)).display())?;
    }
    say!("{}", write_index(&arguments.out).map_err(usage)?.display())?;
    Ok(())
}

fn list(arguments: &ListArguments) -> anyhow::Result<()> {
    for file in experiment_files(arguments.folder.as_deref())? {
        let experiment = match read(&file) {
            Ok(experiment) => experiment,
            // Some need files of the sources, such as weights.
            Err(error) if !file.exists() => {
                say!("{}\n    not to be run here: {error}", file.display())?;
                continue;
            }
            Err(error) => anyhow::bail!(usage(error)),
        };
        let about = experiment.about();
        let size = match &experiment {
            AnyExperiment::Games(e) => {
                format!("{} points of {} games", e.points().count(), e.games)
            }
            AnyExperiment::Prediction(e) => {
                format!("{} models of {} games of each file", e.series.len(), e.games)
            }
        };
        say!("{}\n    {}: {}\n    {size}", file.display(), about.parts.join(", "), about.title)?;
    }
    Ok(())
}

/// The text of an experiment that is part of the program, if the path names one.
fn built_in(path: &Path) -> Option<&'static str> {
    let name = path.file_stem()?;
    let is_named = |known: &str| Path::new(known).file_stem() == Some(name);
    EXPERIMENTS.iter().find(|(known, _)| is_named(known)).map(|(_, text)| *text)
}

/// Reads the file, or the experiment of that name if there is no such file.
fn read(path: &Path) -> Result<AnyExperiment, ExperimentError> {
    match built_in(path) {
        Some(text) if !path.exists() => AnyExperiment::parse(path, text),
        _ => AnyExperiment::read(path),
    }
}

/// The experiments of a folder, by name; without one, those of the sources or the program.
fn experiment_files(folder: Option<&Path>) -> anyhow::Result<Vec<PathBuf>> {
    let sources = Path::new(FOLDER);
    if folder.is_none() && !sources.is_dir() {
        return Ok(EXPERIMENTS.iter().map(|(name, _)| PathBuf::from(name)).collect());
    }
    let folder = folder.unwrap_or(sources);
    let entries =
        std::fs::read_dir(folder).map_err(|e| usage(format!("{}: {e}", folder.display())))?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "toml") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Follows an experiment on standard error: one bar for the games of all points.
struct Progress {
    bar: ProgressBar,
    point: String,
    points: usize,
    /// Games of points that are through, and the number of points so far.
    before: u64,
    begun: usize,
    games: u64,
}

impl Progress {
    fn new(experiment: &Experiment, scale: f64) -> Self {
        let games = u64::from(experiment.games_at(scale));
        let points = experiment.points().count();
        let bar = bar(games * points as u64, 0);
        Self { bar, point: String::new(), points, before: 0, begun: 0, games }
    }

    fn tell(&self, tally: &Tally) {
        let done = u64::from(tally.score.games()).min(self.games);
        self.bar.set_position(self.before + done);
        let (begun, points) = (self.begun, self.points);
        let score = score_line(tally);
        self.bar.set_message(format!("point {begun}/{points} {}: {score}", self.point));
    }
}

impl ExperimentObserver for Progress {
    fn point_begins(&mut self, point: &PlannedPoint) {
        self.before = self.begun as u64 * self.games;
        self.begun += 1;
        self.point.clone_from(&point.file);
    }
}

impl Observer for Progress {
    fn begins(&mut self, tally: &Tally, _: u32) {
        self.tell(tally);
        // Earlier games took no time of this run.
        if tally.score.games() > 0 {
            self.bar.reset_eta();
        }
        if self.bar.is_hidden() {
            let done = tally.score.games();
            eprintln!("point {}/{}: {}, {done} played", self.begun, self.points, self.point);
        }
    }

    fn game_ended(&mut self, game: &PlayedGame, tally: &Tally) {
        self.tell(tally);
        if let Some(winner) = game.winner.filter(|_| game.ending.is_failure()) {
            let loser = winner.other();
            let (number, ending) = (game.number, game.ending.name());
            let text = format!("{}, game {number}: {loser:?} lost by {ending}", self.point);
            if self.bar.is_hidden() { eprintln!("{text}") } else { self.bar.println(text) }
        }
        if self.bar.is_hidden() && u64::from(tally.score.games()) >= self.games {
            eprintln!("  {}", score_line(tally));
        }
    }
}
