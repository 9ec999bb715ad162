//! Parameters in one line each.
//!
//! [`parameters!`](crate::parameters) turns a line (meaning, key, type, default, range) into a
//! field, its default, its checks, and an entry of [`Parameters::specs`], from which configuration
//! files, GTP commands, the docs and the tuner's space are made. [`choices!`](crate::choices) does
//! the same for enumerations.
//!
//! ```
//! use kosumi_game::params::Parameters;
//!
//! kosumi_game::choices! {
//!     /// How to finish.
//!     pub enum Finish {
//!         /// The most visited move.
//!         Visits = "visits",
//!         /// The best mean.
//!         Value = "value",
//!     }
//! }
//! kosumi_game::parameters! {
//!     /// A small search.
//!     pub struct Params {
//!         /// Weight of the exploration term.
//!         exploration "uct.exploration": f64 = 0.9, 0.0..=10.0;
//!         /// How the final move is chosen.
//!         finish "final.by": Finish = Finish::Visits;
//!     }
//! }
//! let mut params = Params::default();
//! params.set("uct.exploration", "1.5").unwrap();
//! assert_eq!(params.exploration, 1.5);
//! let error = params.set("uct.explration", "1").unwrap_err().to_string();
//! assert!(error.contains("did you mean 'uct.exploration'"));
//! ```

use std::fmt;

/// What a parameter may be set to.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Kind {
    /// `true` or `false`.
    Switch,
    /// A whole number in a range.
    Integer {
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
    },
    /// A number in a range.
    Real {
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
    },
    /// One or more numbers in a range, one per tree level, the last one for all deeper levels.
    PerLevel {
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
    },
    /// One of a few words.
    Choice(&'static [&'static str]),
    /// The name of a file, or this word for what the program has of its own.
    File(&'static str),
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Switch => write!(f, "true or false"),
            Kind::Integer { min, max } => write!(f, "a whole number from {min} to {max}"),
            Kind::Real { min, max } => write!(f, "a number from {min} to {max}"),
            Kind::PerLevel { min, max } => {
                write!(f, "numbers from {min} to {max}, one per tree level, separated by commas")
            }
            Kind::Choice(words) => write!(f, "one of {}", words.join(", ")),
            Kind::File(own) => write!(f, "the name of a file, or {own}"),
        }
    }
}

/// One parameter, as documentation.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Spec {
    /// Its key, e.g. `rave.bias`.
    pub key: &'static str,
    /// What it may be set to.
    pub kind: Kind,
    /// Its default, as text that can be set.
    pub default: String,
    /// What it means.
    pub meaning: &'static str,
    /// What each word means that it may be set to, if it is one of a few.
    pub words: &'static [(&'static str, &'static str)],
}

impl Spec {
    /// A parameter's documentation; called by [`parameters!`](crate::parameters).
    #[must_use]
    pub fn new(key: &'static str, kind: Kind, default: String, meaning: &'static str) -> Self {
        Self { key, kind, default, meaning: meaning.trim(), words: &[] }
    }

    /// The same with the meanings of the words that it may be set to.
    #[must_use]
    pub fn with_words(mut self, words: &'static [(&'static str, &'static str)]) -> Self {
        self.words = words;
        self
    }
}

/// Why a parameter was not set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParamError {
    /// There is no parameter of that name.
    #[error("unknown parameter '{key}'{}", nearest.map(|n| format!("; did you mean '{n}'?")).unwrap_or_default())]
    Unknown {
        /// What was asked for.
        key: String,
        /// The parameter whose name is closest, if any is close.
        nearest: Option<&'static str>,
    },
    /// The value does not fit.
    #[error("'{text}' does not fit parameter '{key}': expected {expected}")]
    Invalid {
        /// The parameter.
        key: String,
        /// What it was to be set to.
        text: String,
        /// What it may be set to.
        expected: String,
    },
}

/// A set of named parameters. Made by [`parameters!`](crate::parameters).
pub trait Parameters: Default {
    /// All parameters with their defaults, in the order they were written.
    fn specs() -> Vec<Spec>;

    /// A parameter's value as text that [`Parameters::set`] reads back.
    fn get(&self, key: &str) -> Option<String>;

    /// Sets one parameter from text.
    ///
    /// # Errors
    /// Names the nearest key if there is none of that name, or what the value should be.
    fn set(&mut self, key: &str, text: &str) -> Result<(), ParamError>;
}

/// The error for a key that none of `keys` matches, naming the nearest.
pub fn unknown_key(key: &str, keys: impl IntoIterator<Item = &'static str>) -> ParamError {
    let key: String = key.chars().filter(|c| !c.is_control()).take(60).collect();
    let nearest = keys
        .into_iter()
        .map(|known| (strsim::damerau_levenshtein(known, &key), known))
        .min()
        // A name further away than half its length is no help.
        .filter(|(distance, known)| *distance * 2 <= known.len())
        .map(|(_, known)| known);
    ParamError::Unknown { key, nearest }
}

/// A type that parameters may have.
pub trait ParamValue: Sized {
    /// What values of the type look like, within `range` if the type has one.
    fn kind(range: Option<(f64, f64)>) -> Kind;
    /// Reads a value; `None` if the text is none or outside `range`.
    fn parse(text: &str, range: Option<(f64, f64)>) -> Option<Self>;
    /// The value as text.
    fn render(&self) -> String;
    /// What the words of a [`Kind::Choice`] mean, word by word.
    fn words() -> &'static [(&'static str, &'static str)] {
        &[]
    }
}

fn in_range(value: f64, range: Option<(f64, f64)>) -> bool {
    range.is_none_or(|(min, max)| value >= min && value <= max)
}

impl ParamValue for bool {
    fn kind(_: Option<(f64, f64)>) -> Kind {
        Kind::Switch
    }
    fn parse(text: &str, _: Option<(f64, f64)>) -> Option<Self> {
        match text.to_ascii_lowercase().as_str() {
            "true" | "1" | "on" | "yes" => Some(true),
            "false" | "0" | "off" | "no" => Some(false),
            _ => None,
        }
    }
    fn render(&self) -> String {
        self.to_string()
    }
}

macro_rules! number {
    ($($ty:ty => $kind:ident),*) => {$(
        impl ParamValue for $ty {
            fn kind(range: Option<(f64, f64)>) -> Kind {
                let (min, max) = range.unwrap_or((<$ty>::MIN as f64, <$ty>::MAX as f64));
                Kind::$kind { min, max }
            }
            fn parse(text: &str, range: Option<(f64, f64)>) -> Option<Self> {
                text.trim().parse::<$ty>().ok().filter(|v| in_range(*v as f64, range))
            }
            fn render(&self) -> String {
                self.to_string()
            }
        }
    )*};
}
number!(u32 => Integer, u64 => Integer, usize => Integer, f32 => Real, f64 => Real);

/// One number per tree level, the last one for all deeper levels ("progressive values").
#[derive(Clone, Debug, PartialEq)]
pub struct PerLevel(Vec<f32>);

impl PerLevel {
    /// The same number on all levels.
    #[must_use]
    pub fn constant(value: f32) -> Self {
        Self(vec![value])
    }

    /// The number of a level; the root is level 0.
    #[inline]
    #[must_use]
    pub fn at(&self, level: usize) -> f32 {
        self.0[level.min(self.0.len() - 1)]
    }

    /// Whether all levels have 0.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.0.iter().all(|&v| v == 0.0)
    }
}

impl ParamValue for PerLevel {
    fn kind(range: Option<(f64, f64)>) -> Kind {
        let (min, max) = range.unwrap_or((f64::from(f32::MIN), f64::from(f32::MAX)));
        Kind::PerLevel { min, max }
    }
    fn parse(text: &str, range: Option<(f64, f64)>) -> Option<Self> {
        let values: Option<Vec<f32>> = text.split(',').map(|one| f32::parse(one, range)).collect();
        values.filter(|v| !v.is_empty()).map(Self)
    }
    fn render(&self) -> String {
        self.0.iter().map(f32::to_string).collect::<Vec<_>>().join(",")
    }
}

/// Defines a struct of parameters, one line each; see [`crate::params`].
#[macro_export]
macro_rules! parameters {
    (
        $(#[$outer:meta])*
        pub struct $name:ident {
            $(
                #[doc = $meaning:literal] $(#[doc = $more:literal])*
                $field:ident $key:literal : $ty:ty = $default:expr $(, $min:literal ..= $max:literal)?;
            )*
        }
    ) => {
        $(#[$outer])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            $(
                #[doc = $meaning] $(#[doc = $more])*
                pub $field: $ty,
            )*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default,)* }
            }
        }

        impl $crate::params::Parameters for $name {
            fn specs() -> Vec<$crate::params::Spec> {
                use $crate::params::ParamValue;
                let defaults = Self::default();
                vec![$($crate::params::Spec::new(
                    $key,
                    <$ty>::kind($crate::parameters!(@range $($min, $max)?)),
                    defaults.$field.render(),
                    concat!($meaning, $("\n", $more,)*),
                ).with_words(<$ty>::words()),)*]
            }

            fn get(&self, key: &str) -> Option<String> {
                use $crate::params::ParamValue;
                match key {
                    $($key => Some(self.$field.render()),)*
                    _ => None,
                }
            }

            fn set(&mut self, key: &str, text: &str) -> Result<(), $crate::params::ParamError> {
                use $crate::params::ParamValue;
                match key {
                    $($key => {
                        let range = $crate::parameters!(@range $($min, $max)?);
                        self.$field = <$ty>::parse(text, range).ok_or_else(|| {
                            $crate::params::ParamError::Invalid {
                                key: key.to_string(),
                                text: text.chars().filter(|c| !c.is_control()).take(60).collect(),
                                expected: <$ty>::kind(range).to_string(),
                            }
                        })?;
                        Ok(())
                    })*
                    _ => Err($crate::params::unknown_key(key, [$($key),*])),
                }
            }
        }
    };
    (@range) => { None };
    (@range $min:literal, $max:literal) => { Some(($min as f64, $max as f64)) };
}

/// Defines an enumeration whose values have names; see [`crate::params`].
#[macro_export]
macro_rules! choices {
    (
        $(#[$outer:meta])*
        pub enum $name:ident {
            $($(#[doc = $inner:literal])* $variant:ident = $word:literal,)*
        }
    ) => {
        $(#[$outer])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[doc = $inner])* $variant,)*
        }

        impl $crate::params::ParamValue for $name {
            fn kind(_: Option<(f64, f64)>) -> $crate::params::Kind {
                $crate::params::Kind::Choice(&[$($word),*])
            }
            fn parse(text: &str, _: Option<(f64, f64)>) -> Option<Self> {
                match text {
                    $($word => Some(Self::$variant),)*
                    _ => None,
                }
            }
            fn render(&self) -> String {
                match self {
                    $(Self::$variant => $word.to_string(),)*
                }
            }
            fn words() -> &'static [(&'static str, &'static str)] {
                &[$(($word, concat!($($inner),*))),*]
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    choices! {
        /// A colour.
        pub enum Colour {
            /// Red.
            Red = "red",
            /// Blue.
            Blue = "blue",
        }
    }

    parameters! {
        /// For these tests.
        pub struct Params {
            /// A real.
            real "group.real": f64 = 0.5, -1.0..=1.0;
            /// A count.
            /// In two lines.
            count "group.count": u32 = 7, 1..=100;
            /// A switch.
            switch "switch": bool = true;
            /// A colour.
            colour "colour": Colour = Colour::Red;
            /// Per level.
            levels "levels": PerLevel = PerLevel::constant(0.25), -10..=10;
        }
    }

    #[test]
    fn every_default_reads_back() {
        let defaults = Params::default();
        for spec in Params::specs() {
            assert_eq!(defaults.get(spec.key).as_ref(), Some(&spec.default));
            let mut other = Params::default();
            other.set(spec.key, &spec.default).unwrap();
            assert_eq!(other, defaults);
        }
        assert_eq!(Params::specs()[1].meaning, "A count.\n In two lines.");
        assert_eq!(Params::specs()[3].words, [("red", " Red."), ("blue", " Blue.")]);
    }

    #[test]
    fn bad_values_are_refused_and_change_nothing() {
        let mut params = Params::default();
        for (key, text) in [
            ("group.real", "2"),
            ("group.real", "NaN"),
            ("group.count", "0"),
            ("group.count", "3.5"),
            ("switch", "perhaps"),
            ("colour", "green"),
            ("levels", ""),
            ("levels", "1,x"),
        ] {
            let error = params.set(key, text).unwrap_err();
            assert!(matches!(error, ParamError::Invalid { .. }), "{error}");
            assert_eq!(params, Params::default());
        }
    }

    #[test]
    fn an_unknown_key_names_the_nearest() {
        let error = Params::default().set("grup.real", "1").unwrap_err();
        assert_eq!(
            error,
            ParamError::Unknown { key: "grup.real".into(), nearest: Some("group.real") }
        );
        assert_eq!(
            unknown_key("zzzz", ["colour"]),
            ParamError::Unknown { key: "zzzz".into(), nearest: None }
        );
    }

    #[test]
    fn levels_repeat_their_last_value() {
        let levels = PerLevel::parse("0.5,-0.25", None).unwrap();
        assert_eq!([levels.at(0), levels.at(1), levels.at(9)], [0.5, -0.25, -0.25]);
        assert!(!levels.is_zero());
        assert!(PerLevel::constant(0.0).is_zero());
    }
}
