//! 3x3 patterns and shapes around an earlier move.

use kosumi_game::{Player, Rng};

use super::{Candidates, self_atari};
use crate::pattern::Patterns;
use crate::shapes::Shapes;
use crate::{Board, BoardClass, Point};

/// Proposes the points around `centre` where `player` has a pattern and no bad self-atari.
#[inline]
pub(crate) fn patterns_near<C: BoardClass>(
    board: &Board<C>,
    patterns: &Patterns,
    player: Player,
    centre: Point,
    out: &mut Candidates,
) {
    for p in around::<C>(centre) {
        if board.is_empty(p)
            && patterns.matches(board.code(p), player)
            && board.is_playable(p, player)
            && !self_atari::is_bad(board, p, player)
        {
            out.push(p);
        }
    }
}

/// Draws one of the points around `centre` by the weight of its shape, or none
/// ([`Point::NONE`]), which weighs `elsewhere`. Self-ataris are left out unless they take stones.
#[inline]
pub(crate) fn shape_near<C: BoardClass>(
    board: &Board<C>,
    shapes: &Shapes,
    player: Player,
    centre: Point,
    elsewhere: u32,
    rng: &mut Rng,
) -> Point {
    let points = around::<C>(centre);
    let mut total = [0; 9];
    for (k, &p) in points.iter().enumerate() {
        total[k + 1] = total[k];
        if board.is_empty(p) && board.is_playable(p, player) {
            let code = board.code(p);
            if !board.is_self_atari(p, player) || board.is_capture(p, player) {
                total[k + 1] += shapes.weight(code, player);
            }
        }
    }
    let draw = rng.below(total[8] + elsewhere);
    if draw >= total[8] {
        return Point::NONE;
    }
    let below = total[1..].iter().filter(|&&sum| sum <= draw).count();
    points[below & 7]
}

fn around<C: BoardClass>(p: Point) -> [Point; 8] {
    let ([a, b, c, d], [e, f, g, h]) = (p.neighbours::<C>(), p.diagonals::<C>());
    [a, b, c, d, e, f, g, h]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::UpTo9;
    use crate::tests::{answers, board, marked};

    const CONTACT: &str = "
        . . . . . .
        . . b . . .
        . . X L . .
        . . . a . .
        . . . . . .
        . . . . . .";

    #[test]
    fn answers_contact_with_a_pattern() {
        let found = answers(CONTACT, |board, player, last, out| {
            patterns_near(board, Patterns::get(), player, last, out);
        });
        assert!(found.contains(&'a') && found.contains(&'.'), "{found:?}");
    }

    #[test]
    fn shapes_are_drawn_by_weight() {
        let (board, last) = (board(CONTACT), marked::<UpTo9>(CONTACT, 'L'));
        let mut rng = Rng::new(1);
        let draw = |elsewhere, rng: &mut Rng| {
            shape_near(&board, Shapes::get(), Player::First, last, elsewhere, rng)
        };
        let hane = marked::<UpTo9>(CONTACT, 'a');
        let hanes = (0..1000).filter(|_| draw(0, &mut rng) == hane).count();
        assert!(hanes > 250, "{hanes}");
        assert!((0..100).all(|_| draw(0, &mut rng) != Point::NONE));
        assert!((0..100).any(|_| draw(1 << 20, &mut rng) == Point::NONE));
    }
}
