//! What the engines of one process share: memory, and evaluations that any of them has made.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use kosumi_game::{Evaluator, Game};
use kosumi_search::{CacheFacts, CachedEvaluator, EvaluationCache};

use crate::error::EngineError;

const MEGABYTE: u64 = 1 << 20;

/// The part of all memory that is for evaluations, and its limit.
const CACHE_PART: u64 = 8;
const CACHE_MOST: u64 = 256 * MEGABYTE;

/// The memory of any number of engines in one process, and the cache of evaluations that they share.
///
/// Every engine reserves its `search.memory` when it is made, and what grows in it stays within: the
/// tree, the connection engines of its threads, the solver's table. The cache has a part of its own.
/// What does not grow is not counted: the program and learned weights, which are in memory once.
#[derive(Debug)]
pub struct Resources {
    bytes: u64,
    /// Made for one engine, which takes everything.
    private: bool,
    reserved: AtomicU64,
    cache: OnceLock<Arc<EvaluationCache>>,
}

impl Resources {
    /// For engines that use so many megabytes together.
    #[must_use]
    pub fn new(megabytes: u64) -> Arc<Self> {
        Self::with(megabytes, false)
    }

    /// For one engine that uses so many.
    pub(crate) fn private(megabytes: u64) -> Arc<Self> {
        Self::with(megabytes, true)
    }

    fn with(megabytes: u64, private: bool) -> Arc<Self> {
        let bytes = megabytes.saturating_mul(MEGABYTE);
        Arc::new(Self { bytes, private, reserved: AtomicU64::new(0), cache: OnceLock::new() })
    }

    /// Bytes that are reserved by engines now.
    #[must_use]
    pub fn reserved(&self) -> u64 {
        self.reserved.load(Ordering::Relaxed)
    }

    /// What the cache of evaluations holds and has done; `None` if no engine evaluates.
    #[must_use]
    pub fn cache(&self) -> Option<CacheFacts> {
        self.cache.get().map(|cache| cache.facts())
    }

    pub(crate) fn is_private(&self) -> bool {
        self.private
    }

    /// Bytes for evaluations.
    fn cache_bytes(&self) -> u64 {
        (self.bytes / CACHE_PART).min(CACHE_MOST)
    }

    /// An evaluator that asks the shared cache first. `salt` keeps evaluators apart that do not agree.
    pub(crate) fn cached<G: Game>(
        &self,
        evaluator: Arc<dyn Evaluator<G>>,
        salt: u64,
    ) -> Arc<dyn Evaluator<G>> {
        let cache = self.cache.get_or_init(|| Arc::new(EvaluationCache::new(self.cache_bytes())));
        Arc::new(CachedEvaluator::new(evaluator, Arc::clone(cache), salt))
    }

    /// Takes a part of the memory for an engine, for as long as the reservation lives. `evaluates`:
    /// whether the engine uses the cache.
    pub(crate) fn reserve(
        self: &Arc<Self>,
        megabytes: usize,
        evaluates: bool,
    ) -> Result<Reservation, EngineError> {
        if self.private {
            let bytes = self.bytes - if evaluates { self.cache_bytes() } else { 0 };
            self.reserved.fetch_add(bytes, Ordering::Relaxed);
            return Ok(Reservation { resources: Arc::clone(self), bytes });
        }
        let bytes = megabytes as u64 * MEGABYTE;
        let room = self.bytes - self.cache_bytes();
        let taken = self.reserved.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |reserved| {
            reserved.checked_add(bytes).filter(|&all| all <= room)
        });
        match taken {
            Ok(_) => Ok(Reservation { resources: Arc::clone(self), bytes }),
            Err(reserved) => Err(EngineError::NoMemoryLeft {
                asked: megabytes as u64,
                left: (room - reserved) / MEGABYTE,
                total: self.bytes / MEGABYTE,
            }),
        }
    }
}

/// The memory of one engine; given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Reservation {
    resources: Arc<Resources>,
    bytes: u64,
}

impl Reservation {
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Gives everything back early.
    pub(crate) fn give_back(&mut self) {
        self.resources.reserved.fetch_sub(std::mem::take(&mut self.bytes), Ordering::Relaxed);
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.give_back();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_given_than_there_is() {
        let resources = Resources::new(800);
        // An eighth is for evaluations.
        let one = resources.reserve(400, true).unwrap();
        let error = resources.reserve(400, true).unwrap_err().to_string();
        assert!(error.contains("400") && error.contains("300") && error.contains("800"), "{error}");
        let _other = resources.reserve(300, false).unwrap();
        drop(one);
        assert_eq!(resources.reserved(), 300 * MEGABYTE);
        assert!(resources.reserve(400, true).is_ok());
    }

    #[test]
    fn a_single_engine_has_everything() {
        let resources = Resources::private(80);
        assert_eq!(resources.reserve(5, false).unwrap().bytes(), 80 * MEGABYTE);
        assert_eq!(resources.reserve(5, true).unwrap().bytes(), 70 * MEGABYTE);
    }
}
