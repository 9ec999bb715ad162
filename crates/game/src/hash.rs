//! A hash of anything that can be hashed, for games without incremental keys.

use std::hash::{Hash, Hasher};

use crate::zobrist_key;

/// A hash of anything that can be hashed, the same on every machine and in every version: enough for
/// [`crate::Game::position_hash`] where no keys need be kept up to date.
#[must_use]
pub fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = Fnv(0xcbf2_9ce4_8422_2325);
    value.hash(&mut hasher);
    // FNV-1a leaves its last bytes in the low bits.
    zobrist_key(0, 0, hasher.finish())
}

struct Fnv(u64);

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }

    fn write_usize(&mut self, number: usize) {
        self.write(&(number as u64).to_le_bytes());
    }

    fn write_u64(&mut self, number: u64) {
        self.write(&number.to_le_bytes());
    }

    fn write_u32(&mut self, number: u32) {
        self.write(&number.to_le_bytes());
    }

    fn write_u16(&mut self, number: u16) {
        self.write(&number.to_le_bytes());
    }

    fn write_isize(&mut self, number: isize) {
        self.write(&(number as i64).to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_the_same_on_every_machine() {
        // FNV-1a of the bytes 01 00 00 00 00 00 00 00 is 89cd31291d2aefa4.
        assert_eq!(hash_of(&1u64), zobrist_key(0, 0, 0x89cd_3129_1d2a_efa4));
        assert_ne!(hash_of(&(1u64, 2u64)), hash_of(&(2u64, 1u64)));
    }
}
