//! Learned weights: those that are part of the program, and files to use instead.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use kosumi_game::params::{Kind, ParamValue};
use kosumi_go::{MoveModel, PlayoutModel};
use kosumi_havannah::HavannahNet;
use kosumi_hex::{HexNet, PatternModel, Prunable};
use kosumi_learn::{WeightFile, WeightFileError};
use kosumi_record::{GameKind, read_whole};

use crate::error::EngineError;
use crate::fnv::Fnv;

/// Which weights a player uses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Weights {
    /// Those that are part of the program.
    #[default]
    Own,
    /// Those in a file; one called `own` is `./own`.
    File(PathBuf),
}

const OWN: &str = "own";

impl ParamValue for Weights {
    fn kind(_: Option<(f64, f64)>) -> Kind {
        Kind::File(OWN)
    }
    fn parse(text: &str, _: Option<(f64, f64)>) -> Option<Self> {
        match text {
            OWN => Some(Self::Own),
            name if name.trim().is_empty() || name.contains(char::is_control) => None,
            name => Some(Self::File(name.into())),
        }
    }
    fn render(&self) -> String {
        match self {
            Self::Own => OWN.to_owned(),
            Self::File(path) => path.display().to_string(),
        }
    }
}

/// Weights that a player has in use; shown as its two parts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WeightsInUse {
    /// What the file is called.
    pub file: String,
    /// The hash (FNV-1a) of all its bytes.
    pub hash: u64,
}

impl fmt::Display for WeightsInUse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:016x}", self.file, self.hash)
    }
}

/// A model, and where it comes from.
#[derive(Debug)]
pub(crate) struct Sourced<M> {
    pub model: Arc<M>,
    pub source: WeightsInUse,
}

impl<M> Clone for Sourced<M> {
    fn clone(&self) -> Self {
        Self { model: Arc::clone(&self.model), source: self.source.clone() }
    }
}

/// The most bytes of a file of weights; ours have a few million.
pub const MOST_BYTES: u64 = 256 << 20;

/// Files that are part of the program, one for each range of boards, and what was read from them.
struct Own<M, const N: usize> {
    /// The smaller boards first: the largest board each is for, its name, what it holds.
    files: [(usize, &'static str, &'static [u8]); N],
    models: [OnceLock<Sourced<M>>; N],
    /// Makes a model of a file.
    of: fn(&WeightFile) -> Result<M, WeightFileError>,
}

macro_rules! own {
    ($folder:literal, $of:expr, $($most:expr => $name:literal),*) => {
        Own {
            files: [
                $(($most, $name, include_bytes!(concat!("../../../data/", $folder, "/", $name)))),*
            ],
            models: [const { OnceLock::new() }; _],
            of: $of,
        }
    };
}

static GO_MOVES: Own<MoveModel, 3> = own!(
    "go",
    MoveModel::from_file,
    11 => "9x9.weights",
    15 => "13x13.weights",
    usize::MAX => "19x19.weights"
);
static GO_PLAYOUTS: Own<PlayoutModel, 3> = own!(
    "go",
    PlayoutModel::from_file,
    11 => "9x9-playouts.weights",
    15 => "13x13-playouts.weights",
    usize::MAX => "19x19-playouts.weights"
);

static HEX_PATTERNS: Own<PatternModel, 1> =
    own!("hex", pruning_patterns, usize::MAX => "patterns.weights");
static HEX_PLAYOUTS: Own<PatternModel, 1> =
    own!("hex", pruning_patterns, usize::MAX => "playouts.weights");
static HEX_NET: Own<HexNet, 1> = own!("hex", HexNet::from_file, usize::MAX => "net.weights");
static HAVANNAH_NET: Own<HavannahNet, 1> =
    own!("havannah", HavannahNet::from_file, usize::MAX => "net.weights");

/// The name and the bytes of the program's own weights for the moves of a tree, on boards of a size;
/// `None` for games that have none.
#[must_use]
pub fn own_weights(game: GameKind, size: usize) -> Option<(&'static str, &'static [u8])> {
    let (_, name, bytes) = match game {
        GameKind::Go => GO_MOVES.files[GO_MOVES.number(size)],
        GameKind::Hex => HEX_PATTERNS.files[HEX_PATTERNS.number(size)],
        GameKind::Havannah => return None,
    };
    Some((name, bytes))
}

impl<M, const N: usize> Own<M, N> {
    /// The place of the file for boards of a size.
    fn number(&self, size: usize) -> usize {
        self.files.iter().position(|(most, ..)| size <= *most).unwrap_or(N - 1)
    }

    fn get(&self, size: usize) -> Sourced<M> {
        let number = self.number(size);
        let (_, name, bytes) = self.files[number];
        // A test reads every file that is part of the program.
        let read = || self.read(name, bytes).expect("our own weights can be read");
        self.models[number].get_or_init(read).clone()
    }

    fn or_file(&self, weights: &Weights, size: usize) -> Result<Sourced<M>, EngineError> {
        match weights {
            Weights::Own => Ok(self.get(size)),
            Weights::File(path) => self.in_file(path),
        }
    }

    fn in_file(&self, path: &Path) -> Result<Sourced<M>, EngineError> {
        let text = || path.display().to_string();
        let bytes = read_whole(path, MOST_BYTES)
            .map_err(|error| EngineError::NoWeights { path: text(), error })?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        self.read(&name, &bytes).map_err(|error| EngineError::Weights { path: text(), error })
    }

    fn read(&self, name: &str, bytes: &[u8]) -> Result<Sourced<M>, WeightFileError> {
        let model = Arc::new((self.of)(&WeightFile::from_bytes(bytes)?)?);
        let source = WeightsInUse { file: name.to_owned(), hash: Fnv::of(bytes) };
        Ok(Sourced { model, source })
    }
}

/// The model of the tree's moves for a board of Go.
///
/// # Errors
/// A file that cannot be used.
pub(crate) fn go_moves(weights: &Weights, size: usize) -> Result<Sourced<MoveModel>, EngineError> {
    GO_MOVES.or_file(weights, size)
}

/// The model of playouts for a board of Go.
///
/// # Errors
/// A file that cannot be used.
pub(crate) fn go_playouts(
    weights: &Weights,
    size: usize,
) -> Result<Sourced<PlayoutModel>, EngineError> {
    GO_PLAYOUTS.or_file(weights, size)
}

/// Patterns whose inferior moves are known as such (H8).
fn pruning_patterns(file: &WeightFile) -> Result<PatternModel, WeightFileError> {
    let mut model = PatternModel::from_file(file)?;
    model.classify(Prunable::of);
    Ok(model)
}

/// The patterns of the tree for a board of Hex.
///
/// # Errors
/// A file that cannot be used.
pub(crate) fn hex_patterns(
    weights: &Weights,
    size: usize,
) -> Result<Sourced<PatternModel>, EngineError> {
    HEX_PATTERNS.or_file(weights, size)
}

/// The patterns of playouts for a board of Hex.
///
/// # Errors
/// A file that cannot be used.
pub(crate) fn hex_playouts(
    weights: &Weights,
    size: usize,
) -> Result<Sourced<PatternModel>, EngineError> {
    HEX_PLAYOUTS.or_file(weights, size)
}

/// The net for a board of Hex.
///
/// # Errors
/// A file that cannot be used.
pub(crate) fn hex_net(weights: &Weights, size: usize) -> Result<Sourced<HexNet>, EngineError> {
    HEX_NET.or_file(weights, size)
}

/// The net for a board of Havannah.
///
/// # Errors
/// A file that cannot be used.
pub(crate) fn havannah_net(
    weights: &Weights,
    size: usize,
) -> Result<Sourced<HavannahNet>, EngineError> {
    HAVANNAH_NET.or_file(weights, size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_weights_can_be_read() {
        for (_, name, bytes) in GO_MOVES.files {
            let moves = GO_MOVES.read(name, bytes).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert!(moves.model.patterns() > 1000);
        }
        for (_, name, bytes) in GO_PLAYOUTS.files {
            let playouts = GO_PLAYOUTS.read(name, bytes).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert!(playouts.model.log_gammas().iter().any(|weight| *weight != 0.0));
        }
        for of in [hex_patterns, hex_playouts] {
            let patterns = of(&Weights::Own, 11).unwrap_or_else(|e| panic!("{e}"));
            assert!(patterns.model.patterns() > 1000);
        }
        assert_eq!(hex_net(&Weights::Own, 11).unwrap().source.file, "net.weights");
        assert_eq!(havannah_net(&Weights::Own, 8).unwrap().source.file, "net.weights");
        for (size, name) in [(2, "9x9"), (9, "9x9"), (13, "13x13"), (19, "19x19"), (25, "19x19")] {
            let source = go_moves(&Weights::Own, size).unwrap_or_else(|e| panic!("{e}")).source;
            assert_eq!(source.file, format!("{name}.weights"));
        }
    }

    #[test]
    fn the_program_s_own_and_any_file_can_be_named() {
        for text in ["own", "./own", "a b.weights"] {
            assert_eq!(Weights::parse(text, None).unwrap().render(), text);
        }
        assert_eq!(Weights::parse("own", None), Some(Weights::Own));
        for text in ["", " ", "a\nb"] {
            assert_eq!(Weights::parse(text, None), None, "{text:?}");
        }
    }
}
