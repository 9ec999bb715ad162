//! 3x3 patterns around an earlier move.

use kosumi_game::Player;

use super::{Candidates, self_atari};
use crate::pattern::Patterns;
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
    let around = centre.neighbours::<C>().into_iter().chain(centre.diagonals::<C>());
    for p in around {
        if board.is_empty(p)
            && patterns.matches(board.code(p), player)
            && board.is_playable(p, player)
            && !self_atari::is_bad(board, p, player)
        {
            out.push(p);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::answers;

    #[test]
    fn answers_a_hane_with_a_pattern() {
        let found = answers(
            "
            . . . . . .
            . . b . . .
            . . X L . .
            . . a . . .
            . . . . . .
            . . . . . .",
            |board, player, last, out| {
                patterns_near(board, Patterns::get(), player, last, out);
            },
        );
        assert!(!found.is_empty());
    }
}
