//! Random games with the planes of every position, to check another implementation of the rules.
//!
//! ```text
//! cargo run --release -p kosumi-havannah --example random_games -- --size 5 --games 1000 --seed 1
//! ```
//! prints one JSON object a line and game:
//!
//! - `size`: the base size s; the grid has 2s - 1 rows and columns;
//! - `heavy`: whether a win at once was played whenever there was one, as in every second game; all
//!   other moves are drawn from all legal ones, and nobody swaps;
//! - `moves`: the cells in the order of the moves, each y (2s - 1) + x;
//! - `planes`: for each of these moves a hash of the position before it, as 16 hexadecimal digits:
//!   FNV-1a with 64 bits (offset basis cbf29ce484222325, prime 100000001b3) of the fourteen planes
//!   that docs/net-format.md lists, in that order, each (2s - 1)² bytes, row by row, 1 where the plane
//!   is set and 0 elsewhere, also off the board;
//! - `winner`: `white`, `black` or `draw`. White moves first.

use std::io::Write;

use kosumi_game::{Game, Rng};
use kosumi_havannah::{Havannah, HavannahMove, HavannahRules};
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut size, mut games, mut seed) = (5, 10, 1);
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        let value = arguments.next().ok_or_else(|| format!("{name} needs a number"))?.parse()?;
        match name.as_str() {
            "--size" => size = value,
            "--games" => games = value,
            "--seed" => seed = value,
            _ => return Err(format!("{name} is unknown: use --size, --games or --seed").into()),
        }
    }
    let start = Havannah::new(usize::try_from(size)?, HavannahRules { swap: false })?;
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for number in 0..games {
        let line = game(start.clone(), number % 2 == 1, &mut Rng::stream(seed, number));
        writeln!(out, "{line}")?;
    }
    Ok(out.flush()?)
}

/// A game to its end.
fn game(mut position: Havannah, heavy: bool, rng: &mut Rng) -> Value {
    let side = 2 * position.size() - 1;
    let (mut cells, mut hashes, mut moves) = (Vec::new(), Vec::new(), Vec::new());
    while position.outcome().is_none() {
        moves.clear();
        position.legal_moves(&mut moves);
        let wins = |mv: &HavannahMove| position.would_win(position.colour_to_move(), *mv);
        if heavy && moves.iter().any(wins) {
            moves.retain(wins);
        }
        let mv = moves[rng.below(moves.len() as u32) as usize];
        let (y, x) = position.row_and_column(mv).expect("nobody swaps");
        cells.push(y * side + x);
        hashes.push(format!("{:016x}", fnv(&position.net_planes())));
        position.play(mv);
    }
    let winner = position.winner().map_or("draw".to_owned(), |colour| colour.to_string());
    json!({
        "size": position.size(), "heavy": heavy, "moves": cells, "planes": hashes, "winner": winner,
    })
}

fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}
