//! The boards of the three games and how SGF and the engines write their points.
//!
//! | game | SGF | engine |
//! |---|---|---|
//! | Go | `dd`: column, row from the top; empty or (to 19x19) `tt`: a pass | `D16`: no I, rows from the bottom; `pass` |
//! | Hex | `a1`: column, row from the top; `swap-pieces`, `resign` | the same |
//! | Havannah | `a1`: row, place in the row; `swap`, `resign` | the same |

use std::fmt;

use kosumi_game::Player;

use crate::error::{Problem, excerpt};

/// A colour of stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Colour {
    /// Black; moves first in Go and Hex.
    Black,
    /// White; moves first in Havannah.
    White,
}

impl Colour {
    /// The other colour.
    #[must_use]
    pub const fn opponent(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }

    /// `B` or `W`, as SGF writes it.
    #[must_use]
    pub const fn letter(self) -> &'static str {
        match self {
            Self::Black => "B",
            Self::White => "W",
        }
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Black => "black",
            Self::White => "white",
        })
    }
}

/// A game that records are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum GameKind {
    /// `GM[1]`, which a record without `GM` also means.
    Go,
    /// `GM[11]`.
    Hex,
    /// `GM[Havannah]`.
    Havannah,
}

/// Column and row from 0, as far as letters go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Point {
    pub(crate) column: u8,
    pub(crate) row: u8,
}

impl GameKind {
    /// All games.
    pub const ALL: [Self; 3] = [Self::Go, Self::Hex, Self::Havannah];

    /// The game's name in English.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Go => "Go",
            Self::Hex => "Hex",
            Self::Havannah => "Havannah",
        }
    }

    /// The value of `GM`.
    #[must_use]
    pub const fn sgf_id(self) -> &'static str {
        match self {
            Self::Go => "1",
            Self::Hex => "11",
            Self::Havannah => "Havannah",
        }
    }

    /// The game that a value of `GM` means: its number, or its name in any case.
    #[must_use]
    pub fn from_sgf_id(value: &str) -> Option<Self> {
        let value = value.trim();
        Self::ALL
            .into_iter()
            .find(|game| value == game.sgf_id() || value.eq_ignore_ascii_case(game.name()))
    }

    /// The largest board whose points have names: one letter each, without I in Go. The size of
    /// Havannah is an edge, so a board of size 13 has 25 rows.
    #[must_use]
    pub const fn max_size(self) -> u8 {
        match self {
            Self::Go => 25,
            Self::Hex => 26,
            Self::Havannah => 13,
        }
    }

    /// The colour that moves first in an even game.
    #[must_use]
    pub const fn first_colour(self) -> Colour {
        match self {
            Self::Go | Self::Hex => Colour::Black,
            Self::Havannah => Colour::White,
        }
    }

    /// The seat of a colour.
    #[must_use]
    pub fn player(self, colour: Colour) -> Player {
        if colour == self.first_colour() { Player::First } else { Player::Second }
    }

    /// The colour of a seat.
    #[must_use]
    pub const fn colour(self, player: Player) -> Colour {
        match player {
            Player::First => self.first_colour(),
            Player::Second => self.first_colour().opponent(),
        }
    }

    /// Whether the board of that size has the point.
    pub(crate) fn has(self, size: u8, point: Point) -> bool {
        let Point { column, row } = point;
        match self {
            Self::Go | Self::Hex => column < size && row < size,
            Self::Havannah => {
                let rows = 2 * size - 1;
                column < rows && row < rows && column.abs_diff(row) < size
            }
        }
    }

    /// Reads a point as SGF writes it.
    pub(crate) fn point_from_sgf(self, size: u8, text: &str) -> Option<Point> {
        let point = match (self, text.as_bytes()) {
            (Self::Go, &[column @ b'a'..=b'z', row @ b'a'..=b'z']) => {
                Point { column: column - b'a', row: row - b'a' }
            }
            (Self::Go, _) => return None,
            (Self::Hex | Self::Havannah, _) => return self.point_from_text(size, text),
        };
        self.has(size, point).then_some(point)
    }

    /// Reads a point as engines write it, in any case.
    pub(crate) fn point_from_text(self, size: u8, text: &str) -> Option<Point> {
        let (&letter, digits) = text.as_bytes().split_first()?;
        let letter = letter.to_ascii_lowercase();
        let number = match *digits {
            [ones @ b'1'..=b'9'] => ones - b'0',
            [tens @ b'1'..=b'9', ones @ b'0'..=b'9'] => 10 * (tens - b'0') + ones - b'0',
            _ => return None,
        };
        if !letter.is_ascii_lowercase() {
            return None;
        }
        let letter_index = letter - b'a';
        let point = match self {
            Self::Go => Point {
                column: match letter {
                    b'i' => return None,
                    _ => letter_index - u8::from(letter > b'i'),
                },
                row: size.checked_sub(number)?,
            },
            Self::Hex => Point { column: letter_index, row: number - 1 },
            Self::Havannah => Point { column: number - 1, row: letter_index },
        };
        self.has(size, point).then_some(point)
    }

    /// A point of the board as engines write it.
    pub(crate) fn point_text(self, size: u8, point: Point) -> String {
        let Point { column, row } = point;
        let (letter, number) = match self {
            Self::Go => (b'A' + column + u8::from(column >= b'I' - b'A'), size - row),
            Self::Hex => (b'a' + column, row + 1),
            Self::Havannah => (b'a' + row, column + 1),
        };
        // By hand: with `format!` reading a collection takes a sixth longer.
        let mut text = String::with_capacity(3);
        text.push(char::from(letter));
        if number >= 10 {
            text.push(char::from(b'0' + number / 10));
        }
        text.push(char::from(b'0' + number % 10));
        text
    }

    /// A point of the board as SGF writes it.
    pub(crate) fn point_sgf(self, size: u8, point: Point) -> String {
        match self {
            Self::Go => [point.column, point.row].map(|i| char::from(b'a' + i)).iter().collect(),
            Self::Hex | Self::Havannah => self.point_text(size, point),
        }
    }

    /// The move that is no point and that `text` says in SGF.
    pub(crate) fn special_from_sgf(self, size: u8, text: &str) -> Option<&'static str> {
        match (self, text) {
            (Self::Go, "") => Some("pass"),
            (Self::Go, "tt") if size <= 19 => Some("pass"),
            (Self::Go, _) => None,
            (Self::Hex | Self::Havannah, _) => self.special_from_text(text),
        }
    }

    /// The move that is no point and that `text` says to engines, in any case.
    pub(crate) fn special_from_text(self, text: &str) -> Option<&'static str> {
        let words: &[(&str, &'static str)] = match self {
            Self::Go => &[("pass", "pass")],
            Self::Hex => {
                &[("swap-pieces", "swap-pieces"), ("swap", "swap-pieces"), ("resign", "resign")]
            }
            Self::Havannah => &[("swap", "swap"), ("resign", "resign")],
        };
        words.iter().find(|(word, _)| word.eq_ignore_ascii_case(text)).map(|&(_, mv)| mv)
    }

    /// The error for a text that is no point or move on this board. `write` writes a point in the
    /// notation that was expected.
    pub(crate) fn bad_point(
        self,
        size: u8,
        text: &str,
        what: &'static str,
        write: fn(Self, u8, Point) -> String,
    ) -> Problem {
        let far = match self {
            Self::Go | Self::Hex => size - 1,
            Self::Havannah => 2 * size - 2,
        };
        // The corners with the smallest and largest names.
        let corners = match self {
            Self::Go if write(self, size, Point { column: 0, row: 0 }) != "aa" => {
                [(0, far), (far, 0)]
            }
            _ => [(0, 0), (far, far)],
        };
        let [first, last] = corners.map(|(column, row)| write(self, size, Point { column, row }));
        let others = match (self, what) {
            (_, "point") => "",
            (Self::Go, _) => " or a pass",
            (Self::Hex, _) => ", swap-pieces or resign",
            (Self::Havannah, _) => ", swap or resign",
        };
        Problem::BadPoint {
            text: excerpt(text),
            what,
            game: self.name(),
            size,
            expected: format!("{first} to {last}{others}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_points() {
        for (game, size, sgf, text) in [
            (GameKind::Go, 19, "aa", "A19"),
            (GameKind::Go, 19, "ss", "T1"),
            (GameKind::Go, 19, "dp", "D4"),
            (GameKind::Go, 19, "hi", "H11"),
            (GameKind::Go, 19, "ih", "J12"),
            (GameKind::Go, 25, "ya", "Z25"),
            (GameKind::Hex, 11, "k11", "k11"),
            (GameKind::Havannah, 5, "i5", "i5"),
        ] {
            let point = game.point_from_sgf(size, sgf).unwrap();
            assert_eq!(game.point_text(size, point), text);
            assert_eq!(game.point_sgf(size, point), sgf);
        }
    }

    #[test]
    fn every_point_of_every_board_has_its_own_names() {
        for game in GameKind::ALL {
            for size in 1..=game.max_size() {
                let mut count = 0;
                for (column, row) in (0..26).flat_map(|c| (0..26).map(move |r| (c, r))) {
                    let point = Point { column, row };
                    if !game.has(size, point) {
                        continue;
                    }
                    count += 1;
                    let text = game.point_text(size, point);
                    let sgf = game.point_sgf(size, point);
                    assert_eq!(game.point_from_text(size, &text), Some(point));
                    let lower = text.to_lowercase();
                    assert_eq!(game.point_from_text(size, &lower), Some(point));
                    assert_eq!(game.point_from_sgf(size, &sgf), Some(point));
                }
                let n = usize::from(size);
                let expected = match game {
                    GameKind::Havannah => 3 * n * (n - 1) + 1,
                    GameKind::Go | GameKind::Hex => n * n,
                };
                assert_eq!(count, expected, "{game:?} {size}");
            }
        }
    }

    #[test]
    fn off_the_board() {
        for (game, size, text) in [
            (GameKind::Go, 9, "ja"),
            (GameKind::Go, 9, "aj"),
            (GameKind::Go, 9, "tt"),
            (GameKind::Go, 19, "AA"),
            (GameKind::Go, 19, "a"),
            (GameKind::Go, 19, "aaa"),
            (GameKind::Hex, 11, "l1"),
            (GameKind::Hex, 11, "a12"),
            (GameKind::Hex, 11, "a0"),
            (GameKind::Hex, 11, "a01"),
            (GameKind::Hex, 11, "a+1"),
            (GameKind::Hex, 11, "11"),
            (GameKind::Hex, 11, "é1"),
            (GameKind::Hex, 11, "a300"),
            (GameKind::Havannah, 5, "a6"),
            (GameKind::Havannah, 5, "i4"),
            (GameKind::Havannah, 5, "j9"),
        ] {
            assert_eq!(game.point_from_sgf(size, text), None, "{text}");
        }
        for text in ["I5", "A0", "A10", "K1", "pass", ""] {
            assert_eq!(GameKind::Go.point_from_text(9, text), None, "{text}");
        }
    }

    #[test]
    fn errors_name_the_corners() {
        let expected =
            |game: GameKind, size, what, write| match game.bad_point(size, "?", what, write) {
                Problem::BadPoint { expected, .. } => expected,
                other => panic!("{other}"),
            };
        let (sgf, text) = (GameKind::point_sgf as fn(_, _, _) -> _, GameKind::point_text);
        assert_eq!(expected(GameKind::Go, 19, "move", sgf), "aa to ss or a pass");
        assert_eq!(expected(GameKind::Go, 19, "point", text), "A1 to T19");
        assert_eq!(expected(GameKind::Hex, 11, "move", text), "a1 to k11, swap-pieces or resign");
        assert_eq!(expected(GameKind::Havannah, 5, "point", sgf), "a1 to i9");
    }
}
