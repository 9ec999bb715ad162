//! The incremental win detector against a recomputation from the stones alone.
//!
//! Stones are never taken off, so a colour that has won has won for good: it is enough to compare
//! before and after the stone that the board says wins, and at the end when it says none did.
//! `KOSUMI_TEST_SCALE` multiplies the number of games (1 by default).

#[path = "../src/slow.rs"]
mod slow;

use kosumi_game::testing::scaled;
use kosumi_game::{Game, Move, Rng};
use kosumi_havannah::{Colour, Havannah, HavannahMove, HavannahRules};

fn empty(size: usize) -> Havannah {
    Havannah::new(size, HavannahRules { swap: false }).unwrap()
}

fn slow_wins(game: &Havannah) -> [bool; 2] {
    Colour::BOTH.map(|colour| {
        slow::has_won(game.size(), |y, x| game.stone(game.cell(y, x).unwrap()) == Some(colour))
    })
}

/// Plays the moves until the board says that somebody won, and compares. Returns the winner.
fn check(size: usize, moves: impl IntoIterator<Item = (HavannahMove, Colour)>) -> Option<Colour> {
    let mut game = empty(size);
    for (mv, colour) in moves {
        game.set_turn(colour);
        let before = game.would_win(colour, mv).then(|| game.clone());
        game.play(mv);
        assert_eq!(game.winner(), before.is_some().then_some(colour), "{game}");
        if let Some(before) = before {
            assert_eq!(slow_wins(&before), [false; 2], "before {}\n{before}", game.move_text(mv));
            assert!(slow_wins(&game)[colour.index()], "after {}\n{game}", game.move_text(mv));
            return Some(colour);
        }
    }
    assert_eq!(slow_wins(&game), [false; 2], "at the end\n{game}");
    None
}

/// All cells in random order, each for White with a chance of `white` in 16.
fn fillings(size: usize, games: u64, white: u32) -> [u64; 3] {
    let mut results = [0; 3];
    for number in 0..scaled(games) {
        let mut rng = Rng::stream(size as u64 * 100 + u64::from(white), number);
        let mut cells: Vec<usize> = (0..empty(size).move_space() - 1).collect();
        rng.shuffle(&mut cells);
        let moves = cells.into_iter().enumerate().map(|(ply, cell)| {
            // Half the fillings alternate, as games do.
            let white_next = if white == 8 { ply % 2 == 0 } else { rng.below(16) < white };
            let colour = if white_next { Colour::White } else { Colour::Black };
            (HavannahMove::from_index(cell), colour)
        });
        results[check(size, moves).map_or(2, Colour::index)] += 1;
    }
    results
}

#[test]
fn random_games() {
    for size in 3..=10 {
        let games = if size < 8 { 20_000 } else { 10_000 };
        let results = fillings(size, games, 8);
        assert!(results[0] > 0 && results[1] > 0, "size {size}: {results:?}");
    }
}

#[test]
fn fillings_with_more_white() {
    for size in 3..=10 {
        for white in [11, 14, 16] {
            fillings(size, 2_000, white);
        }
    }
}

/// Blobs of one colour away from the rim, where only rings can win. With `compact`, stones that
/// would touch the blob in two places wait, so that most rings are filled ones.
fn blobs(size: usize, games: u64, compact: bool) -> [u64; 2] {
    let board = empty(size);
    let middle = size as i32 - 1;
    let inner = |y: i32, x: i32| {
        let (y, x) = (y - middle, x - middle);
        y.abs().max(x.abs()).max((y - x).abs()) < middle
    };
    const AROUND: [(i32, i32); 6] = [(-1, -1), (-1, 0), (0, 1), (1, 1), (1, 0), (0, -1)];
    let mut kinds = [0; 2];
    for number in 0..scaled(games) {
        let mut rng = Rng::stream(7_000 + size as u64 + u64::from(compact) * 50, number);
        let mut blob = vec![(middle, middle)];
        let mut moves = vec![(middle, middle)];
        for _ in 0..400 {
            let (y, x) = blob[rng.below(blob.len() as u32) as usize];
            let (dy, dx) = AROUND[rng.below(6) as usize];
            let (y, x) = (y + dy, x + dx);
            if !inner(y, x) || blob.contains(&(y, x)) {
                continue;
            }
            let own = |d: usize| blob.contains(&(y + AROUND[d % 6].0, x + AROUND[d % 6].1));
            let runs = (0..6).filter(|&d| own(d) && !own(d + 5)).count();
            if compact && runs > 1 {
                continue;
            }
            blob.push((y, x));
            moves.push((y, x));
        }
        let stones = moves.iter().map(|&(y, x)| {
            let cell = board.cell(y as usize, x as usize).unwrap();
            (cell, Colour::White)
        });
        let winner = check(size, stones);
        kinds[usize::from(winner.is_some())] += 1;
        let ring = slow::has_ring(size, |y, x| blob.contains(&(y as i32, x as i32)));
        assert_eq!(winner.is_some(), ring, "only rings win here");
    }
    kinds
}

#[test]
fn rings_of_blobs() {
    for size in [4, 5, 7, 10] {
        for compact in [false, true] {
            let [_, rings] = blobs(size, 4_000, compact);
            assert!(rings > 0, "size {size}, compact {compact}: no ring");
        }
    }
}

/// Several blobs of both colours at once, so that chains merge in many ways.
#[test]
fn clustered_fillings() {
    for size in 4..=10 {
        for number in 0..scaled(1_500) {
            let mut rng = Rng::stream(9_000 + size as u64, number);
            let board = empty(size);
            let cells = board.move_space() as u32 - 1;
            let mut placed: Vec<(HavannahMove, Colour)> = Vec::new();
            let mut free = vec![true; cells as usize];
            while placed.len() < cells as usize * 4 / 5 {
                // Mostly next to a stone already there and of its colour, sometimes anywhere.
                let (cell, colour) = if placed.is_empty() || rng.below(8) == 0 {
                    let colour = Colour::BOTH[rng.below(3) as usize / 2];
                    (Some(HavannahMove::from_index(rng.below(cells) as usize)), colour)
                } else {
                    let (near, colour) = placed[rng.below(placed.len() as u32) as usize];
                    let (y, x) = board.row_and_column(near).unwrap();
                    let (dy, dx) =
                        [(0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0)][rng.below(6) as usize];
                    (board.cell(y.wrapping_add_signed(dy), x.wrapping_add_signed(dx)), colour)
                };
                if let Some(cell) = cell
                    && std::mem::replace(&mut free[cell.index()], false)
                {
                    placed.push((cell, colour));
                }
            }
            check(size, placed);
        }
    }
}
