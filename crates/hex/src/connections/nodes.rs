//! What connections join: empty cells, chains of the colour, and the colour's two sides.

use super::shapes::Capture;
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
    /// What a stone on an empty cell would capture, by cell.
    captured: Vec<CellSet<W>>,
}

impl<const W: usize> Nodes<W> {
    /// Bytes that all lists take.
    pub fn bytes(&self) -> usize {
        self.of.capacity() * size_of::<u16>() + self.captured.capacity() * size_of::<CellSet<W>>()
    }

    /// Reads the board.
    pub fn read(&mut self, stones: &Stones<W>, colour: Colour, shapes: &[Capture<W>]) {
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
        self.captured.clear();
        self.captured.resize(cells, CellSet::EMPTY);
        for shape in shapes {
            let free = shape.captured.with(shape.cell).is_subset(&self.empty);
            if free && shape.around.is_subset(&stones.of(colour)) {
                self.captured[shape.cell] = shape.captured;
            }
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

    /// What a stone on an end captures: cells of which the opponent has no use any more. Only
    /// empty cells are asked; what stones capture is filled in before.
    #[inline]
    pub fn captured(&self, node: usize) -> CellSet<W> {
        self.captured.get(node).copied().unwrap_or(CellSet::EMPTY)
    }

    /// What stones on two ends capture together. Captures that overlap are not both to be had,
    /// and an end is not captured.
    #[inline]
    pub fn captured_by(&self, x: usize, y: usize) -> CellSet<W> {
        let (first, second) = (self.captured(x), self.captured(y));
        let holds = |set: &CellSet<W>, node| node < self.cells() && set.contains(node);
        let first = if holds(&first, y) { CellSet::EMPTY } else { first };
        if holds(&second, x) || !first.is_disjoint(&second) { first } else { first | second }
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
