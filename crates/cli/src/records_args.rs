//! What commands that read game records have in common.

use std::path::PathBuf;

use clap::Args;
use kosumi_engine::GameKind;
use kosumi_lab::{GamesRead, Part, read_games};

use crate::engine_args::game;
use crate::failure::usage;

/// Which games are read.
#[derive(Args)]
pub struct RecordArguments {
    /// go
    #[arg(short, long, value_name = "GAME", default_value = "go", value_parser = game)]
    game: GameKind,
    /// Files or folders with game records: .sgf, .sgf.xz
    #[arg(short, long, value_name = "PATH", required = true, num_args = 1..)]
    records: Vec<PathBuf>,
    /// Only games on boards of this size
    #[arg(short, long, value_name = "N")]
    size: Option<u8>,
    /// Games at most of each file [default: all]
    #[arg(short = 'n', long, value_name = "N")]
    games: Option<usize>,
}

impl RecordArguments {
    /// Reads the games and says which cannot be used.
    pub fn read(&self, part: Part) -> anyhow::Result<GamesRead> {
        if self.game != GameKind::Go {
            anyhow::bail!(usage("only Go can be learned yet: --game go"));
        }
        let read = read_games(&self.records, self.size, part, self.games.unwrap_or(usize::MAX))?;
        for (reason, count) in &read.skipped {
            eprintln!("passed over {count} games: {reason}");
        }
        Ok(read)
    }
}
