//! The learned model of playouts: gammas of reasons and shapes, and its weight file.

use kosumi_learn::{Provenance, WeightFile, WeightFileError};

use super::answers::{self, REASONS, SELF_ATARI};
use super::shapes::Shapes;
use crate::features::FeatureSink;
use crate::{BoardClass, GoMove, Point, Position, playout};

/// Changes whenever a feature means something else.
const VERSION: u32 = 1;
/// How many moves of a ladder are read for learning.
const LADDER: u32 = 20;

/// The Bradley-Terry model that playouts draw moves by (N5).
#[derive(Clone, Debug, PartialEq)]
pub struct PlayoutModel {
    /// Log-gammas of the reasons, then of the shapes.
    log_gammas: Vec<f32>,
}

impl PlayoutModel {
    /// What the weight files are of.
    pub const NAME: &str = "moves of playouts";

    /// How many features a model has.
    #[must_use]
    pub fn features() -> usize {
        REASONS + Shapes::get().count()
    }

    /// A model with these log-gammas.
    ///
    /// # Panics
    /// There are not as many as features.
    #[must_use]
    pub fn new(log_gammas: Vec<f32>) -> Self {
        assert_eq!(log_gammas.len(), Self::features(), "a log-gamma for each feature");
        Self { log_gammas }
    }

    /// The log-gammas of all features.
    #[must_use]
    pub fn log_gammas(&self) -> &[f32] {
        &self.log_gammas
    }

    pub(super) fn reasons(&self) -> &[f32] {
        &self.log_gammas[..REASONS]
    }

    pub(super) fn shapes(&self) -> &[f32] {
        &self.log_gammas[REASONS..]
    }

    /// Calls `team` with each of the moves but passes after its features went to the sink.
    pub fn for_each<C: BoardClass, S: FeatureSink>(
        position: &Position<C>,
        moves: &[GoMove],
        sink: &mut S,
        mut team: impl FnMut(&mut S, usize),
    ) {
        let (board, player) = (position.board(), position.to_move());
        let [last, before, ..] = position.last_moves().map(|mv| mv.point().unwrap_or(Point::NONE));
        let mut reasons = Vec::with_capacity(32);
        answers::answers(board, player, [last, before], LADDER, |p, reason| {
            reasons.push((p, reason))
        });
        for (place, mv) in moves.iter().enumerate() {
            let Some(p) = mv.point() else { continue };
            for (_, reason) in reasons.iter().filter(|(at, _)| *at == p) {
                sink.feature(*reason as u32);
            }
            if playout::is_bad_self_atari(board, p, player) {
                sink.feature(SELF_ATARI as u32);
            }
            if let Some(shape) = Shapes::get().number(board.code(p), player) {
                sink.feature((REASONS + shape) as u32);
            }
            team(sink, place);
        }
    }

    /// The model as a weight file.
    #[must_use]
    pub fn to_file(&self, provenance: Provenance) -> WeightFile {
        let mut file = WeightFile::new("go", Self::NAME, VERSION, provenance);
        let bytes = |list: &[f32]| list.iter().flat_map(|weight| weight.to_le_bytes()).collect();
        file.push_section("reasons", bytes(self.reasons()));
        file.push_section("shapes", bytes(self.shapes()));
        file
    }

    /// The model in a weight file.
    ///
    /// # Errors
    /// It is another model's, or makes no sense.
    pub fn from_file(file: &WeightFile) -> Result<Self, WeightFileError> {
        file.check("go", Self::NAME, VERSION)?;
        let mut log_gammas = Vec::new();
        for (section, count) in [("reasons", REASONS), ("shapes", Shapes::get().count())] {
            let wrong = |problem| WeightFileError::Section { section: section.to_owned(), problem };
            let (words, rest) = file.section(section)?.as_chunks::<4>();
            if words.len() != count || !rest.is_empty() {
                let bytes = 4 * words.len() + rest.len();
                return Err(wrong(format!("{bytes} bytes instead of {}", 4 * count)));
            }
            let weights = words.iter().map(|word| f32::from_le_bytes(*word));
            if let Some(place) = weights.clone().position(|weight| !weight.is_finite()) {
                return Err(wrong(format!("weight {place} is no number")));
            }
            log_gammas.extend(weights);
        }
        Ok(Self { log_gammas })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model() -> PlayoutModel {
        let weight = |number| number as f32 / 100.0 - 2.0;
        PlayoutModel::new((0..PlayoutModel::features()).map(weight).collect())
    }

    #[test]
    fn a_file_gives_the_same_model() {
        let bytes = model().to_file(Provenance::default()).to_bytes();
        let read = PlayoutModel::from_file(&WeightFile::from_bytes(&bytes).unwrap()).unwrap();
        assert_eq!(read, model());
    }

    #[test]
    fn nonsense_is_refused_with_its_section() {
        let refused = |section: &str, bytes: Vec<u8>, says: &str| {
            let good = model().to_file(Provenance::default());
            let mut file =
                WeightFile::new("go", PlayoutModel::NAME, VERSION, Provenance::default());
            for name in ["reasons", "shapes"] {
                let good = good.section(name).unwrap().to_vec();
                file.push_section(name, if name == section { bytes.clone() } else { good });
            }
            let error = PlayoutModel::from_file(&file).unwrap_err().to_string();
            assert!(error.contains(section) && error.contains(says), "{error}");
        };
        refused("reasons", vec![0; 7], "7 bytes instead of 72");
        refused("shapes", vec![0; 8], "8 bytes instead of");
        refused("reasons", f32::NAN.to_le_bytes().repeat(REASONS), "weight 0 is no number");
        let other = WeightFile::new("go", "moves of the tree", VERSION, Provenance::default());
        assert!(PlayoutModel::from_file(&other).is_err());
    }
}
