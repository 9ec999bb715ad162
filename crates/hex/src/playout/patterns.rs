//! Probabilistic playouts (H10): a move is drawn with the probability of its share in the gammas of
//! all moves, `gamma = min(global, cap) + local`.
//!
//! Weights are integers ([`PatternWeights`]), so that sums kept up to date are those recomputed. A
//! stone changes the shapes of the twelve cells around it, and with them their global weights; these
//! twelve are also the only cells with local weights for the answer. Patterns of more than 12 cells,
//! which a model may have for the tree, are passed over here.

mod weights;

use std::sync::Arc;

use kosumi_game::{Playout, Reward, Rng, Trace};

use self::weights::{CELLS, PLACE_VALUES, shape_of};
use super::full_board;
use crate::geometry::{POINTS, Point, STRIDE};
use crate::patterns::{Codes, OFFSETS, opposite};
use crate::{Cell, Colour, Hex};

pub use self::weights::{HexPlayoutParams, PatternWeights};

/// How many rows lie between a cell and each place around it.
const ROW_STEPS: [isize; CELLS] = [0, 1, 1, 0, -1, -1, 1, 2, 1, -1, -2, -1];
/// Where each cell around a stone sees it: on the opposite side.
const SEEN_AT: [usize; CELLS] = {
    let mut places = [0; CELLS];
    let mut near = 0;
    while near < CELLS {
        places[near] = opposite(near);
        near += 1;
    }
    places
};
/// From a cell to the farthest place that its stone changes.
const REACH: usize = 2 * STRIDE + 1;

/// What is known of a cell.
#[derive(Clone, Copy, Debug, Default)]
struct Spot {
    /// The global weights, Black's the lower half; 0 where there is a stone, and beyond the board.
    weights: u64,
    /// What its surroundings look like, see [`shape_of`].
    shape: u32,
}

/// Weights of empty cells for both colours, and their sums. Two numbers of 32 bits are one of 64,
/// Black's the lower, so that one addition keeps both up to date.
#[derive(Clone, Debug)]
struct Field {
    /// Spots by place on the padded board, [`REACH`] further on: stones reach beyond the border.
    spots: [Spot; POINTS + 2 * REACH],
    /// Sums of rows.
    rows: [u64; STRIDE + 2],
    total: u64,
}

#[inline(always)]
fn half(both: u64, colour: Colour) -> u32 {
    (both >> (32 * colour.index())) as u32
}

impl Field {
    fn new() -> Self {
        Self { spots: [Spot::default(); POINTS + 2 * REACH], rows: [0; STRIDE + 2], total: 0 }
    }

    /// The spots that a stone can change, the stone's in the middle.
    #[inline(always)]
    fn around(&mut self, at: Point) -> &mut [Spot; 2 * REACH + 1] {
        let around = self.spots[at.index()..].first_chunk_mut();
        around.expect("the field reaches far enough")
    }

    /// The cell at which the sum of the colour's weights, cell by cell, exceeds `at`, which is less
    /// than their total.
    #[inline]
    fn at(&self, colour: Colour, mut at: u32) -> Point {
        let mut row = 1;
        loop {
            let sum = half(self.rows[row], colour);
            if at < sum {
                break;
            }
            at -= sum;
            row += 1;
        }
        let mut index = row * STRIDE + 1;
        loop {
            let weight = half(self.spots[index + REACH].weights, colour);
            if at < weight {
                return Point(index as u16);
            }
            at -= weight;
            index += 1;
        }
    }

    /// Places a stone and looks at what it changes.
    #[inline(always)]
    fn place(
        &mut self,
        at: Point,
        colour: Colour,
        weights: &PatternWeights,
        answers: &mut impl Listener,
    ) {
        // By steps from 2 rows above to 2 below; the stone's own weight goes.
        let mut rows = [0u64; 5];
        let around = self.around(at);
        rows[2] = rows[2].wrapping_sub(std::mem::take(&mut around[REACH].weights));
        for near in 0..CELLS {
            let spot = &mut around[REACH.wrapping_add_signed(OFFSETS[near])];
            let place = SEEN_AT[near];
            spot.shape += PLACE_VALUES[place] * colour.cell() as u32;
            // Empty cells have weights, and nothing else.
            if spot.weights != 0 {
                let now = weights.global(spot.shape);
                let row = &mut rows[2usize.wrapping_add_signed(ROW_STEPS[near])];
                *row = row.wrapping_add(now).wrapping_sub(spot.weights);
                spot.weights = now;
                answers.hear(at.offset(OFFSETS[near]), spot.shape, place, weights);
            }
        }
        // Two rows further on than on the board, so that none is negative.
        for (step, more) in rows.into_iter().enumerate() {
            let row = &mut self.rows[(at.row() + step).saturating_sub(2)];
            *row = row.wrapping_add(more);
            self.total = self.total.wrapping_add(more);
        }
    }
}

/// Is told of the empty cells around a new stone.
trait Listener {
    /// The cell sees the stone at `place` of its shape.
    fn hear(&mut self, at: Point, shape: u32, place: usize, weights: &PatternWeights);
}

/// Of stones that are not the last move.
struct NoAnswers;

impl Listener for NoAnswers {
    #[inline(always)]
    fn hear(&mut self, _: Point, _: u32, _: usize, _: &PatternWeights) {}
}

impl Listener for Answers {
    #[inline(always)]
    fn hear(&mut self, at: Point, shape: u32, place: usize, weights: &PatternWeights) {
        self.push(at, weights.local(shape, place));
    }
}

/// Cells that answer the last move, with their local weights.
#[derive(Clone, Debug)]
struct Answers {
    list: [(u16, u32); CELLS],
    len: usize,
    total: u32,
}

impl Answers {
    #[inline(always)]
    fn clear(&mut self) {
        (self.len, self.total) = (0, 0);
    }

    #[inline(always)]
    fn push(&mut self, at: Point, weight: u32) {
        self.list[self.len % CELLS] = (at.0, weight);
        self.len += usize::from(weight > 0);
        self.total += weight;
    }

    #[inline(always)]
    fn at(&self, mut at: u32) -> Point {
        let mut number = 0;
        loop {
            let (point, weight) = self.list[number];
            if at < weight {
                return Point(point);
            }
            at -= weight;
            number += 1;
        }
    }
}

/// Stones drawn by patterns until the board is full.
#[derive(Clone, Debug)]
pub struct PatternPlayout {
    weights: Arc<PatternWeights>,
    state: State,
}

#[derive(Clone, Debug)]
struct State {
    cells: [u8; POINTS],
    field: Field,
    answers: Answers,
    start: Box<Start>,
}

/// A board with its field from which playouts begin, so that they need not place again the stones
/// that all of them have in common: those of the root, and what is filled in everywhere. What it
/// holds changes no playout, only how long it takes.
#[derive(Clone, Debug)]
struct Start {
    /// 0 before the first playout.
    size: usize,
    cells: [u8; POINTS],
    field: Field,
    /// What the boards of the last playouts have in common, and how many there were.
    common: [u8; POINTS],
    seen: usize,
}

/// After so many playouts [`Start`] takes over what they had in common.
const WINDOW: usize = 64;

impl Start {
    fn new() -> Self {
        let cells = [0; POINTS];
        Self { size: 0, cells, field: Field::new(), common: cells, seen: 0 }
    }

    /// Sees to it that `cells` has all the stones of this board.
    fn prepare(&mut self, from: &Hex, cells: &[u8; POINTS], weights: &PatternWeights) {
        if self.seen == 0 || self.size != from.size() {
            (self.common, self.seen) = (*cells, 0);
        }
        self.seen += 1;
        for (common, &cell) in self.common.iter_mut().zip(cells) {
            *common = if *common == cell { cell } else { 0 };
        }
        let fits = || self.cells.iter().zip(cells).all(|(&own, &cell)| own == 0 || own == cell);
        if self.size != from.size() || !fits() {
            self.build(from, weights);
        } else if self.seen == WINDOW {
            if self.cells != self.common {
                self.build(from, weights);
            }
            self.seen = 0;
        }
    }

    /// Takes over what the last boards had in common.
    #[cold]
    fn build(&mut self, from: &Hex, weights: &PatternWeights) {
        self.size = from.size();
        self.field = Field::new();
        self.cells = self.common;
        let border = Codes::empty_board(from.size());
        for &point in from.points() {
            let shape = shape_of(border.at(point));
            let spot = Spot { weights: weights.global(shape), shape };
            self.field.spots[point.index() + REACH] = spot;
            self.field.rows[point.row()] += spot.weights;
            self.field.total += spot.weights;
        }
        for &point in from.points() {
            if let Some(colour) = Cell::from_bits(self.cells[point.index()]).colour() {
                self.field.place(point, colour, weights, &mut NoAnswers);
            }
        }
    }
}

impl PatternPlayout {
    /// A playout for boards of any size.
    #[must_use]
    pub fn new(weights: Arc<PatternWeights>) -> Self {
        let state = State {
            cells: [0; POINTS],
            field: Field::new(),
            answers: Answers { list: [(0, 0); CELLS], len: 0, total: 0 },
            start: Box::new(Start::new()),
        };
        Self { weights, state }
    }
}

impl State {
    /// Looks at the whole board; returns how many cells are empty.
    fn load(&mut self, from: &Hex, weights: &PatternWeights) -> usize {
        self.cells = *from.cells();
        self.start.prepare(from, &self.cells, weights);
        self.field.clone_from(&self.start.field);
        let mut empty = 0;
        for &point in from.points() {
            let cell = Cell::from_bits(self.cells[point.index()]);
            match cell.colour() {
                None => empty += 1,
                Some(_) if self.start.cells[point.index()] == cell as u8 => {}
                Some(colour) => self.field.place(point, colour, weights, &mut NoAnswers),
            }
        }
        self.answers.clear();
        // A stone of one's own, after a move out of turn, is nothing to answer.
        let mine = from.colour_to_move().cell();
        if let Some(last) = from.last_stone().filter(|&at| from.cell(at) != mine) {
            for near in 0..CELLS {
                let at = last.offset(OFFSETS[near]);
                let spot = self.field.around(last)[REACH.wrapping_add_signed(OFFSETS[near])];
                if spot.weights != 0 {
                    self.answers.push(at, weights.local(spot.shape, SEEN_AT[near]));
                }
            }
        }
        empty
    }

    /// Places a stone; the answers are those to it.
    #[inline(always)]
    fn place(&mut self, at: Point, colour: Colour, weights: &PatternWeights) {
        self.cells[at.index()] = colour.cell() as u8;
        self.answers.clear();
        self.field.place(at, colour, weights, &mut self.answers);
    }

    /// The cell that a number below the sum of all weights falls on.
    #[inline(always)]
    fn drawn(&self, colour: Colour, at: u32) -> Point {
        match at.checked_sub(self.answers.total) {
            None => self.answers.at(at),
            Some(rest) => self.field.at(colour, rest),
        }
    }

    /// The sum of all weights for a colour.
    #[inline(always)]
    fn total(&self, colour: Colour) -> u32 {
        half(self.field.total, colour) + self.answers.total
    }
}

impl Playout<Hex> for PatternPlayout {
    fn run(&mut self, from: &Hex, rng: &mut Rng, trace: &mut Trace) -> Reward {
        let Self { weights, state } = self;
        let count = state.load(from, weights);
        let move_of = &from.geometry().move_of;
        let mut colour = from.colour_to_move();
        let mut player = from.player_of(colour);
        for _ in 0..count {
            let at = state.drawn(colour, rng.below(state.total(colour)));
            state.place(at, colour, weights);
            trace.push(player, usize::from(move_of[at.index()]));
            colour = colour.opponent();
            player = player.opponent();
        }
        Reward::win(from.player_of(full_board::winner(&state.cells)))
    }
}

#[cfg(test)]
mod tests;
