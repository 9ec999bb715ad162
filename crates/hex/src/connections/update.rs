//! The connections of one colour on one board, from scratch or from those of a board with fewer
//! stones.

use super::Limits;
use super::closure::{Agenda, Closure};
use super::nodes::Nodes;
use super::shapes::{Shapes, Template};
use super::table::{Semi, Table};
use crate::{CellSet, Colour, Stones};

/// One colour's ends and connections.
#[derive(Clone, Debug, Default)]
pub(super) struct Half<const W: usize> {
    pub nodes: Nodes<W>,
    pub table: Table<W>,
}

impl<const W: usize> Half<W> {
    /// Finds the connections from scratch.
    pub fn build(
        &mut self,
        stones: &Stones<W>,
        colour: Colour,
        shapes: &Shapes<W>,
        limits: Limits,
        agenda: &mut Agenda<W>,
    ) {
        let lattice = stones.lattice();
        self.nodes.read(stones, colour, &shapes.captures);
        let cells = self.nodes.cells();
        self.table.clear(cells);
        if self.nodes.joined {
            return;
        }
        let nodes = &self.nodes;
        let mut closure = Closure { table: &mut self.table, nodes, agenda, limits };
        for cell in nodes.empty.iter() {
            let beside = |side: usize| lattice.beside[colour.index()][side].contains(cell);
            let sides = [0, 1].into_iter().filter(|&side| beside(side)).map(|side| cells + side);
            for other in lattice.around[cell].iter().filter_map(|cell| nodes.of(cell)).chain(sides)
            {
                let pair = closure.table.pair(cell, other);
                closure.add_full(pair, CellSet::EMPTY);
            }
        }
        closure.add_templates(stones, colour, shapes);
        closure.run();
    }

    /// Carries the connections of `old` over to a board with more stones, and goes on from there.
    pub fn update(
        &mut self,
        (before, old): (&Stones<W>, &Self),
        stones: &Stones<W>,
        colour: Colour,
        shapes: &Shapes<W>,
        limits: Limits,
        agenda: &mut Agenda<W>,
    ) {
        self.nodes.read(stones, colour, &shapes.captures);
        self.table.clear(self.nodes.cells());
        if self.nodes.joined {
            return;
        }
        let added = stones.of(colour) - before.of(colour);
        let lost = stones.of(colour.opponent()) - before.of(colour.opponent());
        let mut grown = vec![false; self.nodes.cells() + 2];
        for cell in added.iter() {
            if let Some(node) = self.nodes.of(cell) {
                grown[node] = true;
            }
        }
        // So does a cell that captures more than before.
        for cell in self.nodes.empty.iter() {
            grown[cell] |= !self.nodes.captured(cell).is_subset(&old.nodes.captured(cell));
        }
        let nodes = &self.nodes;
        let mut closure = Closure { table: &mut self.table, nodes, agenda, limits };
        let mut weakened = Vec::new();
        for pair in &old.table.pairs {
            let [x, y] = pair.ends.map(|end| nodes.of(usize::from(end)));
            let (Some(x), Some(y)) = (x, y) else { continue };
            if x == y || pair.fulls.len() + pair.semis.len() == 0 {
                continue;
            }
            let fulls = &old.table.fulls[pair.fulls.range()];
            let semis = &old.table.semis[pair.semis.range()];
            let number = closure.table.pair(x, y);
            let hit = closure.carry(number, fulls, semis, added, lost, grown[x] || grown[y]);
            if hit {
                weakened.push(number);
            }
        }
        closure.add_templates(stones, colour, shapes);
        for &pair in &weakened {
            let [x, y] = closure.table.pairs[pair].ends.map(usize::from);
            closure.revise(pair);
            if closure.limits.pull {
                closure.pull(x, y);
            }
        }
        closure.run();
    }
}

impl<const W: usize> Closure<'_, W> {
    /// Adds the edge templates that the board has room for.
    fn add_templates(&mut self, stones: &Stones<W>, colour: Colour, shapes: &Shapes<W>) {
        let (own, taken) = (stones.of(colour), stones.of(colour.opponent()));
        let fits = |template: &&Template<W>| {
            template.carrier.is_disjoint(&taken) && template.helpers.is_subset(&own)
        };
        for template in shapes.templates.iter().filter(fits) {
            let [x, y] = template.ends.map(|end| self.nodes.of(end));
            if let (Some(x), Some(y)) = (x, y)
                && x != y
            {
                let pair = self.table.pair(x, y);
                self.add_full(pair, template.carrier - own);
            }
        }
    }

    /// Takes over the connections of a pair after stones were `added` and cells were `lost` to
    /// the opponent. An end that has `grown` combines in new ways, so all of its connections are
    /// new. Says whether a full was lost.
    fn carry(
        &mut self,
        pair: usize,
        fulls: &[CellSet<W>],
        semis: &[Semi<W>],
        added: CellSet<W>,
        lost: CellSet<W>,
        grown: bool,
    ) -> bool {
        let mut hit = false;
        if !grown {
            let changed = added | lost;
            for full in fulls.iter().filter(|full| full.is_disjoint(&changed)) {
                self.table.keep_full(pair, *full);
            }
            let list = &mut self.table.pairs[pair].fulls;
            list.done = list.len() as u16;
        }
        for full in fulls {
            if !full.is_disjoint(&lost) {
                hit = true;
            } else if grown || !full.is_disjoint(&added) {
                self.add_full(pair, *full - added);
            }
        }
        if !grown {
            let changed = added | lost;
            let common = self.table.pairs[pair].full_common;
            let has_full = self.table.pairs[pair].fulls.len() > 0;
            for semi in semis.iter().filter(|semi| semi.carrier.is_disjoint(&changed)) {
                if !has_full || !common.is_subset(&semi.carrier) {
                    self.table.keep_semi(pair, *semi);
                }
            }
            let list = &mut self.table.pairs[pair].semis;
            list.done = list.len() as u16;
        }
        for semi in semis.iter().filter(|semi| semi.carrier.is_disjoint(&lost)) {
            if added.contains(usize::from(semi.key)) {
                self.add_full(pair, semi.carrier - added);
            } else if grown || !semi.carrier.is_disjoint(&added) {
                self.add_semi(pair, semi.carrier - added, usize::from(semi.key));
            }
        }
        hit
    }
}
