//! The smallest GTP engine: `cargo run --release --example gtp -- hex 11 1000`.

use std::io::{BufReader, stdin, stdout};

use kosumi_engine::{Engine, EngineOptions, gtp, parse_game};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let game = parse_game(arguments.first().map_or("go", String::as_str))?;
    let mut options = EngineOptions::new(game);
    options.size = arguments.get(1).map(|size| size.parse()).transpose()?;
    options.simulations = arguments.get(2).map(|n| n.parse()).transpose()?;
    let engine = Engine::new(&options)?;
    gtp::serve(engine, BufReader::new(stdin()), stdout(), gtp::GtpOptions::default())?;
    Ok(())
}
