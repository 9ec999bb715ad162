//! What commands that read game records have in common.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use kosumi_engine::GameKind;
use kosumi_lab::{GamesRead, Part, read_games};
use kosumi_learn::Combining;

use crate::engine_args::game;
use crate::failure::usage;

/// Which games are read.
#[derive(Args)]
pub struct RecordArguments {
    /// go or hex
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
    /// The game.
    pub fn game(&self) -> GameKind {
        self.game
    }

    /// Reads the games and says which cannot be used.
    pub fn read(&self, part: Part) -> anyhow::Result<GamesRead> {
        if self.game == GameKind::Havannah {
            anyhow::bail!(usage("only Go and Hex can be learned: --game go or --game hex"));
        }
        let most = self.games.unwrap_or(usize::MAX);
        let read = read_games(self.game, &self.records, self.size, part, most)?;
        for (reason, count) in &read.skipped {
            eprintln!("passed over {count} games: {reason}");
        }
        Ok(read)
    }
}

/// How the gammas of a move's features make its strength.
#[derive(Clone, Copy, ValueEnum)]
pub enum Combine {
    /// They are multiplied
    Product,
    /// They are added
    Sum,
}

impl Combine {
    /// As asked for, or else as the game's players do it.
    pub fn or_as_used(asked: Option<Self>, game: GameKind) -> Combining {
        match asked {
            Some(Self::Product) => Combining::Product,
            Some(Self::Sum) => Combining::Sum,
            None => match game {
                GameKind::Hex => Combining::Sum,
                GameKind::Go | GameKind::Havannah => Combining::Product,
            },
        }
    }
}
