//! The words after a command.

use kosumi_record::Colour;

use super::{Refusal, shorten};

/// A command's arguments. What is missing or wrong is refused with the command's syntax.
pub(super) struct Arguments<'a> {
    words: &'a [String],
    syntax: &'static str,
}

impl<'a> Arguments<'a> {
    pub fn new(words: &'a [String], syntax: &'static str) -> Self {
        Self { words, syntax }
    }

    pub fn words(&self) -> &'a [String] {
        self.words
    }

    pub fn len(&self) -> usize {
        self.words.len()
    }

    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    pub fn get(&self, place: usize) -> Option<&'a str> {
        self.words.get(place).map(String::as_str)
    }

    /// Refuses with the syntax.
    pub fn refuse<T>(&self, why: impl AsRef<str>) -> Result<T, Refusal> {
        let why = why.as_ref();
        Err(Refusal::new(format!("syntax error: {why}; expected: {}", self.syntax)))
    }

    pub fn word(&self, place: usize) -> Result<&'a str, Refusal> {
        match self.get(place) {
            Some(word) => Ok(word),
            None => self.refuse("an argument is missing"),
        }
    }

    /// Refuses more than `most` arguments.
    pub fn at_most(&self, most: usize) -> Result<(), Refusal> {
        match self.get(most) {
            None => Ok(()),
            Some(word) => self.refuse(format!("'{}' is one argument too many", shorten(word))),
        }
    }

    pub fn number<T: std::str::FromStr>(&self, place: usize) -> Result<T, Refusal> {
        let word = self.word(place)?;
        match word.parse() {
            Ok(number) => Ok(number),
            Err(_) => self.refuse(format!("'{}' is no such number", shorten(word))),
        }
    }

    /// A finite number from 0 on.
    pub fn seconds(&self, place: usize) -> Result<f64, Refusal> {
        let seconds: f64 = self.number(place)?;
        if seconds.is_finite() && seconds >= 0.0 {
            Ok(seconds)
        } else {
            self.refuse(format!("'{}' is no time", shorten(self.word(place)?)))
        }
    }

    pub fn colour(&self, place: usize) -> Result<Colour, Refusal> {
        let word = self.word(place)?;
        match colour(word) {
            Some(colour) => Ok(colour),
            None => self.refuse(format!("'{}' is no colour", shorten(word))),
        }
    }
}

/// `b`, `white` and the like.
pub(super) fn colour(word: &str) -> Option<Colour> {
    match word.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Colour::Black),
        "w" | "white" => Some(Colour::White),
        _ => None,
    }
}
