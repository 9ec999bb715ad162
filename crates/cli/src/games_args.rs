//! What all commands that let programs play have in common: the game, and how its games are run.

use std::time::Duration;

use anyhow::Context;
use clap::Args;
use kosumi_engine::{GameKind, default_size};
use kosumi_lab::{KosumiPlayer, Limit, Openings, Rulebook, Run, TimeControl, split_command};

use crate::engine_args::{game, simulations};
use crate::failure::usage;

/// What is played.
#[derive(Args)]
pub struct GameArguments {
    /// go, hex or havannah
    #[arg(short, long, value_name = "GAME", default_value = "go", value_parser = game)]
    pub game: GameKind,
    /// Board size [default: 9 in Go, 11 in Hex, 5 in Havannah]
    #[arg(short, long, value_name = "N")]
    size: Option<usize>,
    /// Komi, in Go
    #[arg(long, value_name = "POINTS", default_value_t = 7.5, allow_negative_numbers = true)]
    komi: f64,
    /// Rules of Go: chinese, cgos, tromp-taylor, aga, new-zealand
    #[arg(long, value_name = "NAME", default_value = "chinese")]
    rules: String,
    /// Hex and Havannah: allow the swap
    #[arg(long)]
    swap: bool,
}

impl GameArguments {
    pub fn rulebook(&self) -> Rulebook {
        let size = self.size.unwrap_or(match self.game {
            GameKind::Go => 9,
            GameKind::Havannah => 5,
            GameKind::Hex => default_size(self.game),
        });
        let mut rulebook = Rulebook::new(self.game, size);
        rulebook.komi = self.komi;
        rulebook.rules.clone_from(&self.rules);
        rulebook.swap = self.swap;
        rulebook
    }
}

/// How games are begun, played and counted.
#[derive(Args)]
pub struct RunArguments {
    /// Games (in a tuning: pairs of games) played at once, each on cores of its own
    #[arg(short = 'j', long, value_name = "N", default_value_t = 1)]
    at_once: usize,
    /// Cores for each game
    #[arg(long, value_name = "N", default_value_t = 1)]
    cores_per_game: usize,
    /// Do not pin games to cores
    #[arg(long)]
    no_pin: bool,
    /// Go on with what --out holds
    #[arg(long)]
    pub resume: bool,
    /// Seed of openings and players
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Openings, one for each pair of games: empty, first (every first move up to symmetry),
    /// first:N (N of them, spread over the board), random:N or balanced:N stones, or a file (SGF, or text with one opening a line)
    #[arg(long, value_name = "OPENINGS", default_value = "random:2")]
    openings: String,
    /// Program that counts finished games of Go where the players do not agree on dead stones
    #[arg(long, value_name = "COMMAND")]
    referee: Option<String>,
    /// Seconds after which a program without a clock hangs
    #[arg(long, value_name = "SECONDS", default_value_t = 600.0)]
    hang: f64,
}

impl RunArguments {
    /// So many games on this machine.
    pub fn run(&self, games: u32) -> anyhow::Result<Run> {
        let mut run = Run::new(games);
        run.at_once = self.at_once;
        run.cores_per_game = self.cores_per_game;
        run.pin = !self.no_pin;
        run.kosumi = std::env::current_exe().context("the program does not know its own file")?;
        run.hang = Duration::try_from_secs_f64(self.hang)
            .map_err(|_| usage(format!("{} is no number of seconds", self.hang)))?;
        Ok(run)
    }

    pub fn openings(&self) -> anyhow::Result<Openings> {
        Openings::read(&self.openings).map_err(usage)
    }

    pub fn referee(&self) -> anyhow::Result<Option<Vec<String>>> {
        self.referee.as_deref().map(split_command).transpose().map_err(usage)
    }
}

/// How long players think about a move.
#[derive(Args, Clone, Copy)]
pub struct LimitArguments {
    /// Simulations per move, for players that are Kosumi
    #[arg(long, value_name = "N", value_parser = simulations)]
    pub sims: Option<u64>,
    /// Seconds per move
    #[arg(long, value_name = "SECONDS", conflicts_with = "clock")]
    pub time: Option<f64>,
    /// Clock, enforced: 300 (absolute), 10+3x5 (byo-yomi), 60+30/10 (Canadian), 60+2 (Fischer)
    #[arg(long, value_name = "CLOCK")]
    pub clock: Option<TimeControl>,
}

impl LimitArguments {
    /// What a side has of its own counts instead of what both have.
    pub fn for_side(&self, own: &Self) -> Self {
        let timed = if own.time.is_some() || own.clock.is_some() { own } else { self };
        Self { sims: own.sims.or(self.sims), ..*timed }
    }

    pub fn limit(&self) -> anyhow::Result<Limit> {
        limit(self.clock, self.time)
    }
}

/// A clock or seconds per move, whichever is given.
pub fn limit(clock: Option<TimeControl>, seconds: Option<f64>) -> anyhow::Result<Limit> {
    match (clock, seconds) {
        (Some(_), Some(_)) => {
            anyhow::bail!(usage("a player has either a clock or seconds per move"))
        }
        (Some(clock), None) => Ok(Limit::Clock(clock)),
        (None, Some(seconds)) if seconds > 0.0 && seconds.is_finite() => {
            Ok(Limit::Seconds(seconds))
        }
        (None, Some(seconds)) => {
            anyhow::bail!(usage(format!("{seconds} is no number of seconds to think")))
        }
        (None, None) => Ok(Limit::Own),
    }
}

/// How long a player that is Kosumi thinks, in words, if no option says it.
pub fn usual_limit(name: &str, player: &KosumiPlayer, rulebook: &Rulebook) -> Option<String> {
    let limits = ["--sims", "--time"];
    let among_options = player.options.iter().any(|word| {
        limits.iter().any(|limit| word.split('=').next().is_some_and(|word| word == *limit))
    });
    if player.simulations.is_some() || player.limit != Limit::Own || among_options {
        return None;
    }
    // What cannot be read is told when the player is checked.
    let params = player.params(rulebook.kind().ok()?, rulebook.size).ok()?;
    let limit = match (params.play.simulations, params.play.seconds) {
        (0, seconds) if seconds > 0.0 => format!("{seconds} s a move (think.seconds)"),
        (0, _) => "3 s a move".to_owned(),
        (count, seconds) if seconds > 0.0 => {
            format!(
                "{seconds} s a move, {count} simulations at most (think.seconds, think.simulations)"
            )
        }
        (count, _) => format!("{count} simulations a move (think.simulations)"),
    };
    Some(format!("{name}: no --sims, --time or --clock is given, so it thinks {limit}"))
}
