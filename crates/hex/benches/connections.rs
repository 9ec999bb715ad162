//! Builds of virtual connections (both colours) per second, from scratch and after each move of a
//! game, and what they find on boards that are filled in:
//! `cargo bench -p kosumi-hex --bench connections`.

use std::hint::black_box;
use std::time::Instant;

use kosumi_game::Rng;
use kosumi_hex::{Circuit, Colour, Connections, Inferior, Limits, Stones};

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
    let games = if seconds < 1.0 { 1 } else { 12 };
    println!("size  boards  built       fulls  semis  mustplay  builds/s");
    yields::<2>(11, games);
    yields::<3>(13, games);
}

/// Games that follow the currents of the circuit (H4), as boards after each move.
fn game<const W: usize>(size: usize, seed: u64) -> Vec<Stones<W>> {
    let mut rng = Rng::stream(1, seed);
    let mut circuit = Circuit::new();
    let mut boards = vec![Stones::empty_board(size).expect("a legal size")];
    loop {
        let mut next = boards[boards.len() - 1];
        if next.winner().is_some() {
            return boards;
        }
        let flows = Colour::BOTH.map(|colour| circuit.flow(&next, colour, []));
        let share = |cell: &usize| flows[0].share[*cell] + flows[1].share[*cell];
        let mut cells: Vec<usize> = next.empty().iter().collect();
        cells.sort_by(|a, b| share(b).total_cmp(&share(a)));
        // One of the best, or anywhere at first.
        let among = if boards.len() <= 2 { cells.len() } else { cells.len().min(4) };
        next.place(Colour::BOTH[(boards.len() - 1) % 2], cells[rng.below(among as u32) as usize]);
        boards.push(next);
    }
}

/// How often the sides are found connected, from scratch and by updates through the game, and how
/// many moves a colour is left with that is threatened.
fn yields<const W: usize>(size: usize, games: u64) {
    let mut connections =
        Connections::new(&Stones::<W>::empty_board(size).expect("a legal size"), Limits::default());
    let mut inferior = Inferior::new();
    for updated in [false, true] {
        let (mut fulls, mut semis, mut mustplay, mut boards, mut seconds) = (0, 0u32, 0, 0u32, 0.0);
        for seed in 0..games {
            for (turn, stones) in game::<W>(size, seed).iter().enumerate().skip(8) {
                let mut filled = *stones;
                if !updated {
                    filled = inferior.fill_in(stones);
                }
                let begin = Instant::now();
                if updated && turn > 8 {
                    connections.play(&filled);
                } else {
                    connections.build(&filled);
                }
                seconds += begin.elapsed().as_secs_f64();
                boards += 1;
                for colour in Colour::BOTH {
                    if connections.won_by_connection(colour).is_some() {
                        fulls += 1;
                    } else if connections.winning_semi(colour).is_some() {
                        semis += 1;
                        mustplay += connections.mustplay(colour.opponent()).len();
                    }
                }
            }
        }
        let built = if updated { "by updates" } else { "filled in" };
        let left = f64::from(mustplay as u32) / f64::from(semis.max(1));
        let rate = f64::from(boards) / seconds;
        println!(
            "{size:>4}  {boards:>6}  {built:<10}  {fulls:>5}  {semis:>5}  {left:>8.1}  {rate:>8.1}"
        );
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
