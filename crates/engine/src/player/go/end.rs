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

/// Whether the player to move wins by the count that will be used after two passes.
fn is_won<C: BoardClass>(position: &Position<C>, params: &EngineParams) -> bool {
    let stand =
        params.play.dead_stones == DeadStones::Stand && position.rules().scoring == Scoring::Area;
    let lead = if stand {
        position.area_lead_half_points()
    } else {
        let verdicts = Verdicts::judge(position, JUDGES, params.search.seed);
        position.final_lead_half_points(&verdicts)
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
    (position.passes() == 1 && is_won(position, params)).then_some(GoMove::PASS)
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
    let decided = !(1.0 - DECIDED..=DECIDED).contains(&value);
    // The count must agree with the search about who wins.
    if mv.is_pass() || !decided || is_won(position, params) != (value > 0.5) {
        return None;
    }
    if is_settled(position, params.search.seed) {
        return Some(GoMove::PASS);
    }
    if !is_dull(position, mv) {
        return None;
    }
    let limits = Limits::seconds(analysis.seconds / 4.0)
        .and_simulations((analysis.simulations / 4).max(100));
    let after_pass = seated.value_after(position.clone(), GoMove::PASS, limits)?;
    (after_pass >= value - NEARLY).then_some(GoMove::PASS)
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
