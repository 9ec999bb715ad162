//! A learning run: patterns, passes, checkpoints, the weight file.

use std::path::{Path, PathBuf};

use kosumi_game::Rng;
use kosumi_go::{FAMILY_FEATURES, MoveModel, PatternTable, Selection};
use kosumi_learn::{
    Decisions, Gradient, GradientOptions, GradientState, Minorization, MinorizationOptions,
    PredictionOf, Provenance, WeightFile, WeightFileError,
};
use kosumi_record::write_atomically;

use super::decisions::GoDecisions;
use super::games::GameMoves;
use super::harvest::frequent_patterns;

/// How gammas are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum LearnMethod {
    /// Stochastic gradient ascent.
    #[default]
    Gradient,
    /// Minorization-maximization.
    Minorization,
}

/// How to learn.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LearnOptions {
    /// How gammas are found.
    pub method: LearnMethod,
    /// How often every game is learned from.
    pub passes: usize,
    /// Patterns at most.
    pub patterns: usize,
    /// How often a pattern must have been played.
    pub least: u32,
    /// Threads at work.
    pub threads: usize,
    /// The first step length of the gradient.
    pub rate: f32,
    /// The strength of the prior: of the gradient the inverse variance of log-gammas, of
    /// minorization-maximization games won and lost.
    pub prior: f32,
    /// The features to learn; the gammas of the others stay 1.
    pub selection: Selection,
    /// Seed of the order of the games.
    pub seed: u64,
    /// Games between two checkpoints.
    pub chunk: usize,
    /// Where to keep what is known so far; goes on from there if it exists.
    pub checkpoint: Option<PathBuf>,
}

impl Default for LearnOptions {
    fn default() -> Self {
        Self {
            method: LearnMethod::Gradient,
            passes: 6,
            patterns: 300_000,
            least: 10,
            threads: 1,
            rate: 0.1,
            prior: 0.1,
            selection: Selection::default(),
            seed: 1,
            chunk: 2000,
            checkpoint: None,
        }
    }
}

/// What there is to tell while learning.
pub trait LearnObserver: Sync {
    /// So many games are to be looked at for patterns, twice, and then in every pass.
    fn begins(&self, _games: usize, _resumed_at: usize) {}
    /// More games are done.
    fn games(&self, _more: usize) {}
    /// Patterns are chosen.
    fn patterns(&self, _count: usize) {}
    /// What the games of a chunk looked like before they were learned; the pass from 0.
    fn chunk(&self, _pass: usize, _seen: &PredictionOf) {}
}

/// Tells nothing.
#[derive(Clone, Copy, Debug)]
pub struct NoLearnObserver;

impl LearnObserver for NoLearnObserver {}

/// Why learning stops.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LearnError {
    /// The checkpoint cannot be used.
    #[error("{}: {source}", path.display())]
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: WeightFileError,
    },
    /// The checkpoint is of another run.
    #[error(
        "{} is the checkpoint of another run ({difference}); remove it, or go on with that run",
        path.display()
    )]
    OtherRun {
        /// The file.
        path: PathBuf,
        /// What is different.
        difference: String,
    },
    /// A file cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
}

/// What is known at some moment of a run.
struct State {
    keys: Vec<u32>,
    gradient: GradientState,
    /// Chunks done, over all passes.
    chunks: usize,
}

/// Learns the model of the tree from games.
///
/// # Errors
/// The checkpoint cannot be read, written, or is of another run.
pub fn learn_go(
    games: &[GameMoves],
    options: &LearnOptions,
    observer: &dyn LearnObserver,
) -> Result<MoveModel, LearnError> {
    let chunks = games.len().div_ceil(options.chunk.max(1));
    let found = match &options.checkpoint {
        Some(path) => read_checkpoint(path, &facts(games, options))?,
        None => None,
    };
    let resumed_at = found.as_ref().map_or(0, |state| state.chunks * options.chunk);
    observer.begins(games.len(), resumed_at);
    let mut state = match found {
        Some(state) => state,
        None => {
            let progress = |more| observer.games(more);
            let (least, most) = (options.least, options.patterns);
            let threads = options.threads;
            let selection = &options.selection;
            let keys = frequent_patterns(games, selection, least, most, threads, &progress);
            let gradient = GradientState::new(FAMILY_FEATURES as usize + keys.len());
            State { keys, gradient, chunks: 0 }
        }
    };
    observer.patterns(state.keys.len());
    let table = PatternTable::new(&state.keys);
    let decisions = GoDecisions::new(games, &table, &options.selection);
    match options.method {
        LearnMethod::Gradient => {
            let mut how = GradientOptions::default();
            (how.threads, how.prior) = (options.threads, options.prior);
            let mut gradient = Gradient::resume(&state.gradient, how);
            while state.chunks < chunks * options.passes {
                let (pass, chunk) = (state.chunks / chunks, state.chunks % chunks);
                let order = shuffled(games.len(), options.seed, pass);
                let from = chunk * options.chunk;
                let parts = &order[from..(from + options.chunk).min(order.len())];
                // Down to a fiftieth at the end.
                let left = 1.0 - state.chunks as f32 / (chunks * options.passes) as f32;
                gradient.set_rate(options.rate * left.max(0.02));
                let seen = gradient.learn(&decisions, parts);
                observer.games(parts.len());
                observer.chunk(pass, &seen);
                state.chunks += 1;
                state.gradient = gradient.state();
                if let Some(path) = &options.checkpoint {
                    write_checkpoint(path, &facts(games, options), &state)?;
                }
            }
        }
        LearnMethod::Minorization => {
            minorize(&decisions, options, &facts(games, options), &mut state, observer)?;
        }
    }
    Ok(MoveModel::new(&state.keys, &state.gradient.log_gammas))
}

/// All features change in every pass: the families one after the other would need a pass each.
fn minorize(
    decisions: &GoDecisions<'_>,
    options: &LearnOptions,
    facts: &str,
    state: &mut State,
    observer: &dyn LearnObserver,
) -> Result<(), LearnError> {
    let features = state.gradient.log_gammas.len();
    let prior = f64::from(options.prior);
    let mut how = MinorizationOptions::default();
    (how.threads, how.prior) = (options.threads, prior);
    let all = 0..features;
    let mut mm = Minorization::new(features, vec![all], how);
    mm.set_log_gammas(state.gradient.log_gammas.clone());
    let parts: Vec<usize> = (0..decisions.parts()).collect();
    while state.chunks < options.passes {
        let seen = mm.update(decisions, &parts, &[0]);
        observer.games(parts.len());
        observer.chunk(state.chunks, &seen);
        state.chunks += 1;
        state.gradient.log_gammas = mm.log_gammas().to_vec();
        if let Some(path) = &options.checkpoint {
            write_checkpoint(path, facts, state)?;
        }
    }
    Ok(())
}

/// The order of the games in a pass.
fn shuffled(games: usize, seed: u64, pass: usize) -> Vec<usize> {
    let mut rng = Rng::stream(seed, pass as u64);
    let mut order: Vec<usize> = (0..games).collect();
    for i in (1..games).rev() {
        order.swap(i, rng.below(i as u32 + 1) as usize);
    }
    order
}

/// What must be the same to go on with a run.
fn facts(games: &[GameMoves], options: &LearnOptions) -> String {
    let LearnOptions { method, passes, patterns, least, rate, prior, seed, chunk, .. } = options;
    let moves: usize = games.iter().map(GameMoves::len).sum();
    let left_out = options.selection.left_out().join(", ");
    format!(
        "{method:?}, {} games, {moves} moves, {passes} passes, {patterns} patterns of {least}, \
         rate {rate}, prior {prior}, seed {seed}, chunk {chunk}, without [{left_out}]",
        games.len()
    )
}

const CHECKPOINT: &str = "learning under way";

fn write_checkpoint(path: &Path, facts: &str, state: &State) -> Result<(), LearnError> {
    let mut provenance = Provenance::default();
    facts.clone_into(&mut provenance.notes);
    let mut file = WeightFile::new("go", CHECKPOINT, 1, provenance);
    let floats = |list: &[f32]| list.iter().flat_map(|value| value.to_le_bytes()).collect();
    file.push_section("keys", state.keys.iter().flat_map(|key| key.to_le_bytes()).collect());
    file.push_section("gammas", floats(&state.gradient.log_gammas));
    file.push_section("squares", floats(&state.gradient.squares));
    file.push_section("chunks", (state.chunks as u64).to_le_bytes().to_vec());
    write_atomically(path, &file.to_bytes())
        .map_err(|error| LearnError::Io { path: path.to_owned(), source: error.source })
}

fn read_checkpoint(path: &Path, facts: &str) -> Result<Option<State>, LearnError> {
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(LearnError::Io { path: path.to_owned(), source }),
    };
    let wrong = |source| LearnError::Checkpoint { path: path.to_owned(), source };
    let file = WeightFile::from_bytes(&bytes).map_err(wrong)?;
    file.check("go", CHECKPOINT, 1).map_err(wrong)?;
    if file.provenance.notes != facts {
        let difference = format!("{} instead of {facts}", file.provenance.notes);
        return Err(LearnError::OtherRun { path: path.to_owned(), difference });
    }
    let section = |name: &str| file.section(name).map_err(wrong);
    let words = |name: &str| -> Result<Vec<[u8; 4]>, LearnError> {
        Ok(section(name)?.as_chunks::<4>().0.to_vec())
    };
    let floats = |name: &str| -> Result<Vec<f32>, LearnError> {
        Ok(words(name)?.into_iter().map(f32::from_le_bytes).collect())
    };
    let keys: Vec<u32> = words("keys")?.into_iter().map(u32::from_le_bytes).collect();
    let mut gradient = GradientState::new(0);
    gradient.log_gammas = floats("gammas")?;
    gradient.squares = floats("squares")?;
    let chunks = section("chunks")?.first_chunk::<8>().map_or(0, |c| u64::from_le_bytes(*c));
    let features = FAMILY_FEATURES as usize + keys.len();
    if gradient.log_gammas.len() != features || gradient.squares.len() != features {
        return Err(wrong(WeightFileError::Damaged));
    }
    Ok(Some(State { keys, gradient, chunks: chunks as usize }))
}
