//! `kosumi regress`: regression files of GTP programs, run and counted.

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use kosumi_engine::GameKind;
use kosumi_lab::{KOSUMI, RegressionCounts, RegressionFile, Tested, Verdict, split_command};

use crate::engine_args::game;
use crate::failure::usage;
use crate::interrupt::stop_flag;
use crate::output::say;
use crate::progress;

/// Runs regression files and counts what is answered as expected
///
/// The files are those of GNU Go and gogui-regress: GTP commands, and behind those whose answer is
/// known '#?' and the pattern of that answer in square brackets. Tests of commands that the program
/// does not know, and on boards it does not have, are counted apart. The exit code is 1 if a test
/// failed that should pass.
#[derive(Args)]
#[command(after_help = "\
Examples:
  kosumi regress --game hex vc.tst ice.tst
  kosumi regress --game hex --timeout 60 --options '--time 5' --long *.tst
  kosumi regress --program 'gnugo --mode gtp' ld_owl.tst")]
pub struct Arguments {
    /// Regression files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// go, hex or havannah
    #[arg(short, long, value_name = "GAME", default_value = "go", value_parser = game)]
    game: GameKind,
    /// More options of 'kosumi gtp'
    #[arg(long, value_name = "OPTIONS", allow_hyphen_values = true, conflicts_with = "program")]
    options: Option<String>,
    /// Another program to ask
    #[arg(long, value_name = "COMMAND", conflicts_with = "game")]
    program: Option<String>,
    /// The most seconds to wait for an answer
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    timeout: f64,
    /// Tell of every test that is not passed
    #[arg(short, long)]
    long: bool,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let patience = Duration::try_from_secs_f64(arguments.timeout).map_err(usage)?;
    let program = program(arguments)?;
    let files = arguments
        .files
        .iter()
        .map(|path| Ok((path, RegressionFile::read(path)?)))
        .collect::<anyhow::Result<Vec<_>>>()?;
    let stop = stop_flag();
    let tests: usize = files.iter().map(|(_, file)| file.tests()).sum();
    let bar = progress::bar(tests as u64, 0);
    let mut all = RegressionCounts::default();
    say!("passed failed (as expected) timed-out unknown no-board  file")?;
    for (path, file) in &files {
        let mut said = Ok(());
        let mut told = |tested: &Tested| {
            bar.inc(1);
            if arguments.long
                && let Some(line) = line(tested)
                && let Err(error) = bar.suspend(|| say!("  {line}"))
            {
                said = Err(error);
            }
        };
        let counts = file
            .run(&program, patience, stop, &mut told)
            .with_context(|| path.display().to_string())?;
        said.and(bar.suspend(|| say!("{}  {}", row(&counts), path.display())))?;
        all += counts;
        if stop.load(Ordering::Relaxed) {
            break;
        }
    }
    bar.finish_and_clear();
    say!("{}  in all", row(&all))?;
    let unexpected = all.failed - all.failed_as_expected + all.timed_out;
    anyhow::ensure!(unexpected == 0, "{unexpected} tests failed that should pass");
    Ok(())
}

fn program(arguments: &Arguments) -> anyhow::Result<Vec<String>> {
    let command = match &arguments.program {
        Some(command) => command.clone(),
        None => {
            let options = arguments.options.as_deref().unwrap_or_default();
            let game = arguments.game.name().to_ascii_lowercase();
            format!("{KOSUMI} gtp --game {game} --threads 1 {options}")
        }
    };
    let own = std::env::current_exe().context("finding our own program")?;
    let words = split_command(&command).map_err(usage)?;
    let own = own.display().to_string();
    Ok(words.iter().map(|word| word.replace(KOSUMI, &own)).collect())
}

fn row(counts: &RegressionCounts) -> String {
    format!(
        "{:>6} {:>6} {:>13} {:>9} {:>7} {:>8}",
        counts.passed,
        counts.failed,
        counts.failed_as_expected,
        counts.timed_out,
        counts.unknown,
        counts.no_board
    )
}

/// A test that was not passed in one line.
fn line(tested: &Tested) -> Option<String> {
    let outcome = match &tested.verdict {
        Verdict::Passed => return None,
        Verdict::PassedUnexpectedly => "passed, though it was expected to fail".to_owned(),
        Verdict::Failed { answer, expected } => {
            let hope = if *expected { ", as it was expected to" } else { "" };
            let answer = answer.split_whitespace().collect::<Vec<_>>().join(" ");
            format!("failed{hope}: {} expected, got '{answer}'", tested.expected)
        }
        Verdict::UnknownCommand => "the command is not known".to_owned(),
        Verdict::NoBoard { why } => format!("no board: {why}"),
        Verdict::TimedOut => "no answer in time".to_owned(),
        _ => "not run".to_owned(),
    };
    let number = tested.number.map_or_else(String::new, |number| format!("{number} "));
    Some(format!("line {}: {number}{}: {outcome}", tested.line, tested.command))
}
