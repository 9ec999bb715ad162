//! GTP: whatever bytes come in, every line that is neither empty nor a comment gets one answer.
//!
//! The first byte chooses the game, so that one corpus serves all three.
//!
//! `RUSTC_BOOTSTRAP=1 cargo fuzz run gtp -- -dict=fuzz/gtp.dict -max_total_time=600`
#![no_main]

use std::io::{BufReader, Cursor};

use kosumi_engine::gtp::{GtpOptions, serve};
use kosumi_engine::{Engine, EngineOptions, GameKind};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((&first, rest)) = bytes.split_first() else {
        return;
    };
    let (game, size) = match first % 3 {
        0 => (GameKind::Go, 5),
        1 => (GameKind::Hex, 4),
        _ => (GameKind::Havannah, 3),
    };
    // Commands that wait, open files or take memory and threads by design are not what is looked
    // for here.
    let text = String::from_utf8_lossy(rest);
    let slow = ["kosumi-param", "loadsgf", "boardsize 1", "boardsize 2"];
    if slow.iter().any(|word| text.contains(word)) {
        return;
    }
    let mut options = EngineOptions::new(game);
    options.size = Some(size);
    options.simulations = Some(10);
    options.memory_mb = Some(1);
    let engine = Engine::new(&options).expect("the engine's own options");
    let mut output = Vec::new();
    let input = BufReader::new(Cursor::new(rest.to_vec()));
    serve(engine, input, &mut output, GtpOptions::default()).expect("writing to memory");
    let output = String::from_utf8(output).expect("answers are UTF-8");
    assert_eq!(answers(&output), expected_answers(rest), "{output}");
});

/// Answers end with an empty line and begin with a sign and a blank.
fn answers(output: &str) -> usize {
    let Some(body) = output.strip_suffix("\n\n") else {
        assert!(output.is_empty(), "{output:?}");
        return 0;
    };
    let is_answer = |answer: &&str| {
        let rest = answer.trim_start_matches(['=', '?']);
        assert_eq!(answer.len() - rest.len(), 1, "{answer:?}");
        assert!(!answer.contains("internal error"), "{answer}");
        rest.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(' ')
    };
    body.split("\n\n").filter(is_answer).count()
}

/// How many lines want an answer by GTP's rules; nothing is read after `quit`.
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
        let words = plain.split(|&byte| byte == b' ');
        let mut words: Vec<&[u8]> = words.filter(|word| !word.is_empty()).collect();
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
