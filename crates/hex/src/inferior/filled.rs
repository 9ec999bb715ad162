//! A board being filled in, and what six neighbours alone tell.

use super::bits;
use super::patterns::Table;
use super::window::{NEIGHBOURS, Rows, Step};
use crate::{CellSet, Colour, Stones};

/// What fill-in makes of a board.
pub(super) struct Filled<const W: usize> {
    pub stones: Stones<W>,
    /// The same stones as rows.
    pub rows: Rows,
    pub dead: CellSet<W>,
    pub captured: [CellSet<W>; 2],
}

impl<const W: usize> Filled<W> {
    /// Fills a dead cell. Either colour will do; that of more of its neighbours helps further.
    pub fn kill(&mut self, cell: usize) {
        let around = self.stones.lattice().around[cell];
        let [black, white] = Colour::BOTH.map(|colour| (around & self.stones.of(colour)).len());
        let colour = if black >= white { Colour::Black } else { Colour::White };
        self.place(colour, cell);
        self.dead.insert(cell);
    }

    /// Fills a captured set.
    pub fn capture(&mut self, owner: Colour, set: CellSet<W>) {
        set.iter().for_each(|cell| self.place(owner, cell));
        self.captured[owner.index()] |= set;
    }

    fn place(&mut self, colour: Colour, cell: usize) {
        let size = self.stones.lattice().size;
        self.stones.place(colour, cell);
        self.rows.place(colour, cell % size, cell / size);
    }

    /// Fills dead cells and captured pairs of neighbours among `fresh` and, where that changes
    /// something, around it.
    pub fn fill_by_ring(&mut self, table: &Table, mut fresh: CellSet<W>) {
        let lattice = self.stones.lattice();
        fresh &= self.stones.empty();
        while let Some(cell) = fresh.first() {
            fresh.remove(cell);
            if let Some(filled) = self.settle(table, cell, &Colour::BOTH) {
                fresh = (fresh | lattice.grown(filled)) & self.stones.empty();
            }
        }
    }

    /// What follows from one more stone: its colour's captures and dead cells nearby, filled in.
    /// `dead` and `captured` hold only these.
    pub fn after(&self, table: &Table, colour: Colour, stone: usize) -> Self {
        let lattice = self.stones.lattice();
        let mut next = Self { dead: CellSet::EMPTY, captured: [CellSet::EMPTY; 2], ..*self };
        next.place(colour, stone);
        let mut fresh = lattice.around[stone] & next.stones.empty();
        while let Some(cell) = fresh.first() {
            fresh.remove(cell);
            let filled = next
                .settle(table, cell, &[colour])
                .or_else(|| next.capture_larger(table, cell, colour));
            if let Some(filled) = filled {
                fresh = (fresh | lattice.grown(filled)) & next.stones.empty();
            }
        }
        next
    }

    /// Fills a cell if it is dead, or captured together with a neighbour; what was filled.
    fn settle(&mut self, table: &Table, cell: usize, owners: &[Colour]) -> Option<CellSet<W>> {
        let size = self.stones.lattice().size;
        let (column, row) = (cell % size, cell / size);
        let ring = self.rows.ring(column, row);
        if table.is_dead(ring) {
            self.kill(cell);
            return Some(CellSet::of(cell));
        }
        for &colour in owners {
            let killers = table.killers(ring, colour.index());
            for i in (0..6).filter(|i| killers >> i & 1 != 0) {
                let (right, down) = (NEIGHBOURS[i].right, NEIGHBOURS[i].down);
                let column = (column as i32 + right) as usize;
                let row = (row as i32 + down) as usize;
                let there = table.killers(self.rows.ring(column, row), colour.index());
                if there >> ((i + 3) % 6) & 1 != 0 {
                    let pair = CellSet::of(cell).with(row * size + column);
                    self.capture(colour, pair);
                    return Some(pair);
                }
            }
        }
        None
    }

    /// Fills a captured set of three cells or more around a cell; what was filled.
    fn capture_larger(&mut self, table: &Table, cell: usize, owner: Colour) -> Option<CellSet<W>> {
        let size = self.stones.lattice().size;
        let (column, row) = (cell % size, cell / size);
        if !table.may_own(self.rows.ring(column, row), owner.index()) {
            return None;
        }
        let set = table.owned(self.rows.window(column, row), owner.index())?;
        let set = bits(set).map(|bit| Step::to(bit).from(cell, size)).collect();
        self.capture(owner, set);
        Some(set)
    }
}
