//! The solver against the plain one, and its proofs against the checker.

use kosumi_game::Rng;

use super::*;
use crate::HexRules;
use crate::plain;

fn hex<const W: usize>(stones: &Stones<W>, to_move: Colour) -> Hex {
    let of = |colour: Colour| {
        stones.of(colour).iter().map(move |cell| (colour, HexMove::from_index(cell)))
    };
    let rules = HexRules { swap: false };
    let all = of(Colour::Black).chain(of(Colour::White));
    Hex::from_stones(stones.lattice().size, rules, all, to_move).unwrap()
}

fn after(size: usize, moves: &str) -> Hex {
    let mut position = Hex::new(size, HexRules { swap: false }).unwrap();
    for mv in moves.split_whitespace() {
        let mv = position.parse_move(mv).unwrap();
        position.try_play(mv).unwrap();
    }
    position
}

/// Random boards of each size, some with few stones.
fn boards(count: usize, seed: u64) -> impl Iterator<Item = (Stones<1>, Colour)> {
    let mut rng = Rng::new(seed);
    (0..count).map(move |number| {
        let (size, least) = [(3, 0), (4, 0), (5, 6), (6, 14)][number % 4];
        let most = size * size - 2;
        let stones = least + rng.below((most - least) as u32) as usize;
        let board = plain::random_stones(size, stones, &mut rng);
        (board, Colour::BOTH[rng.below(2) as usize])
    })
}

#[test]
fn agrees_with_the_plain_solver_and_proves_it() {
    let mut solvers: Vec<_> = (3..=6).map(|size| HexSolver::new(size, 1 << 20).unwrap()).collect();
    for (board, to_move) in boards(200, 1) {
        let position = hex(&board, to_move);
        let solver = &mut solvers[position.size() - 3];
        let expected = plain::winner(&board, to_move);
        let solution = solver.solve(&position, Limits::default());
        assert_eq!(solution.winner, Some(expected), "{to_move} to move\n{position}");
        let proof = solver.prove(&position, 1 << 20, Limits::default()).unwrap();
        assert_eq!(proof.winner, expected);
        assert_eq!(check_proof(&proof), Ok(()), "{to_move} to move\n{position}\n{proof}");
        assert_eq!(Proof::parse(&proof.to_string()), Ok(proof));
    }
}

/// The values of all openings: `B` where Black wins.
fn openings(size: usize) -> String {
    let mut solver = HexSolver::new(size, 1 << 24).unwrap();
    let mut text = String::new();
    for cell in 0..size * size {
        let mut position = after(size, "");
        position.play(HexMove::from_index(cell));
        let solution = solver.solve(&position, Limits::default());
        text.push(match solution.winner {
            Some(Colour::Black) => 'B',
            Some(Colour::White) => 'W',
            None => '?',
        });
    }
    text
}

#[test]
fn openings_of_small_boards() {
    for size in [3, 4] {
        let plain: String = (0..size * size)
            .map(|cell| {
                let mut board = Stones::<1>::empty_board(size).unwrap();
                board.place(Colour::Black, cell);
                if plain::winner(&board, Colour::White) == Colour::Black { 'B' } else { 'W' }
            })
            .collect();
        assert_eq!(openings(size), plain);
    }
    // The short diagonal and, on 5x5, much of the middle.
    assert_eq!(openings(4), "WWWBWWBWWBWWBWWW");
    let five = openings(5);
    let turned: String = five.chars().rev().collect();
    assert_eq!(five, turned, "half a turn changes nothing");
}

#[test]
#[ignore]
fn measure() {
    for size in 4..=std::env::var("MOST").map_or(6, |n| n.parse().unwrap()) {
        let mut solver = HexSolver::new(size, 1 << 27).unwrap();
        let mut text = String::new();
        let began = std::time::Instant::now();
        for cell in 0..size * size {
            let mut position = after(size, "");
            position.play(HexMove::from_index(cell));
            let start = (solver.nodes(), std::time::Instant::now());
            let limits =
                Limits { time: Some(std::time::Duration::from_secs(60)), ..Limits::default() };
            let solution = solver.solve(&position, limits);
            text.push(match solution.winner {
                Some(Colour::Black) => 'B',
                Some(_) => 'W',
                None => '?',
            });
            if let Ok(most) = std::env::var("PROVE") {
                let t = std::time::Instant::now();
                let proof = solver.prove(&position, most.parse().unwrap(), Limits::default());
                let n = proof.as_ref().map(|p| p.nodes.len());
                let extracted = t.elapsed();
                let checked = proof.as_ref().map(check_proof);
                println!("proof {n:?} {checked:?} extracted {extracted:?} checked {:?}", t.elapsed() - extracted);
            }
            if size >= 6 {
                println!(
                    "{} {:?} nodes {} time {:?}",
                    position.move_text(HexMove::from_index(cell)),
                    solution.winner,
                    solver.nodes() - start.0,
                    start.1.elapsed()
                );
            }
            if began.elapsed().as_secs() > 120 {
                break;
            }
        }
        println!(
            "{size} {text} nodes {} {:?} full {}",
            solver.nodes(),
            began.elapsed(),
            solver.fullness()
        );
    }
}
