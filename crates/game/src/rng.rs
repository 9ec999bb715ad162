//! The generator of random numbers whose streams never change between versions or machines.
//!
//! xoroshiro128++ (Blackman & Vigna 2019) in the tree rather than from a crate: a signature of a
//! search is worth something only while the stream behind it is ours to keep.

/// A small, fast generator. Equal seeds give equal streams, everywhere and for ever.
#[derive(Clone, Debug)]
pub struct Rng {
    s0: u64,
    s1: u64,
}

/// One step of splitmix64: spreads close seeds over all 64 bits.
#[inline]
pub(crate) const fn splitmix64(state: u64) -> u64 {
    let mut z = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Rng {
    /// The stream of a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self::stream(seed, 0)
    }

    /// Stream number `index` of a seed: simulation `i` of a search draws from stream `i`, so the
    /// result does not depend on which thread runs it.
    #[inline]
    #[must_use]
    pub const fn stream(seed: u64, index: u64) -> Self {
        let a = splitmix64(seed ^ splitmix64(index));
        let b = splitmix64(a ^ seed);
        // The all-zero state is the only bad one.
        Self { s0: a, s1: b | 1 }
    }

    /// 64 random bits.
    #[inline]
    pub const fn next_u64(&mut self) -> u64 {
        let (s0, mut s1) = (self.s0, self.s1);
        let result = s0.wrapping_add(s1).rotate_left(17).wrapping_add(s0);
        s1 ^= s0;
        self.s0 = s0.rotate_left(49) ^ s1 ^ (s1 << 21);
        self.s1 = s1.rotate_left(28);
        result
    }

    /// 32 random bits.
    #[inline]
    pub const fn next_u32(&mut self) -> u32 {
        (self.next_u64() >> 32) as u32
    }

    /// A number below `bound` (0 if `bound` is 0). The bias of at most `bound / 2^32` is far below
    /// anything a playout could notice.
    #[inline]
    pub const fn below(&mut self, bound: u32) -> u32 {
        ((self.next_u32() as u64 * bound as u64) >> 32) as u32
    }

    /// True with probability `numerator / 2^16`; integers, so that no rounding can differ.
    #[inline]
    pub const fn chance_in_65536(&mut self, numerator: u32) -> bool {
        (self.next_u64() >> 48) < numerator as u64
    }

    /// Puts a slice into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u32 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_streams_never_change() {
        // Frozen: a change here changes every signature and every recorded game.
        let mut rng = Rng::new(1);
        let first: Vec<u64> = (0..3).map(|_| rng.next_u64()).collect();
        assert_eq!(first, FROZEN);
        let mut other = Rng::stream(1, 1);
        assert_ne!(first[0], other.next_u64());
    }
    const FROZEN: [u64; 3] = [2824230144801329951, 7501660975458429641, 18189995897976787648];

    #[test]
    fn below_covers_its_range_evenly() {
        let mut rng = Rng::new(7);
        let mut seen = [0u32; 10];
        for _ in 0..100_000 {
            seen[rng.below(10) as usize] += 1;
        }
        // 10,000 each, standard deviation 95.
        assert!(seen.iter().all(|&n| (9_500..10_500).contains(&n)), "{seen:?}");
        assert_eq!(rng.below(0), 0);
    }

    #[test]
    fn a_chance_of_a_quarter_is_a_quarter() {
        let mut rng = Rng::new(3);
        let hits = (0..100_000).filter(|_| rng.chance_in_65536(16_384)).count();
        assert!((24_000..26_000).contains(&hits), "{hits}");
    }

    #[test]
    fn shuffle_keeps_every_item() {
        let mut items: Vec<u32> = (0..50).collect();
        Rng::new(5).shuffle(&mut items);
        assert_ne!(items, (0..50).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..50).collect::<Vec<_>>());
    }
}
