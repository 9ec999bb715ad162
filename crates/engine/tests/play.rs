//! Games from beginning to end, taken back, timed, loaded.

mod common;

use common::{engine, options};
use kosumi_engine::{
    Colour, Engine, EngineParams, GameKind, GameResult, Goal, TimeControl, presets,
};
use proptest::prelude::*;

/// All that can be seen of a position.
fn view(engine: &Engine) -> (String, Vec<String>, Colour, Option<GameResult>) {
    (engine.show(), engine.legal_moves(), engine.to_move(), engine.result())
}

#[test]
fn every_game_is_played_to_its_end() {
    for game in GameKind::ALL {
        let mut engine = engine(game);
        engine.set_param("play.resign", "0").unwrap();
        let mut moves = 0;
        while engine.result().is_none() {
            let decision = engine.genmove(engine.to_move()).unwrap();
            assert!(!decision.resigns());
            moves += 1;
            assert!(moves < 600, "{game:?} does not end:\n{}", engine.show());
        }
        assert!(engine.final_score().is_some());
        let record = engine.record().unwrap();
        assert_eq!(record.moves().count(), moves);
        // The record leads to the same position.
        let before = view(&engine);
        engine.load(&record, None).unwrap();
        assert_eq!(view(&engine), before);
    }
}

#[test]
fn equal_seeds_play_equal_games() {
    for game in GameKind::ALL {
        let play = || {
            let mut engine = engine(game);
            for _ in 0..8 {
                engine.genmove(engine.to_move()).unwrap();
            }
            engine.moves()
        };
        assert_eq!(play(), play());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Superko makes the legal moves of Go depend on all that happened before.
    #[test]
    fn undo_is_exact(choices in prop::collection::vec(any::<u16>(), 1..120)) {
        for game in GameKind::ALL {
            let mut options = options(game);
            options.size = Some(3);
            let mut engine = Engine::new(&options).unwrap();
            let mut seen = Vec::new();
            for &choice in &choices {
                let legal = engine.legal_moves();
                if legal.is_empty() {
                    break;
                }
                seen.push(view(&engine));
                // Passing is dull: take it only if nothing else is left.
                let fun = legal.len() - usize::from(game == GameKind::Go && legal.len() > 1);
                let mv = &legal[usize::from(choice) % fun];
                engine.play(engine.to_move(), mv).unwrap();
            }
            while let Some(before) = seen.pop() {
                engine.undo().unwrap();
                prop_assert_eq!(view(&engine), before);
            }
            prop_assert!(engine.undo().is_err());
        }
    }
}

#[test]
fn komi_set_in_the_middle_survives_an_undo() {
    let mut engine = engine(GameKind::Go);
    engine.play(Colour::Black, "D4").unwrap();
    engine.set_komi("0.5").unwrap();
    engine.undo().unwrap();
    for (colour, mv) in [(Colour::Black, "A1"), (Colour::White, "pass"), (Colour::Black, "pass")] {
        engine.play(colour, mv).unwrap();
    }
    assert_eq!(engine.result().unwrap().to_string(), "B+48.5");
}

#[test]
fn a_search_keeps_its_tree_across_moves() {
    let mut engine = engine(GameKind::Hex);
    engine.set_param("think.simulations", "500").unwrap();
    engine.set_param("rules.swap", "false").unwrap();
    // On this small board an analysis finds a win that needs no search.
    engine.set_param("knowledge.analysis_at", "0").unwrap();
    engine.clear().unwrap();
    engine.genmove(Colour::Black).unwrap();
    let decision = engine.genmove(Colour::White).unwrap();
    assert!(decision.analysis.visits > decision.analysis.simulations);
    engine.set_param("tree.reuse", "false").unwrap();
    engine.genmove(Colour::Black).unwrap();
    let decision = engine.genmove(Colour::White).unwrap();
    assert_eq!(decision.analysis.visits, decision.analysis.simulations);
}

#[test]
fn clocks_give_less_than_is_left() {
    let mut engine = engine(GameKind::Go);
    engine.set_time_control(Some(TimeControl::Absolute { main: 10.0 }));
    let seconds =
        |engine: &Engine, colour| engine.limits(colour).time.unwrap().maximum.as_secs_f64();
    assert!(seconds(&engine, Colour::Black) < 10.0);
    engine.set_time_left(Colour::Black, 0.2, 0);
    assert!(seconds(&engine, Colour::Black) < 0.2);
    assert!(seconds(&engine, Colour::White) > 0.2, "each has a clock of one's own");
    // Simulations bound a move with a clock too.
    assert_eq!(engine.limits(Colour::White).simulations, Some(40));
    engine.genmove(Colour::Black).unwrap();
    engine.clear().unwrap();
    assert!(seconds(&engine, Colour::Black) > 0.2, "a new game has full clocks");
    engine.set_time_control(None);
    assert_eq!(engine.limits(Colour::Black).time, None);
}

#[test]
fn a_move_is_never_thought_about_for_ever() {
    let mut engine = engine(GameKind::Hex);
    engine.set_param("think.simulations", "0").unwrap();
    engine.set_param("think.seconds", "0").unwrap();
    assert!(engine.limits(Colour::Black).time.is_some());
}

#[test]
fn a_lost_game_is_resigned_and_not_if_told_not_to() {
    let mut options = options(GameKind::Hex);
    options.size = Some(7);
    options.simulations = Some(400);
    options.set.push(("rules.swap".to_string(), "false".to_string()));
    options.set.push(("play.resign_from".to_string(), "0".to_string()));
    options.set.push(("play.resign".to_string(), "0.5".to_string()));
    let mut engine = Engine::new(&options).unwrap();
    // Black needs one cell of each pair.
    let pairs = [["d1", "e1"], ["c3", "d3"], ["b5", "c5"], ["a7", "b7"]];
    let black = ["d2", "c4", "b6"].map(|p| (Colour::Black, p.to_string()));
    let white = ["g5", "g6", "g7"].map(|p| (Colour::White, p.to_string()));
    let stones = [&black[..], &white[..]].concat();
    engine.set_up(&stones, Colour::White).unwrap();
    // Looking without playing does not count.
    let look = |engine: &mut Engine| {
        let mut pending = engine.begin(Colour::White, Goal::Win).unwrap();
        engine.decide(&mut pending).unwrap().resigns()
    };
    for _ in 0..2 {
        assert!(!look(&mut engine));
        let mv = engine.genmove(Colour::White).unwrap().mv;
        let pair = pairs.iter().find(|pair| pair.contains(&mv.as_str())).unwrap_or(&pairs[0]);
        let answer = pair.iter().find(|cell| engine.legal_moves().contains(&cell.to_string()));
        engine.play(Colour::Black, answer.unwrap_or(&"a1")).unwrap();
    }
    // The third hopeless move in a row. A move taken back is a new thought.
    assert!(look(&mut engine));
    engine.undo().unwrap();
    assert!(!look(&mut engine));
    engine.set_up(&stones, Colour::White).unwrap();
    engine.set_param("play.resign_moves", "1").unwrap();
    assert!(engine.genmove(Colour::White).unwrap().resigns());
    engine.set_param("play.resign", "0").unwrap();
    assert!(!engine.genmove(Colour::White).unwrap().resigns());
}

#[test]
fn every_preset_plays_and_writes_itself_down() {
    for game in GameKind::ALL {
        assert!(presets::names(game).contains(&presets::DEFAULT));
        for name in presets::names(game) {
            let mut options = options(game);
            options.preset = Some(name.to_string());
            let mut engine = Engine::new(&options).unwrap();
            engine.genmove(engine.to_move()).unwrap();
            let written = kosumi_engine::to_toml(engine.params());
            let read = kosumi_engine::Config::parse("written", &written, game).unwrap();
            let mut params = EngineParams::new(game);
            read.apply(&mut params, engine.size()).unwrap();
            assert_eq!(&params, engine.params(), "{game:?} {name}");
        }
        let error = presets::named(game, "weakest").unwrap_err().to_string();
        assert!(error.contains("strongest"), "{error}");
    }
}

#[test]
fn every_parameter_is_written_and_read_back() {
    for game in GameKind::ALL {
        let mut params = EngineParams::new(game);
        params.set("shape.c1", "0.5,-0.25,0").unwrap();
        params.set("search.seed", &u64::MAX.to_string()).unwrap();
        params.set("uct.mean", "plain").unwrap();
        let written = kosumi_engine::to_toml(&params);
        let read = kosumi_engine::Config::parse("written", &written, game).unwrap();
        let mut again = EngineParams::new(game);
        read.apply(&mut again, 9).unwrap();
        assert_eq!(again, params);
    }
}

#[test]
fn the_searched_tree_is_consistent_after_a_game() {
    for game in GameKind::ALL {
        let mut options = options(game);
        options.threads = Some(2);
        options.simulations = Some(300);
        let mut engine = Engine::new(&options).unwrap();
        for _ in 0..6 {
            if engine.result().is_some() || engine.genmove(engine.to_move()).unwrap().resigns() {
                break;
            }
            engine.verify().unwrap();
        }
    }
}
