//! `kosumi openings`: what first moves of Hex are worth, for the swap.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use kosumi_engine::{OpeningMethod, OpeningTable, presets, size_range};
use kosumi_lab::{OpeningValues, fit_to_games};
use kosumi_record::{GameKind, write_atomically};

use crate::engine_args::simulations;
use crate::failure::{interrupted, usage};
use crate::interrupt::stop_flag;
use crate::output::say;
use crate::progress;

/// The largest board whose first moves are solved unless simulations are asked for.
const SOLVED: usize = 7;
const SIMULATIONS: u64 = 3000;

/// Computes what first moves of Hex are worth
///
/// With the swap the second player takes over a first stone that is worth more than a half, and the
/// first one plays what is nearest to it; the player reads that from a table which this command
/// computes, up to 7x7 by the solver, beyond by a search after each move. The values of a search tell
/// good first moves from bad ones, but not where a half is: --games fits them to games that were
/// played from these openings. Ctrl-C ends it; --resume goes on.
#[derive(Args)]
#[command(after_help = "\
Examples:
  kosumi openings --size 6 --out 6.jsonl
  kosumi openings --size 11 --sims 3000 --out 11.jsonl --table data/hex/openings.jsonl
  kosumi openings --size 11 --sims 3000 --out 11.jsonl --resume
  kosumi match --game hex --size 11 --openings first -n 1220 --sims 1000 --out games.jsonl
  kosumi openings --size 11 --sims 3000 --out 11.jsonl --resume --games games.jsonl")]
pub struct Arguments {
    /// Size of the board
    #[arg(short, long, value_name = "N", default_value_t = 11)]
    size: usize,
    /// Simulations after each first move [default: solve up to 7x7, 3000 beyond]
    #[arg(long, value_name = "N", value_parser = simulations)]
    sims: Option<u64>,
    /// Named parameters of the search
    #[arg(short, long, value_name = "NAME", default_value = presets::DEFAULT)]
    preset: String,
    /// Seed of the search
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Memory of the solver or of the search tree in megabytes
    #[arg(short, long, value_name = "MB", default_value_t = 256)]
    memory: usize,
    /// The journal: every value at once, one a line
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Go on with the journal
    #[arg(long)]
    resume: bool,
    /// The journal of a match that began with these moves, to fit searched values to; may be given
    /// again
    #[arg(long, value_name = "FILE")]
    games: Vec<PathBuf>,
    /// A file of tables to put the result into, one a line
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let (least, most) = size_range(GameKind::Hex);
    if !(least..=most).contains(&arguments.size) {
        anyhow::bail!(usage(format!("--size expects {least} to {most}")));
    }
    let by = match arguments.sims {
        None if arguments.size <= SOLVED => OpeningMethod::Solver,
        sims => OpeningMethod::Search {
            preset: arguments.preset.clone(),
            simulations: sims.unwrap_or(SIMULATIONS),
            seed: arguments.seed,
        },
    };
    if by == OpeningMethod::Solver && !arguments.games.is_empty() {
        anyhow::bail!(usage("--games is for searched values; give --sims as well"));
    }
    let settings = OpeningValues {
        size: arguments.size,
        by,
        memory_mb: arguments.memory,
        commit: env!("KOSUMI_COMMIT").to_owned(),
    };
    let bar = progress::bar(OpeningTable::moves(arguments.size).len() as u64, 0);
    let mut told = |mv: &str, value: f32| {
        bar.inc(1);
        bar.set_message(format!("{mv} {value:.3}"));
    };
    let found = settings.compute(&arguments.out, arguments.resume, stop_flag(), &mut told);
    bar.finish_and_clear();
    let Some(mut table) = found? else {
        let out = arguments.out.display();
        anyhow::bail!(interrupted(format!(
            "before the last value: {out} holds those so far, and the same command with --resume \
             goes on"
        )));
    };
    if !arguments.games.is_empty() {
        table = fit_to_games(&table, &arguments.games)?;
        say!("fitted to {} games", table.games)?;
    }
    if let Some(path) = &arguments.table {
        put(&table, path).with_context(|| path.display().to_string())?;
    }
    for row in 0..table.size {
        let cells = row * table.size..(row + 1) * table.size;
        let values = cells.filter_map(|cell| table.value(cell));
        let values: Vec<String> = values.map(|value| format!("{value:.2}")).collect();
        say!("{:indent$}{}", "", values.join(" "), indent = 2 * row)?;
    }
    Ok(())
}

/// Puts a table into a file in place of the one of that size, smaller boards first.
fn put(table: &OpeningTable, path: &Path) -> anyhow::Result<()> {
    let old = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error.into()),
    };
    let mut tables = old
        .lines()
        .map(serde_json::from_str)
        .collect::<Result<Vec<OpeningTable>, _>>()
        .context("another file: one table is expected on each line")?;
    tables.retain(|other| other.size != table.size);
    tables.push(table.clone());
    tables.sort_by_key(|table| table.size);
    let mut text = String::new();
    for table in &tables {
        text.push_str(&serde_json::to_string(table)?);
        text.push('\n');
    }
    write_atomically(path, text.as_bytes())?;
    Ok(())
}
