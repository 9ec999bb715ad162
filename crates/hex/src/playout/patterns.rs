//! Probabilistic playouts (H10): a move is drawn with the probability of its share in the gammas of
//! all moves, `gamma = min(global, cap) + local`.
//!
//! Weights are integers, so that sums kept up to date are those recomputed; the cap is
//! [`FULL`], and everything else is relative to it. A stone changes the codes of the twelve cells
//! around it, and with them their global weights, kept in a [`Field`]; these twelve are also the
//! only cells with local weights for the answer. Patterns of more than 12 cells, which a model may
//! have for the tree, are passed over here.

use std::sync::Arc;

use kosumi_game::{Playout, Reward, Rng, Trace};

use super::full_board;
use crate::geometry::{POINTS, Point, STRIDE};
use crate::patterns::{
    Codes, Extent, OFFSETS, PatternKey, PatternModel, mirrored, opposite, rotate, white_view,
};
use crate::{Cell, Colour, Hex, MAX_SIZE, MIN_SIZE};

kosumi_game::parameters! {
    /// How playouts use patterns.
    pub struct HexPlayoutParams {
        /// The most that the gamma of a global pattern counts in playouts (H10).
        cap "playout.cap": f32 = 0.157, 0.0001..=1000000;
    }
}

/// The weight of a global gamma at the cap.
const FULL: f32 = 65_535.0;
/// The most a local pattern weighs: twelve of them and a full board of global ones are still within
/// 32 bits.
const MOST_LOCAL: f32 = 134_217_728.0;
/// Cells that matter.
const CELLS: usize = 12;
/// The codes of six cells.
const HALVES: usize = 1 << 12;

/// A model as the inner loop wants it; all threads share one.
#[derive(Debug)]
pub struct PatternWeights {
    /// By the code of the neighbours: the row of `global`; by that of the bridge points: the column.
    /// Codes that no board shows have none.
    rows: Box<[u32; HALVES]>,
    columns: Box<[u32; HALVES]>,
    /// The weights for Black (low half) and White of all that twelve cells can hold, those of
    /// smaller patterns where nothing larger is known.
    global: Box<[u32]>,
    local: LocalTable,
    /// By the place of the last move and the code of the neighbours.
    local_six: Box<[[u32; HALVES]; 6]>,
}

/// Weights of local patterns of twelve cells: open addressing.
#[derive(Debug)]
struct LocalTable {
    /// Key and weight; a weight of 0 is a free slot.
    slots: Box<[(u32, u32)]>,
    shift: u32,
}

impl LocalTable {
    fn new(entries: &[(u32, u32)]) -> Self {
        let bits = (2 * entries.len()).next_power_of_two().trailing_zeros().max(1);
        let mut slots = vec![(0, 0); 1 << bits].into_boxed_slice();
        let shift = 32 - bits;
        for &(key, weight) in entries {
            let mut slot = hashed(key, shift);
            while slots[slot].1 != 0 && slots[slot].0 != key {
                slot = (slot + 1) & (slots.len() - 1);
            }
            slots[slot] = (key, weight);
        }
        Self { slots, shift }
    }

    /// The weight of a key, 0 if it is unknown.
    #[inline(always)]
    fn get(&self, key: u32) -> u32 {
        let mask = self.slots.len() - 1;
        let mut slot = hashed(key, self.shift);
        loop {
            let (found, weight) = self.slots[slot & mask];
            if found == key || weight == 0 {
                return weight;
            }
            slot += 1;
        }
    }
}

#[inline(always)]
fn hashed(key: u32, shift: u32) -> usize {
    (key.wrapping_mul(0x9e37_79b1) >> shift) as usize
}

/// Code and place of the last move of a local pattern as one number.
#[inline(always)]
fn local_key(code: u32, last: usize) -> u32 {
    code & 0xff_ffff | (last as u32) << 24
}

impl PatternWeights {
    /// The weights of a model.
    #[must_use]
    pub fn new(model: &PatternModel, params: &HexPlayoutParams) -> Self {
        let cap = params.cap;
        let global_weight = |gamma: f32| (FULL * (gamma / cap).min(1.0)).round().max(1.0) as u32;
        let local_weight =
            |gamma: f32| (FULL * (gamma / cap)).round().clamp(1.0, MOST_LOCAL) as u32;
        let unknown = global_weight(1.0);
        let [rows, columns] = [0, 1].map(|half| possible(half * 12));
        let (row_count, column_count) = (rows.len(), columns.len());
        let numbered = |codes: &[u16], step: usize| {
            let mut numbers = Box::new([0; HALVES]);
            for (number, &code) in codes.iter().enumerate() {
                numbers[usize::from(code)] = (number * step) as u32;
            }
            numbers
        };
        let mut this = Self {
            rows: numbered(&rows, column_count),
            columns: numbered(&columns, 1),
            global: vec![unknown | unknown << 16; row_count * column_count].into_boxed_slice(),
            local: LocalTable::new(&[]),
            local_six: vec![[0; HALVES]; 6].try_into().expect("six of them"),
        };
        let mut local_twelve = Vec::new();
        let put = |global: &mut u32, colour: Colour, weight: u32| {
            let shift = 16 * colour.index();
            *global = *global & !(0xffff << shift) | weight << shift;
        };
        // Keys rise with their extent, so twelve cells come after six.
        for (key, gamma) in model.gammas() {
            for (colour, code, last) in appearances(key) {
                let row = this.rows[(code & 0xfff) as usize] as usize;
                match (key.extent(), last) {
                    (Extent::Six, None) => {
                        for global in &mut this.global[row..row + column_count] {
                            put(global, colour, global_weight(gamma));
                        }
                    }
                    (Extent::Twelve, None) => {
                        let column = this.columns[(code >> 12) as usize] as usize;
                        put(&mut this.global[row + column], colour, global_weight(gamma));
                    }
                    (Extent::Six, Some(last)) => {
                        this.local_six[last][code as usize] = local_weight(gamma);
                    }
                    (Extent::Twelve, Some(last)) => {
                        local_twelve.push((local_key(code as u32, last), local_weight(gamma)));
                    }
                    (Extent::Eighteen, _) => {}
                }
            }
        }
        this.local = LocalTable::new(&local_twelve);
        this
    }

    /// The weights for both colours, see [`Field`].
    #[inline(always)]
    fn global(&self, code: u64) -> u64 {
        let row = self.rows[(code & 0xfff) as usize];
        let column = self.columns[(code >> 12 & 0xfff) as usize];
        let both = u64::from(self.global[(row + column) as usize]);
        both & 0xffff | (both & 0xffff_0000) << 16
    }

    /// The weight for the opponent of the stone at place `last`.
    #[inline(always)]
    fn local(&self, code: u64, last: usize) -> u32 {
        let twelve = self.local.get(local_key(code as u32, last));
        if twelve == 0 && last < 6 { self.local_six[last][(code & 0xfff) as usize] } else { twelve }
    }
}

/// How a pattern looks on the board: who moves, the code, the place of the last move.
fn appearances(key: PatternKey) -> impl Iterator<Item = (Colour, u64, Option<usize>)> {
    let (code, last) = (key.code(), key.last());
    [(code, last), (rotate(code), last.map(opposite))].into_iter().flat_map(|(code, last)| {
        [(Colour::Black, code, last), (Colour::White, white_view(code), last.map(mirrored))]
    })
}

/// All codes of six places that a board can show: the ring (`shift` 0) or the bridge points (12).
fn possible(shift: usize) -> Vec<u16> {
    let mut found = vec![false; HALVES];
    // What lies beyond the sides never changes; every other place may hold anything. Larger boards
    // have no other borders than this one.
    for size in MIN_SIZE..=MIN_SIZE + 4 {
        let codes = Codes::empty_board(size);
        for row in 1..=size {
            for column in 1..=size {
                let border = (codes.at(Point::new(column, row)) >> shift & 0xfff) as u16;
                fill_in(border, border, 0, &mut found);
            }
        }
    }
    (0..HALVES as u16).filter(|&code| found[usize::from(code)]).collect()
}

fn fill_in(border: u16, code: u16, place: usize, found: &mut [bool]) {
    if place == 6 {
        found[usize::from(code)] = true;
    } else if border >> (2 * place) & 3 != 0 {
        fill_in(border, code, place + 1, found);
    } else {
        (0..3).for_each(|content| fill_in(border, code | content << (2 * place), place + 1, found));
    }
}

/// Weights of empty cells for both colours, and their sums. Two numbers of 32 bits are one of 64,
/// Black's the lower, so that one addition keeps both up to date.
#[derive(Clone, Debug)]
struct Field {
    /// 0 where there is a stone, and beyond the board.
    weights: [u64; POINTS],
    rows: [u64; STRIDE],
    total: u64,
}

#[inline(always)]
fn half(both: u64, colour: Colour) -> u32 {
    (both >> (32 * colour.index())) as u32
}

impl Field {
    fn new() -> Self {
        Self { weights: [0; POINTS], rows: [0; STRIDE], total: 0 }
    }

    fn clear(&mut self) {
        *self = Self::new();
    }

    #[inline(always)]
    fn set(&mut self, at: usize, row: usize, weights: u64) {
        let more = weights.wrapping_sub(self.weights[at]);
        self.weights[at] = weights;
        self.rows[row] = self.rows[row].wrapping_add(more);
        self.total = self.total.wrapping_add(more);
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
            let weight = half(self.weights[index], colour);
            if at < weight {
                return Point(index as u16);
            }
            at -= weight;
            index += 1;
        }
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
    fn push(&mut self, at: usize, weight: u32) {
        self.list[self.len % CELLS] = (at as u16, weight);
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
    codes: Codes,
    field: Field,
    answers: Answers,
}

impl PatternPlayout {
    /// A playout for boards of any size.
    #[must_use]
    pub fn new(weights: Arc<PatternWeights>) -> Self {
        let state = State {
            cells: [0; POINTS],
            codes: Codes::empty_board(MAX_SIZE).clone(),
            field: Field::new(),
            answers: Answers { list: [(0, 0); CELLS], len: 0, total: 0 },
        };
        Self { weights, state }
    }
}

impl State {
    /// Looks at the whole board; returns how many cells are empty.
    fn load(&mut self, from: &Hex, weights: &PatternWeights) -> usize {
        self.cells = *from.cells();
        self.codes.clone_from(Codes::empty_board(from.size()));
        let mut empty = from.points().len();
        for &point in from.points() {
            if let Some(colour) = Cell::from_bits(self.cells[point.index()]).colour() {
                self.codes.place::<CELLS>(point, colour);
                empty -= 1;
            }
        }
        self.field.clear();
        for &point in from.points() {
            if self.cells[point.index()] == Cell::Empty as u8 {
                self.field.set(point.index(), point.row(), weights.global(self.codes.at(point)));
            }
        }
        (self.answers.len, self.answers.total) = (0, 0);
        // A stone of one's own, after a move out of turn, is nothing to answer.
        let mine = from.colour_to_move().cell();
        if let Some(last) = from.last_stone().filter(|&at| from.cell(at) != mine) {
            for place in 0..CELLS {
                let at = last.index().wrapping_add_signed(OFFSETS[opposite(place)]);
                if self.field.weights.get(at).is_some_and(|weight| *weight != 0) {
                    let code = self.codes.at(Point(at as u16));
                    self.answers.push(at, weights.local(code, place));
                }
            }
        }
        empty
    }

    /// Places a stone and looks at what it changes.
    #[inline(always)]
    fn place(&mut self, at: Point, colour: Colour, weights: &PatternWeights) {
        let Self { cells, codes, field, answers } = self;
        cells[at.index()] = colour.cell() as u8;
        let row = at.row();
        field.set(at.index(), row, 0);
        codes.place::<CELLS>(at, colour);
        (answers.len, answers.total) = (0, 0);
        for place in 0..CELLS {
            let near = at.index().wrapping_add_signed(OFFSETS[opposite(place)]);
            // Empty cells have weights, and nothing else.
            if field.weights.get(near).is_some_and(|weight| *weight != 0) {
                let code = codes.at(Point(near as u16));
                let row = row.wrapping_add_signed(ROW_STEPS[opposite(place)]);
                field.set(near, row, weights.global(code));
                answers.push(near, weights.local(code, place));
            }
        }
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

/// How many rows lie between a cell and each place around it.
const ROW_STEPS: [isize; CELLS] = [0, 1, 1, 0, -1, -1, 1, 2, 1, -1, -2, -1];

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
