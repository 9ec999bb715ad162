//! What connections join: empty cells, chains of the colour, and the colour's two sides.

use crate::{CellSet, Colour, Stones};

/// The mark of a cell that the opponent holds.
const NONE: u16 = u16::MAX;

/// The ends of one colour on one board, as numbers: an empty cell is itself, a chain is its
/// lowest cell, the sides follow after the last cell. A chain that touches a side is that side.
#[derive(Clone, Debug, Default)]
pub(super) struct Nodes<const W: usize> {
    of: Vec<u16>,
    /// The empty cells.
    pub empty: CellSet<W>,
    /// Whether the sides are one chain.
    pub joined: bool,
}

impl<const W: usize> Nodes<W> {
    /// Reads the board.
    pub fn read(&mut self, stones: &Stones<W>, colour: Colour) {
        let lattice = stones.lattice();
        let cells = lattice.size * lattice.size;
        self.empty = stones.empty();
        self.of.clear();
        self.of.resize(cells, NONE);
        for cell in self.empty.iter() {
            self.of[cell] = cell as u16;
        }
        let [start, goal] = lattice.beside[colour.index()];
        let mut left = stones.of(colour);
        self.joined = false;
        while let Some(seed) = left.first() {
            let chain = lattice.flood(CellSet::of(seed), left);
            let (at_start, at_goal) = (!chain.is_disjoint(&start), !chain.is_disjoint(&goal));
            self.joined |= at_start && at_goal;
            let node = match (at_start, at_goal) {
                (true, _) => cells,
                (_, true) => cells + 1,
                _ => seed,
            };
            for cell in chain.iter() {
                self.of[cell] = node as u16;
            }
            left -= chain;
        }
    }

    /// How many cells the board has; this and the next are the numbers of the sides.
    #[inline]
    pub fn cells(&self) -> usize {
        self.of.len()
    }

    /// The end that a cell or a side belongs to.
    #[inline]
    pub fn of(&self, place: usize) -> Option<usize> {
        match self.of.get(place) {
            Some(&NONE) => None,
            Some(&node) => Some(usize::from(node)),
            None => Some(place),
        }
    }

    /// Whether the end is a side.
    #[inline]
    pub fn is_side(&self, node: usize) -> bool {
        node >= self.cells()
    }

    /// Whether the end is an empty cell.
    #[inline]
    pub fn is_empty(&self, node: usize) -> bool {
        node < self.cells() && self.empty.contains(node)
    }
}
