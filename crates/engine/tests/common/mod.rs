//! Talking to a GTP session in a test.
#![allow(dead_code)] // Each test file uses its part.

use std::io::{BufReader, Cursor};

use kosumi_engine::gtp::{GtpOptions, serve};
use kosumi_engine::{Engine, EngineOptions, GameKind};

/// A small and quick engine.
pub fn options(game: GameKind) -> EngineOptions {
    let mut options = EngineOptions::new(game);
    options.size = Some(match game {
        GameKind::Hex => 5,
        GameKind::Havannah => 4,
        GameKind::Go => 7,
    });
    options.simulations = Some(40);
    options.memory_mb = Some(8);
    options.seed = Some(7);
    if game == GameKind::Hex {
        // The first moves are to be searched like all others.
        options.set.push(("knowledge.openings".to_string(), "false".to_string()));
    }
    options
}

pub fn engine(game: GameKind) -> Engine {
    Engine::new(&options(game)).unwrap()
}

/// Everything a session answers to these bytes.
pub fn answer_bytes(engine: Engine, input: &[u8]) -> String {
    let mut output = Vec::new();
    let input = BufReader::new(Cursor::new(input.to_vec()));
    serve(engine, input, &mut output, GtpOptions::default()).unwrap();
    String::from_utf8(output).expect("answers are UTF-8")
}

/// The answers to these lines, one each, without the empty line that ends them.
pub fn talk(engine: Engine, lines: &[&str]) -> Vec<String> {
    let output = answer_bytes(engine, (lines.join("\n") + "\n").as_bytes());
    split_answers(&output)
}

/// Splits a session's output into answers; checks that nothing else is in it.
pub fn split_answers(output: &str) -> Vec<String> {
    if output.is_empty() {
        return Vec::new();
    }
    let body = output.strip_suffix("\n\n").expect("ends with an empty line");
    let answers: Vec<String> = body.split("\n\n").map(str::to_string).collect();
    for answer in &answers {
        let rest = answer.strip_prefix(['=', '?']);
        let rest = rest.unwrap_or_else(|| panic!("no answer: {answer:?}"));
        let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        assert!(rest.starts_with(' '), "no blank after the sign: {answer:?}");
    }
    answers
}
