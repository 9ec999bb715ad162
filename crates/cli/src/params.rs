//! `kosumi params`: parameters as a file that reproduces them, or as a table of the docs.

use std::io::Write;

use clap::Args;
use kosumi_engine::{GameKind, presets, to_toml};
use kosumi_game::params::{Kind, Spec};

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
  kosumi params --game go --docs                          what every parameter means
  kosumi params --game hex --docs --preset mohex2 --size 13 | less
                                                          and what it is set to there")]
pub struct Arguments {
    /// go, hex or havannah
    #[arg(short, long, value_name = "GAME", default_value = "go", value_parser = game)]
    game: GameKind,
    #[command(flatten)]
    engine: EngineArgs,
    /// Print a Markdown table of all parameters instead: value in force, default, range, meaning
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
    writeln!(out, "| parameter | value | default | expects | meaning |")?;
    writeln!(out, "|---|---|---|---|---|")?;
    for spec in params.specs() {
        let (key, default) = (spec.key, &spec.default);
        let value = params.get(key).unwrap_or_default();
        let (expected, meaning) = (expected(spec.kind), meaning(&spec));
        writeln!(out, "| `{key}` | `{value}` | `{default}` | {expected} | {meaning} |")?;
    }
    Ok(())
}

/// Beyond this a bound is one of the type and not of the parameter.
const ENDLESS: f64 = 1e15;

/// What values look like; bounds that nobody reaches are left out.
fn expected(kind: Kind) -> String {
    let between = |what: &str, min: f64, max: f64| match (min > -ENDLESS, max < ENDLESS) {
        (true, true) => format!("{what} from {min} to {max}"),
        (true, false) => format!("{what}, {min} or more"),
        (false, true) => format!("{what}, {max} or less"),
        (false, false) => what.to_owned(),
    };
    match kind {
        Kind::Integer { min, max } => between("a whole number", min, max),
        Kind::Real { min, max } => between("a number", min, max),
        Kind::PerLevel { min, max } => {
            format!(
                "{}; several, separated by commas, one per tree level",
                between("a number", min, max)
            )
        }
        kind => kind.to_string(),
    }
}

/// What a parameter means, and each word that it may be set to.
fn meaning(spec: &Spec) -> String {
    let mut text = spec.meaning.to_owned();
    for (word, meaning) in spec.words {
        text += &format!(" `{word}`: {}", meaning.trim());
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}
