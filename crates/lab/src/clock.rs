//! The clock of the match: the referee's, not the players'.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// How a player's time for a game is given. All times in seconds.
///
/// As text: `300` is absolute time, `10+3x5` main time and then 3 byo-yomi periods of 5 s,
/// `60+30/10` main time and then 10 moves in every 30 s (Canadian), `60+2` two seconds more after
/// every move (Fischer).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct TimeControl {
    /// Before overtime.
    pub main: f64,
    /// What comes after, or on top.
    pub overtime: Overtime,
}

/// What comes after main time, or on top of it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Overtime {
    /// Nothing: the game is lost.
    None,
    /// Periods, each of which is kept by a move within it.
    ByoYomi {
        /// How many.
        periods: u32,
        /// The length of one.
        period: f64,
    },
    /// So many moves in every period.
    Canadian {
        /// How many moves.
        moves: u32,
        /// The length of a period.
        period: f64,
    },
    /// An increment after every move, from the first one on.
    Fischer {
        /// Added after each move.
        increment: f64,
    },
}

/// Text that is no time control.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is no time control; write 300 (absolute), 10+3x5 (3 byo-yomi periods of 5 s), \
     60+30/10 (10 moves in every 30 s) or 60+2 (2 s more after every move)"
)]
pub struct InvalidTimeControl(String);

/// A day: nobody waits longer for a game.
const MAX_SECONDS: f64 = 86_400.0;

impl FromStr for TimeControl {
    type Err = InvalidTimeControl;

    fn from_str(text: &str) -> Result<Self, InvalidTimeControl> {
        let read = || {
            let (main, overtime) = match text.split_once('+') {
                None => (seconds(text)?, Overtime::None),
                Some((main, rest)) => (seconds(main)?, overtime(rest)?),
            };
            let some = main > 0.0 || !matches!(overtime, Overtime::None);
            some.then_some(Self { main, overtime })
        };
        read().ok_or_else(|| {
            let plain = text.chars().filter(|c| !c.is_control());
            InvalidTimeControl(plain.take(40).collect())
        })
    }
}

fn overtime(text: &str) -> Option<Overtime> {
    let count = |text: &str| text.trim().parse().ok().filter(|n| (1..=1000).contains(n));
    let period = |text: &str| seconds(text).filter(|&s| s > 0.0);
    if let Some((periods, length)) = text.split_once('x') {
        return Some(Overtime::ByoYomi { periods: count(periods)?, period: period(length)? });
    }
    if let Some((length, moves)) = text.split_once('/') {
        return Some(Overtime::Canadian { moves: count(moves)?, period: period(length)? });
    }
    period(text).map(|increment| Overtime::Fischer { increment })
}

fn seconds(text: &str) -> Option<f64> {
    let value: f64 = text.trim().parse().ok()?;
    (0.0..=MAX_SECONDS).contains(&value).then_some(value)
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.main)?;
        match self.overtime {
            Overtime::None => Ok(()),
            Overtime::ByoYomi { periods, period } => write!(f, "+{periods}x{period}"),
            Overtime::Canadian { moves, period } => write!(f, "+{period}/{moves}"),
            Overtime::Fischer { increment } => write!(f, "+{increment}"),
        }
    }
}

impl From<TimeControl> for String {
    fn from(control: TimeControl) -> String {
        control.to_string()
    }
}

impl TryFrom<String> for TimeControl {
    type Error = InvalidTimeControl;

    fn try_from(text: String) -> Result<Self, InvalidTimeControl> {
        text.parse()
    }
}

/// One player's clock, running during that player's moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    control: TimeControl,
    /// Main time left, or what is left of this overtime period.
    left: f64,
    /// Byo-yomi periods or Canadian moves left; 0 in main time.
    count: u32,
}

/// The flag has fallen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeOver;

impl Clock {
    /// A full clock.
    #[must_use]
    pub fn new(control: TimeControl) -> Self {
        let mut clock = Self { control, left: control.main, count: 0 };
        if clock.left == 0.0 {
            clock.enter_overtime();
        }
        clock
    }

    /// Seconds and overtime count as `time_left` of GTP says them: the count is 0 in main time,
    /// else moves left of the period (Canadian) or periods left (byo-yomi).
    #[must_use]
    pub fn left(&self) -> (f64, u32) {
        (self.left, self.count)
    }

    /// How long the next move can take before the flag falls.
    #[must_use]
    pub fn most(&self) -> f64 {
        match (self.control.overtime, self.count) {
            (Overtime::None | Overtime::Fischer { .. }, _) => self.left,
            (Overtime::Canadian { period, .. }, 0) => self.left + period,
            (Overtime::Canadian { .. }, _) => self.left,
            (Overtime::ByoYomi { periods, period }, 0) => self.left + period * f64::from(periods),
            (Overtime::ByoYomi { period, .. }, count) => self.left + period * f64::from(count - 1),
        }
    }

    /// Takes the time of a move.
    ///
    /// # Errors
    /// The move took longer than the player had.
    pub fn spend(&mut self, seconds: f64) -> Result<(), TimeOver> {
        if seconds > self.most() {
            self.left = 0.0;
            return Err(TimeOver);
        }
        self.left -= seconds;
        match self.control.overtime {
            Overtime::None => {}
            Overtime::Fischer { increment } => self.left += increment,
            Overtime::Canadian { .. } => {
                if self.count == 0 {
                    if self.left >= 0.0 {
                        return Ok(());
                    }
                    let over = self.left;
                    self.enter_overtime();
                    self.left += over;
                }
                self.count -= 1;
                if self.count == 0 {
                    self.enter_overtime();
                }
            }
            Overtime::ByoYomi { period, .. } => {
                if self.count == 0 {
                    if self.left >= 0.0 {
                        return Ok(());
                    }
                    let over = self.left;
                    self.enter_overtime();
                    self.left += over;
                }
                while self.left < 0.0 && self.count > 1 {
                    self.left += period;
                    self.count -= 1;
                }
                // A period that was not used up is whole again.
                self.left = period;
            }
        }
        Ok(())
    }

    fn enter_overtime(&mut self) {
        match self.control.overtime {
            Overtime::ByoYomi { periods, period } => (self.left, self.count) = (period, periods),
            Overtime::Canadian { moves, period } => (self.left, self.count) = (period, moves),
            Overtime::None | Overtime::Fischer { .. } => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(text: &str) -> Clock {
        Clock::new(text.parse().unwrap())
    }

    #[test]
    fn reads_what_it_writes() {
        for text in ["300", "10+3x5", "0+5x0.5", "60+30/10", "60+2", "0+1"] {
            let control: TimeControl = text.parse().unwrap();
            assert_eq!(control.to_string(), text);
        }
        for text in
            ["", "0", "-3", "NaN", "inf", "10+", "10+0x5", "10+3x", "1+2+3", "10+5/0", "1e9"]
        {
            let error = text.parse::<TimeControl>().unwrap_err();
            assert!(error.to_string().contains("byo-yomi"), "{text}");
        }
    }

    #[test]
    fn absolute_time_runs_out() {
        let mut clock = clock("10");
        assert_eq!(clock.spend(6.0), Ok(()));
        assert_eq!(clock.left(), (4.0, 0));
        assert_eq!(clock.spend(4.5), Err(TimeOver));
    }

    #[test]
    fn byo_yomi_loses_a_period_for_each_overrun() {
        let mut clock = clock("10+3x5");
        assert_eq!(clock.most(), 25.0);
        assert_eq!(clock.spend(9.0), Ok(()));
        // One second of main time, then two whole periods and a bit of the third.
        assert_eq!(clock.spend(1.0 + 5.0 + 2.0), Ok(()));
        assert_eq!(clock.left(), (5.0, 2));
        assert_eq!(clock.spend(4.9), Ok(()));
        assert_eq!(clock.left(), (5.0, 2));
        assert_eq!(clock.spend(7.0), Ok(()));
        assert_eq!(clock.left(), (5.0, 1));
        assert_eq!(clock.spend(5.1), Err(TimeOver));
    }

    #[test]
    fn canadian_overtime_starts_a_new_period_after_its_moves() {
        let mut clock = clock("10+6/2");
        assert_eq!(clock.spend(11.0), Ok(()));
        assert_eq!(clock.left(), (5.0, 1));
        assert_eq!(clock.spend(4.0), Ok(()));
        assert_eq!(clock.left(), (6.0, 2));
        assert_eq!(clock.spend(5.0), Ok(()));
        assert_eq!(clock.spend(1.5), Err(TimeOver));
    }

    #[test]
    fn fischer_adds_after_each_move() {
        let mut clock = clock("5+2");
        assert_eq!(clock.spend(4.0), Ok(()));
        assert_eq!(clock.left(), (3.0, 0));
        assert_eq!(clock.spend(3.5), Err(TimeOver));
    }
}
