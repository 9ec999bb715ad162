//! What the root of a record says about the game.

use std::fmt;

use crate::{
    error::{Problem, SgfError, excerpt},
    notation::{Colour, GameKind},
    tree::{GameTree, Node, Property},
};

/// The facts about a game, as the root gives them. Game information in other nodes is not looked at.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct GameInfo {
    /// `GM`: the game; Go if the record does not say.
    pub game: GameKind,
    /// `SZ`: the board's size (the edge, in Havannah); 19 in Go if the record does not say.
    pub size: u8,
    /// `KM`: komi, if recorded.
    pub komi: Option<f64>,
    /// `HA`: handicap stones; 0 if the record does not say. The stones are set-up, if anywhere.
    pub handicap: u32,
    /// `RU`: the rules, in the words of the record.
    pub rules: Option<String>,
    /// `PB`, `BR`, `BT`.
    pub black: Participant,
    /// `PW`, `WR`, `WT`.
    pub white: Participant,
    /// `RE`: the result, if recorded.
    pub result: Option<GameResult>,
    /// `DT`: when it was played.
    pub date: Option<String>,
    /// `GN`: the game's name.
    pub name: Option<String>,
    /// `EV`: the event.
    pub event: Option<String>,
    /// `RO`: the round.
    pub round: Option<String>,
    /// `PC`: where it was played.
    pub place: Option<String>,
    /// `TM`: main time, in seconds.
    pub time_limit: Option<String>,
    /// `OT`: overtime.
    pub overtime: Option<String>,
    /// `SO`: where the record comes from.
    pub source: Option<String>,
    /// `AP`: the program that wrote it, as `name:version`.
    pub application: Option<String>,
    /// `GC`: about the game.
    pub comment: Option<String>,
}

/// Who played one colour.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Participant {
    /// The name.
    pub name: Option<String>,
    /// The rank or rating.
    pub rank: Option<String>,
    /// The team.
    pub team: Option<String>,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GameResult {
    /// One side won.
    Win {
        /// Which.
        winner: Colour,
        /// How.
        by: Victory,
    },
    /// A draw (jigo).
    Draw,
    /// No result.
    Void,
    /// The record says that nobody knows, or says it in words that we do not read.
    Unknown,
}

/// How a game was won.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Victory {
    /// By points.
    Points(f64),
    /// By resignation.
    Resignation,
    /// On time.
    Time,
    /// By forfeit.
    Forfeit,
    /// The record does not say, or the game knows no other way.
    Unspecified,
}

impl GameResult {
    /// A win by `by`.
    #[must_use]
    pub const fn win(winner: Colour, by: Victory) -> Self {
        Self::Win { winner, by }
    }

    /// Reads the value of `RE`: `B+3.5`, `W+R`, `0`, `Draw`, `Void`, `?` and their long forms, in
    /// any case. A winner with unreadable details is [`Victory::Unspecified`].
    #[must_use]
    pub fn from_sgf(value: &str) -> Self {
        let value = value.trim().to_ascii_lowercase();
        let (winner, how) = match value.split_once('+') {
            Some(("b" | "black", how)) => (Colour::Black, how.trim()),
            Some(("w" | "white", how)) => (Colour::White, how.trim()),
            _ => {
                return match value.as_str() {
                    "0" | "draw" | "jigo" => Self::Draw,
                    "void" => Self::Void,
                    _ => Self::Unknown,
                };
            }
        };
        let by = match how.as_bytes().first() {
            Some(b'r') => Victory::Resignation,
            Some(b't') => Victory::Time,
            Some(b'f') => Victory::Forfeit,
            _ => real(how).map_or(Victory::Unspecified, Victory::Points),
        };
        Self::Win { winner, by }
    }
}

/// As SGF writes it.
impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Win { winner, by } = self else {
            return f.write_str(match self {
                Self::Draw => "0",
                Self::Void => "Void",
                _ => "?",
            });
        };
        write!(f, "{}+", winner.letter())?;
        match by {
            Victory::Points(points) if points.is_finite() => write!(f, "{points}"),
            Victory::Points(_) | Victory::Unspecified => Ok(()),
            Victory::Resignation => write!(f, "R"),
            Victory::Time => write!(f, "T"),
            Victory::Forfeit => write!(f, "F"),
        }
    }
}

impl GameInfo {
    /// A game about which nothing else is known.
    ///
    /// # Errors
    /// The game has no board of that size.
    pub fn new(game: GameKind, size: u8) -> Result<Self, SgfError> {
        if !(1..=game.max_size()).contains(&size) {
            let place = crate::Place::Node(0);
            return Err(SgfError::new(place, bad_size(game, &size.to_string())));
        }
        Ok(Self::blank(game, size))
    }

    fn blank(game: GameKind, size: u8) -> Self {
        Self {
            game,
            size,
            komi: None,
            handicap: 0,
            rules: None,
            black: Participant::default(),
            white: Participant::default(),
            result: None,
            date: None,
            name: None,
            event: None,
            round: None,
            place: None,
            time_limit: None,
            overtime: None,
            source: None,
            application: None,
            comment: None,
        }
    }

    /// Reads the root.
    ///
    /// # Errors
    /// The game is none of ours, its size is missing where there is no usual one or impossible or
    /// not square, or a number is none. Of facts in words the first is taken; `GM`, `SZ`, `KM`,
    /// `HA` and `RE` must not appear twice with different values.
    pub fn from_tree(tree: &GameTree) -> Result<Self, SgfError> {
        let root = tree.root();
        Self::from_root(root).map_err(|problem| SgfError::new(root.place(), problem))
    }

    fn from_root(root: Node<'_>) -> Result<Self, Problem> {
        let value = |ident| -> Result<Option<String>, Problem> {
            let text = unique(root, ident)?.map(|p| p.simple_text().trim().to_owned());
            Ok(text.filter(|t| !t.is_empty()))
        };
        let game = match value("GM")? {
            None => GameKind::Go,
            Some(id) => GameKind::from_sgf_id(&id)
                .ok_or_else(|| Problem::UnknownGame { value: excerpt(&id) })?,
        };
        let size = match (value("SZ")?, game) {
            (Some(size), _) => read_size(game, &size)?,
            (None, GameKind::Go) => 19,
            (None, _) => {
                return Err(Problem::MissingSize {
                    game: game.name(),
                    example: if game == GameKind::Hex { 11 } else { 8 },
                });
            }
        };
        let mut info = Self::blank(game, size);
        let bad = |ident: &str, value: &str, expected| Problem::BadValue {
            ident: ident.to_owned(),
            value: excerpt(value),
            expected,
        };
        if let Some(komi) = value("KM")? {
            let number = real(&komi).ok_or_else(|| bad("KM", &komi, "a number, e.g. KM[6.5]"))?;
            info.komi = Some(number);
        }
        if let Some(handicap) = value("HA")? {
            let number = handicap.parse().ok();
            info.handicap = number
                .filter(|&n| n <= u32::from(size) * u32::from(size))
                .ok_or_else(|| bad("HA", &handicap, "a number of stones, e.g. HA[2]"))?;
        }
        info.result = value("RE")?.map(|re| GameResult::from_sgf(&re));
        for (ident, field) in info.texts() {
            *field = root
                .get(ident)
                .map(|p| match ident {
                    "GC" => p.text().into_owned(),
                    _ => p.simple_text().into_owned(),
                })
                .filter(|text| !text.is_empty());
        }
        Ok(info)
    }

    /// The facts that are words.
    fn texts(&mut self) -> [(&'static str, &mut Option<String>); 17] {
        [
            ("RU", &mut self.rules),
            ("PB", &mut self.black.name),
            ("BR", &mut self.black.rank),
            ("BT", &mut self.black.team),
            ("PW", &mut self.white.name),
            ("WR", &mut self.white.rank),
            ("WT", &mut self.white.team),
            ("DT", &mut self.date),
            ("GN", &mut self.name),
            ("EV", &mut self.event),
            ("RO", &mut self.round),
            ("PC", &mut self.place),
            ("TM", &mut self.time_limit),
            ("OT", &mut self.overtime),
            ("SO", &mut self.source),
            ("AP", &mut self.application),
            ("GC", &mut self.comment),
        ]
    }

    /// Writes all facts into the root of `tree`; what the info does not know stays as it is there.
    ///
    /// # Errors
    /// The size is impossible or komi is not a number.
    pub fn write_to(&self, tree: &mut GameTree) -> Result<(), SgfError> {
        let refuse = |problem| Err(SgfError::new(tree.root().place(), problem));
        if !(1..=self.game.max_size()).contains(&self.size) {
            return refuse(bad_size(self.game, &self.size.to_string()));
        }
        if let Some(komi) = self.komi.filter(|k| !k.is_finite()) {
            return refuse(Problem::BadValue {
                ident: "KM".to_owned(),
                value: komi.to_string(),
                expected: "a finite number, or none",
            });
        }
        let mut set = |ident: &str, value: &str| tree.set(GameTree::ROOT, ident, &[value]);
        set("GM", self.game.sgf_id())?;
        set("FF", "4")?;
        set("CA", "UTF-8")?;
        set("SZ", &self.size.to_string())?;
        if let Some(komi) = self.komi {
            set("KM", &komi.to_string())?;
        }
        if self.handicap > 0 {
            set("HA", &self.handicap.to_string())?;
        }
        for (ident, field) in self.clone().texts() {
            if let Some(text) = field {
                set(ident, text)?;
            }
        }
        if let Some(result) = self.result {
            set("RE", &result.to_string())?;
        }
        Ok(())
    }
}

/// The property of that name, if the node does not give it twice with different values.
pub(crate) fn unique<'t>(node: Node<'t>, ident: &str) -> Result<Option<Property<'t>>, Problem> {
    let mut all = node.properties().filter(|p| p.ident() == ident);
    let first = all.next();
    if let Some(first) = first
        && all.any(|p| !p.raw_values().eq(first.raw_values()))
    {
        return Err(Problem::Duplicate { ident: ident.to_owned() });
    }
    Ok(first)
}

fn bad_size(game: GameKind, value: &str) -> Problem {
    Problem::BadSize { value: excerpt(value), game: game.name(), max: game.max_size() }
}

fn read_size(game: GameKind, value: &str) -> Result<u8, Problem> {
    let number = |text: &str| {
        let text = text.trim();
        let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        // Too many digits are too large a board, not nonsense.
        digits.then(|| text.parse().unwrap_or(u32::MAX))
    };
    let size = match value.split_once(':') {
        None => number(value),
        Some((width, height)) => match (number(width), number(height)) {
            (Some(w), Some(h)) if w != h => {
                return Err(Problem::NotSquare { value: excerpt(value) });
            }
            (Some(w), Some(_)) => Some(w),
            _ => None,
        },
    };
    size.and_then(|n| u8::try_from(n).ok())
        .filter(|n| (1..=game.max_size()).contains(n))
        .ok_or_else(|| bad_size(game, value))
}

/// A finite number, with a decimal comma if need be.
fn real(text: &str) -> Option<f64> {
    let text = text.trim().replace(',', ".");
    // Rust also reads "inf", "nan" and exponents, which SGF does not have.
    let plain = text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-' | b'+'));
    text.parse().ok().filter(|n: &f64| plain && n.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(text: &str) -> Result<GameInfo, Problem> {
        let tree = GameTree::parse(text.as_bytes()).unwrap();
        GameInfo::from_tree(&tree).map_err(|e| e.problem)
    }

    #[test]
    fn defaults() {
        let go = info("(;)").unwrap();
        assert_eq!((go.game, go.size, go.komi), (GameKind::Go, 19, None));
        assert_eq!((go.handicap, go.result), (0, None));
        assert!(matches!(info("(;GM[11])"), Err(Problem::MissingSize { game: "Hex", .. })));
        assert!(info("(;GM[Havannah])").is_err());
        assert!(matches!(info("(;GM[2])"), Err(Problem::UnknownGame { .. })));
        // Empty facts are none.
        let go = info("(;GM[]SZ[ ]KM[]HA[]RE[]PB[])").unwrap();
        assert_eq!(go, info("(;)").unwrap());
    }

    #[test]
    fn games() {
        for (value, game) in [
            ("1", GameKind::Go),
            ("11", GameKind::Hex),
            ("HEX", GameKind::Hex),
            ("Havannah", GameKind::Havannah),
            (" havannah ", GameKind::Havannah),
        ] {
            assert_eq!(info(&format!("(;GM[{value}]SZ[9])")).unwrap().game, game);
        }
    }

    #[test]
    fn sizes() {
        for (value, size) in [("9", 9), ("019", 19), ("13:13", 13), (" 25 ", 25), ("1", 1)] {
            assert_eq!(info(&format!("(;SZ[{value}])")).unwrap().size, size);
        }
        for value in ["0", "26", "400", "-9", "+9", "9.0", "x", "9:", ":", "99999999999"] {
            let problem = info(&format!("(;SZ[{value}])")).unwrap_err();
            assert!(matches!(problem, Problem::BadSize { .. }), "{problem}");
        }
        let problem = info("(;SZ[9:13])").unwrap_err();
        assert!(problem.to_string().contains("square"), "{problem}");
        assert!(info("(;GM[Havannah]SZ[14])").is_err());
    }

    #[test]
    fn numbers() {
        assert_eq!(info("(;KM[6,5])").unwrap().komi, Some(6.5));
        assert_eq!(info("(;KM[-0.5]HA[9])").unwrap().komi, Some(-0.5));
        for text in ["(;KM[nan])", "(;KM[1e3])", "(;HA[-1])", "(;HA[362])", "(;KM[x])"] {
            assert!(matches!(info(text), Err(Problem::BadValue { .. })), "{text}");
        }
    }

    #[test]
    fn twice_is_fine_if_equal() {
        assert!(info("(;SZ[9]SZ[9]PB[a]PB[b])").is_ok());
        let problem = info("(;SZ[9]SZ[13])").unwrap_err();
        assert!(matches!(problem, Problem::Duplicate { .. }), "{problem}");
    }

    #[test]
    fn results() {
        use Victory::*;
        for (text, result) in [
            ("B+3.5", GameResult::win(Colour::Black, Points(3.5))),
            ("W+12", GameResult::win(Colour::White, Points(12.0))),
            ("W+R", GameResult::win(Colour::White, Resignation)),
            ("B+T", GameResult::win(Colour::Black, Time)),
            ("B+F", GameResult::win(Colour::Black, Forfeit)),
            ("W+", GameResult::win(Colour::White, Unspecified)),
            ("0", GameResult::Draw),
            ("Void", GameResult::Void),
            ("?", GameResult::Unknown),
        ] {
            assert_eq!(GameResult::from_sgf(text), result, "{text}");
            assert_eq!(result.to_string(), text);
        }
        for (text, same) in [
            ("b+resign", "B+R"),
            ("White+Time", "W+T"),
            ("B+0,5", "B+0.5"),
            ("Draw", "0"),
            ("B+nan", "B+"),
            ("B+3 moku", "B+"),
            ("Black wins", "?"),
        ] {
            assert_eq!(GameResult::from_sgf(text).to_string(), same);
        }
    }

    #[test]
    fn impossible_infos_are_not_written() {
        assert!(GameInfo::new(GameKind::Go, 0).is_err());
        assert!(GameInfo::new(GameKind::Havannah, 14).is_err());
        let mut info = GameInfo::new(GameKind::Go, 9).unwrap();
        info.komi = Some(f64::NAN);
        assert!(info.write_to(&mut GameTree::new()).is_err());
        info.komi = None;
        info.size = 200;
        assert!(info.write_to(&mut GameTree::new()).is_err());
    }
}
