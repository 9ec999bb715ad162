//! Evaluations that all searches of a process share, by what the evaluator sees.
//!
//! The cache is divided into shards, each with a lock of its own that is held for one look or one
//! entry and never while something is evaluated. A shard has two generations: when the younger one
//! has used half of the shard's bytes, it becomes the older one, and the older one is dropped. What is
//! found in the older one moves up. So the budget holds, and what is in use stays.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::Arc;

use kosumi_game::{Evaluation, Evaluator, Game};

use crate::sync::{AtomicU64, Mutex, Ordering};

/// Shards: enough that threads hardly ever meet.
#[cfg(not(loom))]
const SHARDS: usize = 64;
#[cfg(loom)]
const SHARDS: usize = 1;

/// Bytes that an entry takes besides its policy: the evaluation, its counts, the map's share.
const ENTRY_BYTES: u64 = 128;

/// Keys are hashes already.
#[derive(Default)]
struct Identity(u64);

impl std::hash::Hasher for Identity {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, _: &[u8]) {
        unreachable!("keys are numbers");
    }
    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

type Map = HashMap<u64, Arc<Evaluation>, BuildHasherDefault<Identity>>;

#[derive(Default)]
struct Generations {
    young: Map,
    old: Map,
    young_bytes: u64,
    old_bytes: u64,
}

/// Evaluations by key, within a number of bytes.
pub struct EvaluationCache {
    shards: Vec<Mutex<Generations>>,
    /// Bytes of one generation of one shard.
    generation_bytes: u64,
    hits: AtomicU64,
    misses: AtomicU64,
}

impl std::fmt::Debug for EvaluationCache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EvaluationCache").field("facts", &self.facts()).finish()
    }
}

/// What a cache holds and has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CacheFacts {
    /// Bytes in use, about.
    pub bytes: u64,
    /// Evaluations in it.
    pub entries: u64,
    /// Evaluations that were found in it.
    pub hits: u64,
    /// Evaluations that were not.
    pub misses: u64,
}

impl EvaluationCache {
    /// A cache of so many bytes; of 0 bytes it keeps nothing.
    #[must_use]
    pub fn new(bytes: u64) -> Self {
        Self {
            shards: (0..SHARDS).map(|_| Mutex::new(Generations::default())).collect(),
            generation_bytes: bytes / (2 * SHARDS as u64),
            hits: AtomicU64::new(0),
            misses: AtomicU64::new(0),
        }
    }

    fn with_shard<R>(&self, key: u64, work: impl FnOnce(&mut Generations) -> R) -> R {
        // The map uses the low and the highest bits.
        let shard = &self.shards[(key >> 40) as usize % SHARDS];
        let mut shard = shard.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        work(&mut shard)
    }

    /// The evaluation under a key.
    #[must_use]
    pub fn get(&self, key: u64) -> Option<Arc<Evaluation>> {
        let (found, dropped) = self.with_shard(key, |shard| {
            if let Some(found) = shard.young.get(&key) {
                return (Some(Arc::clone(found)), None);
            }
            let Some(found) = shard.old.remove(&key) else { return (None, None) };
            shard.old_bytes -= bytes_of(&found);
            let dropped = self.put(shard, key, Arc::clone(&found));
            (Some(found), dropped)
        });
        drop(dropped);
        let counter = if found.is_some() { &self.hits } else { &self.misses };
        counter.fetch_add(1, Ordering::Relaxed);
        found
    }

    /// Keeps an evaluation.
    pub fn insert(&self, key: u64, evaluation: Arc<Evaluation>) {
        if bytes_of(&evaluation) > self.generation_bytes {
            return;
        }
        // A whole generation takes long to free: not under the lock.
        let dropped = self.with_shard(key, |shard| self.put(shard, key, evaluation));
        drop(dropped);
    }

    /// Puts an entry into the younger generation; what is to be dropped for it.
    fn put(&self, shard: &mut Generations, key: u64, evaluation: Arc<Evaluation>) -> Option<Map> {
        let bytes = bytes_of(&evaluation);
        let mut dropped = None;
        if shard.young_bytes + bytes > self.generation_bytes {
            dropped = Some(std::mem::replace(&mut shard.old, std::mem::take(&mut shard.young)));
            shard.old_bytes = std::mem::take(&mut shard.young_bytes);
        }
        if shard.young.insert(key, evaluation).is_none() {
            shard.young_bytes += bytes;
        }
        dropped
    }

    /// What it holds and has done.
    #[must_use]
    pub fn facts(&self) -> CacheFacts {
        let mut facts = CacheFacts {
            hits: self.hits.load(Ordering::Relaxed),
            misses: self.misses.load(Ordering::Relaxed),
            ..CacheFacts::default()
        };
        for shard in &self.shards {
            let shard = shard.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            facts.bytes += shard.young_bytes + shard.old_bytes;
            facts.entries += (shard.young.len() + shard.old.len()) as u64;
        }
        facts
    }
}

fn bytes_of(evaluation: &Evaluation) -> u64 {
    ENTRY_BYTES + 4 * evaluation.policy.capacity() as u64
}

/// An evaluator that asks a cache first.
pub struct CachedEvaluator<G: Game> {
    evaluator: Arc<dyn Evaluator<G>>,
    cache: Arc<EvaluationCache>,
    /// Keeps evaluators that share a cache apart.
    salt: u64,
}

impl<G: Game> std::fmt::Debug for CachedEvaluator<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CachedEvaluator").field("cache", &self.cache).finish_non_exhaustive()
    }
}

impl<G: Game> CachedEvaluator<G> {
    /// `salt` differs between evaluators that use the same cache and do not agree; the hash of a net's
    /// file will do.
    #[must_use]
    pub fn new(evaluator: Arc<dyn Evaluator<G>>, cache: Arc<EvaluationCache>, salt: u64) -> Self {
        Self { evaluator, cache, salt: salt.wrapping_mul(0x9E37_79B9_7F4A_7C15) }
    }
}

impl<G: Game> Evaluator<G> for CachedEvaluator<G> {
    fn key(&self, position: &G) -> Option<u64> {
        self.evaluator.key(position).map(|key| key ^ self.salt)
    }

    fn evaluate(&self, positions: &[&G], evaluations: &mut Vec<Evaluation>) {
        let keys: Vec<u64> =
            positions.iter().map(|position| self.key(position).unwrap_or_default()).collect();
        let found: Vec<_> = keys.iter().map(|&key| self.cache.get(key)).collect();
        let missing: Vec<&G> = positions
            .iter()
            .zip(&found)
            .filter_map(|(&position, found)| found.is_none().then_some(position))
            .collect();
        let mut fresh = Vec::with_capacity(missing.len());
        if !missing.is_empty() {
            self.evaluator.evaluate(&missing, &mut fresh);
        }
        let mut fresh = fresh.into_iter();
        for (key, found) in keys.into_iter().zip(found) {
            let evaluation = found.unwrap_or_else(|| {
                let evaluation = Arc::new(fresh.next().unwrap_or_default());
                self.cache.insert(key, Arc::clone(&evaluation));
                evaluation
            });
            evaluations.push((*evaluation).clone());
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    fn evaluation(number: u64) -> Arc<Evaluation> {
        Arc::new(Evaluation { policy: vec![number as f32; 100], value_logit: number as f32 })
    }

    /// Keys as they are in use: spread over all bits.
    fn key(number: u64) -> u64 {
        kosumi_game::zobrist_key(1, 2, number)
    }

    #[test]
    fn the_budget_holds_and_what_is_in_use_stays() {
        let budget = 4 << 20;
        let cache = EvaluationCache::new(budget);
        for number in 0..100_000 {
            cache.insert(key(number), evaluation(number));
            assert!(number % 1000 != 0 || cache.facts().bytes <= budget);
            // Asked for again and again.
            assert_eq!(cache.get(key(0)), Some(evaluation(0)), "after {number}");
        }
        let facts = cache.facts();
        assert!(facts.bytes > budget / 3 && facts.entries > 2_000, "{facts:?}");
        assert_eq!(cache.get(key(5)), None, "an old entry is dropped");
        assert_eq!(cache.get(key(99_999)), Some(evaluation(99_999)));
    }

    #[test]
    fn a_cache_without_room_keeps_nothing() {
        let cache = EvaluationCache::new(0);
        cache.insert(1, evaluation(1));
        assert_eq!(cache.get(1), None);
        assert_eq!(cache.facts().misses, 1);
    }
}
