//! A model of patterns as the inner loop of playouts wants it: every shape of twelve cells has its
//! weights in a table, so that a stone costs one look for each cell around it.

use std::collections::BTreeSet;

use kosumi_game::math;
use rustc_hash::FxHashMap;

use crate::geometry::{MIN_SIZE, Point};
use crate::patterns::{
    Codes, Extent, PatternKey, PatternModel, mirrored, opposite, rotate, white_view,
};
use crate::{Cell, Colour};

kosumi_game::parameters! {
    /// How playouts choose.
    pub struct HexPlayoutParams {
        /// Savebridge playouts also break bridges that are half broken (H15).
        breakbridge "playout.breakbridge": bool = false;
        /// Savebridge playouts also continue ladders (H15).
        ladder "playout.ladder": bool = false;
        /// The most that the gamma of a global pattern counts in playouts (H10).
        cap "playout.cap": f32 = 0.157, 0.0001..=1000000;
    }
}

/// Cells that matter.
pub(super) const CELLS: usize = 12;
/// What twelve cells can hold: nothing, a black or a white stone each.
const SHAPES: usize = 3usize.pow(CELLS as u32);
/// What six cells can hold.
const HALF_SHAPES: usize = 3usize.pow(CELLS as u32 / 2);
/// What a stone at each place adds to the shape, times 1 if it is black and times 2 if it is white.
pub(super) const PLACE_VALUES: [u32; CELLS] = {
    let mut values = [1; CELLS];
    let mut place = 1;
    while place < CELLS {
        values[place] = 3 * values[place - 1];
        place += 1;
    }
    values
};

/// The number of what twelve cells hold, the neighbours' digits the lower ones. Where cells are beyond
/// two sides at once [`SHAPES`] is added for each, times the place and 1, which tells all such
/// surroundings apart.
pub(super) fn shape_of(code: u64) -> u32 {
    (0..CELLS).fold(0, |shape, place| match code >> (2 * place) & 3 {
        3 => shape + SHAPES as u32 * (place as u32 + 1),
        content => shape + PLACE_VALUES[place] * content as u32,
    })
}

/// The weight of a gamma at the cap.
pub(super) const FULL: f32 = 65_535.0;
/// The most a local pattern weighs: twelve of them and a full board of global ones are still within
/// 32 bits.
pub(super) const MOST_LOCAL: f32 = 134_217_728.0;

/// The weights of a model; all threads share them.
///
/// What a playout asks for has to be in the processor's cache, so gammas are rounded to a few percent
/// and tables hold a byte for each.
#[derive(Debug)]
pub struct PatternWeights {
    /// By shape: the levels for Black and White, those of the neighbours alone where nothing larger
    /// is known.
    global: Box<[[u8; 2]]>,
    global_levels: Levels,
    /// By place of the last move and shape of twelve cells, the level for the opponent of the stone
    /// there: open addressing, the key above the level. No slot in use is 0.
    local: Box<[u32]>,
    local_shift: u32,
    /// By place of the last move and shape of six cells.
    local_six: Box<[[u8; HALF_SHAPES]; 6]>,
    local_levels: Levels,
    /// Global and local levels of the few thousand shapes beside corners.
    corners: FxHashMap<u32, ([u8; 2], [u8; CELLS])>,
}

/// Weights in steps of a few percent; level 0 weighs nothing.
#[derive(Debug)]
struct Levels {
    weights: [u32; 256],
    /// The logarithms of the gammas of the first and the last level.
    range: (f32, f32),
}

fn ln(gamma: f32) -> f32 {
    math::ln(f64::from(gamma.max(f32::MIN_POSITIVE))) as f32
}

impl Levels {
    /// Levels for gammas, of which `most` is the largest that counts.
    fn new(gammas: impl Iterator<Item = f32>, most: f32, cap: f32) -> Self {
        let least = ln(gammas.fold(most, f32::min));
        let most = ln(most).max(least + 0.001);
        let weight = |level: usize| {
            let theta = most - (most - least) * (255.0 - level as f32) / 254.0;
            (FULL * (math::exp(theta) / cap)).round().clamp(1.0, MOST_LOCAL) as u32
        };
        let weights = std::array::from_fn(|level| if level == 0 { 0 } else { weight(level) });
        Self { weights, range: (least, most) }
    }

    fn level(&self, gamma: f32) -> u8 {
        let (least, most) = self.range;
        (1.0 + 254.0 * (ln(gamma) - least) / (most - least)).round().clamp(1.0, 255.0) as u8
    }

    #[inline(always)]
    fn weight(&self, level: u8) -> u32 {
        self.weights[usize::from(level)]
    }
}

impl PatternWeights {
    /// The weights of a model.
    #[must_use]
    pub fn new(model: &PatternModel, params: &HexPlayoutParams) -> Self {
        let cap = params.cap;
        let gammas = |local: bool| {
            let of = model.gammas().filter(move |(key, _)| key.last().is_some() == local);
            of.map(|(_, gamma)| gamma)
        };
        let most_local = gammas(true).fold(f32::MIN_POSITIVE, f32::max);
        let global_levels = Levels::new(gammas(false), cap, cap);
        let local_levels = Levels::new(gammas(true), most_local, cap);
        // Nobody knows it: gamma 1.
        let unknown = global_levels.level(1.0);
        let mut global = vec![[unknown; 2]; SHAPES].into_boxed_slice();
        let mut local_six = Box::new([[0; HALF_SHAPES]; 6]);
        let mut local_twelve = Vec::new();
        // Keys rise with their extent, so twelve cells come after six.
        for (key, gamma) in model.gammas().filter(|(key, _)| key.extent() < Extent::Eighteen) {
            for (colour, code, last) in appearances(key) {
                let shape = shape_of(code);
                if shape as usize >= SHAPES {
                    continue;
                }
                match (last, key.extent()) {
                    (None, extent) => {
                        // Whatever is around six cells.
                        let others = if extent == Extent::Six { HALF_SHAPES } else { 1 };
                        for other in 0..others {
                            let levels = &mut global[shape as usize + other * HALF_SHAPES];
                            levels[colour.index()] = global_levels.level(gamma);
                        }
                    }
                    (Some(last), Extent::Six) => {
                        local_six[last][shape as usize] = local_levels.level(gamma);
                    }
                    (Some(last), _) => {
                        let level = u32::from(local_levels.level(gamma));
                        local_twelve.push(local_key(shape, last) << 8 | level);
                    }
                }
            }
        }
        let mut corners = FxHashMap::default();
        for code in codes_beside_corners() {
            let gamma = |colour, last| model.gamma_within(Extent::Twelve, code, colour, last);
            let both = Colour::BOTH.map(|colour| {
                gamma(colour, None).map_or(unknown, |gamma| global_levels.level(gamma))
            });
            let local = std::array::from_fn(|last| {
                let stone = Cell::from_bits((code >> (2 * last)) as u8).colour();
                let gamma = stone.and_then(|stone| gamma(stone.opponent(), Some(last)));
                gamma.map_or(0, |gamma| local_levels.level(gamma))
            });
            corners.insert(shape_of(code), (both, local));
        }
        let (local, local_shift) = hash_table(&local_twelve);
        Self { global, global_levels, local, local_shift, local_six, local_levels, corners }
    }

    /// The weights of a shape, Black's in the lower half.
    #[inline(always)]
    pub(super) fn global(&self, shape: u32) -> u64 {
        let [black, white] = match self.global.get(shape as usize) {
            Some(&both) => both,
            None => self.corner(shape).0,
        };
        let weight = |level| u64::from(self.global_levels.weight(level));
        weight(black) | weight(white) << 32
    }

    /// The weight of an answer to the stone at place `last` of a shape.
    #[inline(always)]
    pub(super) fn local(&self, shape: u32, last: usize) -> u32 {
        let level = match (shape as usize) < SHAPES {
            true => self.local_level(shape, last),
            false => self.corner(shape).1[last],
        };
        self.local_levels.weight(level)
    }

    #[inline(always)]
    fn local_level(&self, shape: u32, last: usize) -> u8 {
        let key = local_key(shape, last);
        let mask = self.local.len() - 1;
        let mut slot = hashed(key, self.local_shift);
        loop {
            let found = self.local[slot & mask];
            if found >> 8 == key && found != 0 {
                return found as u8;
            }
            if found == 0 {
                break;
            }
            slot += 1;
        }
        match self.local_six.get(last) {
            Some(six) => six[shape as usize % HALF_SHAPES],
            None => 0,
        }
    }

    #[inline(never)]
    fn corner(&self, shape: u32) -> ([u8; 2], [u8; CELLS]) {
        *self.corners.get(&shape).expect("all shapes beside corners are known")
    }

    /// The weights that gammas become.
    #[cfg(test)]
    pub(super) fn of_gammas(&self, global: f32, local: Option<f32>) -> (u32, u32) {
        let weight = |levels: &Levels, gamma| levels.weight(levels.level(gamma));
        let local = local.map_or(0, |gamma| weight(&self.local_levels, gamma));
        (weight(&self.global_levels, global), local)
    }
}

/// Shape and place of the last move as one number of 23 bits.
#[inline(always)]
fn local_key(shape: u32, last: usize) -> u32 {
    shape * CELLS as u32 + last as u32
}

#[inline(always)]
fn hashed(key: u32, shift: u32) -> usize {
    (key.wrapping_mul(0x9e37_79b1) >> shift) as usize
}

/// The entries in a table at most half full, and how far hashes are shifted to their slots.
fn hash_table(entries: &[u32]) -> (Box<[u32]>, u32) {
    let bits = (2 * entries.len()).next_power_of_two().trailing_zeros().max(1);
    let mut slots = vec![0; 1 << bits].into_boxed_slice();
    let shift = 32 - bits;
    for &entry in entries {
        let mut slot = hashed(entry >> 8, shift);
        while slots[slot] != 0 && slots[slot] >> 8 != entry >> 8 {
            slot = (slot + 1) & (slots.len() - 1);
        }
        slots[slot] = entry;
    }
    (slots, shift)
}

/// How a pattern looks on the board: who moves, the code, the place of the last move.
fn appearances(key: PatternKey) -> impl Iterator<Item = (Colour, u64, Option<usize>)> {
    let (code, last) = (key.code(), key.last());
    [(code, last), (rotate(code), last.map(opposite))].into_iter().flat_map(|(code, last)| {
        [(Colour::Black, code, last), (Colour::White, white_view(code), last.map(mirrored))]
    })
}

/// All that the twelve cells around a cell beside a corner can hold.
fn codes_beside_corners() -> BTreeSet<u64> {
    let mut codes = BTreeSet::new();
    // Larger boards have no other borders.
    for size in MIN_SIZE..=MIN_SIZE + 3 {
        let empty = Codes::empty_board(size);
        for (column, row) in (1..=size).flat_map(|c| (1..=size).map(move |r| (c, r))) {
            let border = empty.at(Point::new(column, row)) & 0xff_ffff;
            if shape_of(border) as usize >= SHAPES {
                fill_in(border, border, 0, &mut codes);
            }
        }
    }
    codes
}

/// Puts all stones on the places of a code from `place` on that are not beyond a side.
fn fill_in(border: u64, code: u64, place: usize, codes: &mut BTreeSet<u64>) {
    if place == CELLS {
        codes.insert(code);
    } else if border >> (2 * place) & 3 != 0 {
        fill_in(border, code, place + 1, codes);
    } else {
        (0..3).for_each(|content| fill_in(border, code | content << (2 * place), place + 1, codes));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MAX_SIZE;

    #[test]
    fn shapes_beside_corners_are_told_apart_and_all_known() {
        let codes = codes_beside_corners();
        let shapes: BTreeSet<u32> = codes.iter().map(|&code| shape_of(code)).collect();
        assert_eq!(shapes.len(), codes.len());
        for size in MIN_SIZE..=MAX_SIZE {
            let empty = Codes::empty_board(size);
            for (column, row) in (1..=size).flat_map(|c| (1..=size).map(move |r| (c, r))) {
                let shape = shape_of(empty.at(Point::new(column, row)));
                assert!((shape as usize) < SHAPES || shapes.contains(&shape));
            }
        }
    }
}
