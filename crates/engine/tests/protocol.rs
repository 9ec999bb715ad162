//! Transcripts: what clients send, and what they get.

mod common;

use std::io::{self, BufReader, Read};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use common::{engine, options, talk};
use kosumi_engine::gtp::{GtpOptions, commands, serve};
use kosumi_engine::{Colour, Engine, GameKind};

#[test]
fn ids_are_echoed_and_comments_ignored() {
    let answers = talk(
        engine(GameKind::Go),
        &["1 name", "# nothing", "", "   ", "name # here", "42", "0007 protocol_version", "1x"],
    );
    assert_eq!(
        answers,
        [
            "=1 Kosumi",
            "= Kosumi",
            "?42 unknown command: there is none",
            "=0007 2",
            "? unknown command '1x'"
        ]
    );
}

#[test]
fn a_game_of_go_is_kept() {
    let answers = talk(
        engine(GameKind::Go),
        &[
            "boardsize 5",
            "komi 0.5",
            "play b C3",
            "play white c4",
            "play b C4",
            "play b Z9",
            "showboard",
            "list_stones white",
            "undo",
            "undo",
            "undo",
            "get_komi",
            "quit",
            "name",
        ],
    );
    assert!(answers[4].starts_with("? illegal move C4"), "{}", answers[4]);
    assert!(answers[5].contains("expected A1 to E5"), "{}", answers[5]);
    assert!(answers[6].starts_with("= \n"), "{}", answers[6]);
    assert!(answers[6].contains("4 . . O . . 4"), "{}", answers[6]);
    assert_eq!(answers[7], "= C4");
    assert_eq!(answers[10], "? cannot undo: no move has been played");
    assert_eq!(answers[11], "= 0.5");
    assert_eq!(answers.len(), 13, "nothing after quit");
}

/// Arguments with which every command succeeds, on a board with some moves on it.
fn example(game: GameKind, name: &str) -> &'static str {
    let point = match game {
        GameKind::Go => "D4",
        GameKind::Hex | GameKind::Havannah => "d4",
    };
    match name {
        "known_command" => "play",
        "help" => "play",
        "boardsize" => "5",
        "rectangular_boardsize" => "5 5",
        "play" | "gogui-play_sequence" if point == "D4" => "b D4",
        "play" | "gogui-play_sequence" => "b d4",
        "gogui-setup" if point == "D4" => "w D4",
        "gogui-setup" => "w d4",
        "genmove"
        | "reg_genmove"
        | "all_legal"
        | "list_stones"
        | "cgos-genmove_analyze"
        | "kgs-genmove_cleanup"
        | "gogui-setup_player" => "b",
        "komi" => "-3.5",
        "fixed_handicap" | "place_free_handicap" => "2",
        "set_free_handicap" => "A1 B2",
        "final_status_list" => "alive",
        "kata-set-rules" | "kgs-rules" => "japanese",
        "time_settings" => "600 30 5",
        "time_left" => "b 10 1",
        "kgs-time_settings" => "byoyomi 10 5 3",
        "kata-time_settings" => "fischer 10 0.5",
        "kgs-chat" => "private somebody hello there",
        "lz-genmove_analyze" | "kata-genmove_analyze" | "genmove_analyze" => "b 10",
        "lz-analyze" | "kata-analyze" | "analyze" => "b 10 ownership true maxmoves 3",
        "kosumi-param" => "search.seed 3",
        "kosumi-tree" => "2 1",
        "vc-between-cells-full" | "vc-between-cells-semi" => "b a1 south",
        "vc-connected-to-full" | "vc-connected-to-semi" => "w west",
        "vc-connected-to" => "north b 0",
        _ if game == GameKind::Hex
            && commands(game)
                .any(|command| command.name == name && command.syntax.contains(" COLOUR")) =>
        {
            "b"
        }
        _ => "",
    }
}

/// Commands that need another board before them.
fn preparation(game: GameKind, name: &str) -> &'static [&'static str] {
    match (game, name) {
        (_, "undo" | "gg-undo") => &["play b a1"],
        (_, "kosumi-info" | "kosumi-gfx") => &["genmove b"],
        (GameKind::Havannah, "kosumi-visits" | "kosumi-values" | "kosumi-line") => {
            &["reg_genmove w"]
        }
        (_, "kosumi-visits" | "kosumi-values" | "kosumi-line") => &["reg_genmove b"],
        (_, "vc-winning-carrier") => &["play b c3"],
        // A game that is won, so that there is a score.
        (GameKind::Hex, "final_score") => {
            &["boardsize 3", "gogui-play_sequence b a1 w b1 b a2 w b2 b a3"]
        }
        (GameKind::Havannah, "final_score") => {
            &["boardsize 3", "gogui-play_sequence w a1 b c3 w a2 b c4 w a3"]
        }
        _ => &[],
    }
}

#[test]
fn every_command_of_every_game_works() {
    for game in GameKind::ALL {
        for command in commands(game).filter(|command| command.name != "loadsgf") {
            let line = format!("5 {} {}", command.name, example(game, command.name));
            let mut lines = preparation(game, command.name).to_vec();
            let name = command.name;
            lines.push(&line);
            let answers = talk(engine(game), &lines);
            assert_eq!(answers.len(), lines.len(), "{game:?} {name}");
            let last = answers.last().unwrap();
            assert!(last.starts_with("=5 "), "{game:?} {name}: {last}");
        }
    }
}

#[test]
fn every_command_survives_wrong_arguments() {
    let wrong = ["", "x", "b", "b x", "9999999999999999999999", "NaN", "-1 -1 -1", "b b b b b"];
    for game in GameKind::ALL {
        let names = commands(game).map(|command| command.name);
        for name in names.filter(|&name| name != "quit") {
            let lines: Vec<String> = wrong.iter().map(|w| format!("{name} {w}")).collect();
            let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
            assert_eq!(talk(engine(game), &lines).len(), wrong.len(), "{game:?} {name}");
        }
    }
}

#[test]
fn list_commands_and_known_command_agree() {
    let answers = talk(engine(GameKind::Hex), &["list_commands", "known_command get_komi"]);
    assert_eq!(answers[1], "= false");
    for name in answers[0][2..].lines() {
        let line = format!("known_command {name}");
        assert_eq!(talk(engine(GameKind::Hex), &[&line]), ["= true"]);
    }
}

#[test]
fn every_command_is_documented() {
    let docs = include_str!("../../../docs/gtp.md");
    for command in GameKind::ALL.into_iter().flat_map(commands) {
        let syntax = format!("`{}`", command.syntax);
        assert!(docs.contains(&syntax), "docs/gtp.md lacks {syntax}");
    }
}

#[test]
fn sizes_come_in_one_or_two_numbers() {
    let answers = talk(
        engine(GameKind::Hex),
        &[
            "boardsize 7 7",
            "boardsize 7 8",
            "boardsize 2",
            "boardsize 99999999999999999999999",
            "boardsize x",
            "gogui-rules_board_size",
        ],
    );
    assert_eq!(answers[0], "= ");
    for refused in &answers[1..4] {
        assert!(refused.starts_with("? unacceptable size"), "{refused}");
    }
    assert!(answers[4].starts_with("? syntax error"), "{}", answers[4]);
    assert_eq!(answers[5], "= 7 hex");
}

#[test]
fn komi_is_a_half() {
    let answers = talk(
        engine(GameKind::Go),
        &["komi 7.5", "komi NaN", "komi 1e300", "komi 0.3", "komi", "get_komi"],
    );
    assert_eq!(answers[0], "= ");
    assert!(answers[1..5].iter().all(|answer| answer.starts_with('?')), "{answers:?}");
    assert_eq!(answers[5], "= 7.5");
}

#[test]
fn two_passes_end_a_game_and_play_may_go_on() {
    let answers = talk(
        engine(GameKind::Go),
        &[
            "play b D4",
            "play w pass",
            "play b pass",
            "gogui-rules_final_result",
            "play w C3",
            "gogui-rules_final_result",
            "undo",
            "gogui-rules_final_result",
            "genmove w",
        ],
    );
    // 49 points less the compensation of 7.5.
    assert_eq!(answers[3], "= B+41.5");
    assert_eq!(answers[4], "= ");
    assert_eq!(answers[5], "= ");
    assert_eq!(answers[7], "= B+41.5");
    assert!(answers[8].starts_with("= "), "{}", answers[8]);
}

#[test]
fn a_swap_of_pieces_mirrors_the_stone() {
    let answers = talk(
        engine(GameKind::Hex),
        &[
            "play b b4",
            "gogui-rules_legal_moves",
            "play w swap-pieces",
            "showboard",
            "gogui-rules_side_to_move",
            "play b c1",
            "list_stones b",
            "list_stones w",
            "undo",
            "undo",
            "list_stones b",
        ],
    );
    assert!(answers[1].ends_with(" swap-pieces"), "{}", answers[1]);
    // b4 becomes white on d2.
    assert!(answers[3].contains("2  . . . W ."), "{}", answers[3]);
    assert_eq!(answers[4], "= black");
    assert_eq!(answers[6], "= c1");
    assert_eq!(answers[7], "= d2");
    assert_eq!(answers[10], "= b4");
}

#[test]
fn after_a_swap_of_sides_the_stone_stays() {
    let answers = talk(
        engine(GameKind::Hex),
        &["play b b4", "play w swap-sides", "list_stones b", "gogui-rules_side_to_move"],
    );
    assert_eq!(&answers[1..], ["= ", "= b4", "= white"]);
}

#[test]
fn black_wins_a_swapped_game_of_hex_on_its_own_sides() {
    let answers = talk(
        engine(GameKind::Hex),
        &[
            "boardsize 3",
            "play b b3",
            "play w swap-pieces",
            "gogui-play_sequence b a1 w c1 b a2 w c3 b a3",
            "final_score",
        ],
    );
    assert_eq!(answers[4], "= B+");
}

#[test]
fn a_swapped_stone_of_havannah_changes_its_colour() {
    let answers = talk(
        engine(GameKind::Havannah),
        &[
            "play w b2",
            "play b swap",
            "list_stones b",
            "gogui-rules_side_to_move",
            "boardsize 3",
            "gogui-play_sequence w a2 b swap w c3 b a1 w c4 b a3",
            "final_score",
        ],
    );
    assert_eq!(&answers[1..4], ["= ", "= b2", "= white"]);
    assert_eq!(answers[6], "= B+");
}

#[test]
fn a_record_is_loaded_up_to_a_move() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let sgf = "(;GM[1]SZ[9]KM[5.5]RU[Japanese]AB[cc][gg]AW[cg];W[ee];B[ec];W[];B[gc])";
    std::fs::write(file.path(), sgf).unwrap();
    let path = file.path().display();
    let answers = talk(
        engine(GameKind::Go),
        &[
            &format!("loadsgf {path} 3"),
            "list_stones b",
            "list_stones w",
            "get_komi",
            &format!("loadsgf {path}"),
            "list_stones b",
            "loadsgf /nowhere.sgf",
            "printsgf",
        ],
    );
    assert_eq!(answers[0], "= white");
    let mut black: Vec<&str> = answers[1][2..].split(' ').collect();
    black.sort_unstable();
    assert_eq!(black, ["C7", "E7", "G3"]);
    assert_eq!(answers[3], "= 5.5");
    assert!(answers[5].contains("G7"), "{}", answers[5]);
    assert!(answers[6].starts_with("? cannot load file"), "{}", answers[6]);
    assert!(answers[7].contains("SZ[9]"), "{}", answers[7]);
}

#[test]
fn parameters_are_listed_told_and_set() {
    let answers = talk(
        engine(GameKind::Hex),
        &[
            "kosumi-param",
            "kosumi-param rave.late",
            "kosumi-param rave.late 77",
            "kosumi-param rave.late",
            "kosumi-param rave.lat",
            "kosumi-param rave.late x",
            "boardsize 9",
            "kosumi-param rave.late",
            "kosumi-params-toml",
        ],
    );
    assert!(answers[0].contains("\nrave.late "), "{}", answers[0]);
    assert_eq!(answers[3], "= 77");
    assert!(answers[4].contains("did you mean 'rave.late'"), "{}", answers[4]);
    assert!(answers[5].contains("does not fit"), "{}", answers[5]);
    assert_eq!(answers[7], "= 77", "a parameter stays set on another board");
    assert!(answers[8].contains("late = 77"), "{}", answers[8]);
}

#[test]
fn more_memory_than_there_is_is_refused() {
    let answers = talk(
        engine(GameKind::Hex),
        &["kosumi-param search.memory 262144", "kosumi-param search.memory 8", "genmove b"],
    );
    // A machine may have that much.
    assert!(answers[0] == "= " || answers[0].contains("choose less"), "{}", answers[0]);
    assert!(answers[1..].iter().all(|answer| answer.starts_with("= ")), "{answers:?}");
}

#[test]
fn the_tree_is_json() {
    let answers = talk(
        engine(GameKind::Hex),
        &[
            "kosumi-param think.simulations 300",
            "genmove b",
            "kosumi-info",
            "kosumi-tree 2 2",
            "kosumi-verify",
        ],
    );
    let info: serde_json::Value = serde_json::from_str(&answers[2][2..]).unwrap();
    assert!(info["simulations"].as_u64().unwrap() > 0);
    let tree: serde_json::Value = serde_json::from_str(&answers[3][2..]).unwrap();
    assert!(tree["children"][0]["visits"].as_u64().unwrap() >= 2, "{tree}");
    assert!(answers[4].starts_with("= nodes "), "{}", answers[4]);
}

#[test]
fn clients_ask_for_a_version_of_their_own() {
    let mut output = Vec::new();
    let mut gtp = GtpOptions::default();
    gtp.version = Some("0.17".to_string());
    let log = Shared::default();
    gtp.log = Some(Box::new(log.clone()));
    let input = BufReader::new(&b"version\nquit\n"[..]);
    serve(engine(GameKind::Go), input, &mut output, gtp).unwrap();
    assert_eq!(output, b"= 0.17\n\n= \n\n");
    assert_eq!(log.text(), "< version\n> = 0.17\n< quit\n> = \n");
}

/// Input that comes when the test sends it.
struct Wire(Receiver<Vec<u8>>, Vec<u8>);

impl Read for Wire {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.1.is_empty() {
            match self.0.recv() {
                Ok(bytes) => self.1 = bytes,
                Err(_) => return Ok(0),
            }
        }
        let count = buffer.len().min(self.1.len());
        buffer[..count].copy_from_slice(&self.1[..count]);
        self.1.drain(..count);
        Ok(count)
    }
}

#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Shared {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }

    /// Waits until the text is there. A minute is for machines that do other things.
    fn wait_for(&self, what: &str) {
        for _ in 0..6000 {
            if self.text().contains(what) {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("never saw {what:?} in {:?}", self.text());
    }
}

impl io::Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Runs a session in a thread; `drive` sends lines and looks at the output.
fn live(engine: Engine, drive: impl FnOnce(&dyn Fn(&str), &Shared)) -> String {
    let (sender, receiver) = channel();
    let output = Shared::default();
    let written = output.clone();
    let session = std::thread::spawn(move || {
        let input = BufReader::new(Wire(receiver, Vec::new()));
        serve(engine, input, written, GtpOptions::default())
    });
    drive(&|line| sender.send(format!("{line}\n").into_bytes()).unwrap(), &output);
    drop(sender);
    session.join().unwrap().unwrap();
    output.text()
}

#[test]
fn any_line_interrupts_an_analysis() {
    for game in GameKind::ALL {
        let text = live(engine(game), |send, output| {
            send("1 lz-analyze 1");
            output.wait_for("info move");
            send("2 kata-analyze b interval 1");
            output.wait_for("winrate 0.");
            send("# a comment is a line too");
            output.wait_for("=2");
            send("3 name");
            output.wait_for("=3 Kosumi");
        });
        assert!(text.starts_with("=1 \ninfo move "), "{text}");
        assert!(text.contains("\n\n=2 \ninfo move "), "{text}");
        assert!(text.ends_with("\n\n=3 Kosumi\n\n"), "{text}");
    }
}

#[test]
fn the_end_of_the_input_ends_an_analysis() {
    let text = live(engine(GameKind::Hex), |send, output| {
        send("analyze 1");
        output.wait_for("info move");
    });
    assert!(text.ends_with("\n\n"), "{text}");
}

#[test]
fn thinking_aloud_ends_with_the_move() {
    for game in GameKind::ALL {
        let text = live(engine(game), |send, output| {
            send("lz-genmove_analyze b 1");
            output.wait_for("\nplay ");
        });
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "= ");
        assert!(lines[1].starts_with("info move "), "{text}");
        assert!(lines[lines.len() - 2].starts_with("play "), "{text}");
    }
}

#[test]
fn pondering_goes_on_between_commands_and_ends_with_the_next_move() {
    let mut options = options(GameKind::Hex);
    options.set.push(("play.ponder".to_string(), "true".to_string()));
    options.set.push(("rules.swap".to_string(), "false".to_string()));
    let engine = Engine::new(&options).unwrap();
    let answers =
        talk(engine, &["genmove b", "name", "genmove w", "undo", "kosumi-verify", "quit"]);
    assert_eq!(answers.len(), 6);
    assert!(answers.iter().all(|answer| answer.starts_with('=')), "{answers:?}");
}

#[test]
fn an_interrupt_ends_the_thinking_about_a_move() {
    let mut options = options(GameKind::Hex);
    options.simulations = None;
    // Long enough that only the interrupt can end it in time.
    options.seconds = Some(600.0);
    let engine = Engine::new(&options).unwrap();
    let text = live(engine, |send, output| {
        send("genmove b");
        send("# interrupt");
        output.wait_for("= ");
    });
    assert!(text.starts_with("= "), "{text}");
}

/// Superko, turns out of order, games that go on after their end and the swap included.
#[test]
fn undo_brings_back_every_position_of_a_long_game() {
    for game in GameKind::ALL {
        let mut options = options(game);
        options.size = Some(if game == GameKind::Go { 3 } else { 10 });
        let mut engine = Engine::new(&options).unwrap();
        let facts = |engine: &Engine| {
            let legal = [Colour::Black, Colour::White].map(|colour| engine.legal_moves_of(colour));
            (engine.show(), engine.to_move(), legal, engine.result(), engine.moves())
        };
        let mut before = Vec::new();
        // A pseudo-random walk, the same every time.
        let mut random = 12345_u64;
        for number in 0..300 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let colour = match number % 7 {
                6 if game == GameKind::Go => engine.to_move().opponent(),
                _ => engine.to_move(),
            };
            let moves = engine.legal_moves_of(colour);
            let pick = (random >> 33) as usize % moves.len().max(1);
            // A game of Go may go on after two passes.
            let pass = (game == GameKind::Go).then(|| "pass".to_owned());
            let Some(mv) = moves.get(pick).cloned().or(pass) else { break };
            let mv = if number == 1 && moves.contains(&"swap-pieces".to_owned()) {
                "swap-pieces".to_owned()
            } else {
                mv
            };
            before.push(facts(&engine));
            engine.play(colour, &mv).unwrap();
        }
        assert!(before.len() > 70, "{game:?}: {}", before.len());
        for (number, facts_before) in before.iter().enumerate().rev() {
            engine.undo().unwrap();
            assert_eq!(facts(&engine), *facts_before, "{game:?}, move {number}");
        }
        engine.undo().unwrap_err();
    }
}

#[test]
fn komi_is_accepted_where_there_is_none() {
    for game in [GameKind::Hex, GameKind::Havannah] {
        let answers = talk(engine(game), &["komi 6.5", "komi x", "get_komi", "known_command komi"]);
        assert_eq!(answers[0], "= ");
        assert!(answers[1].starts_with("? ") && answers[2].starts_with("? "), "{answers:?}");
        assert_eq!(answers[3], "= true");
    }
}

#[test]
fn boards_are_square() {
    for game in GameKind::ALL {
        let lines = ["rectangular_boardsize 6 6", "rectangular_boardsize 6 7", "showboard"];
        let answers = talk(engine(game), &lines);
        assert_eq!(answers[0], "= ", "{game:?}");
        assert!(answers[1].contains("unacceptable size: only square boards"), "{answers:?}");
        let missing = talk(engine(game), &["rectangular_boardsize 6"]);
        assert!(missing[0].starts_with("? "), "{missing:?}");
    }
}

#[test]
fn what_was_thought_of_another_position_is_not_told() {
    for other in ["play w c4", "undo", "gogui-setup b e5"] {
        let lines = ["genmove b", "kosumi-info", other, "kosumi-info", "kosumi-gfx"];
        let answers = talk(engine(GameKind::Hex), &lines);
        assert!(answers[1].starts_with("= {"), "{answers:?}");
        assert!(
            answers[3].starts_with("? ") && answers[4].starts_with("? "),
            "{other}: {answers:?}"
        );
    }
}

/// Connections are looked at for an estimate only where it has weight.
#[test]
fn a_weight_of_estimates_set_later_counts_like_one_set_before() {
    let visits = |before: bool| {
        let mut options = options(GameKind::Hex);
        let set = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        options.set.push(set("knowledge.judged", "false"));
        options.set.push(set("knowledge.analysis_at", "1"));
        options.simulations = Some(200);
        options.set.push(set("estimate.weight", if before { "0.5" } else { "0" }));
        options.size = Some(9);
        let mut engine = Engine::new(&options).unwrap();
        engine.set_param("estimate.weight", "0.5").unwrap();
        let lines = ["reg_genmove b", "kosumi-visits", "kosumi-values"];
        talk(engine, &lines)
    };
    assert_eq!(visits(false), visits(true));
}

/// Moves of an analysis, in its last line.
fn analysed(text: &str) -> Vec<String> {
    let line = text.lines().rev().find(|line| line.starts_with("info move")).unwrap_or_default();
    let words: Vec<&str> = line.split_whitespace().collect();
    words.windows(2).filter(|pair| pair[0] == "move").map(|pair| pair[1].to_lowercase()).collect()
}

#[test]
fn an_analysis_avoids_moves_or_keeps_to_them() {
    for game in GameKind::ALL {
        let mover = if game == GameKind::Havannah { "w" } else { "b" };
        let text = live(engine(game), |send, output| {
            send(&format!("lz-analyze {mover} 1 allow {mover} c3,b2,b3 1 avoid {mover} b3 1"));
            output.wait_for("info move");
            // Later reports have more of the moves.
            std::thread::sleep(Duration::from_millis(300));
            send("version");
            output.wait_for("\n\n");
        });
        let mut moves = analysed(&text);
        moves.sort();
        assert!(!moves.is_empty() && moves.iter().all(|mv| mv == "b2" || mv == "c3"), "{text}");
        let all = format!("lz-analyze {mover} 1 allow {mover} c3 1 avoid {mover} c3 1");
        let text = live(engine(game), |send, output| {
            send(&all);
            output.wait_for("? no move is left");
        });
        assert!(!text.contains("info"), "{text}");
    }
}
