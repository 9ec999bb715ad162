//! Earlier positions, for superko: a shared immutable prefix and a short tail.
//!
//! A search clones its root once and copies that clone into each simulation with `clone_from`:
//! the clone folds all history into the shared prefix, so a simulation copies nothing and appends
//! only its own moves to memory it already has.

use std::sync::Arc;

/// Hashes of earlier positions.
#[derive(Debug)]
pub(crate) struct History {
    /// Sorted.
    prefix: Arc<[u64]>,
    tail: Vec<u64>,
    /// The most stones any earlier position had: one with more cannot be a repetition.
    peak: usize,
}

impl History {
    pub(crate) fn new() -> Self {
        Self { prefix: Arc::new([]), tail: Vec::new(), peak: 0 }
    }

    /// Remembers a position with that many stones.
    #[inline]
    pub(crate) fn push(&mut self, hash: u64, stones: usize) {
        self.tail.push(hash);
        self.peak = self.peak.max(stones);
    }

    /// Whether a position with that many stones was there before.
    #[inline]
    pub(crate) fn contains(&self, hash: impl FnOnce() -> u64, stones: usize) -> bool {
        if stones > self.peak {
            return false;
        }
        let hash = hash();
        self.tail.contains(&hash) || self.prefix.binary_search(&hash).is_ok()
    }
}

impl Clone for History {
    fn clone(&self) -> Self {
        let prefix = if self.tail.is_empty() {
            Arc::clone(&self.prefix)
        } else {
            let mut all: Vec<u64> = self.prefix.iter().chain(&self.tail).copied().collect();
            all.sort_unstable();
            all.dedup();
            all.into()
        };
        Self { prefix, tail: Vec::new(), peak: self.peak }
    }

    fn clone_from(&mut self, source: &Self) {
        // Counting references would bounce a cache line between threads at every simulation.
        if !Arc::ptr_eq(&self.prefix, &source.prefix) {
            self.prefix = Arc::clone(&source.prefix);
        }
        self.tail.clear();
        self.tail.extend_from_slice(&source.tail);
        self.peak = source.peak;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_remember_what_the_original_saw() {
        let mut history = History::new();
        history.push(7, 3);
        history.push(5, 4);
        let root = history.clone();
        assert!(root.tail.is_empty());
        let mut simulation = root.clone();
        assert!(Arc::ptr_eq(&simulation.prefix, &root.prefix));
        simulation.push(9, 5);
        for hash in [5, 7, 9] {
            assert!(simulation.contains(|| hash, 4), "{hash}");
        }
        assert!(!simulation.contains(|| 8, 4));
        assert!(!simulation.contains(|| 5, 6), "six stones were never there");
        simulation.clone_from(&root);
        assert!(!simulation.contains(|| 9, 4));
    }
}
