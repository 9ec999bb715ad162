//! Playouts per second from the empty board: `cargo bench -p kosumi-hex`.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use kosumi_game::{Playout, Rng, Trace};
use kosumi_hex::{
    Hex, HexPlayoutParams, HexRules, LightPlayout, PatternModel, PatternPlayout, PatternWeights,
    SavebridgePlayout,
};
use kosumi_learn::WeightFile;

fn main() {
    // `cargo test --benches` only wants to see it run.
    let seconds = if std::env::args().any(|a| a == "--bench") { 1.0 } else { 0.01 };
    let file = WeightFile::from_bytes(include_bytes!("../../../data/hex/playouts.weights"));
    let model = PatternModel::from_file(&file.expect("a weight file")).expect("patterns");
    let weights = Arc::new(PatternWeights::new(&model, &HexPlayoutParams::default()));
    println!("size  policy      playouts/s  microseconds");
    for size in [11, 13, 19] {
        let start = Hex::new(size, HexRules::default()).expect("a legal size");
        measure(size, "light", seconds, &start, LightPlayout::new());
        measure(size, "savebridge", seconds, &start, SavebridgePlayout::new());
        measure(size, "patterns", seconds, &start, PatternPlayout::new(Arc::clone(&weights)));
    }
}

fn measure(size: usize, name: &str, seconds: f64, start: &Hex, mut playout: impl Playout<Hex>) {
    const BATCH: u64 = 1000;
    let mut trace = Trace::new();
    let mut count = 0;
    let begin = Instant::now();
    let elapsed = loop {
        for index in count..count + BATCH {
            trace.clear();
            let reward = playout.run(start, &mut Rng::stream(1, index), &mut trace);
            black_box(reward);
        }
        count += BATCH;
        let elapsed = begin.elapsed().as_secs_f64();
        if elapsed >= seconds {
            break elapsed;
        }
    };
    let rate = count as f64 / elapsed;
    println!("{size:>4}  {name:<10}  {rate:>10.0}  {:>12.3}", 1e6 / rate);
}
