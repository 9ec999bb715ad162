//! `kosumi gtp`: an engine for every program that speaks the Go Text Protocol.

use std::fs::OpenOptions;
use std::io::{BufReader, BufWriter};
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, ValueEnum};
use kosumi_engine::gtp::{GtpOptions, serve};
use kosumi_engine::{Engine, GameKind};

use crate::engine_args::{EngineArgs, game};
use crate::failure::usage;
use crate::version;

/// Plays over GTP on standard input and output
///
/// This is how Sabaki, Lizzie, GoGui, HexGUI, KGS and CGOS clients run an engine. The client may
/// change the board with 'boardsize'; 'list_commands' names all commands.
#[derive(Args)]
#[command(after_help = "\
Examples:
  kosumi gtp --game go --size 9 --time 5
  kosumi gtp --game hex --threads 4 --memory 1000 --preset strongest
  kosumi gtp --game havannah --sims 10000 --seed 7      the same game every time
  kosumi gtp --log game.log                             keep a transcript
  printf 'boardsize 9\\ngenmove b\\nshowboard\\n' | kosumi gtp")]
pub struct Arguments {
    /// go, hex or havannah
    #[arg(short, long, value_name = "GAME", default_value = "go", value_parser = game)]
    game: GameKind,
    #[command(flatten)]
    engine: EngineArgs,
    /// Append a full transcript to this file
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Draw the search live, in GoGui (on standard error) or HexGUI (on standard output)
    #[arg(long, value_enum, value_name = "CLIENT", num_args = 0..=1, require_equals = true,
          default_missing_value = "gogui")]
    live: Option<Client>,
    /// What 'version' answers; Lizzie wants 0.15 or more
    #[arg(long, value_name = "TEXT")]
    report_version: Option<String>,
}

/// Who draws the search.
#[derive(Clone, Copy, ValueEnum)]
enum Client {
    Gogui,
    Hexgui,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let engine = Engine::new(&arguments.engine.options(arguments.game)).map_err(usage)?;
    let mut options = GtpOptions::default();
    let version = arguments.report_version.as_deref();
    options.version = Some(version.unwrap_or(version::LINE).to_owned());
    if let Some(path) = &arguments.log {
        let file = OpenOptions::new().create(true).append(true).open(path);
        options.log = Some(Box::new(file.with_context(|| path.display().to_string())?));
    }
    options.live = match arguments.live {
        None => None,
        Some(Client::Gogui) => Some(Box::new(std::io::stderr())),
        Some(Client::Hexgui) => Some(Box::new(std::io::stdout())),
    };
    let input = BufReader::new(std::io::stdin());
    let output = BufWriter::new(std::io::stdout().lock());
    serve(engine, input, output, options).context("standard output")
}
