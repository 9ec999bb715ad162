//! Chains with two liberties beside the last move: catch the opponent's, save one's own.

use kosumi_game::Player;

use super::Candidates;
use crate::{Board, BoardClass, Point};

/// Proposes to catch the chain of the last move by an atari that leaves it no escape, and to give
/// `player`'s chains beside it liberties where such an atari threatens them. Ladders are read up to
/// `ladder` moves deep.
#[inline]
pub(crate) fn answer_two_liberties<C: BoardClass>(
    board: &Board<C>,
    player: Player,
    last: Point,
    ladder: u32,
    out: &mut Candidates,
) {
    if board.liberty_count(last) == 2 {
        for at in board.liberties(last) {
            if board.atari_catches(last, at, ladder) {
                out.push(at);
            }
        }
    }
    let mut beside = board.code(last).stones_beside(player);
    let mut seen = Point::NONE;
    while beside != 0 {
        let n = last.neighbours::<C>()[beside.trailing_zeros() as usize / 2];
        beside &= beside - 1;
        if board.liberty_count(n) == 2 && board.head(n) != seen {
            seen = board.head(n);
            defend(board, player, n, ladder, out);
        }
    }
}

/// Proposes moves for `player`'s chain of `p`, which has two liberties, if an atari would catch it.
pub(crate) fn defend<C: BoardClass>(
    board: &Board<C>,
    player: Player,
    p: Point,
    ladder: u32,
    out: &mut Candidates,
) {
    let liberties = board.liberties(p);
    if !liberties.iter().any(|at| board.atari_catches(p, at, ladder)) {
        return;
    }
    board.for_captures_beside(p, |liberty| {
        if board.is_playable(liberty, player) {
            out.push(liberty);
        }
    });
    for at in liberties {
        if board.is_playable(at, player) && board.liberties_after(at, player, 3) >= 3 {
            out.push(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::answers;

    fn proposals(diagram: &str) -> Vec<char> {
        answers(diagram, |board, player, last, out| {
            answer_two_liberties(board, player, last, 20, out);
        })
    }

    #[test]
    fn catches_a_stone_at_the_edge() {
        let found = proposals(
            "
            . . . . . .
            . . . . . .
            . . . . . .
            . . . . . .
            . . X X . .
            . . a L b X",
        );
        assert_eq!(found, ['a', 'b']);
    }

    #[test]
    fn leaves_a_stone_alone_that_escapes() {
        let found = proposals(
            "
            . . . . . .
            . . X . . .
            . X L . . .
            . . . . . .
            . . . . . .
            . . . . . .",
        );
        assert!(found.is_empty(), "{found:?}");
    }

    #[test]
    fn a_threatened_chain_gets_liberties() {
        let found = proposals(
            "
            . . . . . .
            . . . . . .
            . . . . . .
            . O L . . .
            O X X a . .
            . O b . . .",
        );
        assert_eq!(found, ['a']);
    }
}
