//! `kosumi learn`: gammas from game records.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use anyhow::Context;
use clap::{Args, ValueEnum};
use indicatif::ProgressBar;
use kosumi_engine::GameKind;
use kosumi_go::Selection;
use kosumi_hex::Extent;
use kosumi_lab::experiment::Provenance;
use kosumi_lab::{LearnMethod, LearnObserver, LearnOptions, LearnSubject, Part, learn};
use kosumi_learn::PredictionOf;
use kosumi_record::write_atomically;

use crate::failure::usage;
use crate::interrupt;
use crate::output::say;
use crate::records_args::{Combine, RecordArguments};
use crate::{progress, version};

/// Learns how strong players move from game records
///
/// Reads SGF files, plain or compressed (.sgf, .sgf.xz), counts the patterns around played moves,
/// and finds the gammas of patterns and features under which those moves are most likely
/// (Bradley-Terry). Every 20th game of each file is kept apart for 'kosumi predict'. What is known is
/// written down as it goes; the same command goes on after a kill.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    records: RecordArguments,
    /// Where to write the weights
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Replace the file of --out if it exists
    #[arg(long)]
    force: bool,
    /// Go: whose moves are learned
    #[arg(long, value_enum, default_value_t = Subject::Tree)]
    of: Subject,
    /// How gammas are found
    #[arg(long, value_enum, default_value_t = Method::Gradient)]
    method: Method,
    /// How often every game is learned from [default: 6; mm: 40]
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    passes: Option<usize>,
    /// Patterns at most
    #[arg(long, value_name = "N", default_value_t = 300_000)]
    patterns: usize,
    /// How often a pattern must have been played to count; Hex: how often it must have been there
    /// [default: 10; Hex: 200]
    #[arg(long, value_name = "N")]
    least: Option<u32>,
    /// How gammas make the strength of a move [default: as players use them: product; Hex: sum]
    #[arg(long, value_enum)]
    combine: Option<Combine>,
    /// Hex: cells of the largest patterns: 6, 12 or 18
    #[arg(long, value_name = "N", default_value = "12", value_parser = extent)]
    cells: Extent,
    /// Hex: moves at the beginning of each game that teach nothing
    #[arg(long, value_name = "N", default_value_t = 1)]
    skip: usize,
    /// First step length of the gradient
    #[arg(long, value_name = "X", default_value_t = 0.1, value_parser = positive)]
    rate: f32,
    /// Strength of the prior that draws gammas to 1
    #[arg(long, value_name = "X", default_value_t = 0.1, value_parser = not_negative)]
    prior: f32,
    /// Go: leave out these features, to learn what they are worth: families and kinds of patterns
    #[arg(long, value_name = "NAME", num_args = 1.., value_parser = Selection::names())]
    without: Vec<String>,
    /// Threads
    #[arg(short = 'j', long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Memory for the positions that mm goes over again and again, in MiB; 1,000 games of 19x19 take
    /// about 750
    #[arg(long, value_name = "MIB", default_value_t = 12_288)]
    memory: usize,
    /// Learn from all games, and keep none apart
    #[arg(long)]
    all: bool,
    /// Seed of the order of the games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

#[derive(Clone, Copy, ValueEnum)]
enum Subject {
    /// The tree's: patterns and many features, for priors
    Tree,
    /// The playouts': 3x3 shapes and answers to the last move
    Playouts,
}

#[derive(Clone, Copy, ValueEnum)]
enum Method {
    /// Stochastic gradient ascent
    Gradient,
    /// Minorization-maximization (Coulom 2007)
    Mm,
}

/// Follows learning on standard error.
pub struct Follower {
    bar: Mutex<ProgressBar>,
    last: LastLine,
}

/// The last line that was said, for whoever ends the command.
#[derive(Clone, Default)]
pub struct LastLine(Arc<Mutex<String>>);

impl fmt::Display for LastLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.lock() {
            Ok(line) if !line.is_empty() => write!(f, " after: {line}"),
            _ => Ok(()),
        }
    }
}

impl Follower {
    /// Without a bar until learning begins.
    pub fn new() -> Self {
        Self { bar: Mutex::new(ProgressBar::hidden()), last: LastLine::default() }
    }

    /// A bar of its own for what comes next.
    pub fn begin(&self, steps: usize, done: usize, what: &str) {
        let bar = progress::bar(steps as u64, done as u64);
        bar.set_message(what.to_owned());
        if let Ok(mut place) = self.bar.lock() {
            place.finish_and_clear();
            *place = bar;
        }
    }

    pub fn bar(&self) -> ProgressBar {
        self.bar.lock().map_or_else(|poisoned| poisoned.into_inner().clone(), |bar| bar.clone())
    }

    pub fn last_line(&self) -> LastLine {
        self.last.clone()
    }

    pub fn say(&self, line: &str) {
        if let Ok(mut last) = self.last.0.lock() {
            line.clone_into(&mut last);
        }
        let bar = self.bar();
        if bar.is_hidden() { eprintln!("{line}") } else { bar.println(line) }
    }
}

impl LearnObserver for Follower {
    fn begins(&self, looks: usize, done: usize) {
        self.begin(looks, done, "patterns");
    }

    fn games(&self, more: usize) {
        self.bar().inc(more as u64);
    }

    fn patterns(&self, count: usize) {
        self.say(&format!("{count} patterns"));
    }

    fn chunk(&self, pass: usize, seen: &PredictionOf) {
        let line = format!(
            "pass {}, {} moves: top 1 {:.2} %, top 20 {:.2} %, log P {:.4}",
            pass + 1,
            seen.decisions(),
            100.0 * seen.top(1),
            100.0 * seen.top(20),
            seen.log_likelihood()
        );
        self.bar().set_message(format!("log P {:.3}", seen.log_likelihood()));
        self.say(&line);
    }
}

/// Without a pass nothing would be learned.
fn at_least_one(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&count| count > 0).ok_or_else(|| "at least 1 is needed".to_owned())
}

fn positive(text: &str) -> Result<f32, String> {
    let number = not_negative(text).ok().filter(|x| *x > 0.0);
    number.ok_or_else(|| "a number above 0 is needed".to_owned())
}

fn not_negative(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|x: &f32| x.is_finite() && *x >= 0.0);
    number.ok_or_else(|| "a number from 0 on is needed".to_owned())
}

fn extent(text: &str) -> Result<Extent, String> {
    let extent = text.parse().ok().and_then(Extent::of_cells);
    extent.ok_or_else(|| "6, 12 or 18 is needed".to_owned())
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Whether the weights can be written in the end, which may be hours away.
fn check_out(out: &Path, force: bool) -> anyhow::Result<()> {
    let name = out.display();
    if out.is_dir() || out.file_name().is_none() {
        anyhow::bail!(usage(format!("--out {name} is a folder: name a file in it")));
    }
    if !force && out.symlink_metadata().is_ok() {
        anyhow::bail!(usage(format!(
            "--out {name} exists already: --force replaces it, another --out keeps it"
        )));
    }
    let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    if !folder.is_dir() {
        let folder = folder.display();
        anyhow::bail!(usage(format!("--out {name}: there is no folder {folder}: create it first")));
    }
    // Only the system knows whether it can be written.
    try_writing_in(folder).with_context(|| format!("--out {name}: the folder cannot be written"))
}

/// Makes an empty file in the folder and takes it away again.
fn try_writing_in(folder: &Path) -> std::io::Result<()> {
    let path = folder.join(format!(".kosumi-{}-out.tmp", std::process::id()));
    std::fs::File::create(&path)?;
    std::fs::remove_file(&path)
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let game = arguments.records.game();
    let subject = match (game, arguments.of) {
        (GameKind::Hex, Subject::Tree) => LearnSubject::HexPatterns,
        (GameKind::Hex, Subject::Playouts) => {
            anyhow::bail!(usage("tree and playouts of Hex share their patterns: leave out --of"))
        }
        (GameKind::Go, Subject::Tree) => LearnSubject::Tree,
        (GameKind::Go, Subject::Playouts) => LearnSubject::Playouts,
        (GameKind::Havannah, _) => {
            anyhow::bail!(usage("only Go and Hex can be learned: --game go or --game hex"))
        }
    };
    check_out(&arguments.out, arguments.force)?;
    let part = if arguments.all { Part::All } else { Part::Learned };
    let read = arguments.records.read(part)?;
    let positions: usize = read.games.iter().map(|game| game.len()).sum();
    eprintln!("{} games, {positions} moves", read.games.len());
    let mut options = LearnOptions::default();
    options.subject = subject;
    options.method = match arguments.method {
        Method::Gradient => LearnMethod::Gradient,
        Method::Mm => LearnMethod::Minorization,
    };
    options.passes = arguments.passes.unwrap_or(match arguments.method {
        Method::Gradient => 6,
        Method::Mm => 40,
    });
    options.memory = arguments.memory;
    options.patterns = arguments.patterns;
    options.least = arguments.least.unwrap_or(if game == GameKind::Hex { 200 } else { 10 });
    options.combining = Combine::or_as_used(arguments.combine, game);
    options.extent = arguments.cells;
    options.skip = arguments.skip;
    options.threads = arguments.threads;
    options.rate = arguments.rate;
    options.prior = arguments.prior;
    options.seed = arguments.seed;
    for name in &arguments.without {
        options.selection.leave_out(name)?;
    }
    let checkpoint = arguments.out.with_extension("partial");
    options.checkpoint = Some(checkpoint.clone());
    let follower = Follower::new();
    let (last, partial) = (follower.last_line(), checkpoint.clone());
    interrupt::at_each(move || {
        // Whatever is known stands there whole.
        if partial.exists() {
            let partial = partial.display();
            eprintln!("\nkosumi: interrupted{last}; the same command goes on from {partial}");
        } else {
            eprintln!("\nkosumi: interrupted before anything was learned: start anew");
        }
        interrupt::end();
    });
    let model = learn(&read.games, &options, &follower)?;
    follower.bar().finish_and_clear();

    // What a file is called matters, not where it lay.
    let words = std::env::args().skip(1).map(|word| match Path::new(&word) {
        path if path.exists() || path.components().count() > 1 => file_name(path),
        _ => word,
    });
    let here = Provenance::now(version::LINE, std::iter::once("kosumi".to_owned()).chain(words));
    let mut provenance = kosumi_learn::Provenance::default();
    provenance.version = here.version;
    provenance.command = here.command;
    provenance.date = here.date;
    provenance.records = read.files.iter().map(|path| file_name(path)).collect();
    provenance.games = read.games.len() as u64;
    provenance.positions = positions as u64;
    let bytes = model.to_file(provenance).to_bytes();
    write_atomically(&arguments.out, &bytes).context("the weights cannot be written")?;
    let _ = std::fs::remove_file(checkpoint);
    say!("{}: {} patterns, {} bytes", arguments.out.display(), model.patterns(), bytes.len())?;
    Ok(())
}
