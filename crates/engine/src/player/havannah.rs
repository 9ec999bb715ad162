//! Havannah: playouts and the swap.

use std::sync::Arc;

use kosumi_game::{Game, Move, NoKnowledge};
use kosumi_havannah::{
    Havannah, HavannahEvaluator, HavannahMove, HavannahRules, HeavyParams, HeavyPlayout,
    LightPlayout,
};
use kosumi_record::{Colour, GameResult, Victory};

use super::policy::Either;
use super::{Kit, Mind, NetEvaluator, Player, Playouts, Seated, Start};
use crate::error::EngineError;
use crate::params::{EngineParams, GameParams, Group};
use crate::resources::Resources;
use crate::weights::{self, Weights};

kosumi_game::choices! {
    /// How playouts of Havannah choose moves.
    pub enum HavannahPolicy {
        /// Uniformly.
        Light = "light",
        /// By hand-made rules: immediate wins, bridges.
        Heavy = "heavy",
    }
}

kosumi_game::parameters! {
    /// Which playouts a player of Havannah uses.
    pub struct HavannahChoices {
        /// How playouts choose moves.
        policy "playout.policy": HavannahPolicy = HavannahPolicy::Heavy;
        /// Nodes are evaluated by the net, for priors and for estimate.weight.
        evaluated "knowledge.evaluated": bool = false;
        /// Visits at which a node is evaluated by the net; 0: when its moves are listed.
        net_at "knowledge.net_at": u64 = 0, 0..=1000000000;
        /// The file of the net; own: the one that is part of the program.
        net_weights "knowledge.net": Weights = Weights::Own;
    }
}

/// The parameters of a player of Havannah.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct HavannahParams {
    /// Which playouts.
    pub choices: HavannahChoices,
    /// The heavy playouts.
    pub heavy: HeavyParams,
    /// The rules.
    pub rules: HavannahRules,
}

impl HavannahParams {
    pub(crate) fn groups(&self) -> Vec<&dyn Group> {
        vec![&self.choices, &self.heavy, &self.rules]
    }
    pub(crate) fn groups_mut(&mut self) -> Vec<&mut dyn Group> {
        vec![&mut self.choices, &mut self.heavy, &mut self.rules]
    }
}

fn havannah_params(params: &EngineParams) -> HavannahParams {
    match &params.game {
        GameParams::Havannah(havannah) => havannah.clone(),
        _ => HavannahParams::default(),
    }
}

/// A player for a board of that size.
pub(crate) fn seat(
    start: &Start,
    params: &EngineParams,
    resources: Arc<Resources>,
) -> Result<Box<dyn Player>, EngineError> {
    Ok(Box::new(Seated::<HavannahKit>::new(start, params, resources)?))
}

pub(crate) struct HavannahKit;

const fn ours(colour: kosumi_havannah::Colour) -> Colour {
    match colour {
        kosumi_havannah::Colour::Black => Colour::Black,
        kosumi_havannah::Colour::White => Colour::White,
    }
}

const fn theirs(colour: Colour) -> kosumi_havannah::Colour {
    match colour {
        Colour::Black => kosumi_havannah::Colour::Black,
        Colour::White => kosumi_havannah::Colour::White,
    }
}

impl Kit for HavannahKit {
    type Game = Havannah;
    type Playout = Either<LightPlayout, HeavyPlayout>;
    type Knowledge = NoKnowledge;

    fn mind(
        params: &EngineParams,
        position: &Self::Game,
        _: u64,
    ) -> Result<Mind<Self>, EngineError> {
        let params = havannah_params(params);
        let playouts: Playouts<Self::Playout> = match params.choices.policy {
            HavannahPolicy::Light => Box::new(|| Either::Light(LightPlayout::new())),
            HavannahPolicy::Heavy => {
                let heavy = params.heavy.clone();
                Box::new(move || Either::Heavy(HeavyPlayout::new(&heavy)))
            }
        };
        let mut mind = Mind::without_weights(playouts, NoKnowledge);
        let choices = &params.choices;
        // A file that cannot be used is told even where it would not be.
        if choices.evaluated || choices.net_weights != Weights::Own {
            let found = weights::havannah_net(&choices.net_weights, position.size())?;
            if choices.evaluated {
                mind.evaluator = Some(NetEvaluator {
                    evaluator: Arc::new(HavannahEvaluator::new(found.model)),
                    hash: found.source.hash,
                    visits: choices.net_at,
                });
                mind.weights.push(found.source);
            }
        }
        Ok(mind)
    }

    fn evaluates(params: &EngineParams) -> bool {
        havannah_params(params).choices.evaluated
    }

    fn start(start: &Start, params: &EngineParams) -> Result<Havannah, EngineError> {
        Havannah::new(start.size, havannah_params(params).rules)
            .map_err(|e| EngineError::Setup(e.to_string()))
    }

    fn set_up(
        like: &Havannah,
        stones: &[(Colour, HavannahMove)],
        to_move: Colour,
    ) -> Result<Havannah, EngineError> {
        let stones = stones.iter().map(|&(colour, mv)| (theirs(colour), mv));
        Havannah::from_stones(like.size(), like.rules(), stones, theirs(to_move))
            .map_err(|e| EngineError::Setup(e.to_string()))
    }

    fn to_move(game: &Havannah) -> Colour {
        ours(game.colour_to_move())
    }

    fn set_turn(game: &mut Havannah, colour: Colour) {
        game.set_turn(theirs(colour));
    }

    fn stone(game: &Havannah, mv: HavannahMove) -> Option<Colour> {
        game.stone(mv).map(ours)
    }

    fn result(game: &Havannah) -> Option<GameResult> {
        game.outcome()?;
        Some(match game.winner() {
            Some(colour) => GameResult::win(ours(colour), Victory::Unspecified),
            None => GameResult::Draw,
        })
    }

    fn show(game: &Havannah) -> String {
        game.to_string().trim_end().to_string()
    }

    fn moves_left(game: &Havannah) -> f64 {
        let cells = (game.move_space() - 1) as f64;
        // Games fill about a third of the board.
        ((0.35 * cells - game.stones() as f64) / 2.0).max(cells / 16.0)
    }

    fn is_swap(game: &Havannah, mv: HavannahMove) -> bool {
        mv == game.swap_move()
    }

    /// The board is the same for both colours, so that stones only change theirs.
    fn exchanged(game: &Havannah) -> Havannah {
        let stones = (0..game.move_space()).filter_map(|index| {
            let mv = HavannahMove::from_index(index);
            Some((game.stone(mv)?.opponent(), mv))
        });
        let to_move = game.colour_to_move().opponent();
        Havannah::from_stones(game.size(), game.rules(), stones, to_move)
            .unwrap_or_else(|_| game.clone())
    }
}
