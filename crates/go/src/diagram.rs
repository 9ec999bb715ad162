//! Board diagrams, written and read: `X` Black, `O` White, `.` empty, `+` an empty star point.

use std::fmt;

use kosumi_game::Player;

use crate::point::COLUMNS;
use crate::{Board, BoardClass, Point, Position, Rules, SetupError};

/// Whether a board of that size has a star on the point.
pub(crate) fn is_star(size: usize, x: usize, y: usize) -> bool {
    let margin = match size {
        0..7 => return size % 2 == 1 && size > 2 && x == size / 2 && y == size / 2,
        7..12 => 2,
        _ => 3,
    };
    let middle = size / 2;
    let on = |at: usize| at == margin || at == size - 1 - margin;
    let centre = |at: usize| size % 2 == 1 && at == middle;
    (on(x) && on(y))
        || (centre(x) && centre(y))
        || (size >= 15 && ((on(x) && centre(y)) || (centre(x) && on(y))))
}

impl<C: BoardClass> fmt::Display for Board<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.size();
        let columns = |f: &mut fmt::Formatter<'_>| {
            write!(f, "  ")?;
            for &letter in &COLUMNS[..size] {
                write!(f, " {}", char::from(letter))?;
            }
            Ok(())
        };
        columns(f)?;
        for y in (0..size).rev() {
            write!(f, "\n{:2}", y + 1)?;
            for x in 0..size {
                let mark = match self.stone(Point::at::<C>(x, y)) {
                    Some(Player::First) => 'X',
                    Some(Player::Second) => 'O',
                    None if is_star(size, x, y) => '+',
                    None => '.',
                };
                write!(f, " {mark}")?;
            }
            write!(f, " {}", y + 1)?;
        }
        writeln!(f)?;
        columns(f)
    }
}

impl<C: BoardClass> fmt::Debug for Board<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board\n{self}")
    }
}

impl<C: BoardClass> fmt::Display for Position<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |player| match player {
            Player::First => "Black",
            Player::Second => "White",
        };
        writeln!(f, "{}", self.board())?;
        write!(
            f,
            "{} to move, prisoners: Black took {}, White took {}",
            name(self.to_move()),
            self.board().prisoners(Player::Second),
            self.board().prisoners(Player::First),
        )
    }
}

impl<C: BoardClass> fmt::Debug for Position<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position\n{self}")
    }
}

/// Reads a diagram: one line of the board per line of text, the top one first. Blanks are ignored;
/// letters other than `X` and `O` mark empty points, so that tests can name points in the diagram.
impl<C: BoardClass> Position<C> {
    /// A position set up from a diagram of a square board.
    ///
    /// # Errors
    /// Names the line that does not fit, or the stone that cannot stand there.
    pub fn from_diagram(rules: Rules, diagram: &str, turn: Player) -> Result<Self, SetupError> {
        let lines: Vec<Vec<char>> = diagram
            .lines()
            .map(|line| line.chars().filter(|c| !c.is_whitespace()).collect())
            .filter(|line: &Vec<char>| !line.is_empty())
            .collect();
        let size = lines.len();
        let mut stones = Vec::new();
        for (number, line) in lines.iter().enumerate() {
            if line.len() != size {
                return Err(SetupError::Diagram {
                    line: number + 1,
                    problem: format!("{} points in a board of {size} lines", line.len()),
                });
            }
            for (x, mark) in line.iter().enumerate() {
                let player = match mark {
                    'X' => Player::First,
                    'O' => Player::Second,
                    _ => continue,
                };
                if size <= C::MAX_SIZE {
                    stones.push((player, Point::at::<C>(x, size - 1 - number)));
                }
            }
        }
        Self::from_stones(size, rules, &stones, turn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::UpTo9;

    #[test]
    fn a_diagram_reads_back() {
        let position = Position::<UpTo9>::from_diagram(
            Rules::CHINESE,
            ". X O
             . X .
             a . .",
            Player::Second,
        )
        .unwrap();
        let text = position.board().to_string();
        assert_eq!(text, "   A B C\n 3 . X O 3\n 2 . X . 2\n 1 . . . 1\n   A B C");
    }

    #[test]
    fn stars_are_where_they_should() {
        let stars = |size| {
            let all = (0..size).flat_map(|y| (0..size).map(move |x| (x, y)));
            all.filter(|&(x, y)| is_star(size, x, y)).count()
        };
        assert_eq!([5, 9, 13, 19, 8].map(stars), [1, 5, 5, 9, 4]);
        assert!(is_star(19, 3, 9) && is_star(13, 3, 9) && is_star(9, 2, 6));
    }

    #[test]
    fn bad_diagrams_are_refused() {
        let read = |text| {
            Position::<UpTo9>::from_diagram(Rules::CHINESE, text, Player::First)
                .unwrap_err()
                .to_string()
        };
        assert!(read(". .\n. . .").contains("line 2"));
        assert!(read(".").contains("size 1"));
        assert!(read("X O .\nO . .\n. . .").contains("liberties"));
    }
}
