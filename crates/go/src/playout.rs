//! Playouts: light (uniform) and heavy (tactics and patterns).

mod atari;
mod heavy;
mod light;
mod nakade;
mod near;
mod self_atari;
mod two_liberty;

pub use heavy::{GoPlayoutParams, HeavyPlayout};
pub use light::LightPlayout;

pub(crate) use nakade::nakade;
pub(crate) use self_atari::is_bad as is_bad_self_atari;
pub(crate) use two_liberty::defend;

use kosumi_game::Rng;

use crate::Point;

/// How many moves a playout may take on a board of `size` lines. Simple ko allows cycles (triple
/// ko), so there must be a limit; it is too far away to matter otherwise.
const fn length_limit(size: usize) -> usize {
    3 * size * size + 60
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
