//! Where results come from: which machine, which commit, when, by which command.

use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// A run of an experiment. Resuming on another day or with another program makes a second one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Provenance {
    /// The day it began, e.g. `2026-11-15`, in UTC.
    pub date: String,
    /// Version and commit of Kosumi.
    pub version: String,
    /// Where it ran.
    pub machine: Machine,
    /// The command line.
    pub command: String,
}

/// A computer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Machine {
    /// The model of its processor.
    pub cpu: String,
    /// How many cores the program may use.
    pub cores: usize,
}

impl Provenance {
    /// This machine, today.
    #[must_use]
    pub fn now(version: &str, arguments: impl Iterator<Item = String>) -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let words: Vec<String> = arguments.map(|word| quoted(&word)).collect();
        Self {
            date: date(since.as_secs() / 86_400),
            version: version.to_owned(),
            machine: Machine::this(),
            command: words.join(" "),
        }
    }
}

impl Machine {
    /// The computer this runs on.
    #[must_use]
    pub fn this() -> Self {
        let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model = info.lines().find_map(|line| line.strip_prefix("model name"));
        let model = model.map(|rest| rest.trim_start_matches(['\t', ' ', ':']).to_owned());
        Self {
            cpu: model.unwrap_or_else(|| format!("unknown {}", std::env::consts::ARCH)),
            cores: crate::os::available_cores().len().max(1),
        }
    }
}

/// A word as a shell takes it; the program by its name alone.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:+%@".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// The date of a day counted from 1970-01-01, by the rules of the Gregorian calendar.
fn date(day: u64) -> String {
    // Years begin in March here, so that the leap day is the last; 400 years have 146,097 days.
    let day = day + 719_468;
    let (era, of_era) = (day / 146_097, day % 146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}-{month:02}-{of_month:02}", year + era * 400 + next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_dates() {
        for (day, text) in [
            (0, "1970-01-01"),
            (58, "1970-02-28"),
            (59, "1970-03-01"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (20_453, "2025-12-31"),
            (20_772, "2026-11-15"),
        ] {
            assert_eq!(date(day), text);
        }
    }

    #[test]
    fn commands_can_be_pasted() {
        assert_eq!(quoted("--scale=0.5"), "--scale=0.5");
        assert_eq!(quoted("it's two"), r"'it'\''s two'");
        assert_eq!(quoted(""), "''");
    }
}
