//! The player of Hex that searches by alpha-beta (preset `wolve`), as clients meet it.

mod common;

use common::{options, talk};
use kosumi_engine::{Colour, Engine, EngineOptions, GameKind, Goal, Limits, presets};

fn wolve(size: usize, positions: u64) -> EngineOptions {
    let mut options = options(GameKind::Hex);
    options.preset = Some("wolve".to_string());
    options.size = Some(size);
    options.simulations = Some(positions);
    options
}

fn engine(size: usize, positions: u64) -> Engine {
    Engine::new(&wolve(size, positions)).unwrap()
}

#[test]
fn whole_games_are_played_over_gtp() {
    for size in [5, 6, 7] {
        let mut lines = vec!["kosumi-param play.resign 0"];
        lines.extend(["genmove b", "genmove w"].repeat(size * size / 2 + 1));
        lines.push("final_score");
        let answers = talk(engine(size, 60), &lines);
        let is_over = |answer: &&String| answer.starts_with("? the game is over");
        let over = answers.iter().filter(is_over).count();
        assert!(over > 0 && over < answers.len() - size, "{answers:?}");
        let moves = &answers[1..answers.len() - 1 - over];
        assert!(moves.iter().all(|answer| answer.starts_with("= ")), "{answers:?}");
        let score = answers.last().unwrap();
        assert!(score.starts_with("= B+") || score.starts_with("= W+"), "{score}");
    }
}

#[test]
fn equal_games_are_played_and_positions_are_counted() {
    let play = || {
        let mut engine = engine(7, 50);
        for _ in 0..6 {
            let decision = engine.genmove(engine.to_move()).unwrap();
            assert!(decision.analysis.simulations <= 50);
        }
        engine.moves()
    };
    assert_eq!(play(), play());
}

#[test]
fn the_usual_commands_answer() {
    let answers = talk(
        engine(7, 40),
        &[
            "kosumi-param rules.swap false",
            "clear_board",
            "time_settings 20 0 0",
            "genmove b",
            "kosumi-info",
            "kosumi-gfx",
            "undo",
            "reg_genmove b",
            "kosumi-tree 1",
            "kosumi-verify",
            "kosumi-param alphabeta.depth 1",
            "genmove b",
            "kosumi-param search.kind tree",
            "genmove w",
            "kosumi-verify",
        ],
    );
    for (place, answer) in answers.iter().enumerate() {
        assert_eq!(answer.starts_with('='), place != 9, "{answers:?}");
    }
    assert!(answers[4].contains("\"simulations\":"), "{}", answers[4]);
    assert!(answers[8].contains("\"children\":[{"), "{}", answers[8]);
    assert_eq!(answers[9], "? this player searches by alpha-beta: it keeps no tree to verify");
    assert!(answers[14].starts_with("= nodes "), "{}", answers[14]);
}

#[test]
fn an_analysis_goes_on_until_it_is_stopped() {
    let mut engine = engine(5, 40);
    engine.play(Colour::Black, "c3").unwrap();
    // White has lost, and there is nothing to search; nobody asked to be left alone.
    let thinking = engine.start(Colour::White, Limits::infinite()).unwrap();
    while thinking.analysis().unwrap().moves.is_empty() {
        std::thread::yield_now();
    }
    assert!(thinking.is_running());
    thinking.stop();
    thinking.wait();
    engine.halt().unwrap();
    assert!(!thinking.is_running());
    let analysis = thinking.analysis().unwrap();
    assert_eq!(analysis.best().unwrap().mv, "swap-pieces");
    assert_eq!(analysis.outlook(), 1.0);
}

#[test]
fn a_win_is_proven_and_what_is_lost_is_resigned() {
    let mut options = wolve(7, 500);
    options.set.push(("play.resign_from".to_string(), "0".to_string()));
    options.set.push(("play.resign_moves".to_string(), "1".to_string()));
    let mut engine = Engine::new(&options).unwrap();
    let black = ["d2", "c4", "b6"].map(|p| (Colour::Black, p.to_string()));
    let white = ["g5", "g6", "g7"].map(|p| (Colour::White, p.to_string()));
    engine.set_up(&[&black[..], &white[..]].concat(), Colour::White).unwrap();
    let mut pending = engine.begin(Colour::White, Goal::Win).unwrap();
    assert!(engine.decide(&mut pending).unwrap().resigns());
    // The winner plays it out, whatever comes.
    for mv in ["d1", "d3", "b5", "a7"] {
        engine.play(Colour::White, mv).unwrap();
        let decision = engine.genmove(Colour::Black).unwrap();
        assert_eq!(decision.analysis.outlook(), 1.0, "{mv}");
    }
    assert_eq!(engine.result().unwrap().to_string(), "B+");
}

#[test]
fn only_hex_has_it() {
    for game in [GameKind::Go, GameKind::Havannah] {
        assert!(!presets::names(game).contains(&"wolve"));
    }
}
