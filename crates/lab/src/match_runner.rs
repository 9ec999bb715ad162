//! Matches: two players, pairs of games with colours exchanged, several games at once.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use kosumi_game::Rng;
use serde::{Deserialize, Serialize};

use crate::arbiter::{Arbiter, Rulebook, RulebookError};
use crate::game::{Ending, Job, PlayedGame, Side};
use crate::gtp_client::GtpError;
use crate::journal::{Journal, JournalError};
use crate::os;
use crate::player::{Player, Seated};
use crate::stats::Score;

/// The settings of a match that decide its games: two runs with equal settings play one match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Match {
    /// What is played.
    pub rulebook: Rulebook,
    /// A and B.
    pub players: [Player; 2],
    /// The seed of openings and of players.
    pub seed: u64,
    /// How many random stones each pair of games begins with.
    pub random_opening: usize,
    /// The program that counts finished games of Go; without one the board counts as it stands.
    pub referee: Option<Vec<String>>,
}

/// How a match is run on this machine.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Run {
    /// How many games there shall be in the end.
    pub games: u32,
    /// How many are played at once.
    pub at_once: usize,
    /// Whether each game stays on its own cores, where the system can do that.
    pub pin: bool,
    /// How many cores each game gets.
    pub cores_per_game: usize,
    /// The file of Kosumi, for players that are Kosumi.
    pub kosumi: PathBuf,
    /// How long a program without a clock may take for a move before it hangs.
    pub hang: Duration,
}

impl Run {
    /// Games one after another, each on a core of its own.
    #[must_use]
    pub fn new(games: u32) -> Self {
        Self {
            games,
            at_once: 1,
            pin: true,
            cores_per_game: 1,
            kosumi: PathBuf::from("kosumi"),
            hang: Duration::from_secs(600),
        }
    }
}

/// Why a match could not be run. Failures of the players during games are no errors: they are
/// counted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MatchError {
    /// There is no such game.
    #[error(transparent)]
    Rulebook(#[from] RulebookError),
    /// The random opening does not fit the board.
    #[error("{stones} random stones do not fit on this board without ending the game")]
    Opening {
        /// How many were asked for.
        stones: usize,
    },
    /// A player cannot even be prepared for a game.
    #[error("{name} cannot play: {source}")]
    Player {
        /// Which.
        name: String,
        /// Why.
        source: GtpError,
    },
    /// The games cannot be written down.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// What there is to tell while a match runs.
pub trait Observer: Send {
    /// The match begins or goes on: so many games are there already of so many.
    fn begins(&mut self, tally: &Tally, games: u32);
    /// A game has ended and is in the journal.
    fn game_ended(&mut self, game: &PlayedGame, tally: &Tally);
}

/// An observer who is not interested.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl Observer for NoObserver {
    fn begins(&mut self, _: &Tally, _: u32) {}
    fn game_ended(&mut self, _: &PlayedGame, _: &Tally) {}
}

/// The sum of a match.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Tally {
    /// The score of A.
    pub score: Score,
    /// The score of A in games in which A moved first.
    pub score_first: Score,
    /// How many games each side lost by a failure of its program, and by which.
    pub failures: BTreeMap<(Side, Ending), u32>,
    /// How often each ending came.
    pub endings: BTreeMap<Ending, u32>,
    /// How often the referee did not count, so that the board as it stood did.
    pub referee_failures: u32,
    /// How often the referee named another winner than the board as it stood.
    pub referee_differences: u32,
    /// CPU seconds of each side, A first.
    pub cpu_seconds: [f64; 2],
    /// Moves of all games.
    pub moves: u64,
}

impl Tally {
    /// The sum of these games.
    #[must_use]
    pub fn of<'a>(games: impl IntoIterator<Item = &'a PlayedGame>) -> Self {
        let mut tally = Self::default();
        for game in games {
            tally.add(game);
        }
        tally
    }

    /// Adds a game.
    pub fn add(&mut self, game: &PlayedGame) {
        let mut scores = vec![&mut self.score];
        if game.first == Side::A {
            scores.push(&mut self.score_first);
        }
        for score in scores {
            match game.winner {
                Some(Side::A) => score.wins += 1,
                Some(Side::B) => score.losses += 1,
                None => score.draws += 1,
            }
        }
        *self.endings.entry(game.ending).or_default() += 1;
        if let Some(winner) = game.winner.filter(|_| game.ending.is_failure()) {
            *self.failures.entry((winner.other(), game.ending)).or_default() += 1;
        }
        self.referee_failures += u32::from(game.referee_failure.is_some());
        // `B+` and `W+` say who won.
        let other_winner = |board: &String| board.get(..1) != game.result.get(..1);
        self.referee_differences += u32::from(game.board_result.as_ref().is_some_and(other_winner));
        for side in Side::BOTH {
            let i = side.index();
            self.cpu_seconds[i] += game.cpu_seconds[i].unwrap_or(0.0);
        }
        self.moves += game.moves.len() as u64;
    }

    /// The score of A in games in which B moved first.
    #[must_use]
    pub fn score_second(&self) -> Score {
        Score {
            wins: self.score.wins - self.score_first.wins,
            draws: self.score.draws - self.score_first.draws,
            losses: self.score.losses - self.score_first.losses,
        }
    }
}

impl Match {
    /// A match between A and B.
    #[must_use]
    pub fn new(rulebook: Rulebook, players: [Player; 2]) -> Self {
        Self { rulebook, players, seed: 1, random_opening: 0, referee: None }
    }

    /// The first difference between the settings of two matches, in words.
    #[must_use]
    pub fn difference(&self, other: &Match) -> Option<String> {
        let differ = |what: &str, ours: String, theirs: String| {
            (ours != theirs).then(|| format!("its {what} is {theirs}, not {ours}"))
        };
        let pairs = [
            ("game", format!("{:?}", self.rulebook), format!("{:?}", other.rulebook)),
            ("player A", format!("{:?}", self.players[0]), format!("{:?}", other.players[0])),
            ("player B", format!("{:?}", self.players[1]), format!("{:?}", other.players[1])),
            ("seed", self.seed.to_string(), other.seed.to_string()),
            (
                "number of random opening stones",
                self.random_opening.to_string(),
                other.random_opening.to_string(),
            ),
            ("referee", format!("{:?}", self.referee), format!("{:?}", other.referee)),
        ];
        pairs.into_iter().find_map(|(what, ours, theirs)| differ(what, ours, theirs))
    }

    /// The position after the opening of a game; games 2n - 1 and 2n share it.
    fn opening(&self, number: u32) -> Result<Vec<String>, MatchError> {
        let mut arbiter = Arbiter::new(&self.rulebook)?;
        let pair = (number - 1) / 2;
        let mut rng = Rng::stream(self.seed, u64::from(pair));
        arbiter
            .random_opening(self.random_opening, &mut rng)
            .ok_or(MatchError::Opening { stones: self.random_opening })
    }

    /// What the players get for their seeds in a game; numbers that every program can read.
    fn seeds(&self, number: u32) -> [u32; 2] {
        // Far from the streams of the openings.
        let mut rng = Rng::stream(self.seed, (1 << 32) | u64::from(number));
        [rng.next_u32() >> 1, rng.next_u32() >> 1]
    }

    /// Starts each player's program once, so that a mistake in a command line shows before the
    /// first game; gives names and versions.
    fn introduce(&self, run: &Run) -> Result<[String; 2], MatchError> {
        let mut versions = [String::new(), String::new()];
        for (player, version) in self.players.iter().zip(&mut versions) {
            let meet = || {
                let mut seat = Seated::start(player, &run.kosumi, 1, run.hang)?;
                let version = seat.identity()?;
                seat.prepare(player, &self.rulebook)?;
                seat.leave();
                Ok(version)
            };
            *version = meet()
                .map_err(|source| MatchError::Player { name: player.name.clone(), source })?;
        }
        Ok(versions)
    }

    /// Whether the settings make sense, without starting any program.
    ///
    /// # Errors
    /// There is no such game, or the opening does not fit.
    pub fn check(&self) -> Result<(), MatchError> {
        self.opening(1).map(drop)
    }

    /// Plays the games that the journal does not have yet, until it has all of `run.games` or
    /// `stop` is set.
    ///
    /// # Errors
    /// The settings make no sense, a player cannot be prepared at all, or the journal cannot be
    /// written. What the players do wrong during a game is counted in the tally instead.
    pub fn run(
        &self,
        run: &Run,
        journal: &mut Journal,
        observer: &mut dyn Observer,
        stop: &AtomicBool,
    ) -> Result<Tally, MatchError> {
        // All that can go wrong with the settings goes wrong here, not in the middle.
        self.check()?;
        let done: BTreeSet<u32> = journal.games().iter().map(|game| game.number).collect();
        let waiting: Vec<u32> = (1..=run.games).filter(|n| !done.contains(n)).collect();
        let tally = Tally::of(journal.games());
        observer.begins(&tally, run.games.max(tally.score.games()));
        if waiting.is_empty() {
            return Ok(tally);
        }
        let versions = self.introduce(run)?;
        let next = AtomicUsize::new(0);
        let shared = Mutex::new(Shared { journal, observer, tally, error: None });
        let cores = os::available_cores();
        std::thread::scope(|scope| {
            for worker in 0..run.at_once.clamp(1, waiting.len()) {
                let (next, shared, waiting, versions) = (&next, &shared, &waiting, &versions);
                let mine = share(&cores, worker, run.cores_per_game);
                scope.spawn(move || {
                    if run.pin {
                        // A system that cannot pin plays unpinned.
                        let _ = os::pin_current_thread(&mine);
                    }
                    while !stop.load(Ordering::Relaxed) {
                        let Some(&number) = waiting.get(next.fetch_add(1, Ordering::Relaxed))
                        else {
                            break;
                        };
                        let result = self.play(number, run, versions);
                        let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
                        if !shared.take(result) {
                            break;
                        }
                    }
                });
            }
        });
        let shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        match shared.error {
            Some(error) => Err(error),
            None => Ok(shared.tally),
        }
    }

    fn play(
        &self,
        number: u32,
        run: &Run,
        versions: &[String; 2],
    ) -> Result<PlayedGame, MatchError> {
        let job = Job {
            number,
            rulebook: &self.rulebook,
            players: &self.players,
            kosumi: &run.kosumi,
            referee: self.referee.as_deref(),
            hang: run.hang,
            opening: self.opening(number)?,
            seeds: self.seeds(number),
            versions,
        };
        Ok(job.play(Arbiter::new(&self.rulebook)?))
    }
}

/// What the workers of a match share.
struct Shared<'a> {
    journal: &'a mut Journal,
    observer: &'a mut dyn Observer,
    tally: Tally,
    error: Option<MatchError>,
}

impl Shared<'_> {
    /// Writes a game down and tells of it; false if the match cannot go on.
    fn take(&mut self, result: Result<PlayedGame, MatchError>) -> bool {
        let written = result.and_then(|game| {
            self.journal.append(game.clone())?;
            self.tally.add(&game);
            self.observer.game_ended(&game, &self.tally);
            Ok(())
        });
        if let Err(error) = written {
            self.error.get_or_insert(error);
        }
        self.error.is_none()
    }
}

/// The cores of a worker: its own as long as there are enough, else shared in turn.
fn share(cores: &[usize], worker: usize, count: usize) -> Vec<usize> {
    let count = count.clamp(1, cores.len().max(1));
    let first = worker * count;
    (first..first + count).filter_map(|i| cores.get(i % cores.len().max(1)).copied()).collect()
}
