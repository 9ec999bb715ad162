//! Hex: playouts, knowledge and the swap.

use std::sync::Arc;

use kosumi_game::{Move, Playout, Reward, Rng, Trace};
use kosumi_hex::{
    Hex, HexKnowledge, HexMove, HexPlayoutParams, HexPriors, HexProver, HexRules, HexWorker,
    LightPlayout, PatternPlayout, PatternWeights, Point, SavebridgePlayout,
};
use kosumi_record::{Colour, GameResult, Victory};
use kosumi_search::Pace;

use super::{Kit, Mind, Player, Playouts, ProverAt, Seated, Start};
use crate::error::EngineError;
use crate::params::{EngineParams, GameParams, Group};
use crate::weights::{self, Weights};

kosumi_game::choices! {
    /// How playouts of Hex choose moves.
    pub enum HexPolicy {
        /// Uniformly.
        Light = "light",
        /// Uniformly, but an attacked bridge is saved (H6).
        Savebridge = "savebridge",
        /// By learned patterns (H10).
        Patterns = "patterns",
    }
}

kosumi_game::choices! {
    /// When a solver works beside the search (H14).
    pub enum HexSolving {
        /// Never.
        Off = "off",
        /// In the time of the search, at solver.pace.
        Between = "between",
        /// All the time, in one more thread than search.threads.
        Beside = "beside",
    }
}

kosumi_game::parameters! {
    /// The solver beside the search.
    pub struct HexSolverParams {
        /// When a solver works on the position and its best move, and its proofs become the search's (H14).
        run "solver.run": HexSolving = HexSolving::Off;
        /// Positions that a solver between the simulations looks at for every 1000 of them.
        pace "solver.pace": u64 = 20, 1..=1000000;
        /// Memory of the solver, in megabytes.
        memory_mb "solver.memory": usize = 64, 1..=65536;
    }
}

kosumi_game::parameters! {
    /// Which playouts and knowledge a player of Hex uses.
    pub struct HexChoices {
        /// How playouts choose moves.
        policy "playout.policy": HexPolicy = HexPolicy::Savebridge;
        /// Priors from learned patterns for the moves of the tree (H9).
        learned "knowledge.learned": bool = false;
        /// The file of learned patterns, of tree and playouts; own: those that are part of the program.
        weights "knowledge.weights": Weights = Weights::Own;
        /// Visits at which inferior cells and virtual connections of a node are looked for (H5); 0: never.
        analysis_at "knowledge.analysis_at": u64 = 0, 0..=1000000000;
    }
}

/// The parameters of a player of Hex.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct HexParams {
    /// Which playouts and knowledge.
    pub choices: HexChoices,
    /// The playouts by patterns.
    pub playout: HexPlayoutParams,
    /// The solver beside the search.
    pub solver: HexSolverParams,
    /// The rules.
    pub rules: HexRules,
}

impl HexParams {
    pub(crate) fn groups(&self) -> Vec<&dyn Group> {
        vec![&self.choices, &self.playout, &self.solver, &self.rules]
    }
    pub(crate) fn groups_mut(&mut self) -> Vec<&mut dyn Group> {
        vec![&mut self.choices, &mut self.playout, &mut self.solver, &mut self.rules]
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

fn prover(params: &HexSolverParams) -> Option<ProverAt<Hex>> {
    let pace = match params.run {
        HexSolving::Off => return None,
        HexSolving::Between => Pace::Between(params.pace),
        HexSolving::Beside => Pace::OwnThread,
    };
    Some((Box::new(HexProver::new(params.memory_mb << 20)), pace))
}

pub(crate) struct HexKit;

/// Playouts of any policy, at one branch per call.
// One for each thread: the room that the smaller ones waste does not matter.
#[allow(clippy::large_enum_variant)]
pub(crate) enum HexPlayout {
    Light(LightPlayout),
    Savebridge(SavebridgePlayout),
    Patterns(PatternPlayout),
}

impl Playout<Hex> for HexPlayout {
    #[inline]
    fn run(&mut self, from: &Hex, rng: &mut Rng, trace: &mut Trace) -> Reward {
        match self {
            Self::Light(playout) => playout.run(from, rng, trace),
            Self::Savebridge(playout) => playout.run(from, rng, trace),
            Self::Patterns(playout) => playout.run(from, rng, trace),
        }
    }
}

/// A colour of the board as records and protocols have it.
pub(crate) const fn ours(colour: kosumi_hex::Colour) -> Colour {
    match colour {
        kosumi_hex::Colour::Black => Colour::Black,
        kosumi_hex::Colour::White => Colour::White,
    }
}

/// The same the other way round.
pub(crate) const fn theirs(colour: Colour) -> kosumi_hex::Colour {
    match colour {
        Colour::Black => kosumi_hex::Colour::Black,
        Colour::White => kosumi_hex::Colour::White,
    }
}

impl Kit for HexKit {
    type Game = Hex;
    type Playout = HexPlayout;
    type Knowledge = HexKnowledge;

    fn mind(params: &EngineParams, position: &Hex) -> Result<Mind<Self>, EngineError> {
        let HexParams { choices, playout, solver, .. } = hex_params(params);
        let mut priors = None;
        let mut weights = Vec::new();
        // A file that cannot be used is told even where it would not be.
        let needed = choices.learned || choices.policy == HexPolicy::Patterns;
        let mut patterns = None;
        if needed || choices.weights != Weights::Own {
            let found = weights::hex_patterns(&choices.weights, position.size())?;
            if choices.learned {
                priors = Some(HexPriors::new(Arc::clone(&found.model)));
            }
            if needed {
                weights.push(found.source);
            }
            patterns = Some(found.model);
        }
        let playouts: Playouts<Self::Playout> = match (choices.policy, patterns) {
            (HexPolicy::Light, _) => Box::new(|| HexPlayout::Light(LightPlayout::new())),
            (HexPolicy::Patterns, Some(patterns)) => {
                let drawn = Arc::new(PatternWeights::new(&patterns, &playout));
                Box::new(move || HexPlayout::Patterns(PatternPlayout::new(Arc::clone(&drawn))))
            }
            _ => Box::new(|| HexPlayout::Savebridge(SavebridgePlayout::new())),
        };
        let analysis_at = (choices.analysis_at > 0).then_some(choices.analysis_at);
        let knowledge = HexKnowledge::new(priors, analysis_at);
        Ok(Mind { playouts, knowledge, weights, prover: prover(&solver) })
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

    /// A win that connections show is played out without search (H2).
    fn reflex(game: &Hex, params: &EngineParams) -> Option<HexMove> {
        if hex_params(params).choices.analysis_at == 0 {
            return None;
        }
        let outlook = HexWorker::default().look(game)?;
        let won = outlook.winner == Some(game.colour_to_move());
        let key = outlook.moves.first().filter(|_| won && outlook.moves.len() == 1)?;
        Some(HexMove::from_index(key))
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
