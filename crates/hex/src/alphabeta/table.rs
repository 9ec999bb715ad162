//! The transposition table: what was found out about positions, in a fixed number of bytes.

use super::score::Score;

/// What a search tells about a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    Exact,
    /// The score is this or more.
    Lower,
    /// The score is this or less.
    Upper,
}

/// What is known of one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// By the circuit alone.
    pub still: Score,
    /// By a search of this depth.
    pub score: Score,
    pub bound: Bound,
    pub depth: u8,
    /// The best move, if one was searched.
    pub best: Option<u16>,
}

/// The depth of what is certain: no search is deeper.
pub(super) const CERTAIN: u8 = u8::MAX;

/// Key, scores, and the rest. Zero throughout if free, so that a new table takes no memory until
/// it is written to.
type Slot = [u64; 3];

const NO_MOVE: u16 = u16::MAX;
/// Marks a slot as used.
const USED: u64 = 1 << 32;

fn packed(entry: Entry) -> [u64; 2] {
    let scores = u64::from(entry.still.to_bits()) << 32 | u64::from(entry.score.to_bits());
    let bound = match entry.bound {
        Bound::Exact => 0u64,
        Bound::Lower => 1,
        Bound::Upper => 2,
    };
    let best = u64::from(entry.best.unwrap_or(NO_MOVE));
    [scores, USED | bound << 24 | u64::from(entry.depth) << 16 | best]
}

fn depth_of(slot: &Slot) -> u8 {
    (slot[2] >> 16) as u8
}

fn unpacked([_, scores, rest]: &Slot) -> Entry {
    let best = *rest as u16;
    Entry {
        still: Score::from_bits((scores >> 32) as u32),
        score: Score::from_bits(*scores as u32),
        bound: match rest >> 24 & 3 {
            0 => Bound::Exact,
            1 => Bound::Lower,
            _ => Bound::Upper,
        },
        depth: (rest >> 16) as u8,
        best: (best != NO_MOVE).then_some(best),
    }
}

/// Slots in which a position may be.
const BUCKET: usize = 4;

/// Entries by key. A full bucket loses the entry of least depth.
#[derive(Debug)]
pub(super) struct Table {
    slots: Box<[Slot]>,
    used: usize,
}

impl Table {
    /// The largest table within so many bytes, and within what the system has to promise. One of 0
    /// bytes remembers nothing.
    pub(super) fn new(bytes: usize) -> Self {
        let mut buckets = bytes / (BUCKET * size_of::<Slot>());
        while Vec::<Slot>::new().try_reserve_exact(buckets * BUCKET).is_err() {
            buckets /= 2;
        }
        Self { slots: vec![[0; 3]; buckets * BUCKET].into_boxed_slice(), used: 0 }
    }

    fn bucket(&self, key: u64) -> std::ops::Range<usize> {
        let buckets = (self.slots.len() / BUCKET) as u128;
        // The high bits of the product are even over any number of buckets, not only powers of 2.
        let start = ((u128::from(key) * buckets) >> 64) as usize * BUCKET;
        start..self.slots.len().min(start + BUCKET)
    }

    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        let slots = &self.slots[self.bucket(key)];
        slots.iter().find(|slot| slot[0] == key && slot[2] & USED != 0).map(unpacked)
    }

    pub(super) fn put(&mut self, key: u64, entry: Entry) {
        let range = self.bucket(key);
        let slots = &mut self.slots[range];
        let known = slots.iter().position(|slot| slot[0] == key && slot[2] & USED != 0);
        let free = || slots.iter().position(|slot| slot[2] & USED == 0);
        let least = || (0..slots.len()).min_by_key(|&place| depth_of(&slots[place]));
        let Some(place) = known.or_else(free).or_else(least) else { return };
        self.used += usize::from(slots[place][2] & USED == 0);
        let [scores, rest] = packed(entry);
        slots[place] = [key, scores, rest];
    }

    /// Bytes in use.
    pub(super) fn memory(&self) -> u64 {
        (self.used * size_of::<Slot>()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: u8, best: Option<u16>) -> Entry {
        Entry {
            still: Score::of_circuit(-1.5),
            score: Score::LOST,
            bound: Bound::Upper,
            depth,
            best,
        }
    }

    #[test]
    fn entries_come_back_and_the_shallowest_goes() {
        // One bucket.
        let mut table = Table::new(100);
        for (key, depth) in [(1, 3), (2, 1), (3, CERTAIN), (0, 2)] {
            table.put(key, entry(depth, Some(360)));
        }
        assert_eq!(table.get(3), Some(entry(CERTAIN, Some(360))));
        assert_eq!(table.get(0).unwrap().depth, 2);
        table.put(5, entry(0, None));
        assert_eq!((table.get(2), table.get(5)), (None, Some(entry(0, None))));
        let lower = Entry { bound: Bound::Lower, score: Score::WON, ..entry(7, Some(0)) };
        table.put(1, lower);
        assert_eq!(table.get(1), Some(lower));
        assert_eq!(table.memory(), 96);
    }

    #[test]
    fn nothing_fits_into_no_bytes() {
        let mut table = Table::new(0);
        table.put(7, entry(1, None));
        assert_eq!((table.get(7), table.memory()), (None, 0));
    }
}
