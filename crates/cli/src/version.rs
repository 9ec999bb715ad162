//! `kosumi version`: what exactly is running.

use std::io::Write;

use clap::Args;
use kosumi_engine::{GameKind, presets};
use serde_json::json;

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
    let build = if cfg!(debug_assertions) {
        "debug"
    } else {
        "release"
    };
    let target = format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS);
    if arguments.json {
        let presets: serde_json::Map<_, _> = GameKind::ALL
            .into_iter()
            .map(|game| {
                (
                    game.name().to_ascii_lowercase(),
                    json!(presets::names(game)),
                )
            })
            .collect();
        let version = json!({
            "name": "Kosumi",
            "version": env!("CARGO_PKG_VERSION"),
            "commit": env!("KOSUMI_COMMIT"),
            "build": build,
            "target": target,
            "cpu_path": CPU_PATH,
            "presets": presets,
        });
        writeln!(out, "{version:#}")?;
        return Ok(());
    }
    writeln!(
        out,
        "Kosumi {LINE}, {build} build for {target}, CPU path {CPU_PATH}"
    )?;
    for game in GameKind::ALL {
        writeln!(
            out,
            "{} presets: {}",
            game.name(),
            presets::names(game).join(", ")
        )?;
    }
    Ok(())
}

/// All code is the same on every CPU so far.
const CPU_PATH: &str = "portable";
