//! H-search: connections made of connections until nothing new comes of it.
//!
//! Small carriers go first, for what is made of them is small again and keeps the large away.

use super::Limits;
use super::nodes::Nodes;
use super::table::{Semi, Table};
use crate::CellSet;

/// The work that is left.
#[derive(Clone, Debug, Default)]
pub(super) struct Agenda<const W: usize> {
    /// Fulls that wait for the and-rule, by the size of their carrier.
    fulls: Vec<Vec<(u32, CellSet<W>)>>,
    /// No list below this one holds anything.
    smallest: usize,
    /// Pairs that wait for the or-rule.
    ors: Vec<u32>,
    /// Scratch of the or-rule.
    found: Vec<CellSet<W>>,
}

/// The search on the connections of one colour.
pub(super) struct Closure<'a, const W: usize> {
    pub table: &'a mut Table<W>,
    pub nodes: &'a Nodes<W>,
    pub agenda: &'a mut Agenda<W>,
    pub limits: Limits,
}

impl<const W: usize> Closure<'_, W> {
    /// Adds a full and remembers to combine it.
    #[inline]
    pub fn add_full(&mut self, pair: usize, carrier: CellSet<W>) {
        if self.table.add_full(pair, carrier) {
            let size = carrier.len();
            let fulls = &mut self.agenda.fulls;
            if fulls.len() <= size {
                fulls.resize(size + 1, Vec::new());
            }
            fulls[size].push((pair as u32, carrier));
            self.agenda.smallest = self.agenda.smallest.min(size);
        }
    }

    /// Adds a semi and remembers to combine it.
    #[inline]
    pub fn add_semi(&mut self, pair: usize, carrier: CellSet<W>, key: usize) {
        let [x, y] = self.table.pairs[pair].ends.map(usize::from);
        let sides = self.nodes.is_side(x) && self.nodes.is_side(y);
        let limit = if sides { usize::MAX } else { self.limits.semis };
        if self.table.add_semi(pair, carrier, key, limit) {
            self.agenda.ors.push(pair as u32);
        }
    }

    /// Has the or-rule look at a pair again, with all of its semis.
    pub fn revise(&mut self, pair: usize) {
        let entry = &mut self.table.pairs[pair];
        entry.semis.done = 0;
        if !entry.waiting && entry.semi_common.is_empty() && entry.semis.len() > 0 {
            entry.waiting = true;
            self.agenda.ors.push(pair as u32);
        }
    }

    /// Combines until nothing is left to combine.
    pub fn run(&mut self) {
        loop {
            while let Some(pair) = self.agenda.ors.pop() {
                self.or(pair as usize);
            }
            let Some(size) = (self.agenda.smallest..self.agenda.fulls.len())
                .find(|&size| !self.agenda.fulls[size].is_empty())
            else {
                break;
            };
            self.agenda.smallest = size;
            while self.agenda.smallest == size {
                let Some((pair, carrier)) = self.agenda.fulls[size].pop() else { break };
                if self.table.finish_full(pair as usize, &carrier) {
                    let [x, y] = self.table.pairs[pair as usize].ends.map(usize::from);
                    self.and(x, y, carrier);
                    self.and(y, x, carrier);
                }
            }
        }
        self.agenda.smallest = usize::MAX;
    }

    /// The and-rule: the full from `x` to `via` goes on along the fulls from there. Over a chain
    /// this makes fulls, over an empty cell semis with that cell as key. Sides are ends only.
    fn and(&mut self, x: usize, via: usize, carrier: CellSet<W>) {
        if self.nodes.is_side(via) {
            return;
        }
        let is_empty = self.nodes.is_empty(via);
        let through = if is_empty { carrier.with(via) } else { carrier };
        // The further part must keep clear of `x` as well.
        let blocked = if self.nodes.is_side(x) { through } else { through.with(x) };
        let cells = self.table.near[via] - blocked - self.table.settled[x];
        for y in cells.iter() {
            self.extend(x, via, y, is_empty, through, blocked);
        }
        let side = self.nodes.cells();
        for y in [side, side + 1] {
            if y != x {
                self.extend(x, via, y, is_empty, through, blocked);
            }
        }
    }

    #[inline]
    fn extend(
        &mut self,
        x: usize,
        via: usize,
        y: usize,
        is_empty: bool,
        through: CellSet<W>,
        blocked: CellSet<W>,
    ) {
        let Some(further) = self.table.find(via, y) else { return };
        let further = self.table.pairs[further];
        if !further.full_common.is_disjoint(&blocked) {
            return;
        }
        for index in further.fulls.done() {
            let full = self.table.fulls[index];
            if full.is_disjoint(&blocked) {
                let pair = self.table.pair(x, y);
                if is_empty {
                    self.add_semi(pair, through | full, via);
                } else {
                    self.add_full(pair, through | full);
                }
            }
        }
    }

    /// The and-rule asked from the other end: all that joins `x` and `y` over a third end.
    pub fn pull(&mut self, x: usize, y: usize) {
        let ends: CellSet<W> = [x, y].into_iter().filter(|&end| !self.nodes.is_side(end)).collect();
        let between = self.table.near[x] & self.table.near[y];
        for via in (between - ends).iter() {
            let Some(first) = self.table.find(x, via) else { continue };
            let is_empty = self.nodes.is_empty(via);
            for index in self.table.pairs[first].fulls.done() {
                let carrier = self.table.fulls[index];
                if !carrier.is_disjoint(&ends) {
                    continue;
                }
                let through = if is_empty { carrier.with(via) } else { carrier };
                self.extend(x, via, y, is_empty, through, through | ends);
            }
        }
    }

    /// The or-rule: semis that have no cell in common make a full of all their cells. Only fulls
    /// that shrink what the fulls have in common are wanted, so for each cell of that the semis
    /// which avoid it are asked.
    fn or(&mut self, pair: usize) {
        let entry = &mut self.table.pairs[pair];
        entry.waiting = false;
        let fresh = entry.semis.fresh();
        entry.semis.done = entry.semis.len() as u16;
        let (mut common, none_yet) = (entry.full_common, entry.fulls.len() == 0);
        if !entry.semi_common.is_empty() || common.is_empty() && !none_yet {
            return;
        }
        let semis = &self.table.semis[entry.semis.range()];
        self.agenda.found.clear();
        if none_yet {
            let full = small_union(semis, |_| true);
            common = common & full;
            self.agenda.found.push(full);
        }
        // A cell in all new semis brings nothing: those without it were asked before.
        let mut cells = common;
        if !none_yet {
            for semi in &self.table.semis[fresh] {
                cells = cells & semi.carrier;
            }
            cells = common - cells;
        }
        while let Some(cell) = cells.first() {
            cells.remove(cell);
            let avoids = |semi: &&Semi<W>| !semi.carrier.contains(cell);
            let mut avoiding = semis.iter().filter(avoids);
            let Some(first) = avoiding.next() else { continue };
            let rest = avoiding.fold(first.carrier, |rest, semi| rest & semi.carrier);
            if rest.is_empty() {
                let full = small_union(semis, |semi| !semi.carrier.contains(cell));
                cells = cells & full;
                self.agenda.found.push(full);
            }
        }
        for index in 0..self.agenda.found.len() {
            self.add_full(pair, self.agenda.found[index]);
        }
    }
}

/// The union of few and small semis with nothing in common, chosen greedily; all that qualify
/// have nothing in common together.
fn small_union<const W: usize>(
    semis: &[Semi<W>],
    qualifies: impl Fn(&Semi<W>) -> bool,
) -> CellSet<W> {
    let candidates = || semis.iter().filter(|&semi| qualifies(semi));
    let Some(first) = candidates().min_by_key(|semi| semi.size()) else { return CellSet::EMPTY };
    let (mut union, mut common) = (first.carrier, first.carrier);
    while !common.is_empty() {
        let left = common.len();
        let cost = |semi: &Semi<W>| {
            let still = (common & semi.carrier).len();
            (still < left).then(|| 2 * still + (semi.carrier - union).len())
        };
        let best = candidates().filter_map(|semi| Some((cost(semi)?, semi))).min_by_key(|c| c.0);
        let Some((_, semi)) = best else { break };
        union |= semi.carrier;
        common = common & semi.carrier;
    }
    debug_assert!(common.is_empty(), "the semis share a cell");
    union
}
