//! The solver beside a search of Hex (H14): its proofs are the search's at once.

mod common;

use common::options;
use kosumi_engine::solve::{HexProblem, SolveOptions};
use kosumi_engine::{Analysis, Colour, Decision, Engine, GameKind, Proven};
use std::sync::atomic::AtomicBool;

const SIMULATIONS: u64 = 192;

/// A player of plain playouts on 6x6 without swap, so that the search alone knows little.
fn player(solver: &str, threads: &str) -> Engine {
    let mut options = options(GameKind::Hex);
    options.preset = Some("light".to_owned());
    let mut engine = Engine::new(&options).unwrap();
    engine.set_size(6).unwrap();
    for (key, value) in [
        ("rules.swap", "false"),
        ("play.resign", "0"),
        ("search.threads", threads),
        ("solver.run", solver),
        ("solver.pace", "20000"),
        ("solver.memory", "8"),
        ("think.simulations", &SIMULATIONS.to_string()),
    ] {
        engine.set_param(key, value).unwrap();
    }
    engine.clear().unwrap();
    engine
}

fn winner(moves: &[&str]) -> Option<Colour> {
    let stop = AtomicBool::new(false);
    let options =
        SolveOptions { memory_mb: 8, threads: 1, seconds: None, stop: &stop, proof: false };
    let problem = HexProblem::from_moves(6, moves.iter().copied()).unwrap();
    problem.solve(&options, &mut |_| ()).unwrap().winner
}

/// First moves after which White, to move, wins: after a2 with d3 alone.
const LOSING: [&str; 4] = ["a1", "c1", "e1", "a2"];

#[test]
fn what_the_search_misjudges_is_won_at_once() {
    let mut misjudged = 0;
    for first in LOSING {
        let answer = |solver: &str| {
            let mut engine = player(solver, "1");
            engine.play(Colour::Black, first).unwrap();
            let decision = engine.genmove(Colour::White).unwrap();
            engine.verify().unwrap();
            decision
        };
        let alone = answer("off");
        misjudged += usize::from(winner(&[first, &alone.mv]) != Some(Colour::White));
        let decision = answer("between");
        assert_eq!(decision.analysis.proven, Some(Proven::Win), "after {first}");
        assert_eq!(winner(&[first, &decision.mv]), Some(Colour::White), "after {first}");
        assert!(decision.analysis.simulations < SIMULATIONS, "the search ends with the proof");
        let again = answer("between");
        let told = |decision: &Decision| {
            let Analysis { visits, value, .. } = decision.analysis;
            (decision.mv.clone(), visits, value)
        };
        assert_eq!(told(&again), told(&decision), "one thread and fixed work: the same again");
    }
    assert!(misjudged > 0, "the search alone finds all of them: take harder ones");
}

#[test]
fn a_thread_of_its_own_and_several_threads_do_the_same() {
    for (solver, threads) in [("beside", "1"), ("beside", "2"), ("between", "3")] {
        let mut engine = player(solver, threads);
        engine.set_param("think.simulations", "100000000").unwrap();
        engine.set_param("search.memory", "16").unwrap();
        engine.play(Colour::Black, "a2").unwrap();
        // Without the proof this would go on for hours.
        let decision = engine.genmove(Colour::White).unwrap();
        assert_eq!(decision.analysis.proven, Some(Proven::Win), "{solver}, {threads}");
        assert_eq!(winner(&["a2", &decision.mv]), Some(Colour::White));
        engine.verify().unwrap();
    }
}
