//! What has been found out about positions, by hash, in a bounded number of them.

use rustc_hash::FxHashMap;

/// Two generations: when the young one is full it grows old, and what was old and not asked for since is
/// forgotten. Who asks for it goes on as if nobody had looked.
#[derive(Debug)]
pub(crate) struct Memories<V> {
    young: FxHashMap<u64, V>,
    old: FxHashMap<u64, V>,
    /// Of each generation.
    most: usize,
}

impl<V: Clone> Memories<V> {
    /// Of at most twice so many positions.
    pub(crate) fn new(most: usize) -> Self {
        Self { young: FxHashMap::default(), old: FxHashMap::default(), most }
    }

    pub(crate) fn insert(&mut self, hash: u64, memory: V) {
        if self.young.len() >= self.most {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(hash, memory);
    }

    /// What is known, without making it young.
    pub(crate) fn peek(&self, hash: u64) -> Option<V> {
        self.young.get(&hash).or_else(|| self.old.get(&hash)).cloned()
    }

    pub(crate) fn get(&mut self, hash: u64) -> Option<V> {
        if let Some(memory) = self.young.get(&hash) {
            return Some(memory.clone());
        }
        let memory = self.old.get(&hash)?.clone();
        self.insert(hash, memory.clone());
        Some(memory)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_is_not_forgotten() {
        let mut memories = Memories::new(1000);
        memories.insert(0, "asked for");
        memories.insert(1, "not");
        for hash in 2..3000 {
            memories.insert(hash, "another");
            if hash % 100 == 0 {
                assert_eq!(memories.get(0), Some("asked for"));
            }
        }
        assert_eq!(memories.peek(1), None);
        assert!(memories.young.len() + memories.old.len() <= 2000);
    }
}
