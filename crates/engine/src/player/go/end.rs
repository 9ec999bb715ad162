//! The end of a game of Go: what is settled, what is dead, and when to pass.
//!
//! The search counts the board as it stands after two passes, as its playouts do. A pass is safe
//! by other reasons than the search's: when the opponent has passed and the count that the players
//! will use is won, or when nothing is left to play for.

use kosumi_game::{Game, Player as Seat};
use kosumi_go::{
    BoardClass, GoMove, Ownership, PerPoint, Point, Position, Scoring, Status, Verdicts,
};

use super::{GoKit, JUDGES};
use crate::analysis::Analysis;
use crate::params::{DeadStones, EngineParams};
use crate::player::Seated;
use kosumi_search::Limits;

/// How sure playouts must be of a point's owner for it to be settled.
const SURE: f32 = 0.7;
/// Beyond this win rate, or below its complement, a game is decided.
const DECIDED: f32 = 0.9;
/// How much of a win rate a pass may cost.
const NEARLY: f32 = 0.02;
/// The same where the other move costs a point, which the search does not see.
const FOR_A_POINT: f32 = 0.1;

/// Whether playouts end with the area that stands on the board now.
fn is_settled<C: BoardClass>(position: &Position<C>, seed: u64) -> bool {
    let mut area = PerPoint::filled(0i8);
    position.board().area_owners(&mut area);
    // A neutral point is worth a point to whoever takes it.
    if position.board().points().any(|p| area[p] == 0) {
        return false;
    }
    let owners = Ownership::estimate(position, JUDGES, seed);
    let sure = |p| f32::from(area[p]) * owners.at(p) >= SURE;
    position.board().points().all(sure)
}

/// Whether two passes end the game as the board stands. Territory cannot be counted so.
pub(super) fn dead_stones_stand<C: BoardClass>(
    position: &Position<C>,
    params: &EngineParams,
) -> bool {
    params.play.dead_stones == DeadStones::Stand && position.rules().scoring == Scoring::Area
}

/// How a count takes stones whose fate is open.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Doubt {
    /// They stay.
    Alive,
    /// Those of the player to move are lost.
    AgainstUs,
}

/// Whether the player to move wins by the count that will be used after two passes.
fn is_won<C: BoardClass>(position: &Position<C>, params: &EngineParams, doubt: Doubt) -> bool {
    let lead = if dead_stones_stand(position, params) {
        position.area_lead_half_points()
    } else {
        let verdicts = Verdicts::judge(position, JUDGES, params.search.seed);
        position.final_lead_half_points(&match doubt {
            Doubt::Alive => verdicts,
            Doubt::AgainstUs => verdicts.at_worst_for(position.board(), position.to_move()),
        })
    };
    match position.to_move() {
        Seat::First => lead > 0,
        Seat::Second => lead < 0,
    }
}

/// The opponent has passed: pass if that wins.
pub(super) fn winning_pass<C: BoardClass>(
    position: &Position<C>,
    params: &EngineParams,
) -> Option<GoMove> {
    let wins = position.passes() == 1 && is_won(position, params, Doubt::AgainstUs);
    wins.then_some(GoMove::PASS)
}

/// A pass where the search has nothing better.
pub(super) fn passing_move<C: BoardClass>(
    seated: &mut Seated<GoKit<C>>,
    position: &Position<C>,
    analysis: &Analysis,
    params: &EngineParams,
) -> Option<GoMove> {
    let mv = position.parse_move(&analysis.best()?.mv).ok()?;
    let value = analysis.outlook();
    if mv.is_pass() {
        return None;
    }
    let territory = position.rules().scoring == Scoring::Territory;
    if territory {
        // The search counts area, for which such a move is free.
        if !is_settled_point(position, mv, params.search.seed) {
            return None;
        }
    } else {
        let decided = !(1.0 - DECIDED..=DECIDED).contains(&value);
        // The count must agree with the search about who wins.
        if !decided || is_won(position, params, Doubt::Alive) != (value > 0.5) {
            return None;
        }
        if is_settled(position, params.search.seed) {
            return Some(GoMove::PASS);
        }
        if !is_dull(position, mv) {
            return None;
        }
    }
    // By simulations, not by time: with fixed simulations the same move every time.
    let limits = Limits::simulations((analysis.simulations / 4).max(100));
    let after_pass = seated.value_after(position.clone(), GoMove::PASS, limits)?;
    let cost = if territory { FOR_A_POINT } else { NEARLY };
    (after_pass >= value - cost).then_some(GoMove::PASS)
}

/// Whether the move only fills area that the player has anyway.
fn is_dull<C: BoardClass>(position: &Position<C>, mv: GoMove) -> bool {
    let mut area = PerPoint::filled(0i8);
    position.board().area_owners(&mut area);
    let own = match position.to_move() {
        Seat::First => 1,
        Seat::Second => -1,
    };
    mv.point().is_some_and(|p| area[p] == own)
}

/// Whether the owner of the move's point is sure whoever plays there: under territory scoring the
/// move costs a point, be it in one's own territory or a stone given to the opponent.
fn is_settled_point<C: BoardClass>(position: &Position<C>, mv: GoMove, seed: u64) -> bool {
    let owners = Ownership::estimate(position, JUDGES, seed);
    mv.point().is_some_and(|p| owners.at(p).abs() >= SURE)
}

/// The most visited move that takes a liberty of a dead chain of the opponent, or a pass.
pub(super) fn cleaning_move<C: BoardClass>(
    position: &Position<C>,
    analysis: &Analysis,
    params: &EngineParams,
) -> GoMove {
    let board = position.board();
    let verdicts = Verdicts::judge(position, JUDGES, params.search.seed);
    let opponent = position.to_move().opponent();
    let mut wanted = PerPoint::<C, bool>::filled(false);
    for p in board.points() {
        if board.has(p, opponent) && verdicts.of(p) == Status::Dead && board.head(p) == p {
            for liberty in board.liberties(p) {
                wanted[liberty] = true;
            }
        }
    }
    // A move that the search finds bad may be a self-atari; there are others.
    let good = analysis.best().map_or(0.0, |best| best.value - 0.1);
    let searched = analysis
        .moves
        .iter()
        .filter(|mv| mv.value >= good)
        .filter_map(|mv| position.parse_move(&mv.mv).ok())
        .find(|mv| mv.point().is_some_and(|p| wanted[p]));
    let legal = |p: &Point| wanted[*p] && position.is_legal(GoMove::on(*p));
    searched.or_else(|| board.points().find(legal).map(GoMove::on)).unwrap_or(GoMove::PASS)
}
