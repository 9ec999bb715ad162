//! The time an analysis of inferior cells takes, and what it finds on boards with random stones
//! that lie near each other: `cargo bench -p kosumi-hex --bench inferior`.

use std::hint::black_box;
use std::time::Instant;

use kosumi_game::Rng;
use kosumi_hex::{Colour, Inferior, Stones};

fn main() {
    // `cargo test --benches` only wants to see it run.
    let seconds = if std::env::args().any(|a| a == "--bench") { 0.5 } else { 0.01 };
    println!("size  stones  microseconds  filled  vulnerable  dominated  moves");
    for share in [0, 10, 20, 30] {
        measure::<2>(11, share, seconds);
        measure::<3>(13, share, seconds);
        measure::<6>(19, share, seconds);
    }
}

fn measure<const W: usize>(size: usize, percent: usize, seconds: f64) {
    const BOARDS: usize = 64;
    let stones = size * size * percent / 100;
    let boards: Vec<Stones<W>> = (0..BOARDS as u64).map(|i| random(size, stones, i)).collect();
    let mut inferior = Inferior::new();
    let mut count = 0;
    let begin = Instant::now();
    let elapsed = loop {
        for board in &boards {
            black_box(inferior.analyse(board, Colour::Black));
        }
        count += BOARDS;
        let elapsed = begin.elapsed().as_secs_f64();
        if elapsed >= seconds {
            break elapsed;
        }
    };
    let mut sums = [0; 4];
    for board in &boards {
        let found = inferior.analyse(board, Colour::Black);
        let filled = board.empty().len() - found.stones.empty().len();
        let counts = [filled, found.vulnerable.len(), found.dominated.len(), found.moves.len()];
        sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
    let [filled, vulnerable, dominated, moves] = sums.map(|sum| sum as f64 / BOARDS as f64);
    let micros = 1e6 * elapsed / count as f64;
    println!(
        "{size:>4}  {stones:>6}  {micros:>12.1}  {filled:>6.1}  {vulnerable:>10.1}  \
         {dominated:>9.1}  {moves:>5.1}"
    );
}

/// Stones that lie like those of a game: each next to another or a bridge away, colours in turn.
fn random<const W: usize>(size: usize, count: usize, seed: u64) -> Stones<W> {
    let mut rng = Rng::stream(1, seed);
    let mut stones = Stones::empty_board(size).expect("a legal size");
    for turn in 0..count {
        let colour = Colour::BOTH[turn % 2];
        let lattice = stones.lattice();
        let taken = stones.of(Colour::Black) | stones.of(Colour::White);
        let near = (lattice.grown(lattice.grown(taken)) - lattice.grown(stones.of(colour)))
            & stones.empty();
        let from = if near.is_empty() || turn < 4 { stones.empty() } else { near };
        let cell = from.iter().nth(rng.below(from.len() as u32) as usize).expect("not empty");
        stones.place(colour, cell);
    }
    stones
}
