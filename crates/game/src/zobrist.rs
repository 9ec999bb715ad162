//! Zobrist keys that never change: a pure function of what they stand for.

use crate::rng::splitmix64;

/// The key of feature `feature` (a stone colour, a side to move …) at place `place` in game `game`
/// (any fixed tag, so that games do not share keys). Never changes between versions: hashes built
/// from these keys may be stored in files.
#[must_use]
pub const fn zobrist_key(game: u64, feature: u64, place: u64) -> u64 {
    splitmix64(splitmix64(splitmix64(game) ^ feature) ^ place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn keys_differ() {
        let mut seen = HashSet::new();
        for game in 0..4 {
            for feature in 0..8 {
                for place in 0..1024 {
                    assert!(seen.insert(zobrist_key(game, feature, place)));
                }
            }
        }
    }
}
