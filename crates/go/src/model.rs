//! The learned model of the tree: gammas of features and patterns, and its weight file.

use kosumi_learn::{Provenance, WeightFile, WeightFileError};

use crate::features::{FAMILY_FEATURES, FeatureSink, Features, PatternTable};
use crate::{BoardClass, GoMove, Position};

/// What the weight files are of.
const MODEL: &str = "moves of the tree";
/// Changes whenever a feature or the key of a pattern means something else.
const VERSION: u32 = 2;

/// A Bradley-Terry model of moves (N2), as the search uses it.
#[derive(Clone, Debug)]
pub struct MoveModel {
    /// Rising.
    keys: Vec<u32>,
    table: PatternTable,
    /// Log-gammas of the families' features, then of the patterns.
    log_gammas: Vec<f32>,
}

/// Adds up the log-gammas of a move.
struct Strength<'a> {
    log_gammas: &'a [f32],
    sum: f32,
}

impl FeatureSink for Strength<'_> {
    #[inline]
    fn feature(&mut self, feature: u32) {
        self.sum += self.log_gammas[feature as usize];
    }
}

impl MoveModel {
    /// A model with these patterns, by their keys, and these log-gammas: of the features of the
    /// families, then of the patterns in their order.
    ///
    /// # Panics
    /// There are not as many log-gammas as features.
    #[must_use]
    pub fn new(keys: &[u32], log_gammas: &[f32]) -> Self {
        let (families, patterns) = log_gammas.split_at(FAMILY_FEATURES as usize);
        assert_eq!(keys.len(), patterns.len(), "a log-gamma for each pattern");
        let mut both: Vec<(u32, f32)> =
            keys.iter().copied().zip(patterns.iter().copied()).collect();
        both.sort_by_key(|(key, _)| *key);
        both.dedup_by_key(|(key, _)| *key);
        let keys: Vec<u32> = both.iter().map(|(key, _)| *key).collect();
        let mut log_gammas = families.to_vec();
        log_gammas.extend(both.iter().map(|(_, log_gamma)| log_gamma));
        Self { table: PatternTable::new(&keys), keys, log_gammas }
    }

    /// How many patterns it knows.
    #[must_use]
    pub fn patterns(&self) -> usize {
        self.keys.len()
    }

    /// The table of its patterns.
    #[must_use]
    pub fn table(&self) -> &PatternTable {
        &self.table
    }

    /// The log-gammas: of the features of the families, then of the patterns.
    #[must_use]
    pub fn log_gammas(&self) -> &[f32] {
        &self.log_gammas
    }

    /// The logarithm of the strength of each move into `out`, in their order; of a pass that of no
    /// feature at all, 0.
    pub fn log_strengths<C: BoardClass>(
        &self,
        features: &mut Features<C>,
        position: &Position<C>,
        moves: &[GoMove],
        out: &mut Vec<f32>,
    ) {
        out.clear();
        out.resize(moves.len(), 0.0);
        let mut strength = Strength { log_gammas: &self.log_gammas, sum: 0.0 };
        features.for_each(position, &self.table, moves, &mut strength, |strength, place| {
            out[place] = std::mem::take(&mut strength.sum);
        });
    }

    /// The model as a weight file. Gammas of patterns are rounded to a 255th of their range.
    #[must_use]
    pub fn to_file(&self, provenance: Provenance) -> WeightFile {
        let (families, patterns) = self.log_gammas.split_at(FAMILY_FEATURES as usize);
        let mut file = WeightFile::new("go", MODEL, VERSION, provenance);
        file.push_section("families", families.iter().flat_map(|w| w.to_le_bytes()).collect());
        file.push_rising("patterns", self.keys.iter().map(|&key| u64::from(key)));
        let most = patterns.iter().fold(0.0f32, |most, weight| most.max(weight.abs()));
        let unit = if most > 0.0 { most / 127.0 } else { 1.0 };
        file.push_section("unit", unit.to_le_bytes().to_vec());
        let round = |weight: &f32| (weight / unit).round() as i8 as u8;
        file.push_section("gammas", patterns.iter().map(round).collect());
        file
    }

    /// The model in a weight file.
    ///
    /// # Errors
    /// It is another model's, or makes no sense.
    pub fn from_file(file: &WeightFile) -> Result<Self, WeightFileError> {
        file.check("go", MODEL, VERSION)?;
        let wrong = |section: &str, problem: &str| WeightFileError::Section {
            section: section.to_owned(),
            problem: problem.to_owned(),
        };
        let mut log_gammas: Vec<f32> = Vec::new();
        for bytes in file.section("families")?.chunks(4) {
            let bytes = bytes.try_into().map_err(|_| wrong("families", "half a number"))?;
            log_gammas.push(f32::from_le_bytes(bytes));
        }
        if log_gammas.len() != FAMILY_FEATURES as usize {
            let problem = format!("{} features instead of {FAMILY_FEATURES}", log_gammas.len());
            return Err(wrong("families", &problem));
        }
        let key = |key: u64| u32::try_from(key).map_err(|_| wrong("patterns", "too large a key"));
        let keys =
            file.rising("patterns")?.into_iter().map(key).collect::<Result<Vec<u32>, _>>()?;
        let unit = file.section("unit")?.try_into().map_err(|_| wrong("unit", "no number"))?;
        let unit = f32::from_le_bytes(unit);
        let gammas = file.section("gammas")?;
        if gammas.len() != keys.len() {
            let problem = format!("{} weights for {} patterns", gammas.len(), keys.len());
            return Err(wrong("gammas", &problem));
        }
        log_gammas.extend(gammas.iter().map(|&byte| f32::from(byte as i8) * unit));
        if let Some(place) = log_gammas.iter().position(|weight| !weight.is_finite()) {
            return Err(wrong("families", &format!("weight {place} is no number")));
        }
        Ok(Self { table: PatternTable::new(&keys), keys, log_gammas })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Rules, UpTo9};
    use kosumi_game::{Game, Rng};

    fn model() -> MoveModel {
        let mut rng = Rng::new(4);
        let keys: Vec<u32> = (0..1000).map(|_| rng.next_u32()).collect();
        let weight = |_| rng.below(2001) as f32 / 1000.0 - 1.0;
        let log_gammas: Vec<f32> = (0..FAMILY_FEATURES as usize + 1000).map(weight).collect();
        MoveModel::new(&keys, &log_gammas)
    }

    #[test]
    fn a_file_gives_the_same_model_but_for_rounding() {
        let model = model();
        let bytes = model.to_file(Provenance::default()).to_bytes();
        let read = MoveModel::from_file(&WeightFile::from_bytes(&bytes).unwrap()).unwrap();
        assert_eq!(read.keys, model.keys);
        for (a, b) in read.log_gammas.iter().zip(&model.log_gammas) {
            assert!((a - b).abs() < 1.0 / 250.0, "{a} {b}");
        }
        // Rounded once, nothing changes any more.
        assert_eq!(read.to_file(Provenance::default()).to_bytes(), {
            let again = MoveModel::new(&read.keys, &read.log_gammas);
            again.to_file(Provenance::default()).to_bytes()
        });
    }

    #[test]
    fn nonsense_is_refused_with_its_section() {
        let refused = |section: &str, bytes: &[u8], says: &str| {
            let good = model().to_file(Provenance::default());
            let mut file = WeightFile::new("go", MODEL, VERSION, Provenance::default());
            for name in ["families", "patterns", "unit", "gammas"] {
                let bytes = if name == section { bytes } else { good.section(name).unwrap() };
                file.push_section(name, bytes.to_vec());
            }
            let error = MoveModel::from_file(&file).unwrap_err().to_string();
            assert!(error.contains(section) && error.contains(says), "{error}");
        };
        refused("families", &[1, 2, 3], "half a number");
        refused("families", &[0; 8], "2 features instead of");
        refused("patterns", &[200], "half a key");
        refused("patterns", &[1, 0], "do not rise");
        refused("patterns", &[255, 255, 255, 255, 15, 1], "too large a key");
        refused("patterns", &[255; 9], "half a key");
        refused("unit", &[1], "no number");
        refused("gammas", &[1], "1 weights for");
        let other = WeightFile::new("hex", MODEL, VERSION, Provenance::default());
        assert!(MoveModel::from_file(&other).is_err());
    }

    #[test]
    fn strengths_are_sums_of_the_features() {
        let model = model();
        let mut position = Position::<UpTo9>::new(9, Rules::CHINESE).unwrap();
        position.play(position.parse_move("E5").unwrap());
        let moves: Vec<GoMove> =
            ["C3", "pass", "E6"].map(|text| position.parse_move(text).unwrap()).to_vec();
        let mut features = Features::default();
        let mut strengths = Vec::new();
        model.log_strengths(&mut features, &position, &moves, &mut strengths);
        struct Sum<'a>(&'a MoveModel, f32);
        impl FeatureSink for Sum<'_> {
            fn feature(&mut self, feature: u32) {
                self.1 += self.0.log_gammas()[feature as usize];
            }
        }
        let mut sum = Sum(&model, 0.0);
        features.for_each(&position, model.table(), &moves[2..], &mut sum, |_, _| {});
        assert_eq!(strengths[1], 0.0);
        assert!((strengths[2] - sum.1).abs() < 1e-5);
    }
}
