//! What the operating system tells, where it does.

/// User and system time of the process in seconds; `None` on systems without `/proc`.
#[must_use]
pub fn cpu_seconds() -> Option<f64> {
    // The kernel counts in hundredths of a second towards programs, whatever its own ticks are.
    const TICKS_PER_SECOND: f64 = 100.0;
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The second field, the program's name in parentheses, may contain blanks.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |place: usize| fields.get(place)?.parse::<u64>().ok();
    Some((ticks(11)? + ticks(12)?) as f64 / TICKS_PER_SECOND)
}
