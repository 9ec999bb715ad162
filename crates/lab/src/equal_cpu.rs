//! Matches at equal CPU time: player A's simulations are fitted from game to game.
//!
//! A fixed number of simulations takes more CPU time on a busy machine, and other programs end a search
//! by rules of their own, so no number chosen beforehand makes the times of both sides equal over a whole
//! match. Here each game gets the number that, by the games so far, brings the sums together. It depends
//! on CPU times alone, never on who won.

use serde::{Deserialize, Serialize};

use crate::game::PlayedGame;
use crate::player::{Player, SIMULATIONS};

/// Player A's simulations follow the CPU time of player B.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct EqualCpu {
    /// The simulations of A in the first game.
    pub start: u64,
}

/// The speed of the machine and the length of games are those of so many last games, and a difference so
/// far is made good in as many. With fewer a single long game shows in the strength of the next ones, with
/// more the end of a match comes before the sums are equal.
const GAMES_TO_MEND: usize = 10;
/// No game has more than so many times the simulations of the first, nor fewer than that part of them.
const MOST_CHANGE: f64 = 8.0;

impl EqualCpu {
    /// Fits the simulations of A, from this number on.
    #[must_use]
    pub const fn from(start: u64) -> Self {
        Self { start }
    }

    /// Whether a player can be told its simulations.
    pub(crate) fn fits(player: &Player) -> bool {
        player.command.iter().any(|word| word.contains(SIMULATIONS))
    }

    /// The simulations of A in the game after these. Games whose CPU times the system did not tell count
    /// nothing.
    pub(crate) fn simulations(&self, games: &[PlayedGame]) -> u64 {
        let told = |game: &PlayedGame| match (game.cpu_seconds, game.simulations) {
            ([Some(a), Some(b)], Some(simulations)) => Some([a, b, simulations as f64]),
            _ => None,
        };
        let told: Vec<[f64; 3]> = games.iter().filter_map(told).collect();
        let last = &told[told.len().saturating_sub(GAMES_TO_MEND)..];
        let sum =
            |games: &[[f64; 3]], what: usize| games.iter().map(|game| game[what]).sum::<f64>();
        let (ours, theirs, simulations) = (sum(last, 0), sum(last, 1), sum(last, 2));
        if ours <= 0.0 || theirs <= 0.0 {
            return self.start;
        }
        let behind = sum(&told, 1) - sum(&told, 0);
        let fitted = simulations * (theirs + behind) / (ours * last.len() as f64);
        let start = self.start as f64;
        fitted.clamp(start / MOST_CHANGE, start * MOST_CHANGE).round().max(1.0) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(number: u32, cpu_seconds: [Option<f64>; 2], simulations: u64) -> PlayedGame {
        let mut game = PlayedGame::won_by(number, None);
        game.cpu_seconds = cpu_seconds;
        game.simulations = Some(simulations);
        game
    }

    #[test]
    fn the_first_game_has_what_was_given() {
        let fit = EqualCpu::from(1000);
        assert_eq!(fit.simulations(&[]), 1000);
        let untold = game(1, [None, Some(1.0)], 1000);
        assert_eq!(fit.simulations(&[untold]), 1000);
    }

    /// 1,000 simulations took 2 s and B 3 s: 1,500 are as long as B, and the second that A is behind is
    /// made good in the next game, as there has been but one: 3 + 1 s are 2,000.
    #[test]
    fn a_difference_is_made_good() {
        let fit = EqualCpu::from(1000);
        assert_eq!(fit.simulations(&[game(1, [Some(2.0), Some(3.0)], 1000)]), 2000);
        // After forty games of that, 40 s behind: 3 + 40/10 s at 500 simulations a second.
        let games: Vec<_> = (1..=40).map(|n| game(n, [Some(2.0), Some(3.0)], 1000)).collect();
        assert_eq!(fit.simulations(&games), 3500);
    }

    #[test]
    fn nothing_grows_without_bound() {
        let fit = EqualCpu::from(1000);
        assert_eq!(fit.simulations(&[game(1, [Some(0.001), Some(30.0)], 1000)]), 8000);
        assert_eq!(fit.simulations(&[game(1, [Some(30.0), Some(0.001)], 1000)]), 125);
    }

    /// Starts of programs cost the same whatever is searched, B's times scatter, and the machine becomes
    /// twice as slow for A in the middle: the sums are within two percent all the same.
    #[test]
    fn sums_meet_in_the_end() {
        let fit = EqualCpu::from(1000);
        let mut games = Vec::new();
        for number in 1..=122 {
            let simulations = fit.simulations(&games);
            let slow = if number > 60 { 2.0 } else { 1.0 };
            let ours = 0.1 + slow * simulations as f64 / 400.0;
            let theirs = 4.0 + f64::from(number * 7 % 11) / 5.0;
            games.push(game(number, [Some(ours), Some(theirs)], simulations));
        }
        let sum = |side: usize| -> f64 { games.iter().filter_map(|g| g.cpu_seconds[side]).sum() };
        assert!((sum(0) / sum(1) - 1.0).abs() < 0.02, "{} and {}", sum(0), sum(1));
    }
}
