//! The search on artificial trees: what it keeps incrementally is what a walk recomputes.
#![cfg(not(loom))]

mod support;

use kosumi_game::params::{ParamValue, PerLevel};
use kosumi_game::*;
use kosumi_search::*;
use support::*;

fn rave(threads: usize) -> SearchParams {
    SearchParams { threads, exploration: 0.3, memory_mb: 64, ..Default::default() }
}

fn plain(exploration: f32) -> SearchParams {
    SearchParams {
        mean: Mean::Plain,
        exploration,
        expand_at: 1,
        early_stop: false,
        memory_mb: 64,
        ..Default::default()
    }
}

#[test]
fn threads_leave_a_consistent_tree() {
    type Change = fn(&mut SearchParams);
    let variants: [(&str, Change); 9] = [
        ("rave", |_| {}),
        ("expand at once", |p| p.expand_at = 1),
        ("expand at the first visit", |p| p.expand_at = 0),
        ("widening", |p| p.widening_mu = 1.8),
        ("shape", |p| p.shape_c1 = PerLevel::constant(0.3)),
        ("bias", |p| p.bias = Bias::Nomitan),
        ("fading rave", |p| p.rave_fade = 1.0),
        ("criticality", |p| p.criticality_weight = 0.5),
        ("no virtual loss", |p| p.virtual_loss = 0.0),
    ];
    for (name, change) in variants {
        for threads in [1, 2, 3, 8] {
            let mut params = rave(threads);
            params.early_stop = false;
            change(&mut params);
            let mut search = search(Artificial::new(9, 14, 5), params);
            for _ in 0..4 {
                let found = search.run(Limits::simulations(8_000));
                let facts = search.verify().unwrap_or_else(|e| panic!("{name}, {threads}: {e}"));
                assert!(facts.nodes > 1_000, "{name}: {facts:?}");
                assert_eq!(found.simulations, 8_000);
                search.advance(found.best().expect("moves"));
                search.verify().unwrap_or_else(|e| panic!("{name}, {threads}, advanced: {e}"));
            }
        }
    }
}

#[test]
fn proofs_are_those_of_full_search() {
    for salt in 0..40 {
        for threads in [1, 3] {
            let game = Artificial::new(4, 5, salt);
            let truth = game.minimax();
            let params = SearchParams { expand_at: 1, ..rave(threads) };
            let mut search = search(game.clone(), params);
            let found = search.run(Limits::simulations(200_000));
            search.verify().unwrap_or_else(|e| panic!("{salt}: {e}"));
            let proof = found.proof.unwrap_or_else(|| panic!("{salt}: not solved"));
            assert_eq!(proof.reward(), truth, "salt {salt}");
            // The move to play keeps the value.
            let mut next = game;
            next.play(found.best().expect("moves"));
            assert_eq!(next.minimax(), truth, "salt {salt}: the best move is not");
        }
    }
}

#[test]
fn equal_seeds_give_equal_trees() {
    let run = |seed| {
        let params = SearchParams { seed, ..rave(1) };
        let mut search = search(Artificial::new(8, 12, 1), params);
        let first = search.run(Limits::simulations(5_000));
        search.advance(first.best().expect("moves"));
        let second = search.run(Limits::simulations(5_000));
        (root_visits(&first), root_visits(&second), search.verify().expect("consistent"))
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}

#[test]
fn a_small_memory_is_recycled_and_the_search_goes_on() {
    for threads in [1, 3] {
        let params =
            SearchParams { threads, memory_mb: 1, expand_at: 1, early_stop: false, ..rave(1) };
        let mut search = search(Artificial::new(20, 60, 3), params);
        let mut depth = 0;
        for _ in 0..3 {
            let found = search.run(Limits::simulations(30_000));
            assert!(found.memory <= 1 << 20, "{}", found.memory);
            assert!(found.recycled > 10_000, "{}", found.recycled);
            assert_eq!(found.simulations, 30_000);
            search.verify().unwrap_or_else(|e| panic!("{threads} threads: {e}"));
            depth = depth.max(found.depth);
        }
        assert!(depth > 4, "the tree goes on growing: {depth}");
    }
}

#[test]
fn every_search_on_one_tree_may_recycle() {
    for threads in [1, 2] {
        let params =
            SearchParams { threads, memory_mb: 1, expand_at: 1, early_stop: false, ..rave(1) };
        let mut search = search(Artificial::new(20, 200, 3), params);
        let (mut recycled, mut searches) = (0, 0);
        for _ in 0..30 {
            let found = search.run(Limits::simulations(2_500));
            searches += u64::from(found.recycled > recycled);
            recycled = found.recycled;
            search.verify().unwrap_or_else(|e| panic!("{threads} threads: {e}"));
            search.advance(found.best().expect("moves"));
        }
        assert!(searches > 10, "{searches} searches recycled");
    }
}

#[test]
fn a_recycled_tree_keeps_its_root_statistics() {
    let params = SearchParams { memory_mb: 1, expand_at: 1, early_stop: false, ..rave(1) };
    let mut search = search(Artificial::new(20, 60, 3), params);
    let found = search.run(Limits::simulations(40_000));
    assert_eq!(found.visits, 40_000);
    assert_eq!(found.moves.iter().map(|m| m.visits).sum::<u64>() + 1, 40_000 + 1);
}

#[test]
fn width_counts_visited_children_only() {
    // Worked by hand: eleven simulations without exploration bonus differences visit the root's
    // ten children once each in order (urgency), and one a second time; with expansion at 100
    // nothing grows below, so depth is 2 and width the number of visited children, not of moves.
    let params = SearchParams { expand_at: 100, fpu: 10.0, ..plain(0.0) };
    let mut search = search(Artificial::new(20, 9, 3), params);
    let found = search.run(Limits::simulations(7));
    assert_eq!((found.depth, found.width), (2, 7));
    let visited: Vec<_> = root_visits(&found).into_iter().filter(|m| m.1 > 0).collect();
    assert_eq!(visited, (0..7).map(|mv| (mv, 1)).collect::<Vec<_>>());
}

#[test]
fn tsc2_builds_the_tree_of_tsc1() {
    // T3: with every child visited before any shape counts (infinite urgency), TSC2 with c2 and p
    // selects exactly as TSC1 with c1 = p * c2. Powers of two, so that no rounding differs.
    for (c2, p) in [(0.25, 2.0), (-0.125, 4.0), (0.5, 1.0)] {
        let tree = |c1: f32, c2: f32| {
            let params = SearchParams {
                fpu: 1e6,
                shape_c1: PerLevel::constant(c1),
                shape_c2: PerLevel::constant(c2),
                shape_p: p,
                ..plain(0.5)
            };
            let mut search = search(Artificial::new(6, 30, 11), params);
            let found = search.run(Limits::simulations(3_000));
            (root_visits(&found), found.depth, found.width)
        };
        assert_eq!(tree(p * c2, 0.0), tree(0.0, c2));
        assert_ne!(tree(p * c2, 0.0), tree(0.0, 0.0), "the term acts at all");
    }
}

#[test]
fn shape_constants_widen_and_deepen() {
    let shape = |c1: f32| {
        let params = SearchParams { shape_c1: PerLevel::constant(c1), fpu: 1e6, ..plain(0.4) };
        let mut search = search(Artificial::new(6, 40, 2), params);
        let found = search.run(Limits::simulations(4_000));
        (found.depth, found.width)
    };
    let (deep, usual, wide) = (shape(-0.5), shape(0.0), shape(0.5));
    assert!(deep.0 > usual.0, "{deep:?} {usual:?}");
    assert!(wide.0 <= usual.0, "{wide:?} {usual:?}");
}

#[test]
fn levels_act_on_their_own_level() {
    let found = |c1: &str| {
        let shape_c1 = PerLevel::parse(c1, None).expect("numbers");
        let mut search = search(Artificial::new(5, 20, 4), SearchParams { shape_c1, ..plain(0.5) });
        root_visits(&search.run(Limits::simulations(2_000)))
    };
    assert_eq!(found("0,0,0"), found("0"));
    assert_ne!(found("0.5,0"), found("0"));
    assert_ne!(found("0,0.5"), found("0"));
}

#[test]
fn widening_admits_by_visits() {
    // N6: after N = 100 visits with mu = 2, T = 1 + ln 100 / ln 2 = 7.6: seven moves at most.
    let params = SearchParams { widening_mu: 2.0, fpu: 1e6, ..plain(2.0) };
    let mut search = search(Artificial::new(50, 10, 9), params);
    let found = search.run(Limits::simulations(100));
    let visited = found.moves.iter().filter(|m| m.visits > 0).count();
    assert_eq!(visited, 7);
}

#[test]
fn a_decided_search_stops_early_and_changes_nothing() {
    let params = |early_stop| SearchParams { early_stop, ..rave(1) };
    let game = Artificial::new(3, 30, 8);
    let full = search(game.clone(), params(false)).run(Limits::simulations(20_000));
    let early = search(game, params(true)).run(Limits::simulations(20_000));
    assert!(early.simulations < full.simulations);
    assert_eq!(early.best(), full.best());
}

#[test]
fn an_unstable_search_is_extended_once() {
    let mut extended = 0;
    for salt in 0..30 {
        let params = SearchParams { extend_unstable: true, ..plain(1.0) };
        let found = search(Artificial::new(12, 30, salt), params).run(Limits::simulations(400));
        assert!([400, 600].contains(&found.simulations), "{}", found.simulations);
        extended += usize::from(found.simulations == 600);
    }
    assert!((1..30).contains(&extended), "{extended} of 30");
}

#[test]
fn a_running_search_can_be_watched_and_stopped() {
    let mut search = search(Artificial::new(20, 40, 1), SearchParams { memory_mb: 2, ..rave(2) });
    let handle = search.start(Limits::infinite());
    let mut last = 0;
    for _ in 0..200 {
        let seen = handle.snapshot().expect("its own root");
        assert!(seen.simulations >= last);
        last = seen.simulations;
        let view = handle.tree(3, 1).expect("its own root");
        assert!(view.children.iter().all(|child| child.visits <= view.visits + 2));
    }
    assert!(handle.is_running());
    handle.stop();
    handle.wait();
    assert!(!handle.is_running());
    search.verify().expect("consistent");
}

#[test]
fn watching_and_recycling_do_not_wait_for_each_other() {
    let params = SearchParams { memory_mb: 1, expand_at: 1, ..rave(2) };
    let mut search = search(Artificial::new(20, 60, 3), params);
    let handle = search.start(Limits::infinite());
    while handle.snapshot().expect("its own root").recycled < 50_000 {}
    search.verify().expect("consistent");
}

#[test]
fn a_panic_in_a_playout_reaches_the_caller() {
    struct Faulty;
    impl Playout<Artificial> for Faulty {
        fn run(&mut self, _: &Artificial, rng: &mut Rng, _: &mut Trace) -> Reward {
            assert!(rng.below(50) > 0, "a faulty playout");
            Reward::DRAW
        }
    }
    let params = rave(3);
    let game = Artificial::new(5, 30, 1);
    let mut search = Search::new(game, params, || Faulty, NoKnowledge).expect("good parameters");
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        search.run(Limits::simulations(100_000));
    }));
    assert!(caught.is_err());
}

#[test]
fn bad_parameters_are_refused() {
    let bad = |params| {
        Search::new(Artificial::new(2, 2, 1), params, || UniformPlayout::new(9), NoKnowledge).err()
    };
    let mu = bad(SearchParams { widening_mu: f64::NAN, ..rave(1) });
    assert!(matches!(mu, Some(SearchError::Widening(_))));
    assert_eq!(bad(rave(0)), Some(SearchError::NoThreads));
}
