//! Hex: playouts and the swap.

use kosumi_game::NoKnowledge;
use kosumi_hex::{Hex, HexMove, HexRules, LightPlayout, Point, SavebridgePlayout};
use kosumi_record::{Colour, GameResult, Victory};

use super::policy::Either;
use super::{Informed, Kit, Player, Seated, Start};
use crate::error::EngineError;
use crate::params::{EngineParams, GameParams, Group};

kosumi_game::choices! {
    /// How playouts of Hex choose moves.
    pub enum HexPolicy {
        /// Uniformly.
        Light = "light",
        /// Uniformly, but an attacked bridge is saved (H6).
        Savebridge = "savebridge",
    }
}

kosumi_game::parameters! {
    /// Which playouts a player of Hex uses.
    pub struct HexChoices {
        /// How playouts choose moves.
        policy "playout.policy": HexPolicy = HexPolicy::Savebridge;
    }
}

/// The parameters of a player of Hex.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct HexParams {
    /// Which playouts.
    pub choices: HexChoices,
    /// The rules.
    pub rules: HexRules,
}

impl HexParams {
    pub(crate) fn groups(&self) -> Vec<&dyn Group> {
        vec![&self.choices, &self.rules]
    }
    pub(crate) fn groups_mut(&mut self) -> Vec<&mut dyn Group> {
        vec![&mut self.choices, &mut self.rules]
    }
}

fn hex_params(params: &EngineParams) -> HexParams {
    match &params.game {
        GameParams::Hex(hex) => hex.clone(),
        _ => HexParams::default(),
    }
}

/// A player for a board of that size.
pub(crate) fn seat(start: &Start, params: &EngineParams) -> Result<Box<dyn Player>, EngineError> {
    Ok(Box::new(Seated::<HexKit>::new(start, params)?))
}

pub(crate) struct HexKit;

const fn ours(colour: kosumi_hex::Colour) -> Colour {
    match colour {
        kosumi_hex::Colour::Black => Colour::Black,
        kosumi_hex::Colour::White => Colour::White,
    }
}

const fn theirs(colour: Colour) -> kosumi_hex::Colour {
    match colour {
        Colour::Black => kosumi_hex::Colour::Black,
        Colour::White => kosumi_hex::Colour::White,
    }
}

impl Kit for HexKit {
    type Game = Hex;
    type Playout = Either<LightPlayout, SavebridgePlayout>;
    type Knowledge = NoKnowledge;

    fn playouts(params: &EngineParams) -> Box<dyn Fn() -> Self::Playout + Send + Sync> {
        match hex_params(params).choices.policy {
            HexPolicy::Light => Box::new(|| Either::Light(LightPlayout::new())),
            HexPolicy::Savebridge => Box::new(|| Either::Heavy(SavebridgePlayout::new())),
        }
    }

    fn knowledge(_: &EngineParams, _: &Self::Game) -> Result<Informed<NoKnowledge>, EngineError> {
        Ok(Informed { knowledge: NoKnowledge, weights: None })
    }

    fn start(start: &Start, params: &EngineParams) -> Result<Hex, EngineError> {
        Hex::new(start.size, hex_params(params).rules)
            .map_err(|e| EngineError::Setup(e.to_string()))
    }

    fn set_up(
        like: &Hex,
        stones: &[(Colour, HexMove)],
        to_move: Colour,
    ) -> Result<Hex, EngineError> {
        let stones = stones.iter().map(|&(colour, mv)| (theirs(colour), mv));
        Hex::from_stones(like.size(), like.rules(), stones, theirs(to_move))
            .map_err(|e| EngineError::Setup(e.to_string()))
    }

    fn to_move(game: &Hex) -> Colour {
        ours(game.colour_to_move())
    }

    fn set_turn(game: &mut Hex, colour: Colour) {
        game.set_turn(theirs(colour));
    }

    fn stone(game: &Hex, mv: HexMove) -> Option<Colour> {
        game.cell(game.point(mv)?).colour().map(ours)
    }

    fn result(game: &Hex) -> Option<GameResult> {
        game.winner().map(|colour| GameResult::win(ours(colour), Victory::Unspecified))
    }

    fn show(game: &Hex) -> String {
        game.to_string()
    }

    fn moves_left(game: &Hex) -> f64 {
        let cells = (game.size() * game.size()) as f64;
        // Games fill about a half of the board.
        ((0.5 * cells - game.stones() as f64) / 2.0).max(cells / 16.0)
    }

    fn is_swap(game: &Hex, mv: HexMove) -> bool {
        mv == game.swap_move()
    }

    /// Mirrored at the short diagonal, colours reversed.
    fn exchanged(game: &Hex) -> Hex {
        let stones = game.points().iter().filter_map(|&point| {
            let colour = game.cell(point).colour()?;
            let mirrored = game.move_at(Point::new(point.row(), point.column()))?;
            Some((colour.opponent(), mirrored))
        });
        let to_move = game.colour_to_move().opponent();
        Hex::from_stones(game.size(), game.rules(), stones, to_move)
            .unwrap_or_else(|_| game.clone())
    }

    fn exchanged_move(game: &Hex, mv: HexMove) -> HexMove {
        game.point(mv)
            .and_then(|point| game.move_at(Point::new(point.row(), point.column())))
            .unwrap_or(mv)
    }
}
