//! `kosumi bench`: speed of the engine on this machine, and the signature of what it does.

use std::io::Write;

use clap::Args;
use kosumi_engine::GameKind;
use kosumi_engine::bench::{self, BenchOptions, Measurement, Subject};

use crate::engine_args::game;
use crate::failure::usage;

/// Measures playouts and searches on fixed positions; ends within a minute
///
/// The last line is a signature of root visits with fixed seeds. It is the same on every machine
/// and in every build until the behaviour of a search changes.
#[derive(Args)]
#[command(after_help = "\
Examples:
  kosumi bench
  kosumi bench --game hex --threads 4 --seconds 10
  kosumi bench --json > speed.json
  kosumi bench --signature             the signature alone")]
pub struct Arguments {
    /// Measure one game only: go, hex or havannah
    #[arg(short, long, value_name = "GAME", value_parser = game)]
    game: Option<GameKind>,
    /// Threads of the larger search [default: all processors]
    #[arg(short, long, value_name = "N")]
    threads: Option<usize>,
    /// Seconds for all measurements together, about
    #[arg(long, value_name = "SECONDS")]
    seconds: Option<f64>,
    /// Print only the signature
    #[arg(long)]
    signature: bool,
    /// Print the measurements as JSON
    #[arg(long, conflicts_with = "signature")]
    json: bool,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    if arguments.signature {
        writeln!(out, "signature {:016x}", bench::signature()?)?;
        return Ok(());
    }
    let mut options = BenchOptions::default();
    if let Some(game) = arguments.game {
        options.games = vec![game];
    }
    if let Some(threads) = arguments.threads {
        options.threads = threads;
    }
    if let Some(seconds) = arguments.seconds {
        if !(seconds > 0.0 && seconds <= 3600.0) {
            anyhow::bail!(usage("--seconds expects a number above 0, at most 3600"));
        }
        options.seconds = seconds;
    }
    if arguments.json {
        let measurements = bench::run(&options, |_| ())?;
        let signature = format!("{:016x}", bench::signature()?);
        let all = serde_json::json!({ "measurements": measurements, "signature": signature });
        writeln!(out, "{all:#}")?;
        return Ok(());
    }
    writeln!(
        out,
        "{:<9} {:>4} {:<7} {:<20} {:>12} {:>14} {:>11}",
        "game", "size", "board", "what", "per second", "per CPU second", "bytes/node"
    )?;
    let mut told = Ok(());
    bench::run(&options, |measurement| {
        let written = writeln!(out, "{}", row(measurement)).and_then(|()| out.flush());
        if told.is_ok() {
            told = written;
        }
    })?;
    told?;
    writeln!(out, "signature {:016x}", bench::signature()?)?;
    Ok(())
}

fn row(measurement: &Measurement) -> String {
    let (what, bytes) = match &measurement.subject {
        Subject::Playouts { policy } => (format!("{policy} playouts"), String::new()),
        Subject::Knowledge { visits } => (format!("knowledge at {visits}"), String::new()),
        Subject::Search { threads, bytes_per_node, .. } => {
            let plural = if *threads == 1 { "" } else { "s" };
            let what = format!("search, {threads} thread{plural}");
            (what, format!("{bytes_per_node:.0}"))
        }
        _ => ("other".to_owned(), String::new()),
    };
    let per_cpu = measurement.per_cpu_second();
    format!(
        "{:<9} {:>4} {:<7} {:<20} {:>12.0} {:>14} {:>11}",
        measurement.game,
        measurement.size,
        measurement.position,
        what,
        measurement.per_second(),
        per_cpu.map_or("-".to_owned(), |value| format!("{value:.0}")),
        bytes
    )
}
