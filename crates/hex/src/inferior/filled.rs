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
    /// What overlapping captured sets leave to each colour.
    pub permanent: [CellSet<W>; 2],
}

impl<const W: usize> Filled<W> {
    pub fn new(stones: &Stones<W>) -> Self {
        Self {
            stones: *stones,
            rows: Rows::new(stones),
            dead: CellSet::EMPTY,
            captured: [CellSet::EMPTY; 2],
            permanent: [CellSet::EMPTY; 2],
        }
    }

    /// Fills a dead cell. Either colour will do; that of more of its neighbours helps further.
    pub fn kill(&mut self, cell: usize) {
        let around = self.stones.lattice().around[cell];
        let [black, white] = Colour::BOTH.map(|colour| (around & self.stones.of(colour)).len());
        let colour = if black >= white { Colour::Black } else { Colour::White };
        self.place(colour, cell);
        self.dead.insert(cell);
    }

    /// Fills what is still empty of a set that was captured before any of it was filled.
    ///
    /// Part of it may have gone to the opponent as part of another set. The rest still belongs to
    /// the owner: between a board and the same with all of a captured set filled, which are worth
    /// the same, lies the board with only the rest filled, and there the other set is captured as
    /// before. So of sets captured on one board each may take what those before it left.
    pub fn capture(&mut self, owner: Colour, set: CellSet<W>) {
        let rest = set & self.stones.empty();
        let lost = (set & self.stones.of(owner.opponent())) - self.dead;
        rest.iter().for_each(|cell| self.place(owner, cell));
        let kind = if lost.is_empty() { &mut self.captured } else { &mut self.permanent };
        kind[owner.index()] |= rest;
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
        let none = [CellSet::EMPTY; 2];
        let mut next = Self { dead: CellSet::EMPTY, captured: none, permanent: none, ..*self };
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
        if table.is_dead(self.rows.ring(cell % size, cell / size)) {
            self.kill(cell);
            return Some(CellSet::of(cell));
        }
        let before = self.stones.empty();
        for &colour in owners {
            let Some(other) = self.partners(table, cell, colour).next() else { continue };
            let mut pairs = [None; 12];
            if owners.len() == 2 {
                // The opponent's pairs on the same board.
                let all = [cell, other].map(|at| {
                    let pair = move |partner| CellSet::of(at).with(partner);
                    self.partners(table, at, colour.opponent()).map(pair)
                });
                let all = all.into_iter().flatten();
                pairs.iter_mut().zip(all).for_each(|(slot, pair)| *slot = Some(pair));
            }
            self.capture(colour, CellSet::of(cell).with(other));
            for pair in pairs.into_iter().flatten() {
                self.capture(colour.opponent(), pair);
            }
            return Some(before - self.stones.empty());
        }
        None
    }

    /// The neighbours with which a cell makes a captured pair of a colour.
    fn partners(
        &self,
        table: &Table,
        cell: usize,
        colour: Colour,
    ) -> impl Iterator<Item = usize> + use<W> {
        let size = self.stones.lattice().size;
        let killers_of =
            |cell: usize| table.killers(self.rows.ring(cell % size, cell / size), colour.index());
        let killers = killers_of(cell);
        let mut found = 0u8;
        for i in (0..6).filter(|i| killers >> i & 1 != 0) {
            let other = NEIGHBOURS[i].from(cell, size);
            found |= (killers_of(other) >> ((i + 3) % 6) & 1) << i;
        }
        (0..6).filter(move |i| found >> i & 1 != 0).map(move |i| NEIGHBOURS[i].from(cell, size))
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
