//! A regression file as a list of commands and expectations.

use std::io;
use std::path::{Path, PathBuf};

use super::pattern::Pattern;

/// Why a regression file cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RegressionError {
    /// Reading fails.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A line that makes no sense.
    #[error("{}, line {line}: {problem}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        problem: String,
    },
}

/// A regression file that was read.
#[derive(Debug)]
pub struct RegressionFile {
    pub(super) steps: Vec<Step>,
}

#[derive(Debug)]
pub(super) enum Step {
    /// Something to send.
    Command { number: Option<u64>, line: usize, text: String },
    /// What the command before should have been answered.
    Expect { source: String, pattern: Pattern },
}

impl RegressionFile {
    /// Reads a file.
    ///
    /// # Errors
    /// It cannot be read, or a line of it is no command and no expectation.
    pub fn read(path: &Path) -> Result<Self, RegressionError> {
        let bytes = std::fs::read(path)
            .map_err(|source| RegressionError::Io { path: path.to_owned(), source })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        Self::parse(&String::from_utf8_lossy(&bytes), folder).map_err(|(line, problem)| {
            RegressionError::Line { path: path.to_owned(), line, problem }
        })
    }

    /// How many tests it has.
    #[must_use]
    pub fn tests(&self) -> usize {
        self.steps.iter().filter(|step| matches!(step, Step::Expect { .. })).count()
    }

    fn parse(text: &str, folder: &Path) -> Result<Self, (usize, String)> {
        let mut steps: Vec<Step> = Vec::new();
        for (line, content) in (1..).zip(text.lines()) {
            let content = content.trim();
            if let Some(expected) = content.strip_prefix("#?") {
                let pattern = Pattern::parse(expected).map_err(|problem| (line, problem))?;
                if !matches!(steps.last(), Some(Step::Command { .. })) {
                    return Err((line, "there is no command before it".to_owned()));
                }
                steps.push(Step::Expect { source: expected.trim().to_owned(), pattern });
                continue;
            }
            let command = content.split('#').next().unwrap_or_default().trim();
            if command.is_empty() {
                continue;
            }
            let (first, rest) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
            let (number, text) = match first.parse() {
                Ok(number) => (Some(number), rest.trim()),
                Err(_) => (None, command),
            };
            // The end of the file is the end of the program.
            if !text.is_empty() && text != "quit" {
                steps.push(Step::Command { number, line, text: placed(text, folder) });
            }
        }
        Ok(Self { steps })
    }
}

/// A command in which the name of a record starts from where we are.
fn placed(text: &str, folder: &Path) -> String {
    let mut words = text.split_whitespace();
    match (words.next(), words.next()) {
        (Some("loadsgf"), Some(name)) => {
            let rest: String = words.map(|word| format!(" {word}")).collect();
            format!("loadsgf {}{rest}", folder.join(name).display())
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_and_expectations() {
        let text = "# a comment\nloadsgf a/b.sgf 3\n10 reg_genmove black # why\n#? [d4]*\n\nquit\n";
        let file = RegressionFile::parse(text, Path::new("tests")).unwrap();
        assert_eq!(file.tests(), 1);
        let [
            Step::Command { number: None, line: 2, text: load },
            Step::Command { number: Some(10), line: 3, text: ask },
            Step::Expect { source, .. },
        ] = &file.steps[..]
        else {
            panic!("{file:?}");
        };
        assert_eq!((load.as_str(), ask.as_str()), ("loadsgf tests/a/b.sgf 3", "reg_genmove black"));
        assert_eq!(source, "[d4]*");
    }

    #[test]
    fn an_expectation_needs_a_command_and_a_pattern() {
        let line = |text: &str| RegressionFile::parse(text, Path::new("")).unwrap_err().0;
        assert_eq!(line("#? [x]"), 1);
        assert_eq!(line("1 name\n#? [x]\n#? [y]"), 3);
        assert_eq!(line("1 name\n#? x"), 2);
    }
}
