//! Hand-made priors: a small Bradley-Terry model of good moves (N2), and virtual games from it.
//!
//! A move's strength is the product of a few gammas: its 3x3 shape, what it does to chains in
//! trouble (tactics), how far it is from the last two moves, its line. The strengths, normalised,
//! are the prior probabilities that order moves for widening and bias. As in Pachi a move starts
//! with virtual games that it won, in proportion to the root of its probability; own eyes and bad
//! self-ataris start with lost ones.

mod distance;
mod tactics;

use kosumi_game::{Context, Knowledge, Player, Value, Verdict, VirtualGames};

use crate::class::PerPoint;
use crate::playout;
use crate::shapes::Shapes;
use crate::{Board, BoardClass, Point, Position};
use tactics::Tactic;

kosumi_game::parameters! {
    /// How much each feature of a move counts, and how much the whole.
    pub struct GoPriorParams {
        /// Games of value one half for every move.
        even "prior.even": f32 = 14.0, 0..=1000;
        /// Won games of a move, times the root of its prior probability.
        games "prior.games": f32 = 80.0, 0..=10000;
        /// Lost games for a self-atari without purpose.
        lost_self_atari "prior.lost.self_atari": f32 = 14.0, 0..=1000;
        /// Lost games for filling an own eye.
        lost_eye "prior.lost.eye": f32 = 40.0, 0..=1000;
        /// Lost games for a pass.
        lost_pass "prior.lost.pass": f32 = 14.0, 0..=1000;
        /// Weight of taking stones that hold an own chain in atari.
        saving_capture "prior.weight.saving_capture": f32 = 9.0, 0..=1000;
        /// Weight of taking the stone just played.
        snap "prior.weight.snap": f32 = 1.5, 0..=1000;
        /// Weight of taking other stones: mostly they are dead anyway.
        capture "prior.weight.capture": f32 = 0.65, 0..=1000;
        /// Weight of saving a chain of several stones from atari by running.
        escape "prior.weight.escape": f32 = 16.0, 0..=1000;
        /// Weight of saving a single stone from atari by running.
        escape_one "prior.weight.escape_one": f32 = 6.0, 0..=1000;
        /// Weight of running in a ladder that does not work.
        lost_ladder "prior.weight.lost_ladder": f32 = 0.5, 0..=1000;
        /// Weight of defending a chain of several stones that an atari would catch.
        defend "prior.weight.defend": f32 = 3.4, 0..=1000;
        /// Weight of defending a single stone that an atari would catch.
        defend_one "prior.weight.defend_one": f32 = 1.5, 0..=1000;
        /// Weight of an atari that catches a chain of several stones.
        catch "prior.weight.catch": f32 = 2.0, 0..=1000;
        /// Weight of an atari that catches a single stone.
        catch_one "prior.weight.catch_one": f32 = 1.3, 0..=1000;
        /// Weight of another atari.
        atari "prior.weight.atari": f32 = 1.7, 0..=1000;
        /// Weight of a self-atari without purpose.
        self_atari "prior.weight.self_atari": f32 = 0.02, 0..=1000;
        /// Weight of a self-atari that throws in or fills an eye.
        throw_in "prior.weight.throw_in": f32 = 0.065, 0..=1000;
        /// Weight of filling an own eye.
        eye "prior.weight.eye": f32 = 0.05, 0..=1000;
        /// Weight of the vital point of a small eye space.
        nakade "prior.weight.nakade": f32 = 2.5, 0..=1000;
        /// Weight of a pass.
        pass "prior.weight.pass": f32 = 0.004, 0..=1000;
        /// Weight of a pass after a pass.
        pass_back "prior.weight.pass_back": f32 = 1.0, 0..=1000;
        /// How many moves of a ladder are read.
        ladder "prior.ladder": u32 = 60, 0..=1000;
    }
}

/// Gamma by distance `dx + dy + max(dx, dy)` to the last move.
const LAST: [f32; 20] = [
    1.0, 1.0, 1.84, 1.42, 1.13, 0.88, 0.62, 0.55, 0.45, 0.38, 0.34, 0.29, 0.28, 0.25, 0.22, 0.2,
    0.19, 0.18, 0.17, 0.14,
];
/// Gamma by that distance to the move before the last.
const BEFORE: [f32; 20] = [
    1.0, 1.0, 1.18, 0.89, 1.05, 0.83, 0.61, 0.6, 0.54, 0.53, 0.51, 0.49, 0.48, 0.47, 0.46, 0.44,
    0.44, 0.43, 0.42, 0.37,
];
/// Gamma by line, from the edge, where stones are near.
const LINE: [f32; 5] = [0.41, 0.43, 0.69, 0.49, 0.41];
/// Gamma by line where no stone is within three steps, on small, middle and large boards.
const LONELY: [[f32; 5]; 3] =
    [[0.08, 0.01, 1.2, 12.0, 30.0], [0.12, 0.01, 2.2, 4.2, 0.02], [0.11, 0.01, 0.8, 0.83, 0.02]];

/// Hand-made knowledge of Go.
#[derive(Clone, Debug)]
pub struct HandKnowledge {
    params: GoPriorParams,
    shapes: &'static Shapes,
}

impl HandKnowledge {
    /// Knowledge with these weights.
    #[must_use]
    pub fn new(params: GoPriorParams) -> Self {
        Self { params, shapes: Shapes::get() }
    }

    fn tactic_weight(&self, tactic: Tactic) -> f32 {
        let params = &self.params;
        match tactic {
            Tactic::SavingCapture => params.saving_capture,
            Tactic::Snap => params.snap,
            Tactic::Capture => params.capture,
            Tactic::Escape => params.escape,
            Tactic::EscapeOne => params.escape_one,
            Tactic::Defend => params.defend,
            Tactic::DefendOne => params.defend_one,
            Tactic::Catch => params.catch,
            Tactic::CatchOne => params.catch_one,
            Tactic::Atari => params.atari,
            Tactic::LostLadder => params.lost_ladder,
            Tactic::None => 1.0,
        }
    }

    /// The strength of a stone on `p`, and how many lost games it starts with.
    fn judge<C: BoardClass>(
        &self,
        position: &Position<C>,
        tactics: &PerPoint<C, Tactic>,
        vital: Point,
        p: Point,
    ) -> (f32, f32) {
        let (board, player, params) = (position.board(), position.to_move(), &self.params);
        let code = board.code(p);
        let mut strength = self.shapes.weight(code, player) as f32 / 100.0;
        let mut lost = 0.0;
        strength *= self.tactic_weight(tactics[p]);
        if code.is_eye_of(player) {
            strength *= params.eye;
            lost += params.lost_eye;
        }
        if board.is_playable(p, player)
            && board.is_self_atari(p, player)
            && !board.is_capture(p, player)
        {
            if playout::is_bad_self_atari(board, p, player) {
                strength *= params.self_atari;
                lost += params.lost_self_atari;
            } else {
                strength *= params.throw_in;
            }
        }
        if p == vital {
            strength *= params.nakade;
        }
        let [last, before] = position.last_moves();
        for (earlier, gammas) in [(last, &LAST), (before, &BEFORE)] {
            if let Some(q) = earlier.point() {
                strength *= gammas[distance::between::<C>(p, q).min(gammas.len() - 1)];
            }
        }
        (strength * line_gamma(board, p), lost)
    }
}

fn line_gamma<C: BoardClass>(board: &Board<C>, p: Point) -> f32 {
    let (x, y) = p.xy::<C>();
    let last = board.size() - 1;
    let line = x.min(y).min(last - x).min(last - y).min(4);
    if !distance::is_empty_around(board, p, 3) {
        return LINE[line];
    }
    match board.size() {
        0..=10 => LONELY[0][line],
        11..=15 => LONELY[1][line],
        _ => LONELY[2][line],
    }
}

/// Whether filling the eye `p` is useless for sure: a true single-point eye of `player` whose
/// chains all have another liberty.
fn is_useless_eye<C: BoardClass>(board: &Board<C>, p: Point, player: Player) -> bool {
    board.code(p).is_eye_of(player)
        && p.neighbours::<C>()
            .into_iter()
            .all(|n| !board.contains(n) || board.liberty_count(n) >= 2)
}

/// Scratch memory of one thread.
#[derive(Clone)]
pub struct HandWorker<C: BoardClass> {
    tactics: PerPoint<C, Tactic>,
    /// Lost games by place in the list of moves.
    lost: Vec<f32>,
}

impl<C: BoardClass> std::fmt::Debug for HandWorker<C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("HandWorker")
    }
}

impl<C: BoardClass> Knowledge<Position<C>> for HandKnowledge {
    type Worker = HandWorker<C>;

    fn worker(&self) -> HandWorker<C> {
        HandWorker { tactics: PerPoint::filled(Tactic::None), lost: Vec::new() }
    }

    fn thresholds(&self) -> &[u64] {
        &[0]
    }

    fn assess(
        &self,
        worker: &mut HandWorker<C>,
        position: &Position<C>,
        context: &Context<'_, Position<C>>,
        verdict: &mut Verdict,
    ) {
        let (board, params) = (position.board(), &self.params);
        tactics::find(position, params.ladder, &mut worker.tactics);
        let vital = match position.last_move().point() {
            Some(last) => playout::nakade(board, last),
            None => Point::NONE,
        };
        worker.lost.clear();
        for (place, &mv) in context.moves.iter().enumerate() {
            let (mut strength, lost) = match mv.point() {
                Some(p) => self.judge(position, &worker.tactics, vital, p),
                None if position.passes() > 0 => (params.pass_back, 0.0),
                None => (params.pass, params.lost_pass),
            };
            if let Some(p) = mv.point()
                && is_useless_eye(board, p, position.to_move())
            {
                verdict.pruned.push(place as u16);
                strength = 0.0;
            }
            verdict.priors.push(strength);
            worker.lost.push(lost);
        }
        let total: f32 = verdict.priors.iter().sum();
        let scale = if total > 0.0 { 1.0 / total } else { 0.0 };
        for (prior, &lost) in verdict.priors.iter_mut().zip(&worker.lost) {
            *prior *= scale;
            let won = params.games * prior.sqrt();
            let count = params.even + won + lost;
            let value = if count > 0.0 { (params.even / 2.0 + won) / count } else { 0.5 };
            verdict.virtual_games.push(VirtualGames { count, value: Value::new(value) });
        }
        if total <= 0.0 {
            verdict.priors.clear();
        }
    }
}

#[cfg(test)]
mod tests;
