//! Go: playouts, knowledge, handicap, the end of the game.

mod end;

use std::marker::PhantomData;
use std::sync::Arc;

use kosumi_game::{Game, Player as Seat, Playout, Reward, Rng, Trace};
use kosumi_go::{
    BoardClass, GoGammaParams, GoKnowledge, GoModelParams, GoMove, GoPlayoutParams, GoPriorParams,
    HandKnowledge, HeavyPlayout, LearnedKnowledge, LearnedPlayout, LightPlayout, Ownership,
    PlayoutWeights, Point, Position, Rules, Status, UpTo9, UpTo13, UpTo19, UpTo25, Verdicts,
    fixed_handicap, free_handicap,
};
use kosumi_record::{Colour, GameResult, Victory};

use super::{GoTable, Goal, Kit, Mind, Player, Playouts, Seated, Start};
use crate::analysis::Analysis;
use crate::error::EngineError;
use crate::params::{EngineParams, GameParams, Group};
use crate::resources::Resources;
use crate::weights::{self, Weights};

kosumi_game::choices! {
    /// How playouts of Go choose moves.
    pub enum GoPolicy {
        /// Uniformly, without filling eyes.
        Light = "light",
        /// By hand-made rules: save, capture, patterns, nakade.
        Heavy = "heavy",
        /// By the probability that a learned model gives each move.
        Learned = "learned",
    }
}

kosumi_game::parameters! {
    /// Which playouts and knowledge a player of Go uses.
    pub struct GoChoices {
        /// How playouts choose moves.
        policy "playout.policy": GoPolicy = GoPolicy::Heavy;
        /// Hand-made priors for the moves of the tree.
        hand "knowledge.hand": bool = true;
        /// Priors learned from game records for the moves of the tree.
        learned "knowledge.learned": bool = false;
        /// The file of learned weights; own: those that are part of the program.
        weights "knowledge.weights": Weights = Weights::Own;
        /// The file of weights of learned playouts; own: those that are part of the program.
        playout_weights "playout.weights": Weights = Weights::Own;
    }
}

/// The parameters of a player of Go.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct GoParams {
    /// Which playouts and knowledge.
    pub choices: GoChoices,
    /// The heavy playouts.
    pub playout: GoPlayoutParams,
    /// The learned playouts.
    pub gamma: GoGammaParams,
    /// The hand-made priors.
    pub prior: GoPriorParams,
    /// The learned priors.
    pub model: GoModelParams,
}

impl GoParams {
    pub(crate) fn groups(&self) -> Vec<&dyn Group> {
        vec![&self.choices, &self.playout, &self.gamma, &self.prior, &self.model]
    }
    pub(crate) fn groups_mut(&mut self) -> Vec<&mut dyn Group> {
        vec![
            &mut self.choices,
            &mut self.playout,
            &mut self.gamma,
            &mut self.prior,
            &mut self.model,
        ]
    }
}

fn go_params(params: &EngineParams) -> GoParams {
    match &params.game {
        GameParams::Go(go) => go.clone(),
        _ => GoParams::default(),
    }
}

/// A player for a board of that size.
pub(crate) fn seat(
    start: &Start,
    params: &EngineParams,
    resources: Arc<Resources>,
) -> Result<Box<dyn Player>, EngineError> {
    Ok(match start.size {
        ..=9 => Box::new(Seated::<GoKit<UpTo9>>::new(start, params, resources)?),
        10..=13 => Box::new(Seated::<GoKit<UpTo13>>::new(start, params, resources)?),
        14..=19 => Box::new(Seated::<GoKit<UpTo19>>::new(start, params, resources)?),
        _ => Box::new(Seated::<GoKit<UpTo25>>::new(start, params, resources)?),
    })
}

pub(crate) struct GoKit<C>(PhantomData<C>);

/// Playouts of any policy, at one branch per call.
// One for each thread: the room that the smaller ones waste does not matter.
#[allow(clippy::large_enum_variant)]
pub(crate) enum GoPlayout<C: BoardClass> {
    Light(LightPlayout<C>),
    Heavy(HeavyPlayout<C>),
    Learned(LearnedPlayout<C>),
}

impl<C: BoardClass> Playout<Position<C>> for GoPlayout<C> {
    #[inline]
    fn run(&mut self, from: &Position<C>, rng: &mut Rng, trace: &mut Trace) -> Reward {
        match self {
            Self::Light(playout) => playout.run(from, rng, trace),
            Self::Heavy(playout) => playout.run(from, rng, trace),
            Self::Learned(playout) => playout.run(from, rng, trace),
        }
    }
}

const fn colour(seat: Seat) -> Colour {
    match seat {
        Seat::First => Colour::Black,
        Seat::Second => Colour::White,
    }
}

const fn seat_of(colour: Colour) -> Seat {
    match colour {
        Colour::Black => Seat::First,
        Colour::White => Seat::Second,
    }
}

fn setup_error(error: kosumi_go::SetupError) -> EngineError {
    EngineError::Setup(error.to_string())
}

/// The result of Black's lead in half points.
fn result_of_lead(half_points: i32) -> GameResult {
    let points = Victory::Points(f64::from(half_points.abs()) / 2.0);
    match half_points.signum() {
        1 => GameResult::win(Colour::Black, points),
        -1 => GameResult::win(Colour::White, points),
        _ => GameResult::Draw,
    }
}

impl<C: BoardClass> Kit for GoKit<C> {
    type Game = Position<C>;
    type Playout = GoPlayout<C>;
    type Knowledge = GoKnowledge;

    fn mind(
        params: &EngineParams,
        position: &Self::Game,
        _: u64,
    ) -> Result<Mind<Self>, EngineError> {
        let params = go_params(params);
        let (choices, size) = (&params.choices, position.size());
        let mut weights = Vec::new();
        let hand = choices.hand.then(|| HandKnowledge::new(params.prior.clone()));
        let mut learned = None;
        // A file that cannot be used is told even where it would not be; our own, which takes some
        // milliseconds to read, is left alone there.
        if choices.learned || choices.weights != Weights::Own {
            let moves = weights::go_moves(&choices.weights, size)?;
            if choices.learned {
                learned = Some(LearnedKnowledge::new(moves.model, params.model.clone()));
                weights.push(moves.source);
            }
        }
        let drawn = weights::go_playouts(&choices.playout_weights, size)?;
        let playouts: Playouts<Self::Playout> = match choices.policy {
            GoPolicy::Light => Box::new(|| GoPlayout::Light(LightPlayout::new())),
            GoPolicy::Heavy => {
                Box::new(move || GoPlayout::Heavy(HeavyPlayout::new(&params.playout)))
            }
            GoPolicy::Learned => {
                weights.push(drawn.source);
                let ladder = params.playout.ladder;
                let drawn = Arc::new(PlayoutWeights::new(&drawn.model, &params.gamma, ladder));
                Box::new(move || GoPlayout::Learned(LearnedPlayout::new(Arc::clone(&drawn))))
            }
        };
        Ok(Mind {
            playouts,
            knowledge: GoKnowledge { hand, learned },
            weights,
            prover: None,
            evaluator: None,
        })
    }

    fn start(start: &Start, _: &EngineParams) -> Result<Self::Game, EngineError> {
        Position::new(start.size, start.go).map_err(setup_error)
    }

    fn set_up(
        like: &Self::Game,
        stones: &[(Colour, GoMove)],
        to_move: Colour,
    ) -> Result<Self::Game, EngineError> {
        let stones: Vec<_> = stones
            .iter()
            .filter_map(|(colour, mv)| Some((seat_of(*colour), mv.point()?)))
            .collect();
        Position::from_stones(like.size(), *like.rules(), &stones, seat_of(to_move))
            .map_err(setup_error)
    }

    fn to_move(game: &Self::Game) -> Colour {
        colour(game.to_move())
    }

    fn set_turn(game: &mut Self::Game, colour: Colour) {
        game.set_turn(seat_of(colour));
    }

    fn stone(game: &Self::Game, mv: GoMove) -> Option<Colour> {
        let point = mv.point().filter(|&p| game.board().contains(p))?;
        game.board().stone(point).map(colour)
    }

    fn result(game: &Self::Game) -> Option<GameResult> {
        let outcome = game.outcome()?;
        Some(match outcome.winner() {
            Some(_) => result_of_lead(game.area_lead_half_points()),
            None => GameResult::Draw,
        })
    }

    fn show(game: &Self::Game) -> String {
        game.to_string()
    }

    fn moves_left(game: &Self::Game) -> f64 {
        let points = (game.size() * game.size()) as f64;
        // Games last about 0.7 moves per point, and rarely stop when we think they should.
        ((0.7 * points - game.move_count() as f64) / 2.0).max(points / 12.0)
    }

    fn carry_back(now: &Self::Game, earlier: &mut Self::Game) {
        earlier.set_scoring(*now.rules());
        earlier.set_handicap(now.handicap());
    }

    fn reopen(game: &mut Self::Game) {
        game.reopen(game.to_move());
    }

    fn prepare(game: &mut Self::Game, params: &EngineParams) -> bool {
        // When dead stones are agreed on, a second pass does not end the game as it stands.
        let changes = !end::dead_stones_stand(game, params) && game.passes() > 0;
        if changes {
            Self::reopen(game);
        }
        changes
    }

    fn reflex(position: &Self::Game, params: &EngineParams) -> Option<GoMove> {
        end::winning_pass(position, params)
    }

    fn second_thought(
        seated: &mut Seated<Self>,
        position: &Self::Game,
        analysis: &Analysis,
        params: &EngineParams,
        goal: Goal,
    ) -> Option<GoMove> {
        match goal {
            Goal::CleanUp => Some(end::cleaning_move(position, analysis, params)),
            Goal::Win => end::passing_move(seated, position, analysis, params),
        }
    }

    fn go(seated: &mut Seated<Self>) -> Option<&mut dyn GoTable> {
        Some(seated)
    }
}

/// Playouts that decide the owner of a point; the standard error of a mean is below 0.06.
const JUDGES: u32 = 300;

impl<C: BoardClass> GoTable for Seated<GoKit<C>> {
    fn set_rules(&mut self, rules: Rules) -> Result<(), EngineError> {
        if *self.position().rules() == rules {
            return Ok(());
        }
        if self.has_moves() {
            return self.adjust(|game| game.set_scoring(rules));
        }
        // Before the first move the rules of play can change too.
        let game = self.position();
        let stones: Vec<_> =
            game.board().points().filter_map(|p| Some((game.board().stone(p)?, p))).collect();
        let mut fresh = Position::from_stones(game.size(), rules, &stones, game.to_move())
            .map_err(setup_error)?;
        fresh.set_handicap(game.handicap());
        self.replace(fresh)
    }

    fn place_handicap(&mut self, stones: &[String]) -> Result<(), EngineError> {
        let mut position = self.position().clone();
        let points = stones.iter().map(|text| {
            let mv = position.parse_move(text)?;
            let no_point = || EngineError::Setup(format!("{text} is no point"));
            mv.point().ok_or_else(no_point)
        });
        let points = points.collect::<Result<Vec<_>, EngineError>>()?;
        position.place_handicap(&points).map_err(setup_error)?;
        self.replace(position)
    }

    fn set_handicap(&mut self, stones: usize) {
        // A panic of a search that ran before is told at its next start.
        let _ = self.adjust(|game| game.set_handicap(stones));
    }

    fn handicap_points(&self, stones: usize, fixed: bool) -> Result<Vec<String>, EngineError> {
        let position = self.position();
        let points = if fixed {
            fixed_handicap::<C>(position.size(), stones)
        } else {
            free_handicap::<C>(position.size(), stones)
        };
        let text = |p| position.move_text(GoMove::on(p));
        Ok(points.map_err(setup_error)?.into_iter().map(text).collect())
    }

    fn final_score(&mut self, dead_stand: bool) -> GameResult {
        let position = self.position();
        result_of_lead(if dead_stand {
            position.area_lead_half_points()
        } else {
            let verdicts = Verdicts::judge(position, JUDGES, self.params().search.seed);
            position.final_lead_half_points(&verdicts)
        })
    }

    fn stones_of_status(&mut self, status: Status) -> Vec<Vec<String>> {
        let position = self.position();
        let verdicts = Verdicts::judge(position, JUDGES, self.params().search.seed);
        let chains = verdicts.chains(position.board(), status).into_iter();
        let text = |p: Point| position.move_text(GoMove::on(p));
        chains.map(|chain| chain.into_iter().map(text).collect()).collect()
    }

    fn ownership(&mut self) -> Vec<f32> {
        let position = self.position();
        let owners = Ownership::estimate(position, JUDGES, self.params().search.seed);
        let size = position.size();
        let rows = (0..size).rev();
        rows.flat_map(|y| (0..size).map(move |x| (x, y)))
            .map(|(x, y)| owners.at(Point::at::<C>(x, y)))
            .collect()
    }
}
