//! Learned weights: those that are part of the program, and files to use instead.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use kosumi_game::params::{Kind, ParamValue};
use kosumi_go::MoveModel;
use kosumi_learn::{WeightFile, WeightFileError};

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

/// A model of moves, and where it comes from.
#[derive(Clone)]
pub(crate) struct GoMoves {
    pub model: Arc<MoveModel>,
    pub source: WeightsInUse,
}

/// The files in `data/go`, the smaller boards first: the largest board each is for.
const GO_MOVES: [(usize, &str, &[u8]); 3] = [
    (11, "9x9.weights", include_bytes!("../../../data/go/9x9.weights")),
    (15, "13x13.weights", include_bytes!("../../../data/go/13x13.weights")),
    (usize::MAX, "19x19.weights", include_bytes!("../../../data/go/19x19.weights")),
];

/// The model of moves for a board of Go.
///
/// # Errors
/// A file that cannot be used.
pub(crate) fn go_moves(weights: &Weights, size: usize) -> Result<GoMoves, EngineError> {
    match weights {
        Weights::Own => Ok(own_go_moves(size)),
        Weights::File(path) => from_file(path),
    }
}

fn own_go_moves(size: usize) -> GoMoves {
    static MODELS: [OnceLock<GoMoves>; 3] = [const { OnceLock::new() }; 3];
    let number = GO_MOVES.iter().position(|(most, ..)| size <= *most).unwrap_or(2);
    let (_, name, bytes) = GO_MOVES[number];
    // A test reads every file that is part of the program.
    let own = || read(name, bytes).expect("our own weights can be read");
    MODELS[number].get_or_init(own).clone()
}

fn from_file(path: &Path) -> Result<GoMoves, EngineError> {
    let path_text = || path.display().to_string();
    let bytes =
        std::fs::read(path).map_err(|error| EngineError::NoWeights { path: path_text(), error })?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    read(&name, &bytes).map_err(|error| EngineError::Weights { path: path_text(), error })
}

fn read(name: &str, bytes: &[u8]) -> Result<GoMoves, WeightFileError> {
    let model = Arc::new(MoveModel::from_file(&WeightFile::from_bytes(bytes)?)?);
    let source = WeightsInUse { file: name.to_owned(), hash: Fnv::of(bytes) };
    Ok(GoMoves { model, source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_weights_can_be_read() {
        for (_, name, bytes) in GO_MOVES {
            let moves = read(name, bytes).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert!(moves.model.patterns() > 1000);
        }
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
