//! Playouts: light (uniform), heavy (hand-made rules) and learned (drawn by a model).

mod atari;
mod heavy;
pub(crate) mod learned;
mod light;
mod nakade;
mod near;
mod self_atari;
mod two_liberty;

pub use heavy::{GoPlayoutParams, HeavyPlayout};
pub use learned::{GoGammaParams, LearnedPlayout, PlayoutModel, PlayoutWeights};
pub use light::LightPlayout;

pub(crate) use nakade::nakade;
pub(crate) use self_atari::is_bad as is_bad_self_atari;
pub(crate) use two_liberty::defend;

use kosumi_game::{Move, Player, Reward, Rng, Trace};

use crate::{Board, BoardClass, GoMove, Point, Position, score};

/// How many moves a playout may take on a board of `size` lines. Simple ko allows cycles (triple
/// ko), so there must be a limit; it is too far away to matter otherwise.
const fn length_limit(size: usize) -> usize {
    3 * size * size + 60
}

/// Plays the moves that `choose` makes of board, player and the last two moves until two passes,
/// then counts. `room` is the board of the playout before, to play on.
#[inline(always)]
fn play_to_the_end<C: BoardClass>(
    room: &mut Option<Board<C>>,
    from: &Position<C>,
    trace: &mut Trace,
    mut choose: impl FnMut(&Board<C>, Player, [Point; 2]) -> Point,
) -> Reward {
    let board = match room {
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
        let p = choose(board, player, last);
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

/// Moves that one of the heuristics proposes. A move proposed twice is twice as likely.
#[derive(Clone, Debug)]
pub(crate) struct Candidates {
    points: [Point; Self::ROOM],
    len: usize,
}

impl Candidates {
    /// More proposals than this are dropped: one of these is as good.
    const ROOM: usize = 32;

    pub(crate) fn new() -> Self {
        Self { points: [Point::NONE; Self::ROOM], len: 0 }
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, p: Point) {
        if self.len < Self::ROOM {
            self.points[self.len] = p;
            self.len += 1;
        }
    }

    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// One of them at random; [`Point::NONE`] if there is none.
    #[inline]
    pub(crate) fn draw(&self, rng: &mut Rng) -> Point {
        match self.len {
            0 => Point::NONE,
            1 => self.points[0],
            len => self.points[rng.below(len as u32) as usize % Self::ROOM],
        }
    }

    pub(crate) fn as_slice(&self) -> &[Point] {
        &self.points[..self.len]
    }
}
