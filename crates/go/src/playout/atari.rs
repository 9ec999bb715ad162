//! Answers to atari: take what the last move left in atari, save what it put in atari.

use kosumi_game::Player;

use super::Candidates;
use crate::{Board, BoardClass, Point};

/// Proposes to take the chain of the last move if it is in atari, and to save `player`'s chains
/// that it put in atari: by taking an attacker, or by running if that leads anywhere (read up to
/// `ladder` moves deep).
#[inline]
pub(crate) fn answer_atari<C: BoardClass>(
    board: &Board<C>,
    player: Player,
    last: Point,
    ladder: u32,
    out: &mut Candidates,
) {
    if board.liberty_count(last) == 1 {
        let p = board.liberties(last).first();
        if board.is_playable(p, player) {
            out.push(p);
        }
    }
    let mut beside = board.code(last).stones_beside(player);
    let mut seen = Point::NONE;
    while beside != 0 {
        let n = last.neighbours::<C>()[beside.trailing_zeros() as usize / 2];
        beside &= beside - 1;
        if board.liberty_count(n) == 1 && board.head(n) != seen {
            seen = board.head(n);
            save(board, player, n, ladder, out);
        }
    }
}

/// Proposes moves that save `player`'s chain of `p`, which is in atari.
pub(crate) fn save<C: BoardClass>(
    board: &Board<C>,
    player: Player,
    p: Point,
    ladder: u32,
    out: &mut Candidates,
) {
    board.for_captures_beside(p, |liberty| {
        if board.is_playable(liberty, player) {
            out.push(liberty);
        }
    });
    let exit = board.liberties(p).first();
    if board.is_playable(exit, player) {
        let escapes = match board.liberties_after(exit, player, 3) {
            0 | 1 => false,
            2 => ladder == 0 || !board.is_lost_in_ladder(p, ladder),
            _ => true,
        };
        if escapes {
            out.push(exit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::answers;

    fn proposals(diagram: &str) -> Vec<char> {
        answers(diagram, |board, player, last, out| {
            answer_atari(board, player, last, 20, out);
        })
    }

    #[test]
    fn takes_a_stone_that_put_itself_in_atari() {
        let found = proposals(
            "
            . . . . .
            . . X . .
            . X L X .
            . . a . .
            . . . . .",
        );
        assert_eq!(found, ['a']);
    }

    #[test]
    fn runs_where_running_helps() {
        let found = proposals(
            "
            . . . . . .
            . . L . . .
            . O X O . .
            . . a . . .
            . . . . . .
            . . . . . .",
        );
        assert_eq!(found, ['a']);
    }

    #[test]
    fn does_not_run_along_the_edge() {
        let found = proposals(
            "
            . . . . . .
            . . . . . .
            . . . . . .
            . O O . . .
            . O X L . .
            . . . . . .",
        );
        assert!(found.is_empty(), "{found:?}");
    }

    #[test]
    fn saves_by_taking_the_attacker() {
        let found = proposals(
            "
            . . . . . .
            . . X . . .
            . X O b . .
            . O X L . .
            . O a O . .
            . . O . . .",
        );
        assert_eq!(found, ['b']);
    }
}
