//! The gammas of patterns (H8), and their weight file.

use std::sync::{Arc, OnceLock};

use kosumi_game::math;
use kosumi_learn::{Provenance, WeightFile, WeightFileError};

use super::class::Prunable;
use super::code::{Extent, PatternKey};
use super::surroundings::Surroundings;
use super::table::PatternTable;
use crate::Colour;
use crate::geometry::Point;

/// Changes whenever a key means something else.
const VERSION: u32 = 1;
/// In weight files log-gammas are whole multiples of this.
const STEP: f32 = 1.0 / 1024.0;

/// Says whether a pattern is prunable, and why.
type Judge = Arc<dyn Fn(PatternKey) -> Option<Prunable> + Send + Sync>;

/// Learned patterns, as tree and playouts use them.
#[derive(Clone)]
pub struct PatternModel {
    /// Rising.
    keys: Vec<PatternKey>,
    table: PatternTable,
    /// As learned.
    log_gammas: Vec<f32>,
    gammas: Vec<f32>,
    /// Who says which patterns are prunable, if that is of interest.
    judge: Option<Judge>,
    /// What was said: each is asked for when it first comes up, for most patterns never do.
    classes: Vec<OnceLock<Option<Prunable>>>,
}

impl std::fmt::Debug for PatternModel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PatternModel of {} patterns", self.keys.len())
    }
}

impl PatternModel {
    /// What the weight files are of.
    pub const NAME: &str = "patterns";

    /// A model with these patterns and their log-gammas.
    ///
    /// # Panics
    /// There are not as many log-gammas as patterns.
    #[must_use]
    pub fn new(keys: &[PatternKey], log_gammas: &[f32]) -> Self {
        assert_eq!(keys.len(), log_gammas.len(), "a log-gamma for each pattern");
        let mut both: Vec<(PatternKey, f32)> =
            keys.iter().copied().zip(log_gammas.iter().copied()).collect();
        both.sort_by_key(|(key, _)| *key);
        both.dedup_by_key(|(key, _)| *key);
        let (keys, log_gammas): (Vec<_>, Vec<_>) = both.into_iter().unzip();
        Self {
            table: PatternTable::new(&keys),
            gammas: log_gammas.iter().map(|&theta| math::exp(theta)).collect(),
            judge: None,
            classes: vec![OnceLock::new(); keys.len()],
            keys,
            log_gammas,
        }
    }

    /// From now on this judge says which patterns are prunable; their gammas are reset (H8). The
    /// patterns lie as Black to move sees them.
    pub fn classify(
        &mut self,
        judge: impl Fn(PatternKey) -> Option<Prunable> + Send + Sync + 'static,
    ) {
        self.judge = Some(Arc::new(judge));
        self.classes.fill(OnceLock::new());
    }

    /// Why a pattern is prunable, if it is.
    #[inline]
    fn class(&self, number: usize) -> Option<Prunable> {
        let judge = self.judge.as_ref()?;
        *self.classes[number].get_or_init(|| judge(self.keys[number]))
    }

    /// The gamma in use of a pattern.
    #[inline]
    fn gamma(&self, number: usize) -> f32 {
        self.class(number).map_or(self.gammas[number], Prunable::gamma)
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

    /// The log-gammas of its patterns as they were learned, by number.
    #[must_use]
    pub fn log_gammas(&self) -> &[f32] {
        &self.log_gammas
    }

    /// All patterns with the gammas in use.
    pub fn gammas(&self) -> impl Iterator<Item = (PatternKey, f32)> {
        self.keys.iter().copied().enumerate().map(|(number, key)| (key, self.gamma(number)))
    }

    /// The gamma in use of the largest known pattern of a code with no more cells than `most`.
    pub(crate) fn gamma_within(
        &self,
        most: Extent,
        code: u64,
        colour: Colour,
        last: Option<usize>,
    ) -> Option<f32> {
        let number = self.table.largest_within(most, code, colour, last)?;
        Some(self.gamma(number as usize))
    }

    /// The strength of a move (H9): its global and its local gamma, added.
    #[must_use]
    pub fn strength(&self, around: &Surroundings, at: Point) -> f32 {
        self.judged(around, at).0
    }

    /// The strength of a move, and the pattern for which it is prunable, with the reason.
    #[inline]
    pub(super) fn judged(
        &self,
        around: &Surroundings,
        at: Point,
    ) -> (f32, Option<(PatternKey, Prunable)>) {
        let (global, local) = around.known(at, &self.table);
        let gamma = |number: u32| self.gamma(number as usize);
        let prunable = [global, local].into_iter().flatten().find_map(|number| {
            let number = number as usize;
            Some((self.keys[number], self.class(number)?))
        });
        (global.map_or(1.0, gamma) + local.map_or(0.0, gamma), prunable)
    }

    /// The model as a weight file. Log-gammas are rounded to a 1024th.
    #[must_use]
    pub fn to_file(&self, provenance: Provenance) -> WeightFile {
        let mut file = WeightFile::new("hex", Self::NAME, VERSION, provenance);
        file.push_rising("keys", self.keys.iter().map(|key| key.bits()));
        let round = |theta: &f32| ((theta / STEP).round() as i16).to_le_bytes();
        file.push_section("gammas", self.log_gammas.iter().flat_map(round).collect());
        file
    }

    /// The model in a weight file.
    ///
    /// # Errors
    /// It is another model's, or makes no sense.
    pub fn from_file(file: &WeightFile) -> Result<Self, WeightFileError> {
        file.check("hex", Self::NAME, VERSION)?;
        let wrong = |section: &str, problem: &str| WeightFileError::Section {
            section: section.to_owned(),
            problem: problem.to_owned(),
        };
        let key = |(number, bits): (usize, u64)| {
            let problem = || format!("key {number} is that of no pattern");
            PatternKey::from_bits(bits).ok_or_else(|| wrong("keys", &problem()))
        };
        let keys = file.rising("keys")?.into_iter().enumerate().map(key);
        let keys = keys.collect::<Result<Vec<PatternKey>, _>>()?;
        let (gammas, rest) = file.section("gammas")?.as_chunks::<2>();
        if gammas.len() != keys.len() || !rest.is_empty() {
            let bytes = 2 * gammas.len() + rest.len();
            let problem = format!("{bytes} bytes for {} patterns", keys.len());
            return Err(wrong("gammas", &problem));
        }
        let theta = |bytes: &[u8; 2]| f32::from(i16::from_le_bytes(*bytes)) * STEP;
        let log_gammas: Vec<f32> = gammas.iter().map(theta).collect();
        Ok(Self::new(&keys, &log_gammas))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Hex, HexRules};
    use kosumi_game::{Game, Rng};

    fn model() -> PatternModel {
        let mut rng = Rng::new(4);
        let mut keys = Vec::new();
        for _ in 0..300 {
            // No corners in it: no two bits of a place at once.
            let (own, all) = (rng.next_u64(), rng.next_u64());
            let first = 0x5_5555_5555;
            let code = own & all & first | (all & !own & first) << 1;
            let extent = Extent::ALL[rng.below(3) as usize];
            keys.push(PatternKey::new(code, Colour::Black, extent, None));
            let last = rng.below(6) as usize;
            let code = code & !(3 << (2 * last)) | 2 << (2 * last);
            keys.push(PatternKey::new(code, Colour::Black, extent, Some(last)));
        }
        let thetas: Vec<f32> = keys.iter().map(|_| rng.below(4096) as f32 / 512.0 - 4.0).collect();
        PatternModel::new(&keys, &thetas)
    }

    #[test]
    fn a_file_gives_the_same_model() {
        let model = model();
        let bytes = model.to_file(Provenance::default()).to_bytes();
        let read = PatternModel::from_file(&WeightFile::from_bytes(&bytes).unwrap()).unwrap();
        assert_eq!(read.keys, model.keys);
        assert_eq!(read.log_gammas, model.log_gammas);
    }

    #[test]
    fn nonsense_is_refused_with_its_section() {
        let refused = |section: &str, bytes: &[u8], says: &str| {
            let good = model().to_file(Provenance::default());
            let mut file =
                WeightFile::new("hex", PatternModel::NAME, VERSION, Provenance::default());
            for name in ["keys", "gammas"] {
                let bytes = if name == section { bytes } else { good.section(name).unwrap() };
                file.push_section(name, bytes.to_vec());
            }
            let error = PatternModel::from_file(&file).unwrap_err().to_string();
            assert!(error.contains(section) && error.contains(says), "{error}");
        };
        refused("keys", &[200], "half a key");
        refused("keys", &[255; 12], "half a key");
        refused("keys", &[1, 0], "do not rise");
        refused("keys", &[64], "key 0 is that of no pattern");
        refused("gammas", &[1], "1 bytes for");
        let other = WeightFile::new("go", PatternModel::NAME, VERSION, Provenance::default());
        assert!(PatternModel::from_file(&other).is_err());
    }

    #[test]
    fn strengths_are_sums() {
        let mut game = Hex::new(5, HexRules { swap: false }).unwrap();
        game.play(game.parse_move("c3").unwrap());
        let around = Surroundings::of(&game);
        let [c2, e5] = [Point::new(3, 2), Point::new(5, 5)];
        let (global, local) = around.keys(c2, Extent::Six);
        let model = PatternModel::new(&[global, local.unwrap()], &[3f32.ln(), 2f32.ln()]);
        assert!((model.strength(&around, c2) - 5.0).abs() < 1e-4);
        assert_eq!(model.strength(&around, e5), 1.0, "nothing is known");
        let only_local = PatternModel::new(&[local.unwrap()], &[2f32.ln()]);
        assert!((only_local.strength(&around, c2) - 3.0).abs() < 1e-4);
        let mut inferior = model;
        inferior.classify(|key: PatternKey| key.last().is_none().then_some(Prunable::Captured));
        assert!((inferior.strength(&around, c2) - 2.00001).abs() < 1e-4);
        inferior.classify(|_| None);
        assert!((inferior.strength(&around, c2) - 5.0).abs() < 1e-4);
    }
}
