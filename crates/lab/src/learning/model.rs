//! Models that can be learned.

use kosumi_go::{FAMILY_FEATURES, MoveModel, PatternTable, PlayoutModel};
use kosumi_hex::{PatternKey, PatternModel};
use kosumi_learn::{Decision, Decisions, Provenance, WeightFile, WeightFileError};
use kosumi_record::GameKind;

use super::decisions::{GoDecisions, GoWorker};
use super::games::GameMoves;
use super::hex::{HexDecisions, HexWorker};

/// What is learned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum LearnSubject {
    /// Go, the moves of the tree: many features, for priors.
    #[default]
    Tree,
    /// Go, the moves of playouts: few features, that are quick to find.
    Playouts,
    /// Hex: patterns, for both.
    HexPatterns,
}

impl LearnSubject {
    /// The game.
    #[must_use]
    pub fn game(self) -> GameKind {
        match self {
            Self::Tree | Self::Playouts => GameKind::Go,
            Self::HexPatterns => GameKind::Hex,
        }
    }
}

/// A learned model of moves.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum LearnedModel {
    /// Of Go, for the tree.
    Tree(MoveModel),
    /// Of Go, for playouts.
    Playouts(PlayoutModel),
    /// Of Hex.
    HexPatterns(PatternModel),
}

/// The features that a model of Go sees.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum GoView<'a> {
    /// Those of the tree, with these patterns.
    Tree(&'a PatternTable),
    /// Those of playouts.
    Playouts,
}

impl LearnedModel {
    /// The model of a game in a weight file, of any kind.
    ///
    /// # Errors
    /// It has none, or makes no sense.
    pub fn from_file(game: GameKind, file: &WeightFile) -> Result<Self, WeightFileError> {
        if game == GameKind::Hex {
            return PatternModel::from_file(file).map(Self::HexPatterns);
        }
        if file.model == PlayoutModel::NAME {
            return PlayoutModel::from_file(file).map(Self::Playouts);
        }
        MoveModel::from_file(file).map(Self::Tree)
    }

    /// The model as a weight file.
    #[must_use]
    pub fn to_file(&self, provenance: Provenance) -> WeightFile {
        match self {
            Self::Tree(model) => model.to_file(provenance),
            Self::Playouts(model) => model.to_file(provenance),
            Self::HexPatterns(model) => model.to_file(provenance),
        }
    }

    /// How many patterns it knows; that of Go's playouts knows none.
    #[must_use]
    pub fn patterns(&self) -> usize {
        match self {
            Self::Tree(model) => model.patterns(),
            Self::Playouts(_) => 0,
            Self::HexPatterns(model) => model.patterns(),
        }
    }

    /// The log-gammas of its features.
    #[must_use]
    pub fn log_gammas(&self) -> &[f32] {
        match self {
            Self::Tree(model) => model.log_gammas(),
            Self::Playouts(model) => model.log_gammas(),
            Self::HexPatterns(model) => model.log_gammas(),
        }
    }

    /// The moves of games as this model sees them, without the first `skip` of each in Hex.
    pub(super) fn decisions<'a>(
        &'a self,
        games: &'a [GameMoves],
        skip: usize,
    ) -> GameDecisions<'a> {
        match self {
            Self::Tree(model) => {
                GameDecisions::Go(GoDecisions::new(games, GoView::Tree(model.table())))
            }
            Self::Playouts(_) => GameDecisions::Go(GoDecisions::new(games, GoView::Playouts)),
            Self::HexPatterns(model) => {
                GameDecisions::Hex(HexDecisions::new(games, model.table(), skip))
            }
        }
    }
}

/// The decisions of any game.
#[derive(Clone, Copy, Debug)]
pub(super) enum GameDecisions<'a> {
    Go(GoDecisions<'a>),
    Hex(HexDecisions<'a>),
}

impl Decisions for GameDecisions<'_> {
    type Worker = (GoWorker, HexWorker);

    fn worker(&self) -> Self::Worker {
        Default::default()
    }

    fn parts(&self) -> usize {
        match self {
            Self::Go(go) => go.parts(),
            Self::Hex(hex) => hex.parts(),
        }
    }

    fn cuts(&self) -> Vec<u32> {
        match self {
            Self::Go(go) => go.cuts(),
            Self::Hex(hex) => hex.cuts(),
        }
    }

    fn visit(&self, part: usize, worker: &mut Self::Worker, visit: &mut dyn FnMut(&Decision)) {
        match self {
            Self::Go(go) => go.visit(part, &mut worker.0, visit),
            Self::Hex(hex) => hex.visit(part, &mut worker.1, visit),
        }
    }
}

/// The patterns of a model that is still to be learned, by their keys.
pub(super) enum Patterns {
    Tree(PatternTable),
    Playouts,
    Hex(Vec<PatternKey>, kosumi_hex::PatternTable),
}

impl Patterns {
    /// Those of these keys; `None` if one is no key of the subject's.
    pub(super) fn new(subject: LearnSubject, keys: &[u64]) -> Option<Self> {
        Some(match subject {
            LearnSubject::Tree => Self::Tree(PatternTable::new(&go_keys(keys)?)),
            LearnSubject::Playouts => Self::Playouts,
            LearnSubject::HexPatterns => {
                let keys: Option<Vec<PatternKey>> =
                    keys.iter().map(|&bits| PatternKey::from_bits(bits)).collect();
                let keys = keys?;
                let table = kosumi_hex::PatternTable::new(&keys);
                Self::Hex(keys, table)
            }
        })
    }

    /// How many features a model with them has.
    pub(super) fn features(&self) -> usize {
        match self {
            Self::Tree(table) => FAMILY_FEATURES as usize + table.len(),
            Self::Playouts => PlayoutModel::features(),
            Self::Hex(keys, _) => keys.len(),
        }
    }

    /// The model with these log-gammas; `keys` as for [`Patterns::new`].
    pub(super) fn model(&self, keys: &[u64], log_gammas: &[f32]) -> LearnedModel {
        match self {
            Self::Tree(_) => {
                let keys = go_keys(keys).unwrap_or_default();
                LearnedModel::Tree(MoveModel::new(&keys, log_gammas))
            }
            Self::Playouts => LearnedModel::Playouts(PlayoutModel::new(log_gammas.to_vec())),
            Self::Hex(keys, _) => LearnedModel::HexPatterns(PatternModel::new(keys, log_gammas)),
        }
    }
}

fn go_keys(keys: &[u64]) -> Option<Vec<u32>> {
    keys.iter().map(|&key| u32::try_from(key).ok()).collect()
}
