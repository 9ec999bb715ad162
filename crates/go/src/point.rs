//! Points, moves and their text: GTP's `D4`, `pass`.

use std::fmt;

use kosumi_game::{Move, ParseMoveError};

use crate::BoardClass;

/// A point of the padded board: `(y + 1) * stride + x + 1`, so its meaning depends on the class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(u16);

impl Point {
    /// A border point that stands for "no point".
    pub const NONE: Point = Point(0);

    /// The point in column `x` from the left and line `y` from below, both from 0.
    #[inline]
    #[must_use]
    pub const fn at<C: BoardClass>(x: usize, y: usize) -> Point {
        Point(((y + 1) * C::STRIDE + x + 1) as u16)
    }

    /// The point with that index.
    #[inline(always)]
    #[must_use]
    pub const fn from_index(index: usize) -> Point {
        Point(index as u16)
    }

    /// Its index in arrays per point.
    #[inline(always)]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Column from the left and line from below, from 0; for points on the board only.
    #[inline]
    #[must_use]
    pub const fn xy<C: BoardClass>(self) -> (usize, usize) {
        let index = self.index();
        ((index % C::STRIDE).wrapping_sub(1), (index / C::STRIDE).wrapping_sub(1))
    }

    /// The four points beside it, in the order of the 3x3 code: below, left, right, above.
    #[inline(always)]
    #[must_use]
    pub fn neighbours<C: BoardClass>(self) -> [Point; 4] {
        let stride = C::STRIDE as u16;
        [
            Point(self.0.wrapping_sub(stride)),
            Point(self.0.wrapping_sub(1)),
            Point(self.0.wrapping_add(1)),
            Point(self.0.wrapping_add(stride)),
        ]
    }

    /// The four points diagonal to it, in the order of the 3x3 code.
    #[inline(always)]
    #[must_use]
    pub fn diagonals<C: BoardClass>(self) -> [Point; 4] {
        let stride = C::STRIDE as u16;
        [
            Point(self.0.wrapping_sub(stride + 1)),
            Point(self.0.wrapping_sub(stride - 1)),
            Point(self.0.wrapping_add(stride - 1)),
            Point(self.0.wrapping_add(stride + 1)),
        ]
    }
}

/// A move: a point or a pass.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GoMove(u16);

impl GoMove {
    /// No stone. Its index 0 is a border point, so it costs no room among the moves.
    pub const PASS: GoMove = GoMove(0);

    /// A stone on that point.
    #[inline(always)]
    #[must_use]
    pub const fn on(point: Point) -> GoMove {
        GoMove(point.0)
    }

    /// Where the stone goes; `None` for a pass.
    #[inline(always)]
    #[must_use]
    pub const fn point(self) -> Option<Point> {
        if self.0 == 0 { None } else { Some(Point(self.0)) }
    }

    /// Whether it is a pass.
    #[inline(always)]
    #[must_use]
    pub const fn is_pass(self) -> bool {
        self.0 == 0
    }
}

impl fmt::Debug for GoMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.point() {
            None => write!(f, "pass"),
            Some(p) => write!(f, "GoMove({})", p.0),
        }
    }
}

impl Move for GoMove {
    #[inline(always)]
    fn index(self) -> usize {
        self.0 as usize
    }

    #[inline(always)]
    fn from_index(index: usize) -> Self {
        GoMove(index as u16)
    }
}

/// The letters of the columns; I is left out.
pub(crate) const COLUMNS: &[u8; 25] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";

/// The text of a move, e.g. `D4`.
pub(crate) fn move_text<C: BoardClass>(mv: GoMove, size: usize) -> String {
    match mv.point() {
        None => "pass".to_string(),
        Some(p) => {
            let (x, y) = p.xy::<C>();
            match COLUMNS.get(x) {
                Some(&letter) if x < size && y < size => {
                    format!("{}{}", char::from(letter), y + 1)
                }
                _ => format!("#{}", mv.0),
            }
        }
    }
}

/// Reads `D4` or `pass`, ignoring case.
pub(crate) fn parse_move<C: BoardClass>(text: &str, size: usize) -> Result<GoMove, ParseMoveError> {
    let read = || {
        if text.eq_ignore_ascii_case("pass") {
            return Some(GoMove::PASS);
        }
        let (&letter, digits) = text.as_bytes().split_first()?;
        let x = COLUMNS.iter().position(|&c| c == letter.to_ascii_uppercase())?;
        if digits.len() > 2
            || digits.first() == Some(&b'0')
            || !digits.iter().all(u8::is_ascii_digit)
        {
            return None;
        }
        let line: usize = std::str::from_utf8(digits).ok()?.parse().ok()?;
        (x < size && (1..=size).contains(&line)).then(|| GoMove::on(Point::at::<C>(x, line - 1)))
    };
    read().ok_or_else(|| {
        let last = char::from(COLUMNS[size - 1]);
        ParseMoveError::new(text, format!("expected A1 to {last}{size} (no I) or pass"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::UpTo19;

    #[test]
    fn columns_skip_i() {
        let j = parse_move::<UpTo19>("j19", 19).unwrap();
        assert_eq!(j.point().unwrap().xy::<UpTo19>(), (8, 18));
        assert_eq!(move_text::<UpTo19>(j, 19), "J19");
        assert_eq!(parse_move::<UpTo19>("PASS", 19), Ok(GoMove::PASS));
    }

    #[test]
    fn what_is_no_move_is_refused() {
        for text in ["", "I5", "A0", "A01", "A20", "T1", "4D", "D", "D+4", "Dä", "D4 ", "resign"] {
            let error = parse_move::<UpTo19>(text, 18).unwrap_err();
            assert!(error.to_string().contains("A1 to S18"), "{error}");
        }
    }
}
