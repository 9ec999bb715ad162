//! `kosumi match`: two players, many games, one score.

use std::path::{Path, PathBuf};

use clap::Args;
use kosumi_engine::presets;
use kosumi_lab::{
    EqualCpu, Journal, KosumiPlayer, Match, Player, Run, Sprt, Tally, TimeControl, Timing,
    csv_games, csv_header, read_journal, split_command,
};

use crate::engine_args::{key_value, simulations};
use crate::failure::{interrupted, usage};
use crate::games_args::{GameArguments, LimitArguments, RunArguments, usual_limit};
use crate::interrupt::{is_stopped, stop_flag};
use crate::output::{self, say};
use crate::progress;

/// Plays two programs or presets against each other
///
/// A and B are presets of Kosumi, configuration files (*.toml), or other programs (--cmd-a,
/// --cmd-b). They play in pairs of games with colours exchanged. Every finished game is appended at
/// once to a journal (JSON lines) and an SGF file beside it; a program that crashes, hangs, floods
/// or plays illegal moves loses that game, is named, and the match goes on. After a kill the same
/// command with --resume goes on without losing or repeating a game.
#[derive(Args)]
#[command(after_help = "\
Examples:
  kosumi match strongest light --game hex --size 11 --sims 1000 --games 100
      two presets at 1000 simulations a move
  kosumi match strongest --cmd-b \"gnugo --mode gtp --level 10 --chinese-rules\" --size 9 \\
        --sims-a 5000 --games 200 --at-once 2 \\
        --referee \"gnugo --mode gtp --chinese-rules\" --always-referee --out gnugo.jsonl
      Kosumi against GNU Go, two games at once, counted by GNU Go
  kosumi match strongest mine.toml --clock 10+3x5
      10 seconds each, then 3 byo-yomi periods of 5 seconds
  kosumi match --cmd-a \"mohex --use-logfile 0\" --setup-a \"param_mohex max_time 2\" \\
        --cmd-b wolve --game hex --openings first
      two other programs, every first move once with each colour
  kosumi match strongest --cmd-b mohex --game hex --sims-a 10000 --equal-cpu --openings first -n 122
      as many simulations as give both programs the same CPU time over the match
  kosumi match mine.toml strongest --sims 1000 --openings random:2 --sprt 0 20 0.05 0.05 -n 5000
      is mine stronger? ends when 20 Elo or 0 are decided at 5 % error
  kosumi match strongest light --game hex --sims 1000 --replay 17
      plays game 17 of match.jsonl again, with the options it was played with
  kosumi match --report summer/*.jsonl --csv > games.csv
      what journals hold, as a table

Players that are Kosumi search with one thread; --args \"--threads 2\" gives them more.

In command lines {seed} stands for a seed that is new in every game.")]
pub struct Arguments {
    /// A and B: a preset or a TOML file each; leave out a side that has --cmd-a or --cmd-b
    #[arg(value_name = "PLAYER", num_args = 0..=2)]
    players: Vec<String>,
    #[command(flatten)]
    game: GameArguments,
    /// Number of games in the end
    #[arg(short = 'n', long, value_name = "N", default_value_t = 100)]
    games: u32,
    /// Journal of the match; the SGF file has the same name
    #[arg(short, long, value_name = "FILE", default_value = "match.jsonl")]
    out: PathBuf,
    #[command(flatten)]
    run: RunArguments,
    /// Stop as soon as a sequential test between two strengths of A is decided; -n is the most
    #[arg(long, num_args = 4, value_names = ["ELO0", "ELO1", "ALPHA", "BETA"],
          allow_negative_numbers = true)]
    sprt: Option<Vec<f64>>,
    /// Print what journals (.jsonl, .jsonl.xz) hold, instead of playing
    #[arg(long, value_name = "FILE", num_args = 1..)]
    report: Vec<PathBuf>,
    /// With --report: print all games as CSV, one line each
    #[arg(long, requires = "report")]
    csv: bool,
    /// Play game N of the journal again and say whether it came out the same
    #[arg(long, value_name = "N", conflicts_with = "resume")]
    replay: Option<u32>,
    /// Let the referee count every finished game of Go
    #[arg(long, requires = "referee")]
    always_referee: bool,
    #[command(flatten)]
    limit: LimitArguments,
    /// What clocks measure: wall or cpu
    #[arg(long, value_name = "WHAT", default_value = "wall", value_parser = timing)]
    clock_by: Timing,
    /// Fit A's simulations from game to game so that both sides use equal CPU time in the end;
    /// --sims-a is where to begin. In --cmd-a write {sims} for the number
    #[arg(long)]
    equal_cpu: bool,
    /// One parameter of both players that are Kosumi; may be given again
    #[arg(long, value_name = "KEY=VALUE", value_parser = key_value)]
    set: Vec<(String, String)>,
    /// More options of 'kosumi gtp' for both players that are Kosumi, e.g. "--threads 2"
    #[arg(long, value_name = "OPTIONS", allow_hyphen_values = true)]
    args: Option<String>,

    #[command(flatten)]
    a: SideA,
    #[command(flatten)]
    b: SideB,
}

/// The same options for each side, and the plain structure they become.
macro_rules! side {
    ($name:ident, $heading:literal, $($cmd:ident $setup:ident $title:ident $sims:ident $time:ident
     $clock:ident $set:ident $args:ident)*) => {$(
        #[derive(Args)]
        #[command(next_help_heading = $heading)]
        struct $name {
            /// Another program as this player
            #[arg(long, value_name = "COMMAND")]
            $cmd: Option<String>,
            /// GTP command to send to it before each game; may be given again
            #[arg(long, value_name = "GTP")]
            $setup: Vec<String>,
            /// What reports call it
            #[arg(long, value_name = "NAME")]
            $title: Option<String>,
            /// Its simulations per move
            #[arg(long, value_name = "N", value_parser = simulations)]
            $sims: Option<u64>,
            /// Its seconds per move
            #[arg(long, value_name = "SECONDS")]
            $time: Option<f64>,
            /// Its clock
            #[arg(long, value_name = "CLOCK")]
            $clock: Option<TimeControl>,
            /// One parameter of it; may be given again
            #[arg(long, value_name = "KEY=VALUE", value_parser = key_value)]
            $set: Vec<(String, String)>,
            /// More options of 'kosumi gtp' for it
            #[arg(long, value_name = "OPTIONS", allow_hyphen_values = true)]
            $args: Option<String>,
        }

        impl $name {
            fn side(&self) -> Side<'_> {
                Side {
                    command: self.$cmd.as_deref(),
                    setup: &self.$setup,
                    name: self.$title.as_deref(),
                    limit: LimitArguments {
                        sims: self.$sims,
                        time: self.$time,
                        clock: self.$clock,
                    },
                    set: &self.$set,
                    args: self.$args.as_deref(),
                    fitted: false,
                }
            }
        }
    )*};
}
side!(SideA, "Player A", cmd_a setup_a name_a sims_a time_a clock_a set_a args_a);
side!(SideB, "Player B", cmd_b setup_b name_b sims_b time_b clock_b set_b args_b);

struct Side<'a> {
    command: Option<&'a str>,
    setup: &'a [String],
    name: Option<&'a str>,
    limit: LimitArguments,
    set: &'a [(String, String)],
    args: Option<&'a str>,
    /// Whether its simulations are fitted to equal CPU time.
    fitted: bool,
}

impl Arguments {
    /// A player; what else is to be told of it goes to the notes.
    fn player(
        &self,
        side: &Side<'_>,
        named: Option<&str>,
        notes: &mut Vec<String>,
    ) -> anyhow::Result<Player> {
        let limit = self.limit.for_side(&side.limit);
        let mut player = match side.command {
            Some(command) => {
                let command = split_command(command).map_err(usage)?;
                let mut player = Player::program(command);
                player.limit = limit.limit()?;
                player
            }
            None => self.kosumi(side, named.unwrap_or(presets::DEFAULT), &limit, notes)?,
        };
        player.setup.extend(side.setup.iter().cloned());
        player.timing = self.clock_by;
        if let Some(name) = side.name {
            name.clone_into(&mut player.name);
        }
        Ok(player)
    }

    /// Kosumi with a preset or configuration file.
    fn kosumi(
        &self,
        side: &Side<'_>,
        named: &str,
        limit: &LimitArguments,
        notes: &mut Vec<String>,
    ) -> anyhow::Result<Player> {
        let mut kosumi = KosumiPlayer::new(named);
        kosumi.simulations = limit.sims;
        kosumi.fitted = side.fitted;
        kosumi.limit = limit.limit()?;
        kosumi.set = self.set.iter().chain(side.set).cloned().collect();
        for more in [self.args.as_deref(), side.args].into_iter().flatten() {
            kosumi.options.extend(split_command(more).map_err(usage)?);
        }
        let rulebook = self.game.rulebook();
        kosumi.check(self.game.game, rulebook.size).map_err(usage)?;
        notes.extend(usual_limit(side.name.unwrap_or(named), &kosumi, &rulebook));
        kosumi.player(&rulebook).map_err(usage)
    }
}

fn timing(text: &str) -> Result<Timing, String> {
    match text {
        "wall" => Ok(Timing::Wall),
        "cpu" => Ok(Timing::Cpu),
        _ => Err(format!("'{text}' is nothing that clocks measure: choose wall or cpu")),
    }
}

/// Plays a game of the journal again.
fn replay(settings: &Match, run: &Run, path: &Path, number: u32) -> anyhow::Result<()> {
    let content = read_journal(path).map_err(usage)?;
    content.check(path, settings).map_err(usage)?;
    let replay = settings.replay(number, run, &content.games, stop_flag())?;
    match replay.first_difference() {
        None => say!(
            "game {number}: the same {} moves and result {}",
            replay.again.moves.len(),
            replay.again.result
        )?,
        Some(at) => {
            let mv = |moves: &[String]| moves.get(at - 1).cloned().unwrap_or("the end".to_owned());
            anyhow::bail!(
                "game {number} differs from move {at} on: {} then, {} now; results {} and {}",
                mv(&replay.recorded.moves),
                mv(&replay.again.moves),
                replay.recorded.result,
                replay.again.result
            );
        }
    }
    Ok(())
}

/// Prints what journals hold, without playing.
fn report(arguments: &Arguments) -> anyhow::Result<()> {
    let mut text = String::new();
    if arguments.csv {
        text = format!("{}\n", csv_header());
    }
    for path in &arguments.report {
        let content = read_journal(path).map_err(usage)?;
        let name = path.display().to_string();
        if arguments.csv {
            text += &csv_games(&name, &content);
        } else {
            let summary = progress::summary(&content.settings, &Tally::of(&content.games));
            text += &format!("{summary}games: {name}\n");
        }
    }
    output::print(format_args!("{text}"))?;
    Ok(())
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    if !arguments.report.is_empty() {
        return report(arguments);
    }
    let [mut a, b] = [arguments.a.side(), arguments.b.side()];
    if arguments.players.is_empty() && a.command.is_none() && b.command.is_none() {
        anyhow::bail!(usage(
            "who plays? Usage: kosumi match A B [OPTIONS]; A and B are presets, TOML files or, with \
             --cmd-a and --cmd-b, other programs: kosumi match strongest light --game hex --size 11 \
             --sims 1000 --games 100; 'kosumi help match' has more"
        ));
    }
    a.fitted = arguments.equal_cpu;
    let mut named = arguments.players.iter().map(String::as_str);
    let mut notes = Vec::new();
    let mut player = |side: &Side<'_>| {
        let named = side.command.is_none().then(|| named.next()).flatten();
        arguments.player(side, named, &mut notes)
    };
    let mut players = [player(&a)?, player(&b)?];
    if let Some(extra) = named.next() {
        anyhow::bail!(usage(format!("'{extra}' is one player too many")));
    }
    if players[0].name == players[1].name {
        for (player, letter) in players.iter_mut().zip(["A", "B"]) {
            player.name = format!("{} ({letter})", player.name);
        }
    }
    let mut settings = Match::new(arguments.game.rulebook(), players);
    settings.seed = arguments.run.seed;
    settings.openings = arguments.run.openings()?;
    settings.referee = arguments.run.referee()?;
    settings.always_referee = arguments.always_referee;
    if arguments.equal_cpu {
        let start = arguments.limit.for_side(&a.limit).sims;
        let start = start.ok_or_else(|| {
            usage("--equal-cpu fits the simulations of A: say with --sims-a where to begin")
        })?;
        settings.equal_cpu = Some(EqualCpu::from(start));
    }
    let mut run = arguments.run.run(arguments.games)?;
    if let Some(&[elo0, elo1, alpha, beta]) = arguments.sprt.as_deref() {
        run.sprt = Some(Sprt::new(elo0, elo1, alpha, beta).map_err(usage)?);
    }
    settings.check().map_err(usage)?;
    for note in &notes {
        eprintln!("{note}");
    }
    if let Some(number) = arguments.replay {
        return replay(&settings, &run, &arguments.out, number);
    }
    let mut journal = if arguments.run.resume {
        Journal::resume(&arguments.out, &settings)
    } else {
        Journal::create(&arguments.out, &settings)
    }
    .map_err(usage)?;
    let mut observer = progress::Progress::new(&settings);
    let tally = settings.run(&run, &mut journal, &mut observer, stop_flag())?;
    observer.finish();
    output::print(format_args!("{}", progress::summary(&settings, &tally)))?;
    say!("games: {}", arguments.out.display())?;
    let (played, games) = (tally.score.games(), arguments.games);
    if is_stopped() && played < games && !tally.is_decided() {
        anyhow::bail!(interrupted(format!(
            "after {played} of {games} games: the same command with --resume goes on"
        )));
    }
    Ok(())
}
