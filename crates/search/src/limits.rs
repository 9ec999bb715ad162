//! How long a search may take: simulations, seconds, or both.

use std::time::Duration;

/// Time for one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeBudget {
    /// When the search should end.
    pub target: Duration,
    /// When it must end, whatever extension it would like.
    pub maximum: Duration,
}

/// What ends a search, besides [`crate::SearchHandle::stop`] and a proof of the root. Whichever
/// comes first does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// New simulations.
    pub simulations: Option<u64>,
    /// Time.
    pub time: Option<TimeBudget>,
    /// Whether an unsettled search may take more time than planned (`time.extend`): a clock will
    /// give it back on other moves.
    pub flexible: bool,
}

impl Limits {
    /// Until stopped: analysis and pondering.
    #[must_use]
    pub fn infinite() -> Self {
        Self::default()
    }

    /// So many simulations.
    #[must_use]
    pub fn simulations(simulations: u64) -> Self {
        Self { simulations: Some(simulations), ..Self::default() }
    }

    /// So many seconds, and half as many again should the search be extended (H11). Negative and
    /// NaN count as 0, more than a year as a year.
    #[must_use]
    pub fn seconds(seconds: f64) -> Self {
        let target = to_duration(seconds);
        Self { time: Some(TimeBudget { target, maximum: target * 3 / 2 }), ..Self::default() }
    }

    /// The time that a clock allots.
    #[must_use]
    pub fn time(budget: TimeBudget) -> Self {
        Self { time: Some(budget), flexible: true, ..Self::default() }
    }

    /// The same, but at most so many simulations.
    #[must_use]
    pub fn and_simulations(self, simulations: u64) -> Self {
        Self { simulations: Some(simulations), ..self }
    }
}

/// Seconds as a duration between 0 and a year.
pub(crate) fn to_duration(seconds: f64) -> Duration {
    const YEAR: f64 = 365.0 * 86_400.0;
    Duration::from_secs_f64(if seconds > 0.0 { seconds.min(YEAR) } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strange_seconds_are_tamed() {
        assert_eq!(to_duration(f64::NAN), Duration::ZERO);
        assert_eq!(to_duration(-1.0), Duration::ZERO);
        assert!(to_duration(f64::INFINITY) <= Duration::from_secs(366 * 86_400));
        let limits = Limits::seconds(2.0).and_simulations(10);
        assert_eq!(limits.simulations, Some(10));
        assert_eq!(limits.time.map(|t| t.maximum), Some(Duration::from_secs(3)));
    }
}
