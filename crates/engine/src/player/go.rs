//! Go: playouts, knowledge, handicap, the end of the game.

use std::marker::PhantomData;

use kosumi_game::{Game, Player as Seat};
use kosumi_go::{
    BoardClass, GoMove, GoPlayoutParams, GoPriorParams, HandKnowledge, HeavyPlayout, LightPlayout,
    Position, Rules, UpTo9, UpTo13, UpTo19, UpTo25,
};
use kosumi_record::{Colour, GameResult, Victory};

use super::policy::{Either, Switched};
use super::{GoTable, Kit, Player, Seated, Start, Status};
use crate::error::EngineError;
use crate::params::{EngineParams, GameParams, Group};

kosumi_game::choices! {
    /// How playouts of Go choose moves.
    pub enum GoPolicy {
        /// Uniformly, without filling eyes.
        Light = "light",
        /// By hand-made rules: save, capture, patterns, nakade.
        Heavy = "heavy",
    }
}

kosumi_game::parameters! {
    /// Which playouts and knowledge a player of Go uses.
    pub struct GoChoices {
        /// How playouts choose moves.
        policy "playout.policy": GoPolicy = GoPolicy::Heavy;
        /// Hand-made priors for the moves of the tree.
        hand "knowledge.hand": bool = true;
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
    /// The hand-made priors.
    pub prior: GoPriorParams,
}

impl GoParams {
    pub(crate) fn groups(&self) -> Vec<&dyn Group> {
        vec![&self.choices, &self.playout, &self.prior]
    }
    pub(crate) fn groups_mut(&mut self) -> Vec<&mut dyn Group> {
        vec![&mut self.choices, &mut self.playout, &mut self.prior]
    }
}

fn go_params(params: &EngineParams) -> GoParams {
    match &params.game {
        GameParams::Go(go) => go.clone(),
        _ => GoParams::default(),
    }
}

/// A player for a board of that size.
pub(crate) fn seat(start: &Start, params: &EngineParams) -> Result<Box<dyn Player>, EngineError> {
    Ok(match start.size {
        ..=9 => Box::new(Seated::<GoKit<UpTo9>>::new(start, params)?),
        10..=13 => Box::new(Seated::<GoKit<UpTo13>>::new(start, params)?),
        14..=19 => Box::new(Seated::<GoKit<UpTo19>>::new(start, params)?),
        _ => Box::new(Seated::<GoKit<UpTo25>>::new(start, params)?),
    })
}

pub(crate) struct GoKit<C>(PhantomData<C>);

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
    type Playout = Either<LightPlayout<C>, HeavyPlayout<C>>;
    type Knowledge = Switched<HandKnowledge>;

    fn playouts(params: &EngineParams) -> Box<dyn Fn() -> Self::Playout + Send> {
        let params = go_params(params);
        match params.choices.policy {
            GoPolicy::Light => Box::new(|| Either::Light(LightPlayout::new())),
            GoPolicy::Heavy => Box::new(move || Either::Heavy(HeavyPlayout::new(&params.playout))),
        }
    }

    fn knowledge(params: &EngineParams) -> Self::Knowledge {
        let params = go_params(params);
        Switched(
            params
                .choices
                .hand
                .then(|| HandKnowledge::new(params.prior)),
        )
    }

    fn start(start: &Start, _: &EngineParams) -> Result<Self::Game, EngineError> {
        Position::new(start.size, start.go).map_err(|e| EngineError::Setup(e.to_string()))
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
            .map_err(|e| EngineError::Setup(e.to_string()))
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
    }

    fn reopen(game: &mut Self::Game) {
        let turn = game.to_move();
        game.set_turn(turn.opponent());
        game.set_turn(turn);
    }

    fn go(seated: &mut Seated<Self>) -> Option<&mut dyn GoTable> {
        Some(seated)
    }
}

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
        let stones: Vec<_> = game
            .board()
            .points()
            .filter_map(|p| Some((game.board().stone(p)?, p)))
            .collect();
        let mut fresh = Position::from_stones(game.size(), rules, &stones, game.to_move())
            .map_err(|e| EngineError::Setup(e.to_string()))?;
        fresh.set_handicap(game.handicap());
        self.replace(fresh)
    }

    fn place_handicap(&mut self, stones: &[String]) -> Result<(), EngineError> {
        let game = self.position();
        if game
            .board()
            .points()
            .any(|p| game.board().stone(p).is_some())
        {
            return Err(EngineError::Setup(
                "the board is not empty; clear it before placing handicap stones".to_string(),
            ));
        }
        let stones: Vec<_> = stones
            .iter()
            .map(|text| (Colour::Black, text.clone()))
            .collect();
        let count = stones.len();
        self.set_up(&stones, Colour::White)?;
        self.adjust(|game| game.set_handicap(count))
    }

    fn set_handicap(&mut self, stones: usize) {
        // A panic of a search that ran before is told at its next start.
        let _ = self.adjust(|game| game.set_handicap(stones));
    }

    fn handicap_points(&self, _stones: usize, _fixed: bool) -> Result<Vec<String>, EngineError> {
        Err(EngineError::Setup("not yet".to_string()))
    }

    fn final_score(&mut self, _dead_stand: bool) -> GameResult {
        result_of_lead(self.position().area_lead_half_points())
    }

    fn stones_of_status(&mut self, _status: Status) -> Vec<Vec<String>> {
        Vec::new()
    }

    fn ownership(&mut self) -> Vec<f32> {
        Vec::new()
    }
}
