//! The section `shape`: what a net is made of, by name.

use kosumi_learn::{WeightFile, WeightFileError};
use serde::Deserialize;

use crate::layer::{LANES, wrong};

/// The section's name.
const SECTION: &str = "shape";
/// At most so many names in one list.
const MOST_NAMES: usize = 64;
const MOST_CHANNELS: usize = 512;
const MOST_BLOCKS: usize = 100;
/// The outputs of the global head that the program itself knows.
pub(crate) const VALUE: &str = "value";
pub(crate) const PASS: &str = "pass";

/// The places around a cell that a convolution reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Taps {
    /// Hexagons whose cells touch the upper right and the lower left, as on boards of Hex.
    Hexagon,
    /// Hexagons whose cells touch the upper left and the lower right, as on those of Havannah.
    HexagonDown,
    /// Three rows by three columns.
    Square,
}

impl Taps {
    /// In the order of their numbers.
    pub(crate) const ALL: [Self; 3] = [Self::Hexagon, Self::HexagonDown, Self::Square];

    /// Rows down and columns right, in the order of the weights.
    pub(crate) const fn steps(self) -> &'static [(isize, isize)] {
        match self {
            Self::Hexagon => &[(-1, 0), (-1, 1), (0, -1), (0, 0), (0, 1), (1, -1), (1, 0)],
            Self::HexagonDown => &[(-1, -1), (-1, 0), (0, -1), (0, 0), (0, 1), (1, 0), (1, 1)],
            Self::Square => {
                &[(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 0), (0, 1), (1, -1), (1, 0), (1, 1)]
            }
        }
    }
}

/// The kinds of residual blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum BlockKind {
    /// Two convolutions.
    Plain,
    /// The second one is told means and maxima of the first one over the board.
    Pool,
}

/// What a net is made of.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Shape {
    pub(crate) taps: Taps,
    pub(crate) planes: Vec<String>,
    pub(crate) scalars: Vec<String>,
    pub(crate) channels: usize,
    pub(crate) blocks: Vec<BlockKind>,
    /// 0: the policy has no hidden layer.
    pub(crate) policy_channels: usize,
    pub(crate) value_channels: usize,
    pub(crate) globals: Vec<String>,
    pub(crate) cells: Vec<String>,
}

/// What the code of a game has for nets.
#[derive(Clone, Copy, Debug)]
pub struct GameInputs<'a> {
    /// The game's name in weight files.
    pub game: &'a str,
    /// The planes that it can build.
    pub planes: &'a [&'a str],
    /// The scalars that it can tell.
    pub scalars: &'a [&'a str],
    /// Whether it has a pass.
    pub passes: bool,
}

impl Shape {
    /// Reads the section and refuses what is not as docs/net-format.md says.
    pub(crate) fn read(
        file: &WeightFile,
        inputs: &GameInputs<'_>,
    ) -> Result<Self, WeightFileError> {
        let text = file.section(SECTION)?;
        let shape: Self =
            serde_json::from_slice(text).map_err(|error| wrong(SECTION, error.to_string()))?;
        shape.check(inputs).map_err(|problem| wrong(SECTION, problem))?;
        Ok(shape)
    }

    fn check(&self, inputs: &GameInputs<'_>) -> Result<(), String> {
        let lists = [
            ("planes", &self.planes),
            ("scalars", &self.scalars),
            ("globals", &self.globals),
            ("cells", &self.cells),
        ];
        for (list, names) in lists {
            if names.len() > MOST_NAMES {
                return Err(format!(
                    "{} {list}, but at most {MOST_NAMES} are allowed",
                    names.len()
                ));
            }
            for (place, name) in names.iter().enumerate() {
                if name.is_empty() {
                    return Err(format!("'{list}' contains an empty name"));
                }
                if names[..place].contains(name) {
                    return Err(format!("'{list}' contains '{name}' twice"));
                }
            }
        }
        if self.planes.is_empty() {
            return Err("'planes' is empty".to_owned());
        }
        for (list, names, known) in
            [("plane", &self.planes, inputs.planes), ("scalar", &self.scalars, inputs.scalars)]
        {
            if let Some(name) = names.iter().find(|name| !known.contains(&name.as_str())) {
                let game = inputs.game;
                return Err(match known {
                    [] => format!("the {list} '{name}' is unknown: {game} has none"),
                    _ => {
                        format!("the {list} '{name}' is unknown: {game} has {}", known.join(", "))
                    }
                });
            }
        }
        let channels = |name: &str, count: usize| {
            if (LANES..=MOST_CHANNELS).contains(&count) && count.is_multiple_of(LANES) {
                return Ok(());
            }
            Err(format!("'{name}' is {count}, but must be a multiple of 16 up to {MOST_CHANNELS}"))
        };
        channels("channels", self.channels)?;
        channels("value_channels", self.value_channels)?;
        if self.policy_channels != 0 {
            channels("policy_channels", self.policy_channels)?;
        }
        if self.blocks.len() > MOST_BLOCKS {
            return Err(format!(
                "{} blocks, but at most {MOST_BLOCKS} are allowed",
                self.blocks.len()
            ));
        }
        if self.globals.first().is_none_or(|name| name != VALUE) {
            return Err(format!("'globals' does not begin with '{VALUE}'"));
        }
        match (inputs.passes, self.globals.iter().any(|name| name == PASS)) {
            (true, false) => Err(format!("'globals' lacks '{PASS}', which {} needs", inputs.game)),
            (false, true) => {
                Err(format!("'globals' contains '{PASS}', but {} has no pass", inputs.game))
            }
            _ => Ok(()),
        }
    }

    /// The names of all sections of the file.
    pub(crate) fn sections(&self) -> Vec<String> {
        let mut sections = vec![SECTION.to_owned(), "first".to_owned()];
        if !self.scalars.is_empty() {
            sections.push("scalars".to_owned());
        }
        for (number, kind) in self.blocks.iter().enumerate() {
            sections.extend(["one", "two"].map(|part| format!("block{number}.{part}")));
            if *kind == BlockKind::Pool {
                sections.push(format!("block{number}.pool"));
            }
        }
        if self.policy_channels > 0 {
            sections.push("policy.hidden".to_owned());
        }
        sections.extend(["policy", "value", "globals"].map(str::to_owned));
        sections.extend(self.cells.iter().map(|name| format!("cells.{name}")));
        sections
    }
}
