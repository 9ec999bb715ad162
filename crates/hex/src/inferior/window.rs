//! What surrounds a cell: windows of radius 3 cut out of a padded board of bits.

use crate::{Colour, Stones};

/// How far a window reaches.
pub(super) const RADIUS: i32 = 3;
/// Rows and columns of a window.
const SPAN: i32 = 2 * RADIUS + 1;
/// The largest board with its padding.
const ROWS: usize = crate::MAX_SIZE + 2 * RADIUS as usize;

/// A step on the board: columns to the right, rows down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Step {
    pub right: i32,
    pub down: i32,
}

/// The steps to the neighbours, clockwise from the right.
pub(super) const NEIGHBOURS: [Step; 6] = [
    Step { right: 1, down: 0 },
    Step { right: 0, down: 1 },
    Step { right: -1, down: 1 },
    Step { right: -1, down: 0 },
    Step { right: 0, down: -1 },
    Step { right: 1, down: -1 },
];

impl Step {
    /// No step.
    pub const HERE: Step = Step { right: 0, down: 0 };

    pub const fn plus(self, other: Step) -> Step {
        Step { right: self.right + other.right, down: self.down + other.down }
    }

    pub const fn minus(self, other: Step) -> Step {
        Step { right: self.right - other.right, down: self.down - other.down }
    }

    /// How many moves of a king of this board it takes.
    pub fn distance(self) -> i32 {
        self.right.abs().max(self.down.abs()).max((self.right + self.down).abs())
    }

    /// The step under one of the 12 symmetries of the hexagon, all of which keep neighbours.
    pub fn turned(self, symmetry: usize) -> Step {
        let start = if symmetry < 6 { self } else { Step { right: self.down, down: self.right } };
        (0..symmetry % 6)
            .fold(start, |step, _| Step { right: -step.down, down: step.right + step.down })
    }

    /// The bit of a window this step leads to from the centre; it must not leave the window.
    pub const fn bit(self) -> u32 {
        ((self.down + RADIUS) * SPAN + self.right + RADIUS) as u32
    }

    /// The cell this step leads to; it must be on the board.
    pub const fn from(self, cell: usize, size: usize) -> usize {
        (cell as i32 + self.down * size as i32 + self.right) as usize
    }

    /// The step to a bit of a window.
    pub const fn to(bit: u32) -> Step {
        Step { right: bit as i32 % SPAN - RADIUS, down: bit as i32 / SPAN - RADIUS }
    }
}

/// Stones of both colours around a cell, one bit per cell, the centre in the middle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Window {
    pub of: [u64; 2],
}

#[cfg(test)]
impl Window {
    /// [`Rows::ring`] of the centre.
    pub fn ring(&self) -> usize {
        ring_of(self.of[0]) | ring_of(self.of[1]) << 6
    }
}

/// How many values [`Rows::ring`] has; those with two stones on one cell do not occur.
pub(super) const RING_CODES: usize = 1 << 12;

/// The six bits around the centre, in the order of [`NEIGHBOURS`].
#[inline]
pub(super) const fn ring_of(bits: u64) -> usize {
    let mut ring = 0;
    let mut i = 0;
    while i < 6 {
        ring |= (bits >> NEIGHBOURS[i].bit() & 1) << i;
        i += 1;
    }
    ring as usize
}

/// Stones as rows of bits with a border of three cells.
///
/// Rows beyond top and bottom are black from end to end, columns beyond the sides of the rows in
/// between are white. So no corner belongs to two sides, and neither colour gains a neighbour:
/// the one corner cell that touches the board, beyond an obtuse corner, touches a cell which has
/// the same side as its neighbour anyway.
#[derive(Clone, Copy)]
pub(super) struct Rows {
    of: [[u32; ROWS]; 2],
}

impl Rows {
    pub fn new<const W: usize>(stones: &Stones<W>) -> Self {
        let size = stones.lattice().size;
        let margin = RADIUS as usize;
        let width = size + 2 * margin;
        let full = (1u32 << width) - 1;
        let inside = ((1u32 << size) - 1) << margin;
        let mut of = [[0; ROWS]; 2];
        for (row, (black, white)) in {
            let [black, white] = &mut of;
            black.iter_mut().zip(white).take(width).enumerate()
        } {
            if (margin..margin + size).contains(&row) {
                *white = full & !inside;
            } else {
                *black = full;
            }
        }
        for colour in Colour::BOTH {
            for cell in stones.of(colour).iter() {
                of[colour.index()][cell / size + margin] |= 1 << (cell % size + margin);
            }
        }
        Self { of }
    }

    /// Places a stone.
    #[inline]
    pub fn place(&mut self, colour: Colour, column: usize, row: usize) {
        self.of[colour.index()][row + RADIUS as usize] |= 1 << (column + RADIUS as usize);
    }

    /// The six neighbours of a cell, two bits each: an index below [`RING_CODES`].
    #[inline]
    pub fn ring(&self, column: usize, row: usize) -> usize {
        let cut = |rows: &[u32; ROWS]| {
            let left = column + RADIUS as usize - 1;
            let [above, here, below] = [2, 3, 4].map(|down| rows[row + down] >> left);
            let sides = here >> 2 & 1 | (here & 1) << 3;
            (sides | below & 2 | (below & 1) << 2 | (above >> 1 & 3) << 4) as usize
        };
        cut(&self.of[0]) | cut(&self.of[1]) << 6
    }

    /// The surroundings of a cell.
    #[inline]
    pub fn window(&self, column: usize, row: usize) -> Window {
        let cut = |rows: &[u32; ROWS]| {
            rows[row..row + SPAN as usize]
                .iter()
                .rev()
                .fold(0, |bits, &line| bits << SPAN | u64::from(line >> column & ((1 << SPAN) - 1)))
        };
        Window { of: [cut(&self.of[0]), cut(&self.of[1])] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetries_keep_neighbours_and_differ() {
        let mut images = Vec::new();
        for symmetry in 0..12 {
            let image = NEIGHBOURS.map(|step| step.turned(symmetry));
            assert!(image.iter().all(|step| NEIGHBOURS.contains(step)));
            for i in 0..6 {
                let apart = image[(i + 1) % 6].minus(image[i]);
                assert_eq!(apart.distance(), 1);
            }
            images.push(image);
        }
        images.sort();
        images.dedup();
        assert_eq!(images.len(), 12);
    }

    #[test]
    fn a_window_at_a_corner_shows_the_sides() {
        let mut stones = Stones::<1>::empty_board(5).unwrap();
        stones.place(Colour::Black, 3);
        stones.place(Colour::White, 9);
        // e1, an obtuse corner: right white, below White's stone, left Black's stone, above black.
        let window = Rows::new(&stones).window(4, 0);
        assert_eq!(ring_of(window.of[0]), 0b11_1000);
        assert_eq!(ring_of(window.of[1]), 0b00_0011);
        for cell in 0..25 {
            let rows = Rows::new(&stones);
            assert_eq!(rows.ring(cell % 5, cell / 5), rows.window(cell % 5, cell / 5).ring());
        }
        assert_eq!(Step::to(NEIGHBOURS[2].bit()), NEIGHBOURS[2]);
    }
}
