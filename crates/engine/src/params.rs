//! All parameters of an engine: those of the search, of play, and of the game.

use kosumi_game::params::{ParamError, Parameters, Spec, unknown_key};
use kosumi_record::GameKind;
use kosumi_search::SearchParams;

use crate::player::{GoParams, HavannahParams, HexParams};

kosumi_game::choices! {
    /// What becomes of dead stones at the end of a game of Go.
    pub enum DeadStones {
        /// They count as they stand: nobody takes them off.
        Stand = "stand",
        /// The players agree which stones are dead and take them off, as people and KGS do.
        Agreed = "agreed",
    }
}

kosumi_game::parameters! {
    /// How a search becomes a move.
    pub struct PlayParams {
        /// Seconds to think about a move when no clock is set; 0: as many as think.simulations take.
        seconds "think.seconds": f64 = 3.0, 0..=864000;
        /// Simulations for a move, at most; 0: no limit.
        simulations "think.simulations": u64 = 0;
        /// Resign when the best move's win rate is below this; 0: never.
        resign "play.resign": f32 = 0.05, 0..=0.5;
        /// Do not resign before this many moves have been played.
        resign_from "play.resign_from": u32 = 10;
        /// How many moves of ours in a row must have been so hopeless.
        resign_moves "play.resign_moves": u32 = 3, 1..=100;
        /// Go: whether dead stones are taken off at the end, which decides when a pass is safe.
        dead_stones "play.dead_stones": DeadStones = DeadStones::Stand;
        /// Search on while the opponent thinks.
        ponder "play.ponder": bool = false;
    }
}

/// The parameters of one game's player.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum GameParams {
    /// Go.
    Go(GoParams),
    /// Hex.
    Hex(HexParams),
    /// Havannah.
    Havannah(HavannahParams),
}

/// All parameters of an engine.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct EngineParams {
    /// The search.
    pub search: SearchParams,
    /// From search to move.
    pub play: PlayParams,
    /// The game.
    pub game: GameParams,
}

/// [`Parameters`] as an object.
pub(crate) trait Group {
    fn specs(&self) -> Vec<Spec>;
    fn get(&self, key: &str) -> Option<String>;
    fn set(&mut self, key: &str, text: &str) -> Result<(), ParamError>;
}

impl<P: Parameters> Group for P {
    fn specs(&self) -> Vec<Spec> {
        P::specs()
    }
    fn get(&self, key: &str) -> Option<String> {
        Parameters::get(self, key)
    }
    fn set(&mut self, key: &str, text: &str) -> Result<(), ParamError> {
        Parameters::set(self, key, text)
    }
}

impl EngineParams {
    /// The defaults of a game, before any preset.
    #[must_use]
    pub fn new(game: GameKind) -> Self {
        Self {
            search: SearchParams::default(),
            play: PlayParams::default(),
            game: match game {
                GameKind::Hex => GameParams::Hex(HexParams::default()),
                GameKind::Havannah => GameParams::Havannah(HavannahParams::default()),
                GameKind::Go => GameParams::Go(GoParams::default()),
            },
        }
    }

    fn groups(&self) -> Vec<&dyn Group> {
        let mut groups: Vec<&dyn Group> = vec![&self.search, &self.play];
        match &self.game {
            GameParams::Go(params) => groups.extend(params.groups()),
            GameParams::Hex(params) => groups.extend(params.groups()),
            GameParams::Havannah(params) => groups.extend(params.groups()),
        }
        groups
    }

    fn groups_mut(&mut self) -> Vec<&mut dyn Group> {
        let mut groups: Vec<&mut dyn Group> = vec![&mut self.search, &mut self.play];
        match &mut self.game {
            GameParams::Go(params) => groups.extend(params.groups_mut()),
            GameParams::Hex(params) => groups.extend(params.groups_mut()),
            GameParams::Havannah(params) => groups.extend(params.groups_mut()),
        }
        groups
    }

    /// All parameters with their defaults.
    #[must_use]
    pub fn specs(&self) -> Vec<Spec> {
        self.groups().iter().flat_map(|group| group.specs()).collect()
    }

    /// A parameter's value as text that [`EngineParams::set`] reads back.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<String> {
        self.groups().iter().find_map(|group| group.get(key))
    }

    /// Sets one parameter from text.
    ///
    /// # Errors
    /// Names the nearest key if there is none of that name, or what the value should be.
    pub fn set(&mut self, key: &str, text: &str) -> Result<(), ParamError> {
        for group in self.groups_mut() {
            match group.set(key, text) {
                Err(ParamError::Unknown { .. }) => {}
                done => return done,
            }
        }
        // The nearest key may be in any group.
        Err(unknown_key(key, self.specs().iter().map(|spec| spec.key)))
    }
}
