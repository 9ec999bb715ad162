//! The hexagon: cells, notation, corners, edges and symmetries of each board size.
//!
//! A board of base size `s` has the cells `(y, x)` with `0 <= y, x < 2s - 1` and `|y - x| < s`,
//! written as row letter and `x + 1`: `a1` to `s19`. The neighbours of `(y, x)` are `(y, x ± 1)`,
//! `(y ± 1, x)`, `(y + 1, x + 1)` and `(y - 1, x - 1)`.
//!
//! Inside the crate a cell is its *place* `32 y + x`: neighbours are fixed distances away on every
//! size, and row and column come by shift and mask. Outside it is a move's dense index, row by row.

use std::sync::OnceLock;

use kosumi_game::Permutation;

/// The smallest base size.
pub const MIN_SIZE: usize = 3;
/// The largest base size.
pub const MAX_SIZE: usize = 10;

/// Distance between a cell and the one below it, as places.
pub(crate) const STRIDE: usize = 32;
/// All places are below this.
pub(crate) const PLACES: usize = (2 * MAX_SIZE - 1) * STRIDE;
/// Rows of a [`Layer`]: those of the largest board and one of padding above and below.
pub(crate) const LAYER_ROWS: usize = 2 * MAX_SIZE + 1;
/// A set of cells: `(y, x)` is bit `x + 1` of word `y + 1`, so that neighbours off the board exist
/// and are never set.
pub(crate) type Layer = [u32; LAYER_ROWS];

/// The six directions in the order they lie around a cell, as `(dy, dx)`.
pub(crate) const DIRECTIONS: [(i8, i8); 6] = [(-1, -1), (-1, 0), (0, 1), (1, 1), (1, 0), (0, -1)];
/// The same directions as distances between places.
pub(crate) const STEPS: [i16; 6] = {
    let mut steps = [0; 6];
    let mut d = 0;
    while d < 6 {
        steps[d] = DIRECTIONS[d].0 as i16 * STRIDE as i16 + DIRECTIONS[d].1 as i16;
        d += 1;
    }
    steps
};

/// Marks of a cell at the rim: one bit per corner in the low six, one per edge above them.
pub(crate) const CORNER_BITS: u16 = 0x3f;
/// Where the edge bits of a mark begin.
pub(crate) const EDGE_SHIFT: u32 = 6;

/// No board of that size is supported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no Havannah board of base size {0}; sizes {MIN_SIZE} to {MAX_SIZE} are supported")]
pub struct SizeError(pub usize);

/// What is fixed about the board of one size.
#[derive(Debug)]
pub(crate) struct Geometry {
    pub size: usize,
    /// The place of each cell by dense index.
    pub places: Box<[u16]>,
    /// The dense index of each place; `u16::MAX` off the board.
    pub indices: [u16; PLACES],
    /// Which corner a place is or which edge it belongs to; corners belong to no edge.
    pub marks: [u16; PLACES],
    /// All cells.
    pub cells: Layer,
    /// The corners and edges.
    pub rim: Layer,
    /// The twelve symmetries as permutations of moves, the swap staying itself.
    pub symmetries: Vec<Permutation>,
}

/// The row of a place.
#[inline]
pub(crate) const fn row(place: usize) -> usize {
    place / STRIDE
}

/// The column of a place.
#[inline]
pub(crate) const fn column(place: usize) -> usize {
    place % STRIDE
}

/// The place one step away. Only meaningful when that is a cell.
#[inline]
pub(crate) const fn step(place: usize, direction: usize) -> usize {
    place.wrapping_add_signed(STEPS[direction] as isize)
}

/// Whether `place` is in a set of cells.
#[inline]
pub(crate) const fn contains(layer: &Layer, place: usize) -> bool {
    layer[row(place) + 1] >> (column(place) + 1) & 1 != 0
}

/// Calls `visit` with the place of each cell of a layer, row by row.
#[inline]
pub(crate) fn for_each_place(layer: &Layer, mut visit: impl FnMut(usize)) {
    for (y, &word) in layer[1..].iter().enumerate() {
        let mut rest = word >> 1;
        while rest != 0 {
            visit(y * STRIDE + rest.trailing_zeros() as usize);
            rest &= rest - 1;
        }
    }
}

impl Geometry {
    /// The board of a base size.
    pub fn of(size: usize) -> Result<&'static Self, SizeError> {
        static BOARDS: [OnceLock<Geometry>; MAX_SIZE + 1] =
            [const { OnceLock::new() }; MAX_SIZE + 1];
        if !(MIN_SIZE..=MAX_SIZE).contains(&size) {
            return Err(SizeError(size));
        }
        Ok(BOARDS[size].get_or_init(|| Self::build(size)))
    }

    /// How many cells there are, which is also the index of the swap.
    #[inline]
    pub fn cell_count(&self) -> usize {
        self.places.len()
    }

    /// Rows, and also the longest row.
    pub fn diameter(&self) -> usize {
        2 * self.size - 1
    }

    /// The columns of a row.
    pub fn columns(&self, y: usize) -> std::ops::RangeInclusive<usize> {
        (y + 1).saturating_sub(self.size)..=(y + self.size - 1).min(self.diameter() - 1)
    }

    /// The place of `(y, x)`, or `None` off the board.
    pub fn place(&self, y: usize, x: usize) -> Option<usize> {
        (y < self.diameter() && self.columns(y).contains(&x)).then(|| y * STRIDE + x)
    }

    fn build(size: usize) -> Self {
        let last = 2 * size - 2;
        let mut geometry = Self {
            size,
            places: Box::default(),
            indices: [u16::MAX; PLACES],
            marks: [0; PLACES],
            cells: [0; LAYER_ROWS],
            rim: [0; LAYER_ROWS],
            symmetries: Vec::new(),
        };
        let mut places = Vec::new();
        for y in 0..=last {
            for x in geometry.columns(y) {
                let place = y * STRIDE + x;
                geometry.indices[place] = places.len() as u16;
                geometry.cells[y + 1] |= 1 << (x + 1);
                geometry.marks[place] = mark(size, y, x);
                geometry.rim[y + 1] |= u32::from(geometry.marks[place] != 0) << (x + 1);
                places.push(place as u16);
            }
        }
        geometry.places = places.into();
        geometry.symmetries = geometry.build_symmetries();
        geometry
    }

    /// Rotations by 60°, each plain and mirrored, about the middle cell.
    fn build_symmetries(&self) -> Vec<Permutation> {
        let middle = self.size as i32 - 1;
        let mut symmetries = Vec::new();
        for mirrored in [false, true] {
            for turns in 0..6 {
                let image = |index: usize| {
                    let Some(&place) = self.places.get(index) else {
                        return index;
                    };
                    let (mut y, mut x) =
                        (row(place.into()) as i32 - middle, column(place.into()) as i32 - middle);
                    if mirrored {
                        (y, x) = (x, y);
                    }
                    // Sends each of DIRECTIONS to the next.
                    for _ in 0..turns {
                        (y, x) = (x, x - y);
                    }
                    let place = self.place((y + middle) as usize, (x + middle) as usize);
                    place.map_or(usize::MAX, |place| self.indices[place].into())
                };
                symmetries.extend(Permutation::from_fn(self.cell_count() + 1, image));
            }
        }
        debug_assert_eq!(symmetries.len(), 12);
        symmetries
    }
}

/// The six sides in the order they lie around the board; where two meet is a corner.
fn mark(size: usize, y: usize, x: usize) -> u16 {
    let last = 2 * size - 2;
    let sides = [y == 0, x == y + size - 1, x == last, y == last, y == x + size - 1, x == 0];
    (0..6)
        .map(|side| {
            let (before, after) = (sides[(side + 5) % 6], sides[(side + 1) % 6]);
            if sides[side] && after {
                1 << side
            } else if sides[side] && !before {
                1 << (side as u32 + EDGE_SHIFT)
            } else {
                0
            }
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_cells_corners_and_edges() {
        for size in MIN_SIZE..=MAX_SIZE {
            let geometry = Geometry::of(size).unwrap();
            assert_eq!(geometry.cell_count(), 3 * size * (size - 1) + 1);
            let marks = geometry.marks.iter().filter(|&&mark| mark != 0);
            let mut count = [0; 12];
            for mark in marks {
                assert_eq!(mark.count_ones(), 1, "a rim cell is one corner or on one edge");
                count[mark.trailing_zeros() as usize] += 1;
            }
            assert_eq!(count[..6], [1; 6]);
            assert_eq!(count[6..], [size - 2; 6]);
        }
        assert_eq!(Geometry::of(2).unwrap_err(), SizeError(2));
        assert_eq!(Geometry::of(11).unwrap_err(), SizeError(11));
    }

    #[test]
    fn directions_go_around() {
        for d in 0..6 {
            let (here, next) = (DIRECTIONS[d], DIRECTIONS[(d + 1) % 6]);
            let between = (next.0 - here.0, next.1 - here.1);
            assert!(DIRECTIONS.contains(&between), "neighbours of neighbours");
            assert_eq!(DIRECTIONS[(d + 3) % 6], (-here.0, -here.1));
        }
    }

    #[test]
    fn the_twelve_symmetries_differ() {
        let symmetries = &Geometry::of(4).unwrap().symmetries;
        assert_eq!(symmetries.len(), 12);
        for (i, one) in symmetries.iter().enumerate() {
            assert!(symmetries[..i].iter().all(|other| other != one));
        }
        assert_eq!(symmetries[0], Permutation::identity(38));
    }
}
