//! Proofs as text, one node a line:
//!
//! ```text
//! kosumi hex proof 2
//! size 3
//! black
//! white
//! to-move black
//! winner black
//! first b2
//! nodes
//! or b1:1 c1:1
//! ...
//! carrier a3 b3
//! ```
//!
//! Nodes are numbered from 0; `b1:1` is a move and the node it leads to. `filled 7 a1 a2 c1 c2` are
//! two pairs of cells, and the node that is meant once they are filled in.

use std::fmt::{self, Write};

use super::proof::{Proof, ProofNode};
use crate::{Colour, MAX_SIZE, MIN_SIZE, Point};

const TITLE: &str = "kosumi hex proof 2";

/// What is wrong with the text of a proof.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: expected {expected}")]
pub struct ProofFileError {
    /// The line, from 1.
    pub line: usize,
    /// What should be there.
    pub expected: String,
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |cell: u16| {
            let cell = usize::from(cell);
            Point::new(cell % self.size + 1, cell / self.size + 1)
        };
        let list = |cells: &[u16]| {
            cells.iter().fold(String::new(), |mut text, &cell| {
                // Writing to a string cannot fail.
                let _ = write!(text, " {}", name(cell));
                text
            })
        };
        writeln!(f, "{TITLE}\nsize {}", self.size)?;
        writeln!(f, "black{}\nwhite{}", list(&self.stones[0]), list(&self.stones[1]))?;
        writeln!(f, "to-move {}\nwinner {}", self.to_move, self.winner)?;
        if let Some(first) = self.first {
            writeln!(f, "first {}", name(first))?;
        }
        writeln!(f, "nodes")?;
        for node in &self.nodes {
            match node {
                ProofNode::Carrier(cells) => writeln!(f, "carrier{}", list(cells))?,
                ProofNode::Threats(threats) => {
                    write!(f, "or")?;
                    threats.iter().try_for_each(|&(mv, node)| write!(f, " {}:{node}", name(mv)))?;
                    writeln!(f)?;
                }
                ProofNode::Filled(pairs, node) => {
                    writeln!(f, "filled {node}{}", list(pairs.as_flattened()))?;
                }
            }
        }
        Ok(())
    }
}

/// Lines with their numbers.
struct Lines<'a> {
    lines: std::iter::Peekable<std::iter::Zip<std::ops::RangeFrom<usize>, std::str::Lines<'a>>>,
    line: usize,
}

impl<'a> Lines<'a> {
    fn error(&self, expected: impl Into<String>) -> ProofFileError {
        ProofFileError { line: self.line, expected: expected.into() }
    }

    fn next(&mut self) -> Option<&'a str> {
        let (line, text) = self.lines.next()?;
        self.line = line;
        Some(text.trim())
    }

    /// What stands behind the word that the next line begins with.
    fn value(&mut self, word: &str) -> Result<&'a str, ProofFileError> {
        let text = self.next().unwrap_or_default();
        let value = text.strip_prefix(word).filter(|rest| rest.is_empty() || rest.starts_with(' '));
        value.map(str::trim).ok_or_else(|| self.error(format!("'{word}'")))
    }

    fn colour(&mut self, word: &str) -> Result<Colour, ProofFileError> {
        let value = self.value(word)?;
        let named = Colour::BOTH.into_iter().find(|colour| colour.to_string() == value);
        named.ok_or_else(|| self.error("black or white"))
    }

    fn cell(&self, text: &str, size: usize) -> Result<u16, ProofFileError> {
        let cell = || {
            let (&letter, digits) = text.as_bytes().split_first()?;
            let column = usize::from(letter.checked_sub(b'a')?);
            let digits = std::str::from_utf8(digits).ok().filter(|d| !d.starts_with(['+', '0']))?;
            let row = digits.parse::<usize>().ok()?.checked_sub(1)?;
            (column < size && row < size).then_some((row * size + column) as u16)
        };
        cell().ok_or_else(|| self.error(format!("cells from a1 to {}", Point::new(size, size))))
    }

    fn cells(&self, text: &str, size: usize) -> Result<Vec<u16>, ProofFileError> {
        text.split_whitespace().map(|word| self.cell(word, size)).collect()
    }
}

impl Proof {
    /// Reads what is written by its display. Whether it proves anything is for
    /// [`check_proof`](crate::check_proof) to say.
    ///
    /// # Errors
    /// Names the line and what should be there.
    pub fn parse(text: &str) -> Result<Self, ProofFileError> {
        let mut lines = Lines { lines: (1..).zip(text.lines()).peekable(), line: 1 };
        if lines.next() != Some(TITLE) {
            return Err(lines.error(format!("'{TITLE}'")));
        }
        let size = lines.value("size")?.parse().ok();
        let size = size.filter(|size| (MIN_SIZE..=MAX_SIZE).contains(size));
        let size = size.ok_or_else(|| lines.error(format!("{MIN_SIZE} to {MAX_SIZE}")))?;
        let mut stones = [Vec::new(), Vec::new()];
        for colour in Colour::BOTH {
            let text = lines.value(&colour.to_string())?;
            stones[colour.index()] = lines.cells(text, size)?;
        }
        let to_move = lines.colour("to-move")?;
        let winner = lines.colour("winner")?;
        let has_first = lines.lines.peek().is_some_and(|(_, text)| text.starts_with("first"));
        let first = if has_first {
            let text = lines.value("first")?;
            Some(lines.cell(text, size)?)
        } else {
            None
        };
        lines.value("nodes")?;
        let mut nodes = Vec::new();
        while let Some(text) = lines.next() {
            let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
            nodes.push(match word {
                "carrier" => ProofNode::Carrier(lines.cells(rest, size)?),
                "or" => {
                    let threat = |word: &str| {
                        let (mv, node) = word.split_once(':')?;
                        Some((lines.cell(mv, size).ok()?, node.parse().ok()?))
                    };
                    let threats = rest.split_whitespace().map(threat).collect::<Option<Vec<_>>>();
                    let threats = threats.ok_or_else(|| lines.error("moves like a1:7"));
                    ProofNode::Threats(threats?)
                }
                "filled" => {
                    let (node, cells) = rest.split_once(' ').unwrap_or((rest, ""));
                    let cells = lines.cells(cells, size)?;
                    let (pairs, odd) = cells.as_chunks::<2>();
                    match node.parse() {
                        Ok(node) if odd.is_empty() => ProofNode::Filled(pairs.to_vec(), node),
                        _ => return Err(lines.error("a node and pairs of cells")),
                    }
                }
                _ => return Err(lines.error("'carrier', 'or' or 'filled'")),
            });
        }
        Ok(Self { size, stones, to_move, winner, first, nodes })
    }
}
