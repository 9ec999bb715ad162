//! A model of patterns as the inner loop of playouts wants it: every shape of twelve cells has its
//! weights in a table, so that a stone costs one look for each cell around it.

use std::collections::{BTreeSet, HashMap};

use kosumi_game::math;

use crate::geometry::{MIN_SIZE, Point};
use crate::patterns::{
    Codes, Extent, PatternKey, PatternModel, mirrored, opposite, rotate, white_view,
};
use crate::{Cell, Colour};

kosumi_game::parameters! {
    /// How playouts use patterns.
    pub struct HexPlayoutParams {
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

/// The weight of a global gamma at the cap.
pub(super) const FULL: f32 = 65_535.0;
/// The most a local pattern weighs: twelve of them and a full board of global ones are still within
/// 32 bits.
pub(super) const MOST_LOCAL: f32 = 134_217_728.0;

/// The weights of a model; all threads share them.
#[derive(Debug)]
pub struct PatternWeights {
    /// By shape: the weights for Black (low half) and White, those of the neighbours alone where
    /// nothing larger is known.
    global: Box<[u32]>,
    /// By place of the last move and shape: the level of the weight for the opponent of the stone
    /// there.
    local: Box<[u8]>,
    /// The same for the few thousand shapes beside corners.
    corners: HashMap<u32, (u32, [u8; CELLS])>,
    levels: Levels,
}

/// Local weights in steps of a few percent, which keeps their table small: 0 is none.
#[derive(Debug)]
struct Levels {
    weights: [u32; 256],
    /// The logarithms of the least and the largest gamma.
    range: (f32, f32),
}

impl Levels {
    fn new(model: &PatternModel, cap: f32) -> Self {
        let local =
            || model.gammas().filter(|(key, _)| key.last().is_some()).map(|(_, gamma)| gamma);
        let ln = |gamma: f32| math::ln(f64::from(gamma.max(f32::MIN_POSITIVE))) as f32;
        let least = ln(local().fold(1.0, f32::min));
        let most = ln(local().fold(1.0, f32::max)).max(least + 0.001);
        let weight = |level: usize| {
            let theta = least + (most - least) * (level as f32 - 1.0) / 254.0;
            (FULL * (math::exp(theta) / cap)).round().clamp(1.0, MOST_LOCAL) as u32
        };
        let weights = std::array::from_fn(|level| if level == 0 { 0 } else { weight(level) });
        Self { weights, range: (least, most) }
    }

    fn level(&self, gamma: f32) -> u8 {
        let (least, most) = self.range;
        let theta = math::ln(f64::from(gamma.max(f32::MIN_POSITIVE))) as f32;
        (1.0 + 254.0 * (theta - least) / (most - least)).round().clamp(1.0, 255.0) as u8
    }
}

impl PatternWeights {
    /// The weights of a model.
    #[must_use]
    pub fn new(model: &PatternModel, params: &HexPlayoutParams) -> Self {
        let cap = params.cap;
        let weight = |gamma: f32| (FULL * (gamma / cap).min(1.0)).round().max(1.0) as u32;
        let unknown = weight(1.0);
        let mut this = Self {
            global: vec![unknown | unknown << 16; SHAPES].into_boxed_slice(),
            local: vec![0; CELLS * SHAPES].into_boxed_slice(),
            corners: HashMap::new(),
            levels: Levels::new(model, cap),
        };
        // Keys rise with their extent, so twelve cells come after six.
        for (key, gamma) in model.gammas().filter(|(key, _)| key.extent() < Extent::Eighteen) {
            for (colour, code, last) in appearances(key) {
                for shape in shapes_with(key.extent(), code) {
                    match last {
                        None => {
                            let shift = 16 * colour.index();
                            let both = &mut this.global[shape];
                            *both = *both & !(0xffff << shift) | weight(gamma) << shift;
                        }
                        Some(last) => {
                            this.local[last * SHAPES + shape] = this.levels.level(gamma);
                        }
                    }
                }
            }
        }
        for code in codes_beside_corners() {
            let gamma = |colour, last| model.gamma_within(Extent::Twelve, code, colour, last);
            let [black, white] =
                Colour::BOTH.map(|colour| gamma(colour, None).map_or(unknown, weight));
            let local = std::array::from_fn(|last| {
                let stone = Cell::from_bits((code >> (2 * last)) as u8).colour();
                let gamma = stone.and_then(|stone| gamma(stone.opponent(), Some(last)));
                gamma.map_or(0, |gamma| this.levels.level(gamma))
            });
            this.corners.insert(shape_of(code), (black | white << 16, local));
        }
        this
    }

    /// The weights of a shape, Black's in the lower half.
    #[inline(always)]
    pub(super) fn global(&self, shape: u32) -> u64 {
        let both = match self.global.get(shape as usize) {
            Some(&both) => both,
            None => self.corner(shape).0,
        };
        u64::from(both & 0xffff) | u64::from(both >> 16) << 32
    }

    /// The weight of an answer to the stone at place `last` of a shape.
    #[inline(always)]
    pub(super) fn local(&self, shape: u32, last: usize) -> u32 {
        let level = match (shape as usize) < SHAPES {
            true => self.local[last * SHAPES + shape as usize],
            false => self.corner(shape).1[last],
        };
        self.levels.weights[usize::from(level)]
    }

    #[inline(never)]
    fn corner(&self, shape: u32) -> (u32, [u8; CELLS]) {
        *self.corners.get(&shape).expect("all shapes beside corners are known")
    }

    /// The weight that the gamma of a local pattern becomes.
    #[cfg(test)]
    pub(super) fn of_local_gamma(&self, gamma: f32) -> u32 {
        self.levels.weights[usize::from(self.levels.level(gamma))]
    }
}

/// How a pattern looks on the board: who moves, the code, the place of the last move.
fn appearances(key: PatternKey) -> impl Iterator<Item = (Colour, u64, Option<usize>)> {
    let (code, last) = (key.code(), key.last());
    [(code, last), (rotate(code), last.map(opposite))].into_iter().flat_map(|(code, last)| {
        [(Colour::Black, code, last), (Colour::White, white_view(code), last.map(mirrored))]
    })
}

/// All shapes not beside a corner that show a pattern: whatever is around six cells.
fn shapes_with(extent: Extent, code: u64) -> impl Iterator<Item = usize> {
    let shape = shape_of(code) as usize;
    let others = match extent {
        _ if shape >= SHAPES => 0,
        Extent::Six => HALF_SHAPES,
        _ => 1,
    };
    (0..others).map(move |other| shape + other * HALF_SHAPES)
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
