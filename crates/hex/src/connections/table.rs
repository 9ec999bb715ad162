//! The connections of one colour, by pairs of ends, in flat pools: nothing is allocated for a
//! connection once the pools have grown.

use crate::CellSet;

/// A connection that needs one more stone: `key` first, and then all of the carrier is enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Semi<const W: usize> {
    /// The empty cells that it needs, the key among them.
    pub carrier: CellSet<W>,
    /// The cell of the first stone.
    pub key: u16,
    size: u16,
}

impl<const W: usize> Semi<W> {
    pub(super) fn new(carrier: CellSet<W>, key: usize) -> Self {
        Self { carrier, key: key as u16, size: carrier.len() as u16 }
    }

    /// How many cells the carrier has.
    #[inline]
    #[must_use]
    pub fn size(&self) -> usize {
        usize::from(self.size)
    }
}

/// A list in a pool; the first `done` items have been combined with the rest of the table.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct List {
    start: u32,
    len: u16,
    capacity: u16,
    pub done: u16,
}

impl List {
    #[inline]
    pub fn len(self) -> usize {
        usize::from(self.len)
    }

    #[inline]
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.start as usize + self.len()
    }

    #[inline]
    pub fn done(self) -> std::ops::Range<usize> {
        self.start as usize..self.start as usize + usize::from(self.done)
    }

    #[inline]
    pub fn fresh(self) -> std::ops::Range<usize> {
        self.start as usize + usize::from(self.done)..self.range().end
    }

    /// Appends to the list, which moves to the end of the pool when it outgrows its place.
    #[inline]
    pub fn push<T: Copy>(&mut self, pool: &mut Vec<T>, item: T) {
        if self.len == self.capacity {
            self.capacity = (self.capacity * 2).max(4);
            let range = self.range();
            self.start = pool.len() as u32;
            pool.extend_from_within(range);
            pool.resize(self.start as usize + usize::from(self.capacity), item);
        }
        pool[self.range().end] = item;
        self.len += 1;
    }

    /// Keeps the items that `keep` wants, in their order.
    #[inline]
    pub fn retain<T: Copy>(&mut self, pool: &mut [T], mut keep: impl FnMut(&T) -> bool) {
        let start = self.start as usize;
        let (mut len, mut done) = (0, 0);
        for index in 0..self.len() {
            let item = pool[start + index];
            if keep(&item) {
                pool[start + len] = item;
                len += 1;
                done += u16::from(index < usize::from(self.done));
            }
        }
        self.len = len as u16;
        self.done = done;
    }
}

/// The connections between two ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair<const W: usize> {
    pub ends: [u16; 2],
    pub fulls: List,
    pub semis: List,
    /// What all fulls have in common; all cells if there is no full.
    pub full_common: CellSet<W>,
    /// What all semis have in common; all cells if there is no semi.
    pub semi_common: CellSet<W>,
    /// Whether the pair waits for the or-rule.
    pub waiting: bool,
}

/// All pairs of ends that have a connection.
#[derive(Clone, Debug, Default)]
pub(super) struct Table<const W: usize> {
    /// The number of cells and sides.
    nodes: usize,
    /// The number of a pair plus one, by its ends in either order; 0 if there is none.
    index: Vec<u32>,
    pub pairs: Vec<Pair<W>>,
    pub fulls: Vec<CellSet<W>>,
    pub semis: Vec<Semi<W>>,
    /// For each end the cells it has a full connection with.
    pub near: Vec<CellSet<W>>,
    /// For each end the cells to which a further connection would be of no use, for the fulls
    /// have nothing in common already.
    pub settled: Vec<CellSet<W>>,
    all: CellSet<W>,
}

impl<const W: usize> Table<W> {
    /// No connections, on a board of so many cells.
    pub fn clear(&mut self, cells: usize) {
        self.nodes = cells + 2;
        self.index.clear();
        self.index.resize(self.nodes * self.nodes, 0);
        self.pairs.clear();
        self.fulls.clear();
        self.semis.clear();
        self.near.clear();
        self.near.resize(self.nodes, CellSet::EMPTY);
        self.settled.clear();
        self.settled.resize(self.nodes, CellSet::EMPTY);
        self.all = (0..cells).collect();
    }

    /// Bytes that all lists take.
    pub fn bytes(&self) -> usize {
        self.index.capacity() * size_of::<u32>()
            + self.pairs.capacity() * size_of::<Pair<W>>()
            + self.semis.capacity() * size_of::<Semi<W>>()
            + (self.fulls.capacity() + self.near.capacity() + self.settled.capacity())
                * size_of::<CellSet<W>>()
    }

    /// The pair of two ends.
    #[inline]
    pub fn find(&self, x: usize, y: usize) -> Option<usize> {
        (self.index[x * self.nodes + y] as usize).checked_sub(1)
    }

    /// The pair of two ends, made if it does not exist.
    #[inline]
    pub fn pair(&mut self, x: usize, y: usize) -> usize {
        if let Some(pair) = self.find(x, y) {
            return pair;
        }
        self.pairs.push(Pair {
            ends: [x as u16, y as u16],
            fulls: List::default(),
            semis: List::default(),
            full_common: self.all,
            semi_common: self.all,
            waiting: false,
        });
        let number = self.pairs.len() as u32;
        self.index[x * self.nodes + y] = number;
        self.index[y * self.nodes + x] = number;
        number as usize - 1
    }

    /// The fulls between two ends.
    pub fn fulls(&self, x: usize, y: usize) -> &[CellSet<W>] {
        self.find(x, y).map_or(&[], |pair| &self.fulls[self.pairs[pair].fulls.range()])
    }

    /// The semis between two ends.
    pub fn semis(&self, x: usize, y: usize) -> &[Semi<W>] {
        self.find(x, y).map_or(&[], |pair| &self.semis[self.pairs[pair].semis.range()])
    }

    /// Adds a full if it shrinks what the fulls of the pair have in common, and says whether it
    /// did. Fulls and semis that are of no more use leave.
    #[inline]
    pub fn add_full(&mut self, pair: usize, carrier: CellSet<W>) -> bool {
        let entry = &mut self.pairs[pair];
        if entry.full_common.is_subset(&carrier) && entry.fulls.len() > 0 {
            return false;
        }
        entry.fulls.retain(&mut self.fulls, |full| !carrier.is_subset(full));
        self.keep_full(pair, carrier);
        let entry = &mut self.pairs[pair];
        let common = entry.full_common;
        let before = entry.semis.len();
        entry.semis.retain(&mut self.semis, |semi| !common.is_subset(&semi.carrier));
        if entry.semis.len() < before {
            let semis = &self.semis[entry.semis.range()];
            entry.semi_common = semis.iter().fold(self.all, |common, semi| common & semi.carrier);
        }
        true
    }

    /// Appends a full that is known to be of use.
    #[inline]
    pub fn keep_full(&mut self, pair: usize, carrier: CellSet<W>) {
        let cells = self.nodes - 2;
        let entry = &mut self.pairs[pair];
        entry.fulls.push(&mut self.fulls, carrier);
        entry.full_common &= carrier;
        let settled = entry.full_common.is_empty();
        let [x, y] = entry.ends.map(usize::from);
        for (a, b) in [(x, y), (y, x)] {
            if b < cells {
                self.near[a].insert(b);
                if settled {
                    self.settled[a].insert(b);
                }
            }
        }
    }

    /// Adds a semi unless a smaller one or the fulls make it useless: any full that came of it
    /// would hold all that the fulls have in common. Says whether it was added.
    #[inline]
    pub fn add_semi(&mut self, pair: usize, carrier: CellSet<W>, key: usize, limit: usize) -> bool {
        let entry = &mut self.pairs[pair];
        if entry.full_common.is_subset(&carrier) && entry.fulls.len() > 0 {
            return false;
        }
        let shrinks = !entry.semi_common.is_subset(&carrier) || entry.semis.len() == 0;
        let mut larger = false;
        for semi in &self.semis[entry.semis.range()] {
            if semi.carrier.is_subset(&carrier) {
                return false;
            }
            larger |= carrier.is_subset(&semi.carrier);
        }
        if larger {
            entry.semis.retain(&mut self.semis, |semi| !carrier.is_subset(&semi.carrier));
        } else if !shrinks && entry.semis.len() >= limit {
            return false;
        }
        self.keep_semi(pair, Semi::new(carrier, key));
        true
    }

    /// Appends a semi that is known to be of use.
    #[inline]
    pub fn keep_semi(&mut self, pair: usize, semi: Semi<W>) {
        let entry = &mut self.pairs[pair];
        entry.semis.push(&mut self.semis, semi);
        entry.semi_common &= semi.carrier;
    }

    /// Marks a full as combined; `false` if it has left the table or was combined before.
    pub fn finish_full(&mut self, pair: usize, carrier: &CellSet<W>) -> bool {
        let list = &mut self.pairs[pair].fulls;
        let fresh = list.fresh();
        let Some(at) = self.fulls[fresh.clone()].iter().position(|full| full == carrier) else {
            return false;
        };
        self.fulls.swap(fresh.start, fresh.start + at);
        list.done += 1;
        true
    }
}
