//! The memory of the search: what is proven so far, and the candidates of each position, in a
//! fixed number of bytes.

use kosumi_game::Move;

use crate::{Candidate, Numbers};

/// What is known of one position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) numbers: Numbers,
    /// How many positions were assessed below: what it would cost to lose the entry.
    pub(crate) work: u32,
    /// The move that wins, or was searched last.
    pub(crate) best: u16,
    /// Where its candidates are.
    pub(crate) list: ListAt,
}

/// Stands for no move.
pub(crate) const NO_MOVE: u16 = u16::MAX;

/// A place in [`Lists`], counted from the first word ever written, so that old ones can be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ListAt {
    start: u64,
    len: u16,
}

impl ListAt {
    pub(crate) const NONE: Self = Self { start: u64::MAX, len: 0 };
}

/// An entry as stored: half a cache line.
#[derive(Clone, Copy)]
struct Slot {
    key: u64,
    list: u64,
    phi: u32,
    delta: u32,
    /// 0 only in free slots.
    work: u32,
    best: u16,
    list_len: u16,
}
const _: () = assert!(size_of::<Slot>() == 32);

const FREE: Slot = Slot { key: 0, list: 0, phi: 0, delta: 0, work: 0, best: 0, list_len: 0 };

/// Slots in which a position may be.
const BUCKET: usize = 4;

/// Entries by key. A full bucket loses the entry that took least work.
pub(crate) struct Table {
    slots: Box<[Slot]>,
    used: usize,
}

impl Table {
    /// The largest table within so many bytes; at least one bucket.
    pub(crate) fn new(bytes: usize) -> Self {
        let buckets = (bytes / (BUCKET * size_of::<Slot>())).max(1);
        Self { slots: vec![FREE; buckets * BUCKET].into_boxed_slice(), used: 0 }
    }

    fn bucket(&self, key: u64) -> usize {
        let buckets = (self.slots.len() / BUCKET) as u128;
        // The high bits of the product are even over any number of buckets, not only powers of 2.
        ((u128::from(key) * buckets) >> 64) as usize * BUCKET
    }

    pub(crate) fn get(&self, key: u64) -> Option<Entry> {
        let start = self.bucket(key);
        let slots = &self.slots[start..start + BUCKET];
        let slot = slots.iter().find(|slot| slot.work != 0 && slot.key == key)?;
        Some(Entry {
            numbers: Numbers { phi: slot.phi, delta: slot.delta },
            work: slot.work,
            best: slot.best,
            list: ListAt { start: slot.list, len: slot.list_len },
        })
    }

    pub(crate) fn put(&mut self, key: u64, entry: Entry) {
        let start = self.bucket(key);
        let slots = &mut self.slots[start..start + BUCKET];
        let known = slots.iter().position(|slot| slot.work != 0 && slot.key == key);
        let place = known.unwrap_or_else(|| {
            (0..BUCKET).min_by_key(|&place| slots[place].work).unwrap_or_default()
        });
        self.used += usize::from(slots[place].work == 0);
        slots[place] = Slot {
            key,
            list: entry.list.start,
            phi: entry.numbers.phi,
            delta: entry.numbers.delta,
            work: entry.work.max(1),
            best: entry.best,
            list_len: entry.list.len,
        };
    }

    /// The used part, 0 to 1.
    pub(crate) fn fullness(&self) -> f64 {
        self.used as f64 / self.slots.len() as f64
    }

    pub(crate) fn clear(&mut self) {
        self.slots.fill(FREE);
        self.used = 0;
    }
}

/// Candidates of positions, one list behind the other in a ring: when it is full, the oldest lists
/// are written over and their positions must be assessed again.
///
/// An assessment costs far more than a search step, and depth-first search comes back to a position
/// again and again.
pub(crate) struct Lists {
    ring: Box<[u32]>,
    /// Words ever written, and skipped at the end of the ring.
    written: u64,
}

impl Lists {
    pub(crate) fn new(bytes: usize) -> Self {
        Self { ring: vec![0; bytes / size_of::<u32>()].into_boxed_slice(), written: 0 }
    }

    /// Writes a list; one that does not fit is not kept.
    pub(crate) fn put<M: Move>(&mut self, list: &[Candidate<M>]) -> ListAt {
        let (ring_len, len) = (self.ring.len() as u64, list.len() as u64);
        if len > ring_len || len > u64::from(u16::MAX) {
            return ListAt::NONE;
        }
        if len == 0 {
            return ListAt { start: self.written, len: 0 };
        }
        let room = ring_len - self.written % ring_len;
        if room < len {
            self.written += room;
        }
        let start = self.written;
        let place = (start % ring_len) as usize;
        for (word, candidate) in self.ring[place..].iter_mut().zip(list) {
            *word = (candidate.mv.index() as u32) << 16
                | u32::from(candidate.phi) << 8
                | u32::from(candidate.delta);
        }
        self.written += len;
        ListAt { start, len: list.len() as u16 }
    }

    /// Reads a list into `out`; false if it was written over.
    pub(crate) fn get<M: Move>(&self, at: ListAt, out: &mut Vec<Candidate<M>>) -> bool {
        let ring_len = self.ring.len() as u64;
        if at == ListAt::NONE || at.len == 0 || self.written - at.start > ring_len {
            return false;
        }
        let place = (at.start % ring_len) as usize;
        out.extend(self.ring[place..place + usize::from(at.len)].iter().map(|word| Candidate {
            mv: M::from_index((word >> 16) as usize),
            phi: (word >> 8) as u8,
            delta: *word as u8,
        }));
        true
    }

    pub(crate) fn clear(&mut self) {
        // Places handed out before stay in the past.
        self.written += self.ring.len() as u64 + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(work: u32) -> Entry {
        Entry { numbers: Numbers { phi: work, delta: 7 }, work, best: NO_MOVE, list: ListAt::NONE }
    }

    #[test]
    fn a_full_bucket_loses_what_took_least_work() {
        let mut table = Table::new(1);
        for work in [5, 3, 9, 4] {
            table.put(u64::from(work), entry(work));
        }
        assert_eq!(table.fullness(), 1.0);
        table.put(100, entry(1));
        let kept = |table: &Table| [5, 3, 9, 4, 100].map(|key| table.get(key).is_some());
        assert_eq!(kept(&table), [true, false, true, true, true]);
        // The newest stays even if it took less work than all others: it is being searched.
        table.put(3, entry(3));
        assert_eq!(kept(&table), [true, true, true, true, false]);
        table.put(9, entry(10));
        assert_eq!(table.get(9).map(|entry| entry.numbers.phi), Some(10));
        table.clear();
        assert_eq!(kept(&table), [false; 5]);
    }

    #[test]
    fn old_lists_are_lost_and_new_ones_kept() {
        let mut lists = Lists::new(40);
        let list = |first: u16, len: u16| -> Vec<Candidate<u16>> {
            (first..first + len).map(|mv| Candidate { mv, phi: 2, delta: 200 }).collect()
        };
        let mut read = Vec::new();
        let first = lists.put(&list(10, 4));
        let second = lists.put(&list(20, 4));
        for (at, content) in [(first, list(10, 4)), (second, list(20, 4))] {
            read.clear();
            assert!(lists.get(at, &mut read));
            assert_eq!(read, content);
        }
        // Two words are left; the next list begins at the front, over the first.
        let third = lists.put(&list(30, 3));
        read.clear();
        assert!(!lists.get(first, &mut read) && read.is_empty());
        assert!(lists.get(second, &mut read) && lists.get(third, &mut read));
        assert_eq!(read, [list(20, 4), list(30, 3)].concat());
        assert_eq!(lists.put(&list(0, 11)), ListAt::NONE);
        lists.clear();
        assert!(!lists.get(third, &mut read));
    }
}
