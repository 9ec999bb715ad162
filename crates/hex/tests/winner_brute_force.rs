//! The winner of random games against a breadth-first search, on every size. The counts grow with
//! `KOSUMI_TEST_SCALE`.

mod common;

use common::joined;
use kosumi_game::testing::scaled;
use kosumi_game::{Game, Move, Rng};
use kosumi_hex::{Colour, Hex, HexMove, HexRules, MAX_SIZE, MIN_SIZE};

/// The cells in a random order, as moves.
fn shuffled(start: &Hex, rng: &mut Rng) -> Vec<HexMove> {
    let mut cells: Vec<HexMove> = (0..start.points().len()).map(HexMove::from_index).collect();
    rng.shuffle(&mut cells);
    cells
}

#[test]
fn the_winner_is_the_one_a_search_finds() {
    for size in MIN_SIZE..=MAX_SIZE {
        let start = Hex::new(size, HexRules::default()).unwrap();
        for game in 0..scaled(20_000) {
            let mut rng = Rng::stream(size as u64, game);
            let mut position = start.clone();
            for mv in shuffled(&start, &mut rng) {
                let before = position.clone();
                position.try_play(mv).unwrap();
                // Every move of a sample; otherwise around the deciding one.
                let decided = position.winner().is_some();
                if game % 100 == 0 || decided {
                    let winner: Vec<Colour> = position.winner().into_iter().collect();
                    assert_eq!(joined(&position), winner, "game {game}:\n{position}");
                }
                if decided {
                    assert_eq!(joined(&before), [], "game {game}, decided too late:\n{before}");
                    break;
                }
            }
            assert!(position.winner().is_some(), "game {game}:\n{position}");
        }
    }
}

#[test]
fn exactly_one_side_wins_a_full_board() {
    for size in MIN_SIZE..=MAX_SIZE {
        let start = Hex::new(size, HexRules::default()).unwrap();
        for game in 0..scaled(2_000) {
            let mut rng = Rng::stream(100 + size as u64, game);
            // From all black to all white, so that unbalanced boards occur as well.
            let black = rng.below(65_537);
            let stones: Vec<(Colour, HexMove)> = shuffled(&start, &mut rng)
                .into_iter()
                .map(|mv| match rng.chance_in_65536(black) {
                    true => (Colour::Black, mv),
                    false => (Colour::White, mv),
                })
                .collect();
            let full = Hex::from_stones(size, start.rules(), stones, Colour::Black).unwrap();
            let winner = full.winner().expect("a full board has a winner");
            assert_eq!(joined(&full), [winner], "board {game}:\n{full}");
        }
    }
}
