//! Matches: two players, pairs of games with colours exchanged, several games at once.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use kosumi_game::Rng;
use serde::{Deserialize, Serialize};

use crate::arbiter::{Arbiter, Rulebook, RulebookError};
use crate::difference::difference;
use crate::equal_cpu::EqualCpu;
use crate::game::{CountedBy, Ending, Job, PlayedGame, Side};
use crate::gtp_client::GtpError;
use crate::journal::{Introduction, Journal};
use crate::json_lines::JournalError;
use crate::opening::{OpeningError, Openings};
use crate::os;
use crate::player::{Player, Seated};
use crate::sprt::{Sprt, SprtState, SprtWatch};
use crate::stats::{PairCounts, Score};

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
    /// What each pair of games begins with.
    pub openings: Openings,
    /// The program that counts finished games of Go where the players do not agree.
    pub referee: Option<Vec<String>>,
    /// Whether the referee counts every game.
    pub always_referee: bool,
    /// Fits A's simulations from game to game so that both sides use equal CPU time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub equal_cpu: Option<EqualCpu>,
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
    /// Stops when this test is decided.
    pub sprt: Option<Sprt>,
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
            sprt: None,
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
    /// The openings do not fit the game.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// A referee shall count every game, but there is none.
    #[error("a referee shall count every game, but none is given: give its command")]
    NoReferee,
    /// A's simulations shall be fitted, but its command does not take any.
    #[error(
        "CPU times shall be equal, but the simulations of {0} cannot be fitted: write {{sims}} for their \
         number in its command"
    )]
    NotFitted(String),
    /// The journal has no such game.
    #[error("the journal has no game {0}")]
    NoGame(u32),
    /// A player cannot even be prepared for a game.
    #[error("{name} cannot play: {source}")]
    Player {
        /// Which.
        name: String,
        /// Why.
        source: GtpError,
    },
    /// The game was given up before its end, as asked for.
    #[error("the game was stopped before its end")]
    Stopped,
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
    /// The pairs of games.
    pub pairs: PairCounts,
    /// Where the test stands, if the match is one.
    pub sprt: Option<SprtState>,
    /// The score of A in games in which A moved first.
    pub score_first: Score,
    /// How many games each side lost by a failure of its program, and by which.
    pub failures: BTreeMap<(Side, Ending), u32>,
    /// How often each ending came.
    pub endings: BTreeMap<Ending, u32>,
    /// How often finished games of Go were counted in which way.
    pub counted: BTreeMap<CountedBy, u32>,
    /// How often the referee did not count, so that the board as it stood did.
    pub referee_failures: u32,
    /// How often the board as it stood would have named another winner.
    pub board_differences: u32,
    /// CPU seconds of each side, A first.
    pub cpu_seconds: [f64; 2],
    /// The fewest and the most simulations of A in a game, where the match fitted them.
    pub simulations: Option<(u64, u64)>,
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
        self.pairs.add(game);
        *self.endings.entry(game.ending).or_default() += 1;
        if let Some(winner) = game.winner.filter(|_| game.ending.is_failure()) {
            *self.failures.entry((winner.other(), game.ending)).or_default() += 1;
        }
        if let Some(way) = game.counted_by {
            *self.counted.entry(way).or_default() += 1;
        }
        self.referee_failures += u32::from(game.referee_failure.is_some());
        // `B+` and `W+` say who won.
        let other_winner = |board: &String| board.get(..1) != game.result.get(..1);
        self.board_differences += u32::from(game.board_result.as_ref().is_some_and(other_winner));
        for side in Side::BOTH {
            let i = side.index();
            self.cpu_seconds[i] += game.cpu_seconds[i].unwrap_or(0.0);
        }
        if let Some(count) = game.simulations {
            let (fewest, most) = self.simulations.unwrap_or((count, count));
            self.simulations = Some((fewest.min(count), most.max(count)));
        }
        self.moves += game.moves.len() as u64;
    }

    /// Whether the test that the match is has been decided.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.sprt.is_some_and(|state| state.decision.is_some())
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
        Self {
            rulebook,
            players,
            seed: 1,
            openings: Openings::Empty,
            referee: None,
            always_referee: false,
            equal_cpu: None,
        }
    }

    /// The first difference from the settings of another match, in words.
    #[must_use]
    pub fn difference(&self, other: &Match) -> Option<String> {
        difference(self, other)
    }

    /// The opening of a game; games 2n - 1 and 2n share it.
    fn opening(&self, number: u32) -> Result<Vec<String>, MatchError> {
        Ok(self.openings.moves(&self.rulebook, self.seed, (number - 1) / 2)?)
    }

    /// What the players get for their seeds in a game; numbers that every program can read.
    fn seeds(&self, number: u32) -> [u32; 2] {
        // Far from the streams of the openings.
        let mut rng = Rng::stream(self.seed, (1 << 32) | u64::from(number));
        [rng.next_u32() >> 1, rng.next_u32() >> 1]
    }

    /// The players of a game in which A has so many simulations, where they are fitted.
    fn players_with(&self, simulations: Option<u64>) -> [Player; 2] {
        let [a, b] = &self.players;
        [simulations.map_or_else(|| a.clone(), |count| a.with_simulations(count)), b.clone()]
    }

    /// Starts each player's program once, so that a mistake in a command line shows before the
    /// first game, and asks what it is.
    pub(crate) fn introduce(&self, run: &Run) -> Result<Introduction, MatchError> {
        let mut introduction = Introduction::default();
        let players = self.players_with(self.equal_cpu.map(|fit| fit.start));
        for (i, player) in players.iter().enumerate() {
            let mut meet = || {
                let mut seat = Seated::start(player, &run.kosumi, 1, run.hang)?;
                introduction.versions[i] = seat.identity()?;
                seat.prepare(player, &self.rulebook)?;
                introduction.parameters[i] = seat.parameters()?;
                introduction.weights[i] = seat.weights()?;
                seat.leave();
                Ok(())
            };
            meet().map_err(|source| MatchError::Player { name: player.name.clone(), source })?;
        }
        Ok(introduction)
    }

    /// Whether the settings make sense, without starting any program.
    ///
    /// # Errors
    /// There is no such game, or the opening does not fit.
    pub fn check(&self) -> Result<(), MatchError> {
        if self.always_referee && self.referee.is_none() {
            return Err(MatchError::NoReferee);
        }
        if self.equal_cpu.is_some() && !EqualCpu::fits(&self.players[0]) {
            return Err(MatchError::NotFitted(self.players[0].name.clone()));
        }
        Arbiter::new(&self.rulebook)?;
        Ok(self.openings.check(&self.rulebook)?)
    }

    /// Plays the games that the journal does not have yet, until it has all of `run.games` or
    /// `stop` is set; then the games in play are given up after the move in play.
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
        let mut tally = Tally::of(journal.games());
        let mut watch = run.sprt.map(SprtWatch::new);
        for game in journal.games() {
            tally.sprt = watch.as_mut().map(|watch| watch.add(game));
        }
        observer.begins(&tally, run.games.max(tally.score.games()));
        if waiting.is_empty() || tally.is_decided() {
            return Ok(tally);
        }
        let introduction = self.introduce(run)?;
        let versions = introduction.versions.clone();
        journal.introduce(introduction)?;
        let next = AtomicUsize::new(0);
        let shared = Mutex::new(Shared { journal, observer, tally, watch, error: None });
        at_once(run, waiting.len(), || {
            let lock = || shared.lock().unwrap_or_else(PoisonError::into_inner);
            while !stop.load(Ordering::Relaxed) && !lock().tally.is_decided() {
                let Some(&number) = waiting.get(next.fetch_add(1, Ordering::Relaxed)) else {
                    break;
                };
                let simulations = self.equal_cpu.map(|fit| fit.simulations(lock().journal.games()));
                let result = self.play(number, run, &versions, simulations, stop);
                if !lock().take(result) {
                    break;
                }
            }
        });
        let shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        match shared.error {
            Some(error) => Err(error),
            None => Ok(shared.tally),
        }
    }

    /// Plays a game of the journal again. With one thread and a fixed number of simulations Kosumi
    /// plays the same moves, in every build of equal behaviour.
    ///
    /// # Errors
    /// There is no such game, or a player cannot be prepared.
    pub fn replay(
        &self,
        number: u32,
        run: &Run,
        journal: &[PlayedGame],
        stop: &AtomicBool,
    ) -> Result<Replay, MatchError> {
        let recorded = journal.iter().find(|game| game.number == number);
        let recorded = recorded.ok_or(MatchError::NoGame(number))?.clone();
        let versions = self.introduce(run)?.versions;
        let again = self.play(number, run, &versions, recorded.simulations, stop)?;
        Ok(Replay { recorded, again })
    }

    /// Plays one game, whatever the programs do; with so many simulations of A, where they are
    /// fitted. Gives it up, with [`MatchError::Stopped`], when `stop` is set.
    pub(crate) fn play(
        &self,
        number: u32,
        run: &Run,
        versions: &[String; 2],
        simulations: Option<u64>,
        stop: &AtomicBool,
    ) -> Result<PlayedGame, MatchError> {
        let players = self.players_with(simulations);
        let job = Job {
            number,
            rulebook: &self.rulebook,
            players: &players,
            kosumi: &run.kosumi,
            referee: self.referee.as_deref(),
            always_referee: self.always_referee,
            hang: run.hang,
            opening: self.opening(number)?,
            seeds: self.seeds(number),
            simulations,
            versions,
            stop,
        };
        job.play(Arbiter::new(&self.rulebook)?).ok_or(MatchError::Stopped)
    }
}

/// A game as it was played and as it was played again.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Replay {
    /// The game of the journal.
    pub recorded: PlayedGame,
    /// The new one.
    pub again: PlayedGame,
}

impl Replay {
    /// The number of the first move that differs, from 1; `None` if all moves and the result are
    /// the same.
    #[must_use]
    pub fn first_difference(&self) -> Option<usize> {
        let (old, new) = (&self.recorded, &self.again);
        let at = old.moves.iter().zip(&new.moves).position(|(a, b)| a != b);
        let shorter = old.moves.len().min(new.moves.len());
        let same = old.moves.len() == new.moves.len() && old.result == new.result;
        at.or((!same).then_some(shorter)).map(|at| at + 1)
    }
}

/// What the workers of a match share.
struct Shared<'a> {
    journal: &'a mut Journal,
    observer: &'a mut dyn Observer,
    tally: Tally,
    watch: Option<SprtWatch>,
    error: Option<MatchError>,
}

impl Shared<'_> {
    /// Writes a game down and tells of it; false if the match does not go on.
    fn take(&mut self, result: Result<PlayedGame, MatchError>) -> bool {
        let written = result.and_then(|game| {
            self.journal.append(game.clone())?;
            self.tally.add(&game);
            self.tally.sprt = self.watch.as_mut().map(|watch| watch.add(&game));
            self.observer.game_ended(&game, &self.tally);
            Ok(())
        });
        match written {
            Ok(()) => {}
            Err(MatchError::Stopped) => return false,
            Err(error) => {
                self.error.get_or_insert(error);
            }
        }
        self.error.is_none() && !self.tally.is_decided()
    }
}

/// Does `work` on as many threads as the run has games at once, but at most `most`, each on its own
/// cores. Programs that a thread starts stay on its cores.
pub(crate) fn at_once(run: &Run, most: usize, work: impl Fn() + Sync) {
    let cores = os::available_cores();
    std::thread::scope(|scope| {
        for worker in 0..run.at_once.clamp(1, most.max(1)) {
            let (work, mine) = (&work, share(&cores, worker, run.cores_per_game));
            scope.spawn(move || {
                if run.pin {
                    // A system that cannot pin plays unpinned.
                    let _ = os::pin_current_thread(&mine);
                }
                work();
            });
        }
    });
}

/// The cores of a worker: its own as long as there are enough, else shared in turn.
fn share(cores: &[usize], worker: usize, count: usize) -> Vec<usize> {
    let count = count.clamp(1, cores.len().max(1));
    let first = worker * count;
    (first..first + count).filter_map(|i| cores.get(i % cores.len().max(1)).copied()).collect()
}
