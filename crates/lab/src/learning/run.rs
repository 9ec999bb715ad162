//! A learning run: patterns, passes, checkpoints, the weight file.

use std::path::{Path, PathBuf};

use kosumi_game::Rng;
use kosumi_go::Selection;
use kosumi_hex::Extent;
use kosumi_learn::{
    Combining, Condensed, Decisions, Gradient, GradientOptions, GradientState, Minorization,
    MinorizationOptions, MinorizationState, PredictionOf, Provenance, TooLarge, Trial, WeightFile,
    WeightFileError,
};
use kosumi_record::write_atomically;

use super::decisions::GoDecisions;
use super::games::GameMoves;
use super::harvest::frequent_patterns;
use super::hex::{HexDecisions, frequent_hex_patterns};
use super::model::{GameDecisions, GoView, LearnSubject, LearnedModel, Patterns};

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

impl LearnMethod {
    /// How often it looks at every game before the first pass: twice for patterns, and once to gather
    /// positions where passes go over memory.
    fn looks_before(self) -> usize {
        match self {
            Self::Gradient => 2,
            Self::Minorization => 3,
        }
    }
}

/// How to learn.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LearnOptions {
    /// What is learned.
    pub subject: LearnSubject,
    /// How gammas are found.
    pub method: LearnMethod,
    /// How often every game is learned from.
    pub passes: usize,
    /// Patterns at most.
    pub patterns: usize,
    /// How often a pattern must have been played; in Hex, how often it must have been there.
    pub least: u32,
    /// Threads at work.
    pub threads: usize,
    /// How much memory minorization-maximization may take for the positions of the games, in MiB.
    pub memory: usize,
    /// The first step length of the gradient.
    pub rate: f32,
    /// The strength of the prior: of the gradient the inverse variance of log-gammas, of
    /// minorization-maximization games won and lost.
    pub prior: f32,
    /// How the gammas of a move's features make its strength.
    pub combining: Combining,
    /// Go: the features to learn; the gammas of the others stay 1.
    pub selection: Selection,
    /// Hex: the largest patterns.
    pub extent: Extent,
    /// Hex: moves at the beginning of each game that teach nothing.
    pub skip: usize,
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
            subject: LearnSubject::Tree,
            method: LearnMethod::Gradient,
            passes: 6,
            patterns: 300_000,
            least: 10,
            threads: 1,
            memory: 12 << 10,
            rate: 0.1,
            prior: 0.1,
            combining: Combining::Product,
            selection: Selection::default(),
            extent: Extent::Twelve,
            skip: 1,
            seed: 1,
            chunk: 2000,
            checkpoint: None,
        }
    }
}

/// What there is to tell while learning.
pub trait LearnObserver: Sync {
    /// Games are to be looked at so many times in all, some of them done in an earlier run.
    fn begins(&self, _looks: usize, _done: usize) {}
    /// More games have been looked at.
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
    #[error("{}: {source}; without this file learning begins anew", path.display())]
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
    /// Minorization-maximization has not enough memory.
    #[error(
        "the positions of {games} games: {source}; take fewer games, allow more, or use the gradient"
    )]
    TooLarge {
        /// How many games there are.
        games: usize,
        /// What they may take.
        source: TooLarge,
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
    keys: Vec<u64>,
    learned: Learned,
    /// Chunks done, over all passes.
    chunks: usize,
}

/// What each method must know to go on.
enum Learned {
    Gradient(GradientState),
    Minorization(MinorizationState),
}

impl Learned {
    /// Nothing yet.
    fn new(method: LearnMethod, features: usize) -> Self {
        match method {
            LearnMethod::Gradient => Self::Gradient(GradientState::new(features)),
            LearnMethod::Minorization => Self::Minorization(MinorizationState::new(features)),
        }
    }

    fn log_gammas(&self) -> &[f32] {
        match self {
            Self::Gradient(state) => &state.log_gammas,
            Self::Minorization(state) => &state.log_gammas,
        }
    }
}

/// Learns a model from games.
///
/// # Errors
/// The checkpoint cannot be read, written, or is of another run.
pub fn learn(
    games: &[GameMoves],
    options: &LearnOptions,
    observer: &dyn LearnObserver,
) -> Result<LearnedModel, LearnError> {
    let found = match &options.checkpoint {
        Some(path) => read_checkpoint(path, options, &facts(games, options))?,
        None => None,
    };
    let looks = options.method.looks_before() + options.passes;
    let done = |state: &State| match options.method {
        LearnMethod::Gradient => 2 * games.len() + state.chunks * options.chunk,
        LearnMethod::Minorization => (2 + state.chunks) * games.len(),
    };
    observer.begins(games.len() * looks, found.as_ref().map_or(0, done));
    let mut state = match found {
        Some(state) => state,
        None => {
            let keys = pattern_keys(games, options, &|more| observer.games(more));
            let features = patterns_of(options, &keys)?.features();
            State { keys, learned: Learned::new(options.method, features), chunks: 0 }
        }
    };
    observer.patterns(state.keys.len());
    let patterns = patterns_of(options, &state.keys)?;
    let decisions = match &patterns {
        Patterns::Tree(table) => GameDecisions::Go(
            GoDecisions::new(games, GoView::Tree(table)).selected(&options.selection),
        ),
        Patterns::Playouts => GameDecisions::Go(GoDecisions::new(games, GoView::Playouts)),
        Patterns::Hex(_, table) => {
            GameDecisions::Hex(HexDecisions::new(games, table, options.skip))
        }
    };
    let run = Passes { decisions, options, facts: facts(games, options), observer };
    match &state.learned {
        Learned::Gradient(known) => run.gradient(known.clone(), &mut state)?,
        Learned::Minorization(known) => run.minorize(known.clone(), &mut state)?,
    }
    Ok(patterns.model(&state.keys, state.learned.log_gammas()))
}

/// The patterns that are frequent in these games.
fn pattern_keys(
    games: &[GameMoves],
    options: &LearnOptions,
    progress: &(dyn Fn(usize) + Sync),
) -> Vec<u64> {
    let LearnOptions { least, patterns: most, threads, .. } = *options;
    match options.subject {
        LearnSubject::Tree => {
            let selection = &options.selection;
            let keys = frequent_patterns(games, selection, least, most, threads, progress);
            keys.into_iter().map(u64::from).collect()
        }
        LearnSubject::Playouts => Vec::new(),
        LearnSubject::HexPatterns => {
            // One look is enough, and counts for two.
            let progress = |more: usize| progress(2 * more);
            let LearnOptions { extent, skip, .. } = *options;
            let keys =
                frequent_hex_patterns(games, extent, skip, (least, most), threads, &progress);
            keys.into_iter().map(|key| key.bits()).collect()
        }
    }
}

/// As tables; the keys may come from a file.
fn patterns_of(options: &LearnOptions, keys: &[u64]) -> Result<Patterns, LearnError> {
    Patterns::new(options.subject, keys).ok_or_else(|| LearnError::Checkpoint {
        path: options.checkpoint.clone().unwrap_or_default(),
        source: WeightFileError::Damaged,
    })
}

/// The passes over the games.
struct Passes<'a> {
    decisions: GameDecisions<'a>,
    options: &'a LearnOptions,
    facts: String,
    observer: &'a dyn LearnObserver,
}

impl Passes<'_> {
    fn gradient(&self, known: GradientState, state: &mut State) -> Result<(), LearnError> {
        let options = self.options;
        let games = self.decisions.parts();
        let chunks = games.div_ceil(options.chunk.max(1));
        let mut how = GradientOptions::default();
        (how.threads, how.prior) = (options.threads, options.prior);
        how.combining = options.combining;
        let mut gradient = Gradient::resume(&known, how);
        while state.chunks < chunks * options.passes {
            let (pass, chunk) = (state.chunks / chunks, state.chunks % chunks);
            let order = shuffled(games, options.seed, pass);
            let from = chunk * options.chunk;
            let parts = &order[from..(from + options.chunk).min(order.len())];
            // Down to a fiftieth at the end.
            let left = 1.0 - state.chunks as f32 / (chunks * options.passes) as f32;
            gradient.set_rate(options.rate * left.max(0.02));
            let seen = gradient.learn(&self.decisions, parts);
            self.observer.games(parts.len());
            self.observer.chunk(pass, &seen);
            self.done(Learned::Gradient(gradient.state()), state)?;
        }
        Ok(())
    }

    fn minorize(&self, known: MinorizationState, state: &mut State) -> Result<(), LearnError> {
        let LearnOptions { threads, memory, prior, combining, .. } = *self.options;
        let parts: Vec<usize> = (0..self.decisions.parts()).collect();
        let seen = || self.observer.games(1);
        let decisions = Condensed::gather(&self.decisions, &parts, threads, memory, &seen)
            .map_err(|source| LearnError::TooLarge { games: parts.len(), source })?;
        let mut how = MinorizationOptions::default();
        (how.threads, how.prior, how.combining) = (threads, f64::from(prior), combining);
        let mut mm = Minorization::resume(known, how);
        while state.chunks < self.options.passes {
            let seen = mm.update(&decisions);
            self.observer.games(parts.len());
            self.observer.chunk(state.chunks, &seen);
            self.done(Learned::Minorization(mm.state().clone()), state)?;
        }
        Ok(())
    }

    /// One more chunk is done, which taught this.
    fn done(&self, learned: Learned, state: &mut State) -> Result<(), LearnError> {
        state.chunks += 1;
        state.learned = learned;
        match &self.options.checkpoint {
            Some(path) => write_checkpoint(path, &self.facts, state),
            None => Ok(()),
        }
    }
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
    let LearnOptions { subject, method, passes, patterns, least, rate, prior, seed, chunk, .. } =
        options;
    let moves: usize = games.iter().map(GameMoves::len).sum();
    let left_out = options.selection.left_out().join(", ");
    let LearnOptions { combining, extent, skip, .. } = options;
    format!(
        "{subject:?}, {method:?}, {} games, {moves} moves, {passes} passes, {patterns} patterns of \
         {least}, rate {rate}, prior {prior}, seed {seed}, chunk {chunk}, without [{left_out}], \
         {combining:?}, {} cells, from move {}",
        games.len(),
        extent.cells(),
        skip + 1
    )
}

const CHECKPOINT: &str = "learning under way";
/// Changes with the sections.
const CHECKPOINT_VERSION: u32 = 4;

fn write_checkpoint(path: &Path, facts: &str, state: &State) -> Result<(), LearnError> {
    let mut provenance = Provenance::default();
    facts.clone_into(&mut provenance.notes);
    let mut file = WeightFile::new("any", CHECKPOINT, CHECKPOINT_VERSION, provenance);
    let floats =
        |list: &[f32]| -> Vec<u8> { list.iter().flat_map(|value| value.to_le_bytes()).collect() };
    file.push_section("keys", state.keys.iter().flat_map(|key| key.to_le_bytes()).collect());
    file.push_section("chunks", (state.chunks as u64).to_le_bytes().to_vec());
    file.push_section("gammas", floats(state.learned.log_gammas()));
    match &state.learned {
        Learned::Gradient(gradient) => file.push_section("squares", floats(&gradient.squares)),
        Learned::Minorization(mm) => {
            let lists = mm.tried.iter().flat_map(|trial| [&trial.log_gammas, &trial.step]);
            file.push_section("tried", lists.flat_map(|list| floats(list)).collect());
            file.push_section("likelihood", mm.likelihood.to_le_bytes().to_vec());
        }
    }
    write_atomically(path, &file.to_bytes())
        .map_err(|error| LearnError::Io { path: path.to_owned(), source: error.source })
}

fn read_checkpoint(
    path: &Path,
    options: &LearnOptions,
    facts: &str,
) -> Result<Option<State>, LearnError> {
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(LearnError::Io { path: path.to_owned(), source }),
    };
    let wrong = |source| LearnError::Checkpoint { path: path.to_owned(), source };
    let file = WeightFile::from_bytes(&bytes).map_err(wrong)?;
    file.check("any", CHECKPOINT, CHECKPOINT_VERSION).map_err(wrong)?;
    if file.provenance.notes != facts {
        let parts = file.provenance.notes.split(", ").zip(facts.split(", "));
        let differing = parts.into_iter().find(|(old, new)| old != new);
        let (old, new) = differing.unwrap_or((&file.provenance.notes, facts));
        let difference = format!("it has {old}, not {new}");
        return Err(LearnError::OtherRun { path: path.to_owned(), difference });
    }
    state_in(&file, options).map(Some).map_err(wrong)
}

/// The state in a checkpoint of a run with these options.
fn state_in(file: &WeightFile, options: &LearnOptions) -> Result<State, WeightFileError> {
    let word = |name: &str| {
        let bytes = file.section(name)?.first_chunk::<8>();
        bytes.copied().ok_or(WeightFileError::Damaged)
    };
    let keys = file.section("keys")?.as_chunks::<8>().0;
    let keys: Vec<u64> = keys.iter().map(|key| u64::from_le_bytes(*key)).collect();
    let patterns = Patterns::new(options.subject, &keys).ok_or(WeightFileError::Damaged)?;
    let features = patterns.features();
    // Lists with a number for each feature.
    let lists = |name: &str| {
        let words = file.section(name)?.as_chunks::<4>().0.chunks(features.max(1));
        let list = |words: &[[u8; 4]]| words.iter().map(|word| f32::from_le_bytes(*word)).collect();
        let lists: Vec<Vec<f32>> = words.map(list).collect();
        let whole = lists.iter().all(|list| list.len() == features);
        if whole { Ok(lists) } else { Err(WeightFileError::Damaged) }
    };
    let floats = |name: &str| match <[_; 1]>::try_from(lists(name)?) {
        Ok([list]) => Ok(list),
        Err(_) => Err(WeightFileError::Damaged),
    };
    let mut learned = Learned::new(options.method, features);
    match &mut learned {
        Learned::Gradient(gradient) => {
            (gradient.log_gammas, gradient.squares) = (floats("gammas")?, floats("squares")?);
        }
        Learned::Minorization(mm) => {
            mm.log_gammas = floats("gammas")?;
            let mut tried = lists("tried")?.into_iter();
            while let Some((log_gammas, step)) = tried.next().zip(tried.next()) {
                mm.tried.push(Trial::new(log_gammas, step));
            }
            mm.likelihood = f64::from_le_bytes(word("likelihood")?);
        }
    }
    Ok(State { keys, learned, chunks: u64::from_le_bytes(word("chunks")?) as usize })
}
