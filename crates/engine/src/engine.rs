//! An engine: one game in progress, with clocks, parameters and the decision what to play.

mod options;
mod record;
mod think;

use std::sync::Arc;

use kosumi_game::params::Spec;
use kosumi_go::{Komi, Rules};
use kosumi_record::{Colour, GameKind, GameResult, RecordMove};
use kosumi_search::{Clock, Limits, TreeFacts};

use crate::analysis::{Analysis, MoveRestriction, Thinking, TreeNode};
use crate::config::to_toml;
use crate::error::EngineError;
use crate::params::{DeadStones, EngineParams};
use crate::player::{self, HexView, Player, Start, Status};
use crate::resources::Resources;
use crate::weights::WeightsInUse;

use options::Settings;
pub use options::{EngineOptions, default_size, parse_game, size_range};
pub use think::{Decision, Pending};

/// An engine with one game in progress.
pub struct Engine {
    game: GameKind,
    start: Start,
    rules_name: String,
    settings: Settings,
    params: EngineParams,
    player: Box<dyn Player>,
    /// Those shared with other engines.
    resources: Option<Arc<Resources>>,
    clocks: Option<[Clock; 2]>,
    /// How many generated moves in a row were hopeless, Black's and White's.
    hopeless: [u32; 2],
    last_analysis: Option<Analysis>,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine")
            .field("game", &self.game)
            .field("start", &self.start)
            .finish_non_exhaustive()
    }
}

fn seat(
    game: GameKind,
    start: &Start,
    params: &EngineParams,
    shared: Option<&Arc<Resources>>,
) -> Result<Box<dyn Player>, EngineError> {
    let (min, max) = size_range(game);
    if !(min..=max).contains(&start.size) {
        return Err(EngineError::Size { game: game.name(), size: start.size, min, max });
    }
    let resources =
        shared.map_or_else(|| Resources::private(params.search.memory_mb as u64), Arc::clone);
    match game {
        GameKind::Hex => player::hex_seat(start, params, resources),
        GameKind::Havannah => player::havannah_seat(start, params, resources),
        GameKind::Go => player::go_seat(start, params, resources),
    }
}

impl Engine {
    /// An engine at the start of a game, with memory of its own.
    ///
    /// # Errors
    /// A size, preset, file or parameter that does not exist or does not fit.
    pub fn new(options: &EngineOptions) -> Result<Self, EngineError> {
        Self::make(options, None)
    }

    /// An engine that shares memory and evaluations with others of the process.
    ///
    /// # Errors
    /// As [`Engine::new`]; or there is not so much memory left.
    pub fn with_resources(
        options: &EngineOptions,
        resources: &Arc<Resources>,
    ) -> Result<Self, EngineError> {
        Self::make(options, Some(Arc::clone(resources)))
    }

    fn make(
        options: &EngineOptions,
        resources: Option<Arc<Resources>>,
    ) -> Result<Self, EngineError> {
        let settings = options.settings()?;
        let start =
            Start { size: options.size.unwrap_or(default_size(options.game)), go: Rules::CHINESE };
        let params = settings.params(start.size)?;
        Ok(Self {
            game: options.game,
            player: seat(options.game, &start, &params, resources.as_ref())?,
            resources,
            start,
            rules_name: "chinese".to_string(),
            settings,
            params,
            clocks: None,
            hopeless: [0; 2],
            last_analysis: None,
        })
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> GameKind {
        self.game
    }

    /// The board's size.
    #[must_use]
    pub fn size(&self) -> usize {
        self.start.size
    }

    /// Another board, empty. Parameters follow what presets say for its size.
    ///
    /// # Errors
    /// The game has no such board.
    pub fn set_size(&mut self, size: usize) -> Result<(), EngineError> {
        if size == self.start.size {
            return self.clear();
        }
        let start = Start { size, ..self.start.clone() };
        let params = self.settings.params(size)?;
        self.last_analysis = None;
        self.player.retire();
        match seat(self.game, &start, &params, self.resources.as_ref()) {
            Ok(player) => self.player = player,
            Err(error) => {
                self.player.recover()?;
                return Err(error);
            }
        }
        self.start = start;
        self.params = params;
        self.hopeless = [0; 2];
        self.reset_clocks();
        Ok(())
    }

    /// A new game on the same board.
    ///
    /// # Errors
    /// Parameters that cannot be played with.
    pub fn clear(&mut self) -> Result<(), EngineError> {
        self.last_analysis = None;
        self.hopeless = [0; 2];
        self.reset_clocks();
        self.player.clear(&self.start, &self.params)
    }

    /// Komi, as text; Go only.
    #[must_use]
    pub fn komi(&self) -> Option<String> {
        (self.game == GameKind::Go).then(|| self.start.go.komi.to_string())
    }

    /// Sets komi; Go only.
    ///
    /// # Errors
    /// What is no whole or half number, or another game.
    pub fn set_komi(&mut self, text: &str) -> Result<(), EngineError> {
        let komi = Komi::parse(text)?;
        self.change_rules(self.start.go.with_komi(komi), "komi")
    }

    /// The name of the rules; Go only.
    #[must_use]
    pub fn rules_name(&self) -> Option<&str> {
        (self.game == GameKind::Go).then_some(self.rules_name.as_str())
    }

    /// The rules of Go.
    #[must_use]
    pub fn rules(&self) -> Option<Rules> {
        (self.game == GameKind::Go).then_some(self.start.go)
    }

    /// Takes up a rule set; komi stays. In the middle of a game the rules of play (ko, suicide)
    /// stay as well until the board is cleared.
    ///
    /// # Errors
    /// There is no such rule set, or another game is played.
    pub fn set_rules(&mut self, name: &str) -> Result<(), EngineError> {
        let rules = Rules::named(name)?.with_komi(self.start.go.komi);
        self.change_rules(rules, "rules")?;
        self.rules_name = name.trim().to_ascii_lowercase().replace('_', "-");
        Ok(())
    }

    fn change_rules(&mut self, rules: Rules, what: &'static str) -> Result<(), EngineError> {
        let game = self.game;
        let table = self.player.go();
        let table = table.ok_or_else(|| EngineError::other_game(what, "Go", game))?;
        table.set_rules(rules)?;
        self.start.go = rules;
        Ok(())
    }

    /// Who is to move.
    #[must_use]
    pub fn to_move(&self) -> Colour {
        self.player.to_move()
    }

    /// The moves so far.
    #[must_use]
    pub fn moves(&self) -> Vec<RecordMove> {
        self.player.moves()
    }

    /// All legal moves of the player to move.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<String> {
        self.player.legal_moves(self.player.to_move())
    }

    /// All moves that would be legal if it were that colour's turn.
    #[must_use]
    pub fn legal_moves_of(&self, colour: Colour) -> Vec<String> {
        self.player.legal_moves(colour)
    }

    /// All stones on the board.
    #[must_use]
    pub fn stones(&self) -> Vec<(Colour, String)> {
        self.player.stones()
    }

    /// The board as a diagram.
    #[must_use]
    pub fn show(&self) -> String {
        self.player.show()
    }

    /// The result, once the game is over by the rules: in Go the area as the board stands.
    #[must_use]
    pub fn result(&self) -> Option<GameResult> {
        self.player.result()
    }

    /// Plays a move of either colour. In Go play goes on after two passes if the client wishes.
    ///
    /// # Errors
    /// What is no move or illegal.
    pub fn play(&mut self, colour: Colour, text: &str) -> Result<(), EngineError> {
        self.player.play(colour, text)?;
        self.last_analysis = None;
        Ok(())
    }

    /// Takes back the last move: the position is exactly the one before it.
    ///
    /// # Errors
    /// There is none.
    pub fn undo(&mut self) -> Result<(), EngineError> {
        self.hopeless = [0; 2];
        self.last_analysis = None;
        if self.player.undo()? { Ok(()) } else { Err(EngineError::NothingToUndo) }
    }

    /// Puts up a position; moves before it are forgotten.
    ///
    /// # Errors
    /// Stones that cannot stand there.
    pub fn set_up(
        &mut self,
        stones: &[(Colour, String)],
        to_move: Colour,
    ) -> Result<(), EngineError> {
        self.hopeless = [0; 2];
        self.last_analysis = None;
        self.player.set_up(stones, to_move)
    }

    /// Searches in the background until `limits` or [`Thinking::stop`].
    ///
    /// # Errors
    /// The game is over.
    pub fn start(
        &mut self,
        colour: Colour,
        limits: Limits,
    ) -> Result<Box<dyn Thinking>, EngineError> {
        self.player.think(colour, limits, &[])
    }

    /// The same with moves to avoid or allow.
    ///
    /// # Errors
    /// The game is over, a move is none, or all moves are to be avoided.
    pub fn start_with(
        &mut self,
        colour: Colour,
        limits: Limits,
        restrictions: &[MoveRestriction],
    ) -> Result<Box<dyn Thinking>, EngineError> {
        self.player.think(colour, limits, restrictions)
    }

    /// Ends whatever search still runs.
    ///
    /// # Errors
    /// A thread of the search panicked; it has been replaced.
    pub fn halt(&mut self) -> Result<(), EngineError> {
        self.player.halt()
    }

    /// After a panic: keeps position and history, makes everything else anew.
    ///
    /// # Errors
    /// Parameters that cannot be searched with.
    pub fn recover(&mut self) -> Result<(), EngineError> {
        self.last_analysis = None;
        self.player.recover()
    }

    /// The last search for a move; `None` before the first, and once other moves have been played or
    /// taken back.
    #[must_use]
    pub fn last_analysis(&self) -> Option<Analysis> {
        self.last_analysis.clone()
    }

    /// The top of the tree as it stands at the current position.
    ///
    /// # Errors
    /// The game is over.
    pub fn tree(&mut self, levels: usize, min_visits: u64) -> Result<TreeNode, EngineError> {
        let colour = self.player.to_move();
        let thinking = self.player.think(colour, Limits::simulations(0), &[])?;
        thinking.wait();
        thinking.tree(levels, min_visits)
    }

    /// Plays out the position with the playouts of the search for so many seconds, in one thread;
    /// says how often.
    #[must_use]
    pub fn playouts_for(&self, seconds: f64) -> u64 {
        self.player.playouts_for(seconds)
    }

    /// The visits of a node at which the search asks for knowledge about it, stage by stage.
    #[must_use]
    pub fn knowledge_stages(&self) -> Vec<u64> {
        self.player.knowledge_stages()
    }

    /// Judges the position by one stage of the search's knowledge, as at a node of the tree, for so
    /// many seconds, in one thread; says how often.
    #[must_use]
    pub fn judgements_for(&self, stage: usize, seconds: f64) -> u64 {
        self.player.judgements_for(stage, seconds)
    }

    /// Recomputes the whole tree from its nodes and compares. Slow; for tests and doubts.
    ///
    /// # Errors
    /// The first node whose incremental state is wrong.
    pub fn verify(&mut self) -> Result<TreeFacts, EngineError> {
        self.player.verify()
    }

    /// All parameters.
    #[must_use]
    pub fn params(&self) -> &EngineParams {
        &self.params
    }

    /// All parameters with their ranges and meanings.
    #[must_use]
    pub fn specs(&self) -> Vec<Spec> {
        self.params.specs()
    }

    /// The learned weights that the search uses.
    #[must_use]
    pub fn weights(&self) -> &[WeightsInUse] {
        self.player.weights()
    }

    /// Sets a parameter; it stays set whatever size the board takes.
    ///
    /// # Errors
    /// There is none of that name, or the value does not fit.
    pub fn set_param(&mut self, key: &str, value: &str) -> Result<(), EngineError> {
        let mut params = self.params.clone();
        params.set(key, value)?;
        self.player.set_params(&params)?;
        self.params = params;
        self.settings.set(key, value);
        Ok(())
    }

    /// All parameters as a configuration file.
    #[must_use]
    pub fn to_toml(&self) -> String {
        to_toml(&self.params)
    }

    /// The result as the game's rules have it: in Go with dead stones taken off, unless the rules
    /// (Tromp-Taylor, CGOS) count the board as it stands. `None` while a game of Hex or Havannah
    /// is not decided.
    pub fn final_score(&mut self) -> Option<GameResult> {
        let stand = matches!(self.rules_name.as_str(), "tromp-taylor" | "cgos")
            && self.params.play.dead_stones == DeadStones::Stand;
        match self.player.go() {
            Some(table) => Some(table.final_score(stand)),
            None => self.player.result(),
        }
    }

    /// Go: chains of that status.
    ///
    /// # Errors
    /// Another game is played.
    pub fn stones_of_status(&mut self, status: Status) -> Result<Vec<Vec<String>>, EngineError> {
        let game = self.game;
        let table = self.player.go();
        let table =
            table.ok_or_else(|| EngineError::other_game("the status of stones", "Go", game))?;
        Ok(table.stones_of_status(status))
    }

    /// Hex: the position, to ask what is known of it.
    ///
    /// # Errors
    /// Another game is played, or a file of patterns has vanished.
    pub fn hex_view(&self) -> Result<HexView, EngineError> {
        let other =
            || Err(EngineError::other_game("what is known of a position", "Hex", self.game));
        self.player.hex_view().unwrap_or_else(other)
    }

    /// Go: who owns each point at the end, 1 for Black to -1 for White, rows from the top.
    ///
    /// # Errors
    /// Another game is played.
    pub fn ownership(&mut self) -> Result<Vec<f32>, EngineError> {
        let game = self.game;
        let table = self.player.go();
        let table = table.ok_or_else(|| EngineError::other_game("ownership", "Go", game))?;
        Ok(table.ownership())
    }

    /// Go: puts so many handicap stones on their usual points and says where. `fixed`: on star
    /// points only, at most nine.
    ///
    /// # Errors
    /// The board is not empty or does not take so many, or another game is played.
    pub fn usual_handicap(
        &mut self,
        stones: usize,
        fixed: bool,
    ) -> Result<Vec<String>, EngineError> {
        let game = self.game;
        let table = self.player.go();
        let table = table.ok_or_else(|| EngineError::other_game("handicap", "Go", game))?;
        let points = table.handicap_points(stones, fixed)?;
        table.place_handicap(&points)?;
        Ok(points)
    }

    /// Go: puts handicap stones on these points.
    ///
    /// # Errors
    /// As [`Engine::usual_handicap`]; or what is no point.
    pub fn place_handicap(&mut self, points: &[String]) -> Result<(), EngineError> {
        let game = self.game;
        let table = self.player.go();
        let table = table.ok_or_else(|| EngineError::other_game("handicap", "Go", game))?;
        table.place_handicap(points)
    }
}
