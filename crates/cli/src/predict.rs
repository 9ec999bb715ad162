//! `kosumi predict`: how well weights predict the moves of games.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, ValueEnum};
use kosumi_engine::{MOST_WEIGHT_BYTES, own_weights};
use kosumi_lab::{LearnedModel, Part, PredictOptions, PredictionReport, predict};
use kosumi_learn::WeightFile;
use kosumi_record::{read_whole, write_atomically};

use crate::output;
use crate::progress;
use crate::records_args::{Combine, RecordArguments};

/// Tells how well weights predict the moves of games
///
/// Ranks all legal moves of every position and says how often the played one was among the first T.
/// By default only those games are looked at that 'kosumi learn' keeps apart: every 20th of a file.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    records: RecordArguments,
    /// Weight files, a curve each [default: the program's own]
    #[arg(short, long, value_name = "FILE", num_args = 1..)]
    weights: Vec<PathBuf>,
    /// Which games
    #[arg(long, value_enum, default_value_t = Which::HeldOut)]
    part: Which,
    /// How gammas make the strength of a move [default: as players use them: product; Hex: sum]
    #[arg(long, value_enum)]
    combine: Option<Combine>,
    /// Hex: moves at the beginning of each game that do not count
    #[arg(long, value_name = "N", default_value_t = 1)]
    skip: usize,
    /// Threads
    #[arg(short = 'j', long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Write the figures as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the curves as SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Which {
    /// Every 20th game of a file, which kosumi learn keeps apart
    HeldOut,
    /// The others
    Learned,
    /// All games
    All,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let part = match arguments.part {
        Which::HeldOut => Part::HeldOut,
        Which::Learned => Part::Learned,
        Which::All => Part::All,
    };
    let game = arguments.records.game();
    let model = |path: &Path, bytes: &[u8]| {
        let title = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let model = LearnedModel::from_file(game, &WeightFile::from_bytes(bytes)?)?;
        anyhow::Ok((title, model))
    };
    let mut models = Vec::new();
    for path in &arguments.weights {
        let name = || path.display().to_string();
        let bytes = read_whole(path, MOST_WEIGHT_BYTES).with_context(name)?;
        models.push(model(path, &bytes).with_context(name)?);
    }
    let read = arguments.records.read(part)?;
    if let ([], Some(first)) = (&*models, read.games.first()) {
        let own = own_weights(game, usize::from(first.size));
        let (name, bytes) = own.context("there are no weights for this game")?;
        models.push(model(name.as_ref(), bytes)?);
    }
    let moves: usize = read.games.iter().map(|game| game.len()).sum();
    let bar = progress::bar((moves * models.len()) as u64, 0);
    let mut options = PredictOptions::default();
    options.combining = Combine::or_as_used(arguments.combine, game);
    options.skip = arguments.skip;
    options.threads = arguments.threads;
    let mut reports = Vec::new();
    for (title, model) in &models {
        bar.set_message(title.clone());
        let seen = || bar.inc(1);
        let report = predict(title, model, &read.games, &options, &seen);
        bar.suspend(|| output::print(format_args!("{}", report.to_text())))?;
        reports.push(report);
    }
    bar.finish_and_clear();
    let write = |path: &PathBuf, text: String| {
        write_atomically(path, text.as_bytes()).map_err(anyhow::Error::from)
    };
    if let Some(path) = &arguments.json {
        write(path, serde_json::to_string_pretty(&reports)? + "\n")?;
    }
    if let Some(path) = &arguments.svg {
        write(path, PredictionReport::plot("Prediction of moves", &reports).to_svg())?;
    }
    Ok(())
}
