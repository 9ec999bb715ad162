//! Game clocks: absolute time, Canadian and Japanese byo-yomi, Fischer; and how much of what is left
//! to spend on one move, with a reserve for lag.

use crate::limits::{TimeBudget, to_duration};
use crate::params::SearchParams;

/// How time is given for a whole game. All times in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum TimeControl {
    /// So much for all moves.
    Absolute {
        /// For all moves.
        main: f64,
    },
    /// Main time, then `stones` moves in every `period`.
    Canadian {
        /// Before overtime.
        main: f64,
        /// Length of one overtime period.
        period: f64,
        /// Moves to play in it.
        stones: u32,
    },
    /// Main time, then `periods` periods of which each unfinished one is kept.
    ByoYomi {
        /// Before overtime.
        main: f64,
        /// Length of one period.
        period: f64,
        /// How many there are.
        periods: u32,
    },
    /// Main time, and an increment after every move.
    Fischer {
        /// At the start.
        main: f64,
        /// Added after every move.
        increment: f64,
    },
}

/// One player's clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    control: TimeControl,
    /// Main time left, or what is left of the current overtime period once `overtime` is set.
    left: f64,
    overtime: bool,
    /// Moves left in a Canadian period, or byo-yomi periods left.
    count: u32,
}

impl Clock {
    /// A full clock.
    #[must_use]
    pub fn new(control: TimeControl) -> Self {
        let mut clock = Self { control, left: 0.0, overtime: false, count: 0 };
        match control {
            TimeControl::Absolute { main } | TimeControl::Fischer { main, .. } => clock.left = main,
            TimeControl::Canadian { main, stones, .. } => {
                (clock.left, clock.count) = (main, stones)
            }
            TimeControl::ByoYomi { main, periods, .. } => {
                (clock.left, clock.count) = (main, periods)
            }
        }
        clock.left = clock.left.max(0.0);
        if clock.left == 0.0 {
            clock.enter_overtime();
        }
        clock
    }

    /// How time is given.
    #[must_use]
    pub fn control(&self) -> TimeControl {
        self.control
    }

    /// What the server says is left: main time when `count` is 0, else overtime with so many moves
    /// (Canadian) or periods (byo-yomi) left.
    pub fn set_left(&mut self, seconds: f64, count: u32) {
        self.left = if seconds > 0.0 { seconds } else { 0.0 };
        self.overtime = count > 0;
        self.count = if count > 0 { count } else { self.full_count() };
    }

    /// Takes the time of one finished move off the clock.
    pub fn spend(&mut self, seconds: f64) {
        self.left -= seconds.max(0.0);
        match self.control {
            TimeControl::Absolute { .. } => {}
            TimeControl::Fischer { increment, .. } => self.left = self.left.max(0.0) + increment,
            TimeControl::Canadian { .. } => {
                if !self.overtime && self.left <= 0.0 {
                    let over = self.left;
                    self.enter_overtime();
                    self.left += over;
                }
                if self.overtime {
                    self.count = self.count.saturating_sub(1);
                    if self.count == 0 {
                        self.enter_overtime();
                    }
                }
            }
            TimeControl::ByoYomi { period, .. } => {
                if !self.overtime && self.left <= 0.0 {
                    let over = self.left;
                    self.enter_overtime();
                    self.left += over;
                }
                if self.overtime {
                    while self.left <= 0.0 && self.count > 1 && period > 0.0 {
                        self.left += period;
                        self.count -= 1;
                    }
                    // A period that was not used up is whole again.
                    self.left = period;
                }
            }
        }
        self.left = self.left.max(0.0);
    }

    fn full_count(&self) -> u32 {
        match self.control {
            TimeControl::Canadian { stones, .. } => stones,
            TimeControl::ByoYomi { periods, .. } => periods,
            _ => 0,
        }
    }

    fn enter_overtime(&mut self) {
        match self.control {
            TimeControl::Canadian { period, .. } | TimeControl::ByoYomi { period, .. } => {
                self.left = period;
                self.overtime = true;
                self.count = self.full_count().max(1);
            }
            _ => {}
        }
    }

    /// What to spend on the next move when about `moves_left` own moves are still to come.
    ///
    /// Lag is kept back from what is left, and no move may use more than the larger part of the
    /// time that it must not lose.
    #[must_use]
    pub fn budget(&self, params: &SearchParams, moves_left: f64) -> TimeBudget {
        let moves = moves_left.max(params.time_moves).max(1.0);
        let lag = params.lag_seconds;
        let (target, ceiling) = match self.control {
            TimeControl::Absolute { .. } => (self.left / moves, self.left / 3.0),
            TimeControl::Fischer { increment, .. } => {
                ((self.left / moves + increment * 0.8).min(self.left * 0.5), self.left * 0.5)
            }
            TimeControl::Canadian { period, stones, .. } => {
                if self.overtime {
                    let share = self.left / f64::from(self.count.max(1));
                    (share * 0.9, if self.count <= 1 { self.left * 0.8 } else { self.left * 0.4 })
                } else {
                    let overtime_share = period / f64::from(stones.max(1));
                    (
                        (self.left / moves).max(overtime_share.min(self.left)),
                        self.left * 0.5 + overtime_share * 0.5,
                    )
                }
            }
            TimeControl::ByoYomi { period, .. } => {
                if self.overtime {
                    // Only this period: the others are for accidents.
                    let left = self.left.min(period.max(0.0)).max(0.0);
                    (left * 0.6, left * 0.75)
                } else {
                    // The period that follows is there for every move that runs over.
                    (self.left / moves + period * 0.5, self.left * 0.4 + period * 0.5)
                }
            }
        };
        let keep_back = |seconds: f64| (seconds - lag).max(seconds * 0.25).max(0.0);
        let maximum = keep_back((target * params.time_stretch).min(ceiling));
        let target = keep_back(target).min(maximum);
        TimeBudget { target: to_duration(target), maximum: to_duration(maximum) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn budget(clock: &Clock) -> (f64, f64) {
        let b = clock.budget(&SearchParams::default(), 20.0);
        (b.target.as_secs_f64(), b.maximum.as_secs_f64())
    }

    #[test]
    fn absolute_time_is_spread_over_the_moves() {
        let clock = Clock::new(TimeControl::Absolute { main: 100.0 });
        // 100 / 20 - 0.15.
        assert!((budget(&clock).0 - 4.85).abs() < 1e-9);
    }

    #[test]
    fn canadian_overtime_counts_moves_and_starts_anew() {
        let mut clock = Clock::new(TimeControl::Canadian { main: 0.0, period: 30.0, stones: 2 });
        assert_eq!((clock.overtime, clock.left, clock.count), (true, 30.0, 2));
        clock.spend(10.0);
        assert_eq!((clock.left, clock.count), (20.0, 1));
        clock.spend(10.0);
        assert_eq!((clock.left, clock.count), (30.0, 2));
    }

    #[test]
    fn byo_yomi_keeps_unused_periods() {
        let mut clock = Clock::new(TimeControl::ByoYomi { main: 5.0, period: 10.0, periods: 3 });
        clock.spend(8.0);
        assert_eq!((clock.overtime, clock.left, clock.count), (true, 10.0, 3));
        clock.spend(12.0);
        assert_eq!((clock.left, clock.count), (10.0, 2));
        assert!(budget(&clock).1 <= 7.5);
    }

    #[test]
    fn fischer_gets_its_increment() {
        let mut clock = Clock::new(TimeControl::Fischer { main: 10.0, increment: 2.0 });
        clock.spend(3.0);
        assert_eq!(clock.left, 9.0);
    }

    #[test]
    fn the_server_is_right_about_what_is_left() {
        let mut clock = Clock::new(TimeControl::ByoYomi { main: 60.0, period: 10.0, periods: 3 });
        clock.set_left(7.0, 2);
        assert_eq!((clock.overtime, clock.left, clock.count), (true, 7.0, 2));
        clock.set_left(30.0, 0);
        assert_eq!((clock.overtime, clock.left), (false, 30.0));
    }

    fn any_control() -> impl Strategy<Value = TimeControl> {
        let t = 0.0..600.0f64;
        prop_oneof![
            t.clone().prop_map(|main| TimeControl::Absolute { main }),
            (t.clone(), 0.1..60.0, 1..30u32).prop_map(|(main, period, stones)| {
                TimeControl::Canadian { main, period, stones }
            }),
            (t.clone(), 0.1..60.0, 1..10u32).prop_map(|(main, period, periods)| {
                TimeControl::ByoYomi { main, period, periods }
            }),
            (t, 0.0..10.0).prop_map(|(main, increment)| TimeControl::Fischer { main, increment }),
        ]
    }

    proptest! {
        /// A player who uses the maximum on every move never runs out, as long as lag stays small.
        #[test]
        fn the_maximum_is_always_affordable(control in any_control(), moves in 1..200u32) {
            let params = SearchParams::default();
            let mut clock = Clock::new(control);
            for _ in 0..moves {
                let b = clock.budget(&params, 30.0);
                prop_assert!(b.target <= b.maximum);
                let available = match clock.control {
                    TimeControl::ByoYomi { period, .. } if !clock.overtime => clock.left + period,
                    TimeControl::Canadian { period, stones, .. } if !clock.overtime =>
                        clock.left + period / f64::from(stones),
                    _ => clock.left,
                };
                prop_assert!(b.maximum.as_secs_f64() <= available, "{b:?} of {available} {clock:?}");
                clock.spend(b.maximum.as_secs_f64());
            }
        }
    }
}
