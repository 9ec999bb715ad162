//! Whose sphere a point lies in, and how surely: stones shed influence that spreads through empty
//! points until it settles (after Zobrist 1969 and Bouzy 2003).
//!
//! An empty point takes the mean of the points beside it, round by round, and a stone has a value of
//! its own, the less the fewer liberties its chain has. A second look gives chains what the first
//! one found at their liberties: stones deep in the opponent's sphere lose theirs, so that captured
//! stones left on the board do not spoil a territory.

use kosumi_game::Player;

use crate::class::PerPoint;
use crate::{Board, BoardClass, Point};

/// The influence of a stone that is safe.
const FULL: i32 = 1 << 14;
/// Rounds of each look.
const ROUNDS: usize = 6;

/// Influence on every point, in favour of one player; scratch memory of one thread.
pub(super) struct Influence<C: BoardClass> {
    now: PerPoint<C, i32>,
    next: PerPoint<C, i32>,
    /// The empty points, for each round asks for them.
    empty: Vec<Point>,
}

impl<C: BoardClass> Influence<C> {
    pub(super) fn new() -> Self {
        Self { now: PerPoint::filled(0), next: PerPoint::filled(0), empty: Vec::new() }
    }

    /// Whose sphere `p` lies in: 0 is surely the opponent's, 4 nobody's, 8 surely the player's.
    pub(super) fn sphere(&self, p: Point) -> u32 {
        let value = self.now[p];
        let sure = match value.abs() * 32 / FULL {
            0..3 => 0,
            3..8 => 1,
            8..15 => 2,
            15..23 => 3,
            _ => 4,
        };
        if value < 0 { 4 - sure } else { 4 + sure }
    }

    /// How much influence differs between `p` and the points beside it: 0 little, 3 much.
    pub(super) fn slope(&self, board: &Board<C>, p: Point) -> u32 {
        let (mut least, mut most) = (self.now[p], self.now[p]);
        for n in p.neighbours::<C>() {
            if board.contains(n) {
                least = least.min(self.now[n]);
                most = most.max(self.now[n]);
            }
        }
        match (most - least) * 32 / FULL {
            0..6 => 0,
            6..16 => 1,
            16..32 => 2,
            _ => 3,
        }
    }

    /// Looks at a board for `player`.
    pub(super) fn look_at(&mut self, board: &Board<C>, player: Player) {
        self.empty.clear();
        self.empty.extend(board.points().filter(|&p| board.is_empty(p)));
        self.now.fill(0);
        let shed = |p: Point, owner: Player| {
            let value = FULL * [0, 1, 5, 7, 8][board.liberty_count(p).min(4)] / 8;
            if owner == player { value } else { -value }
        };
        self.set_chains(board, |_, p, owner| shed(p, owner));
        self.spread(board);
        self.set_chains(board, |now, p, owner| {
            let liberties = board.liberties(p);
            let sum: i32 = liberties.iter().map(|p| now[p]).sum();
            let around = sum / board.liberty_count(p).max(1) as i32;
            (shed(p, owner) / 2 + around).clamp(-FULL, FULL)
        });
        self.spread(board);
    }

    /// Gives all stones of each chain a value, which may depend on the influence so far.
    fn set_chains(
        &mut self,
        board: &Board<C>,
        value: impl Fn(&PerPoint<C, i32>, Point, Player) -> i32,
    ) {
        self.next = self.now;
        for p in board.points() {
            let Some(owner) = board.stone(p) else { continue };
            if board.head(p) == p {
                let value = value(&self.now, p, owner);
                board.chain_stones(p).for_each(|s| self.next[s] = value);
            }
        }
        self.now = self.next;
    }

    fn spread(&mut self, board: &Board<C>) {
        for _ in 0..ROUNDS {
            for &p in &self.empty {
                let (mut sum, mut count) = (0, 0);
                for n in p.neighbours::<C>() {
                    // The border has no influence.
                    sum += self.now[n];
                    count += i32::from(board.contains(n));
                }
                self.next[p] = sum / count;
            }
            std::mem::swap(&mut self.now, &mut self.next);
        }
    }
}
