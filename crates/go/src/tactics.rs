//! Small tactics on the board: liberties after a move, captures that save, ladders.

pub(crate) mod distance;
mod ladder;

use kosumi_game::Player;

use crate::class::PointSet;
use crate::{Board, BoardClass, Point};

/// One stone, two or three, more.
pub(crate) fn size_class(stones: usize) -> u32 {
    match stones {
        0 | 1 => 0,
        2 | 3 => 1,
        _ => 2,
    }
}

impl<C: BoardClass> Board<C> {
    /// How many liberties the chain of a stone of `player` on the empty point `p` would have,
    /// counted up to `limit`. Stones taken by the move are counted as the liberties they leave.
    #[inline]
    #[must_use]
    pub fn liberties_after(&self, p: Point, player: Player, limit: u32) -> u32 {
        self.liberties_after_without(p, player, Point::NONE, limit)
    }

    /// [`Board::liberties_after`] if the point `gone` were no liberty.
    #[inline]
    #[must_use]
    pub fn liberties_after_without(
        &self,
        p: Point,
        player: Player,
        gone: Point,
        limit: u32,
    ) -> u32 {
        let code = self.code(p);
        let neighbours = p.neighbours::<C>();
        let free = code.empty_neighbours();
        if code.empty_count() > limit {
            return limit;
        }
        let mut own = code.stones_beside(player);
        let mut set = PointSet::<C>::EMPTY;
        for (k, n) in neighbours.into_iter().enumerate() {
            set.insert_if(n, u64::from(free >> (2 * k) & 1));
        }
        while own != 0 {
            let chain = self.chain(neighbours[own.trailing_zeros() as usize / 2]);
            // All but `p` and `gone` stay.
            if u32::from(chain.count) >= limit + 2 {
                return limit;
            }
            set.add_all(&chain.liberties);
            own &= own - 1;
        }
        let mut enemies = code.stones_beside(player.opponent());
        while enemies != 0 {
            let n = neighbours[enemies.trailing_zeros() as usize / 2];
            if self.liberty_count(n) == 1 {
                self.add_liberties_of_capture(p, player, n, &mut set);
            }
            enemies &= enemies - 1;
        }
        set.remove(p);
        set.remove(gone);
        set.len_up_to(limit)
    }

    /// Adds the points that taking the chain of `prey` by a stone on `p` would give to the chains
    /// that this stone joins.
    #[cold]
    fn add_liberties_of_capture(
        &self,
        p: Point,
        player: Player,
        prey: Point,
        set: &mut PointSet<C>,
    ) {
        let mut heads = [Point::NONE; 4];
        for (head, n) in heads.iter_mut().zip(p.neighbours::<C>()) {
            if self.has(n, player) {
                *head = self.head(n);
            }
        }
        for stone in self.chain_stones(prey) {
            let beside = stone
                .neighbours::<C>()
                .into_iter()
                .any(|n| n == p || (self.head(n) != Point::NONE && heads.contains(&self.head(n))));
            set.insert_if(stone, u64::from(beside));
        }
    }

    /// Whether a stone of `player` on the playable point `p` would be in atari.
    #[inline]
    #[must_use]
    pub fn is_self_atari(&self, p: Point, player: Player) -> bool {
        self.code(p).empty_count() < 2 && self.liberties_after(p, player, 2) < 2
    }

    /// Calls `found` with the last liberty of each opposing chain in atari beside the chain of `p`.
    #[inline]
    pub(crate) fn for_captures_beside(&self, p: Point, mut found: impl FnMut(Point)) {
        let Some(owner) = self.stone(p) else { return };
        let opponent = owner.opponent();
        let head = self.head(p);
        let mut at = head;
        loop {
            let mut enemies = self.code(at).stones_beside(opponent);
            while enemies != 0 {
                let n = at.neighbours::<C>()[enemies.trailing_zeros() as usize / 2];
                if self.liberty_count(n) == 1 {
                    found(self.liberties(n).first());
                }
                enemies &= enemies - 1;
            }
            at = self.next_stone(at);
            if at == head {
                break;
            }
        }
    }

    /// Whether an opposing chain beside the chain of `p` is in atari and may be taken.
    #[must_use]
    pub fn can_capture_beside(&self, p: Point) -> bool {
        let ko = self.ko();
        let mut can = false;
        self.for_captures_beside(p, |liberty| can |= liberty != ko);
        can
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{board, marked};
    use crate::{Position, Rules, UpTo9};
    use kosumi_game::{Game, Rng};

    /// Liberties after a move are those that playing it gives.
    #[test]
    fn liberties_after_equal_playing() {
        for game in 0..60 {
            let mut rng = Rng::stream(11, game);
            let mut position = Position::<UpTo9>::new(6, Rules::CHINESE).unwrap();
            let mut moves = Vec::new();
            for _ in 0..80 {
                let board = position.board();
                for p in board.points() {
                    for player in Player::BOTH {
                        if !board.is_playable(p, player) {
                            continue;
                        }
                        let mut played = *board;
                        played.play(p, player);
                        let exact = played.liberty_count(p) as u32;
                        for limit in 1..5 {
                            let counted = board.liberties_after(p, player, limit);
                            assert_eq!(counted, exact.min(limit), "{p:?} {player:?}\n{board}");
                        }
                        assert_eq!(board.is_self_atari(p, player), exact < 2);
                    }
                }
                moves.clear();
                position.legal_moves(&mut moves);
                if moves.is_empty() {
                    break;
                }
                position.play(moves[rng.below(moves.len() as u32) as usize]);
            }
        }
    }

    #[test]
    fn a_liberty_may_be_taken_away() {
        let diagram = "
            . . . .
            . X a b
            . O O .
            . . . .";
        let board = board(diagram);
        let (a, b) = (marked::<UpTo9>(diagram, 'a'), marked::<UpTo9>(diagram, 'b'));
        assert_eq!(board.liberties_after(a, Player::First, 9), 4);
        assert_eq!(board.liberties_after_without(a, Player::First, b, 9), 3);
    }

    #[test]
    fn captures_beside_a_chain() {
        let board = board(
            "
            . X O .
            X . X O
            . X . .
            . . . .",
        );
        let beside = |x, y| board.can_capture_beside(Point::at::<UpTo9>(x, y));
        assert!(beside(2, 2) && beside(1, 3));
        assert!(!beside(0, 2) && !beside(3, 2));
    }
}
