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
                    for at in 0..net.planes().len() * (size + 2) * (size + 2) {
                        let (plane, cell) = (at % net.planes().len(), at / net.planes().len());
                        let (row, column) = (cell / (size + 2), cell % (size + 2));
                        if (row * 7 + column * 3 + count + plane).is_multiple_of(5) {
                            planes.set(plane, row, column);
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
