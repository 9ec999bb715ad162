//! The learned playout (N5): every move is drawn with the probability that a Bradley-Terry model
//! gives it.
//!
//! A move's strength is the product of the gammas of its 3x3 shape and of the reasons to play there
//! (`answers`). Shapes change only around stones that come and go, so their gammas are kept up to
//! date in a [`Field`] with sums; reasons are all near the last two moves and found anew each time.
//! The few moves that the rules forbid, and most bad self-atari, are drawn and refused: those are
//! asked for only then.

pub(crate) mod answers;
mod field;
mod model;
pub(crate) mod shapes;

use std::sync::Arc;

use kosumi_game::{Player, Playout, Reward, Rng, Trace, math};

use self::answers::{REASONS, SELF_ATARI, answers};
use self::field::Field;
use self::shapes::Shapes;
use super::{play_to_the_end, self_atari};
use crate::class::PerPoint;
use crate::code::Code;
use crate::{Board, BoardClass, Point, Position};

pub use self::model::PlayoutModel;

kosumi_game::parameters! {
    /// How the learned playout uses its model. Exponents of 1 leave the gammas as they were learned,
    /// 0 makes them all 1.
    pub struct GoGammaParams {
        /// Exponent of the gammas of 3x3 shapes.
        shape "gamma.shape": f32 = 1.0, 0..=4;
        /// Exponent of the gammas of places near the last two moves.
        near "gamma.near": f32 = 1.0, 0..=4;
        /// Exponent of the gammas of captures, escapes and other tactics.
        tactics "gamma.tactics": f32 = 1.0, 0..=4;
        /// Exponent of the gamma of bad self-atari.
        self_atari "gamma.self_atari": f32 = 1.0, 0..=4;
    }
}

/// The weight of a shape with gamma 1.
const UNIT: f32 = 256.0;

/// A model as the inner loop wants it; all threads share one.
#[derive(Debug)]
pub struct PlayoutWeights {
    /// By code: the weight of the shape for Black and for White, 0 where it fills an eye.
    shapes: Box<[[u16; 2]]>,
    /// Gammas.
    reasons: [f32; REASONS],
    /// How often in 65,536 a bad self-atari is played when drawn.
    self_atari: u32,
    ladder: u32,
}

impl PlayoutWeights {
    /// The weights of a model under these parameters; ladders are read `ladder` moves deep.
    #[must_use]
    pub fn new(model: &PlayoutModel, params: &GoGammaParams, ladder: u32) -> Self {
        let shape = |number: usize| {
            let gamma = math::exp(params.shape * model.shapes()[number]);
            (UNIT * gamma).round().clamp(1.0, f32::from(u16::MAX)) as u16
        };
        let weights = |code: u16| {
            let code = Code(code);
            Player::BOTH.map(|player| match Shapes::get().number(code, player) {
                _ if code.is_eye_of(player) => 0,
                Some(number) => shape(number),
                None => 0,
            })
        };
        let exponent = |reason| match reason {
            SELF_ATARI => params.self_atari,
            answers::TAKE.. => params.tactics,
            _ => params.near,
        };
        let gamma = |reason| math::exp(exponent(reason) * model.reasons()[reason]);
        Self {
            shapes: (0..=u16::MAX).map(weights).collect(),
            reasons: std::array::from_fn(gamma),
            self_atari: (65536.0 * gamma(SELF_ATARI)).round().clamp(0.0, 65536.0) as u32,
            ladder,
        }
    }

    #[inline(always)]
    fn shape(&self, code: Code) -> [u16; 2] {
        self.shapes[usize::from(code.0)]
    }
}

/// More answers than ever come up: 16 near points, and what tactics propose for five chains.
const ROOM: usize = 64;

/// Points that there is a reason to play on, each with the product of its gammas.
#[derive(Clone, Debug)]
struct Reasons<C: BoardClass> {
    list: [Answer; ROOM],
    len: usize,
    /// Place in the list plus 1.
    place: PerPoint<C, u8>,
}

#[derive(Clone, Copy, Debug)]
struct Answer {
    point: Point,
    gamma: f32,
    /// The weight beyond that of the shape.
    extra: u32,
}

const NOTHING: Answer = Answer { point: Point::NONE, gamma: 1.0, extra: 0 };

impl<C: BoardClass> Reasons<C> {
    fn new() -> Self {
        Self { list: [NOTHING; ROOM], len: 0, place: PerPoint::filled(0) }
    }

    #[inline(always)]
    fn clear(&mut self) {
        for answer in &self.list[..self.len] {
            self.place[answer.point] = 0;
        }
        self.len = 0;
    }

    #[inline(always)]
    fn add(&mut self, p: Point, gamma: f32) {
        match usize::from(self.place[p]) {
            0 if self.len < ROOM => {
                self.list[self.len] = Answer { point: p, gamma, extra: 0 };
                self.len += 1;
                self.place[p] = self.len as u8;
            }
            0 => {}
            place => self.list[(place - 1) % ROOM].gamma *= gamma,
        }
    }

    /// Sets the extra weights; returns their sum.
    #[inline(always)]
    fn weigh(&mut self, weight: impl Fn(Point) -> u16) -> u32 {
        let mut sum = 0u32;
        for answer in &mut self.list[..self.len] {
            // Less than the shape's weight cannot be taken away; learned gammas are above 1. The
            // bound keeps the sum of 64 within its type.
            let extra = f32::from(weight(answer.point)) * (answer.gamma - 1.0);
            answer.extra = extra.clamp(0.0, 33_000_000.0) as u32;
            sum += answer.extra;
        }
        sum
    }

    /// The answer at which the sum of extra weights exceeds `at`.
    #[inline(always)]
    fn at(&self, mut at: u32) -> Point {
        for answer in &self.list[..self.len] {
            if at < answer.extra {
                return answer.point;
            }
            at -= answer.extra;
        }
        Point::NONE
    }

    /// Takes the point's extra weight away; returns what it was.
    fn drop(&mut self, p: Point) -> u32 {
        match usize::from(self.place[p]) {
            0 => 0,
            place => std::mem::take(&mut self.list[(place - 1) % ROOM].extra),
        }
    }
}

/// Moves drawn by the learned model.
#[derive(Clone, Debug)]
pub struct LearnedPlayout<C: BoardClass> {
    drawer: Drawer<C>,
    board: Option<Board<C>>,
}

#[derive(Clone, Debug)]
struct Drawer<C: BoardClass> {
    weights: Arc<PlayoutWeights>,
    field: Field<C>,
    reasons: Reasons<C>,
    /// Empty points when the field was last brought up to date.
    empty: usize,
    refused: Vec<Point>,
}

impl<C: BoardClass> LearnedPlayout<C> {
    /// A playout with its own board.
    #[must_use]
    pub fn new(weights: Arc<PlayoutWeights>) -> Self {
        let drawer = Drawer {
            weights,
            field: Field::new(),
            reasons: Reasons::new(),
            empty: 0,
            refused: Vec::new(),
        };
        Self { drawer, board: None }
    }
}

impl<C: BoardClass> Drawer<C> {
    /// Looks at the whole board.
    fn begin(&mut self, board: &Board<C>) {
        self.field.clear();
        self.empty = board.empty_count();
        for at in 0..self.empty {
            self.refresh(board, board.empty_point(at));
        }
    }

    #[inline(always)]
    fn refresh(&mut self, board: &Board<C>, p: Point) {
        self.field.set(p, self.weights.shape(board.code(p)));
    }

    #[inline(always)]
    fn refresh_around(&mut self, board: &Board<C>, p: Point) {
        for n in p.neighbours::<C>().into_iter().chain(p.diagonals::<C>()) {
            if board.is_empty(n) {
                self.refresh(board, n);
            }
        }
    }

    /// Looks at what the stone on `last` has changed.
    #[inline]
    fn catch_up(&mut self, board: &Board<C>, last: Point) {
        let count = board.empty_count();
        if last == Point::NONE {
            return;
        }
        self.field.set(last, [0; 2]);
        self.refresh_around(board, last);
        // Points of taken stones were appended to the list, in which one place became free.
        for at in self.empty.saturating_sub(1)..count {
            let p = board.empty_point(at);
            self.refresh(board, p);
            self.refresh_around(board, p);
        }
        self.empty = count;
    }

    /// A move by the model; [`Point::NONE`] is a pass.
    #[inline]
    fn choose(
        &mut self,
        board: &Board<C>,
        player: Player,
        last: [Point; 2],
        rng: &mut Rng,
    ) -> Point {
        self.catch_up(board, last[0]);
        let Self { weights, field, reasons, refused, .. } = self;
        reasons.clear();
        answers(board, player, last, weights.ladder, |p, reason| {
            reasons.add(p, weights.reasons[reason % REASONS]);
        });
        let mut extra = reasons.weigh(|p| field.weight(p, player));
        let chosen = loop {
            let total = u64::from(field.total(player)) + u64::from(extra);
            if total == 0 {
                break Point::NONE;
            }
            let at = ((u64::from(rng.next_u32()) * total) >> 32) as u32;
            let p = match at.checked_sub(extra) {
                None => reasons.at(at),
                Some(rest) => field.at(player, rest),
            };
            let allowed = p != board.ko() && !board.is_suicide(p, player);
            if allowed
                && (!self_atari::is_bad(board, p, player)
                    || rng.chance_in_65536(weights.self_atari))
            {
                break p;
            }
            extra -= reasons.drop(p);
            field.set(p, [0; 2]);
            refused.push(p);
        };
        while let Some(p) = self.refused.pop() {
            self.refresh(board, p);
        }
        chosen
    }
}

impl<C: BoardClass> Playout<Position<C>> for LearnedPlayout<C> {
    fn run(&mut self, from: &Position<C>, rng: &mut Rng, trace: &mut Trace) -> Reward {
        self.drawer.begin(from.board());
        let drawer = &mut self.drawer;
        play_to_the_end(&mut self.board, from, trace, |board, player, last| {
            drawer.choose(board, player, last, rng)
        })
    }
}

#[cfg(test)]
mod tests;
