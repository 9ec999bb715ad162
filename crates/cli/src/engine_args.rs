//! The options of an engine, the same for every subcommand that starts one.

use std::path::PathBuf;

use clap::Args;
use kosumi_engine::{EngineError, EngineOptions, GameKind, parse_game};

/// Board and strength of an engine.
#[derive(Args, Clone, Default)]
pub struct EngineArgs {
    /// Board size: lines in Go (2 to 25) and Hex (3 to 19), cells along an edge in Havannah (3 to 10)
    #[arg(short, long, value_name = "N")]
    pub size: Option<usize>,
    /// Threads of the search [default: in play and gtp all cores, in matches 1]
    #[arg(short, long, value_name = "N")]
    pub threads: Option<usize>,
    /// Memory of the search tree in megabytes
    #[arg(short, long, value_name = "MB")]
    pub memory: Option<usize>,
    /// Seed: with --threads 1 and --sims, equal seeds play equal games
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Named parameters, see 'kosumi params --list'
    #[arg(short, long, value_name = "NAME")]
    pub preset: Option<String>,
    /// TOML file of parameters, applied after the preset
    #[arg(short, long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Simulations per move, instead of seconds
    #[arg(long, value_name = "N", value_parser = simulations)]
    pub sims: Option<u64>,
    /// Seconds per move when the client sets no clock [default: as the preset says, 3 in most]
    #[arg(long, value_name = "SECONDS")]
    pub time: Option<f64>,
    /// Go, Hex: learned weights of the moves of the tree to use instead of the program's own, see 'kosumi help learn'
    #[arg(short, long, value_name = "FILE")]
    pub weights: Option<String>,
    /// One parameter; may be given again and wins over preset and file
    #[arg(long, value_name = "KEY=VALUE", value_parser = key_value)]
    pub set: Vec<(String, String)>,
}

impl EngineArgs {
    /// The options for a game.
    pub fn options(&self, game: GameKind) -> EngineOptions {
        let mut options = EngineOptions::new(game);
        options.size = self.size;
        options.threads = self.threads;
        options.memory_mb = self.memory;
        options.seed = self.seed;
        options.preset.clone_from(&self.preset);
        options.config.clone_from(&self.config);
        options.simulations = self.sims;
        options.seconds = self.time;
        options.weights.clone_from(&self.weights);
        options.set.clone_from(&self.set);
        options
    }
}

/// The cores of this machine that the program may use, as the usual number of threads where nobody
/// else needs them.
pub fn cores() -> usize {
    // More threads than that the search does not take.
    std::thread::available_parallelism().map_or(1, usize::from).min(256)
}

/// Reads a number of simulations.
pub fn simulations(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(0) => Err("a move takes at least 1; leave it out to think by time".to_owned()),
        Ok(count) => Ok(count),
        Err(_) => Err("expected a whole number from 1 on".to_owned()),
    }
}

/// Reads the name of a game.
pub fn game(name: &str) -> Result<GameKind, EngineError> {
    parse_game(name)
}

/// Reads `key=value`.
pub fn key_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) => Ok((key.trim().to_owned(), value.trim().to_owned())),
        None => Err("expected KEY=VALUE, e.g. search.threads=2".to_owned()),
    }
}
