//! The end of games of Go: passing, dead stones, handicap.

mod common;

use common::{options, talk};
use kosumi_engine::{Colour, Engine, GameKind, Status};

/// An engine with this position on the board; the diagram's top line is the board's.
fn position(diagram: &str, to_move: Colour, simulations: u64) -> Engine {
    let rows: Vec<Vec<char>> = diagram
        .lines()
        .map(|line| line.chars().filter(|c| !c.is_whitespace()).collect())
        .filter(|row: &Vec<char>| !row.is_empty())
        .collect();
    let mut options = options(GameKind::Go);
    options.size = Some(rows.len());
    options.simulations = Some(simulations);
    let mut engine = Engine::new(&options).unwrap();
    let mut stones = Vec::new();
    for (y, row) in rows.iter().rev().enumerate() {
        for (x, sign) in row.iter().enumerate() {
            let point = format!("{}{}", char::from(b"ABCDEFGHJKLMN"[x]), y + 1);
            match sign {
                'X' => stones.push((Colour::Black, point)),
                'O' => stones.push((Colour::White, point)),
                _ => {}
            }
        }
    }
    engine.set_up(&stones, to_move).unwrap();
    engine
}

const SETTLED: &str = "
    . X . X O . O
    X X X X O O .
    . X X O O O O
    X X X O . O .
    X . X O O O O
    X X X X O . O
    . X . X O O .";

#[test]
fn a_settled_board_is_passed() {
    // Area: Black 26, White 23.
    for (komi, winner) in [("0.5", "B+"), ("7.5", "W+")] {
        let mut engine = position(SETTLED, Colour::Black, 200);
        engine.set_komi(komi).unwrap();
        engine.set_param("play.resign", "0").unwrap();
        assert_eq!(engine.genmove(Colour::Black).unwrap().mv, "pass", "{komi}");
        assert_eq!(engine.genmove(Colour::White).unwrap().mv, "pass", "{komi}");
        let result = engine.result().unwrap().to_string();
        assert!(result.starts_with(winner), "{result}");
    }
}

/// A white stone is dead on Black's side, two black ones on White's.
const DEAD: &str = "
    . . X O . . .
    . . X O . X .
    . O X O . X .
    X X X O O O O
    . . X X O . .
    . . X X O . .
    . X X O O . .";

#[test]
fn dead_stones_are_found_and_taken_off() {
    let mut engine = position(DEAD, Colour::Black, 200);
    engine.set_komi("0").unwrap();
    let mut dead = engine.stones_of_status(Status::Dead).unwrap().concat();
    dead.sort_unstable();
    assert_eq!(dead, ["B5", "F5", "F6"]);
    assert_eq!(engine.final_score().unwrap().to_string(), "W+3");
    engine.set_rules("japanese").unwrap();
    assert_eq!(engine.final_score().unwrap().to_string(), "W+5");
    // As the board stands: 14 stones and 5 points of Black, 12 and 6 of White, the rest is nobody's.
    engine.set_rules("tromp-taylor").unwrap();
    assert_eq!(engine.final_score().unwrap().to_string(), "B+1");
    let owners = engine.ownership().unwrap();
    assert!(owners[0] > 0.5 && owners[6] < -0.5, "{owners:?}");
}

#[test]
fn a_pass_that_loses_by_the_count_is_not_answered_with_a_pass() {
    // White wins once the black stones are off (W+0.5 at komi -2.5), not as the board stands.
    let mut engine = position(DEAD, Colour::Black, 2000);
    engine.set_komi("-2.5").unwrap();
    engine.play(Colour::Black, "pass").unwrap();
    let mv = engine.genmove(Colour::White).unwrap().mv;
    assert_ne!(mv, "pass");
    // Between players who agree about dead stones the pass wins.
    let mut engine = position(DEAD, Colour::Black, 50);
    engine.set_komi("-2.5").unwrap();
    engine.set_param("play.dead_stones", "agreed").unwrap();
    engine.play(Colour::Black, "pass").unwrap();
    assert_eq!(engine.genmove(Colour::White).unwrap().mv, "pass");
}

#[test]
fn a_pass_that_wins_is_played_at_once() {
    let mut engine = position(DEAD, Colour::White, 50);
    engine.set_komi("0.5").unwrap();
    engine.play(Colour::White, "pass").unwrap();
    let decision = engine.genmove(Colour::Black).unwrap();
    assert_eq!((decision.mv.as_str(), decision.analysis.simulations), ("pass", 0));
    // When dead stones come off, the same pass would lose.
    let mut engine = position(DEAD, Colour::White, 500);
    engine.set_komi("0.5").unwrap();
    engine.set_param("play.dead_stones", "agreed").unwrap();
    engine.set_param("play.resign", "0").unwrap();
    engine.play(Colour::White, "pass").unwrap();
    assert!(engine.genmove(Colour::Black).unwrap().analysis.simulations > 0);
}

/// White lives by E4 and dies without it.
const OPEN: &str = "
    . . X O .
    X X X O .
    . X X O .
    X X X O O
    . X X X X";

#[test]
fn a_pass_is_not_answered_while_a_dispute_would_lose() {
    // 8 points of White's and komi against 17, if the stones live.
    let mut engine = position(OPEN, Colour::Black, 500);
    engine.set_komi("10.5").unwrap();
    engine.set_param("play.dead_stones", "agreed").unwrap();
    engine.play(Colour::Black, "pass").unwrap();
    assert_eq!(engine.genmove(Colour::White).unwrap().mv, "E4");
    engine.play(Colour::Black, "pass").unwrap();
    assert_eq!(engine.genmove(Colour::White).unwrap().mv, "pass");
}

#[test]
fn territory_is_not_filled_but_defended() {
    // Black has 11 points and a prisoner, White 15 and one: four more, but by area three.
    let quiet = "
        . . X O . . .
        . . X O . . .
        . O X O . . .
        X X X O O O O
        . . X X O . .
        . . X X O . X
        . X X O O . .";
    for komi in ["0", "-3.5", "-9.5"] {
        let mut engine = position(quiet, Colour::White, 1000);
        engine.set_rules("japanese").unwrap();
        engine.set_komi(komi).unwrap();
        engine.set_param("play.resign", "0").unwrap();
        assert_eq!(engine.genmove(Colour::White).unwrap().mv, "pass", "{komi}");
    }
    let mut engine = position(OPEN, Colour::White, 500);
    engine.set_rules("japanese").unwrap();
    engine.set_komi("10.5").unwrap();
    assert_eq!(engine.genmove(Colour::White).unwrap().mv, "E4");
}

#[test]
fn a_game_by_japanese_rules_ends_with_its_territory_open() {
    let mut options = options(GameKind::Go);
    options.simulations = Some(200);
    options.set.push(("play.resign".to_string(), "0".to_string()));
    let mut engine = Engine::new(&options).unwrap();
    engine.set_rules("japanese").unwrap();
    engine.set_komi("6.5").unwrap();
    let mut moves = 0;
    while engine.result().is_none() {
        engine.genmove(engine.to_move()).unwrap();
        moves += 1;
        assert!(moves < 120, "{}", engine.show());
    }
}

#[test]
fn cleaning_up_takes_all_dead_stones_and_then_passes() {
    let mut engine = position(DEAD, Colour::White, 300);
    for colour in [Colour::White, Colour::Black] {
        engine.play(colour, "pass").unwrap();
    }
    // White takes the two stones whatever Black does; then nothing is left to do.
    let mut script = ["kgs-genmove_cleanup w", "play b pass"].repeat(8);
    script.push("list_stones b");
    let answers = talk(engine, &script);
    assert!(!answers.last().unwrap().contains('F'), "{answers:?}");
    assert_eq!(answers[14], "= pass", "{answers:?}");
}

#[test]
fn a_game_on_nine_lines_ends_in_good_time() {
    let mut options = options(GameKind::Go);
    options.size = Some(9);
    options.simulations = Some(150);
    options.set.push(("play.resign".to_string(), "0".to_string()));
    let mut engine = Engine::new(&options).unwrap();
    let mut moves = 0;
    while engine.result().is_none() {
        engine.genmove(engine.to_move()).unwrap();
        moves += 1;
        assert!(moves < 250, "{}", engine.show());
    }
}

#[test]
fn handicap_stones_go_where_gtp_says() {
    let mut options = options(GameKind::Go);
    options.size = Some(9);
    let answers = talk(
        Engine::new(&options).unwrap(),
        &[
            "fixed_handicap 3",
            "gogui-rules_side_to_move",
            "fixed_handicap 3",
            "clear_board",
            "place_free_handicap 12",
            "clear_board",
            "set_free_handicap A1 B2 C3",
            "list_stones b",
            "clear_board",
            "set_free_handicap A1 A1",
            "set_free_handicap A1 pass",
            "boardsize 5",
            "fixed_handicap 2",
        ],
    );
    assert_eq!(answers[0], "= C3 G7 C7");
    assert_eq!(answers[1], "= white");
    assert!(answers[2].contains("not empty"), "{}", answers[2]);
    assert_eq!(answers[4].split(' ').count(), 13);
    assert_eq!(answers[7], "= A1 B2 C3");
    assert!(answers[9].starts_with('?') && answers[10].starts_with('?'), "{answers:?}");
    assert!(answers[12].contains("at least 7"), "{}", answers[12]);
}
