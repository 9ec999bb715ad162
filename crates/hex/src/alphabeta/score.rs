//! What alpha-beta compares.

use std::ops::Neg;

use kosumi_game::math::logistic;

/// What a position is worth to a player: thousandths of the circuit's `ln(R_opponent / R_own)`, or
/// a win that is certain. Whole numbers, so that a null window is one wide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Score(i32);

impl Score {
    /// The player wins.
    pub const WON: Self = Self(1_000_000);
    /// The opponent wins.
    pub const LOST: Self = Self(-Self::WON.0);
    /// Both stand equally well.
    pub const EVEN: Self = Self(0);

    /// No evaluation says more than this: what is certain is another matter.
    const MOST: f64 = 100_000.0;

    /// Of the circuit's [`advantage`](crate::Flow::advantage).
    #[must_use]
    pub fn of_circuit(advantage: f64) -> Self {
        Self((1000.0 * advantage).clamp(-Self::MOST, Self::MOST).round() as i32)
    }

    /// Whether the player wins for certain.
    #[must_use]
    pub fn is_won(self) -> bool {
        self == Self::WON
    }

    /// Whether the opponent wins for certain.
    #[must_use]
    pub fn is_lost(self) -> bool {
        self == Self::LOST
    }

    /// The circuit's `ln(R_opponent / R_own)`; infinite for what is certain.
    #[must_use]
    pub fn advantage(self) -> f64 {
        match self {
            Self::WON => f64::INFINITY,
            Self::LOST => f64::NEG_INFINITY,
            Self(thousandths) => f64::from(thousandths) / 1000.0,
        }
    }

    /// A number from 0 to 1 that rises with the score: `R_opponent / (R_opponent + R_own)`.
    #[must_use]
    pub fn chance(self) -> f32 {
        logistic(self.advantage() as f32)
    }

    /// The next one above: with it, a window that holds no score.
    pub(super) fn above(self) -> Self {
        Self(self.0 + 1)
    }

    /// Between two scores. What is certain stays so.
    pub(super) fn mean(self, other: Self) -> Self {
        if self.0.abs() == Self::WON.0 { self } else { Self((self.0 + other.0) / 2) }
    }

    /// How far two evaluations are apart, as a loss for the player.
    pub(super) fn missed_by(self, aim: Self) -> Self {
        Self(-(self.0 - aim.0).abs())
    }

    pub(super) fn to_bits(self) -> u32 {
        self.0 as u32
    }

    pub(super) fn from_bits(bits: u32) -> Self {
        Self(bits as i32)
    }
}

/// The same for the opponent.
impl Neg for Score {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_shares_of_the_resistance() {
        // R_own = 1, R_opponent = 3: ln 3 = 1.0986.
        let score = Score::of_circuit(1.0986);
        assert!((score.chance() - 0.75).abs() < 1e-4);
        assert!(((-score).chance() - 0.25).abs() < 1e-4);
        assert_eq!((Score::WON.chance(), Score::LOST.chance()), (1.0, 0.0));
    }

    #[test]
    fn no_evaluation_is_certain() {
        for advantage in [f64::INFINITY, 1e9] {
            let score = Score::of_circuit(advantage);
            assert!(score < Score::WON && -score > Score::LOST);
        }
        assert_eq!(Score::WON.mean(Score::EVEN), Score::WON);
        assert_eq!(Score::of_circuit(0.5).mean(Score::of_circuit(0.1)), Score::of_circuit(0.3));
    }
}
