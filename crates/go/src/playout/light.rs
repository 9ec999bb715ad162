//! The light playout: uniformly random legal moves that do not fill an own eye.

use kosumi_game::{Player, Playout, Reward, Rng, Trace};

use super::play_to_the_end;
use crate::{Board, BoardClass, Point, Position};

/// Random moves until neither player has one, then the area score.
#[derive(Clone, Debug, Default)]
pub struct LightPlayout<C: BoardClass> {
    board: Option<Board<C>>,
}

impl<C: BoardClass> LightPlayout<C> {
    /// A playout with its own board.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl<C: BoardClass> Board<C> {
    /// A random move of `player` that is legal and fills no own eye; [`Point::NONE`] if there is
    /// none. The first such point from a random place in the list of empty points on: not quite
    /// uniform, but one random number and mostly one look.
    #[inline(always)]
    pub(crate) fn random_move(&self, player: Player, rng: &mut Rng) -> Point {
        let count = self.empty_count();
        let start = rng.below(count as u32) as usize;
        let mut at = start;
        for _ in 0..count {
            let p = self.empty_point(at);
            let code = self.code(p);
            if p != self.ko()
                && (code.has_empty_neighbour()
                    || (!code.is_eye_of(player) && !self.is_suicide(p, player)))
            {
                return p;
            }
            at += 1;
            if at == count {
                at = 0;
            }
        }
        Point::NONE
    }
}

impl<C: BoardClass> Playout<Position<C>> for LightPlayout<C> {
    fn run(&mut self, from: &Position<C>, rng: &mut Rng, trace: &mut Trace) -> Reward {
        play_to_the_end(&mut self.board, from, trace, |board, player, _| {
            board.random_move(player, rng)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{KoRule, Rules, UpTo9, UpTo13, UpTo19, UpTo25};
    use kosumi_game::testing::playout_conformance;

    fn conforms<C: BoardClass>(size: usize, playouts: u64) {
        let start = Position::<C>::new(size, Rules::CHINESE.with_ko(KoRule::Simple)).unwrap();
        playout_conformance(&start, LightPlayout::new, playouts, size as u64, true);
    }

    #[test]
    fn playouts_are_legal_games() {
        for size in 5..=9 {
            conforms::<UpTo9>(size, 200);
        }
        conforms::<UpTo13>(13, 50);
        conforms::<UpTo19>(19, 20);
        conforms::<UpTo25>(25, 10);
    }

    #[test]
    fn black_is_ahead_from_the_first_move() {
        // Without komi the first move is worth a little even to random players.
        let rules = Rules::CHINESE.with_komi(crate::Komi::parse("0.5").unwrap());
        let start = Position::<UpTo9>::new(9, rules).unwrap();
        let mut playout = LightPlayout::new();
        let wins = (0..4000)
            .filter(|&i| {
                let reward = playout.run(&start, &mut Rng::stream(1, i), &mut Trace::new());
                reward.winner() == Some(Player::First)
            })
            .count();
        assert!((2000..2500).contains(&wins), "{wins} of 4000");
    }
}
