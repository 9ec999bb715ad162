//! Tournaments: many players, a match for every pairing, ratings for all (H13).

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};

use crate::arbiter::Rulebook;
use crate::game::{PlayedGame, Side};
use crate::journal::{Journal, read_journal};
use crate::json_lines::{JournalError, existing};
use crate::match_runner::{Match, MatchError, Observer, Run};
use crate::opening::Openings;
use crate::player::Player;
use crate::rating::{Outcome, RatingError, Ratings};
use crate::stats::{Estimate, Score};

/// Who plays whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Pairings {
    /// Everybody plays everybody.
    #[default]
    RoundRobin,
    /// The first player plays everybody else.
    Gauntlet,
}

/// A tournament: what is played, by whom.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Tournament {
    /// What is played.
    pub rulebook: Rulebook,
    /// The players, with different names.
    pub players: Vec<Player>,
    /// Who plays whom.
    pub pairings: Pairings,
    /// The seed of openings and players.
    pub seed: u64,
    /// What each pair of games begins with.
    pub openings: Openings,
    /// The program that counts finished games of Go where the players do not agree.
    pub referee: Option<Vec<String>>,
}

/// Why a tournament could not be played or summed up.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TournamentError {
    /// One player is no tournament.
    #[error("a tournament needs at least two players; there are {0}")]
    Players(usize),
    /// Two players of one name cannot be told apart.
    #[error("two players are called '{0}'; give one of them another name")]
    SameName(String),
    /// A match failed.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// A journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The results make no ratings.
    #[error(transparent)]
    Rating(#[from] RatingError),
}

/// What there is to tell while a tournament is played: each match has its own observer.
pub trait TournamentObserver {
    /// The match of a pairing begins.
    fn match_begins(&mut self, settings: &Match, number: usize, of: usize) -> Box<dyn Observer>;
    /// A match has ended; the ratings so far.
    fn match_ended(&mut self, standings: &Standings);
}

impl Tournament {
    /// A round robin of these players.
    #[must_use]
    pub fn new(rulebook: Rulebook, players: Vec<Player>) -> Self {
        Self {
            rulebook,
            players,
            pairings: Pairings::RoundRobin,
            seed: 1,
            openings: Openings::Empty,
            referee: None,
        }
    }

    /// The numbers of the players of each match, A first.
    #[must_use]
    pub fn matches(&self) -> Vec<[usize; 2]> {
        let count = self.players.len();
        let first = match self.pairings {
            Pairings::RoundRobin => count,
            Pairings::Gauntlet => 1,
        };
        let all = (0..count).flat_map(|a| (a + 1..count).map(move |b| [a, b]));
        all.filter(|&[a, _]| a < first).collect()
    }

    /// The match of a pairing. Each has a seed of its own, so that its openings are its own.
    #[must_use]
    pub fn settings(&self, [a, b]: [usize; 2]) -> Match {
        let players = [self.players[a].clone(), self.players[b].clone()];
        let mut settings = Match::new(self.rulebook.clone(), players);
        settings.seed = self.seed.wrapping_add((a * self.players.len() + b) as u64);
        settings.openings = self.openings.clone();
        settings.referee.clone_from(&self.referee);
        settings
    }

    /// The journal of a pairing.
    fn path(&self, folder: &Path, [a, b]: [usize; 2]) -> PathBuf {
        folder.join(format!("{}-{}.jsonl", a + 1, b + 1))
    }

    /// Whether the tournament makes sense, without starting any program.
    ///
    /// # Errors
    /// Too few players, two of one name, or no such game.
    pub fn check(&self) -> Result<(), TournamentError> {
        if self.players.len() < 2 {
            return Err(TournamentError::Players(self.players.len()));
        }
        for (i, player) in self.players.iter().enumerate() {
            if self.players[..i].iter().any(|other| other.name == player.name) {
                return Err(TournamentError::SameName(player.name.clone()));
            }
        }
        Ok(self.settings([0, 1]).check()?)
    }

    /// Plays the games that the journals in `folder` do not have yet, until every match has
    /// `run.games` of them or `stop` is set.
    ///
    /// # Errors
    /// The tournament makes no sense, or a match cannot be played or written down.
    pub fn run(
        &self,
        run: &Run,
        folder: &Path,
        observer: &mut dyn TournamentObserver,
        stop: &AtomicBool,
    ) -> Result<Standings, TournamentError> {
        self.check()?;
        let matches = self.matches();
        for (i, &pairing) in matches.iter().enumerate() {
            let settings = self.settings(pairing);
            let mut journal = Journal::resume(&self.path(folder, pairing), &settings)?;
            let mut watcher = observer.match_begins(&settings, i + 1, matches.len());
            settings.run(run, &mut journal, &mut *watcher, stop)?;
            drop(watcher);
            observer.match_ended(&self.standings(folder)?);
            if stop.load(std::sync::atomic::Ordering::Relaxed) {
                break;
            }
        }
        self.standings(folder)
    }

    /// What the journals in `folder` say so far.
    ///
    /// # Errors
    /// A journal is of another match or cannot be read.
    pub fn standings(&self, folder: &Path) -> Result<Standings, TournamentError> {
        let count = self.players.len();
        let mut results = Vec::new();
        let mut table = vec![vec![Score::default(); count]; count];
        let mut failures = vec![0; count];
        for pairing in self.matches() {
            let path = self.path(folder, pairing);
            if existing(&path).is_none() {
                continue;
            }
            let content = read_journal(&path)?;
            content.check(&path, &self.settings(pairing))?;
            for game in &content.games {
                results.push(result(pairing, game));
                let [a, b] = pairing;
                for (own, other, side) in [(a, b, Side::A), (b, a, Side::B)] {
                    let score = &mut table[own][other];
                    match game.winner {
                        None => score.draws += 1,
                        Some(winner) if winner == side => score.wins += 1,
                        Some(_) => {
                            score.losses += 1;
                            failures[own] += u32::from(game.ending.is_failure());
                        }
                    }
                }
            }
        }
        let ratings = Ratings::fit(count, &results)?;
        let names = self.players.iter().map(|player| player.name.clone()).collect();
        Ok(Standings::new(names, table, failures, &ratings))
    }
}

/// A game as ratings see it.
fn result(pairing: [usize; 2], game: &PlayedGame) -> (usize, usize, Outcome) {
    let player = |side: Side| pairing[side.index()];
    let outcome = match game.winner {
        None => Outcome::Draw,
        Some(winner) if winner == game.first => Outcome::FirstWins,
        Some(_) => Outcome::SecondWins,
    };
    (player(game.first), player(game.first.other()), outcome)
}

/// One player of the standings.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Standing {
    /// The player.
    pub name: String,
    /// Elo with its 95 % interval, relative to the mean of all.
    pub elo: Estimate,
    /// All games.
    pub score: Score,
    /// Games lost by a failure of the program.
    pub failures: u32,
    /// The games against each player, in the order of the standings.
    pub against: Vec<Score>,
    /// How likely it is stronger than each player, in the order of the standings.
    pub superior: Vec<f64>,
}

/// All players, strongest first.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Standings {
    /// The players.
    pub players: Vec<Standing>,
    /// What moving first is worth, in Elo.
    pub first_move_advantage: Estimate,
    /// How often equals draw.
    pub draw_rate: Estimate,
}

impl Standings {
    fn new(
        names: Vec<String>,
        table: Vec<Vec<Score>>,
        failures: Vec<u32>,
        ratings: &Ratings,
    ) -> Self {
        let elo = ratings.ratings();
        let superior = ratings.likelihood_of_superiority();
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by(|&a, &b| elo[b].value.total_cmp(&elo[a].value));
        let players = order.iter().map(|&i| Standing {
            name: names[i].clone(),
            elo: elo[i],
            score: table[i].iter().fold(Score::default(), |sum, &score| sum + score),
            failures: failures[i],
            against: order.iter().map(|&j| table[i][j]).collect(),
            superior: order.iter().map(|&j| superior[i][j]).collect(),
        });
        Self {
            players: players.collect(),
            first_move_advantage: ratings.first_move_advantage(),
            draw_rate: ratings.draw_rate(),
        }
    }

    /// Ratings, cross table and likelihoods of superiority as text.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let width = self.players.iter().map(|p| p.name.chars().count()).max().unwrap_or(0).max(6);
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{:>3} {:<width$} {:>6} {:>15} {:>6} {:>7} {:>8}",
            "#", "player", "Elo", "95 % interval", "games", "score", "failures"
        );
        for (number, player) in (1..).zip(&self.players) {
            let Estimate { value, low, high } = player.elo;
            let interval = format!("[{low:+.0}, {high:+.0}]");
            let _ = writeln!(
                text,
                "{number:>3} {:<width$} {value:>+6.0} {interval:>15} {:>6} {:>5.1} % {:>8}",
                player.name,
                player.score.games(),
                100.0 * player.score.rate(),
                player.failures
            );
        }
        let cell = |column: usize| format!("{:>9}", format!("#{}", column + 1));
        let columns: String = (0..self.players.len()).map(cell).collect();
        let _ = writeln!(text, "\nwins-draws-losses\n{:>3} {columns}", "");
        for (number, player) in (1..).zip(&self.players) {
            let row: String = player.against.iter().map(|score| score_cell(*score)).collect();
            let _ = writeln!(text, "{number:>3} {row}");
        }
        let _ = writeln!(text, "\nlikelihood of superiority, %\n{:>3} {columns}", "");
        for (i, player) in self.players.iter().enumerate() {
            let likelihood = |(j, &p): (usize, &f64)| {
                if i == j { format!("{:>9}", "-") } else { format!("{:>9.1}", 100.0 * p) }
            };
            let row: String = player.superior.iter().enumerate().map(likelihood).collect();
            let _ = writeln!(text, "{:>3} {row}", i + 1);
        }
        let first = self.first_move_advantage;
        let _ = writeln!(
            text,
            "\nmoving first is worth {:+.0} Elo [{:+.0}, {:+.0}]",
            first.value, first.low, first.high
        );
        text
    }
}

fn score_cell(score: Score) -> String {
    let text = match score.games() {
        0 => "-".to_owned(),
        _ => format!("{}-{}-{}", score.wins, score.draws, score.losses),
    };
    format!("{text:>9}")
}
