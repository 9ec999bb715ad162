//! `kosumi version`: what exactly is running.

use std::io::Write;

use clap::Args;
use kosumi_engine::{EngineError, EngineOptions, Fnv, GameKind, presets, to_toml};
use kosumi_net::Path;
use serde_json::{Value, json};

use crate::failure::usage;

/// Version and commit, as `--version` says them.
pub const LINE: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("KOSUMI_COMMIT"), ")");

/// Tells version, commit, CPU path and presets
#[derive(Args)]
#[command(after_help = "\
Examples:
  kosumi version
  kosumi version --json      for scripts and reports")]
pub struct Arguments {
    /// As JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    let build = if cfg!(debug_assertions) { "debug" } else { "release" };
    let target = format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS);
    let cpu_path = Path::best().name();
    if arguments.json {
        let mut presets = serde_json::Map::new();
        for game in GameKind::ALL {
            let hashes = preset_hashes(game).map_err(usage)?;
            presets.insert(game.name().to_ascii_lowercase(), Value::Object(hashes));
        }
        let version = json!({
            "name": "Kosumi",
            "version": env!("CARGO_PKG_VERSION"),
            "commit": env!("KOSUMI_COMMIT"),
            "build": build,
            "target": target,
            "cpu_path": cpu_path,
            "presets": presets,
        });
        writeln!(out, "{version:#}")?;
        return Ok(());
    }
    writeln!(out, "Kosumi {LINE}, {build} build for {target}, CPU path {cpu_path}")?;
    for game in GameKind::ALL {
        writeln!(out, "{} presets: {}", game.name(), presets::names(game).join(", "))?;
    }
    Ok(())
}

/// What each preset resolves to on the usual board, as a hash (FNV-1a) of its parameters: equal
/// hashes play alike.
fn preset_hashes(game: GameKind) -> Result<serde_json::Map<String, Value>, EngineError> {
    let mut hashes = serde_json::Map::new();
    for name in presets::names(game) {
        let mut options = EngineOptions::new(game);
        options.preset = Some(name.to_owned());
        let text = to_toml(&options.params()?);
        hashes.insert(name.to_owned(), json!(format!("{:016x}", Fnv::of(text.as_bytes()))));
    }
    Ok(hashes)
}
