//! Self-atari: which ones are bad, and what to play instead.

use kosumi_game::Player;

use crate::shape::vital_point;
use crate::{Board, BoardClass, Point};

/// Whether a stone of `player` on the playable point `p` is a self-atari without purpose.
///
/// Good ones take stones, throw in a single stone, or fill an eye with a shape that kills it.
#[inline]
pub(crate) fn is_bad<C: BoardClass>(board: &Board<C>, p: Point, player: Player) -> bool {
    board.is_self_atari(p, player) && !has_purpose(board, p, player)
}

#[cold]
fn has_purpose<C: BoardClass>(board: &Board<C>, p: Point, player: Player) -> bool {
    let code = board.code(p);
    if board.is_capture(p, player) {
        return true;
    }
    let own = code.stones_beside(player);
    if own == 0 {
        // A throw-in: only inside the opponent's shape, where it can take away an eye.
        return code.empty_neighbours() == 0
            || code.stones_beside(player.opponent()).count_ones() >= 2;
    }
    // The stones that would be lost together.
    let mut shape = [p; 6];
    let mut len = 1;
    for n in p.neighbours::<C>() {
        if !board.has(n, player) || shape[..len].contains(&n) {
            continue;
        }
        if len + board.chain_size(n) > shape.len() {
            return false;
        }
        for stone in board.chain_stones(n) {
            shape[len] = stone;
            len += 1;
        }
    }
    if len == 2 {
        return fills_an_eye(board, &shape[..len], player);
    }
    vital_point::<C>(&shape[..len]).is_some() && fills_an_eye(board, &shape[..len], player)
}

/// Whether the opponent would take the stones back with a chain that has nothing else: all chains
/// around them are the opponent's, and no own stone is near to connect to.
fn fills_an_eye<C: BoardClass>(board: &Board<C>, shape: &[Point], player: Player) -> bool {
    shape.iter().all(|&s| {
        s.neighbours::<C>().into_iter().all(|n| {
            !board.is_empty(n)
                || shape.contains(&n)
                || board.code(n).stones_beside(player.opponent()) != 0
        })
    })
}

/// A better move than the bad self-atari `p`: the other liberty of a chain that `p` would have
/// joined, if `p` was meant to give it liberties; [`Point::NONE`] if there is none.
pub(crate) fn instead<C: BoardClass>(board: &Board<C>, p: Point, player: Player) -> Point {
    let mut own = board.code(p).stones_beside(player);
    while own != 0 {
        let n = p.neighbours::<C>()[own.trailing_zeros() as usize / 2];
        own &= own - 1;
        if board.liberty_count(n) != 2 {
            continue;
        }
        for other in board.liberties(n) {
            if other != p
                && board.is_playable(other, player)
                && !board.code(other).is_eye_of(player)
                && !board.is_self_atari(other, player)
            {
                return other;
            }
        }
    }
    Point::NONE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::UpTo9;
    use crate::tests::{board, marked};

    fn bad(diagram: &str) -> bool {
        is_bad(&board(diagram), marked::<UpTo9>(diagram, 'a'), Player::First)
    }

    #[test]
    fn joining_a_doomed_chain_is_bad() {
        assert!(bad("
            . . . . . . .
            . O O O O . .
            O X X X a O .
            . O O O . . .
            . . . . . . .
            . . . . . . .
            . . . . . . ."));
    }

    #[test]
    fn taking_is_not() {
        assert!(!bad("
            . O X . .
            O X a O X
            . O X O X
            . . O X .
            . . . . ."));
    }

    #[test]
    fn filling_an_eye_with_a_killing_shape_is_not() {
        assert!(!bad("
            . X X a O . .
            O O O O O . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . ."));
    }

    #[test]
    fn with_a_living_shape_it_is() {
        assert!(bad("
            . X X X a O .
            O O O O O O .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . ."));
    }
}
