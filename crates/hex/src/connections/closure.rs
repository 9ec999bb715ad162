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

impl<const W: usize> Agenda<W> {
    /// Bytes that all lists take.
    pub fn bytes(&self) -> usize {
        let fulls = self.fulls.iter().map(|list| list.capacity() * size_of::<(u32, CellSet<W>)>());
        fulls.sum::<usize>()
            + self.ors.capacity() * size_of::<u32>()
            + self.found.capacity() * size_of::<CellSet<W>>()
    }
}

/// The search on the connections of one colour.
pub(super) struct Closure<'a, const W: usize> {
    pub table: &'a mut Table<W>,
    pub nodes: &'a Nodes<W>,
    pub agenda: &'a mut Agenda<W>,
    pub limits: Limits,
}

/// A full connection from `x` to `via` that is to be continued.
#[derive(Clone, Copy)]
struct Way<const W: usize> {
    x: usize,
    via: usize,
    /// The carrier, and `via` if it is empty.
    through: CellSet<W>,
    /// What the further part must not touch: `through` and the ends.
    blocked: CellSet<W>,
    /// `x` and `via` as far as they are cells.
    ends: CellSet<W>,
    /// What both parts may use, for a stone on `x` or `via` captures it.
    spare: CellSet<W>,
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
            self.await_or(pair);
        }
    }

    /// Has the or-rule look at a pair again, with all of its semis.
    pub fn revise(&mut self, pair: usize) {
        let entry = &mut self.table.pairs[pair];
        entry.semis.done = 0;
        if entry.semis.len() > 0 {
            self.await_or(pair);
        }
    }

    #[inline]
    fn await_or(&mut self, pair: usize) {
        let entry = &self.table.pairs[pair];
        let [x, y] = entry.ends.map(usize::from);
        if !entry.waiting && entry.semi_common.is_subset(&self.nodes.captured_by(x, y)) {
            self.table.pairs[pair].waiting = true;
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

    /// The way from `x` to `via` by a full connection.
    #[inline]
    fn way(&self, x: usize, via: usize, carrier: CellSet<W>) -> Way<W> {
        let through = if self.nodes.is_empty(via) { carrier.with(via) } else { carrier };
        let is_cell = |&end: &usize| !self.nodes.is_side(end);
        let ends = [x, via].into_iter().filter(is_cell).collect();
        let spare = self.nodes.captured_by(x, via);
        Way { x, via, through, blocked: through | ends, ends, spare }
    }

    /// The and-rule: the full from `x` to `via` goes on along the fulls from there. Over a chain
    /// this makes fulls, over an empty cell semis with that cell as key. Nothing goes over a side,
    /// for else everything near it would be joined; the ladders among the templates stand for that.
    fn and(&mut self, x: usize, via: usize, carrier: CellSet<W>) {
        if self.nodes.is_side(via) {
            return;
        }
        let way = self.way(x, via, carrier);
        let cells = self.table.near[via] - way.blocked - self.table.settled[x];
        for y in cells.iter() {
            self.extend(&way, y);
        }
        let side = self.nodes.cells();
        for y in [side, side + 1] {
            if y != x {
                self.extend(&way, y);
            }
        }
    }

    /// Continues a way to `y`. The parts share no cell, except that cells which one of the three
    /// ends captures count as stones: the carrier then holds all that is captured with them.
    #[inline]
    fn extend(&mut self, way: &Way<W>, y: usize) {
        let Some(further) = self.table.find(way.via, y) else { return };
        let further = self.table.pairs[further];
        let mut spare = way.spare;
        let captured = self.nodes.captured(y);
        if captured.is_disjoint(&spare) && captured.is_disjoint(&way.ends) {
            spare |= captured;
        }
        if !self.nodes.is_side(y) && spare.contains(y) {
            spare = CellSet::EMPTY;
        }
        if !(further.full_common & way.blocked).is_subset(&spare) {
            return;
        }
        for index in further.fulls.done() {
            let full = self.table.fulls[index];
            let shared = full & way.blocked;
            if !shared.is_subset(&spare) {
                continue;
            }
            let mut carrier = way.through | full;
            if !shared.is_empty() {
                carrier |= spare;
            }
            let pair = self.table.pair(way.x, y);
            if self.nodes.is_empty(way.via) {
                self.add_semi(pair, carrier, way.via);
            } else {
                self.add_full(pair, carrier);
            }
        }
    }

    /// The and-rule asked from the other end: all that joins `x` and `y` over a third end.
    pub fn pull(&mut self, x: usize, y: usize) {
        let ends: CellSet<W> = [x, y].into_iter().filter(|&end| !self.nodes.is_side(end)).collect();
        let between = self.table.near[x] & self.table.near[y];
        for via in (between - ends).iter() {
            let Some(first) = self.table.find(x, via) else { continue };
            for index in self.table.pairs[first].fulls.done() {
                let carrier = self.table.fulls[index];
                if carrier.is_disjoint(&ends) {
                    let way = self.way(x, via, carrier);
                    self.extend(&way, y);
                }
            }
        }
    }

    /// The or-rule: semis that have no cell in common make a full of all their cells; what the
    /// ends capture does not count. Only fulls that shrink what the fulls have in common are
    /// wanted, so for each cell of that the semis which avoid it are asked.
    fn or(&mut self, pair: usize) {
        let entry = &mut self.table.pairs[pair];
        entry.waiting = false;
        let fresh = entry.semis.fresh();
        entry.semis.done = entry.semis.len() as u16;
        let [x, y] = entry.ends.map(usize::from);
        let spare = self.nodes.captured_by(x, y);
        let (mut common, none_yet) = (entry.full_common, entry.fulls.len() == 0);
        if !entry.semi_common.is_subset(&spare) || common.is_empty() || entry.semis.len() == 0 {
            return;
        }
        let semis = &self.table.semis[entry.semis.range()];
        self.agenda.found.clear();
        if none_yet {
            let full = small_union(semis, spare, |_| true);
            common &= full;
            self.agenda.found.push(full);
        }
        // A cell in all new semis brings nothing: those without it were asked before.
        let mut cells = common;
        if !none_yet {
            for semi in &self.table.semis[fresh] {
                cells &= semi.carrier;
            }
            cells = common - cells;
        }
        while let Some(cell) = cells.first() {
            cells.remove(cell);
            let spare = if spare.contains(cell) { CellSet::EMPTY } else { spare };
            let avoids = |semi: &Semi<W>| !semi.carrier.contains(cell);
            let mut avoiding = semis.iter().filter(|semi| avoids(semi));
            let Some(first) = avoiding.next() else { continue };
            let rest = avoiding.fold(first.carrier, |rest, semi| rest & semi.carrier);
            if rest.is_subset(&spare) {
                let full = small_union(semis, spare, avoids);
                cells &= full;
                self.agenda.found.push(full);
            }
        }
        for index in 0..self.agenda.found.len() {
            self.add_full(pair, self.agenda.found[index]);
        }
    }
}

/// The union of few and small semis with nothing in common but `spare`, chosen greedily; all that
/// qualify have nothing else in common together.
fn small_union<const W: usize>(
    semis: &[Semi<W>],
    spare: CellSet<W>,
    qualifies: impl Fn(&Semi<W>) -> bool,
) -> CellSet<W> {
    let candidates = || semis.iter().filter(|&semi| qualifies(semi));
    let Some(first) = candidates().min_by_key(|semi| semi.size()) else { return CellSet::EMPTY };
    let (mut union, mut common) = (first.carrier, first.carrier);
    while !common.is_subset(&spare) {
        let left = (common - spare).len();
        let cost = |semi: &Semi<W>| {
            let still = (common & (semi.carrier - spare)).len();
            (still < left).then(|| 2 * still + (semi.carrier - union).len())
        };
        let best = candidates().filter_map(|semi| Some((cost(semi)?, semi))).min_by_key(|c| c.0);
        let Some((_, semi)) = best else { break };
        union |= semi.carrier;
        common &= semi.carrier;
    }
    debug_assert!(common.is_subset(&spare), "the semis share a cell");
    if common.is_empty() { union } else { union | spare }
}
