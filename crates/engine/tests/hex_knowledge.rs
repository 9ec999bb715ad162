//! What is known of positions of Hex, as HexGUI and GoGui are told: each command on a board made by
//! hand.

mod common;

use std::collections::BTreeMap;

use common::{engine, talk};
use kosumi_engine::gtp::commands;
use kosumi_engine::{Colour, Connection, ConnectionKind, GameKind};

/// Black joins top and bottom by three bridges: c2 to the top, c2 to b4, b4 to the bottom.
///
/// ```text
/// . . . . .
///  . . B . .
///   . . . . .
///    . B . . .
///     . . . . .
/// ```
const BRIDGES: &str = "gogui-setup b c2 b b4";

/// The answers to questions about 5x5 with some stones on it, without the sign of success.
fn asked(board: &str, questions: &[&str]) -> Vec<String> {
    let lines: Vec<&str> = [board].into_iter().chain(questions.iter().copied()).collect();
    let answers = talk(engine(GameKind::Hex), &lines);
    assert_eq!(answers[0], "= ", "{board}");
    let text = |answer: &String| {
        answer.strip_prefix("= ").unwrap_or_else(|| panic!("{answer}")).trim_end().to_owned()
    };
    answers[1..].iter().map(text).collect()
}

/// Cells with a word each.
fn pairs(answer: &str) -> BTreeMap<String, String> {
    let words: Vec<&str> = answer.split_whitespace().collect();
    let pairs = words.chunks(2).map(|pair| (pair[0].to_owned(), pair[1].to_owned()));
    pairs.collect()
}

fn numbers(answer: &str) -> BTreeMap<String, f64> {
    pairs(answer).into_iter().map(|(cell, word)| (cell, word.parse().unwrap())).collect()
}

#[test]
fn inferior_cells_have_words() {
    let answers = asked(
        BRIDGES,
        &["compute-inferior w", "compute-fillin w", "compute-vulnerable w", "compute-dominated w"],
    );
    let [all, fill, vulnerable, dominated] = [0, 1, 2, 3].map(|place| pairs(&answers[place]));
    for cell in ["c1", "d1", "a5", "b5"] {
        assert_eq!(fill[cell], "fcb", "Black keeps the bridges to the sides");
    }
    assert!(!fill.contains_key("b3"), "the bridge in the middle is not captured");
    assert!(fill.values().all(|word| word.len() == 3 && word.starts_with('f')));
    assert!(vulnerable.values().all(|word| word.starts_with("iv[") && word.ends_with(']')));
    assert!(dominated.values().all(|word| word.starts_with("id[") && word.ends_with(']')));
    assert_eq!(all.len(), fill.len() + vulnerable.len() + dominated.len());
    assert!(vulnerable.len() + dominated.len() > 0);
}

#[test]
fn the_mustplay_is_what_stops_the_opponent() {
    // White has broken into the bridge in the middle; Black threatens c3.
    let broken = "gogui-setup b c2 b b4 w b3";
    let left_out = pairs(&asked(broken, &["vc-get-mustplay w"])[0]);
    assert!(!left_out.contains_key("c3"), "c3 must be played: {left_out:?}");
    assert!(left_out.values().any(|word| word == "x"), "{left_out:?}");
    // If Black is connected there is nothing to play.
    let left_out = pairs(&asked(BRIDGES, &["vc-get-mustplay w"])[0]);
    assert_eq!(left_out.len(), 23, "{left_out:?}");
}

#[test]
fn connections_have_ends_carriers_and_keys() {
    let full = asked(BRIDGES, &["vc-between-cells-full b c2 b4"]);
    assert_eq!(full[0], "black c2 b4 full h-search [ b3 c3 ] [ ]");
    let broken = "gogui-setup b c2 b b4 w b3";
    let answers =
        asked(broken, &["vc-between-cells-full b c2 b4", "vc-between-cells-semi b c2 b4"]);
    assert_eq!(answers[0], "");
    assert!(
        answers[1].lines().any(|line| line == "black c2 b4 semi h-search [ c3 ] [ ] c3"),
        "{}",
        answers[1]
    );
}

#[test]
fn a_cell_is_connected_to_cells_and_sides() {
    let answers = asked(
        BRIDGES,
        &[
            "vc-connected-to-full b north",
            "vc-connected-to north b 0",
            "vc-connected-to-semi w a3",
            "vc-connected-to a3 w 1",
        ],
    );
    let full: Vec<&str> = answers[0].split_whitespace().collect();
    for end in ["south", "c2", "b4"] {
        assert!(full.contains(&end), "{end} in {full:?}");
    }
    assert_eq!(answers[1], answers[0]);
    let semi: Vec<&str> = answers[2].split_whitespace().collect();
    assert!(!semi.contains(&"east"), "Black is in between: {semi:?}");
    assert_eq!(answers[3], answers[2]);
}

#[test]
fn a_won_board_has_a_carrier() {
    let answers = asked(BRIDGES, &["vc-winning-carrier b"]);
    assert_eq!(answers[0], "c1 vc d1 vc b3 vc c3 vc a5 vc b5 vc");
    // On 3x3 with b1 taken Black needs c1 to reach the top.
    let answers = asked("boardsize 3", &["gogui-setup b b2 w b1", "vc-winning-carrier b"]);
    assert_eq!(answers[1], "c1 key a3 vc b3 vc");
    let refused = talk(engine(GameKind::Hex), &[BRIDGES, "vc-winning-carrier w"]);
    assert_eq!(refused[1], "? no connection between the sides of white is known");
    // Joined: nothing is needed.
    let joined = "gogui-setup b a1 b a2 b a3 b a4 b a5";
    assert_eq!(asked(joined, &["vc-winning-carrier b"])[0], "");
}

#[test]
fn what_is_no_end_of_a_connection_is_told() {
    let answers = talk(
        engine(GameKind::Hex),
        &[
            "play b c3",
            "vc-connected-to-full w north",
            "vc-connected-to-full w c3",
            "vc-connected-to-full b f6",
            "vc-connected-to-full b swap-pieces",
            "vc-connected-to c3 b 2",
        ],
    );
    assert_eq!(answers[1], "? north is no side of white");
    assert_eq!(answers[2], "? c3 holds a stone of black");
    assert!(answers[3].contains("expected a1 to e5"), "{}", answers[3]);
    assert_eq!(answers[4], "? swap-pieces is no cell");
    assert!(answers[5].starts_with("? syntax error"), "{}", answers[5]);
}

#[test]
fn the_circuit_favours_who_is_ahead() {
    let answers = asked("gogui-setup b c3", &["eval-resist b", "eval-resist w"]);
    let [black, white] = [0, 1].map(|place| numbers(&answers[place]));
    assert!(black["res"] > 0.0 && black["res"] == -white["res"], "{answers:?}");
    assert!(black["reb"] < black["rew"] && black["reb"] == white["reb"]);
    let joined = "gogui-setup b a1 b a2 b a3 b a4 b a5";
    assert_eq!(asked(joined, &["eval-resist b"])[0], "res inf rew inf reb 0.000");
}

#[test]
fn current_flows_through_cells() {
    let answers = asked(
        "gogui-setup b c3",
        &["eval-resist-cells b", "eval-resist-cells w", "eval-resist-cells", "kosumi-influence"],
    );
    let [black, white, both] = [0, 1, 2].map(|place| numbers(&answers[place]));
    assert!(!black.contains_key("c3"));
    for (cell, energy) in &both {
        assert!((energy - black[cell] - white[cell]).abs() < 0.02, "{cell}");
        assert!((0.0..=1.0).contains(&black[cell]) && (0.0..=1.0).contains(&white[cell]));
    }
    let rows: Vec<Vec<f64>> = answers[3]
        .lines()
        .map(|row| row.split_whitespace().map(|number| number.parse().unwrap()).collect())
        .collect();
    assert!(rows.len() == 5 && rows.iter().all(|row| row.len() == 5));
    assert_eq!(rows[2][2], 1.0, "the stone");
    // The highest row comes first: a1 is in the last one.
    let a1 = black.get("a1").copied().unwrap_or(0.0) - white.get("a1").copied().unwrap_or(0.0);
    assert!((rows[4][0] - a1).abs() < 0.02);
}

#[test]
fn boards_for_gogui_begin_with_the_highest_row() {
    let answers = asked(BRIDGES, &["kosumi-inferior-colours w", "gogui-rules_board"]);
    let colours: Vec<Vec<&str>> =
        answers[0].lines().map(|row| row.split_whitespace().collect()).collect();
    assert!(colours.len() == 5 && colours.iter().all(|row| row.len() == 5));
    // a5 and b5 are captured; the stones have no colour.
    assert_eq!(colours[0][..2], ["red", "red"]);
    assert_eq!((colours[1][1], colours[3][2]), ("\"\"", "\"\""));
    assert_eq!(answers[1], ". . . . .\n. X . . .\n. . . . .\n. . X . .\n. . . . .");
}

#[test]
fn patterns_judge_every_empty_cell() {
    let answers = asked(BRIDGES, &["kosumi-gammas w", "kosumi-priors w"]);
    let (gammas, priors) = (numbers(&answers[0]), numbers(&answers[1]));
    assert_eq!((gammas.len(), priors.len()), (23, 23));
    let sum: f64 = priors.values().sum();
    assert!((sum - 1.0).abs() < 0.02, "{sum}");
    assert!(priors["c1"] == 0.0, "what is captured is pruned");
    // Moves that are not pruned share by their gammas.
    let [a, b] = ["b3", "c3"];
    assert!((priors[a] * gammas[b] - priors[b] * gammas[a]).abs() < 0.02);
}

#[test]
fn the_net_judges_every_empty_cell() {
    let questions = ["kosumi-net w", "kosumi-net b", "kosumi-net-chance b", "kosumi-net-chance w"];
    let answers = asked(BRIDGES, &questions);
    for moves in &answers[..2] {
        let moves = numbers(moves);
        assert_eq!(moves.len(), 23);
        let sum: f64 = moves.values().sum();
        assert!((sum - 1.0).abs() < 0.02, "{sum}");
    }
    let chance = |answer: &str| answer.parse::<f64>().unwrap();
    assert!(chance(&answers[2]) > 0.9 && chance(&answers[3]) < 0.3, "{answers:?}");
}

#[test]
fn the_solver_answers() {
    let answers = asked(
        "boardsize 4",
        &[
            "dfpn-solve-state b",
            "solve-state w",
            "dfs-solve-state b 60",
            "dfpn-solver-find-winning b",
            "play b a1",
            "dfpn-solve-state w",
            "dfs-solver-find-winning w",
        ],
    );
    assert_eq!(answers[..3], ["black", "white", "black"], "who moves first wins");
    let winning: Vec<&str> = answers[3].split_whitespace().collect();
    // Of these some may be inferior to others; no other cell wins.
    assert!(!winning.is_empty());
    assert!(winning.iter().all(|mv| ["d1", "c2", "b3", "a4"].contains(mv)), "{winning:?}");
    assert_eq!(answers[5], "white");
    assert!(!answers[6].is_empty());
    let refused = talk(engine(GameKind::Hex), &["boardsize 13", "dfpn-solve-state b 0.01"]);
    assert_eq!(refused[1], "? not solved: the search was ended before");
}

#[test]
fn a_finished_game_can_be_asked_about() {
    let joined = "gogui-setup b a1 b a2 b a3 b a4 b a5";
    let names = commands(GameKind::Hex).map(|command| command.name);
    let names = names.filter(|name| {
        [
            "compute-",
            "vc-build",
            "vc-get",
            "eval-",
            "dfpn-",
            "kosumi-gammas",
            "kosumi-priors",
            "kosumi-net",
        ]
        .iter()
        .any(|start| name.starts_with(start))
    });
    for name in names {
        let answers = talk(engine(GameKind::Hex), &[joined, &format!("{name} w")]);
        assert!(answers[1].starts_with("= "), "{name}: {}", answers[1]);
    }
    assert_eq!(asked(joined, &["dfpn-solve-state w", "dfpn-solver-find-winning w"]), ["black", ""]);
}

#[test]
fn after_a_swap_of_pieces_the_board_is_the_one_that_is_shown() {
    // b4 becomes White's on d2; compare with the same board set up.
    let swapped = ["play b b4", "play w swap-pieces", "play b c3"];
    let set_up = ["gogui-setup w d2", "gogui-setup_player b", "play b c3"];
    // Dominators and lists of connections depend a little on the order of cells, which the mirror
    // changes; what is asked here does not.
    let questions = [
        "compute-fillin w",
        "vc-connected-to-full b c3",
        "vc-connected-to-full w west",
        "vc-between-cells-full w d2 east",
        "kosumi-gammas w",
        "kosumi-net w",
        "dfpn-solve-state w",
    ];
    let ask = |board: &[&str]| {
        let lines: Vec<&str> = board.iter().chain(&questions).copied().collect();
        talk(engine(GameKind::Hex), &lines)[3..].to_vec()
    };
    let answers = ask(&swapped).into_iter().zip(ask(&set_up));
    for (question, (after, like)) in questions.iter().zip(answers) {
        assert!(after.starts_with("= "), "{question}: {after}");
        assert_eq!(after, like, "{question}");
    }
}

#[test]
fn the_search_is_shown_where_the_board_stands() {
    let answers = talk(
        engine(GameKind::Hex),
        &[
            "play b c3",
            "kosumi-visits",
            "reg_genmove w",
            "kosumi-visits",
            "kosumi-values",
            "kosumi-line",
        ],
    );
    assert!(answers[1].starts_with("? this position has not been searched"), "{}", answers[1]);
    if answers[2] == "= swap-pieces" {
        assert!(answers[5].starts_with("= "));
    }
    let (visits, values) = (numbers(&answers[3][2..]), numbers(&answers[4][2..]));
    assert!(!visits.is_empty() && visits.keys().eq(values.keys()));
    assert!(visits.values().all(|&n| n >= 1.0) && values.values().all(|v| (0.0..=1.0).contains(v)));
}

#[test]
fn menus_offer_what_the_client_can_draw() {
    const GOGUI: &[&str] = &[
        "bwboard", "cboard", "dboard", "eplist", "gfx", "hstring", "hpstring", "none", "param",
        "plist", "pspairs", "pstring", "sboard", "string", "var", "varb", "varc", "varp", "varpo",
        "varw",
    ];
    const HEXGUI: &[&str] =
        &["group", "inferior", "move", "param", "plist", "pspairs", "string", "var", "vc"];
    for game in GameKind::ALL {
        let answers = talk(engine(game), &["gogui-analyze_commands", "hexgui-analyze_commands"]);
        for (answer, kinds) in answers.iter().zip([GOGUI, HEXGUI]) {
            let mut labels = Vec::new();
            for line in answer[2..].lines() {
                let parts: Vec<&str> = line.split('/').collect();
                let [kind, label, command] = parts[..] else { panic!("{line}") };
                assert!(kinds.contains(&kind), "{line}");
                assert!(!labels.contains(&label), "twice: {line}");
                labels.push(label);
                let name = command.split(' ').next().unwrap();
                assert!(commands(game).any(|known| known.name == name), "{game:?}: {line}");
            }
            let hex = labels.contains(&"Inferior Cells");
            assert_eq!(hex, game == GameKind::Hex, "only Hex has inferior cells");
        }
    }
}

#[test]
fn other_games_know_nothing_of_it() {
    for game in [GameKind::Go, GameKind::Havannah] {
        let refused = talk(engine(game), &["compute-inferior b"]);
        assert_eq!(refused[0], "? unknown command 'compute-inferior'");
        let error = engine(game).hex_view().unwrap_err().to_string();
        assert!(error.contains("is for Hex"), "{error}");
    }
}

#[test]
fn the_view_is_open_to_programs() {
    let mut engine = engine(GameKind::Hex);
    for cell in ["c2", "b4"] {
        engine.play(Colour::Black, cell).unwrap();
    }
    let view = engine.hex_view().unwrap();
    let found = view.connections(Colour::Black, "c2", "b4", ConnectionKind::Full).unwrap();
    let [Connection { carrier, key, .. }] = &found[..] else { panic!("{found:?}") };
    assert_eq!((carrier.join(" ").as_str(), key), ("b3 c3", &None));
}
