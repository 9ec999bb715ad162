//! How long a question about a position of Hex may be searched for.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use kosumi_hex::{Hex, HexSolver};

/// When a search for the winner ends without one.
pub struct SolveLimits<'a> {
    until: Option<Instant>,
    stop: &'a mut dyn FnMut() -> bool,
}

impl std::fmt::Debug for SolveLimits<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SolveLimits").field("until", &self.until).finish_non_exhaustive()
    }
}

impl<'a> SolveLimits<'a> {
    /// After so many seconds from now, or when `stop`, which is asked now and then, says so.
    pub fn new(seconds: Option<f64>, stop: &'a mut dyn FnMut() -> bool) -> Self {
        // What is too long for a clock is no limit.
        let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        Self { until: time.and_then(|time| Instant::now().checked_add(time)), stop }
    }

    /// Who wins a position; `None` if the search was ended before.
    pub(super) fn run(
        &mut self,
        solver: &mut HexSolver,
        position: &Hex,
    ) -> Option<kosumi_hex::Colour> {
        if position.winner().is_some() {
            return position.winner();
        }
        let stopped = AtomicBool::new(false);
        let mut progress = |_: &kosumi_proof::Progress| {
            if (self.stop)() {
                stopped.store(true, Ordering::Relaxed);
            }
        };
        let limits = kosumi_proof::Limits {
            stop: Some(&stopped),
            time: self.until.map(|until| until.saturating_duration_since(Instant::now())),
            progress: Some(&mut progress),
            ..kosumi_proof::Limits::default()
        };
        solver.solve(position, limits).winner
    }
}
