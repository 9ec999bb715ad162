//! What makes moves near the last ones likely, whatever their shape.

use kosumi_game::Player;

use crate::playout::Candidates;
use crate::playout::atari::save;
use crate::playout::nakade::nakade;
use crate::playout::two_liberty::defend;
use crate::tactics::size_class;
use crate::{Board, BoardClass, Point};

/// A reason to play somewhere. Those about chains have three sizes: 1 stone, 2 or 3, more.
pub(crate) type Reason = usize;

pub(crate) const BESIDE_LAST: Reason = 0;
pub(crate) const DIAGONAL_TO_LAST: Reason = 1;
pub(crate) const BESIDE_BEFORE: Reason = 2;
pub(crate) const DIAGONAL_TO_BEFORE: Reason = 3;
/// Takes the chain of the last move.
pub(crate) const TAKE: Reason = 4;
/// Saves a chain that the last move put in atari.
pub(crate) const SAVE: Reason = 7;
/// An atari to the chain of the last move that it does not escape.
pub(crate) const CATCH: Reason = 10;
/// Saves a chain from such an atari.
pub(crate) const DEFEND: Reason = 13;
/// The vital point of a small eye space beside the last move.
pub(crate) const NAKADE: Reason = 16;
/// A self-atari without purpose: no reason to play, but what is left of one.
pub(crate) const SELF_ATARI: Reason = 17;
/// How many reasons there are.
pub(crate) const REASONS: usize = 18;

fn by_size<C: BoardClass>(board: &Board<C>, chain: Point) -> Reason {
    size_class(board.chain_size(chain)) as Reason
}

/// Calls `found` with every empty point that there is a reason to play on and that reason; a point
/// may have several. Ladders are read up to `ladder` moves deep.
#[inline]
pub(crate) fn answers<C: BoardClass>(
    board: &Board<C>,
    player: Player,
    [last, before]: [Point; 2],
    ladder: u32,
    mut found: impl FnMut(Point, Reason),
) {
    let near = [(last, BESIDE_LAST, DIAGONAL_TO_LAST), (before, BESIDE_BEFORE, DIAGONAL_TO_BEFORE)];
    for (centre, beside, diagonal) in near {
        if centre == Point::NONE {
            continue;
        }
        let beside = centre.neighbours::<C>().into_iter().map(|p| (p, beside));
        let diagonal = centre.diagonals::<C>().into_iter().map(|p| (p, diagonal));
        for (p, reason) in beside.chain(diagonal).filter(|(p, _)| board.is_empty(*p)) {
            found(p, reason);
        }
    }
    if last == Point::NONE {
        return;
    }
    match board.liberty_count(last) {
        1 => found(board.liberties(last).first(), TAKE + by_size(board, last)),
        2 => {
            for at in board.liberties(last) {
                if board.atari_catches(last, at, ladder) {
                    found(at, CATCH + by_size(board, last));
                }
            }
        }
        _ => {}
    }
    let mut beside = board.code(last).stones_beside(player);
    let mut seen = Point::NONE;
    while beside != 0 {
        let n = last.neighbours::<C>()[beside.trailing_zeros() as usize / 2];
        beside &= beside - 1;
        if board.head(n) == seen || board.liberty_count(n) > 2 {
            continue;
        }
        seen = board.head(n);
        let mut candidates = Candidates::new();
        let reason = if board.liberty_count(n) == 1 {
            save(board, player, n, ladder, &mut candidates);
            SAVE
        } else {
            defend(board, player, n, ladder, &mut candidates);
            DEFEND
        };
        for &p in candidates.as_slice() {
            found(p, reason + by_size(board, n));
        }
    }
    let vital = nakade(board, last);
    if vital != Point::NONE {
        found(vital, NAKADE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::UpTo9;
    use crate::tests::{board, marked};

    fn reasons(diagram: &str) -> Vec<Reason> {
        let at = marked::<UpTo9>(diagram, 'a');
        let mut found = Vec::new();
        let last = [marked::<UpTo9>(diagram, 'L'), Point::NONE];
        answers(&board(diagram), Player::First, last, 20, |p, reason| {
            if p == at {
                found.push(reason);
            }
        });
        found.sort_unstable();
        found
    }

    #[test]
    fn a_stone_in_atari_is_taken() {
        let found = reasons(
            "
            . . . . .
            . . X . .
            . X L X .
            . . a . .
            . . . . .",
        );
        assert_eq!(found, [BESIDE_LAST, TAKE]);
    }

    #[test]
    fn a_pair_in_atari_is_saved() {
        let found = reasons(
            "
            . . . . . .
            . O O . . .
            O X X a . .
            . L O . . .
            . . . . . .
            . . . . . .",
        );
        assert_eq!(found, [SAVE + 1]);
    }

    #[test]
    fn a_stone_at_the_edge_is_caught() {
        let found = reasons(
            "
            . . . . . .
            . . . . . .
            . . . . . .
            . . . . . .
            . . X X . .
            . . a L . X",
        );
        assert_eq!(found, [BESIDE_LAST, CATCH]);
    }

    #[test]
    fn a_threatened_chain_is_defended() {
        let found = reasons(
            "
            . . . . . .
            . . . . . .
            . . . . . .
            . O L . . .
            O X X a . .
            . O . . . .",
        );
        assert_eq!(found, [DIAGONAL_TO_LAST, DEFEND + 1]);
    }
}
