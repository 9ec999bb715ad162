//! How an engine is set up: games, sizes, and where parameters come from.

use std::path::PathBuf;

use kosumi_record::GameKind;

use crate::config::Config;
use crate::error::EngineError;
use crate::params::{EngineParams, GameParams};
use crate::{presets, weights};

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
    /// Threads unless `threads`, `config` or `set` says otherwise.
    pub usual_threads: Option<usize>,
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
    /// Go and Hex: a file of learned weights for the moves of the tree, whatever the preset says of
    /// learned knowledge.
    pub weights: Option<String>,
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
            usual_threads: None,
            memory_mb: None,
            seed: None,
            preset: None,
            config: None,
            simulations: None,
            seconds: None,
            weights: None,
            set: Vec::new(),
        }
    }

    /// What the options say, in the order in which it counts.
    pub(super) fn settings(&self) -> Result<Settings, EngineError> {
        let preset = self.preset.as_deref().unwrap_or(presets::DEFAULT);
        let mut layers = vec![presets::named(self.game, preset)?];
        if let Some(threads) = self.usual_threads {
            let text = format!("search.threads = {threads}");
            layers.push(Config::parse("the usual number of threads", &text, self.game)?);
        }
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
        if let Some(weights) = &self.weights {
            if EngineParams::new(self.game).get("knowledge.weights").is_none() {
                return Err(EngineError::other_game("a file of weights", "Go and Hex", self.game));
            }
            set("knowledge.weights", weights.clone());
            set("knowledge.learned", true.to_string());
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

    /// Whether an engine with these options could start, as far as parameters and the files that
    /// they name go.
    ///
    /// # Errors
    /// As [`EngineOptions::params`]; or weights that cannot be used.
    pub fn check(&self) -> Result<(), EngineError> {
        let size = self.size.unwrap_or(default_size(self.game));
        match self.params()?.game {
            GameParams::Go(go) => {
                weights::go_moves(&go.choices.weights, size)?;
                weights::go_playouts(&go.choices.playout_weights, size).map(drop)
            }
            GameParams::Hex(hex) => {
                weights::hex_patterns(&hex.choices.weights, size)?;
                weights::hex_playouts(&hex.choices.playout_weights, size)?;
                weights::hex_net(&hex.choices.net_weights, size).map(drop)
            }
            GameParams::Havannah(_) => Ok(()),
        }
    }
}

/// Where parameters come from: later layers win, and what was set by hand comes last. Kept apart
/// because presets may say different things for different sizes.
#[derive(Debug)]
pub(super) struct Settings {
    game: GameKind,
    layers: Vec<Config>,
    overrides: Vec<(String, String)>,
}

impl Settings {
    pub(super) fn params(&self, size: usize) -> Result<EngineParams, EngineError> {
        let mut params = EngineParams::new(self.game);
        for layer in &self.layers {
            layer.apply(&mut params, size)?;
        }
        for (key, value) in &self.overrides {
            params.set(key, value)?;
        }
        Ok(params)
    }

    /// What is set by hand counts last, on boards of all sizes.
    pub(super) fn set(&mut self, key: &str, value: &str) {
        self.overrides.retain(|(known, _)| known != key);
        self.overrides.push((key.to_string(), value.to_string()));
    }
}

/// The smallest and the largest board of a game.
#[must_use]
pub fn size_range(game: GameKind) -> (usize, usize) {
    match game {
        GameKind::Hex => (kosumi_hex::MIN_SIZE, kosumi_hex::MAX_SIZE),
        GameKind::Havannah => (kosumi_havannah::MIN_SIZE, kosumi_havannah::MAX_SIZE),
        GameKind::Go => (2, 25),
    }
}

/// The board an engine starts with.
#[must_use]
pub fn default_size(game: GameKind) -> usize {
    match game {
        GameKind::Hex => 11,
        GameKind::Havannah => 8,
        GameKind::Go => 19,
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
