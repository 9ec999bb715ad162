//! The heavy playout: answers to the last move in a fixed order of heuristics, each with a
//! probability, else a random move that is no bad self-atari.
//!
//! After MoGo's and Pachi's policies: atari, chains with two liberties, nakade, 3x3 patterns at the
//! last two moves, random.

use kosumi_game::{Move, Player, Playout, Reward, Rng, Trace};

use super::atari::answer_atari;
use super::nakade::nakade;
use super::near::patterns_near;
use super::two_liberty::answer_two_liberties;
use super::{Candidates, length_limit, self_atari};
use crate::pattern::Patterns;
use crate::{Board, BoardClass, GoMove, Point, Position, score};

kosumi_game::parameters! {
    /// What the heavy playout does how often, in per cent.
    pub struct GoPlayoutParams {
        /// How often a playout answers atari.
        atari "playout.atari": u32 = 100, 0..=100;
        /// How often it looks at chains with two liberties beside the last move.
        two_liberty "playout.two_liberty": u32 = 100, 0..=100;
        /// How often it plays the vital point of a small eye space beside the last move.
        nakade "playout.nakade": u32 = 80, 0..=100;
        /// How often it looks for 3x3 patterns around the last move.
        patterns "playout.patterns": u32 = 100, 0..=100;
        /// How often it then looks for them around the move before.
        patterns_before "playout.patterns_before": u32 = 0, 0..=100;
        /// How often a random move that is a bad self-atari is rejected.
        reject_self_atari "playout.reject_self_atari": u32 = 90, 0..=100;
        /// How many moves of a ladder a playout reads; 0 believes every escape.
        ladder "playout.ladder": u32 = 8, 0..=200;
    }
}

/// Per cent as a threshold for 16 random bits.
const fn threshold(percent: u32) -> u64 {
    percent as u64 * 65536 / 100
}

/// The parameters as the inner loop wants them.
#[derive(Clone, Debug)]
struct Policy {
    patterns: &'static Patterns,
    atari: u64,
    two_liberty: u64,
    nakade: u64,
    near: u64,
    before: u64,
    reject_self_atari: u64,
    ladder: u32,
}

/// A playout with tactics and patterns.
#[derive(Clone, Debug)]
pub struct HeavyPlayout<C: BoardClass> {
    policy: Policy,
    board: Option<Board<C>>,
}

impl<C: BoardClass> HeavyPlayout<C> {
    /// A playout with its own board.
    #[must_use]
    pub fn new(params: &GoPlayoutParams) -> Self {
        Self {
            policy: Policy {
                patterns: Patterns::get(),
                atari: threshold(params.atari),
                two_liberty: threshold(params.two_liberty),
                nakade: threshold(params.nakade),
                near: threshold(params.patterns),
                before: threshold(params.patterns_before),
                reject_self_atari: threshold(params.reject_self_atari),
                ladder: params.ladder,
            },
            board: None,
        }
    }

    /// The board at the end of the last playout.
    #[must_use]
    pub fn final_board(&self) -> Option<&Board<C>> {
        self.board.as_ref()
    }
}

impl Policy {
    /// The policy's answer to the last moves; [`Point::NONE`] is a pass.
    #[inline]
    fn choose<C: BoardClass>(
        &self,
        board: &Board<C>,
        player: Player,
        [last, before]: [Point; 2],
        rng: &mut Rng,
    ) -> Point {
        if last != Point::NONE {
            let p = self.answer(board, player, last, before, rng);
            if p != Point::NONE {
                return p;
            }
        }
        self.random(board, player, rng)
    }

    #[inline]
    fn answer<C: BoardClass>(
        &self,
        board: &Board<C>,
        player: Player,
        last: Point,
        before: Point,
        rng: &mut Rng,
    ) -> Point {
        let dice = rng.next_u64();
        let mut candidates = Candidates::new();
        if (dice & 0xffff) < self.atari {
            answer_atari(board, player, last, self.ladder, &mut candidates);
            if !candidates.is_empty() {
                return candidates.draw(rng);
            }
        }
        if (dice >> 16 & 0xffff) < self.two_liberty {
            answer_two_liberties(board, player, last, self.ladder, &mut candidates);
            if !candidates.is_empty() {
                return candidates.draw(rng);
            }
        }
        if (dice >> 32 & 0xffff) < self.nakade {
            let p = nakade(board, last);
            if p != Point::NONE && board.is_playable(p, player) {
                return p;
            }
        }
        let dice = dice >> 48;
        if dice < self.near {
            patterns_near(board, self.patterns, player, last, &mut candidates);
            if candidates.is_empty() && before != Point::NONE && dice < self.before {
                patterns_near(board, self.patterns, player, before, &mut candidates);
            }
        }
        candidates.draw(rng)
    }

    /// A random move that fills no eye and mostly is no bad self-atari.
    #[inline]
    fn random<C: BoardClass>(&self, board: &Board<C>, player: Player, rng: &mut Rng) -> Point {
        let count = board.empty_count();
        let dice = rng.next_u64();
        let mut at = (((dice >> 32) * count as u64) >> 32) as usize;
        for _ in 0..count {
            let p = board.empty_point(at);
            at += 1;
            if at == count {
                at = 0;
            }
            if p == board.ko() {
                continue;
            }
            let code = board.code(p);
            if !code.has_empty_neighbour()
                && (code.is_eye_of(player) || board.is_suicide(p, player))
            {
                continue;
            }
            if !self_atari::is_bad(board, p, player) {
                return p;
            }
            if rng.next_u64() >> 48 >= self.reject_self_atari {
                return p;
            }
            let other = self_atari::instead(board, p, player);
            if other != Point::NONE {
                return other;
            }
        }
        Point::NONE
    }
}

impl<C: BoardClass> Playout<Position<C>> for HeavyPlayout<C> {
    fn run(&mut self, from: &Position<C>, rng: &mut Rng, trace: &mut Trace) -> Reward {
        let board = match &mut self.board {
            Some(board) => {
                board.clone_from(from.board());
                board
            }
            empty => empty.insert(*from.board()),
        };
        let mut player = from.to_move();
        let mut passes = from.passes();
        let [last, before, ..] = from.last_moves().map(|mv| mv.point().unwrap_or(Point::NONE));
        let mut last = [last, before];
        for _ in 0..length_limit(board.size()) {
            let p = self.policy.choose(board, player, last, rng);
            trace.push(player, GoMove::on(p).index());
            if p == Point::NONE {
                board.forget_ko();
                passes += 1;
                if passes >= 2 {
                    break;
                }
            } else {
                passes = 0;
                board.play_unhashed(p, player);
            }
            last = [p, last[0]];
            player = player.opponent();
        }
        score::reward(board.area_score(), from.white_half_points())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{KoRule, Rules, UpTo9, UpTo13, UpTo19, UpTo25};
    use kosumi_game::testing::playout_conformance;

    fn conforms<C: BoardClass>(size: usize, playouts: u64) {
        let start = Position::<C>::new(size, Rules::CHINESE.with_ko(KoRule::Simple)).unwrap();
        let new = || HeavyPlayout::new(&GoPlayoutParams::default());
        playout_conformance(&start, new, playouts, size as u64, true);
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
}
