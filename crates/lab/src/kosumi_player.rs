//! Kosumi as a player of a match: settings in, a command line out.

use kosumi_engine::{EngineError, EngineOptions, EngineParams, GameKind};

use crate::arbiter::{Rulebook, RulebookError};
use crate::player::{KOSUMI, Limit, Player, SEED, SIMULATIONS, file_name};

/// Kosumi with some settings.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct KosumiPlayer {
    /// A preset, or a configuration file if it ends with `.toml`.
    pub settings: String,
    /// Simulations per move.
    pub simulations: Option<u64>,
    /// Whether a match fits the simulations ([`EqualCpu`](crate::EqualCpu)); it has to be told where to
    /// begin.
    pub fitted: bool,
    /// How long it may think.
    pub limit: Limit,
    /// Parameters on top of the settings; of equal keys the last one counts.
    pub set: Vec<(String, String)>,
    /// More options of `kosumi gtp`.
    pub options: Vec<String>,
}

impl KosumiPlayer {
    /// Kosumi with a preset or a configuration file.
    #[must_use]
    pub fn new(settings: impl Into<String>) -> Self {
        Self {
            settings: settings.into(),
            simulations: None,
            fitted: false,
            limit: Limit::Own,
            set: Vec::new(),
            options: Vec::new(),
        }
    }

    /// The configuration file, if the settings are one.
    #[must_use]
    pub fn config(&self) -> Option<&str> {
        let is_file = self.settings.to_ascii_lowercase().ends_with(".toml");
        is_file.then_some(self.settings.as_str())
    }

    /// Whether an engine would take the settings and parameters, [`KosumiPlayer::options`] aside.
    ///
    /// # Errors
    /// A preset, file, parameter or value that does not exist or does not fit; or weights that
    /// cannot be used.
    pub fn check(&self, kind: GameKind, size: usize) -> Result<(), EngineError> {
        self.engine_options(kind, size).check()
    }

    /// The parameters in force, [`KosumiPlayer::options`] aside.
    ///
    /// # Errors
    /// As [`KosumiPlayer::check`].
    pub fn params(&self, kind: GameKind, size: usize) -> Result<EngineParams, EngineError> {
        self.engine_options(kind, size).params()
    }

    fn engine_options(&self, kind: GameKind, size: usize) -> EngineOptions {
        let mut options = EngineOptions::new(kind);
        options.size = Some(size);
        match self.config() {
            Some(file) => options.config = Some(file.into()),
            None => options.preset = Some(self.settings.clone()),
        }
        options.simulations = self.simulations;
        options.set.clone_from(&self.set);
        options
    }

    /// The player: Kosumi's command line, one thread, with a seed that is new in every game.
    ///
    /// # Errors
    /// There is no such game.
    pub fn player(&self, rulebook: &Rulebook) -> Result<Player, RulebookError> {
        let kind = rulebook.kind()?;
        let mut words: Vec<String> = vec![KOSUMI.to_owned()];
        let mut add = |more: &[&str]| words.extend(more.iter().map(|&word| word.to_owned()));
        let game = kind.name().to_ascii_lowercase();
        add(&["gtp", "--game", &game, "--size", &rulebook.size.to_string()]);
        add(&["--threads", "1", "--seed", SEED]);
        let option = if self.config().is_some() { "--config" } else { "--preset" };
        add(&[option, &self.settings]);
        if self.fitted {
            add(&["--sims", SIMULATIONS]);
        } else if let Some(simulations) = self.simulations {
            add(&["--sims", &simulations.to_string()]);
        }
        if kind != GameKind::Go {
            add(&["--set", &format!("rules.swap={}", rulebook.swap)]);
        }
        for (key, value) in &self.set {
            add(&["--set", &format!("{key}={value}")]);
        }
        words.extend(self.options.iter().cloned());
        let mut player = Player::new(format!("Kosumi {}", file_name(&self.settings)), words);
        if kind == GameKind::Go && rulebook.rules != "chinese" {
            player.setup.push(format!("kata-set-rules {}", rulebook.rules));
        }
        player.limit = match self.limit {
            // Over GTP seconds are a clock, of which an engine keeps a reserve; an option is exact.
            Limit::Seconds(seconds) => {
                player.command.extend(["--time".to_owned(), seconds.to_string()]);
                Limit::Own
            }
            limit => limit,
        };
        Ok(player)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_become_a_command_line() {
        let mut kosumi = KosumiPlayer::new("mohex1");
        kosumi.simulations = Some(500);
        kosumi.limit = Limit::Seconds(0.5);
        kosumi.set.push(("uct.fpu".to_owned(), "0.4".to_owned()));
        kosumi.options = vec!["--memory".to_owned(), "64".to_owned()];
        let player = kosumi.player(&Rulebook::new(GameKind::Hex, 7)).unwrap();
        assert_eq!(
            player.command.join(" "),
            "{kosumi} gtp --game hex --size 7 --threads 1 --seed {seed} --preset mohex1 --sims 500 \
             --set rules.swap=false --set uct.fpu=0.4 --memory 64 --time 0.5"
        );
        assert_eq!((player.name.as_str(), player.limit), ("Kosumi mohex1", Limit::Own));
        assert!(player.setup.is_empty());
    }

    #[test]
    fn a_file_is_a_configuration_and_rules_are_told() {
        let mut rulebook = Rulebook::new(GameKind::Go, 9);
        rulebook.rules = "aga".to_owned();
        let player = KosumiPlayer::new("some/mine.TOML").player(&rulebook).unwrap();
        assert!(player.command.join(" ").ends_with("--config some/mine.TOML"));
        assert_eq!(player.name, "Kosumi mine.TOML");
        assert_eq!(player.setup, ["kata-set-rules aga"]);
    }

    #[test]
    fn parameters_are_checked_by_the_engine() {
        let mut kosumi = KosumiPlayer::new("uct");
        assert!(kosumi.check(GameKind::Hex, 11).is_ok());
        kosumi.set.push(("shape.c11".to_owned(), "1".to_owned()));
        let error = kosumi.check(GameKind::Hex, 11).unwrap_err().to_string();
        assert!(error.contains("shape.c1"), "{error}");
        assert!(KosumiPlayer::new("no-such").check(GameKind::Hex, 11).is_err());
        assert!(KosumiPlayer::new("no-such.toml").check(GameKind::Hex, 11).is_err());
    }
}
