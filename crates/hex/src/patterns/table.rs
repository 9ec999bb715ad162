//! The patterns that a model knows: from a key to its number.

use super::code::{Extent, PatternKey};
use crate::Colour;

/// A hash table of pattern keys, open addressing, asked some hundred times for every position.
#[derive(Clone, Debug)]
pub struct PatternTable {
    /// Key and number of each slot.
    slots: Vec<(u64, u32)>,
    /// How far a hash is shifted to its slot.
    shift: u32,
    /// The largest extent of its global and of its local patterns.
    extents: [Extent; 2],
}

/// The number in a free slot.
const FREE: u32 = u32::MAX;

impl PatternTable {
    /// A table of these keys, which get the numbers 0, 1, and so on. A key that comes twice has its
    /// first number.
    #[must_use]
    pub fn new(keys: &[PatternKey]) -> Self {
        let bits = (2 * keys.len()).next_power_of_two().trailing_zeros().max(1);
        let largest = |local: bool| {
            let of = keys.iter().filter(|key| key.last().is_some() == local);
            of.map(|key| key.extent()).max().unwrap_or(Extent::Six)
        };
        let extents = [largest(false), largest(true)];
        let mut this = Self { slots: vec![(0, FREE); 1 << bits], shift: 64 - bits, extents };
        for (number, key) in keys.iter().enumerate() {
            let slot = this.slot(key.bits());
            if this.slots[slot].1 == FREE {
                this.slots[slot] = (key.bits(), number as u32);
            }
        }
        this
    }

    /// The slot of a key, or the free one where it would be.
    #[inline]
    fn slot(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize;
        while self.slots[slot].1 != FREE && self.slots[slot].0 != key {
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// The number of a pattern, if it is known.
    #[inline]
    #[must_use]
    pub fn get(&self, key: PatternKey) -> Option<u32> {
        let (_, number) = self.slots[self.slot(key.bits())];
        (number != FREE).then_some(number)
    }

    /// The largest known pattern of a code; local if `last` is the place of the last move.
    #[inline]
    pub(crate) fn largest(&self, code: u64, colour: Colour, last: Option<usize>) -> Option<u32> {
        self.largest_within(Extent::Eighteen, code, colour, last)
    }

    /// As [`PatternTable::largest`], of no more cells than this.
    #[inline]
    pub(crate) fn largest_within(
        &self,
        most: Extent,
        code: u64,
        colour: Colour,
        last: Option<usize>,
    ) -> Option<u32> {
        let largest = self.extents[usize::from(last.is_some())].min(most);
        Extent::ALL[..=largest as usize]
            .iter()
            .rev()
            .filter(|extent| last.is_none_or(|last| last < extent.cells()))
            .find_map(|&extent| self.get(PatternKey::new(code, colour, extent, last)))
    }
}

#[cfg(test)]
mod tests {
    use kosumi_game::Rng;

    use super::*;

    #[test]
    fn what_is_put_in_is_found_and_nothing_else() {
        let mut rng = Rng::new(1);
        let mut random = |_| {
            let code = rng.next_u64() & rng.next_u64();
            PatternKey::new(code, Colour::Black, Extent::Eighteen, None)
        };
        let keys: Vec<PatternKey> = (0..5000).map(&mut random).collect();
        let others: Vec<PatternKey> = (0..5000).map(&mut random).collect();
        let table = PatternTable::new(&keys);
        for &key in keys.iter().chain(&others) {
            let first = keys.iter().position(|known| *known == key);
            assert_eq!(table.get(key), first.map(|number| number as u32));
        }
        assert_eq!(PatternTable::new(&[]).get(keys[0]), None);
    }

    #[test]
    fn the_largest_known_pattern_counts() {
        // An own stone on the right, another two steps to the left.
        let code = 1 | 1 << (2 * 15);
        let key = |extent, last| PatternKey::new(code, Colour::Black, extent, last);
        let all = Extent::ALL.map(|extent| key(extent, None));
        let largest =
            |keys: &[PatternKey]| PatternTable::new(keys).largest(code, Colour::Black, None);
        assert_eq!(largest(&all), Some(2));
        assert_eq!(largest(&all[..2]), Some(1));
        assert_eq!(largest(&[all[2], all[0]]), Some(0));
        assert_eq!(largest(&[]), None);
        // Local patterns apart: a bridge point is in none of six cells.
        let code = 2 << (2 * 7);
        let local = PatternKey::new(code, Colour::Black, Extent::Twelve, Some(7));
        let table = PatternTable::new(&[all[0], local]);
        assert_eq!(table.largest(code, Colour::Black, Some(7)), Some(1));
        assert_eq!(PatternTable::new(&all).largest(code, Colour::Black, Some(7)), None);
    }
}
