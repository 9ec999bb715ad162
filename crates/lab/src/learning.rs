//! Learning from game records, and how well the result predicts moves (N2 to N4).
//!
//! Games are read once and kept as moves, which is small; positions and their features are made anew
//! in every pass, which is faster than any disk and needs no memory. [`learn_go`] counts patterns,
//! learns, and writes what it has down as it goes; [`predict_go`] measures a model on games. There are
//! two kinds of models ([`LearnSubject`]), one for the tree and one for playouts.

mod decisions;
mod games;
mod harvest;
mod model;
mod predict;
mod run;

pub use decisions::GoDecisions;
pub use games::{GameMoves, GamesRead, Part, ReadGamesError, Skipped, read_games};
pub use harvest::frequent_patterns;
pub use model::{GoModel, GoView, LearnSubject};
pub use predict::{PredictionReport, predict_go};
pub use run::{LearnError, LearnMethod, LearnObserver, LearnOptions, NoLearnObserver, learn_go};
