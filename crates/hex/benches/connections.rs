//! Builds of virtual connections (both colours) per second, from scratch and after each move of a
//! game: `cargo bench -p kosumi-hex --bench connections`.

use std::hint::black_box;
use std::time::Instant;

use kosumi_hex::{Colour, Connections, Limits, Stones};

/// Openings and what followed, Black first.
const GAMES: [(usize, &str); 4] = [
    (11, "a10 f6 g4 d5 d8 h7 c4 e8 h3 i2 i3 j2 g9 f10 e4 e5 f4 c6"),
    (11, "b4 f6 d7 g7 f8 e9 h5 i3 d3 c5 e3 f2 d5 c7 b8 c10 j4 i6"),
    (13, "a10 g7 i4 e5 d9 j9 d4 f9 k3 l2 h11 g11 f4 f5 h4 i6 k6 j7"),
    (13, "m2 g7 e8 i8 d5 f4 j10 k9 h10 g10 h9 i10 c9 d10 e10 f8 b7 c6"),
];

fn cells(size: usize, moves: &str) -> Vec<usize> {
    let cell = |name: &str| {
        let (column, row) = name.split_at(1);
        let row: usize = row.parse().expect("a row");
        (row - 1) * size + usize::from(column.as_bytes()[0] - b'a')
    };
    moves.split(' ').map(cell).collect()
}

fn main() {
    // `cargo test --benches` only wants to see it run.
    let seconds = if std::env::args().any(|a| a == "--bench") { 1.0 } else { 0.01 };
    println!("size  stones  builds/s  updates/s  fulls");
    for (size, moves) in GAMES {
        let cells = cells(size, moves);
        for stones in [6, 12, 18] {
            match size {
                11 => measure::<2>(size, &cells[..stones], seconds),
                _ => measure::<3>(size, &cells[..stones], seconds),
            }
        }
    }
}

fn measure<const W: usize>(size: usize, cells: &[usize], seconds: f64) {
    let mut boards = vec![Stones::<W>::empty_board(size).expect("a legal size")];
    for (turn, &cell) in cells.iter().enumerate() {
        let mut next = boards[turn];
        next.place(Colour::BOTH[turn % 2], cell);
        boards.push(next);
    }
    let last = boards[cells.len()];
    let mut connections = Connections::new(&last, Limits::default());
    let fulls: usize = Colour::BOTH.into_iter().map(|c| connections.links(c).count()).sum();
    let builds = rate(seconds, 1, || {
        connections.build(&last);
        black_box(connections.won_by_connection(Colour::Black));
    });
    // The last six moves, one after the other, and back.
    let from = cells.len() - 6;
    connections.build(&boards[from]);
    let updates = rate(seconds, 6, || {
        for board in &boards[from + 1..] {
            connections.play(board);
            black_box(connections.won_by_connection(Colour::Black));
        }
        while connections.undo() {}
    });
    println!("{size:>4}  {:>6}  {builds:>8.1}  {updates:>9.1}  {fulls:>5}", cells.len());
}

fn rate(seconds: f64, per_call: usize, mut work: impl FnMut()) -> f64 {
    let begin = Instant::now();
    let mut count = 0;
    loop {
        work();
        count += per_call;
        let elapsed = begin.elapsed().as_secs_f64();
        if elapsed >= seconds {
            return count as f64 / elapsed;
        }
    }
}
