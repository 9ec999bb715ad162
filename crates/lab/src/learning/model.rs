//! Models that can be learned.

use kosumi_go::{MoveModel, PatternTable, PlayoutModel};
use kosumi_learn::{Provenance, WeightFile, WeightFileError};

/// What is learned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum LearnSubject {
    /// The moves of the tree: many features, for priors.
    #[default]
    Tree,
    /// The moves of playouts: few features, that are quick to find.
    Playouts,
}

/// A learned model of moves of Go.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum GoModel {
    /// For the tree.
    Tree(MoveModel),
    /// For playouts.
    Playouts(PlayoutModel),
}

/// The features that a model sees.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum GoView<'a> {
    /// Those of the tree, with these patterns.
    Tree(&'a PatternTable),
    /// Those of playouts.
    Playouts,
}

impl GoModel {
    /// The model in a weight file, of either kind.
    ///
    /// # Errors
    /// It has neither, or makes no sense.
    pub fn from_file(file: &WeightFile) -> Result<Self, WeightFileError> {
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
        }
    }

    /// How many patterns it knows; that of playouts knows none.
    #[must_use]
    pub fn patterns(&self) -> usize {
        match self {
            Self::Tree(model) => model.patterns(),
            Self::Playouts(_) => 0,
        }
    }

    /// The features that it sees.
    #[must_use]
    pub fn view(&self) -> GoView<'_> {
        match self {
            Self::Tree(model) => GoView::Tree(model.table()),
            Self::Playouts(_) => GoView::Playouts,
        }
    }

    /// The log-gammas of its features.
    #[must_use]
    pub fn log_gammas(&self) -> &[f32] {
        match self {
            Self::Tree(model) => model.log_gammas(),
            Self::Playouts(model) => model.log_gammas(),
        }
    }
}
