//! Weighted 3x3 shapes: how urgent a move is by the stones around it, as a Bradley-Terry gamma (N2).
//!
//! The weights are data (`data/shapes.txt`, whose header tells where they come from): for playouts
//! near the last move and for priors they are worth far more than the few patterns that are
//! usually drawn by hand.

use std::sync::OnceLock;

use kosumi_game::Player;

use crate::Code;
use crate::pattern::{AROUND, parse, shift};

/// Gammas times 100 over all 3x3 codes, for Black to move.
#[derive(Debug)]
pub(crate) struct Shapes(Box<[u16; 1 << 16]>);

impl Shapes {
    /// What a shape too rare for the data weighs.
    const RARE: u16 = 100;

    /// The table, made once.
    pub(crate) fn get() -> &'static Shapes {
        static TABLE: OnceLock<Shapes> = OnceLock::new();
        TABLE.get_or_init(|| Self::read(include_str!("../data/shapes.txt")))
    }

    /// 100 times the gamma of a stone of `player` on an empty point with that code.
    #[inline(always)]
    pub(crate) fn weight(&self, code: Code, player: Player) -> u32 {
        let code = match player {
            Player::First => code,
            Player::Second => code.colours_exchanged(),
        };
        u32::from(self.0[usize::from(code.0)])
    }

    fn read(text: &str) -> Shapes {
        let mut table = vec![Self::RARE; 1 << 16];
        let lines = text.lines().filter(|line| !line.starts_with("# "));
        for (shape, weight) in lines.filter_map(|line| line.split_once(' ')) {
            let marks = parse(&shape.replace('/', " "));
            // The file is part of the program and a test reads every line of it.
            let weight = weight.trim().parse().unwrap_or(Self::RARE);
            for symmetry in 0..8 {
                table[usize::from(code_of(&marks, symmetry))] = weight;
            }
        }
        let table: Box<[u16]> = table.into();
        match table.try_into() {
            Ok(table) => Shapes(table),
            Err(_) => unreachable!("the table was made with that length"),
        }
    }
}

/// The code of a diagram turned by one of eight symmetries, X being Black.
fn code_of(marks: &[char; 8], symmetry: usize) -> u16 {
    let place = |(x, y): (i8, i8)| {
        let (x, y) = if symmetry & 1 == 0 { (x, y) } else { (-x, y) };
        let (x, y) = if symmetry & 2 == 0 { (x, y) } else { (x, -y) };
        let (x, y) = if symmetry & 4 == 0 { (x, y) } else { (y, x) };
        shift(x, y)
    };
    let colour = |mark| match mark {
        'X' => 1,
        'O' => 2,
        '#' => 3,
        _ => 0u16,
    };
    AROUND.iter().zip(marks).map(|(&at, &mark)| colour(mark) << place(at)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::UpTo9;
    use crate::tests::{board, marked};

    #[test]
    fn every_line_of_the_file_is_a_shape() {
        let text = include_str!("../data/shapes.txt");
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("# ")).collect();
        assert!(lines.len() > 1000);
        for line in lines {
            let (shape, weight) = line.split_once(' ').unwrap();
            assert_eq!(shape.len(), 11, "{line}");
            assert_eq!(shape.as_bytes()[5], b'*', "{line}");
            assert!(shape.chars().all(|c| "XO.#*/".contains(c)), "{line}");
            assert!(weight.parse::<u16>().unwrap() > 0, "{line}");
        }
    }

    #[test]
    fn a_hane_weighs_more_than_a_bump_for_either_colour() {
        let diagram = "
            . . . . .
            . X O . .
            . . a . .
            . . . . .
            . . . b .";
        let exchanged = "
            . . . . .
            . O X . .
            . . a . .
            . . . . .
            . . . b .";
        let weigh = |diagram, mark, player| {
            let p = marked::<UpTo9>(diagram, mark);
            Shapes::get().weight(board(diagram).code(p), player)
        };
        let hane = weigh(diagram, 'a', Player::First);
        assert!(hane > 2 * weigh(diagram, 'b', Player::First), "{hane}");
        assert_eq!(hane, weigh(exchanged, 'a', Player::Second));
    }
}
