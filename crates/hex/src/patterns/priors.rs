//! Priors from patterns (H9).

use std::sync::Arc;

use kosumi_game::{Context, Verdict};

use super::class::Prunable;
use super::code::{OFFSETS, PatternKey, mirrored, opposite, white_view};
use super::model::PatternModel;
use super::surroundings::Surroundings;
use crate::geometry::Point;
use crate::{Colour, Hex};

/// Priors of moves: rho, the share of a move's strength in the sum over all moves that are not
/// prunable.
///
/// Prunable moves, and those on cells that are filled in, are dropped, but never both a move and the
/// one that dominates it, and never all.
/// The swap is no move on the board: its prior is that of the strongest move, so that the search
/// compares the two early.
#[derive(Clone, Debug)]
pub struct HexPriors {
    model: Arc<PatternModel>,
}

impl HexPriors {
    /// The priors of a model.
    #[must_use]
    pub fn new(model: Arc<PatternModel>) -> Self {
        Self { model }
    }

    /// Fills in the verdict of a position with these legal moves.
    pub fn assess(&self, position: &Hex, context: &Context<'_, Hex>, verdict: &mut Verdict) {
        let around = Surroundings::of(position);
        let mut prunable = Vec::new();
        for (place, &mv) in context.moves.iter().enumerate() {
            let mut strength = 0.0;
            if let Some(at) = position.point(mv) {
                let why;
                (strength, why) = self.model.judged(&around, at);
                prunable.extend(why.map(|(key, why)| (place, at, key, why)));
            }
            verdict.priors.push(strength);
        }
        prune(&prunable, position, &around, context, verdict);
        for &place in &verdict.pruned {
            verdict.priors[usize::from(place)] = 0.0;
        }
        let most = verdict.priors.iter().copied().fold(0.0, f32::max);
        if let Some(swap) = context.moves.iter().position(|&mv| mv == position.swap_move()) {
            verdict.priors[swap] = most;
        }
        let total: f32 = verdict.priors.iter().sum();
        if total > 0.0 {
            verdict.priors.iter_mut().for_each(|prior| *prior /= total);
        } else {
            verdict.priors.clear();
        }
    }
}

/// Drops prunable moves: each with its place among the moves, its cell, the pattern and the reason.
fn prune(
    prunable: &[(usize, Point, PatternKey, Prunable)],
    position: &Hex,
    around: &Surroundings,
    context: &Context<'_, Hex>,
    verdict: &mut Verdict,
) {
    let place_of = |at: Point| {
        let mv = position.move_at(at)?;
        context.moves.iter().position(|&listed| listed == mv)
    };
    // Places of moves that must stay, for they dominate one that went.
    let mut kept: Vec<usize> = Vec::new();
    for &(place, at, key, why) in prunable {
        if kept.contains(&place) || verdict.pruned.contains(&(place as u16)) {
            continue;
        }
        if let Prunable::Dominated { by } = why {
            let better = place_of(at.offset(OFFSETS[on_board(key, by.into(), around, at)]));
            match better {
                Some(better) if !verdict.pruned.contains(&(better as u16)) => kept.push(better),
                _ => continue,
            }
        }
        verdict.pruned.push(place as u16);
    }
    if verdict.pruned.len() == context.moves.len() {
        verdict.pruned.clear();
    }
}

/// Where a place of a pattern lies around a real cell.
fn on_board(key: PatternKey, place: usize, around: &Surroundings, at: Point) -> usize {
    let code = around.code(at);
    let white = around.to_move() == Colour::White;
    let seen = if white { white_view(code) } else { code };
    let place = if key.lies_as(seen) { place } else { opposite(place) };
    if white { mirrored(place) } else { place }
}

#[cfg(test)]
mod tests {
    use kosumi_game::{Game, Rng};

    use super::*;
    use crate::HexRules;
    use crate::patterns::{Content, Extent};

    fn assessed(model: PatternModel, position: &Hex) -> (Vec<String>, Verdict) {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let mut verdict = Verdict::new();
        let priors = HexPriors::new(Arc::new(model));
        priors.assess(position, &Context::new(0, &moves), &mut verdict);
        (moves.iter().map(|&mv| position.move_text(mv)).collect(), verdict)
    }

    /// After c3 on 5x5, White to move: c2 has 3 + 2, everything else 1, the swap as much as c2.
    #[test]
    fn rho_is_the_share_of_the_sum() {
        let mut game = Hex::new(5, HexRules::default()).unwrap();
        game.play(game.parse_move("c3").unwrap());
        let around = Surroundings::of(&game);
        let (global, local) = around.keys(Point::new(3, 2), Extent::Six);
        let model = PatternModel::new(&[global, local.unwrap()], &[3f32.ln(), 2f32.ln()]);
        let (texts, verdict) = assessed(model, &game);
        assert!(verdict.pruned.is_empty());
        assert!((verdict.priors.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        for (text, prior) in texts.iter().zip(&verdict.priors) {
            // The stone below c2 is the stone above c4, rotated.
            let strength = match text.as_str() {
                "c2" | "c4" | "swap-pieces" => 5.0,
                _ => 1.0,
            };
            assert!((prior - strength / (3.0 * 5.0 + 22.0)).abs() < 1e-5, "{text} {prior}");
        }
    }

    /// A judge to whom every move is dominated by the one at some empty place.
    #[test]
    fn never_both_a_move_and_its_dominator_are_dropped() {
        for (place, seed) in [(0, 1), (3, 2), (5, 3), (8, 4)] {
            let mut rng = Rng::new(seed);
            let mut game = Hex::new(6, HexRules { swap: false }).unwrap();
            for _ in 0..15 {
                let mut moves = Vec::new();
                game.legal_moves(&mut moves);
                if game.outcome().is_some() {
                    break;
                }
                let around = Surroundings::of(&game);
                let keys: Vec<PatternKey> = moves
                    .iter()
                    .map(|&mv| around.keys(game.point(mv).unwrap(), Extent::Twelve).0)
                    .collect();
                let mut model = PatternModel::new(&keys, &vec![0.0; keys.len()]);
                model.classify(move |key: PatternKey| {
                    (key.content(place) == Content::Empty)
                        .then_some(Prunable::Dominated { by: place as u8 })
                });
                let prunable = model.clone();
                let (_, verdict) = assessed(model, &game);
                assert!(verdict.pruned.len() < moves.len());
                for &pruned in &verdict.pruned {
                    let at = game.point(moves[usize::from(pruned)]).unwrap();
                    let (key, _) = prunable.judged(&around, at).1.unwrap();
                    let by = at.offset(OFFSETS[on_board(key, place, &around, at)]);
                    let by = moves.iter().position(|&mv| game.point(mv) == Some(by)).unwrap();
                    assert!(!verdict.pruned.contains(&(by as u16)), "{at}\n{game}");
                    assert_eq!(verdict.priors[usize::from(pruned)], 0.0);
                }
                assert!((verdict.priors.iter().sum::<f32>() - 1.0).abs() < 1e-5);
                game.play(moves[rng.below(moves.len() as u32) as usize]);
            }
        }
    }

    #[test]
    fn some_move_always_remains() {
        let game = Hex::new(4, HexRules { swap: false }).unwrap();
        let around = Surroundings::of(&game);
        let keys: Vec<PatternKey> =
            game.points().iter().map(|&at| around.keys(at, Extent::Six).0).collect();
        let mut model = PatternModel::new(&keys, &vec![0.0; keys.len()]);
        model.classify(|_| Some(Prunable::Dead));
        let (_, verdict) = assessed(model, &game);
        assert!(verdict.pruned.is_empty());
        assert!((verdict.priors.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        let (_, none) = assessed(PatternModel::new(&[], &[]), &game);
        assert!(none.priors.iter().all(|&prior| prior == 1.0 / 16.0));
    }
}
