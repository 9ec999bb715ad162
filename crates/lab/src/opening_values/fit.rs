//! Searched values, fitted to games.
//!
//! The log odds of a first move are `a + b x + u`, where `x` are those of the search, `a` and `b` are
//! the same for all moves (a search may be biased, and is too cautious), and `u` is the move's own. All
//! of them have normal priors, so that without games the values stay what they are, with few games
//! the line moves, and with many each move goes its own way. Both colours of a pair begin with the same
//! stone, so that the strength of the players cancels out.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use kosumi_engine::{GameKind, OpeningTable};

use super::OpeningValuesError;
use crate::game::PlayedGame;
use crate::journal::read_journal;
use crate::stats::logistic;

/// Standard deviations of the priors of a, of b and of each u.
const OFFSET: f64 = 2.0;
const SLOPE: f64 = 10.0;
const OWN: f64 = 0.5;

/// Searched values are taken for no surer than this.
const SURE: f64 = 0.001;

/// Games with one first move.
#[derive(Clone, Copy, Default)]
struct Played {
    won: f64,
    games: u32,
}

/// Fits searched values to the games in journals of matches whose openings are first moves.
///
/// # Errors
/// A journal cannot be read, is of another game or board, allowed the swap, or has no game that began
/// with one given move.
pub fn fit_to_games(
    table: &OpeningTable,
    journals: &[PathBuf],
) -> Result<OpeningTable, OpeningValuesError> {
    let mut played: BTreeMap<&str, Played> =
        table.values.keys().map(|mv| (mv.as_str(), Played::default())).collect();
    for path in journals {
        add_games(table.size, path, &mut played)?;
    }
    let moves = table.values.iter().map(|(mv, &value)| {
        let value = f64::from(value).clamp(SURE, 1.0 - SURE);
        ((value / (1.0 - value)).ln(), played[mv.as_str()])
    });
    let fitted = fit(&moves.collect::<Vec<_>>());
    let values = table.values.keys().cloned().zip(fitted.iter().map(|&value| value as f32));
    let games = played.values().map(|played| played.games).sum();
    Ok(OpeningTable { values: values.collect(), games, ..table.clone() })
}

fn add_games(
    size: usize,
    path: &Path,
    played: &mut BTreeMap<&str, Played>,
) -> Result<(), OpeningValuesError> {
    let refuse = |reason: String| OpeningValuesError::Match { path: path.to_owned(), reason };
    let content = read_journal(path)?;
    let rules = &content.settings.rulebook;
    if !matches!(rules.kind(), Ok(GameKind::Hex)) || rules.size != size || rules.swap {
        let reason = format!("games of Hex {size}x{size} without swap are expected");
        return Err(refuse(reason));
    }
    let mut any = false;
    for game in &content.games {
        let Some((mv, won)) = first_move(size, game) else { continue };
        if let Some(played) = played.get_mut(mv.as_str()) {
            played.games += 1;
            played.won += won;
            any = true;
        }
    }
    if any {
        return Ok(());
    }
    Err(refuse("no game that began with one given move; play with --openings first".to_owned()))
}

/// The first move as tables name it, and what its owner got; `None` for a game that tells nothing.
fn first_move(size: usize, game: &PlayedGame) -> Option<(String, f64)> {
    if game.opening != 1 || game.ending.is_failure() {
        return None;
    }
    let (_, mv) = game.moves.first()?.split_once(' ')?;
    let won = if game.winner? == game.first { 1.0 } else { 0.0 };
    Some((OpeningTable::turned(size, mv)?, won))
}

/// The fitted values of moves with these log odds and games.
fn fit(moves: &[(f64, Played)]) -> Vec<f64> {
    let mean = moves.iter().map(|(x, _)| x).sum::<f64>() / moves.len().max(1) as f64;
    let (mut offset, mut slope) = (mean, 1.0);
    let mut own = vec![0.0; moves.len()];
    // Coordinate by coordinate, which arrives, for the posterior is concave.
    for _ in 0..2000 {
        let mut change = 0.0_f64;
        let mut move_by = |coordinate: &mut f64, step: f64| {
            *coordinate += step;
            change = change.max(step.abs());
        };
        for (own, (x, played)) in own.iter_mut().zip(moves) {
            let at = logistic(offset + slope * (x - mean) + *own);
            move_by(own, newton([(1.0, at, *played)].into_iter(), *own, OWN));
        }
        let seen = |scale: fn(f64) -> f64, offset: f64, slope: f64| {
            own.iter().zip(moves).map(move |(own, &(x, played))| {
                (scale(x - mean), logistic(offset + slope * (x - mean) + own), played)
            })
        };
        let step = newton(seen(|_| 1.0, offset, slope), offset - mean, OFFSET);
        move_by(&mut offset, step);
        let step = newton(seen(|x| x, offset, slope), slope - 1.0, SLOPE);
        move_by(&mut slope, step);
        if change < 1e-9 {
            break;
        }
    }
    let value = |(own, (x, _)): (&f64, &(f64, _))| logistic(offset + slope * (x - mean) + own);
    own.iter().zip(moves).map(value).collect()
}

/// A step of Newton's method, no longer than 1, along one coefficient that stands `away` from the mean
/// of its prior: by the factor it has at each move, the move's value, and its games.
fn newton(moves: impl Iterator<Item = (f64, f64, Played)>, away: f64, deviation: f64) -> f64 {
    let precision = 1.0 / (deviation * deviation);
    let (mut gradient, mut curvature) = (-away * precision, precision);
    for (factor, value, played) in moves {
        let games = f64::from(played.games);
        gradient += factor * (played.won - games * value);
        curvature += factor * factor * games * value * (1.0 - value);
    }
    (gradient / curvature).clamp(-1.0, 1.0)
}

#[cfg(test)]
mod tests {
    use kosumi_engine::OpeningMethod;

    use super::*;

    fn played(won: u32, games: u32) -> Played {
        Played { won: f64::from(won), games }
    }

    #[test]
    fn without_games_values_stay() {
        let values = fit(&[(-0.4, played(0, 0)), (0.0, played(0, 0)), (1.0, played(0, 0))]);
        for (value, x) in values.iter().zip([-0.4, 0.0, 1.0]) {
            assert!((value - logistic(x)).abs() < 1e-9, "{values:?}");
        }
    }

    /// One move that the search gives even chances, 3 of 4 won: a and u share the log odds as their
    /// variances 4 and 1/4, so t = a + u has the prior variance 17/4 and 4 (3/4 - p(t)) = 4 t / 17.
    #[test]
    fn one_move_by_hand() {
        let value = fit(&[(0.0, played(3, 4))])[0];
        let t = (value / (1.0 - value)).ln();
        assert!((4.0 * (0.75 - value) - 4.0 * t / 17.0).abs() < 1e-6, "{value}");
    }

    #[test]
    fn many_games_prevail_and_a_move_without_any_follows_the_line() {
        let of = |x: f64| (x, played((1000.0 * logistic(1.0 + 5.0 * x)).round() as u32, 1000));
        let values = fit(&[of(-0.4), of(-0.2), of(0.1), of(0.3), (0.0, played(0, 0))]);
        for (value, x) in values.iter().zip([-0.4, -0.2, 0.1, 0.3, 0.0]) {
            assert!((value - logistic(1.0 + 5.0 * x)).abs() < 0.01, "{x}: {values:?}");
        }
    }

    #[test]
    fn games_are_read_from_journals_and_others_refused() {
        let text = include_str!("../../../../docs/results/runs/hex-mohex11.jsonl");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("match.jsonl");
        std::fs::write(&path, text).unwrap();
        let table = |size| OpeningTable {
            size,
            by: OpeningMethod::Solver,
            commit: String::new(),
            games: 0,
            values: OpeningTable::moves(size).into_iter().map(|mv| (mv, 0.5)).collect(),
        };
        let fitted = fit_to_games(&table(11), std::slice::from_ref(&path)).unwrap();
        assert_eq!(fitted.games, 122);
        // The owner of d6 won both games, that of a1 neither.
        let value = |mv: &str| fitted.values[mv];
        assert!(value("d6") > value("a1") + 0.05, "{fitted:?}");
        let error = fit_to_games(&table(9), &[path]).unwrap_err().to_string();
        assert!(error.contains("match.jsonl: games of Hex 9x9"), "{error}");
    }
}
