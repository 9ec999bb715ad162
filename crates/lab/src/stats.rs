//! What the games of a match say about its players: score, interval, Elo.

/// 95 % of a normal distribution lie within so many standard deviations.
const Z95: f64 = 1.959_963_984_540_054;

/// Wins, draws and losses of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
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
        let games = f64::from(self.games());
        if games == 0.0 {
            return (0.0, 1.0);
        }
        let rate = self.rate();
        let z2 = Z95 * Z95;
        let middle = rate + z2 / (2.0 * games);
        let spread = Z95 * (rate * (1.0 - rate) / games + z2 / (4.0 * games * games)).sqrt();
        let scale = 1.0 + z2 / games;
        (((middle - spread) / scale).max(0.0), ((middle + spread) / scale).min(1.0))
    }
}

/// The difference in Elo that a rate of points means; infinite at 0 and 1.
#[must_use]
pub fn elo(rate: f64) -> f64 {
    -400.0 * (1.0 / rate - 1.0).log10()
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
    }
}
