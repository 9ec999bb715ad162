//! Hand-made priors: each move starts as if some games with it had been won or lost already.
//!
//! Virtual games in the style of MoGo, Pachi and michi: captures, escapes, ataris that catch, 3x3
//! patterns and places near the last move are as good as won games; self-atari, own eyes, lost
//! ladders, low lines of an empty area and early passes are as bad as lost ones. The same features,
//! multiplied, give the prior probabilities that order the moves for widening and bias.

mod learned;

pub use learned::{GoModelParams, LearnedKnowledge, LearnedWorker};

use kosumi_game::{Context, Knowledge, Player, Value, Verdict, VirtualGames};

use crate::class::{PerPoint, PointSet};
use crate::pattern::Patterns;
use crate::playout::{self, Candidates};
use crate::tactics::distance;
use crate::{Board, BoardClass, GoMove, Point, Position};

kosumi_game::parameters! {
    /// How many virtual games each feature of a move is worth.
    pub struct GoPriorParams {
        /// Whether priors count as games already played, too; else they only order moves and bias.
        games "prior.games": bool = false;
        /// Games of value one half for every move.
        even "prior.even": f32 = 12.0, 0..=1000;
        /// Lost games for a self-atari without purpose.
        self_atari "prior.self_atari": f32 = 20.0, 0..=1000;
        /// Lost games for filling an own eye.
        eye "prior.eye": f32 = 40.0, 0..=1000;
        /// Won games for taking a single stone.
        capture_one "prior.capture_one": f32 = 12.0, 0..=1000;
        /// Won games for taking more stones, or stones that hold an own chain in atari.
        capture_many "prior.capture_many": f32 = 30.0, 0..=1000;
        /// Won games for saving a chain from atari.
        escape "prior.escape": f32 = 15.0, 0..=1000;
        /// Lost games for running in a ladder that does not work.
        lost_ladder "prior.lost_ladder": f32 = 20.0, 0..=1000;
        /// Won games for an atari that catches, or the defence against one.
        two_liberty "prior.two_liberty": f32 = 12.0, 0..=1000;
        /// Won games for the vital point of a small eye space.
        nakade "prior.nakade": f32 = 12.0, 0..=1000;
        /// Won games for a 3x3 pattern.
        pattern "prior.pattern": f32 = 10.0, 0..=1000;
        /// Won games beside the last move's chain.
        near_1 "prior.near_1": f32 = 18.0, 0..=1000;
        /// Won games two steps from the last move's chain.
        near_2 "prior.near_2": f32 = 14.0, 0..=1000;
        /// Won games three steps from the last move's chain.
        near_3 "prior.near_3": f32 = 6.0, 0..=1000;
        /// Lost games for the first line, and half of it for the second, where no stones are near.
        low_line "prior.low_line": f32 = 12.0, 0..=1000;
        /// Won games for the third line where no stones are near.
        third_line "prior.third_line": f32 = 10.0, 0..=1000;
        /// Lost games for a pass.
        pass "prior.pass": f32 = 20.0, 0..=1000;
        /// How many moves of a ladder are read.
        ladder "prior.ladder": u32 = 100, 0..=1000;
    }
}

/// Hand-made knowledge of Go.
#[derive(Clone, Debug)]
pub struct HandKnowledge {
    params: GoPriorParams,
    patterns: &'static Patterns,
}

impl HandKnowledge {
    /// Knowledge with these weights.
    #[must_use]
    pub fn new(params: GoPriorParams) -> Self {
        Self { params, patterns: Patterns::get() }
    }
}

/// What speaks for and against one move.
#[derive(Clone, Copy, Debug)]
struct Opinion {
    won: f32,
    lost: f32,
    weight: f32,
}

impl Opinion {
    const NONE: Opinion = Opinion { won: 0.0, lost: 0.0, weight: 1.0 };

    fn good(&mut self, games: f32, factor: f32) {
        self.won += games;
        self.weight *= factor;
    }

    fn bad(&mut self, games: f32, factor: f32) {
        self.lost += games;
        self.weight *= factor;
    }
}

/// Scratch memory of one thread.
#[derive(Clone)]
pub struct HandWorker<C: BoardClass> {
    opinions: PerPoint<C, Opinion>,
    /// Points that a feature has already spoken about.
    seen: PointSet<C>,
}

impl<C: BoardClass> std::fmt::Debug for HandWorker<C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("HandWorker")
    }
}

impl<C: BoardClass> HandWorker<C> {
    /// A feature speaks once about a move, however many chains ask for it.
    fn once(&mut self, p: Point) -> Option<&mut Opinion> {
        (!self.seen.contains(p)).then(|| {
            self.seen.insert(p);
            &mut self.opinions[p]
        })
    }
}

impl HandKnowledge {
    /// Captures, escapes and ladders of all chains.
    fn judge_chains<C: BoardClass>(
        &self,
        worker: &mut HandWorker<C>,
        board: &Board<C>,
        player: Player,
    ) {
        let params = &self.params;
        let heads = || board.points().filter(|&p| board.stone(p).is_some() && board.head(p) == p);
        worker.seen = PointSet::EMPTY;
        for p in heads().filter(|&p| board.liberty_count(p) == 1) {
            let liberty = board.liberties(p).first();
            if board.has(p, player) || !board.is_playable(liberty, player) {
                continue;
            }
            let saves = board.chain_stones(p).any(|s| {
                let beside = |n: Point| board.has(n, player) && board.liberty_count(n) == 1;
                s.neighbours::<C>().into_iter().any(beside)
            });
            if let Some(opinion) = worker.once(liberty) {
                if saves || board.chain_size(p) > 1 {
                    opinion.good(params.capture_many, 12.0);
                } else {
                    opinion.good(params.capture_one, 4.0);
                }
            }
        }
        for p in heads().filter(|&p| board.liberty_count(p) == 1 && board.has(p, player)) {
            let exit = board.liberties(p).first();
            if !board.is_playable(exit, player) || board.liberties_after(exit, player, 2) < 2 {
                continue;
            }
            let lost = board.is_lost_in_ladder(p, params.ladder);
            if let Some(opinion) = worker.once(exit) {
                if lost {
                    opinion.bad(params.lost_ladder, 0.2);
                } else {
                    opinion.good(params.escape, 6.0);
                }
            }
        }
        worker.seen = PointSet::EMPTY;
        for p in heads().filter(|&p| board.liberty_count(p) == 2) {
            if board.has(p, player) {
                let mut moves = Candidates::new();
                playout::defend(board, player, p, params.ladder, &mut moves);
                for &at in moves.as_slice() {
                    if let Some(opinion) = worker.once(at) {
                        opinion.good(params.two_liberty, 3.0);
                    }
                }
            } else {
                for at in board.liberties(p) {
                    if board.atari_catches(p, at, params.ladder)
                        && let Some(opinion) = worker.once(at)
                    {
                        opinion.good(params.two_liberty, 3.0);
                    }
                }
            }
        }
    }

    /// What a point says by itself.
    fn judge_point<C: BoardClass>(
        &self,
        opinion: &mut Opinion,
        board: &Board<C>,
        p: Point,
        player: Player,
    ) {
        let params = &self.params;
        let code = board.code(p);
        if code.is_eye_of(player) {
            opinion.bad(params.eye, 0.01);
        }
        if board.is_playable(p, player) && playout::is_bad_self_atari(board, p, player) {
            opinion.bad(params.self_atari, 0.1);
        }
        if self.patterns.matches(code, player) {
            opinion.good(params.pattern, 2.0);
        }
        let (x, y) = p.xy::<C>();
        let last = board.size() - 1;
        let height = x.min(y).min(last - x).min(last - y);
        if height <= 2 && distance::is_empty_around(board, p, 3) {
            match height {
                0 => opinion.bad(params.low_line, 0.1),
                1 => opinion.bad(params.low_line / 2.0, 0.3),
                _ => opinion.good(params.third_line, 1.5),
            }
        }
    }
}

/// Whether filling the eye `p` is useless for sure: a true single-point eye of `player` whose
/// chains all have another liberty.
fn is_useless_eye<C: BoardClass>(board: &Board<C>, p: Point, player: Player) -> bool {
    board.code(p).is_eye_of(player)
        && p.neighbours::<C>()
            .into_iter()
            .all(|n| !board.contains(n) || board.liberty_count(n) >= 2)
}

impl<C: BoardClass> Knowledge<Position<C>> for HandKnowledge {
    type Worker = HandWorker<C>;

    fn worker(&self) -> HandWorker<C> {
        HandWorker { opinions: PerPoint::filled(Opinion::NONE), seen: PointSet::EMPTY }
    }

    fn thresholds(&self) -> &[u64] {
        &[0]
    }

    fn assess(
        &self,
        worker: &mut HandWorker<C>,
        position: &Position<C>,
        context: &Context<'_, Position<C>>,
        verdict: &mut Verdict,
    ) {
        let (board, player, params) = (position.board(), position.to_move(), &self.params);
        worker.opinions.fill(Opinion::NONE);
        self.judge_chains(worker, board, player);
        if let Some(last) = position.last_move().point() {
            let vital = playout::nakade(board, last);
            worker.opinions[vital].good(params.nakade, 3.0);
            for (p, steps) in distance::from_last_move(board, last) {
                let opinion = &mut worker.opinions[p];
                match steps {
                    1 => opinion.good(params.near_1, 4.0),
                    2 => opinion.good(params.near_2, 2.5),
                    _ => opinion.good(params.near_3, 1.5),
                }
            }
        }
        // Opinions about the border, where "no point" lies, are about nothing.
        worker.opinions[Point::NONE] = Opinion::NONE;
        worker.opinions[Point::NONE].bad(params.pass, 0.02);
        let mut total = 0.0;
        for (place, &mv) in context.moves.iter().enumerate() {
            let mut opinion = worker.opinions[point_of(mv)];
            if let Some(p) = mv.point() {
                self.judge_point(&mut opinion, board, p, player);
                if is_useless_eye(board, p, player) {
                    verdict.pruned.push(place as u16);
                    opinion.weight = 0.0;
                }
            }
            let count = params.even + opinion.won + opinion.lost;
            let value = if count > 0.0 { (params.even / 2.0 + opinion.won) / count } else { 0.5 };
            if params.games {
                verdict.virtual_games.push(VirtualGames { count, value: Value::new(value) });
            }
            verdict.priors.push(opinion.weight);
            total += opinion.weight;
        }
        // A pass is always among the moves and never pruned, so the total is positive.
        for prior in &mut verdict.priors {
            *prior /= total;
        }
    }
}

/// Hand-made and learned knowledge, each if it is there. Together the probabilities are the learned
/// ones, and the virtual games of both are added up.
#[derive(Clone, Debug, Default)]
pub struct GoKnowledge {
    /// Hand-made knowledge.
    pub hand: Option<HandKnowledge>,
    /// Learned knowledge.
    pub learned: Option<LearnedKnowledge>,
}

impl<C: BoardClass> Knowledge<Position<C>> for GoKnowledge {
    type Worker = (Option<Box<HandWorker<C>>>, Option<Box<LearnedWorker<C>>>);

    fn worker(&self) -> Self::Worker {
        let hand = self.hand.as_ref().map(|hand| Box::new(hand.worker()));
        (hand, self.learned.as_ref().map(LearnedKnowledge::worker))
    }

    fn thresholds(&self) -> &[u64] {
        if self.hand.is_some() || self.learned.is_some() { &[0] } else { &[] }
    }

    fn assess(
        &self,
        (hand, learned): &mut Self::Worker,
        position: &Position<C>,
        context: &Context<'_, Position<C>>,
        verdict: &mut Verdict,
    ) {
        if let (Some(knowledge), Some(worker)) = (&self.hand, hand) {
            knowledge.assess(worker, position, context, verdict);
        }
        if let (Some(knowledge), Some(worker)) = (&self.learned, learned) {
            let before = std::mem::take(&mut verdict.virtual_games);
            verdict.clear();
            knowledge.assess(worker, position, context, verdict);
            if verdict.virtual_games.is_empty() {
                verdict.virtual_games = before;
            } else {
                for (games, more) in verdict.virtual_games.iter_mut().zip(before) {
                    *games = together(*games, more);
                }
            }
        }
    }
}

fn together(a: VirtualGames, b: VirtualGames) -> VirtualGames {
    let count = a.count + b.count;
    if count <= 0.0 {
        return a;
    }
    let won = a.count * a.value.get() + b.count * b.value.get();
    VirtualGames { count, value: Value::new(won / count) }
}

fn point_of(mv: GoMove) -> Point {
    mv.point().unwrap_or(Point::NONE)
}

#[cfg(test)]
mod tests;
