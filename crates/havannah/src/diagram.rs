//! Positions as pictures: `O` is a white stone, `X` a black one, `.` an empty cell.
//!
//! ```text
//!      1 2 3
//! a   . O . 4
//! b  . X X . 5
//! c . . O . .
//! d  . . . .
//! e   . . .
//! ```
//! A column runs from its number down to the left.

use std::fmt;

use kosumi_game::Move;

use crate::geometry::Geometry;
use crate::rules::row_letter;
use crate::{Colour, Havannah, HavannahMove, HavannahRules, SetupError};

/// Why a picture is no position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DiagramError {
    /// A sign that means nothing.
    #[error("line {line}: unknown sign '{sign}'; cells are '.', 'O' (white) and 'X' (black)")]
    Sign {
        /// The line, from 1.
        line: usize,
        /// The sign.
        sign: char,
    },
    /// The rows do not make a hexagon.
    #[error("row {row} has {found} cells where a board of base size {size} has {expected}")]
    Row {
        /// The row, from `a`.
        row: char,
        /// Cells found.
        found: usize,
        /// Base size that the number of rows means.
        size: usize,
        /// Cells that the row should have.
        expected: usize,
    },
    /// No board has that many rows.
    #[error("{0} rows of cells; a board of base size s has 2s - 1")]
    Rows(usize),
    /// The stones do not make a position.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

impl fmt::Display for Havannah {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.size();
        // The numbers of the first columns stand above row a, shifted like a row of cells.
        write!(f, "{:width$}", "", width = size + 1)?;
        for column in 1..=size {
            write!(f, "{column:>2}")?;
        }
        writeln!(f)?;
        for y in 0..self.geometry().diameter() {
            let indent = (size - 1).abs_diff(y);
            write!(f, "{} {:indent$}", row_letter(y), "")?;
            let cells = self.geometry().columns(y).filter_map(|x| self.cell(y, x));
            let signs: Vec<&str> = cells
                .map(|cell| match self.stone(cell) {
                    Some(Colour::White) => "O",
                    Some(Colour::Black) => "X",
                    None => ".",
                })
                .collect();
            write!(f, "{}", signs.join(" "))?;
            // The number of the column that begins at the end of the next row.
            if y + 1 < size {
                write!(f, " {}", size + y + 1)?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl Havannah {
    /// Reads a position as it is displayed. Row letters, column numbers and indentation may be left
    /// out; lines without cells are skipped.
    ///
    /// # Errors
    /// Names the line or row that does not fit.
    pub fn from_diagram(
        text: &str,
        rules: HavannahRules,
        to_move: Colour,
    ) -> Result<Self, DiagramError> {
        let mut rows: Vec<Vec<Option<Colour>>> = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let mut row = Vec::new();
            for sign in line.chars() {
                match sign {
                    '.' => row.push(None),
                    'O' => row.push(Some(Colour::White)),
                    'X' => row.push(Some(Colour::Black)),
                    _ if sign.is_whitespace() || sign.is_ascii_digit() => {}
                    // Row letters.
                    'a'..='z' => {}
                    _ => {
                        return Err(DiagramError::Sign { line: number + 1, sign });
                    }
                }
            }
            if !row.is_empty() {
                rows.push(row);
            }
        }
        if rows.len().is_multiple_of(2) {
            return Err(DiagramError::Rows(rows.len()));
        }
        let size = rows.len().div_ceil(2);
        let geometry = Geometry::of(size).map_err(SetupError::from)?;
        for (y, row) in rows.iter().enumerate() {
            let expected = geometry.columns(y).count();
            if row.len() != expected {
                return Err(DiagramError::Row {
                    row: row_letter(y),
                    found: row.len(),
                    size,
                    expected,
                });
            }
        }
        let stones = rows.into_iter().flatten().enumerate();
        let stones =
            stones.filter_map(|(index, colour)| Some((colour?, HavannahMove::from_index(index))));
        Ok(Self::from_stones(size, rules, stones, to_move)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kosumi_game::{Game, Rng};
    use proptest::prelude::*;

    const PICTURE: &str = "     1 2 3
a   . O . 4
b  . X X . 5
c . . O . .
d  . . . .
e   . . .
";

    #[test]
    fn a_picture_shows_its_position() {
        let game =
            Havannah::from_diagram(PICTURE, HavannahRules::default(), Colour::Black).unwrap();
        assert_eq!(game.to_string(), PICTURE);
        let at = |text: &str| game.stone(game.parse_move(text).unwrap());
        assert_eq!(at("a2"), Some(Colour::White));
        assert_eq!(at("b2"), Some(Colour::Black));
        assert_eq!(at("b3"), Some(Colour::Black));
        assert_eq!(at("c3"), Some(Colour::White));
        assert_eq!(game.stones(), 4);
        assert_eq!(game.colour_to_move(), Colour::Black);
    }

    #[test]
    fn bad_pictures_say_where() {
        let read = |text: &str| {
            Havannah::from_diagram(text, HavannahRules::default(), Colour::White)
                .unwrap_err()
                .to_string()
        };
        assert!(read(&PICTURE.replacen('O', "?", 1)).contains("line 2: unknown sign '?'"));
        assert!(read(&PICTURE.replacen("X X", "X", 1)).contains("row b has 3 cells"));
        assert!(read(". .\n. .").contains("2 rows"));
        assert!(read("").contains("0 rows"));
        assert!(read(".").contains("base size 1"));
    }

    proptest! {
        #[test]
        fn every_position_reads_back(size in 3usize..=10, seed: u64, moves in 0usize..80) {
            let mut game = Havannah::new(size, HavannahRules { swap: false }).unwrap();
            let (mut rng, mut legal) = (Rng::new(seed), Vec::new());
            for _ in 0..moves {
                legal.clear();
                game.legal_moves(&mut legal);
                if legal.is_empty() {
                    break;
                }
                game.play(legal[rng.below(legal.len() as u32) as usize]);
            }
            let text = game.to_string();
            let read = Havannah::from_diagram(&text, game.rules(), game.colour_to_move()).unwrap();
            prop_assert_eq!(read.to_string(), text);
            prop_assert_eq!(read.state_hash(), game.state_hash());
            prop_assert_eq!(read.outcome(), game.outcome());
        }
    }
}
