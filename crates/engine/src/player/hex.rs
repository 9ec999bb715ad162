//! Hex: playouts, knowledge and the swap.

mod alphabeta;

use std::sync::Arc;

use kosumi_game::{Move, Playout, Reward, Rng, Trace};
use kosumi_hex::{
    AlphaBetaParams, Hex, HexAnalysis, HexEvaluator, HexKnowledge, HexMove, HexPlayoutParams,
    HexPriors, HexProver, HexRules, HexStudy, HexWorker, LightPlayout, PatternPlayout,
    PatternWeights, Point, SavebridgePlayout,
};
use kosumi_record::{Colour, GameResult, Victory};
use kosumi_search::Pace;

use self::alphabeta::AlphaBeta;
use super::{
    HexView, Kit, Mind, NetEvaluator, Player, Playouts, ProverAt, Searching, Seated, Start,
    searcher,
};
use crate::error::EngineError;
use crate::openings::OpeningTable;
use crate::params::{EngineParams, GameParams, Group};
use crate::resources::Resources;
use crate::weights::{self, Weights};

kosumi_game::choices! {
    /// How a player of Hex searches.
    pub enum HexSearch {
        /// By a tree of simulations.
        Tree = "tree",
        /// By alpha-beta on the circuit (H4), without simulations.
        AlphaBeta = "alphabeta",
    }
}

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
        /// When a solver works on the position and its best line, and its proofs become the search's (H14).
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
        /// How moves are searched; alphabeta: in one thread, by evaluated positions in place of simulations (H4).
        search "search.kind": HexSearch = HexSearch::Tree;
        /// How playouts choose moves.
        policy "playout.policy": HexPolicy = HexPolicy::Savebridge;
        /// Priors from learned patterns for the moves of the tree (H9).
        learned "knowledge.learned": bool = false;
        /// The file of learned patterns of the tree; own: those that are part of the program.
        weights "knowledge.weights": Weights = Weights::Own;
        /// The file of learned patterns of playouts, of up to 12 cells; own: those that are part of the program.
        playout_weights "playout.weights": Weights = Weights::Own;
        /// Nodes are evaluated by the net, for priors and for estimate.weight.
        judged "knowledge.judged": bool = false;
        /// Visits at which a node is evaluated by the net; 0: when its moves are listed.
        net_at "knowledge.net_at": u64 = 10, 0..=1000000000;
        /// The file of the net; own: the one that is part of the program.
        net_weights "knowledge.net": Weights = Weights::Own;
        /// Visits at which inferior cells and virtual connections of a node are looked for (H5); 0: never.
        analysis_at "knowledge.analysis_at": u64 = 0, 0..=1000000000;
        /// What is looked for there.
        analysis "knowledge.analysis": HexAnalysis = HexAnalysis::Both;
        /// The power of the current (H4) through a cell in the priors of analysed nodes; 0: patterns alone.
        current "knowledge.current": f32 = 0.0, 0.0..=10.0;
        /// The first stone and the swap by computed values of openings, on boards that have a table.
        openings "knowledge.openings": bool = true;
    }
}

/// The parameters of a player of Hex.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct HexParams {
    /// Which playouts and knowledge.
    pub choices: HexChoices,
    /// The search by alpha-beta.
    pub alphabeta: AlphaBetaParams,
    /// The playouts by patterns.
    pub playout: HexPlayoutParams,
    /// The solver beside the search.
    pub solver: HexSolverParams,
    /// The rules.
    pub rules: HexRules,
}

impl HexParams {
    pub(crate) fn groups(&self) -> Vec<&dyn Group> {
        vec![&self.choices, &self.alphabeta, &self.playout, &self.solver, &self.rules]
    }
    pub(crate) fn groups_mut(&mut self) -> Vec<&mut dyn Group> {
        let Self { choices, alphabeta, playout, solver, rules } = self;
        vec![choices, alphabeta, playout, solver, rules]
    }
}

fn hex_params(params: &EngineParams) -> HexParams {
    match &params.game {
        GameParams::Hex(hex) => hex.clone(),
        _ => HexParams::default(),
    }
}

/// A player for a board of that size.
pub(crate) fn seat(
    start: &Start,
    params: &EngineParams,
    resources: Arc<Resources>,
) -> Result<Box<dyn Player>, EngineError> {
    Ok(Box::new(Seated::<HexKit>::new(start, params, resources)?))
}

/// The table of openings, if the player uses one and the swap may still come.
fn table_for(game: &Hex, choices: &HexChoices) -> Option<&'static OpeningTable> {
    (choices.openings && game.swap_may_come()).then(|| OpeningTable::of(game.size()))?
}

/// The number of the cell of the only stone.
fn first_stone(game: &Hex) -> Option<usize> {
    Some(game.move_at(game.last_stone()?)?.index())
}

/// Whether the second player takes over a first stone: it is worth more than a half.
fn swaps(table: &OpeningTable, stone: usize) -> Option<bool> {
    Some(table.value(stone)? > 0.5)
}

fn prover(params: &HexSolverParams) -> Option<ProverAt<Hex>> {
    let pace = match params.run {
        HexSolving::Off => return None,
        HexSolving::Between => Pace::Between(params.pace),
        HexSolving::Beside => Pace::OwnThread,
    };
    Some((Box::new(HexProver::new(params.memory_mb << 20)), pace))
}

/// Bytes for the connections of each thread: together a quarter of the engine's, but no more than the
/// boards of a line ever take.
fn worker_bytes(params: &EngineParams, bytes: u64) -> u64 {
    (bytes / 4 / params.search.threads.max(1) as u64).min(MOST_WORKER_BYTES)
}

const MOST_WORKER_BYTES: u64 = 48 << 20;

pub(crate) struct HexKit;

/// The most memory that a solver takes for a question about the board.
const VIEW_MEMORY_MB: usize = 256;

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

    fn mind(params: &EngineParams, position: &Hex, bytes: u64) -> Result<Mind<Self>, EngineError> {
        let worker_bytes = worker_bytes(params, bytes);
        let HexParams { choices, playout, solver, .. } = hex_params(params);
        let mut priors = None;
        let mut weights = Vec::new();
        // A file that cannot be used is told even where it would not be.
        let size = position.size();
        if choices.learned || choices.weights != Weights::Own {
            let found = weights::hex_patterns(&choices.weights, size)?;
            if choices.learned {
                weights.push(found.source);
                priors = Some(HexPriors::new(found.model));
            }
        }
        let by_patterns = choices.policy == HexPolicy::Patterns;
        let mut drawn = None;
        if by_patterns || choices.playout_weights != Weights::Own {
            let found = weights::hex_playouts(&choices.playout_weights, size)?;
            if by_patterns {
                weights.push(found.source);
                drawn = Some(Arc::new(PatternWeights::new(&found.model, &playout)));
            }
        }
        let playouts: Playouts<Self::Playout> = match (choices.policy, drawn) {
            (HexPolicy::Light, _) => Box::new(|| HexPlayout::Light(LightPlayout::new())),
            (HexPolicy::Patterns, Some(drawn)) => {
                Box::new(move || HexPlayout::Patterns(PatternPlayout::new(Arc::clone(&drawn))))
            }
            _ => Box::new(move || {
                let playout = SavebridgePlayout::with_answers(playout.breakbridge, playout.ladder);
                HexPlayout::Savebridge(playout)
            }),
        };
        let study = (choices.analysis_at > 0).then_some(HexStudy {
            analysis: choices.analysis,
            at: choices.analysis_at,
            current: choices.current,
            estimate: params.search.estimate_weight > 0.0 && !choices.judged,
        });
        let mut evaluator = None;
        if choices.judged || choices.net_weights != Weights::Own {
            let found = weights::hex_net(&choices.net_weights, size)?;
            if choices.judged {
                evaluator = Some(NetEvaluator {
                    evaluator: Arc::new(HexEvaluator::new(found.model)),
                    hash: found.source.hash,
                    visits: choices.net_at,
                });
                weights.push(found.source);
            }
        }
        let knowledge = HexKnowledge::new(priors, study).with_worker_bytes(worker_bytes as usize);
        Ok(Mind { playouts, knowledge, weights, prover: prover(&solver), evaluator })
    }

    /// The circuit is evaluated only where one is used.
    fn remakes_search(old: &EngineParams, new: &EngineParams) -> bool {
        let estimates = |params: &EngineParams| params.search.estimate_weight > 0.0;
        old.game != new.game || estimates(old) != estimates(new)
    }

    fn evaluates(params: &EngineParams) -> bool {
        let choices = hex_params(params).choices;
        choices.judged && choices.search == HexSearch::Tree
    }

    fn bytes_beside_the_tree(params: &EngineParams, bytes: u64) -> u64 {
        let HexParams { choices, solver, .. } = hex_params(params);
        let analysts = match choices.analysis_at {
            0 => 0,
            _ => params.search.threads as u64 * worker_bytes(params, bytes),
        };
        let solver = match solver.run {
            HexSolving::Off => 0,
            _ => (solver.memory_mb as u64) << 20,
        };
        analysts + solver
    }

    fn search(
        params: &EngineParams,
        position: Hex,
        resources: &Arc<Resources>,
    ) -> Result<Searching<Hex>, EngineError> {
        let HexParams { choices, alphabeta, .. } = hex_params(params);
        match choices.search {
            HexSearch::Tree => searcher::tree_search::<Self>(params, position, resources),
            HexSearch::AlphaBeta => {
                let reservation = resources.reserve(params.search.memory_mb, false)?;
                let search = AlphaBeta::new(position, alphabeta, params.search.memory_mb)?;
                Ok(Searching { search: Box::new(search), weights: Vec::new(), reservation })
            }
        }
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

    /// While the swap may come, what the table of openings says; later a win that connections or
    /// fill-in show is played out without search (H2, H3).
    fn reflex(game: &Hex, params: &EngineParams) -> Option<HexMove> {
        let choices = hex_params(params).choices;
        if let Some(table) = table_for(game, &choices) {
            return match first_stone(game) {
                None => table.fairest().map(HexMove::from_index),
                Some(stone) => swaps(table, stone)?.then(|| game.swap_move()),
            };
        }
        if choices.analysis_at == 0 {
            return None;
        }
        let outlook = HexWorker::default().look(game, choices.analysis)?;
        let won = outlook.winner == Some(game.colour_to_move());
        outlook.moves.first().filter(|_| won).map(HexMove::from_index)
    }

    /// A stone that the table would not take over is answered as if nobody could.
    fn prepare(game: &mut Hex, params: &EngineParams) -> bool {
        let stands = |game: &Hex| -> Option<bool> {
            let table = table_for(game, &hex_params(params).choices)?;
            Some(!swaps(table, first_stone(game)?)?)
        };
        let settles = game.can_swap() && stands(game).unwrap_or(false);
        if settles {
            game.settle_swap();
        }
        settles
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

    fn hex_view(
        game: &Hex,
        exchanged: bool,
        params: &EngineParams,
    ) -> Option<Result<HexView, EngineError>> {
        let choices = hex_params(params).choices;
        let patterns = weights::hex_patterns(&choices.weights, game.size());
        let net = weights::hex_net(&choices.net_weights, game.size());
        let memory_mb = params.search.memory_mb.min(VIEW_MEMORY_MB);
        let view =
            |patterns: Arc<_>, net| HexView::new(game.clone(), exchanged, patterns, net, memory_mb);
        Some(patterns.and_then(|patterns| Ok(view(patterns.model, net?.model))))
    }
}
