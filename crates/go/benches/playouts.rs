//! Playouts per second from the empty board on one core, and moves per playout.

use std::sync::Arc;
use std::time::{Duration, Instant};

use kosumi_game::{Playout, Rng, Trace};
use kosumi_go::{
    BoardClass, GoGammaParams, GoPlayoutParams, HeavyPlayout, LearnedPlayout, LightPlayout,
    PlayoutModel, PlayoutWeights, Position, Rules, UpTo9, UpTo13, UpTo19,
};

fn measure<C: BoardClass>(name: &str, size: usize, mut playout: impl Playout<Position<C>>) {
    let start = Position::<C>::new(size, Rules::CHINESE).expect("a size of the class");
    let mut trace = Trace::new();
    let mut moves = 0;
    let mut run = |from: u64, time: Duration| {
        let begin = Instant::now();
        let mut played = from;
        while begin.elapsed() < time {
            for _ in 0..64 {
                trace.clear();
                playout.run(&start, &mut Rng::stream(1, played), &mut trace);
                moves += trace.len() as u64;
                played += 1;
            }
        }
        (played - from) as f64 / begin.elapsed().as_secs_f64()
    };
    run(0, Duration::from_millis(200));
    // The best of several short runs is what the machine can do undisturbed.
    let best =
        (1..=5u64).map(|part| run(part << 32, Duration::from_millis(300))).fold(0.0, f64::max);
    println!("{name:>7} {size:>2}x{size:<2} {best:>9.0} playouts/s");
}

fn main() {
    // `cargo test --benches` runs this too; only `cargo bench` passes `--bench`.
    if !std::env::args().any(|arg| arg == "--bench") {
        return;
    }
    measure::<UpTo9>("light", 9, LightPlayout::new());
    measure::<UpTo13>("light", 13, LightPlayout::new());
    measure::<UpTo19>("light", 19, LightPlayout::new());
    let params = GoPlayoutParams::default();
    measure::<UpTo9>("heavy", 9, HeavyPlayout::new(&params));
    measure::<UpTo13>("heavy", 13, HeavyPlayout::new(&params));
    measure::<UpTo19>("heavy", 19, HeavyPlayout::new(&params));
    // Speed hardly depends on the gammas; with all of them 1 no file is needed.
    let model = PlayoutModel::new(vec![0.0; PlayoutModel::features()]);
    let weights = Arc::new(PlayoutWeights::new(&model, &GoGammaParams::default(), params.ladder));
    measure::<UpTo9>("learned", 9, LearnedPlayout::new(Arc::clone(&weights)));
    measure::<UpTo13>("learned", 13, LearnedPlayout::new(Arc::clone(&weights)));
    measure::<UpTo19>("learned", 19, LearnedPlayout::new(weights));
}
