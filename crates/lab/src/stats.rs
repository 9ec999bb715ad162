//! What the games of a match say about its players: score, interval, Elo.
//!
//! Games 2n - 1 and 2n of a match are a pair: one opening, colours exchanged. An opening that
//! favours one colour gives each player a point of the pair, so the two games are not independent
//! and the pair, not the game, is the unit that repeats. [`PairCounts`] counts the points of
//! pairs and takes the variance from them; a first-move advantage then narrows the interval as it
//! should. [`Score`] counts single games and takes them as independent.
//!
//! Measured on synthetic players (`tests/statistics.rs`, 10,000 matches a case; 0, 50 and 150 Elo;
//! 100 and 400 games; openings that favour a colour or suit a player; with and without draws): the
//! interval from pairs covers the truth in 94.7 to 95.7 % of the matches. Where few pairs tell
//! anything (20 games, or a first move worth 600 Elo) it is 94.0 to 97.7 %. For independent games
//! without draws Wilson's interval covers in 94.0 to 95.3 %; with a third of draws it is too wide
//! and covers in 98 %.

use std::collections::BTreeMap;

use crate::game::{PlayedGame, Side};

/// 95 % of a normal distribution lie within so many standard deviations.
pub(crate) const Z95: f64 = 1.959_963_984_540_054;

/// A number and its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Estimate {
    /// The best single value.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl Estimate {
    /// The same estimate on another scale; the function must grow.
    #[must_use]
    pub fn map(self, scale: impl Fn(f64) -> f64) -> Self {
        Self { value: scale(self.value), low: scale(self.low), high: scale(self.high) }
    }

    /// The 95 % interval of a normal distribution.
    pub(crate) fn normal(value: f64, deviation: f64) -> Self {
        Self { value, low: value - Z95 * deviation, high: value + Z95 * deviation }
    }

    /// Wilson's interval of a rate after so many independent games. The ends of the scale belong
    /// to it exactly when the rate is at them, so that their Elo is infinite.
    fn wilson(rate: f64, games: f64) -> Self {
        if games == 0.0 {
            return Self { value: rate, low: 0.0, high: 1.0 };
        }
        let z2 = Z95 * Z95;
        let middle = rate + z2 / (2.0 * games);
        let spread = Z95 * (rate * (1.0 - rate) / games + z2 / (4.0 * games * games)).sqrt();
        let scale = 1.0 + z2 / games;
        let low = if rate <= 0.0 { 0.0 } else { ((middle - spread) / scale).max(0.0) };
        let high = if rate >= 1.0 { 1.0 } else { ((middle + spread) / scale).min(1.0) };
        Self { value: rate, low, high }
    }
}

/// Wins, draws and losses of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Score {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

impl std::ops::Add for Score {
    type Output = Score;

    fn add(self, other: Score) -> Score {
        Score {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
        }
    }
}

impl Score {
    /// How many games there were.
    #[must_use]
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// The share of points, a draw being half of one; ½ before the first game.
    #[must_use]
    pub fn rate(&self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => (f64::from(self.wins) + 0.5 * f64::from(self.draws)) / f64::from(games),
        }
    }

    /// Wilson's 95 % interval of the rate. Draws make the true interval narrower, so it is safe.
    #[must_use]
    pub fn interval(&self) -> (f64, f64) {
        let Estimate { low, high, .. } = Estimate::wilson(self.rate(), f64::from(self.games()));
        (low, high)
    }

    /// The chance that this side is the stronger one, as far as these games say, taking them as
    /// independent; draws say nothing.
    #[must_use]
    pub fn likelihood_of_superiority(&self) -> f64 {
        let (wins, losses) = (f64::from(self.wins), f64::from(self.losses));
        normal_below((wins - losses) / (wins + losses).max(1.0).sqrt())
    }
}

/// The difference in Elo that a rate of points means; infinite at 0 and 1.
#[must_use]
pub fn elo(rate: f64) -> f64 {
    -400.0 * (1.0 / rate - 1.0).log10()
}

/// The rate of points that a difference in Elo means.
#[must_use]
pub fn elo_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// How much of a standard normal distribution lies below `x`.
pub(crate) fn normal_below(x: f64) -> f64 {
    0.5 * libm::erfc(-x / std::f64::consts::SQRT_2)
}

/// How many pairs of games gave A 0, ½, 1, 1½ and 2 points, and the games whose partner is not
/// there yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PairCounts {
    pairs: [u32; 5],
    /// The half points of A in the one game so far of each open pair, by the number of the pair.
    open: BTreeMap<u32, u8>,
}

impl From<[u32; 5]> for PairCounts {
    /// From the numbers of pairs in which A made 0, ½, 1, 1½ and 2 points.
    fn from(pairs: [u32; 5]) -> Self {
        Self { pairs, open: BTreeMap::new() }
    }
}

impl PairCounts {
    /// The pairs of these games, in whatever order.
    #[must_use]
    pub fn of<'a>(games: impl IntoIterator<Item = &'a PlayedGame>) -> Self {
        let mut counts = Self::default();
        for game in games {
            counts.add(game);
        }
        counts
    }

    /// Adds a game that was not added before.
    pub fn add(&mut self, game: &PlayedGame) {
        self.add_result(game.number, game.winner);
    }

    /// Adds the result of a game, by its number from 1; `None` is a draw.
    pub fn add_result(&mut self, number: u32, winner: Option<Side>) {
        let half_points = match winner {
            Some(Side::A) => 2,
            None => 1,
            Some(Side::B) => 0,
        };
        let pair = number.div_ceil(2);
        match self.open.remove(&pair) {
            Some(partner) => self.pairs[usize::from(partner + half_points)] += 1,
            None => {
                self.open.insert(pair, half_points);
            }
        }
    }

    /// How many pairs gave A 0, ½, 1, 1½ and 2 points.
    #[must_use]
    pub fn pairs(&self) -> [u32; 5] {
        self.pairs
    }

    /// How many games still wait for their partner.
    #[must_use]
    pub fn unpaired(&self) -> usize {
        self.open.len()
    }

    /// A's rate of points with its 95 % interval: Wilson's with as many independent games as would
    /// vary like these pairs. A game without partner counts as a small pair of its own.
    #[must_use]
    pub fn rate(&self) -> Estimate {
        let (rate, games) = self.equivalent();
        Estimate::wilson(rate, games)
    }

    /// A's Elo over B with its 95 % interval; infinite where only wins or losses say so.
    #[must_use]
    pub fn elo(&self) -> Estimate {
        self.rate().map(elo)
    }

    /// The chance that A is stronger than B, as far as these games say. It is above 97.5 % exactly
    /// when the interval of the rate lies above ½.
    #[must_use]
    pub fn likelihood_of_superiority(&self) -> f64 {
        let (rate, games) = self.equivalent();
        normal_below((rate - 0.5) * 2.0 * games.sqrt())
    }

    /// The rate, and the number of independent games without draws whose rate has its variance.
    fn equivalent(&self) -> (f64, f64) {
        // Groups that are independent of one another: how many, games in each, points.
        let pairs = self.pairs.iter().zip(0u8..).map(|(&n, half)| (f64::from(n), 2.0, half));
        let singles = self.open.values().map(|&half| (1.0, 1.0, half));
        let groups = pairs.chain(singles).map(|(n, games, half)| (n, games, 0.5 * f64::from(half)));
        let (mut count, mut games, mut points) = (0.0, 0.0, 0.0);
        for (n, size, sum) in groups.clone() {
            count += n;
            games += n * size;
            points += n * sum;
        }
        if count == 0.0 {
            return (0.5, 0.0);
        }
        let rate: f64 = points / games;
        let squares: f64 = groups.map(|(n, size, sum)| n * (sum - size * rate).powi(2)).sum();
        // The variance of the mean of a group, as for a ratio of sums over groups.
        let size = games / count;
        let variance = squares / (size * size) / f64::max(count - 1.0, 1.0);
        // No group varies more than one whose games all end alike, and few groups alike do not
        // prove that none would differ: PRIOR groups of that greatest variance are added to the
        // sample, so that the interval never has no width.
        let most = rate * (1.0 - rate);
        let prior = 0.25 * PRIOR;
        let groups = count * (count * most + prior) / (count * variance + prior);
        (rate, groups.max(count))
    }
}

/// How many groups of greatest variance the estimate of the variance starts from.
const PRIOR: f64 = 1.0;

/// The probability of log odds.
pub(crate) fn logistic(q: f64) -> f64 {
    1.0 / (1.0 + (-q).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-4
    }

    #[test]
    fn wilson_as_in_the_books() {
        let score = |wins, draws, losses| Score { wins, draws, losses };
        // Worked by hand for 85 of 100: middle (0.85 + 0.019207) / 1.038415 = 0.837052,
        // spread 1.959964 * sqrt(0.001275 + 0.000096) / 1.038415 = 0.069889.
        let (low, high) = score(85, 0, 15).interval();
        assert!(close(low, 0.767164) && close(high, 0.906941), "{low} {high}");
        // No win in ten games leaves room up to z² / (n + z²).
        let (low, high) = score(0, 0, 10).interval();
        assert!(close(low, 0.0) && close(high, 3.841459 / 13.841459));
        assert_eq!(score(0, 0, 0).interval(), (0.0, 1.0));
        assert_eq!(score(3, 2, 3).rate(), 0.5);
    }

    #[test]
    fn elo_as_in_the_books() {
        assert!(close(elo(0.5), 0.0));
        assert!(close(elo(10.0 / 11.0), 400.0));
        assert!(close(elo(0.25), -190.8485));
        assert_eq!(elo(1.0), f64::INFINITY);
        assert_eq!(elo(0.0), f64::NEG_INFINITY);
        assert!(close(elo_score(400.0), 10.0 / 11.0) && close(elo(elo_score(-35.0)), -35.0));
    }

    #[test]
    fn games_find_their_partners_in_any_order() {
        let (a, b) = (Some(Side::A), Some(Side::B));
        let results = [(4, b), (1, a), (2, a), (7, b), (8, b), (3, a), (5, None), (9, a), (6, a)];
        let games: Vec<_> =
            results.map(|(number, winner)| PlayedGame::won_by(number, winner)).into();
        let counts = PairCounts::of(&games);
        assert_eq!(counts.pairs(), [1, 0, 1, 1, 1]);
        assert_eq!(counts.unpaired(), 1);
        // 2 + 1 + 1½ + 0 + 1 points of 9.
        assert!(close(counts.rate().value, 5.5 / 9.0));
        let mut fewer = PairCounts::default();
        fewer.add(&games[0]);
        assert_eq!((fewer.pairs(), fewer.unpaired()), ([0; 5], 1));
        assert_eq!(fewer.elo().value, f64::NEG_INFINITY);
        assert!(fewer.rate().high > 0.5, "one game is no proof");
    }

    #[test]
    fn pairs_that_all_end_alike_leave_an_interval() {
        // Ten pairs of 1 - 1: 10 * (10 / 4 + 1 / 4) / (0 + 1 / 4) = 110 games' worth, so Wilson's
        // spread is z / 2 / sqrt(110 + z²) = 0.979982 / 10.669652.
        let even = PairCounts::from([0, 0, 10, 0, 0]);
        assert!(close(even.rate().high, 0.5 + 0.091847), "{:?}", even.rate());
        assert!(close(even.rate().low, 0.5 - 0.091847));
        assert_eq!(even.likelihood_of_superiority(), 0.5);
        // Ten pairs of 2 - 0 are worth no more than ten games: from n / (n + z²) up.
        let won = PairCounts::from([0, 0, 0, 0, 10]);
        assert!(close(won.rate().low, 10.0 / 13.841459));
        assert_eq!((won.elo().value, won.elo().high), (f64::INFINITY, f64::INFINITY));
        assert!(won.elo().low.is_finite() && won.likelihood_of_superiority() > 0.99);
        let lost = PairCounts::from([10, 0, 0, 0, 0]);
        assert_eq!((lost.elo().value, lost.elo().low), (f64::NEG_INFINITY, f64::NEG_INFINITY));
        assert!(close(lost.rate().high, 3.841459 / 13.841459));
        let nothing = PairCounts::default();
        assert_eq!(nothing.rate(), Estimate { value: 0.5, low: 0.0, high: 1.0 });
        assert_eq!(nothing.likelihood_of_superiority(), 0.5);
    }

    #[test]
    fn correlation_within_pairs_widens_or_narrows() {
        let width = |pairs| {
            let rate = PairCounts::from(pairs).rate();
            assert_eq!(rate.value, 0.5);
            rate.high - rate.low
        };
        let independent = width([25, 0, 50, 0, 25]);
        let (low, high) = Score { wins: 100, draws: 0, losses: 100 }.interval();
        assert!((independent / (high - low) - 1.0).abs() < 0.02, "as 200 games");
        assert!(width([5, 0, 90, 0, 5]) < 0.6 * independent, "openings that decide for a colour");
        assert!(width([50, 0, 0, 0, 50]) > 1.3 * independent, "openings that decide for a player");
    }

    #[test]
    fn superiority_as_in_the_books() {
        // 10 / sqrt(20) = 2.236 standard deviations.
        let score = Score { wins: 15, draws: 7, losses: 5 };
        assert!(close(score.likelihood_of_superiority(), 0.987326));
        assert_eq!(Score::default().likelihood_of_superiority(), 0.5);
        assert!(close(normal_below(Z95), 0.975));
        let mut sure = 0;
        for won in 0..30 {
            let counts = PairCounts::from([10, 2, 20, 3, won]);
            let claimed = counts.likelihood_of_superiority() > 0.975;
            assert_eq!(claimed, counts.rate().low > 0.5, "{won}");
            sure += u32::from(claimed);
        }
        assert!((1..30).contains(&sure));
    }
}
