//! Playouts per second from the empty board.

use std::time::{Duration, Instant};

use kosumi_game::{Playout, Rng, Trace};
use kosumi_havannah::{Havannah, HavannahRules, HeavyParams, HeavyPlayout, LightPlayout, WinReach};

/// `(playouts per second, moves per playout)`.
fn measure(start: &Havannah, mut playout: impl Playout<Havannah>) -> (f64, f64) {
    let (mut trace, mut moves, mut playouts) = (Trace::new(), 0, 0);
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_millis(700) {
        for _ in 0..500 {
            trace.clear();
            playout.run(start, &mut Rng::stream(1, playouts), &mut trace);
            playouts += 1;
            moves += trace.len();
        }
    }
    let rate = playouts as f64 / begin.elapsed().as_secs_f64();
    (rate, moves as f64 / playouts as f64)
}

fn main() {
    let wins = |reach| HeavyParams { win: true, block: true, reach, ..HeavyParams::default() };
    for size in [5, 8, 10] {
        let start = Havannah::new(size, HavannahRules::default()).expect("a supported size");
        let heavy = |params| measure(&start, HeavyPlayout::new(&params));
        for (name, (rate, moves)) in [
            ("light", measure(&start, LightPlayout::new())),
            ("heavy", heavy(HeavyParams::default())),
            ("heavy, wins near", heavy(wins(WinReach::Near))),
            ("heavy, all wins", heavy(wins(WinReach::Chains))),
        ] {
            println!("size {size:2}  {name:18} {rate:9.0} playouts/s  {moves:5.1} moves");
        }
    }
}
