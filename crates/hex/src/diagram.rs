//! Positions as slanted diagrams, written and read.

use std::fmt;

use crate::geometry::Point;
use crate::{Cell, Colour, Hex, HexMove, HexRules, SetupError};

impl fmt::Display for Hex {
    /// The board as seen by the players, each row shifted half a cell against the one above:
    ///
    /// ```text
    ///    a b c
    ///  1  . B .
    ///   2  W . .
    ///    3  . . .
    /// ```
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "  ")?;
        for column in 0..self.size() as u8 {
            write!(f, " {}", (b'a' + column) as char)?;
        }
        for row in 1..=self.size() {
            write!(f, "\n{:indent$}{row:>2} ", "", indent = row - 1)?;
            for column in 1..=self.size() {
                let symbol = match self.cell(Point::new(column, row)) {
                    Cell::Black => 'B',
                    Cell::White => 'W',
                    Cell::Empty | Cell::Corner => '.',
                };
                write!(f, " {symbol}")?;
            }
        }
        Ok(())
    }
}

impl Hex {
    /// Reads a diagram as [`Hex`] displays it: rows of `.`, `B` and `W` separated by blanks. Row
    /// numbers, column letters and indentation may be left out. Also read are `X` for Black and `O`
    /// for White, brackets around a stone, row numbers at the end of a row, and the `=` before an
    /// answer of GTP. The swap is settled.
    ///
    /// # Errors
    /// Names the line that is no row, or that does not fit a square board.
    pub fn from_diagram(text: &str, rules: HexRules, to_move: Colour) -> Result<Self, SetupError> {
        let mut rows: Vec<(usize, Vec<Option<Colour>>)> = Vec::new();
        for (line, content) in (1..).zip(text.lines()) {
            let content = content.replace(['(', ')'], " ");
            let mut tokens: Vec<&str> = content.split_whitespace().collect();
            if tokens.first().is_some_and(|token| token.starts_with('=')) {
                tokens.remove(0);
            }
            let letters = |tokens: &[&str]| {
                let expected = (b'a'..=b'z').map(char::from);
                tokens.iter().zip(expected).all(|(t, letter)| {
                    let mut chars = t.chars();
                    chars.next() == Some(letter) && chars.next().is_none()
                })
            };
            if letters(&tokens) {
                continue;
            }
            tokens.retain(|token| token.parse::<u8>().is_err());
            let cells = tokens.iter().map(|&token| match token {
                "." => Ok(None),
                "B" | "X" => Ok(Some(Colour::Black)),
                "W" | "O" => Ok(Some(Colour::White)),
                _ => Err(SetupError::Diagram {
                    line,
                    token: token.chars().filter(|c| !c.is_control()).take(24).collect(),
                }),
            });
            rows.push((line, cells.collect::<Result<_, _>>()?));
        }
        let size = rows.len();
        if let Some((line, cells)) = rows.iter().find(|(_, cells)| cells.len() != size) {
            return Err(SetupError::NotSquare { line: *line, cells: cells.len(), rows: size });
        }
        let stones = rows
            .iter()
            .flat_map(|(_, cells)| cells)
            .enumerate()
            .filter_map(|(index, colour)| Some(((*colour)?, HexMove(index as u16))));
        Self::from_stones(size, rules, stones, to_move)
    }
}
