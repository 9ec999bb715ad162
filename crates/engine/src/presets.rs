//! Presets: named parameter files that are part of the program.
//!
//! `presets/<game>/<name>.toml` holds what the name means for one game; a name without a file for
//! the game may have one for all games in `presets/all`.

use kosumi_record::GameKind;

use crate::config::{Config, ConfigError};

/// The preset that is used when none is named.
pub const DEFAULT: &str = "strongest";

macro_rules! presets {
    ($($constant:ident = $folder:literal: $($name:literal),*;)*) => {
        $(const $constant: &[(&str, &str)] = &[
            $(($name, include_str!(concat!("../presets/", $folder, "/", $name, ".toml")))),*
        ];)*
    };
}

presets! {
    GO = "go": "strongest", "light", "mogo", "hand", "nomitan";
    HEX = "hex": "strongest", "light", "mohex1", "mohex2", "wolve";
    HAVANNAH = "havannah": "strongest", "classic", "light";
    ALL = "all": "uct", "nomitan", "tsc1", "tsc2", "tsc3", "tsc4";
}

fn files(game: GameKind) -> impl Iterator<Item = (&'static str, &'static str)> {
    let own = match game {
        GameKind::Hex => HEX,
        GameKind::Havannah => HAVANNAH,
        GameKind::Go => GO,
    };
    let is_own = |name: &str| own.iter().any(|(known, _)| *known == name);
    own.iter().chain(ALL.iter().filter(move |(name, _)| !is_own(name))).copied()
}

/// The names of a game's presets.
#[must_use]
pub fn names(game: GameKind) -> Vec<&'static str> {
    files(game).map(|(name, _)| name).collect()
}

/// The preset of that name.
///
/// # Errors
/// Lists the names there are.
pub fn named(game: GameKind, name: &str) -> Result<Config, ConfigError> {
    let found = files(game).find(|(known, _)| known.eq_ignore_ascii_case(name));
    let shown: String = name.chars().filter(|c| !c.is_control()).take(40).collect();
    let Some((_, text)) = found else {
        return Err(ConfigError {
            source_name: format!("preset '{shown}'"),
            line: None,
            problem: format!(
                "{} has no such preset; expected one of {}",
                game.name(),
                names(game).join(", ")
            ),
        });
    };
    Config::parse(&format!("preset '{shown}'"), text, game)
}
