//! An engine: one game in progress, with clocks, parameters and the decision what to play.

use std::path::PathBuf;
use std::time::Instant;

use kosumi_game::params::Spec;
use kosumi_go::{Komi, Rules};
use kosumi_record::{Colour, GameInfo, GameKind, GameRecord, GameResult, RecordMove};
use kosumi_search::{Clock, Limits, TimeControl, TreeFacts};

use crate::analysis::{Analysis, Thinking, TreeNode};
use crate::config::{Config, to_toml};
use crate::error::EngineError;
use crate::params::{DeadStones, EngineParams};
use crate::player::{self, Goal, Player, Start, Status};
use crate::presets;

/// Simulations behind a move for which there was no time at all.
const GLANCE_SIMULATIONS: u64 = 64;

/// Seconds for a move when parameters give no limit at all.
const LAST_RESORT_SECONDS: f64 = 3.0;

/// How an engine is to be set up. What is `None` is as the preset says.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct EngineOptions {
    /// The game.
    pub game: GameKind,
    /// The board's size; `None`: the game's usual one.
    pub size: Option<usize>,
    /// Threads of the search.
    pub threads: Option<usize>,
    /// Memory of the tree, in megabytes.
    pub memory_mb: Option<usize>,
    /// Seed of all randomness.
    pub seed: Option<u64>,
    /// The preset; `None`: [`presets::DEFAULT`].
    pub preset: Option<String>,
    /// A configuration file, applied after the preset.
    pub config: Option<PathBuf>,
    /// Simulations per move. Without `seconds` they are the only limit.
    pub simulations: Option<u64>,
    /// Seconds per move when no clock is set.
    pub seconds: Option<f64>,
    /// Further parameters by name, applied last.
    pub set: Vec<(String, String)>,
}

impl EngineOptions {
    /// The usual engine of a game.
    #[must_use]
    pub fn new(game: GameKind) -> Self {
        Self {
            game,
            size: None,
            threads: None,
            memory_mb: None,
            seed: None,
            preset: None,
            config: None,
            simulations: None,
            seconds: None,
            set: Vec::new(),
        }
    }

    /// What the options say, in the order in which it counts.
    fn settings(&self) -> Result<Settings, EngineError> {
        let preset = self.preset.as_deref().unwrap_or(presets::DEFAULT);
        let mut layers = vec![presets::named(self.game, preset)?];
        if let Some(path) = &self.config {
            layers.push(Config::read(path, self.game)?);
        }
        let mut overrides = Vec::new();
        let mut set = |key: &str, value: String| overrides.push((key.to_string(), value));
        if let Some(threads) = self.threads {
            set("search.threads", threads.to_string());
        }
        if let Some(memory) = self.memory_mb {
            set("search.memory", memory.to_string());
        }
        if let Some(seed) = self.seed {
            set("search.seed", seed.to_string());
        }
        if let Some(simulations) = self.simulations {
            set("think.simulations", simulations.to_string());
            if self.seconds.is_none() {
                set("think.seconds", "0".to_string());
            }
        }
        if let Some(seconds) = self.seconds {
            set("think.seconds", seconds.to_string());
        }
        overrides.extend(self.set.iter().cloned());
        Ok(Settings { game: self.game, layers, overrides })
    }

    /// The parameters that an engine with these options starts with.
    ///
    /// # Errors
    /// A preset, file or value that does not exist or does not fit.
    pub fn params(&self) -> Result<EngineParams, EngineError> {
        let size = self.size.unwrap_or(default_size(self.game));
        self.settings()?.params(size)
    }
}

/// Where parameters come from: later layers win, and what was set by hand comes last. Kept apart
/// because presets may say different things for different sizes.
#[derive(Debug)]
struct Settings {
    game: GameKind,
    layers: Vec<Config>,
    overrides: Vec<(String, String)>,
}

impl Settings {
    fn params(&self, size: usize) -> Result<EngineParams, EngineError> {
        let mut params = EngineParams::new(self.game);
        for layer in &self.layers {
            layer.apply(&mut params, size)?;
        }
        for (key, value) in &self.overrides {
            params.set(key, value)?;
        }
        Ok(params)
    }
}

/// The smallest and the largest board of a game.
#[must_use]
pub fn size_range(game: GameKind) -> (usize, usize) {
    match game {
        GameKind::Hex => (kosumi_hex::MIN_SIZE, kosumi_hex::MAX_SIZE),
        GameKind::Havannah => (kosumi_havannah::MIN_SIZE, kosumi_havannah::MAX_SIZE),
        _ => (2, 25),
    }
}

/// The board an engine starts with.
#[must_use]
pub fn default_size(game: GameKind) -> usize {
    match game {
        GameKind::Hex => 11,
        GameKind::Havannah => 8,
        _ => 19,
    }
}

/// The game of that name, in any case.
///
/// # Errors
/// Lists the games.
pub fn parse_game(name: &str) -> Result<GameKind, EngineError> {
    let found =
        GameKind::ALL.into_iter().find(|game| game.name().eq_ignore_ascii_case(name.trim()));
    found.ok_or_else(|| {
        EngineError::UnknownGame(name.chars().filter(|c| !c.is_control()).take(24).collect())
    })
}

/// A generated move.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Decision {
    /// The move, or `resign`.
    pub mv: String,
    /// What the search found. Without simulations if no search was needed.
    pub analysis: Analysis,
}

impl Decision {
    /// Whether the engine resigns.
    #[must_use]
    pub fn resigns(&self) -> bool {
        self.mv == RESIGN
    }
}

const RESIGN: &str = "resign";

/// A generated move on its way: searching, or decided without.
pub struct Pending {
    colour: Colour,
    goal: Goal,
    begun: Instant,
    reflex: Option<String>,
    thinking: Option<Box<dyn Thinking>>,
}

impl std::fmt::Debug for Pending {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pending")
            .field("colour", &self.colour)
            .field("reflex", &self.reflex)
            .finish_non_exhaustive()
    }
}

impl Pending {
    /// The search, if one runs.
    #[must_use]
    pub fn thinking(&self) -> Option<&dyn Thinking> {
        self.thinking.as_deref()
    }
}

/// An engine with one game in progress.
pub struct Engine {
    game: GameKind,
    start: Start,
    rules_name: String,
    settings: Settings,
    params: EngineParams,
    player: Box<dyn Player>,
    clocks: Option<[Clock; 2]>,
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
) -> Result<Box<dyn Player>, EngineError> {
    let (min, max) = size_range(game);
    if !(min..=max).contains(&start.size) {
        return Err(EngineError::Size { game: game.name(), size: start.size, min, max });
    }
    match game {
        GameKind::Hex => player::hex_seat(start, params),
        GameKind::Havannah => player::havannah_seat(start, params),
        _ => player::go_seat(start, params),
    }
}

const fn index(colour: Colour) -> usize {
    match colour {
        Colour::Black => 0,
        Colour::White => 1,
    }
}

impl Engine {
    /// An engine at the start of a game.
    ///
    /// # Errors
    /// A size, preset, file or parameter that does not exist or does not fit.
    pub fn new(options: &EngineOptions) -> Result<Self, EngineError> {
        let settings = options.settings()?;
        let start =
            Start { size: options.size.unwrap_or(default_size(options.game)), go: Rules::CHINESE };
        let params = settings.params(start.size)?;
        Ok(Self {
            game: options.game,
            player: seat(options.game, &start, &params)?,
            start,
            rules_name: "chinese".to_string(),
            settings,
            params,
            clocks: None,
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
        self.player = seat(self.game, &start, &params)?;
        self.start = start;
        self.params = params;
        self.reset_clocks();
        Ok(())
    }

    /// A new game on the same board.
    ///
    /// # Errors
    /// Parameters that cannot be played with.
    pub fn clear(&mut self) -> Result<(), EngineError> {
        self.last_analysis = None;
        self.reset_clocks();
        self.player.clear(&self.start, &self.params)
    }

    fn reset_clocks(&mut self) {
        if let Some(clocks) = &mut self.clocks {
            *clocks = clocks.map(|clock| Clock::new(clock.control()));
        }
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
        self.player.play(colour, text)
    }

    /// Takes back the last move: the position is exactly the one before it.
    ///
    /// # Errors
    /// There is none.
    pub fn undo(&mut self) -> Result<(), EngineError> {
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
        self.player.think(colour, limits)
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

    /// Limits for the next move of `colour`, by its clock or by the parameters.
    #[must_use]
    pub fn limits(&self, colour: Colour) -> Limits {
        let play = &self.params.play;
        let limits = match &self.clocks {
            Some(clocks) => {
                let moves_left = self.player.moves_left();
                Limits::time(clocks[index(colour)].budget(&self.params.search, moves_left))
            }
            None if play.seconds > 0.0 => Limits::seconds(play.seconds),
            None if play.simulations > 0 => Limits::infinite(),
            None => Limits::seconds(LAST_RESORT_SECONDS),
        };
        match play.simulations {
            0 => limits,
            simulations => limits.and_simulations(simulations),
        }
    }

    /// Begins to look for a move. The answer comes from [`Engine::decide`].
    ///
    /// # Errors
    /// The game is over.
    pub fn begin(&mut self, colour: Colour, goal: Goal) -> Result<Pending, EngineError> {
        let begun = Instant::now();
        self.player.halt()?;
        let reflex = match goal {
            Goal::Win => self.player.reflex(colour, &self.params),
            Goal::CleanUp => None,
        };
        let limits = match reflex {
            None => self.limits(colour),
            Some(_) => Limits::simulations(0),
        };
        let thinking = self.player.think(colour, limits)?;
        Ok(Pending { colour, goal, begun, reflex, thinking: Some(thinking) })
    }

    /// Waits for the search and says what to play; plays nothing.
    ///
    /// # Errors
    /// The search failed.
    pub fn decide(&mut self, pending: &mut Pending) -> Result<Decision, EngineError> {
        let colour = pending.colour;
        let Some(thinking) = pending.thinking.take() else {
            return Err(EngineError::Internal("the move is decided already".to_string()));
        };
        thinking.wait();
        // Also tells whether a thread failed.
        self.player.halt()?;
        let mut analysis = thinking.analysis();
        if let Some(mv) = pending.reflex.take() {
            self.last_analysis = Some(analysis.clone());
            return Ok(Decision { mv, analysis });
        }
        if analysis.best().is_none_or(|best| best.visits == 0) && analysis.proven.is_none() {
            // The machine was too busy, or the limit too small, for a single look at the moves.
            let glance = self.player.think(colour, Limits::simulations(GLANCE_SIMULATIONS))?;
            glance.wait();
            self.player.halt()?;
            analysis = glance.analysis();
        }
        self.last_analysis = Some(analysis.clone());
        let best = analysis.best().map(|best| best.mv.clone());
        let best = best.or_else(|| self.player.legal_moves(colour).into_iter().next());
        let Some(best) = best else {
            return Err(EngineError::Internal("the search has no move".to_string()));
        };
        let second = self.player.second_thought(colour, &analysis, &self.params, pending.goal);
        let mv = match second {
            Some(mv) => mv,
            None if pending.goal == Goal::Win && self.is_hopeless(&analysis) => RESIGN.to_string(),
            None => best,
        };
        Ok(Decision { mv, analysis })
    }

    fn is_hopeless(&self, analysis: &Analysis) -> bool {
        let play = &self.params.play;
        // A mean of a few simulations says nothing.
        const ENOUGH: u64 = 50;
        let trusted =
            analysis.proven.is_some() || analysis.best().is_some_and(|best| best.visits >= ENOUGH);
        play.resign > 0.0
            && self.player.moves().len() >= play.resign_from as usize
            && trusted
            && analysis.outlook() < play.resign
    }

    /// Plays what was decided, takes the time off the clock, and goes on thinking if
    /// `play.ponder` says so.
    ///
    /// # Errors
    /// The move is illegal, which would be a fault of ours.
    pub fn commit(&mut self, pending: &Pending, decision: &Decision) -> Result<(), EngineError> {
        let colour = pending.colour;
        if !decision.resigns() {
            self.player.play(colour, &decision.mv)?;
        }
        if let Some(clocks) = &mut self.clocks {
            clocks[index(colour)].spend(pending.begun.elapsed().as_secs_f64());
        }
        if self.params.play.ponder && !decision.resigns() && self.player.result().is_none() {
            self.ponder()?;
        }
        Ok(())
    }

    /// Searches on in the background until anything else is asked of the engine.
    ///
    /// # Errors
    /// The game is over.
    pub fn ponder(&mut self) -> Result<(), EngineError> {
        self.player.think(self.player.to_move(), Limits::infinite())?;
        Ok(())
    }

    /// Thinks within [`Engine::limits`] and plays a move.
    ///
    /// # Errors
    /// The game is over, or the search failed.
    pub fn genmove(&mut self, colour: Colour) -> Result<Decision, EngineError> {
        let mut pending = self.begin(colour, Goal::Win)?;
        let decision = self.decide(&mut pending)?;
        self.commit(&pending, &decision)?;
        Ok(decision)
    }

    /// The last search for a move, if the board is still the same.
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
        let thinking = self.player.think(colour, Limits::simulations(0))?;
        thinking.wait();
        Ok(thinking.tree(levels, min_visits))
    }

    /// Plays out the position with the playouts of the search for so many seconds, in one thread;
    /// says how often.
    #[must_use]
    pub fn playouts_for(&self, seconds: f64) -> u64 {
        self.player.playouts_for(seconds)
    }

    /// Recomputes the whole tree from its nodes and compares. Slow; for tests and doubts.
    ///
    /// # Errors
    /// The first node whose incremental state is wrong.
    pub fn verify(&mut self) -> Result<TreeFacts, EngineError> {
        self.player.verify()
    }

    /// Gives both players full clocks; `None`: no time limits.
    pub fn set_time_control(&mut self, control: Option<TimeControl>) {
        self.clocks = control.map(|control| [Clock::new(control); 2]);
    }

    /// What is left on a player's clock: main time if `count` is 0, else overtime with so many
    /// moves or periods left.
    pub fn set_time_left(&mut self, colour: Colour, seconds: f64, count: u32) {
        let clocks = self.clocks.get_or_insert_with(|| {
            let main = seconds.clamp(0.0, 1e9);
            let control = match count {
                0 => TimeControl::Absolute { main },
                stones => TimeControl::Canadian { main: 0.0, period: main, stones },
            };
            [Clock::new(control); 2]
        });
        clocks[index(colour)].set_left(seconds, count);
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

    /// Sets a parameter; it stays set whatever size the board takes.
    ///
    /// # Errors
    /// There is none of that name, or the value does not fit.
    pub fn set_param(&mut self, key: &str, value: &str) -> Result<(), EngineError> {
        let mut params = self.params.clone();
        params.set(key, value)?;
        self.player.set_params(&params)?;
        self.params = params;
        self.settings.overrides.retain(|(known, _)| known != key);
        self.settings.overrides.push((key.to_string(), value.to_string()));
        Ok(())
    }

    /// All parameters as a configuration file.
    #[must_use]
    pub fn to_toml(&self) -> String {
        to_toml(&self.params)
    }

    /// Puts up the position of a record before move number `up_to` (from 1), or at its end.
    ///
    /// # Errors
    /// A record of another game, a size that does not exist, or a move the rules forbid; the board
    /// then shows the position before that move.
    pub fn load(&mut self, record: &GameRecord, up_to: Option<usize>) -> Result<(), EngineError> {
        let info = &record.info;
        if info.game != self.game {
            return Err(EngineError::RecordOfOtherGame {
                record: info.game.name(),
                game: self.game.name(),
            });
        }
        self.set_size(usize::from(info.size))?;
        if self.game == GameKind::Go {
            if let Some(rules) = &info.rules {
                // Names nobody knows leave the rules as they are.
                let _ = self.set_rules(rules);
            }
            if let Some(komi) = info.komi {
                self.set_komi(&komi.to_string())?;
            }
        }
        let last = up_to.map_or(usize::MAX, |n| n.saturating_sub(1));
        let mut number = 0;
        for step in &record.steps {
            if step.mv.is_some() && number >= last {
                break;
            }
            if !step.setup.is_empty() {
                self.edit(&step.setup)?;
            }
            let Some(RecordMove { colour, mv }) = &step.mv else {
                continue;
            };
            number += 1;
            if mv.eq_ignore_ascii_case(RESIGN) {
                break;
            }
            self.player
                .play(*colour, mv)
                .map_err(|error| EngineError::RecordMove { number, error: Box::new(error) })?;
        }
        let handicap = info.handicap as usize;
        if let Some(table) = self.player.go()
            && handicap >= 2
        {
            table.set_handicap(handicap);
            if record.moves().next().is_none() {
                let stones = self.player.stones();
                self.player.set_up(&stones, record.first_to_play())?;
                if let Some(table) = self.player.go() {
                    table.set_handicap(handicap);
                }
            }
        }
        Ok(())
    }

    /// Adds and removes stones as set-up of a record says.
    fn edit(&mut self, setup: &kosumi_record::Setup) -> Result<(), EngineError> {
        let named = |list: &[String], text: &str| list.iter().any(|p| p.eq_ignore_ascii_case(text));
        let mut stones = self.player.stones();
        stones.retain(|(_, text)| {
            ![&setup.black, &setup.white, &setup.empty].into_iter().any(|list| named(list, text))
        });
        stones.extend(setup.black.iter().map(|p| (Colour::Black, p.clone())));
        stones.extend(setup.white.iter().map(|p| (Colour::White, p.clone())));
        let to_move = setup.to_play.unwrap_or_else(|| self.player.to_move());
        self.player.set_up(&stones, to_move)
    }

    /// The game so far as a record; stones set up before the first move are not in it.
    ///
    /// # Errors
    /// The size is none that records have.
    pub fn record(&self) -> Result<GameRecord, EngineError> {
        let size = u8::try_from(self.size()).unwrap_or(u8::MAX);
        let mut record = GameRecord::new(GameInfo::new(self.game, size)?);
        if self.game == GameKind::Go {
            record.info.komi = Some(f64::from(self.start.go.komi.half_points()) / 2.0);
            record.info.rules = Some(self.rules_name.clone());
        }
        for mv in self.moves() {
            record.play(mv.colour, mv.mv);
        }
        record.info.result = self.result();
        Ok(record)
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
