//! `kosumi tournament`: many players, ratings for all.

use std::path::PathBuf;

use clap::Args;
use kosumi_lab::plot::{ForestPlot, ForestRow};
use kosumi_lab::{
    KosumiPlayer, Match, Observer, Pairings, PlayedGame, Player, Standings, Tally, Tournament,
    TournamentObserver, split_command,
};
use kosumi_record::write_atomically;

use crate::engine_args::simulations;
use crate::failure::{interrupted, usage};
use crate::games_args::{GameArguments, LimitArguments, RunArguments, usual_limit};
use crate::interrupt::{is_stopped, stop_flag};
use crate::output::say;
use crate::progress::Progress;

/// Lets many players play one another and rates them all
///
/// Every pairing is a match of its own, with its journal in the folder --out; the folder also gets
/// the standings as text, JSON and SVG. The same command with --resume goes on after a kill.
#[derive(Args)]
#[command(after_help = "\
Examples:
  kosumi tournament strongest light uct --game hex --size 9 --sims 500 -n 40 -j 2
      three presets, everybody plays everybody
  kosumi tournament strongest strongest:rave.late=300 strongest:sims=500,uct.fpu=0.8 --sims 1000
      variants of a preset: parameters, and 'sims' for simulations of its own
  kosumi tournament strongest --gauntlet --cmd \"GNU Go=gnugo --mode gtp --chinese-rules\" \\
        --cmd \"Pachi=pachi -t =2000\" --game go --size 9 --sims 2000 -n 100
      the first player against each of the others

In command lines {seed} stands for a seed that is new in every game.")]
pub struct Arguments {
    /// Presets or TOML files, each with parameters if you like: PRESET:key=value,key=value
    #[arg(value_name = "PLAYER")]
    players: Vec<String>,
    /// Another program as a player: NAME=COMMAND; may be given again
    #[arg(long, value_name = "NAME=COMMAND")]
    cmd: Vec<String>,
    /// The first player plays everybody else, instead of everybody everybody
    #[arg(long)]
    gauntlet: bool,
    #[command(flatten)]
    game: GameArguments,
    /// Games of every pairing
    #[arg(short = 'n', long, value_name = "N", default_value_t = 20)]
    games: u32,
    /// Folder of the journals and the standings
    #[arg(short, long, value_name = "FOLDER", default_value = "tournament")]
    out: PathBuf,
    #[command(flatten)]
    run: RunArguments,
    #[command(flatten)]
    limit: LimitArguments,
}

impl Arguments {
    /// `PRESET:key=value,key=value` as a player, called so; what else is to be told of it goes to the
    /// notes.
    fn kosumi(&self, text: &str, notes: &mut Vec<String>) -> anyhow::Result<Player> {
        let (settings, changes) = text.split_once(':').unwrap_or((text, ""));
        let mut kosumi = KosumiPlayer::new(settings);
        kosumi.simulations = self.limit.sims;
        kosumi.limit = self.limit.limit()?;
        for change in changes.split(',').filter(|change| !change.is_empty()) {
            let Some((key, value)) = change.split_once('=') else {
                anyhow::bail!(usage(format!("player '{text}': '{change}' is not key=value")));
            };
            if key == "sims" {
                let bad = |why| usage(format!("player '{text}': sims={value}: {why}"));
                kosumi.simulations = Some(simulations(value).map_err(bad)?);
            } else {
                kosumi.set.push((key.to_owned(), value.to_owned()));
            }
        }
        let rulebook = self.game.rulebook();
        let fits = kosumi.check(self.game.game, rulebook.size);
        fits.map_err(|error| usage(format!("player '{text}': {error}")))?;
        notes.extend(usual_limit(text, &kosumi, &rulebook));
        let mut player = kosumi.player(&rulebook).map_err(usage)?;
        text.clone_into(&mut player.name);
        Ok(player)
    }

    fn program(&self, text: &str) -> anyhow::Result<Player> {
        let Some((name, command)) = text.split_once('=') else {
            anyhow::bail!(usage(format!("--cmd '{text}': write NAME=COMMAND")));
        };
        let mut player = Player::new(name, split_command(command).map_err(usage)?);
        player.limit = self.limit.limit()?;
        Ok(player)
    }

    fn tournament(&self) -> anyhow::Result<Tournament> {
        let mut notes = Vec::new();
        let kosumis = self.players.iter().map(|text| self.kosumi(text, &mut notes));
        let programs = self.cmd.iter().map(|text| self.program(text));
        let players = kosumis.chain(programs).collect::<anyhow::Result<Vec<_>>>()?;
        let mut tournament = Tournament::new(self.game.rulebook(), players);
        if self.gauntlet {
            tournament.pairings = Pairings::Gauntlet;
        }
        tournament.seed = self.run.seed;
        tournament.openings = self.run.openings()?;
        tournament.referee = self.run.referee()?;
        tournament.check().map_err(usage)?;
        for note in &notes {
            eprintln!("{note}");
        }
        Ok(tournament)
    }
}

/// Tells each match as `kosumi match` does.
struct Matches;

/// The observer of one match, which takes its bar away in the end.
struct OneMatch(Progress);

impl Observer for OneMatch {
    fn begins(&mut self, tally: &Tally, games: u32) {
        self.0.begins(tally, games);
    }
    fn game_ended(&mut self, game: &PlayedGame, tally: &Tally) {
        self.0.game_ended(game, tally);
    }
}

impl Drop for OneMatch {
    fn drop(&mut self) {
        self.0.finish();
    }
}

impl TournamentObserver for Matches {
    fn match_begins(&mut self, settings: &Match, number: usize, of: usize) -> Box<dyn Observer> {
        let [a, b] = [0, 1].map(|i| &settings.players[i].name);
        eprintln!("match {number} of {of}: {a} (A) against {b} (B)");
        Box::new(OneMatch(Progress::new(settings)))
    }
    fn match_ended(&mut self, standings: &Standings) {
        let leader = standings.players.first();
        eprintln!("  in the lead: {}", leader.map_or("nobody", |player| player.name.as_str()));
    }
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let tournament = arguments.tournament()?;
    let folder = &arguments.out;
    let played = std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some());
    if played && !arguments.run.resume {
        anyhow::bail!(usage(format!(
            "{} is not empty: --resume goes on with the tournament in it, another --out keeps it",
            folder.display()
        )));
    }
    let run = arguments.run.run(arguments.games)?;
    let standings = tournament.run(&run, folder, &mut Matches, stop_flag())?;
    let text = standings.to_text();
    write_atomically(folder.join("standings.txt"), text.as_bytes())?;
    let json = serde_json::to_string_pretty(&standings)?;
    write_atomically(folder.join("standings.json"), json.as_bytes())?;
    write_atomically(folder.join("standings.svg"), picture(&standings).as_bytes())?;
    say!("{text}\nfolder: {}", folder.display())?;
    // Each game counts for both of its players.
    let played: u32 = standings.players.iter().map(|player| player.score.games()).sum::<u32>() / 2;
    let games = arguments.games * tournament.matches().len() as u32;
    if is_stopped() && played < games {
        anyhow::bail!(interrupted(format!(
            "after {played} of {games} games: the same command with --resume goes on"
        )));
    }
    Ok(())
}

fn picture(standings: &Standings) -> String {
    let mut plot = ForestPlot::new("Ratings", "Elo, with 95 % intervals");
    plot.guide = Some(0.0);
    let row = |player: &kosumi_lab::Standing| {
        ForestRow::new(player.name.clone(), player.elo.value, player.elo.low, player.elo.high)
    };
    plot.rows = standings.players.iter().map(row).collect();
    plot.to_svg()
}
