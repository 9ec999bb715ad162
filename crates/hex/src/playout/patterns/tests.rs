use std::collections::BTreeMap;

use kosumi_game::Game;

use super::weights::{FULL, MOST_LOCAL};
use super::*;
use crate::patterns::{Extent, PatternKey, PatternModel, Surroundings};
use crate::{HexRules, MAX_SIZE};

/// A model of everything that comes up in some random games, with made-up gammas.
fn made_up_model(size: usize) -> PatternModel {
    let mut keys = Vec::new();
    let mut rng = Rng::new(size as u64);
    for _ in 0..4 {
        let mut game = Hex::new(size, HexRules { swap: false }).unwrap();
        let mut moves = Vec::new();
        while game.outcome().is_none() {
            let around = Surroundings::of(&game);
            moves.clear();
            game.legal_moves(&mut moves);
            for &mv in &moves {
                let at = game.point(mv).unwrap();
                let extent = Extent::ALL[rng.below(3) as usize];
                let (global, local) = around.keys(at, extent);
                keys.push(global);
                keys.extend(local);
            }
            game.play(moves[rng.below(moves.len() as u32) as usize]);
        }
    }
    keys.sort_unstable();
    keys.dedup();
    let thetas: Vec<f32> = keys.iter().map(|_| rng.below(8000) as f32 / 1000.0 - 4.0).collect();
    PatternModel::new(&keys, &thetas)
}

fn weights(model: &PatternModel) -> Arc<PatternWeights> {
    Arc::new(PatternWeights::new(model, &HexPlayoutParams::default()))
}

/// What a cell weighs, from the model alone.
fn weight_of(
    gammas: &BTreeMap<PatternKey, f32>,
    weights: &PatternWeights,
    around: &Surroundings,
    at: Point,
) -> (u32, u32) {
    let mut found = (None, None);
    for extent in [Extent::Twelve, Extent::Six] {
        let (global, local) = around.keys(at, extent);
        found.0 = found.0.or(gammas.get(&global));
        found.1 = found.1.or(local.and_then(|key| gammas.get(&key)));
    }
    let (gamma, local_gamma) = (*found.0.unwrap_or(&1.0), found.1.copied());
    let (global, local) = weights.of_gammas(gamma, local_gamma);
    for (weight, gamma) in [(global, gamma.min(0.157)), (local, local_gamma.unwrap_or(0.0))] {
        let exact = FULL * (gamma / 0.157);
        assert!((weight as f32 - exact).abs() <= 0.03 * exact + 1.0, "{weight} {exact}");
    }
    (global, local)
}

#[test]
fn weights_kept_up_to_date_are_those_of_the_model() {
    for size in [3, 4, 7, 11, 19] {
        let model = made_up_model(size);
        let gammas: BTreeMap<PatternKey, f32> = model.gammas().collect();
        let weights = weights(&model);
        let mut state = PatternPlayout::new(Arc::clone(&weights)).state;
        let mut game = Hex::new(size, HexRules { swap: false }).unwrap();
        let mut rng = Rng::new(9);
        state.load(&game, &weights);
        let check = |state: &State, game: &Hex| {
            let around = Surroundings::of(game);
            let colour = game.colour_to_move();
            let mut sums = (0, 0);
            for &at in game.points() {
                let expected = match game.cell(at) {
                    Cell::Empty => weight_of(&gammas, &weights, &around, at),
                    _ => (0, 0),
                };
                let list = &state.answers.list[..state.answers.len];
                let local = list.iter().filter(|(point, _)| *point == at.0).map(|(_, w)| w);
                let global = half(state.field.spots[at.index() + REACH].weights, colour);
                assert_eq!((global, local.sum()), expected, "{at}\n{game}");
                sums = (sums.0 + expected.0, sums.1 + expected.1);
            }
            assert_eq!((half(state.field.total, colour), state.answers.total), sums);
        };
        loop {
            check(&state, &game);
            let mut anew = state.clone();
            anew.load(&game, &weights);
            check(&anew, &game);
            if game.stones() + 1 == size * size {
                break;
            }
            let colour = game.colour_to_move();
            let at = state.drawn(colour, rng.below(state.total(colour)));
            state.place(at, colour, &weights);
            // The board fills beyond the end of the game.
            game.place(at);
        }
    }
}

/// Boards of one search and then of another, on a smaller board: each is loaded as if it were the first.
#[test]
fn what_earlier_playouts_had_in_common_changes_nothing() {
    let weights = weights(&made_up_model(7));
    let mut used = PatternPlayout::new(Arc::clone(&weights)).state;
    let mut rng = Rng::new(12);
    for size in [7, 7, 5] {
        let mut root = Hex::new(size, HexRules { swap: false }).unwrap();
        for _ in 0..3 {
            play_at_random(&mut root, 4, &mut rng);
            for number in 0..2 * WINDOW {
                let mut game = root.clone();
                play_at_random(&mut game, 1 + rng.below(4), &mut rng);
                let mut fresh = PatternPlayout::new(Arc::clone(&weights)).state;
                assert_eq!(used.load(&game, &weights), fresh.load(&game, &weights));
                let seen = |state: &State| {
                    let spots = state.field.spots.map(|spot| (spot.weights, spot.shape));
                    (state.cells, spots, state.field.rows, state.field.total, state.answers.total)
                };
                assert!(seen(&used) == seen(&fresh), "playout {number} on\n{game}");
            }
            assert!(used.start.cells.iter().zip(root.cells()).all(|(own, cell)| own >= cell));
        }
    }
}

fn play_at_random(game: &mut Hex, count: u32, rng: &mut Rng) {
    for _ in 0..count {
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        if !moves.is_empty() {
            game.play(moves[rng.below(moves.len() as u32) as usize]);
        }
    }
}

/// On 3x3 after Black b2: only the neighbours c2 and a2, which White joins to its sides, are known.
#[test]
fn moves_are_drawn_with_the_shares_of_their_gammas() {
    let mut game = Hex::new(3, HexRules { swap: false }).unwrap();
    game.play(game.parse_move("b2").unwrap());
    let around = Surroundings::of(&game);
    let [c2, b3, a1] = [Point::new(3, 2), Point::new(2, 3), Point::new(1, 1)];
    let (c2_global, c2_local) = around.keys(c2, Extent::Six);
    let (b3_global, _) = around.keys(b3, Extent::Twelve);
    let (a1_global, a1_local) = around.keys(a1, Extent::Twelve);
    // c2 and a2 are one pattern, rotated, as are b3 and b1, and a1 and c3.
    let keys = [c2_global, c2_local.unwrap(), b3_global, a1_global, a1_local.unwrap()];
    let thetas = [0.25f32, 0.75, 0.125, 0.5, 3.0].map(f32::ln);
    let model = PatternModel::new(&keys, &thetas);
    let params = HexPlayoutParams { cap: 0.5, ..Default::default() };
    let weights = PatternWeights::new(&model, &params);
    let mut state = PatternPlayout::new(Arc::new(PatternWeights::new(&model, &params))).state;
    assert_eq!(state.load(&game, &weights), 8);
    let mut drawn = BTreeMap::new();
    for at in 0..state.total(Colour::White) {
        *drawn.entry(state.drawn(Colour::White, at).to_string()).or_insert(0) += 1;
    }
    // Of a cap of 1/2, which is 65,535: c2 1/4 + 3/4; b3 1/8; a1 1/2 + 3; a3 and c1 are unknown: 1,
    // capped.
    let share = |gamma: f32| (65_535.0 * gamma / 0.5).round() as u32;
    let corner = share(0.5) + share(3.0);
    let beside = share(0.25) + share(0.75);
    let expected = [
        ("a1", corner),
        ("a2", beside),
        ("a3", 65_535),
        ("b1", share(0.125)),
        ("b3", share(0.125)),
        ("c1", 65_535),
        ("c2", beside),
        ("c3", corner),
    ];
    assert_eq!(drawn, expected.map(|(cell, count)| (cell.to_owned(), count)).into());
}

#[test]
fn sums_of_the_heaviest_weights_stay_within_their_type() {
    let most = u64::from(MOST_LOCAL as u32) * CELLS as u64 + 65_535 * (MAX_SIZE * MAX_SIZE) as u64;
    assert!(u32::try_from(most).is_ok());
}
