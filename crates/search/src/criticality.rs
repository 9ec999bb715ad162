//! Criticality (Coulom 2009; H15): how much it matters to who wins who holds a point.
//!
//! Over the simulations of a search, the part in which the winner holds the point, less the part that
//! would be expected if holding it and winning had nothing to do with each other. A point is held by
//! whoever played there. A move gets `criticality.weight * criticality / sqrt(n + 1)` on top of its
//! score.

use kosumi_game::{Reward, Trace};

use crate::sync::{AtomicU64, Ordering};

/// What the simulations of one search say about the points of its root.
#[derive(Debug)]
pub(crate) struct Criticality {
    weight: f32,
    /// Wins of each player.
    wins: [AtomicU64; 2],
    points: Vec<Point>,
}

/// In how many simulations a point was held: by each player, and by the winner.
#[derive(Debug)]
struct Point {
    held: [AtomicU64; 2],
    by_winner: AtomicU64,
}

impl Criticality {
    pub(crate) fn new(weight: f32, move_space: usize) -> Self {
        let zero = || AtomicU64::new(0);
        let point = || Point { held: [zero(), zero()], by_winner: zero() };
        let points = (0..move_space).map(|_| point()).collect();
        Self { weight, wins: [zero(), zero()], points }
    }

    /// Counts a simulation. One without a winner says nothing.
    pub(crate) fn add(&self, trace: &Trace, reward: Reward) {
        let Some(winner) = reward.winner() else { return };
        self.wins[winner.index()].fetch_add(1, Ordering::Relaxed);
        for mv in trace.moves() {
            let Some(point) = self.points.get(mv.index()) else { continue };
            point.held[mv.player().index()].fetch_add(1, Ordering::Relaxed);
            point.by_winner.fetch_add(u64::from(mv.player() == winner), Ordering::Relaxed);
        }
    }

    /// What a move of so many visits gets.
    pub(crate) fn bonus(&self, mv: u16, visits: f32) -> f32 {
        self.weight * self.of(mv) / (visits + 1.0).sqrt()
    }

    /// The criticality of a point: from -0.5, where only losers play, to 0.5.
    fn of(&self, mv: u16) -> f32 {
        let Some(point) = self.points.get(usize::from(mv)) else { return 0.0 };
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed) as f32;
        let wins = [0, 1].map(|player| count(&self.wins[player]));
        let simulations = wins[0] + wins[1];
        if simulations == 0.0 {
            return 0.0;
        }
        let expected = (0..2).map(|player| count(&point.held[player]) * wins[player]).sum::<f32>();
        (count(&point.by_winner) - expected / simulations) / simulations
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kosumi_game::Player;

    #[test]
    fn four_simulations_by_hand() {
        let criticality = Criticality::new(2.0, 3);
        // Who holds point 0 wins; point 1 is always First's; point 2 says nothing.
        for (holders, winner) in [
            ([Player::First, Player::First, Player::First], Player::First),
            ([Player::First, Player::First, Player::Second], Player::First),
            ([Player::Second, Player::First, Player::First], Player::Second),
            ([Player::Second, Player::First, Player::Second], Player::Second),
        ] {
            let mut trace = Trace::new();
            for (mv, holder) in holders.into_iter().enumerate() {
                trace.push(holder, mv);
            }
            criticality.add(&trace, Reward::win(winner));
        }
        // 4/4 - (2/4 * 2/4 + 2/4 * 2/4) = 0.5; 2/4 - 4/4 * 2/4 = 0; 2/4 - (1/4 + 1/4) = 0.
        assert_eq!([0, 1, 2].map(|mv| criticality.of(mv)), [0.5, 0.0, 0.0]);
        // 2 * 0.5 / sqrt(4).
        assert_eq!(criticality.bonus(0, 3.0), 0.5);
    }

    #[test]
    fn nothing_is_known_before_the_first_winner() {
        let criticality = Criticality::new(1.0, 1);
        assert_eq!(criticality.bonus(0, 0.0), 0.0);
        let mut trace = Trace::new();
        trace.push(Player::First, 0);
        criticality.add(&trace, Reward::DRAW);
        assert_eq!(criticality.bonus(0, 0.0), 0.0);
        assert_eq!(criticality.bonus(7, 0.0), 0.0, "no such point");
    }
}
