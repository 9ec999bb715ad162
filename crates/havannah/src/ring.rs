//! Rings: closed loops of one colour's stones around at least one cell, whatever is on it.
//!
//! A ring is found when its last stone `v` is placed, from the six cells around `v` and the chains
//! they belong to. Call a *run* a maximal stretch of own stones among those six, taken as a circle;
//! off the board counts as not own.
//!
//! **Claim.** Where there was no ring, placing `v` makes one if and only if
//! - *(joined)* two different runs belong to one chain, or
//! - *(filled)* some neighbour `w` of `v` is own and so are all six cells around `w`.
//!
//! *If.* (filled) is a ring around `w`. For (joined), take a loop `v a … b v` with `a`, `b` in
//! different runs. On either side of `v`, between `a` and `b`, lies a cell or off-board point that
//! is not own. The one on the inside of the loop is not on the loop, so it is enclosed; it is a
//! cell, because the board is convex and no point off it lies inside a loop on it.
//!
//! *Only if.* Let a ring pass through `v` between `a` and `b`. If these are in different runs, the
//! rest of the loop joins the two runs without `v`: (joined). Otherwise replace `v` by the stretch
//! of the run from `a` to `b`. If the stretch lies outside the loop, the new closed walk winds
//! around `v`, so there was a ring around `v` before. If it lies inside, the walk winds around every
//! cell that the loop enclosed, except those of the stretch itself; there was no ring before, so
//! the loop encloses cells of the stretch only. Take one of these, `w`: its six neighbours lie on
//! the loop or inside it, and all cells there are own: (filled).
//!
//! In the case (filled), the two common neighbours of `v` and `w` are own, so `w` is *inside* a run
//! of `v`: a look-up of the cells around `v` says that there is nothing to check for most stones.

use crate::geometry::{Layer, STEPS, STRIDE};

/// Which of the six cells around a place are in a layer: seven bits, the rows above, at and below
/// the place (the middle bit is the place itself, counted as unset).
#[inline]
pub(crate) fn code_around(layer: &Layer, place: usize) -> usize {
    let (y, x) = (place / STRIDE, place % STRIDE);
    let above = layer[y] >> x & 0b11;
    let here = layer[y + 1] >> x & 0b101;
    let below = layer[y + 2] >> (x + 1) & 0b11;
    (above | here << 2 | below << 5) as usize
}

/// The bit of a code for each of [`crate::geometry::DIRECTIONS`].
pub(crate) const CODE_BITS: [u32; 6] = [0, 1, 4, 6, 5, 2];

/// The code when all six are set.
pub(crate) const ALL_AROUND: usize = 0b111_0111;

/// What a code says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Around {
    /// How many runs there are, 0 to 3.
    pub runs: u8,
    /// Which directions are set, as bits.
    pub circle: u8,
    /// Which directions are set together with both directions next to them.
    pub inside: u8,
    /// The distance from the place to one cell of each run.
    pub to_run: [i16; 3],
}

/// What each code says. Codes with the middle bit set never occur.
pub(crate) static AROUND: [Around; 128] = {
    let mut table = [Around { runs: 0, circle: 0, inside: 0, to_run: [0; 3] }; 128];
    let mut code = 0;
    while code < 128 {
        table[code] = read_code(code);
        code += 1;
    }
    table
};

const fn read_code(code: usize) -> Around {
    let mut around = Around { runs: 0, circle: 0, inside: 0, to_run: [0; 3] };
    let mut d = 0;
    while d < 6 {
        around.circle |= ((code >> CODE_BITS[d] & 1) << d) as u8;
        d += 1;
    }
    d = 0;
    while d < 6 {
        let set = around.circle >> d & 1 != 0;
        let before = around.circle >> ((d + 5) % 6) & 1 != 0;
        let after = around.circle >> ((d + 1) % 6) & 1 != 0;
        if set && before && after {
            around.inside |= 1 << d;
        }
        // A run begins where the direction before is not set.
        if set && !before {
            around.to_run[around.runs as usize] = STEPS[d];
            around.runs += 1;
        }
        d += 1;
    }
    // The full circle has no beginning.
    if around.circle == 0x3f {
        around.runs = 1;
        around.to_run[0] = STEPS[0];
    }
    around
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{DIRECTIONS, LAYER_ROWS};

    #[test]
    fn codes_are_read_from_the_rows() {
        let (y, x) = (4usize, 5usize);
        for circle in 0..64u8 {
            // The place itself is set too and must not count.
            let mut layer = [0; LAYER_ROWS];
            layer[y + 1] |= 1 << (x + 1);
            for (d, (dy, dx)) in DIRECTIONS.into_iter().enumerate() {
                let word = (y + 1).wrapping_add_signed(dy.into());
                let bit = (x + 1).wrapping_add_signed(dx.into());
                layer[word] |= u32::from(circle >> d & 1) << bit;
            }
            let around = AROUND[code_around(&layer, y * STRIDE + x)];
            assert_eq!(around.circle, circle);
            let rises =
                (0..6).filter(|d| circle >> d & 1 != 0 && circle >> ((d + 5) % 6) & 1 == 0).count();
            let runs = if circle == 0x3f { 1 } else { rises };
            assert_eq!(usize::from(around.runs), runs);
            assert!(around.to_run[..runs].iter().all(|to| STEPS.contains(to)));
        }
        assert_eq!(AROUND[ALL_AROUND].circle, 0x3f);
        assert_eq!(AROUND[ALL_AROUND].inside, 0x3f);
    }
}
