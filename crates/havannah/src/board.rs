//! Stones and chains: every win is found by the stone that makes it.
//!
//! A *bridge* joins two of the six corners, a *fork* three of the six edges (corners belong to no
//! edge); for rings see [`crate::ring`]. Chains are a union-find forest in one word per cell, so a
//! board is copied by moving about 1.5 kB.

use crate::geometry::{
    CORNER_BITS, EDGE_SHIFT, Geometry, LAYER_ROWS, Layer, PLACES, column, contains, row, step,
};
use crate::ring::{ALL_AROUND, AROUND, Around, CODE_BITS, code_around};

/// A word with this bit is a root: twelve bits of marks, then three of rank. Others are the place
/// of their parent.
const ROOT: u16 = 1 << 15;
const RANK_SHIFT: u32 = 12;
const TOP_RANK: u16 = 7;
/// The corner and edge bits of a root's word.
pub(crate) const MARKS: u16 = (1 << RANK_SHIFT) - 1;

/// Layer of the cells without a stone; the colours' layers come before it.
const EMPTY: usize = 2;

/// Stones, chains and what they touch.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    pub geometry: &'static Geometry,
    /// White's stones, Black's stones, empty cells.
    layers: [Layer; 3],
    chains: [u16; PLACES],
}

/// Whether a chain that touches these corners and edges has won by bridge or fork.
#[inline]
pub(crate) const fn marks_win(marks: u16) -> bool {
    // Without native instructions, clearing lowest bits is cheaper than counting them.
    let corners = marks & CORNER_BITS;
    let edges = (marks & MARKS) >> EDGE_SHIFT;
    let two_fewer = clear_lowest(clear_lowest(edges));
    clear_lowest(corners) | two_fewer != 0
}

#[inline]
const fn clear_lowest(bits: u16) -> u16 {
    bits & bits.wrapping_sub(1)
}

impl Board {
    pub fn new(geometry: &'static Geometry) -> Self {
        Self {
            geometry,
            layers: [[0; LAYER_ROWS], [0; LAYER_ROWS], geometry.cells],
            chains: [0; PLACES],
        }
    }

    /// A colour's stones.
    #[inline]
    pub fn stones(&self, colour: usize) -> &Layer {
        &self.layers[colour]
    }

    /// The cells without a stone.
    #[inline]
    pub fn empties(&self) -> &Layer {
        &self.layers[EMPTY]
    }

    /// Whether `place` is a cell without a stone.
    #[inline]
    pub fn is_empty(&self, place: usize) -> bool {
        contains(self.empties(), place)
    }

    /// The neighbours of `place` that are `colour`'s.
    #[inline]
    pub fn around(&self, colour: usize, place: usize) -> &'static Around {
        &AROUND[code_around(&self.layers[colour], place)]
    }

    /// The directions in which `place` has empty cells, as bits.
    #[inline]
    pub fn empties_around(&self, place: usize) -> u8 {
        AROUND[code_around(self.empties(), place)].circle
    }

    /// The root of a stone's chain.
    #[inline]
    pub fn root(&self, stone: usize) -> usize {
        let mut at = stone;
        loop {
            let word = self.chains[at];
            if word & ROOT != 0 {
                return at;
            }
            at = word.into();
        }
    }

    /// The corners and edges that the chain with this root touches.
    #[inline]
    pub fn marks(&self, root: usize) -> u16 {
        self.chains[root] & MARKS
    }

    /// A number that never falls as the chain grows; larger chains mostly have larger ones.
    #[inline]
    pub fn rank(&self, root: usize) -> u16 {
        self.chains[root] >> RANK_SHIFT
    }

    /// As [`Board::root`], halving the path for those who come later.
    #[inline]
    fn find(&mut self, stone: usize) -> usize {
        let mut at = stone;
        loop {
            let word = self.chains[at];
            if word & ROOT != 0 {
                return at;
            }
            let parent = usize::from(word);
            let above = self.chains[parent];
            if above & ROOT != 0 {
                return parent;
            }
            self.chains[at] = above;
            at = above.into();
        }
    }

    /// Makes one chain of two and returns its root.
    #[inline]
    fn unite(&mut self, a: usize, b: usize) -> usize {
        let (a, b) = if self.rank(a) < self.rank(b) { (b, a) } else { (a, b) };
        let (upper, lower) = (self.chains[a], self.chains[b]);
        let deeper = upper >> RANK_SHIFT == lower >> RANK_SHIFT
            && upper & (TOP_RANK << RANK_SHIFT) != TOP_RANK << RANK_SHIFT;
        self.chains[a] = (upper | lower & MARKS) + (u16::from(deeper) << RANK_SHIFT);
        self.chains[b] = a as u16;
        a
    }

    /// Puts a stone on an empty cell and says whether that wins.
    #[inline]
    pub fn place(&mut self, colour: usize, place: usize) -> bool {
        debug_assert!(self.is_empty(place));
        let (word, bit) = (row(place) + 1, 1 << (column(place) + 1));
        let around = self.around(colour, place);
        self.layers[colour][word] |= bit;
        self.layers[EMPTY][word] &= !bit;
        let own = self.geometry.marks[place];
        if around.runs == 0 {
            self.chains[place] = ROOT | own;
            return false;
        }
        let mut root = self.find(place.wrapping_add_signed(around.to_run[0].into()));
        self.chains[place] = root as u16;
        self.chains[root] |= own;
        let mut ring = false;
        for &to in &around.to_run[1..around.runs.into()] {
            let other = self.find(place.wrapping_add_signed(to.into()));
            if other == root {
                ring = true;
            } else {
                root = self.unite(root, other);
            }
        }
        ring || marks_win(self.chains[root])
            || around.inside != 0 && self.fills(colour, place, around)
    }

    /// Whether a stone of `colour` on the empty cell `place` would win.
    #[inline]
    pub fn would_win(&self, colour: usize, place: usize) -> bool {
        let around = self.around(colour, place);
        // One run away from the rim: the stone only lengthens a chain.
        let joins = around.runs > 1 || self.geometry.marks[place] != 0;
        joins && self.would_join(around, place)
            || around.inside != 0 && self.fills(colour, place, around)
    }

    /// Whether a stone on the empty cell `place` would win by joining the runs around it to each
    /// other and to the rim: all wins but filled rings.
    #[inline]
    pub fn would_join(&self, around: &Around, place: usize) -> bool {
        let mut marks = self.geometry.marks[place];
        let mut roots = [PLACES; 3];
        for (run, &to) in around.to_run[..around.runs.into()].iter().enumerate() {
            let root = self.root(place.wrapping_add_signed(to.into()));
            if roots[0] == root || roots[1] == root {
                return true;
            }
            roots[run] = root;
            marks |= self.marks(root);
        }
        marks_win(marks)
    }

    /// Whether all six cells around some neighbour of `place` are `colour`'s, counting `place`.
    #[inline]
    fn fills(&self, colour: usize, place: usize, around: &Around) -> bool {
        let mut rest = around.inside;
        while rest != 0 {
            let d = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let code = code_around(&self.layers[colour], step(place, d));
            // Seen from there, `place` lies in the opposite direction.
            if code | 1 << CODE_BITS[(d + 3) % 6] == ALL_AROUND {
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slow;

    #[test]
    fn marks_win_counts() {
        for marks in 0..=MARKS {
            let corners = (marks & CORNER_BITS).count_ones();
            let edges = (marks >> EDGE_SHIFT).count_ones();
            assert_eq!(marks_win(marks), corners >= 2 || edges >= 3);
        }
    }

    /// Every set of stones of one colour on the smallest board that has not won, and every stone
    /// that can be added to it: about two million cases.
    #[test]
    fn every_position_of_size_3() {
        fn deepen(board: &Board, from: usize, cases: &mut u64) {
            let geometry = board.geometry;
            let own = |place| contains(board.stones(0), place);
            for index in 0..geometry.cell_count() {
                let place = usize::from(geometry.places[index]);
                if own(place) {
                    continue;
                }
                let slow = slow::has_won(3, |y, x| {
                    let cell = geometry.place(y, x).unwrap();
                    cell == place || own(cell)
                });
                assert_eq!(board.would_win(0, place), slow, "{place} on {:?}", board.layers);
                *cases += 1;
                if index >= from {
                    let mut next = board.clone();
                    assert_eq!(next.place(0, place), slow, "{place} on {:?}", board.layers);
                    if !slow {
                        deepen(&next, index + 1, cases);
                    }
                }
            }
        }
        let mut cases = 0;
        deepen(&Board::new(Geometry::of(3).unwrap()), 0, &mut cases);
        assert!(cases > 100_000, "{cases}");
    }
}
