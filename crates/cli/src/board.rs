//! Boards for the terminal: coordinates all around, the last move in brackets.

use std::fmt::Write;

use kosumi_engine::{Colour, GameKind};

const GO_COLUMNS: &[u8] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";

/// A board as text: `X` is black, `O` white, `(X)` the last move.
pub fn draw(
    game: GameKind,
    size: usize,
    stones: &[(Colour, String)],
    last: Option<&str>,
) -> String {
    let sign = |text: &str, empty: char| {
        let stone = stones.iter().find(|(_, point)| point.eq_ignore_ascii_case(text));
        match stone {
            Some((Colour::Black, _)) => 'X',
            Some((Colour::White, _)) => 'O',
            None => empty,
        }
    };
    match game {
        GameKind::Hex => hex(size, &sign, last),
        GameKind::Havannah => havannah(size, &sign, last),
        GameKind::Go => go(size, &sign, last),
    }
}

/// A board of Hex with the winner after each move: `b`, `w`, or `?` where it is not known.
pub fn draw_values(
    size: usize,
    stones: &[(Colour, String)],
    values: &[(String, Option<Colour>)],
) -> String {
    let sign = |text: &str, empty: char| {
        let stone = stones.iter().find(|(_, point)| point.eq_ignore_ascii_case(text));
        let value = values.iter().find(|(point, _)| point.eq_ignore_ascii_case(text));
        match (stone, value) {
            (Some((Colour::Black, _)), _) => 'X',
            (Some((Colour::White, _)), _) => 'O',
            (None, Some((_, Some(Colour::Black)))) => 'b',
            (None, Some((_, Some(Colour::White)))) => 'w',
            (None, Some((_, None))) => '?',
            (None, None) => empty,
        }
    };
    hex(size, &sign, None)
}

/// One row of points, each with a blank or bracket before it, and one behind the last.
fn row(points: impl Iterator<Item = (String, char)>, last: Option<&str>) -> String {
    let mut text = String::new();
    let mut open = false;
    for (name, sign) in points {
        let is_last = last.is_some_and(|last| last.eq_ignore_ascii_case(&name));
        text.push(match (open, is_last) {
            (true, _) => ')',
            (false, true) => '(',
            (false, false) => ' ',
        });
        text.push(sign);
        open = is_last;
    }
    text.push(if open { ')' } else { ' ' });
    text
}

fn go(size: usize, sign: &dyn Fn(&str, char) -> char, last: Option<&str>) -> String {
    let letters: String = GO_COLUMNS[..size.min(25)]
        .iter()
        .map(|&letter| format!(" {}", char::from(letter)))
        .collect();
    let mut text = format!("  {letters}\n");
    for line in (1..=size).rev() {
        let points = GO_COLUMNS[..size.min(25)].iter().zip(1..).map(|(&l, column)| {
            let name = format!("{}{line}", char::from(l));
            let empty = if is_star(size, column, line) { '+' } else { '.' };
            let sign = sign(&name, empty);
            (name, sign)
        });
        let row = row(points, last);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{line:2}{row}{line}");
    }
    text + "  " + &letters
}

fn is_star(size: usize, column: usize, line: usize) -> bool {
    let margin = match size {
        0..7 => return false,
        7..12 => 3,
        _ => 4,
    };
    let middle = size.div_ceil(2);
    let edge = |at| at == margin || at == size + 1 - margin;
    let centre = |at| size % 2 == 1 && at == middle;
    (edge(column) && edge(line))
        || (centre(column) && centre(line))
        || (size >= 15 && ((edge(column) && centre(line)) || (centre(column) && edge(line))))
}

/// Black (X) joins top and bottom, White (O) left and right.
fn hex(size: usize, sign: &dyn Fn(&str, char) -> char, last: Option<&str>) -> String {
    let letter = |column: usize| char::from(b'a' + column as u8);
    let letters: String = (0..size).map(|c| format!(" {}", letter(c))).collect();
    let mut text = format!("  {letters}\n");
    for line in 1..=size {
        let points = (0..size).map(|column| {
            let name = format!("{}{line}", letter(column));
            let sign = sign(&name, '.');
            (name, sign)
        });
        let row = row(points, last);
        let _ = writeln!(text, "{:indent$}{line:2} {row} {line}", "", indent = line - 1);
    }
    let _ = write!(text, "{:indent$}{letters}", "", indent = size + 3);
    text
}

/// Rows have letters; columns have numbers and run down to the left.
fn havannah(size: usize, sign: &dyn Fn(&str, char) -> char, last: Option<&str>) -> String {
    let rows = 2 * size - 1;
    let numbers: String = (1..=size).map(|n| format!("{n:>2}")).collect();
    let mut text = format!("{:indent$}{numbers}\n", "", indent = size + 2);
    for y in 0..rows {
        let letter = char::from(b'a' + y as u8);
        let indent = y.abs_diff(size - 1);
        let columns = (0..rows).filter(|x| x.abs_diff(y) < size);
        let points = columns.map(|x| {
            let name = format!("{letter}{}", x + 1);
            let sign = sign(&name, '.');
            (name, sign)
        });
        let row = row(points, last);
        let _ = write!(text, "{letter} {:indent$}{row}", "");
        // The number of the column that begins at the end of the next row.
        if y + 1 < size {
            let _ = write!(text, "{}", size + y + 1);
        }
        text.push('\n');
    }
    text.trim_end_matches('\n').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stones(black: &str, white: &str) -> Vec<(Colour, String)> {
        let of = |colour, texts: &str| {
            let texts = texts.split_whitespace().map(str::to_owned);
            texts.map(|text| (colour, text)).collect::<Vec<_>>()
        };
        [of(Colour::Black, black), of(Colour::White, white)].concat()
    }

    #[test]
    fn go_has_its_first_line_below_and_no_i() {
        let text = draw(GameKind::Go, 9, &stones("C3 J9", "A1"), Some("c3"));
        assert_eq!(
            text,
            "   A B C D E F G H J
 9 . . . . . . . . X 9
 8 . . . . . . . . . 8
 7 . . + . . . + . . 7
 6 . . . . . . . . . 6
 5 . . . . + . . . . 5
 4 . . . . . . . . . 4
 3 . .(X). . . + . . 3
 2 . . . . . . . . . 2
 1 O . . . . . . . . 1
   A B C D E F G H J"
        );
    }

    #[test]
    fn hex_leans_to_the_right() {
        let text = draw(GameKind::Hex, 3, &stones("b1", "c3"), Some("c3"));
        assert_eq!(
            text,
            "   a b c
 1  . X .  1
  2  . . .  2
   3  . .(O) 3
       a b c"
        );
    }

    #[test]
    fn havannah_is_a_hexagon() {
        let text = draw(GameKind::Havannah, 3, &stones("e5", "a1 c5"), Some("a1"));
        assert_eq!(
            text,
            "      1 2 3
a   (O). . 4
b   . . . . 5
c  . . . . O 
d   . . . . 
e    . . X "
        );
    }
}
