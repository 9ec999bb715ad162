//! Evaluators: batches, the shared cache, and what a search does with them.
#![cfg(not(loom))]

mod support;

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use kosumi_game::*;
use kosumi_search::*;
use support::*;

/// Evaluates by a hash of the position and notes what it was asked.
#[derive(Default)]
struct ByHash {
    batches: Mutex<Vec<usize>>,
    seen: Mutex<HashSet<u64>>,
    twice: AtomicUsize,
}

impl Evaluator<Artificial> for ByHash {
    fn evaluate(&self, positions: &[&Artificial], evaluations: &mut Vec<Evaluation>) {
        self.batches.lock().unwrap().push(positions.len());
        for position in positions {
            let hash = position.state_hash();
            if !self.seen.lock().unwrap().insert(hash) {
                self.twice.fetch_add(1, Ordering::Relaxed);
            }
            let mut rng = Rng::new(hash);
            let mut number = || rng.below(4000) as f32 / 1000.0 - 2.0;
            let policy = (0..position.width).map(|_| number()).collect();
            evaluations.push(Evaluation { policy, value_logit: number() });
        }
    }
}

fn params(threads: usize, batch: usize) -> SearchParams {
    SearchParams {
        threads,
        batch,
        mean: Mean::Plain,
        expand_at: 0,
        estimate_weight: 1.0,
        bias: Bias::Puct,
        bias_weight: 1.0,
        fpu: 0.0,
        fpu_by_parent: true,
        memory_mb: 16,
        early_stop: false,
        ..Default::default()
    }
}

struct Never;

impl Playout<Artificial> for Never {
    fn run(&mut self, _: &Artificial, _: &mut Rng, _: &mut Trace) -> Reward {
        panic!("nobody asked for a playout")
    }
}

fn search(
    params: SearchParams,
    evaluator: Arc<dyn Evaluator<Artificial>>,
) -> Search<Artificial, Never, NoKnowledge> {
    let game = Artificial::new(6, 20, 3);
    let mut search = Search::new(game, params, || Never, NoKnowledge).expect("good parameters");
    search.set_evaluator(Some(EvaluateAt { evaluator, visits: 0 }));
    search
}

#[test]
fn batches_are_full_and_no_simulation_is_lost() {
    for threads in [1, 3] {
        for batch in [1, 8] {
            let evaluator = Arc::new(ByHash::default());
            let mut search = search(params(threads, batch), evaluator.clone());
            let found = search.run(Limits::simulations(2_000));
            assert_eq!((found.visits, found.simulations), (2_000, 2_000));
            search.verify().expect("consistent");
            let batches = evaluator.batches.lock().unwrap();
            assert!(batches.iter().all(|&size| size <= batch));
            let full = batches.iter().filter(|&&size| size == batch).count();
            assert!(full * 2 > batches.len(), "{full} of {}: {threads}, {batch}", batches.len());
        }
    }
}

#[test]
fn with_one_thread_no_position_is_evaluated_twice() {
    let evaluator = Arc::new(ByHash::default());
    let mut search = search(params(1, 8), evaluator.clone());
    search.run(Limits::simulations(2_000));
    assert_eq!(evaluator.twice.load(Ordering::Relaxed), 0);
}

#[test]
fn a_cache_spares_evaluations_and_changes_nothing() {
    let plain = search(params(1, 4), Arc::new(ByHash::default())).run(Limits::simulations(1_000));
    let evaluator = Arc::new(ByHash::default());
    let cache = Arc::new(EvaluationCache::new(1 << 20));
    for _ in 0..2 {
        let cached = CachedEvaluator::new(evaluator.clone(), Arc::clone(&cache), 1);
        let found = search(params(1, 4), Arc::new(cached)).run(Limits::simulations(1_000));
        assert_eq!(found.moves, plain.moves);
    }
    assert_eq!(evaluator.twice.load(Ordering::Relaxed), 0, "the second search found all of it");
    assert!(cache.facts().hits > 900, "{:?}", cache.facts());
    // Another evaluator's entries are its own.
    let other = CachedEvaluator::new(evaluator.clone(), Arc::clone(&cache), 2);
    search(params(1, 4), Arc::new(other)).run(Limits::simulations(10));
    assert!(evaluator.twice.load(Ordering::Relaxed) > 0);
}

#[test]
fn the_values_of_nodes_reach_knowledge_below() {
    /// Level, value by the parent, sum of the priors.
    type Seen = (usize, Option<Value>, f32);
    struct Sees(Arc<Mutex<Vec<Seen>>>);
    impl Knowledge<Artificial> for Sees {
        type Worker = ();
        fn worker(&self) {}
        fn thresholds(&self) -> &[u64] {
            &[3]
        }
        fn assess(
            &self,
            (): &mut (),
            position: &Artificial,
            context: &Context<'_, Artificial>,
            _: &mut Verdict,
        ) {
            assert_eq!(context.line.iter().map(|mv| mv.0).collect::<Vec<_>>(), position.path);
            let total = context.priors.iter().sum();
            self.0.lock().unwrap().push((position.path.len(), context.parent_value, total));
        }
    }
    let seen = Arc::new(Mutex::new(Vec::new()));
    let game = Artificial::new(6, 20, 3);
    let knowledge = Sees(Arc::clone(&seen));
    let mut search = Search::new(game, params(1, 1), || Never, knowledge).expect("good parameters");
    let evaluator = Arc::new(ByHash::default());
    search.set_evaluator(Some(EvaluateAt { evaluator: evaluator.clone(), visits: 0 }));
    search.run(Limits::simulations(500));
    let mut root = Vec::new();
    evaluator.evaluate(&[&Artificial::new(6, 20, 3)], &mut root);
    let value = root[0].reward(Player::First).value_for(Player::Second).get();
    let seen = seen.lock().unwrap();
    assert!(seen.len() > 10);
    for &(level, parent, total) in seen.iter() {
        assert!((total - 1.0).abs() < 1e-5, "priors sum to {total}");
        match (level, parent) {
            (0, parent) => assert_eq!(parent, None),
            (1, Some(parent)) => assert!((parent.get() - value).abs() < 1e-4),
            (_, parent) => assert!(parent.is_some()),
        }
    }
}
