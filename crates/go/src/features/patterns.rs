//! The patterns that a model knows: from the key of a pattern to its number.

/// A hash table of pattern keys, open addressing; as small as lookups by the thousand per position
/// want it, which the standard one is not.
#[derive(Clone, Debug, Default)]
pub struct PatternTable {
    /// Key and number of each slot.
    slots: Vec<(u32, u32)>,
    len: usize,
    /// How far a key is shifted to its slot.
    shift: u32,
}

/// The number in a free slot.
const FREE: u32 = u32::MAX;

impl PatternTable {
    /// A table of these keys, which get the numbers 0, 1, and so on. A key that comes twice has its
    /// first number.
    #[must_use]
    pub fn new(keys: &[u32]) -> Self {
        let bits = (2 * keys.len()).next_power_of_two().trailing_zeros().max(1);
        let slots = vec![(0, FREE); 1 << bits];
        let mut this = Self { slots, len: keys.len(), shift: 32 - bits };
        for (number, &key) in keys.iter().enumerate() {
            let slot = this.slot(key);
            if this.slots[slot].1 == FREE {
                this.slots[slot] = (key, number as u32);
            }
        }
        this
    }

    /// How many numbers there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no patterns.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The slot of a key, or the free one where it would be.
    #[inline]
    fn slot(&self, key: u32) -> usize {
        let mask = self.slots.len() - 1;
        // Keys are hashes already: their upper bits will do.
        let mut slot = (key >> self.shift) as usize & mask;
        while self.slots[slot].1 != FREE && self.slots[slot].0 != key {
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// The number of a pattern, if it is known.
    #[inline]
    #[must_use]
    pub fn get(&self, key: u32) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let (_, number) = self.slots[self.slot(key)];
        (number != FREE).then_some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kosumi_game::Rng;

    #[test]
    fn what_is_put_in_is_found_and_nothing_else() {
        assert_eq!(PatternTable::default().get(7), None);
        assert_eq!(PatternTable::new(&[]).get(7), None);
        let mut rng = Rng::new(1);
        let keys: Vec<u32> = (0..5000).map(|_| rng.next_u32() & !1).collect();
        let table = PatternTable::new(&keys);
        for (number, &key) in keys.iter().enumerate() {
            let first = keys.iter().position(|k| *k == key).unwrap();
            assert_eq!(table.get(key), Some(first as u32), "{number}");
            assert_eq!(table.get(key | 1), None);
        }
    }

    #[test]
    fn neighbours_at_the_end_wrap_around() {
        let keys = [u32::MAX, u32::MAX - 1, u32::MAX - 2, 0];
        let table = PatternTable::new(&keys);
        assert_eq!(keys.map(|key| table.get(key)), [Some(0), Some(1), Some(2), Some(3)]);
        assert_eq!(table.get(5), None);
    }
}
