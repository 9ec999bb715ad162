//! A player sits at one board: position and history, a search, and what the game alone knows.
//!
//! [`Player`] is the object that engines hold. It is implemented once, by [`Seated`], over a
//! [`Kit`]: the small list of what differs between games. Size classes of Go are different types,
//! so an engine makes a new player when the size of the board changes.

mod go;
mod havannah;
pub(crate) mod hex;
mod hex_view;
mod history;
mod policy;
mod searcher;
mod seated;
mod solve_limits;

use std::sync::Arc;

use kosumi_game::{Evaluator, Game, Knowledge, Playout, Prover};
use kosumi_record::{Colour, GameResult, RecordMove};
use kosumi_search::{Limits, Pace, TreeFacts};

use crate::analysis::{Analysis, MoveRestriction, Thinking};
use crate::error::EngineError;
use crate::params::EngineParams;
use crate::resources::Resources;
use crate::weights::WeightsInUse;

pub use kosumi_go::Status;

pub use go::{GoChoices, GoParams, GoPolicy};
pub use havannah::{HavannahChoices, HavannahParams, HavannahPolicy};
pub use hex::{HexChoices, HexParams, HexPolicy, HexSearch, HexSolverParams, HexSolving};
pub use hex_view::{Connection, ConnectionKind, HexView, Inferiority, Resistance};
pub use solve_limits::SolveLimits;

pub(crate) use go::seat as go_seat;
pub(crate) use havannah::seat as havannah_seat;
pub(crate) use hex::seat as hex_seat;
pub(crate) use searcher::Searching;
pub(crate) use seated::Seated;

/// What a game starts from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Start {
    /// The board's size.
    pub size: usize,
    /// The rules of Go; other games have theirs among the parameters.
    pub go: kosumi_go::Rules,
}

/// A player at one board, as engines see it. Every method that changes something ends a running
/// search first.
pub(crate) trait Player: Send {
    /// Back to the beginning, by the rules of `start` (whose size is this board's).
    fn clear(&mut self, start: &Start, params: &EngineParams) -> Result<(), EngineError>;

    /// Other parameters from now on.
    fn set_params(&mut self, params: &EngineParams) -> Result<(), EngineError>;

    fn to_move(&self) -> Colour;
    fn moves(&self) -> Vec<RecordMove>;

    /// The moves that would be legal if it were `colour`'s turn.
    fn legal_moves(&self, colour: Colour) -> Vec<String>;
    fn stones(&self) -> Vec<(Colour, String)>;
    fn show(&self) -> String;

    /// The result, once the game is over.
    fn result(&self) -> Option<GameResult>;

    /// About how many moves this player still has to make.
    fn moves_left(&self) -> f64;

    fn play(&mut self, colour: Colour, text: &str) -> Result<(), EngineError>;

    /// Takes back the last move, exactly. False if there is none.
    fn undo(&mut self) -> Result<bool, EngineError>;

    /// Puts up other stones; no move can be undone beyond.
    fn set_up(&mut self, stones: &[(Colour, String)], to_move: Colour) -> Result<(), EngineError>;

    /// Searches for `colour` in the background.
    fn think(
        &mut self,
        colour: Colour,
        limits: Limits,
        restrictions: &[MoveRestriction],
    ) -> Result<Box<dyn Thinking>, EngineError>;

    /// Ends a running search. Tells, once, if it failed.
    fn halt(&mut self) -> Result<(), EngineError>;

    /// Plays out the position for so many seconds; how often.
    fn playouts_for(&self, seconds: f64) -> u64;

    /// The visits at which the search asks for knowledge, stage by stage.
    fn knowledge_stages(&self) -> Vec<u64>;

    /// Judges the position by one stage of the search's knowledge for so many seconds; how often.
    fn judgements_for(&self, stage: usize, seconds: f64) -> u64;

    /// Recomputes the whole tree and compares.
    fn verify(&mut self) -> Result<TreeFacts, EngineError>;

    /// Ends the search and gives its memory back; [`Player::recover`] makes another.
    fn retire(&mut self);

    /// Starts afresh from the same position after a failure nobody foresaw.
    fn recover(&mut self) -> Result<(), EngineError>;

    /// The learned weights that the search uses.
    fn weights(&self) -> &[WeightsInUse];

    /// A move that needs no thought, if there is one.
    fn reflex(&mut self, _colour: Colour, _params: &EngineParams) -> Option<String> {
        None
    }

    /// The move that play and not only the search prefers, if it is another than the best.
    fn second_thought(
        &mut self,
        colour: Colour,
        analysis: &Analysis,
        params: &EngineParams,
        goal: Goal,
    ) -> Option<String>;

    /// What only Go has.
    fn go(&mut self) -> Option<&mut dyn GoTable> {
        None
    }

    /// What is known of a position of Hex; fails if its learned patterns cannot be read any more.
    fn hex_view(&self) -> Option<Result<HexView, EngineError>>;
}

/// What a generated move is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Goal {
    /// To win.
    Win,
    /// Go: to take all dead stones off the board before passing (`kgs-genmove_cleanup`).
    CleanUp,
}

/// What only players of Go do.
pub(crate) trait GoTable {
    /// Other komi, scoring and compensation from now on; ko and suicide only before the first move.
    fn set_rules(&mut self, rules: kosumi_go::Rules) -> Result<(), EngineError>;

    /// Puts handicap stones on the empty board. White is to move afterwards.
    fn place_handicap(&mut self, stones: &[String]) -> Result<(), EngineError>;

    /// How many handicap stones White is compensated for.
    fn set_handicap(&mut self, stones: usize);

    /// The usual points for so many handicap stones.
    fn handicap_points(&self, stones: usize, fixed: bool) -> Result<Vec<String>, EngineError>;

    /// The result with dead stones taken off, or as the board stands.
    fn final_score(&mut self, dead_stand: bool) -> GameResult;

    /// All stones of that status, chain by chain.
    fn stones_of_status(&mut self, status: Status) -> Vec<Vec<String>>;

    /// Who owns each point at the end of playouts: 1 Black, -1 White; rows from the top.
    fn ownership(&mut self) -> Vec<f32>;
}

/// Makes playouts, one for each thread.
pub(crate) type Playouts<P> = Box<dyn Fn() -> P + Send + Sync>;

/// What a search thinks with, and the weights it was made from.
pub(crate) struct Mind<K: Kit> {
    pub playouts: Playouts<K::Playout>,
    pub knowledge: K::Knowledge,
    pub weights: Vec<WeightsInUse>,
    pub prover: Option<ProverAt<K::Game>>,
    pub evaluator: Option<NetEvaluator<K::Game>>,
}

/// An evaluator that was made from a file of weights.
pub(crate) struct NetEvaluator<G> {
    pub evaluator: Arc<dyn Evaluator<G>>,
    /// The hash of the file.
    pub hash: u64,
    /// Visits at which a node is evaluated; 0: when its moves are listed.
    pub visits: u64,
}

/// What solves positions beside the search, and when.
pub(crate) type ProverAt<G> = (Box<dyn Prover<G>>, Pace);

impl<K: Kit> Mind<K> {
    /// One that learned nothing.
    pub(crate) fn without_weights(playouts: Playouts<K::Playout>, knowledge: K::Knowledge) -> Self {
        Self { playouts, knowledge, weights: Vec::new(), prover: None, evaluator: None }
    }
}

/// What differs between games: which types meet, and what the game calls things.
///
/// Colours here are those of the board. What a protocol calls them after a swap is the business of
/// [`Seated`].
pub(crate) trait Kit: Sized + Send + Sync + 'static {
    type Game: Game;
    type Playout: Playout<Self::Game> + 'static;
    type Knowledge: Knowledge<Self::Game, Worker: 'static>;

    /// Playouts and knowledge for the board of that position.
    /// `bytes`: the memory of the engine.
    fn mind(
        params: &EngineParams,
        position: &Self::Game,
        bytes: u64,
    ) -> Result<Mind<Self>, EngineError>;

    /// Whether a search made with `old` parameters must be made anew for `new` ones: playouts and
    /// knowledge are part of it.
    fn remakes_search(old: &EngineParams, new: &EngineParams) -> bool {
        old.game != new.game
    }

    /// What searches the positions of a player; a tree unless the game has something else.
    fn search(
        params: &EngineParams,
        position: Self::Game,
        resources: &Arc<Resources>,
    ) -> Result<Searching<Self::Game>, EngineError> {
        searcher::tree_search::<Self>(params, position, resources)
    }

    /// Whether an evaluator looks at positions.
    fn evaluates(_params: &EngineParams) -> bool {
        false
    }

    /// Bytes that grow beside the tree of an engine that has so many: what knowledge keeps in each
    /// thread, and solvers.
    fn bytes_beside_the_tree(_params: &EngineParams, _bytes: u64) -> u64 {
        0
    }

    fn start(start: &Start, params: &EngineParams) -> Result<Self::Game, EngineError>;

    /// The same board with other stones and no history.
    fn set_up(
        like: &Self::Game,
        stones: &[(Colour, <Self::Game as Game>::Move)],
        to_move: Colour,
    ) -> Result<Self::Game, EngineError>;

    fn to_move(game: &Self::Game) -> Colour;
    fn set_turn(game: &mut Self::Game, colour: Colour);
    fn stone(game: &Self::Game, mv: <Self::Game as Game>::Move) -> Option<Colour>;
    fn result(game: &Self::Game) -> Option<GameResult>;
    fn show(game: &Self::Game) -> String;
    fn moves_left(game: &Self::Game) -> f64;

    /// What a position that an undo brings back takes over from the one it replaces, e.g. komi.
    fn carry_back(_now: &Self::Game, _earlier: &mut Self::Game) {}

    /// Makes a game that only passes have ended go on.
    fn reopen(_game: &mut Self::Game) {}

    /// Makes a position ready to be searched; true if that changes it.
    fn prepare(_game: &mut Self::Game, _params: &EngineParams) -> bool {
        false
    }

    /// Whether the move exchanges the players' colours.
    fn is_swap(_game: &Self::Game, _mv: <Self::Game as Game>::Move) -> bool {
        false
    }

    /// The position in which the players have not exchanged colours but stones: equal to `game`
    /// for every purpose but the eye.
    fn exchanged(game: &Self::Game) -> Self::Game {
        game.clone()
    }

    /// Where [`Kit::exchanged`] sends a move.
    fn exchanged_move(
        _game: &Self::Game,
        mv: <Self::Game as Game>::Move,
    ) -> <Self::Game as Game>::Move {
        mv
    }

    /// As [`Player::reflex`]; `position` has the right player to move.
    fn reflex(
        _position: &Self::Game,
        _params: &EngineParams,
    ) -> Option<<Self::Game as Game>::Move> {
        None
    }

    /// As [`Player::second_thought`]; `position` has the right player to move.
    fn second_thought(
        _seated: &mut Seated<Self>,
        _position: &Self::Game,
        _analysis: &Analysis,
        _params: &EngineParams,
        _goal: Goal,
    ) -> Option<<Self::Game as Game>::Move> {
        None
    }

    fn go(_seated: &mut Seated<Self>) -> Option<&mut dyn GoTable> {
        None
    }

    /// As [`Player::hex_view`]; `exchanged`: how the board is shown.
    fn hex_view(
        _game: &Self::Game,
        _exchanged: bool,
        _params: &EngineParams,
    ) -> Option<Result<HexView, EngineError>> {
        None
    }
}
