//! The program `kosumi`: one file per subcommand, each a thin layer over the libraries.
#![forbid(unsafe_code)]
#![deny(clippy::print_stdout)]

mod bench;
mod board;
mod completions;
mod engine_args;
mod experiment;
mod failure;
mod games_args;
mod gtp;
mod interrupt;
mod learn;
mod r#match;
mod openings;
mod output;
mod params;
mod play;
mod predict;
mod progress;
mod records_args;
mod regress;
mod solve;
mod tournament;
mod tune;
mod version;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Plays Go, Hex and Havannah by Monte-Carlo tree search.
///
/// Without a subcommand it asks what you want to play and plays it with you in the terminal.
#[derive(Parser)]
#[command(name = "kosumi", version = version::LINE, max_term_width = 100, after_help = EXAMPLES)]
// The last of several equal options wins, so that scripts can append to a command line.
#[command(args_override_self = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

const EXAMPLES: &str = "\
Examples:
  kosumi                                     play in the terminal
  kosumi gtp --game go --size 9              an engine for Sabaki, GoGui, Lizzie, KGS, CGOS
  kosumi gtp --game hex --threads 4          an engine for HexGUI
  kosumi match strongest light --sims 1000   which preset is stronger?
  kosumi solve --size 6 --openings           who wins at Hex?
  kosumi bench                               how fast is this machine?

'kosumi help COMMAND' tells more about each.";

#[derive(Subcommand)]
enum Command {
    Gtp(gtp::Arguments),
    Play(play::Arguments),
    Match(Box<r#match::Arguments>),
    Experiment(experiment::Arguments),
    Tournament(Box<tournament::Arguments>),
    Tune(Box<tune::Arguments>),
    Learn(learn::Arguments),
    Predict(predict::Arguments),
    Solve(Box<solve::Arguments>),
    Openings(openings::Arguments),
    Regress(regress::Arguments),
    Bench(bench::Arguments),
    Params(params::Arguments),
    Completions(completions::Completions),
    Man(completions::Manual),
    Version(version::Arguments),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let command = cli.command.unwrap_or_else(|| Command::Play(play::Arguments::default()));
    let result = match command {
        Command::Gtp(arguments) => gtp::run(&arguments),
        Command::Play(arguments) => play::run(&arguments),
        Command::Match(arguments) => r#match::run(&arguments),
        Command::Experiment(arguments) => experiment::run(&arguments),
        Command::Tournament(arguments) => tournament::run(&arguments),
        Command::Tune(arguments) => tune::run(&arguments),
        Command::Learn(arguments) => learn::run(&arguments),
        Command::Predict(arguments) => predict::run(&arguments),
        Command::Solve(arguments) => solve::run(&arguments),
        Command::Openings(arguments) => openings::run(&arguments),
        Command::Regress(arguments) => regress::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Params(arguments) => params::run(&arguments),
        Command::Completions(arguments) => completions::completions(&arguments),
        Command::Man(arguments) => completions::manual(&arguments),
        Command::Version(arguments) => version::run(&arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failure::report(&error),
    }
}
