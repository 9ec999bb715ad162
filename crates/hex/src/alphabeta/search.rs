//! The search below the root: principal variation search with a transposition table.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use kosumi_game::params::PerLevel;
use kosumi_proof::Position;

use super::judge::Assess;
use super::score::Score;
use super::table::{Bound, CERTAIN, Entry, Table};
use crate::solver::board::Board;

/// What ends a search before its depth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget<'a> {
    pub begun: Instant,
    pub time: Option<Duration>,
    pub stop: Option<&'a AtomicBool>,
    /// The count of evaluated positions at which it ends.
    pub evaluated: u64,
}

impl Budget<'_> {
    /// An evaluation takes so long that the clock can be looked at before each.
    fn is_spent(&self, evaluated: u64) -> bool {
        evaluated >= self.evaluated
            || self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
            || self.time.is_some_and(|time| self.begun.elapsed() >= time)
    }
}

/// A search with all it remembers.
#[derive(Debug)]
pub(super) struct Searcher<const W: usize, J> {
    pub judge: J,
    pub table: Table,
    /// Positions evaluated, in all searches.
    pub evaluated: u64,
}

/// What stays the same during a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task<'a> {
    pub budget: Budget<'a>,
    /// How many moves are searched at each ply from the root, besides those that surely lose.
    pub widths: &'a PerLevel,
}

impl Task<'_> {
    pub(super) fn width(&self, ply: usize) -> usize {
        self.widths.at(ply) as usize
    }
}

/// The scores that still matter: what is outside of `low` to `high` needs no exact answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub low: Score,
    pub high: Score,
}

impl Window {
    pub(super) const FULL: Self = Self { low: Score::LOST, high: Score::WON };

    /// The same for the opponent.
    pub(super) fn reversed(self) -> Self {
        Self { low: -self.high, high: -self.low }
    }

    /// Asks only whether a score is above `low`.
    pub(super) fn null(self) -> Self {
        Self { high: self.low.above(), ..self }
    }
}

impl<const W: usize, J: Assess<W>> Searcher<W, J> {
    pub(super) fn new(judge: J, bytes: usize) -> Self {
        Self { judge, table: Table::new(bytes), evaluated: 0 }
    }

    /// Evaluates a position and lists its moves; `None` if the budget is spent.
    pub(super) fn assess(
        &mut self,
        board: &Board<W>,
        budget: &Budget<'_>,
        moves: &mut Vec<u16>,
    ) -> Option<Score> {
        if budget.is_spent(self.evaluated) {
            return None;
        }
        self.evaluated += 1;
        Some(self.judge.assess(board, moves))
    }

    /// What the position after a move is worth to who makes it: in the whole window if it is the
    /// `first`, else only if a null window says that it is better than the best before.
    pub(super) fn score_of(
        &mut self,
        board: &mut Board<W>,
        mv: u16,
        (ply, depth): (usize, u8),
        window: Window,
        first: bool,
        task: &Task<'_>,
    ) -> Option<Score> {
        board.play(mv);
        let below = (ply + 1, depth - 1);
        let mut score = None;
        if !first {
            score = self.search(board, below, window.null().reversed(), task).map(|score| -score);
        }
        let inside = |score: Score| score > window.low && score < window.high;
        if first || score.is_some_and(inside) {
            score = self.search(board, below, window.reversed(), task).map(|score| -score);
        }
        board.undo();
        score
    }

    /// The score of a position for the colour to move, or a bound if it is outside of the window;
    /// `None` if the budget is spent. A score that is certain is a proof: a position counts as lost
    /// only if all its moves are.
    pub(super) fn search(
        &mut self,
        board: &mut Board<W>,
        (ply, depth): (usize, u8),
        mut window: Window,
        task: &Task<'_>,
    ) -> Option<Score> {
        let key = board.key();
        let known = self.table.get(key);
        if let Some(entry) = known.filter(|entry| entry.depth >= depth) {
            let enough = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.score >= window.high,
                Bound::Upper => entry.score <= window.low,
            };
            if enough {
                return Some(entry.score);
            }
        }
        if depth == 0 && known.is_some() {
            return known.map(|entry| entry.still);
        }
        let mut moves = Vec::new();
        let still = self.assess(board, &task.budget, &mut moves)?;
        let settled = moves.is_empty();
        if settled || depth == 0 {
            let depth = if settled { CERTAIN } else { 0 };
            let (bound, best) = (Bound::Exact, None);
            self.table.put(key, Entry { still, score: still, bound, depth, best });
            return Some(still);
        }
        let width = task.width(ply);
        self.sort(board, &mut moves, width, still, known.and_then(|entry| entry.best));
        let (low, mut best, mut best_move) = (window.low, Score::LOST, None);
        let mut searched = 0;
        for (place, &mv) in moves.iter().enumerate() {
            if searched >= width {
                break;
            }
            let score = self.score_of(board, mv, (ply, depth), window, place == 0, task)?;
            // A move that surely loses makes room for another.
            searched += usize::from(!score.is_lost());
            if score > best || best_move.is_none() {
                (best, best_move) = (score, Some(mv));
            }
            window.low = window.low.max(score);
            if window.low >= window.high {
                break;
            }
        }
        let bound = match best {
            score if score >= window.high => Bound::Lower,
            score if score <= low => Bound::Upper,
            _ => Bound::Exact,
        };
        let certain = best.is_won() || best.is_lost();
        let (bound, depth) = if certain { (Bound::Exact, CERTAIN) } else { (bound, depth) };
        self.table.put(key, Entry { still, score: best, bound, depth, best: best_move });
        Some(best)
    }

    /// Of the moves that the circuit puts first, those come first which earlier and shallower
    /// searches liked.
    fn sort(
        &self,
        board: &Board<W>,
        moves: &mut [u16],
        width: usize,
        still: Score,
        best: Option<u16>,
    ) {
        let first = width.min(moves.len());
        moves[..first].sort_by_cached_key(|&mv| {
            let known = self.table.get(board.key_after(mv));
            (Some(mv) != best, known.map_or(-still, |entry| entry.score))
        });
    }

    /// The line that the table expects from a position on.
    pub(super) fn line(&self, board: &mut Board<W>, most: usize) -> Vec<u16> {
        let mut line = Vec::new();
        while line.len() < most {
            let best = self.table.get(board.key()).and_then(|entry| entry.best);
            // Keys may collide.
            let best = best.filter(|&mv| board.stones().empty().contains(usize::from(mv)));
            let Some(mv) = best else { break };
            board.play(mv);
            line.push(mv);
        }
        line.iter().for_each(|_| board.undo());
        line
    }
}
