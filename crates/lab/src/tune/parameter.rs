//! A parameter to tune: its range, and the scale on which a step counts equally everywhere.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A numeric parameter and the values to search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Parameter {
    /// Its key, e.g. `rave.late`.
    pub name: String,
    /// The smallest value to try.
    pub min: f64,
    /// The largest value to try.
    pub max: f64,
    /// Whether only whole numbers are tried.
    pub integer: bool,
    /// Whether the scale is logarithmic: from 10 to 20 is as far as from 100 to 200.
    pub log: bool,
}

/// A parameter that cannot be tuned as asked for.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidParameter {
    /// The text is no parameter with a range.
    #[error(
        "'{0}' is no parameter with a range; expected NAME=MIN..MAX, NAME=MIN..MAX:log or \
         NAME=MIN..MAX:int, e.g. rave.late=100..5000:log"
    )]
    Syntax(String),
    /// The range holds no two values.
    #[error("the range {min}..{max} of {name} is empty: MIN must be a number below MAX")]
    Range {
        /// The parameter.
        name: String,
        /// Its smallest value.
        min: f64,
        /// Its largest value.
        max: f64,
    },
    /// The range of whole numbers begins or ends between two of them.
    #[error("{name} takes whole numbers: its range cannot be {min}..{max}")]
    Whole {
        /// The parameter.
        name: String,
        /// Its smallest value.
        min: f64,
        /// Its largest value.
        max: f64,
    },
    /// A logarithm needs numbers above 0.
    #[error("a logarithmic range begins above 0: give {name} a larger MIN than {min}, or no :log")]
    Log {
        /// The parameter.
        name: String,
        /// Its smallest value.
        min: f64,
    },
}

impl Parameter {
    /// A parameter on a linear scale.
    #[must_use]
    pub fn new(name: impl Into<String>, min: f64, max: f64) -> Self {
        Self { name: name.into(), min, max, integer: false, log: false }
    }

    /// The same, of whole numbers.
    #[must_use]
    pub fn whole(mut self) -> Self {
        self.integer = true;
        self
    }

    /// The same, on a logarithmic scale.
    #[must_use]
    pub fn logarithmic(mut self) -> Self {
        self.log = true;
        self
    }

    /// Whether there is something to search.
    ///
    /// # Errors
    /// Says what is wrong with the range.
    pub fn check(&self) -> Result<(), InvalidParameter> {
        let (name, min, max) = (self.name.clone(), self.min, self.max);
        if !(min < max && (max - min).is_finite()) {
            return Err(InvalidParameter::Range { name, min, max });
        }
        if self.integer && (min.fract() != 0.0 || max.fract() != 0.0) {
            return Err(InvalidParameter::Whole { name, min, max });
        }
        if self.log && min <= 0.0 {
            return Err(InvalidParameter::Log { name, min });
        }
        Ok(())
    }

    /// The ends of the scale. Whole numbers reach half a step further on each side, so that the
    /// first and the last are as likely as the others.
    fn ends(&self) -> (f64, f64) {
        let margin = if self.integer { 0.5 } else { 0.0 };
        (self.scaled(self.min - margin), self.scaled(self.max + margin))
    }

    fn scaled(&self, value: f64) -> f64 {
        if self.log { value.ln() } else { value }
    }

    /// The place of a value on the scale, from -1 to 1.
    pub(super) fn coordinate(&self, value: f64) -> f64 {
        let (low, high) = self.ends();
        2.0 * (self.scaled(value) - low) / (high - low) - 1.0
    }

    /// What stands at a place on the scale, also between whole numbers.
    pub(super) fn mark(&self, coordinate: f64) -> f64 {
        let (low, high) = self.ends();
        let scaled = low + (high - low) * (coordinate + 1.0) / 2.0;
        if self.log { scaled.exp() } else { scaled }
    }

    /// The value at a place on the scale, within the range and as it is written.
    pub(super) fn value(&self, coordinate: f64) -> f64 {
        let value = self.mark(coordinate);
        // What is written is what is played; further digits would promise too much anyway.
        let value = match self.integer {
            true => value.round(),
            false => format!("{value:.5e}").parse().unwrap_or(value),
        };
        positive_zero(value.clamp(self.min, self.max))
    }

    /// A value as text: whole numbers without a fraction.
    #[must_use]
    pub fn text(&self, value: f64) -> String {
        let value = positive_zero(if self.integer { value.round() } else { value });
        if self.integer { format!("{value:.0}") } else { value.to_string() }
    }
}

/// The same number, but 0 for -0: parameters of whole numbers do not take the text "-0".
fn positive_zero(value: f64) -> f64 {
    value + 0.0
}

impl FromStr for Parameter {
    type Err = InvalidParameter;

    /// Reads `name=min..max`, with `:int`, `:log` or both behind.
    fn from_str(text: &str) -> Result<Self, InvalidParameter> {
        let read = || {
            let (name, rest) = text.split_once('=')?;
            let mut parts = rest.split(':');
            let (min, max) = parts.next()?.split_once("..")?;
            let number = |text: &str| text.trim().parse::<f64>().ok();
            let mut parameter = Self::new(name.trim(), number(min)?, number(max)?);
            for part in parts {
                match part.trim() {
                    "int" => parameter.integer = true,
                    "log" => parameter.log = true,
                    _ => return None,
                }
            }
            (!parameter.name.is_empty()).then_some(parameter)
        };
        let parameter = read().ok_or_else(|| InvalidParameter::Syntax(text.to_owned()))?;
        parameter.check()?;
        Ok(parameter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read() {
        let read = |text: &str| text.parse::<Parameter>();
        assert_eq!(read("a.b=-1..2.5"), Ok(Parameter::new("a.b", -1.0, 2.5)));
        let whole = Parameter::new("n", 1.0, 20.0).whole();
        assert_eq!(read("n = 1..20:int"), Ok(whole.clone()));
        assert_eq!(read("n=1..20:log:int"), Ok(whole.logarithmic()));
        for (text, message) in [
            ("n", "expected NAME=MIN..MAX"),
            ("n=3", "expected NAME=MIN..MAX"),
            ("=1..2", "expected NAME=MIN..MAX"),
            ("n=1..2:cubic", "expected NAME=MIN..MAX"),
            ("n=2..1", "MIN must be a number below MAX"),
            ("n=nan..1", "MIN must be a number below MAX"),
            ("n=1..inf", "MIN must be a number below MAX"),
            ("n=0.5..4:int", "whole numbers"),
            ("n=0..4:log", "above 0"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(message), "{text}: {error}");
        }
    }

    #[test]
    fn scales_by_hand() {
        let linear = Parameter::new("x", 0.0, 10.0);
        assert_eq!(linear.coordinate(7.5), 0.5);
        assert_eq!(linear.value(0.5), 7.5);
        // The geometric middle of 100 and 10,000 is 1000.
        let log = Parameter::new("x", 100.0, 10_000.0).logarithmic();
        assert!(log.coordinate(1000.0).abs() < 1e-12);
        assert_eq!(log.value(0.0), 1000.0);
        // Six digits, and never outside.
        assert_eq!(linear.value(0.123_456_789), 5.61728);
        assert_eq!(log.value(1.1), 10_000.0);
        // 1, 2 and 3 have a third of the scale each.
        let whole = Parameter::new("n", 1.0, 3.0).whole();
        let at: Vec<f64> = [-1.0, -0.34, -0.32, 0.32, 0.34, 1.0].map(|c| whole.value(c)).to_vec();
        assert_eq!(at, [1.0, 1.0, 2.0, 2.0, 3.0, 3.0]);
        assert_eq!(whole.text(3.0), "3");
        assert_eq!(linear.text(0.25), "0.25");
    }

    #[test]
    fn zero_has_no_sign() {
        let whole = Parameter::new("n", 0.0, 4.0).whole();
        // The lowest tenth of the scale, from -0.5 to 0.
        assert!(whole.value(-0.95).is_sign_positive());
        for value in [-0.0, -0.4, 0.0] {
            assert_eq!(whole.text(value), "0", "{value:?}");
        }
        let linear = Parameter::new("x", -1.0, 1.0);
        assert_eq!(linear.text(linear.value(0.0)), "0");
        assert_eq!(linear.text(-0.0), "0");
        assert_eq!(linear.text(-0.5), "-0.5");
    }
}
