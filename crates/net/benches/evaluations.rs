//! Positions evaluated per second by a net of the size that Hex has, on each path of this CPU.
//!
//! `cargo bench -p kosumi-net`; or with a weight file of Hex: `… -- net.weights`

use std::time::Instant;

use kosumi_learn::WeightFile;
use kosumi_net::{Board, GameInputs, Heads, Net, Path, Scratch};

fn main() {
    let file = std::env::args().skip(1).find(|argument| argument.ends_with(".weights"));
    let file = file.unwrap_or_else(|| {
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/hex/net.weights").into()
    });
    let bytes = std::fs::read(&file).expect("a weight file");
    let file = WeightFile::from_bytes(&bytes).expect("weights");
    let planes = ["own", "opp", "board", "last"];
    let inputs = GameInputs { game: "hex", planes: &planes, scalars: &[], passes: false };
    let net = Net::from_file(&file, &inputs).expect("a net of Hex");
    for size in [11, 13, 19] {
        let board = Board::rectangle(size, size);
        for path in Path::available() {
            let mut scratch = Scratch::default();
            let (begun, mut count) = (Instant::now(), 0);
            while begun.elapsed().as_secs_f64() < 0.5 {
                net.evaluate_by(path, Heads::Play, &mut scratch, &board, &[], |planes| {
                    for row in 1..=size {
                        for column in 1..=size {
                            let plane = (row * 7 + column * 3 + count) % 10;
                            if plane < net.planes().len() {
                                planes.set(plane, row, column);
                            }
                        }
                    }
                });
                count += 1;
            }
            println!(
                "{size}x{size} {}: {:.0} per second",
                path.name(),
                count as f64 / begun.elapsed().as_secs_f64()
            );
        }
    }
}
