//! Learned weights that are part of the program.

use std::sync::{Arc, OnceLock};

use kosumi_go::MoveModel;
use kosumi_learn::{WeightFile, WeightFileError};

/// The files in `data/go`, the smaller boards first: the largest board each is for.
const GO_MOVES: [(usize, &[u8]); 3] = [
    (11, include_bytes!("../../../data/go/9x9.weights")),
    (15, include_bytes!("../../../data/go/13x13.weights")),
    (usize::MAX, include_bytes!("../../../data/go/19x19.weights")),
];

/// The model of moves for a board of Go.
pub(crate) fn go_moves(size: usize) -> Arc<MoveModel> {
    static MODELS: [OnceLock<Arc<MoveModel>>; 3] = [const { OnceLock::new() }; 3];
    let number = GO_MOVES.iter().position(|(most, _)| size <= *most).unwrap_or(2);
    let model = MODELS[number].get_or_init(|| {
        // A test reads every file that is part of the program.
        Arc::new(read(GO_MOVES[number].1).expect("our own weights can be read"))
    });
    Arc::clone(model)
}

fn read(bytes: &[u8]) -> Result<MoveModel, WeightFileError> {
    MoveModel::from_file(&WeightFile::from_bytes(bytes)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_weights_can_be_read() {
        for (most, bytes) in GO_MOVES {
            let model = read(bytes).unwrap_or_else(|e| panic!("up to {most}: {e}"));
            assert!(model.patterns() > 1000);
        }
        for size in [2, 9, 13, 19, 25] {
            assert!(go_moves(size).patterns() > 0);
        }
    }
}
