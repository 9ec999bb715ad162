//! `kosumi tune`: better values for parameters, by playing.

mod report;

use std::path::PathBuf;

use clap::Args;
use kosumi_engine::{EngineParams, presets};
use kosumi_game::params::Kind;
use kosumi_lab::{
    KosumiPlayer, Parameter, Player, TuneJournal, Tuning, read_tune_journal, split_command,
};

use crate::engine_args::{key_value, simulations};
use crate::failure::{interrupted, usage};
use crate::games_args::{GameArguments, RunArguments, limit};
use crate::interrupt::{is_stopped, stop_flag};

/// Tunes parameters by playing (CLOP)
///
/// A player tries values of one or more parameters in pairs of games with colours exchanged, more
/// and more of them where it wins most. The estimate is a weighted mean of the values tried, with
/// intervals. Every finished pair is appended at once to a journal (JSON lines); after a kill the
/// same command with --resume goes on without losing or repeating one. A pair in which a program
/// crashes or hangs is named and not used.
#[derive(Args)]
#[command(after_help = "\
Examples:
  kosumi tune --game hex --size 9 --param rave.late=100..5000:log --sims 1000 -n 2000 -j 4
      the strongest preset with other values of one parameter, against itself as it is
  kosumi tune mine.toml --size 9 --param uct.exploration=0..2 --param tree.expand_at=1..20:int \\
        --opponent light --cmd-opponent \"gnugo --mode gtp --level 10 --chinese-rules\" \\
        --sims 2000 --sims-opponent 4000 -n 5000 -j 4 --out mine.jsonl
      two parameters at once, against two opponents in turn
  kosumi tune --report mine.jsonl
      what has been found so far: values, intervals, TOML to paste, and a chart for each parameter

':log' is for parameters whose size counts in factors, ':int' for whole numbers. A few hundred pairs
show a large effect of one parameter; several parameters or small effects need thousands.
In command lines {seed} stands for a seed that is new in every game.")]
pub struct Arguments {
    /// The player to tune: a preset or a TOML file
    #[arg(value_name = "PLAYER", default_value = presets::DEFAULT)]
    player: String,
    /// Parameter and range: KEY=MIN..MAX, with :log, :int or both behind; may be given again
    #[arg(long, value_name = "RANGE", required_unless_present = "report")]
    param: Vec<Parameter>,
    /// Opponent: a preset or a TOML file; may be given again [default: the player as it is]
    #[arg(long, value_name = "PLAYER")]
    opponent: Vec<String>,
    /// Another program as opponent; may be given again
    #[arg(long, value_name = "COMMAND")]
    cmd_opponent: Vec<String>,
    /// Print what a journal tells, and draw its charts, instead of playing
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,

    #[command(flatten)]
    game: GameArguments,
    /// Simulations per move
    #[arg(long, value_name = "N", value_parser = simulations,
          required_unless_present_any = ["time", "report"])]
    sims: Option<u64>,
    /// Seconds per move, also for other programs
    #[arg(long, value_name = "SECONDS")]
    time: Option<f64>,
    /// Simulations per move of opponents that are Kosumi
    #[arg(long, value_name = "N", value_parser = simulations)]
    sims_opponent: Option<u64>,
    /// One parameter of all players that are Kosumi; may be given again
    #[arg(long, value_name = "KEY=VALUE", value_parser = key_value)]
    set: Vec<(String, String)>,

    /// Number of samples in the end, each a pair of games
    #[arg(short = 'n', long, value_name = "N", default_value_t = 1000)]
    samples: u32,
    /// Journal of the tuning; the charts have the same name
    #[arg(short, long, value_name = "FILE", default_value = "tune.jsonl")]
    out: PathBuf,
    #[command(flatten)]
    run: RunArguments,
}

impl Arguments {
    /// Kosumi with a preset or configuration file, if an engine takes it.
    fn kosumi(&self, named: &str, sims: Option<u64>) -> anyhow::Result<Player> {
        let mut kosumi = KosumiPlayer::new(named);
        kosumi.simulations = sims;
        kosumi.set.clone_from(&self.set);
        kosumi.limit = limit(None, self.time)?;
        let rulebook = self.game.rulebook();
        kosumi.check(self.game.game, rulebook.size).map_err(usage)?;
        kosumi.player(&rulebook).map_err(usage)
    }

    fn opponents(&self) -> anyhow::Result<Vec<Player>> {
        let sims = self.sims_opponent.or(self.sims);
        let mut named: Vec<&str> = self.opponent.iter().map(String::as_str).collect();
        if named.is_empty() && self.cmd_opponent.is_empty() {
            named.push(&self.player);
        }
        let mut opponents = Vec::new();
        for named in named {
            opponents.push(self.kosumi(named, sims)?);
        }
        for command in &self.cmd_opponent {
            let mut player = Player::program(split_command(command).map_err(usage)?);
            player.limit = limit(None, self.time)?;
            opponents.push(player);
        }
        Ok(opponents)
    }

    /// The settings, after everything has been checked that can be without a game.
    fn tuning(&self) -> anyhow::Result<Tuning> {
        let mut player = self.kosumi(&self.player, self.sims)?;
        let params = EngineParams::new(self.game.game);
        let mut parameters = self.param.clone();
        for parameter in &mut parameters {
            fit(parameter, &params).map_err(usage)?;
        }
        let opponents = self.opponents()?;
        if opponents.iter().any(|opponent| opponent.name == player.name) {
            player.name.push_str(" (tuned)");
        }
        let mut tuning = Tuning::new(self.game.rulebook(), player, opponents, parameters);
        tuning.seed = self.run.seed;
        tuning.openings = self.run.openings()?;
        tuning.referee = self.run.referee()?;
        tuning.check().map_err(usage)?;
        Ok(tuning)
    }
}

/// Fits a parameter to what the engine knows of it.
fn fit(parameter: &mut Parameter, params: &EngineParams) -> Result<(), String> {
    let key = &parameter.name;
    let spec = params.specs().into_iter().find(|spec| spec.key == key);
    match spec.map(|spec| spec.kind) {
        Some(kind @ (Kind::Switch | Kind::Choice(_) | Kind::File(_))) => {
            return Err(format!(
                "{key} is {kind}: only numbers can be tuned; let 'kosumi match' compare its values"
            ));
        }
        Some(Kind::Integer { .. }) => parameter.integer = true,
        _ => {}
    }
    parameter.check().map_err(|error| error.to_string())?;
    // Both ends must be values that the engine takes; it also knows the nearest key.
    let mut params = params.clone();
    for end in [parameter.min, parameter.max] {
        params.set(&parameter.name, &parameter.text(end)).map_err(|error| error.to_string())?;
    }
    Ok(())
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    if let Some(path) = &arguments.report {
        let (tuning, trials) = read_tune_journal(path).map_err(usage)?;
        return report::write(path, &tuning, &trials);
    }
    let tuning = arguments.tuning()?;
    let games = arguments.samples.checked_mul(2);
    let run = arguments.run.run(games.ok_or_else(|| usage("so many samples take for ever"))?)?;
    let mut journal = if arguments.run.resume {
        TuneJournal::resume(&arguments.out, &tuning)
    } else {
        TuneJournal::create(&arguments.out, &tuning)
    }
    .map_err(usage)?;
    let mut observer = report::Progress::new(&tuning);
    tuning.run(&run, &mut journal, &mut observer, stop_flag())?;
    observer.finish();
    report::write(&arguments.out, &tuning, journal.trials())?;
    let (played, samples) = (journal.trials().len(), arguments.samples);
    if is_stopped() && played < samples as usize {
        anyhow::bail!(interrupted(format!(
            "after {played} of {samples} samples: the same command with --resume goes on"
        )));
    }
    Ok(())
}
