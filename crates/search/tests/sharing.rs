//! What searches tell each other, and what a handle says of a search that goes on.
#![cfg(not(loom))]

mod support;

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use kosumi_game::*;
use kosumi_search::*;
use proptest::prelude::*;
use support::*;

fn params(seed: u64, threads: usize) -> SearchParams {
    SearchParams {
        seed,
        threads,
        memory_mb: 4,
        early_stop: false,
        expand_at: 1,
        ..Default::default()
    }
}

fn game() -> Artificial {
    Artificial::new(4, 12, 5)
}

fn mean(trees: u32) -> Weight {
    Weight::Mean(NonZeroU32::new(trees).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    /// Trees that tell each other all they find, in any order and any portions: in the end each has
    /// every simulation of all, exactly, and its own counts and random streams are untouched.
    #[test]
    fn sums_add_up_exactly(
        portions in prop::collection::vec((0usize..3, 1u64..60, 0usize..5, any::<bool>()), 1..12),
    ) {
        let mut searches: Vec<_> = (0..3).map(|seed| search(game(), params(seed, 1))).collect();
        let mut own = [0u64; 3];
        let mut waiting: [Vec<TreeDelta>; 3] = Default::default();
        let tell = |from: usize, depth: usize, searches: &mut [ArtificialSearch],
                    waiting: &mut [Vec<TreeDelta>; 3]| {
            let handle = searches[from].start(Limits::simulations(0));
            handle.wait();
            let delta = handle.take_delta(|path, _| path.len() <= depth).unwrap();
            for to in (0..3).filter(|&to| to != from) {
                waiting[to].push(delta.clone());
            }
        };
        let hear = |to: usize, make: bool, searches: &mut [ArtificialSearch],
                    waiting: &mut [Vec<TreeDelta>; 3]| {
            let handle = searches[to].start(Limits::simulations(0));
            handle.wait();
            let absent = if make { Absent::Make } else { Absent::LeaveOut };
            for delta in waiting[to].drain(..) {
                handle.merge(&delta, Weight::Sum, absent).unwrap();
            }
        };
        for (who, simulations, depth, make) in portions {
            let found = searches[who].run(Limits::simulations(simulations));
            own[who] += found.simulations;
            prop_assert!(found.simulations == simulations || found.proof.is_some());
            tell(who, depth, &mut searches, &mut waiting);
            if make {
                hear((who + 1) % 3, depth % 2 == 0, &mut searches, &mut waiting);
            }
        }
        for who in 0..3 {
            tell(who, 3, &mut searches, &mut waiting);
        }
        let mut roots = Vec::new();
        for who in 0..3 {
            hear(who, true, &mut searches, &mut waiting);
            searches[who].verify().unwrap();
            let found = searches[who].run(Limits::simulations(0));
            prop_assert_eq!(found.visits, own.iter().sum::<u64>());
            roots.push(found.value);
        }
        prop_assert_eq!(roots[0], roots[1]);
        prop_assert_eq!(roots[0], roots[2]);
    }

    /// Means: what counts here, and what is carried, is what was told, divided.
    #[test]
    fn means_carry_what_a_division_leaves(
        portions in prop::collection::vec((1u64..50, any::<bool>()), 1..10),
        trees in 1u32..7,
    ) {
        let mut teller = search(game(), params(1, 1));
        let mut hearer = search(game(), params(2, 1));
        let mut told = 0;
        for (simulations, make) in portions {
            told += teller.run(Limits::simulations(simulations)).simulations;
            let delta = teller.start(Limits::simulations(0)).take_delta(|p, _| p.len() < 3).unwrap();
            let absent = if make { Absent::Make } else { Absent::LeaveOut };
            let handle = hearer.start(Limits::simulations(0));
            handle.wait();
            handle.merge(&delta, mean(trees), absent).unwrap();
            hearer.verify().unwrap();
            let found = handle.snapshot().unwrap();
            prop_assert_eq!(found.visits, told / u64::from(trees));
            prop_assert_eq!(found.simulations, 0);
        }
    }
}

#[test]
fn what_is_merged_changes_neither_limits_nor_streams() {
    // A foreign tree of visits without influence: at the root alone, where nothing is selected by it.
    let mut other = search(game(), params(9, 1));
    other.run(Limits::simulations(500));
    let delta = other.start(Limits::simulations(0)).take_delta(|_, _| false).unwrap();
    assert_eq!((delta.nodes.len(), delta.nodes[0].visits), (1, 500));
    let run = |merge: bool| {
        // Plain means without exploration do not depend on the visits of the parent.
        let params = SearchParams { mean: Mean::Plain, exploration: 0.0, ..params(1, 1) };
        let mut search = search(game(), params);
        search.run(Limits::simulations(100));
        if merge {
            let handle = search.start(Limits::simulations(0));
            handle.wait();
            handle.merge(&delta, Weight::Sum, Absent::Make).unwrap();
        }
        let found = search.run(Limits::simulations(300));
        assert_eq!(found.simulations, 300);
        (found.visits, root_visits(&found))
    };
    let ((visits, alone), (merged, same)) = (run(false), run(true));
    assert_eq!((visits, merged), (400, 900));
    assert_eq!(alone, same);
}

#[test]
fn a_simulation_is_told_once_through_reuse_and_recycling() {
    let mut search =
        search(Artificial::new(20, 60, 3), SearchParams { memory_mb: 1, ..params(1, 2) });
    let mut told = 0;
    for _ in 0..3 {
        let handle = search.start(Limits::simulations(60_000));
        while handle.is_running() {
            told += visits_of(
                &handle.take_delta(|path, visits| path.len() < 4 && visits > 100).unwrap(),
            );
        }
        told += visits_of(&handle.take_delta(|path, _| path.len() < 2).unwrap());
        assert_eq!(told, handle.snapshot().unwrap().visits, "all of the root is told, each once");
        assert!(handle.snapshot().unwrap().recycled > 0, "nothing was recycled");
        let best = handle.snapshot().unwrap().best().unwrap();
        // What was told of the child stays told when it becomes the root.
        search.advance(best);
        let handle = search.start(Limits::simulations(0));
        handle.wait();
        let rest = visits_of(&handle.take_delta(|_, _| true).unwrap());
        assert_eq!(rest, 0, "told again");
        told = handle.snapshot().unwrap().visits;
    }
}

fn visits_of(delta: &TreeDelta) -> u64 {
    delta.nodes.first().map_or(0, |root| root.visits)
}

#[test]
fn searches_that_share_while_they_run_stay_consistent() {
    let mut searches = [1, 2].map(|seed| search(Artificial::new(6, 20, 3), params(seed, 2)));
    let handles = searches.each_mut().map(|search| search.start(Limits::simulations(40_000)));
    while handles.iter().any(SearchHandle::is_running) {
        for (from, to) in [(0, 1), (1, 0)] {
            let delta =
                handles[from].take_delta(|path, visits| path.len() < 4 && visits > 50).unwrap();
            handles[to].merge(&delta, Weight::Sum, Absent::Make).unwrap();
        }
    }
    for (from, to) in [(0, 1), (1, 0)] {
        let delta = handles[from].take_delta(|_, _| false).unwrap();
        handles[to].merge(&delta, Weight::Sum, Absent::Make).unwrap();
    }
    for (search, handle) in searches.iter_mut().zip(&handles) {
        let found = handle.snapshot().unwrap();
        assert_eq!((found.visits, found.simulations), (80_000, 40_000));
        search.verify().expect("consistent");
    }
}

#[test]
fn a_delta_that_makes_no_sense_is_refused_whole() {
    let mut search = search(game(), params(1, 1));
    let before = search.run(Limits::simulations(100)).visits;
    let handle = search.start(Limits::simulations(0));
    handle.wait();
    let root = handle.take_delta(|_, _| false).unwrap().root;
    let node = |parent, mv, visits| NodeDelta { parent, mv, visits, sum_for_first: 0 };
    let bad = [
        vec![node(0, 0, 5), node(0, 9, 2)],
        vec![node(0, 0, 5), node(0, 1, 2), node(0, 1, 2)],
        vec![node(0, 0, 5), node(3, 1, 2)],
        vec![node(0, 0, u64::MAX)],
        vec![NodeDelta { sum_for_first: u64::MAX, ..node(0, 0, 1) }],
    ];
    for nodes in bad {
        let result =
            handle.merge(&TreeDelta { root, nodes: nodes.clone() }, Weight::Sum, Absent::Make);
        assert!(matches!(result, Err(MergeError::Node(_))), "{nodes:?}");
    }
    let other = TreeDelta { root: root ^ 1, nodes: vec![node(0, 0, 1)] };
    let result = handle.merge(&other, Weight::Sum, Absent::Make);
    assert!(matches!(result, Err(MergeError::OtherRoot { .. })));
    assert_eq!(handle.snapshot().unwrap().visits, before);
}

#[test]
fn a_handle_says_when_the_search_has_moved_on() {
    let mut search = search(game(), params(1, 1));
    let handle = search.start(Limits::simulations(200));
    handle.wait();
    let best = handle.snapshot().unwrap().best().unwrap();
    search.advance(best);
    assert_eq!(handle.snapshot(), Err(Outdated));
    assert!(handle.tree(2, 1).is_err() && handle.take_delta(|_, _| true).is_err());
    let nothing = TreeDelta::default();
    let merged = handle.merge(&nothing, Weight::Sum, Absent::Make);
    assert_eq!(merged, Err(MergeError::Outdated(Outdated)));
    let handle = search.start(Limits::simulations(10));
    search.set_position(game());
    assert_eq!(handle.snapshot(), Err(Outdated));
}

#[test]
fn waiting_has_a_limit_and_an_end() {
    let mut search = search(Artificial::new(20, 40, 1), params(1, 1));
    let handle = search.start(Limits::infinite());
    assert!(!handle.wait_for(Duration::from_millis(5)));
    let (sender, ended) = mpsc::channel();
    let calls = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&calls);
    handle.at_end(move || {
        counted.fetch_add(1, Ordering::Relaxed);
        sender.send(()).unwrap();
    });
    let seen: Vec<u64> =
        handle.snapshots(Duration::from_millis(2)).take(5).map(|found| found.visits).collect();
    assert!(seen.is_sorted() && seen.len() == 5, "{seen:?}");
    assert!(ended.try_recv().is_err());
    handle.stop();
    ended.recv_timeout(Duration::from_secs(20)).expect("told of the end");
    assert!(handle.wait_for(Duration::from_secs(20)));
    let last: Vec<_> = handle.snapshots(Duration::from_secs(20)).collect();
    assert_eq!(last.len(), 1);
    let counted = Arc::clone(&calls);
    handle.at_end(move || {
        counted.fetch_add(1, Ordering::Relaxed);
    });
    assert_eq!(calls.load(Ordering::Relaxed), 2, "at once, for it has ended");
}

#[test]
fn restrictions_hold_near_the_root_and_not_below() {
    for threads in [1, 3] {
        let params = SearchParams { mean: Mean::Plain, exploration: 1.0, ..params(1, threads) };
        let mut search = search(Artificial::new(6, 20, 3), params);
        search.run(Limits::simulations(500));
        let avoid = |player, moves: &[usize], only, until| Restriction {
            player,
            moves: moves.iter().map(|&mv| Pick(mv)).collect(),
            only,
            until,
        };
        let mut options = StartOptions::default();
        options.restrictions =
            vec![avoid(Player::First, &[1, 4], true, 1), avoid(Player::Second, &[2], false, 2)];
        let before = search.run(Limits::simulations(0));
        let handle = search.start_with(Limits::simulations(2_000), &options).unwrap();
        handle.wait();
        let found = handle.snapshot().unwrap();
        let mut listed: Vec<usize> = found.moves.iter().map(|mv| mv.mv.0).collect();
        listed.sort_unstable();
        assert_eq!(listed, [1, 4]);
        let tree = handle.tree(3, 0).unwrap();
        let visits = |view: &TreeView<Pick>, mv: usize| {
            view.children.iter().find(|child| child.mv == Some(Pick(mv))).map_or(0, |c| c.visits)
        };
        for (mv, visits_before) in root_visits(&before) {
            let gained = visits(&tree, mv) - visits_before;
            assert_eq!(gained > 0, [1, 4].contains(&mv), "move {mv}");
        }
        search.verify().expect("consistent");
        options.restrictions = vec![avoid(Player::First, &[0, 1, 2, 3, 4, 5], false, 1)];
        let refused = search.start_with(Limits::simulations(1), &options);
        assert_eq!(refused.err(), Some(SearchError::NothingAllowed));
    }
}

#[test]
fn noise_at_the_root_changes_games_and_equal_seeds_do_not() {
    let run = |noise, seed| {
        let params = SearchParams {
            noise,
            bias: Bias::Puct,
            bias_weight: 2.0,
            mean: Mean::Plain,
            ..params(seed, 1)
        };
        root_visits(&search(Artificial::new(12, 30, 6), params).run(Limits::simulations(300)))
    };
    assert_eq!(run(0.5, 3), run(0.5, 3));
    assert_ne!(run(0.5, 3), run(0.0, 3));
}
