//! Nakade: the vital point of a small eye space beside the last move, to kill it or to live.

use crate::shape::vital_point;
use crate::{Board, BoardClass, Point};

/// The vital point of an empty region of 3 to 6 points that lies beside `last` and touches one
/// colour only; [`Point::NONE`] if there is none.
#[inline]
pub(crate) fn nakade<C: BoardClass>(board: &Board<C>, last: Point) -> Point {
    let mut free = board.code(last).empty_neighbours();
    while free != 0 {
        let start = last.neighbours::<C>()[free.trailing_zeros() as usize / 2];
        free &= free - 1;
        if let Some(p) = region_vital_point(board, start) {
            return p;
        }
    }
    Point::NONE
}

/// The vital point of the empty region of `start`, if it is small and of one colour.
pub(crate) fn region_vital_point<C: BoardClass>(board: &Board<C>, start: Point) -> Option<Point> {
    let mut region = [start; 6];
    let (mut at, mut len) = (0, 1);
    let mut colours = 0;
    while at < len {
        let p = region[at];
        let code = board.code(p);
        colours |= u16::from(code.stones_beside(kosumi_game::Player::First) != 0)
            | u16::from(code.stones_beside(kosumi_game::Player::Second) != 0) << 1;
        if colours == 3 {
            return None;
        }
        let mut free = code.empty_neighbours();
        while free != 0 {
            let n = p.neighbours::<C>()[free.trailing_zeros() as usize / 2];
            free &= free - 1;
            if !region[..len].contains(&n) {
                if len == region.len() {
                    return None;
                }
                region[len] = n;
                len += 1;
            }
        }
        at += 1;
    }
    vital_point::<C>(&region[..len])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::answers;

    fn proposals(diagram: &str) -> Vec<char> {
        answers(diagram, |board, _, last, out| {
            let p = nakade(board, last);
            if p != Point::NONE {
                out.push(p);
            }
        })
    }

    #[test]
    fn plays_the_middle_of_three() {
        let found = proposals(
            "
            . a . L . .
            O O O O . .
            . . . . . .
            . X . . . .
            . . . . . .
            . . . . . .",
        );
        assert_eq!(found, ['a']);
    }

    #[test]
    fn leaves_four_in_a_row_and_shared_regions_alone() {
        let four = "
            . . . . L .
            O O O O O .
            . . . . . .
            . X . . . .
            . . . . . .
            . . . . . .";
        assert!(proposals(four).is_empty());
        let shared = "
            X . . L . .
            O O O O . .
            . . . . . .
            . X . . . .
            . . . . . .
            . . . . . .";
        assert!(proposals(shared).is_empty());
    }
}
