//! `kosumi params`: parameters as a file that reproduces them, or as a table of the docs.

use std::io::Write;

use clap::Args;
use kosumi_engine::{GameKind, presets, to_toml};

use crate::engine_args::{EngineArgs, game};
use crate::failure::usage;

/// Prints all parameters as TOML that --config reads back
///
/// The output says exactly what an engine with the same options would do: preset, file and --set
/// are resolved.
#[derive(Args)]
#[command(after_help = "\
Examples:
  kosumi params --game hex --preset mohex1 > mine.toml    start a configuration of your own
  kosumi gtp --game hex --config mine.toml                play with it
  kosumi params --list                                    the presets of each game
  kosumi params --game go --docs                          what every parameter means")]
pub struct Arguments {
    /// go, hex or havannah
    #[arg(short, long, value_name = "GAME", default_value = "go", value_parser = game)]
    game: GameKind,
    #[command(flatten)]
    engine: EngineArgs,
    /// Print a Markdown table of all parameters with ranges and meanings instead
    #[arg(long)]
    docs: bool,
    /// Print the names of all presets instead
    #[arg(long, conflicts_with = "docs")]
    list: bool,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    if arguments.list {
        for game in GameKind::ALL {
            writeln!(out, "{}: {}", game.name(), presets::names(game).join(", "))?;
        }
        return Ok(());
    }
    let options = arguments.engine.options(arguments.game);
    let params = options.params().map_err(usage)?;
    if !arguments.docs {
        write!(out, "{}", to_toml(&params))?;
        return Ok(());
    }
    writeln!(out, "| parameter | default | expects | meaning |")?;
    writeln!(out, "|---|---|---|---|")?;
    for spec in params.specs() {
        let meaning = spec.meaning.replace('\n', " ").replace('|', "\\|");
        let (key, default, kind) = (spec.key, &spec.default, spec.kind);
        writeln!(out, "| `{key}` | `{default}` | {kind} | {meaning} |")?;
    }
    Ok(())
}
