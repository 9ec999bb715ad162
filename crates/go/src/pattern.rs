//! The 3x3 patterns of playouts, after the first MoGo (Gelly, Wang, Munos and Teytaud 2006): hane,
//! cuts and moves at the edge that are worth a look near the last move.
//!
//! Diagrams are turned and mirrored, and colours exchanged, into one table over all 3x3 codes.

use std::sync::OnceLock;

use kosumi_game::Player;

use crate::Code;

/// A diagram, and the diagrams it must not match at the same time. The player to move plays in the
/// middle. `X` one colour, `O` the other, `.` empty, `x` no X, `o` no O, `?` anything but border,
/// `#` border.
struct Pattern {
    diagram: &'static str,
    unless: &'static [&'static str],
    by: By,
}

/// Who may play it.
#[derive(Clone, Copy, PartialEq)]
enum By {
    Both,
    X,
}

const fn both(diagram: &'static str) -> Pattern {
    Pattern { diagram, unless: &[], by: By::Both }
}

const PATTERNS: &[Pattern] = &[
    // Hane that encloses.
    both(
        "X O X
          . . .
          ? ? ?",
    ),
    // Hane that does not cut.
    both(
        "X O .
          . . .
          ? . ?",
    ),
    // Hane against a turn.
    both(
        "X O ?
          X . .
          ? . ?",
    ),
    // Thin hane, for X.
    Pattern {
        diagram: "X O O
                  . . .
                  ? . ?",
        unless: &[],
        by: By::X,
    },
    // Cut, or connection against it.
    Pattern {
        diagram: "X O ?
                  O . ?
                  ? ? ?",
        unless: &[
            "X O ?
             O . O
             ? . ?",
            "X O ?
             O . .
             ? O ?",
        ],
        by: By::Both,
    },
    // Cut through.
    both(
        "? X ?
          O . O
          o o o",
    ),
    // Chase along the edge.
    both(
        "X . ?
          O . ?
          # # #",
    ),
    // Block at the edge.
    both(
        "O X ?
          X . O
          # # #",
    ),
    // Block a connection underneath.
    Pattern {
        diagram: "? X O
                  ? . X
                  # # #",
        unless: &[],
        by: By::X,
    },
    Pattern {
        diagram: "? X O
                  x . ?
                  # # #",
        unless: &["? X O
             O . X
             # # #"],
        by: By::X,
    },
    // Cut at the edge.
    Pattern {
        diagram: "? O X
                  X . O
                  # # #",
        unless: &[],
        by: By::Both,
    },
];

/// For each 3x3 code, bit `p` tells whether player `p` has a pattern there.
#[derive(Debug)]
pub(crate) struct Patterns(Box<[u8; 1 << 16]>);

impl Patterns {
    /// The table, made once.
    pub(crate) fn get() -> &'static Patterns {
        static TABLE: OnceLock<Patterns> = OnceLock::new();
        TABLE.get_or_init(Self::build)
    }

    /// Whether `player` has a pattern at an empty point with that code.
    #[inline(always)]
    pub(crate) fn matches(&self, code: Code, player: Player) -> bool {
        self.0[usize::from(code.0)] >> player.index() & 1 != 0
    }

    fn build() -> Patterns {
        let mut table = vec![0u8; 1 << 16];
        for pattern in PATTERNS {
            let wanted = parse(pattern.diagram);
            let unless: Vec<_> = pattern.unless.iter().map(|d| parse(d)).collect();
            for code in 0..=u16::MAX {
                if table[usize::from(code)] == 3 || !is_possible(code) {
                    continue;
                }
                for symmetry in 0..8 {
                    let seen = colours(code, symmetry);
                    for x in Player::BOTH {
                        let fits = |d: &[char; 8]| (0..8).all(|i| admits(d[i], seen[i], x));
                        if fits(&wanted) && !unless.iter().any(fits) {
                            table[usize::from(code)] |= match pattern.by {
                                By::Both => 3,
                                By::X => 1 << x.index(),
                            };
                        }
                    }
                }
            }
        }
        let table: Box<[u8]> = table.into();
        match table.try_into() {
            Ok(table) => Patterns(table),
            Err(_) => unreachable!("the table was made with that length"),
        }
    }
}

/// The eight places around the middle, in reading order of a diagram, as steps right and up.
const AROUND: [(i8, i8); 8] =
    [(-1, 1), (0, 1), (1, 1), (-1, 0), (1, 0), (-1, -1), (0, -1), (1, -1)];

fn parse(diagram: &str) -> [char; 8] {
    let mut marks = ['?'; 8];
    let read = diagram.chars().filter(|c| !c.is_whitespace()).enumerate();
    for (i, mark) in read.filter(|&(i, _)| i != 4) {
        marks[i - usize::from(i > 4)] = mark;
    }
    marks
}

/// Where in a code the neighbour lies that is `(right, up)` of the middle.
fn shift(right: i8, up: i8) -> u32 {
    match (right, up) {
        (0, -1) => 0,
        (-1, 0) => 2,
        (1, 0) => 4,
        (0, 1) => 6,
        (-1, -1) => 8,
        (1, -1) => 10,
        (-1, 1) => 12,
        _ => 14,
    }
}

/// The colours around the middle in reading order, the code turned by one of eight symmetries.
pub(crate) fn colours(code: u16, symmetry: usize) -> [u8; 8] {
    AROUND.map(|(x, y)| {
        let (x, y) = if symmetry & 1 == 0 { (x, y) } else { (-x, y) };
        let (x, y) = if symmetry & 2 == 0 { (x, y) } else { (x, -y) };
        let (x, y) = if symmetry & 4 == 0 { (x, y) } else { (y, x) };
        (code >> shift(x, y) & 3) as u8
    })
}

/// Border comes in whole lines only.
pub(crate) fn is_possible(code: u16) -> bool {
    let at = |x: i8, y: i8| code >> shift(x, y) & 3 == 3;
    [(1, 1), (1, -1), (-1, 1), (-1, -1)].iter().all(|&(x, y)| at(x, y) == (at(x, 0) || at(0, y)))
}

fn admits(mark: char, colour: u8, x: Player) -> bool {
    let (own, other) = (1 + x as u8, 2 - x as u8);
    match mark {
        'X' => colour == own,
        'O' => colour == other,
        '.' => colour == 0,
        'x' => colour != own && colour != 3,
        'o' => colour != other && colour != 3,
        '#' => colour == 3,
        _ => colour != 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::UpTo9;
    use crate::tests::{board, marked};

    fn matches(diagram: &str, player: Player) -> bool {
        let p = marked::<UpTo9>(diagram, 'a');
        Patterns::get().matches(board(diagram).code(p), player)
    }

    #[test]
    fn a_hane_is_a_pattern_for_both() {
        let diagram = "
            . . . . .
            . X O X .
            . . a . .
            . . . . .
            . . . . .";
        assert!(matches(diagram, Player::First) && matches(diagram, Player::Second));
        let diagram = "
            . . . . .
            . . O . .
            . . a . .
            . . . . .
            . . . . .";
        assert!(!matches(diagram, Player::First) && !matches(diagram, Player::Second));
    }

    #[test]
    fn a_protected_cut_is_none() {
        let cut = "
            . . . . .
            . X O . .
            . O a X .
            . . . . .
            . . . . .";
        assert!(matches(cut, Player::First) && matches(cut, Player::Second));
        let protected = "
            . . . . .
            . X O . .
            . O a O .
            . . . . .
            . . . . .";
        assert!(!matches(protected, Player::First));
    }

    #[test]
    fn edge_patterns_want_the_edge() {
        let edge = "
            . . . . .
            . . . . .
            . . . . .
            . X . . .
            . O a . .";
        assert!(matches(edge, Player::First));
        let thin = "
            . . . . .
            X O O . .
            . a . . .
            . . . . .
            . . . . .";
        assert!(matches(thin, Player::First));
        assert!(!matches(thin, Player::Second));
    }
}
