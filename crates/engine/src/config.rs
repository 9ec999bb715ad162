//! Configuration files and presets: TOML whose tables and keys spell the parameters' names.
//!
//! ```toml
//! [search]
//! threads = 4
//!
//! [shape]
//! c1 = [0.5, 0.25, 0]        # per tree level
//!
//! [size.13.rave]             # on boards of up to 13 lines (and above the next smaller such table)
//! late = 4000
//! ```

use std::fmt::Write as _;
use std::path::Path;

use kosumi_game::params::Kind;
use kosumi_record::{GameKind, read_whole};
use toml::de::{DeTable, DeValue};

use crate::params::EngineParams;

/// Why a configuration cannot be used, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{source_name}{}: {problem}", line.map(|n| format!(", line {n}")).unwrap_or_default())]
#[non_exhaustive]
pub struct ConfigError {
    /// The file, or the preset.
    pub source_name: String,
    /// The line, from 1, if it is known.
    pub line: Option<usize>,
    /// What is wrong, with the remedy.
    pub problem: String,
}

/// The most bytes of a configuration file.
const MOST_BYTES: u64 = 16 << 20;

#[derive(Clone, Debug, PartialEq)]
struct Entry {
    /// Boards up to this size; `None`: all.
    size: Option<usize>,
    key: String,
    text: String,
    line: usize,
}

/// Settings as a file gives them.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    source_name: String,
    entries: Vec<Entry>,
}

impl Config {
    /// Reads TOML. `source_name` is the file's name, for messages. Keys and values are checked
    /// against the parameters of `game`.
    ///
    /// # Errors
    /// Names the line, and the nearest key or what the value should be.
    pub fn parse(source_name: &str, text: &str, game: GameKind) -> Result<Self, ConfigError> {
        let line_of = |at: usize| 1 + text[..at.min(text.len())].matches('\n').count();
        let table = DeTable::parse(text).map_err(|error| ConfigError {
            source_name: source_name.to_string(),
            line: error.span().map(|span| line_of(floor_boundary(text, span.start))),
            problem: one_line(error.message()),
        })?;
        let mut config = Self { source_name: source_name.to_string(), entries: Vec::new() };
        config.flatten(table.get_ref(), "", &line_of)?;
        // Every entry is tried, also those for boards of other sizes.
        let mut params = EngineParams::new(game);
        for entry in &config.entries {
            params
                .set(&entry.key, &entry.text)
                .map_err(|error| config.error(entry.line, error.to_string()))?;
        }
        Ok(config)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// As [`Config::parse`]; or the file cannot be read.
    pub fn read(path: &Path, game: GameKind) -> Result<Self, ConfigError> {
        let name = path.display().to_string();
        let problem = |problem| ConfigError { source_name: name.clone(), line: None, problem };
        let bytes = read_whole(path, MOST_BYTES).map_err(|error| problem(error.to_string()))?;
        let text = String::from_utf8(bytes).map_err(|error| problem(error.to_string()))?;
        Self::parse(&name, &text, game)
    }

    fn error(&self, line: usize, problem: String) -> ConfigError {
        ConfigError { source_name: self.source_name.clone(), line: Some(line), problem }
    }

    fn flatten(
        &mut self,
        table: &DeTable<'_>,
        prefix: &str,
        line_of: &impl Fn(usize) -> usize,
    ) -> Result<(), ConfigError> {
        for (name, value) in table {
            let line = line_of(value.span().start);
            let key = if prefix.is_empty() {
                name.get_ref().to_string()
            } else {
                format!("{prefix}.{}", name.get_ref())
            };
            if let DeValue::Table(inner) = value.get_ref() {
                self.flatten(inner, &key, line_of)?;
                continue;
            }
            let text = scalar(value.get_ref()).ok_or_else(|| {
                let problem = format!("'{key}' is neither a value nor a list of numbers");
                self.error(line, one_line(&problem))
            })?;
            let (size, key) = match key.strip_prefix("size.").and_then(|rest| rest.split_once('.'))
            {
                None => (None, key),
                Some((size, key)) => match size.parse() {
                    Ok(size) => (Some(size), key.to_string()),
                    Err(_) => {
                        let problem = "expected a board size, e.g. [size.13.rave]";
                        return Err(self.error(line, problem.to_string()));
                    }
                },
            };
            self.entries.push(Entry { size, key, text, line });
        }
        Ok(())
    }

    /// Sets what the file says for boards of that size.
    ///
    /// # Errors
    /// A key or value does not fit `params`, which then has part of the settings.
    pub fn apply(&self, params: &mut EngineParams, size: usize) -> Result<(), ConfigError> {
        let class = self.entries.iter().filter_map(|entry| entry.size);
        let class = class.filter(|&up_to| up_to >= size).min();
        let general = self.entries.iter().filter(|entry| entry.size.is_none());
        let special =
            self.entries.iter().filter(|entry| entry.size.is_some() && entry.size == class);
        for entry in general.chain(special) {
            params
                .set(&entry.key, &entry.text)
                .map_err(|error| self.error(entry.line, error.to_string()))?;
        }
        Ok(())
    }
}

/// A byte offset that is safe to slice at.
fn floor_boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(200).collect()
}

/// A value as the parameters read it.
fn scalar(value: &DeValue<'_>) -> Option<String> {
    Some(match value {
        DeValue::String(text) => text.to_string(),
        DeValue::Integer(number) if number.radix() == 10 => number.as_str().to_string(),
        DeValue::Float(number) => number.as_str().to_string(),
        DeValue::Boolean(switch) => switch.to_string(),
        DeValue::Array(items) => {
            let items = items.iter().map(|item| match item.get_ref() {
                DeValue::Integer(_) | DeValue::Float(_) => scalar(item.get_ref()),
                _ => None,
            });
            items.collect::<Option<Vec<_>>>()?.join(",")
        }
        _ => return None,
    })
}

/// All parameters as TOML that [`Config::parse`] reads back.
#[must_use]
pub fn to_toml(params: &EngineParams) -> String {
    let mut out = String::new();
    let specs = params.specs();
    let table = |key: &'static str| key.split_once('.').map_or("", |(table, _)| table);
    let mut tables: Vec<&str> = Vec::new();
    for spec in &specs {
        if !tables.contains(&table(spec.key)) {
            tables.push(table(spec.key));
        }
    }
    // Keys outside tables must come first in TOML.
    tables.sort_by_key(|name| !name.is_empty());
    for name in tables {
        if !out.is_empty() {
            out.push('\n');
        }
        if !name.is_empty() {
            let _ = writeln!(out, "[{name}]");
        }
        for spec in specs.iter().filter(|spec| table(spec.key) == name) {
            let key = spec.key.strip_prefix(name).unwrap_or(spec.key);
            let value = params.get(spec.key).unwrap_or_default();
            for line in spec.meaning.lines() {
                let _ = writeln!(out, "# {}", line.trim());
            }
            let key = key.trim_start_matches('.');
            let _ = writeln!(out, "{key} = {}", toml_value(spec.kind, &value));
        }
    }
    out
}

fn toml_value(kind: Kind, value: &str) -> String {
    match kind {
        Kind::Choice(_) => format!("\"{value}\""),
        // A file may be called anything.
        Kind::File(_) => toml::Value::from(value).to_string(),
        Kind::PerLevel { .. } if value.contains(',') => format!("[{}]", value.replace(',', ", ")),
        // TOML's integers have 63 bits.
        Kind::Integer { .. } if value.parse::<i64>().is_err() => format!("\"{value}\""),
        _ => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        Config::parse("my.toml", text, GameKind::Go).unwrap_err().to_string()
    }

    #[test]
    fn mistakes_are_placed() {
        let unknown = error("[search]\nthreads = 2\n\n[rave]\nlat = 3\n");
        assert_eq!(
            unknown,
            "my.toml, line 5: unknown parameter 'rave.lat'; did you mean 'rave.late'?"
        );
        let invalid = error("search.threads = 0");
        assert!(invalid.starts_with("my.toml, line 1: '0' does not fit"), "{invalid}");
        let syntax = error("\n[search\n");
        assert!(syntax.starts_with("my.toml, line "), "{syntax}");
        let nested = error("[rave]\nlate = [[1]]");
        assert!(nested.contains("line 2") && nested.contains("list of numbers"), "{nested}");
        assert!(error("[size.x.rave]\nlate = 1").contains("board size"));
        assert!(error("[size.9.rave]\nlte = 1").contains("rave.late"));
    }

    #[test]
    fn a_size_has_its_own_table() {
        let text = "
            rave.late = 100
            shape.c1 = [1, 0.5]
            [size.9.rave]
            late = 9
            [size.13.rave]
            late = 13";
        let config = Config::parse("test", text, GameKind::Go).unwrap();
        for (size, late) in [(7, 9.0), (9, 9.0), (10, 13.0), (13, 13.0), (19, 100.0)] {
            let mut params = EngineParams::new(GameKind::Go);
            config.apply(&mut params, size).unwrap();
            assert_eq!(params.search.rave_late, late, "{size}");
            assert_eq!(params.search.shape_c1.at(1), 0.5);
        }
    }
}
