//! Files of experiments.
//!
//! ```toml
//! id = "s3-havannah5"
//! title = "Havannah, size 5: N simulations against N/2"
//! paper = "S, Table 2"
//! parts = ["S3"]
//! text = "Fast playouts are uniform, slow ones look for wins and bridges."
//! game = "havannah"            # size, komi, rules, swap, openings (random stones), seed, referee
//! size = 5
//! openings = 2
//! games = 300                  # a point, at scale 1
//! equal_cpu = true             # fit A's simulations from game to game
//!
//! [x]
//! label = "simulations of the stronger side"
//! log = true
//!
//! [set]                        # parameters of both players, in every series
//! tree.reuse = true
//!
//! [a]                          # preset, config (a file) or command; sims, time or clock; set
//! preset = "strongest"
//! [b]
//! preset = "strongest"
//!
//! [[series]]
//! name = "fast"
//! key = "sims"                 # or a parameter of A
//! values = [100, 1000, 2000]
//! factors = [1, 0.5]           # with sims: how many of the value A and B get
//! set.playout.policy = "light" # of both; a.… and b.… of one
//! paper = [[100, 68.6], [1000, 63.6]]
//!
//! [shape]                      # also measure the tree of A: positions, stones
//! positions = 8
//! ```
//!
//! Instead of `key` and `values` a series may have cases: `[[series.cases]]` with `name`, `set` (of
//! A), perhaps `sims` (of A) and `paper` (percent).

use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::{About, Experiment, ExperimentError, PlannedPoint, PlannedSeries, ShapeProbe};
use crate::arbiter::Rulebook;
use crate::clock::TimeControl;
use crate::equal_cpu::EqualCpu;
use crate::kosumi_player::KosumiPlayer;
use crate::match_runner::Match;
use crate::opening::Openings;
use crate::player::{Limit, Player, split_command};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    id: String,
    title: String,
    paper: String,
    parts: Vec<String>,
    text: String,
    game: String,
    size: usize,
    #[serde(default = "komi")]
    komi: f64,
    #[serde(default = "rules")]
    rules: String,
    #[serde(default)]
    swap: bool,
    #[serde(default = "openings")]
    openings: String,
    #[serde(default = "seed")]
    seed: u64,
    referee: Option<String>,
    #[serde(default)]
    equal_cpu: bool,
    games: u32,
    #[serde(default)]
    x: XAxis,
    #[serde(default)]
    set: toml::Table,
    a: PlayerTable,
    b: PlayerTable,
    shape: Option<ShapeProbe>,
    series: Vec<SeriesTable>,
}

fn komi() -> f64 {
    7.5
}

fn rules() -> String {
    "chinese".to_owned()
}

fn openings() -> String {
    Openings::Empty.to_string()
}

fn seed() -> u64 {
    1
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct XAxis {
    label: Option<String>,
    #[serde(default)]
    log: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlayerTable {
    name: Option<String>,
    preset: Option<String>,
    config: Option<String>,
    command: Option<String>,
    sims: Option<u64>,
    time: Option<f64>,
    clock: Option<TimeControl>,
    #[serde(default)]
    set: toml::Table,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SeriesTable {
    name: String,
    key: Option<String>,
    #[serde(default)]
    values: Vec<toml::Value>,
    factors: Option<[f64; 2]>,
    #[serde(default)]
    cases: Vec<Case>,
    #[serde(default)]
    set: toml::Table,
    #[serde(default)]
    a: toml::Table,
    #[serde(default)]
    b: toml::Table,
    #[serde(default)]
    paper: Vec<(f64, f64)>,
    paper_name: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    #[serde(default)]
    set: toml::Table,
    sims: Option<u64>,
    paper: Option<f64>,
}

/// One point before it is a match.
struct Spot {
    label: String,
    file: String,
    x: f64,
    /// Simulations of A and B, where the point says them.
    sims: [Option<u64>; 2],
    /// Parameters of A.
    set: Vec<(String, String)>,
}

impl Experiment {
    /// The experiment in the text of a file, with every player of every point checked; `path` is for
    /// messages.
    ///
    /// # Errors
    /// Names the place and what would be right there: a key that does not exist, a parameter or
    /// preset that the engine does not know, a value that does not fit.
    pub fn parse(path: &Path, text: &str) -> Result<Self, ExperimentError> {
        read_toml::<File>(path, text)?.plan(path)
    }
}

/// Reads what a file should hold; `path` is for messages.
pub(super) fn read_toml<T: DeserializeOwned>(
    path: &Path,
    text: &str,
) -> Result<T, ExperimentError> {
    toml::from_str(text).map_err(|error| {
        let line = error
            .span()
            .map(|span| 1 + text.bytes().take(span.start).filter(|&byte| byte == b'\n').count());
        let problem = error.message().split_whitespace().collect::<Vec<_>>().join(" ");
        ExperimentError::File { path: path.to_owned(), line, problem }
    })
}

impl About {
    /// As it stands in a file, with a name that files can have and the text on one line.
    pub(super) fn checked(mut self) -> Result<Self, String> {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if self.id.is_empty() || !self.id.chars().all(plain) {
            return Err(format!("id '{}': use small letters, digits and hyphens", self.id));
        }
        self.text = self.text.split_whitespace().collect::<Vec<_>>().join(" ");
        Ok(self)
    }
}

impl File {
    fn plan(&self, path: &Path) -> Result<Experiment, ExperimentError> {
        let wrong =
            |problem: String| ExperimentError::File { path: path.to_owned(), line: None, problem };
        let about = About {
            id: self.id.clone(),
            title: self.title.clone(),
            paper: self.paper.clone(),
            parts: self.parts.clone(),
            text: self.text.clone(),
        };
        let about = about.checked().map_err(wrong)?;
        let mut rulebook = Rulebook {
            game: self.game.clone(),
            size: self.size,
            komi: self.komi,
            rules: self.rules.clone(),
            swap: self.swap,
        };
        let kind = rulebook.kind().map_err(|e| wrong(e.to_string()))?;
        rulebook.game = kind.name().to_ascii_lowercase();
        let referee = self.referee.as_deref().map(split_command).transpose();
        let referee = referee.map_err(|e| wrong(format!("referee: {e}")))?;

        let openings = Openings::read(&self.openings).map_err(|e| wrong(e.to_string()))?;
        let mut series = Vec::new();
        for (table, number) in self.series.iter().zip(1..) {
            let place = |problem: String| wrong(format!("series {number}: {problem}"));
            let mut points = Vec::new();
            for spot in table.spots(number).map_err(place)? {
                let players = self.players(path, &rulebook, table, number, &spot)?;
                let mut settings = Match::new(rulebook.clone(), players);
                settings.seed = self.seed;
                settings.openings.clone_from(&openings);
                settings.referee.clone_from(&referee);
                settings.equal_cpu = self.equal_cpu(&spot).map_err(place)?;
                settings.check().map_err(|e| place(e.to_string()))?;
                let Spot { label, file, x, .. } = spot;
                points.push(PlannedPoint { file, x, label, settings });
            }
            series.push(PlannedSeries {
                name: table.name.clone(),
                paper_name: table.paper_name(),
                paper: table.paper_figures(),
                cases: !table.cases.is_empty(),
                points,
            });
        }
        let experiment = Experiment {
            about,
            x_label: self.x_label(),
            x_log: self.x.log,
            games: self.games,
            shape: self.shape.clone(),
            series,
        };
        let mut files: Vec<&str> = experiment.points().map(|(_, p)| p.file.as_str()).collect();
        files.sort_unstable();
        if let Some(pair) = files.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(wrong(format!("two points are '{}': remove one of them", pair[0])));
        }
        if files.is_empty() || self.games == 0 {
            return Err(wrong(
                "no games: give 'games' and a series with values or cases".to_owned(),
            ));
        }
        Ok(experiment)
    }

    /// How A's simulations are fitted, if they are: from those of the point or of A on.
    fn equal_cpu(&self, spot: &Spot) -> Result<Option<EqualCpu>, String> {
        if !self.equal_cpu {
            return Ok(None);
        }
        let start = spot.sims[0].or(self.a.sims);
        let start =
            start.ok_or("equal_cpu fits the simulations of A: say with 'sims' where to begin")?;
        Ok(Some(EqualCpu::from(start)))
    }

    fn x_label(&self) -> String {
        let key = || self.series.iter().find_map(|series| series.key.clone());
        self.x.label.clone().or_else(key).unwrap_or_default()
    }

    /// The players of a point.
    fn players(
        &self,
        path: &Path,
        rulebook: &Rulebook,
        series: &SeriesTable,
        number: usize,
        spot: &Spot,
    ) -> Result<[Player; 2], ExperimentError> {
        let wrong = |problem: String| {
            let problem = format!("series {number}, point {}: {problem}", spot.label);
            ExperimentError::File { path: path.to_owned(), line: None, problem }
        };
        let player = |letter: char, table: &PlayerTable, own: &toml::Table, more: &[_]| {
            let limit = table.limit().map_err(wrong)?;
            let [a, b] = spot.sims;
            let simulations = if letter == 'A' { a } else { b }.or(table.sims);
            let mut set = Vec::new();
            for table in [&self.set, &table.set, &series.set, own] {
                flatten(table, "", &mut set).map_err(wrong)?;
            }
            set.extend_from_slice(more);
            let mut player = if let Some(command) = &table.command {
                let settings = !more.is_empty() || !table.set.is_empty() || !own.is_empty();
                if table.sims.is_some() || settings {
                    let problem = "simulations and parameters are for Kosumi, not for a command";
                    return Err(wrong(format!("player {letter}: {problem}")));
                }
                let command = split_command(command).map_err(|e| wrong(e.to_string()))?;
                let mut player = Player::program(command);
                player.limit = limit;
                player
            } else {
                let settings = table.preset.as_ref().or(table.config.as_ref());
                let mut kosumi = KosumiPlayer::new(settings.cloned().unwrap_or_default());
                kosumi.simulations = simulations;
                kosumi.fitted = self.equal_cpu && letter == 'A';
                kosumi.limit = limit;
                kosumi.set = set;
                let at_player =
                    |error: &dyn std::error::Error| wrong(format!("player {letter}: {error}"));
                let kind = rulebook.kind().map_err(|e| at_player(&e))?;
                kosumi.check(kind, rulebook.size).map_err(|e| at_player(&e))?;
                kosumi.player(rulebook).map_err(|e| at_player(&e))?
            };
            if let Some(name) = &table.name {
                player.name.clone_from(name);
            }
            Ok(player)
        };
        let a = player('A', &self.a, &series.a, &spot.set)?;
        let b = player('B', &self.b, &series.b, &[])?;
        Ok([a, b])
    }
}

impl PlayerTable {
    fn limit(&self) -> Result<Limit, String> {
        let kinds = [&self.preset, &self.config, &self.command];
        if kinds.iter().filter(|kind| kind.is_some()).count() != 1 {
            return Err("a player is one of preset, config or command".to_owned());
        }
        match (self.time, self.clock) {
            (None, None) => Ok(Limit::Own),
            (None, Some(clock)) => Ok(Limit::Clock(clock)),
            (Some(seconds), None) if seconds > 0.0 && seconds.is_finite() => {
                Ok(Limit::Seconds(seconds))
            }
            (Some(seconds), None) => Err(format!("{seconds} is no number of seconds to think")),
            (Some(_), Some(_)) => Err("a player has either a clock or a time per move".to_owned()),
        }
    }
}

impl SeriesTable {
    fn spots(&self, number: usize) -> Result<Vec<Spot>, String> {
        match (&self.key, self.values.is_empty(), self.cases.is_empty()) {
            (Some(key), false, true) => {
                self.values.iter().map(|value| self.spot(number, key, value)).collect()
            }
            (None, true, false) => self
                .cases
                .iter()
                .enumerate()
                .map(|(at, case)| {
                    let mut set = Vec::new();
                    flatten(&case.set, "", &mut set)?;
                    Ok(Spot {
                        label: case.name.clone(),
                        file: format!("{number}-{}", file_stem(&case.name)),
                        x: at as f64,
                        sims: [case.sims, None],
                        set,
                    })
                })
                .collect(),
            _ => Err("give either key and values, or cases".to_owned()),
        }
    }

    fn spot(&self, number: usize, key: &str, value: &toml::Value) -> Result<Spot, String> {
        let text = scalar(value).ok_or_else(|| format!("{value} is no value of {key}"))?;
        let mut spot = Spot {
            file: format!("{number}-{}", file_stem(&format!("{key}={text}"))),
            x: text.parse().map_err(|_| format!("'{text}' is no number; use cases for words"))?,
            label: text.clone(),
            sims: [None, None],
            set: Vec::new(),
        };
        if key == "sims" {
            let factors = self.factors.unwrap_or([1.0, 1.0]);
            spot.sims = factors.map(|factor| Some((spot.x * factor).round() as u64));
            if spot.sims.contains(&Some(0)) {
                return Err(format!("{text} simulations leave none for a player"));
            }
        } else if self.factors.is_some() {
            return Err("factors are for the key sims".to_owned());
        } else {
            spot.set.push((key.to_owned(), text));
        }
        Ok(spot)
    }

    fn paper_name(&self) -> String {
        self.paper_name.clone().unwrap_or_else(|| format!("paper, {}", self.name))
    }

    /// The paper's figures; those of cases stand with the cases.
    fn paper_figures(&self) -> Vec<(f64, f64)> {
        let cases = self.cases.iter().enumerate();
        let of_cases = cases.filter_map(|(at, case)| Some((at as f64, case.paper?)));
        self.paper.iter().copied().chain(of_cases).collect()
    }
}

/// A name that every file system takes.
pub(super) fn file_stem(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "=.-".contains(c) { c } else { '-' };
    name.chars().map(plain).collect()
}

/// Tables whose names spell parameters, as `key` and text.
fn flatten(
    table: &toml::Table,
    prefix: &str,
    set: &mut Vec<(String, String)>,
) -> Result<(), String> {
    for (name, value) in table {
        let key = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
        match value {
            toml::Value::Table(inner) => flatten(inner, &key, set)?,
            value => {
                let text = scalar(value).ok_or_else(|| format!("{value} is no value of {key}"))?;
                set.push((key, text));
            }
        }
    }
    Ok(())
}

/// A value as `--set` takes it.
fn scalar(value: &toml::Value) -> Option<String> {
    Some(match value {
        toml::Value::String(text) => text.clone(),
        toml::Value::Integer(number) => number.to_string(),
        toml::Value::Float(number) => number.to_string(),
        toml::Value::Boolean(switch) => switch.to_string(),
        toml::Value::Array(items) => {
            items.iter().map(scalar).collect::<Option<Vec<_>>>()?.join(",")
        }
        _ => return None,
    })
}
