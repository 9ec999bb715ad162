//! Tuning a player in games: every sample is a pair of games with colours exchanged.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::clop::Clop;
use super::journal::TuneJournal;
use super::parameter::{InvalidParameter, Parameter};
use crate::arbiter::Rulebook;
use crate::difference::difference;
use crate::game::{Ending, PlayedGame, Side};
use crate::json_lines::JournalError;
use crate::match_runner::{Match, MatchError, Run, at_once};
use crate::opening::Openings;
use crate::player::Player;
use crate::stats::Score;

/// The settings of a tuning that decide its games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Tuning {
    /// What is played.
    pub rulebook: Rulebook,
    /// The player to tune; its command line gets `--set key=value` for every parameter.
    pub player: Player,
    /// Its opponents, who take turns: a pair of games each.
    pub opponents: Vec<Player>,
    /// What is tuned.
    pub parameters: Vec<Parameter>,
    /// The seed of draws, openings and players.
    pub seed: u64,
    /// What each pair of games begins with.
    pub openings: Openings,
    /// The program that counts finished games of Go where the players do not agree.
    pub referee: Option<Vec<String>>,
}

/// Values that were tried, and their games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Trial {
    /// The number of the sample, from 1.
    pub number: u32,
    /// The value of each parameter.
    pub values: Vec<f64>,
    /// Which opponent, from 0.
    pub opponent: usize,
    /// The games; the tuned player is side A. After a failure there may be only one.
    pub games: Vec<PlayedGame>,
}

/// Why a tuning could not be run. Failures of the programs during games are no errors: they are
/// counted, and their samples are not used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TuneError {
    /// There is nothing to tune.
    #[error(
        "there is nothing to tune: give a parameter with a range, e.g. rave.late=100..5000:log"
    )]
    NoParameters,
    /// There is nobody to play against.
    #[error("there is nobody to play against: give an opponent")]
    NoOpponents,
    /// A parameter has two ranges.
    #[error("{0} has two ranges: give it one")]
    Twice(String),
    /// A range cannot be searched.
    #[error(transparent)]
    Parameter(#[from] InvalidParameter),
    /// The games cannot be played.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// The trials cannot be written down.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// What there is to tell while a tuning runs.
pub trait TuneObserver: Send {
    /// The tuning begins or goes on: these trials are there already of so many.
    fn begins(&mut self, trials: &[Trial], clop: &Clop, samples: u32);
    /// A trial has ended and is the last in the journal.
    fn trial_ended(&mut self, trials: &[Trial], clop: &Clop);
}

/// An observer who is not interested.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTuneObserver;

impl TuneObserver for NoTuneObserver {
    fn begins(&mut self, _: &[Trial], _: &Clop, _: u32) {}
    fn trial_ended(&mut self, _: &[Trial], _: &Clop) {}
}

impl Trial {
    /// The game in which a program failed, and whose, if any did.
    #[must_use]
    pub fn failure(&self) -> Option<(Side, &PlayedGame)> {
        let failed = self.games.iter().find(|game| game.ending.is_failure())?;
        Some((failed.winner?.other(), failed))
    }

    /// The score of the tuned player; `None` if a program failed, which says nothing about values.
    #[must_use]
    pub fn score(&self) -> Option<Score> {
        if self.failure().is_some() {
            return None;
        }
        let mut score = Score::default();
        for game in &self.games {
            match game.winner {
                Some(Side::A) => score.wins += 1,
                Some(Side::B) => score.losses += 1,
                None => score.draws += 1,
            }
        }
        Some(score)
    }
}

impl Tuning {
    /// Tunes parameters of `player` against `opponents`.
    #[must_use]
    pub fn new(
        rulebook: Rulebook,
        player: Player,
        opponents: Vec<Player>,
        parameters: Vec<Parameter>,
    ) -> Self {
        Self {
            rulebook,
            player,
            opponents,
            parameters,
            seed: 1,
            openings: Openings::Empty,
            referee: None,
        }
    }

    /// The first difference from the settings of another tuning, in words.
    #[must_use]
    pub fn difference(&self, other: &Tuning) -> Option<String> {
        difference(self, other)
    }

    /// Whether the settings make sense, without starting any program.
    ///
    /// # Errors
    /// Nothing to tune, nobody to play against, an empty range, or no such game.
    pub fn check(&self) -> Result<(), TuneError> {
        if self.parameters.is_empty() {
            return Err(TuneError::NoParameters);
        }
        if self.opponents.is_empty() {
            return Err(TuneError::NoOpponents);
        }
        let mut names = BTreeSet::new();
        for parameter in &self.parameters {
            parameter.check()?;
            if !names.insert(&parameter.name) {
                return Err(TuneError::Twice(parameter.name.clone()));
            }
        }
        let least: Vec<f64> = self.parameters.iter().map(|p| p.min).collect();
        Ok(self.pairing(&least, 0).check()?)
    }

    /// The match of which a trial is one pair of games.
    fn pairing(&self, values: &[f64], opponent: usize) -> Match {
        let mut player = self.player.clone();
        for (parameter, &value) in self.parameters.iter().zip(values) {
            let setting = format!("{}={}", parameter.name, parameter.text(value));
            player.command.extend(["--set".to_owned(), setting]);
        }
        let opponent = self.opponents[opponent].clone();
        let mut settings = Match::new(self.rulebook.clone(), [player, opponent]);
        settings.seed = self.seed;
        settings.openings = self.openings.clone();
        settings.referee.clone_from(&self.referee);
        settings
    }

    /// What these trials teach.
    #[must_use]
    pub fn clop(&self, trials: &[Trial]) -> Clop {
        let mut clop = Clop::new(self.parameters.clone(), self.seed);
        for trial in trials {
            learn(&mut clop, trial);
        }
        clop
    }

    /// How often which program failed in these trials, and how.
    #[must_use]
    pub fn failures(&self, trials: &[Trial]) -> BTreeMap<(String, Ending), u32> {
        let mut failures = BTreeMap::new();
        for trial in trials {
            if let Some((side, game)) = trial.failure() {
                let name = self.name(trial, side).to_owned();
                *failures.entry((name, game.ending)).or_default() += 1;
            }
        }
        failures
    }

    /// The name of a side of a trial.
    #[must_use]
    pub fn name(&self, trial: &Trial, side: Side) -> &str {
        match side {
            Side::A => &self.player.name,
            Side::B => self.opponents.get(trial.opponent).map_or("?", |player| &player.name),
        }
    }

    /// Plays the trials that the journal does not have yet, until it has `run.games` games, two a
    /// trial, or `stop` is set.
    ///
    /// With one trial at once, an interrupted tuning ends exactly as one that was never
    /// interrupted; with more, each trial is drawn by what is known when it begins.
    ///
    /// # Errors
    /// The settings make no sense, a program cannot be prepared at all, or the journal cannot be
    /// written. What the programs do wrong during a game is counted instead.
    pub fn run(
        &self,
        run: &Run,
        journal: &mut TuneJournal,
        observer: &mut dyn TuneObserver,
        stop: &AtomicBool,
    ) -> Result<Clop, TuneError> {
        self.check()?;
        let samples = run.games.div_ceil(2);
        let done: BTreeSet<u32> = journal.trials().iter().map(|trial| trial.number).collect();
        // From the end, so that the next one can be popped.
        let waiting: Vec<u32> = (1..=samples).rev().filter(|n| !done.contains(n)).collect();
        let clop = self.clop(journal.trials());
        observer.begins(journal.trials(), &clop, samples.max(done.len() as u32));
        if waiting.is_empty() {
            return Ok(clop);
        }
        // All that can go wrong with a command line goes wrong here, not in the middle.
        let first = clop.draw(0);
        let versions = (0..self.opponents.len())
            .map(|opponent| Ok(self.pairing(&first, opponent).introduce(run)?.versions))
            .collect::<Result<Vec<_>, MatchError>>()?;
        let most = waiting.len();
        let shared = Mutex::new(Shared { waiting, clop, journal, observer, error: None });
        at_once(run, most, || {
            let lock = || shared.lock().unwrap_or_else(PoisonError::into_inner);
            while !stop.load(Ordering::Relaxed) {
                let Some((number, values)) = lock().next() else { break };
                let result = self.play(number, values, run, &versions, stop);
                if !lock().take(result) {
                    break;
                }
            }
        });
        let shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        match shared.error {
            Some(error) => Err(error),
            None => Ok(shared.clop),
        }
    }

    fn play(
        &self,
        number: u32,
        values: Vec<f64>,
        run: &Run,
        versions: &[[String; 2]],
        stop: &AtomicBool,
    ) -> Result<Trial, TuneError> {
        let opponent = (number as usize - 1) % self.opponents.len();
        let pairing = self.pairing(&values, opponent);
        let mut trial = Trial { number, values, opponent, games: Vec::new() };
        // The pair of games of that number shares an opening; see `Match`.
        for game in [2 * number - 1, 2 * number] {
            trial.games.push(pairing.play(game, run, &versions[opponent], None, stop)?);
            if trial.failure().is_some() {
                break;
            }
        }
        Ok(trial)
    }
}

fn learn(clop: &mut Clop, trial: &Trial) {
    if let Some(score) = trial.score() {
        clop.add(&trial.values, score);
    }
}

/// What the workers of a tuning share.
struct Shared<'a> {
    waiting: Vec<u32>,
    clop: Clop,
    journal: &'a mut TuneJournal,
    observer: &'a mut dyn TuneObserver,
    error: Option<TuneError>,
}

impl Shared<'_> {
    /// The next trial, drawn by all that is known now.
    fn next(&mut self) -> Option<(u32, Vec<f64>)> {
        let number = self.waiting.pop()?;
        Some((number, self.clop.draw(u64::from(number))))
    }

    /// Writes a trial down and tells of it; false if the tuning cannot go on.
    fn take(&mut self, result: Result<Trial, TuneError>) -> bool {
        let written = result.and_then(|trial| {
            learn(&mut self.clop, &trial);
            self.journal.append(trial)?;
            self.observer.trial_ended(self.journal.trials(), &self.clop);
            Ok(())
        });
        match written {
            Ok(()) => {}
            Err(TuneError::Match(MatchError::Stopped)) => return false,
            Err(error) => {
                self.error.get_or_insert(error);
            }
        }
        self.error.is_none()
    }
}
