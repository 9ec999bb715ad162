//! Whatever bytes come in, every line that is neither empty nor a comment gets one answer.

mod common;

use common::{answer_bytes, engine, split_answers};
use kosumi_engine::gtp::commands;
use kosumi_engine::{Config, GameKind};
use proptest::prelude::*;

/// How many lines want an answer, by GTP's rules: control characters vanish, a comment begins
/// with `#`. Nothing is read after `quit`.
fn expected_answers(input: &[u8]) -> usize {
    let mut count = 0;
    for line in input.split(|&byte| byte == b'\n') {
        let plain: Vec<u8> = line
            .iter()
            .copied()
            .take_while(|&byte| byte != b'#')
            .map(|byte| if byte == b'\t' { b' ' } else { byte })
            .filter(|byte| !byte.is_ascii_control())
            .collect();
        let mut words: Vec<&[u8]> = plain.split(|&b| b == b' ').filter(|w| !w.is_empty()).collect();
        if words.is_empty() {
            continue;
        }
        count += 1;
        if words[0].iter().all(u8::is_ascii_digit) {
            words.remove(0);
        }
        if words.first() == Some(&&b"quit"[..]) {
            break;
        }
    }
    count
}

fn check(game: GameKind, input: &[u8]) {
    let answers = split_answers(&answer_bytes(engine(game), input));
    assert_eq!(answers.len(), expected_answers(input));
}

fn any_game() -> impl Strategy<Value = GameKind> {
    prop::sample::select(GameKind::ALL.to_vec())
}

/// A word that a command might take, or not.
fn any_word() -> impl Strategy<Value = String> {
    let known = [
        "b",
        "w",
        "white",
        "a1",
        "A1",
        "C3",
        "c3",
        "d4",
        "D4",
        "pass",
        "resign",
        "swap",
        "swap-pieces",
        "swap-sides",
        "0",
        "1",
        "2",
        "5",
        "9",
        "-1",
        "1e9",
        "NaN",
        "inf",
        "7.5",
        "dead",
        "seki",
        "none",
        "absolute",
        "byoyomi",
        "canadian",
        "fischer",
        "chinese",
        "japanese",
        "interval",
        "ownership",
        "true",
        "maxmoves",
        "search.threads",
        "playout.policy",
        "light",
        "rules.swap",
        "false",
        "99999999999999999999",
        "/dev/null",
        "ä",
        "\u{0}",
        "\"",
        "{}",
    ];
    prop_oneof![
        8 => prop::sample::select(known.to_vec()).prop_map(str::to_string),
        1 => "[ -~]{0,12}",
        1 => any::<u64>().prop_map(|n| n.to_string()),
    ]
}

/// A line that is a command as often as not.
fn any_line() -> impl Strategy<Value = Vec<u8>> {
    let names: Vec<&str> = commands(GameKind::Go)
        .map(|command| command.name)
        // Absurd memory and threads are allowed to set but not nice to a test machine.
        .filter(|&name| name != "kosumi-param" && name != "quit")
        .collect();
    let command = (
        prop::option::of(any::<u32>()),
        prop::sample::select(names),
        prop::collection::vec(any_word(), 0..5),
    )
        .prop_map(|(id, name, words)| {
            let id = id.map(|id| format!("{id} ")).unwrap_or_default();
            format!("{id}{name} {}", words.join(" ")).into_bytes()
        });
    prop_oneof![
        6 => command,
        1 => prop::collection::vec(any::<u8>(), 0..60),
        1 => "[ -~]{0,40}".prop_map(String::into_bytes),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn random_bytes(game in any_game(), input in prop::collection::vec(any::<u8>(), 0..3000)) {
        check(game, &input);
    }

    #[test]
    fn random_commands(game in any_game(), lines in prop::collection::vec(any_line(), 0..40)) {
        check(game, &lines.join(&b'\n'));
    }

    #[test]
    fn random_configurations(game in any_game(), text in "[ -~\n]{0,200}") {
        let _ = Config::parse("test", &text, game);
    }

    #[test]
    fn random_keys_and_values(
        game in any_game(),
        table in "[a-z]{1,8}", key in "[a-z_.]{1,12}", value in "[-0-9a-z\"\\[\\],. ]{0,12}",
    ) {
        let _ = Config::parse("test", &format!("[{table}]\n{key} = {value}\n"), game);
    }
}

#[test]
fn a_line_of_a_megabyte_and_more_is_refused_once() {
    let mut input = vec![b'x'; 3 << 20];
    input.extend_from_slice(b"\n\xff\xfe\xfd\nname\n");
    let answers = split_answers(&answer_bytes(engine(GameKind::Go), &input));
    assert_eq!(answers.len(), 3);
    assert!(answers[0].contains("too long"), "{}", answers[0]);
    assert!(answers[1].starts_with("? unknown command"), "{}", answers[1]);
    assert_eq!(answers[2], "= Kosumi");
}
