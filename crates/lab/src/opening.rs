//! Openings: the moves that both games of a pair begin with, so that a match is more than one game
//! played many times, and so that nobody gains by the opening.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use kosumi_game::Rng;
use kosumi_record::{GameRecord, MOST_SGF_BYTES, Reader, read_whole};
use serde::{Deserialize, Serialize};

use crate::arbiter::{Arbiter, Rulebook, RulebookError};

/// Of so many random openings a balanced one is the most even.
const BALANCED_OF: usize = 16;

/// Which openings the pairs of a match have.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Openings {
    /// The empty board.
    #[default]
    Empty,
    /// Every first move in turn, one for all that are alike by symmetry.
    First,
    /// So many of these first moves, spread evenly over the board.
    Spread(usize),
    /// So many random stones.
    Random(usize),
    /// So many random stones, the most even of several draws by playouts.
    Balanced(usize),
    /// These, in turn.
    List(Vec<Vec<String>>),
}

/// Openings that cannot be played.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpeningError {
    /// There is no such game.
    #[error(transparent)]
    Rulebook(#[from] RulebookError),
    /// Too many stones.
    #[error("{0} random stones do not fit on this board without ending the game")]
    TooLong(usize),
    /// A list without an opening.
    #[error("there is no opening in the list")]
    NoneAtAll,
    /// An opening of a list breaks the rules or ends the game.
    #[error("opening {number}, move {at} ({text}): {problem}")]
    Move {
        /// Which opening, from 1.
        number: usize,
        /// Which move, from 1.
        at: usize,
        /// The move.
        text: String,
        /// What is wrong with it.
        problem: String,
    },
    /// No such kind of opening.
    #[error(
        "no openings are called '{0}': give empty, first, first:40, random:4, balanced:4 or a file"
    )]
    Unknown(String),
    /// A file that cannot be read.
    #[error("{}: {problem}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
}

impl fmt::Display for Openings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("empty"),
            Self::First => f.write_str("first"),
            Self::Spread(count) => write!(f, "first:{count}"),
            Self::Random(stones) => write!(f, "random:{stones}"),
            Self::Balanced(stones) => write!(f, "balanced:{stones}"),
            Self::List(list) => write!(f, "a list of {}", list.len()),
        }
    }
}

impl FromStr for Openings {
    type Err = OpeningError;

    fn from_str(text: &str) -> Result<Self, OpeningError> {
        let unknown = || OpeningError::Unknown(text.to_owned());
        match text.split_once(':') {
            None if text == "empty" => Ok(Self::Empty),
            None if text == "first" => Ok(Self::First),
            Some(("first", count)) => {
                let count = count.parse().ok().filter(|&count| count > 0);
                count.map(Self::Spread).ok_or_else(unknown)
            }
            Some(("random", stones)) => stones.parse().map(Self::Random).map_err(|_| unknown()),
            Some(("balanced", stones)) => stones.parse().map(Self::Balanced).map_err(|_| unknown()),
            _ => Err(unknown()),
        }
    }
}

impl Openings {
    /// Openings by name, or from a file: SGF, whose games are openings as far as they go, or text,
    /// one opening a line, moves separated by blanks, `#` before comments.
    ///
    /// # Errors
    /// The name is unknown, or the file cannot be read.
    pub fn read(name_or_file: &str) -> Result<Self, OpeningError> {
        let named = name_or_file.parse();
        let path = Path::new(name_or_file);
        if named.is_ok() || !path.exists() {
            return named;
        }
        let fail = |problem: String| OpeningError::File { path: path.to_owned(), problem };
        let bytes = read_whole(path, MOST_SGF_BYTES).map_err(|e| fail(e.to_string()))?;
        let is_sgf = path.extension().is_some_and(|ext| ext.eq_ignore_ascii_case("sgf"));
        let list = if is_sgf {
            from_sgf(&bytes).map_err(fail)?
        } else {
            from_text(&String::from_utf8_lossy(&bytes))
        };
        if list.is_empty() {
            return Err(fail("there is no opening in it".to_owned()));
        }
        Ok(Self::List(list))
    }

    /// How many different openings there are; `None` if every pair has its own.
    ///
    /// # Errors
    /// There is no such game.
    pub fn count(&self, rulebook: &Rulebook) -> Result<Option<usize>, OpeningError> {
        Ok(match self {
            Self::Empty => Some(1),
            Self::First => Some(Arbiter::new(rulebook)?.first_moves().len()),
            &Self::Spread(count) => Some(count.min(Arbiter::new(rulebook)?.first_moves().len())),
            Self::Random(0) | Self::Balanced(0) => Some(1),
            Self::Random(_) | Self::Balanced(_) => None,
            Self::List(list) => Some(list.len()),
        })
    }

    /// The opening of a pair, counted from 0.
    ///
    /// # Errors
    /// It does not fit the game.
    pub fn moves(
        &self,
        rulebook: &Rulebook,
        seed: u64,
        pair: u32,
    ) -> Result<Vec<String>, OpeningError> {
        let mut arbiter = Arbiter::new(rulebook)?;
        let mut rng = Rng::stream(seed, u64::from(pair));
        let in_turn = |count: usize| pair as usize % count.max(1);
        match self {
            Self::Empty => Ok(Vec::new()),
            Self::First | Self::Spread(_) => {
                let moves = arbiter.first_moves();
                let count = match self {
                    &Self::Spread(count) => count.min(moves.len()),
                    _ => moves.len(),
                };
                let at = in_turn(count) * moves.len() / count.max(1);
                let mv = moves.get(at).ok_or(OpeningError::NoneAtAll)?;
                Ok(vec![mv.clone()])
            }
            &Self::Random(stones) => {
                arbiter.random_opening(stones, &mut rng).ok_or(OpeningError::TooLong(stones))
            }
            &Self::Balanced(stones) => {
                let mut best: Option<(f64, Vec<String>)> = None;
                for _ in 0..BALANCED_OF {
                    let mut arbiter = arbiter.clone();
                    let moves = arbiter
                        .random_opening(stones, &mut rng)
                        .ok_or(OpeningError::TooLong(stones))?;
                    let tilt = (arbiter.value_by_playouts(&mut rng) - 0.5).abs();
                    if best.as_ref().is_none_or(|(least, _)| tilt < *least) {
                        best = Some((tilt, moves));
                    }
                }
                Ok(best.map(|(_, moves)| moves).unwrap_or_default())
            }
            Self::List(list) => {
                let number = in_turn(list.len());
                let moves = list.get(number).ok_or(OpeningError::NoneAtAll)?;
                for (at, text) in (1..).zip(moves) {
                    let problem = match arbiter.play(text) {
                        Err(why) => Some(why),
                        Ok(_) => arbiter.result().map(|_| "it ends the game".to_owned()),
                    };
                    if let Some(problem) = problem {
                        let (number, text) = (number + 1, text.clone());
                        return Err(OpeningError::Move { number, at, text, problem });
                    }
                }
                Ok(moves.clone())
            }
        }
    }

    /// Whether all openings fit the game.
    ///
    /// # Errors
    /// The first that does not.
    pub fn check(&self, rulebook: &Rulebook) -> Result<(), OpeningError> {
        let pairs = match self {
            Self::List(list) if list.is_empty() => return Err(OpeningError::NoneAtAll),
            Self::List(list) => list.len() as u32,
            _ => 1,
        };
        (0..pairs).try_for_each(|pair| self.moves(rulebook, 0, pair).map(drop))
    }
}

fn from_text(text: &str) -> Vec<Vec<String>> {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default());
    let moves = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    lines.map(moves).filter(|moves| !moves.is_empty()).collect()
}

fn from_sgf(bytes: &[u8]) -> Result<Vec<Vec<String>>, String> {
    let mut list = Vec::new();
    for (number, tree) in (1..).zip(Reader::new(bytes)) {
        let in_game = |problem: String| format!("game {number}: {problem}");
        let record = tree.and_then(|tree| GameRecord::from_tree(&tree));
        let record = record.map_err(|e| in_game(e.to_string()))?;
        if record.steps.iter().any(|step| !step.setup.is_empty()) {
            return Err(in_game("set-up stones are no opening; give moves".to_owned()));
        }
        let mut to_move = record.info.game.first_colour();
        let mut moves = Vec::new();
        for mv in record.moves() {
            if mv.colour != to_move {
                return Err(in_game("the colours do not alternate".to_owned()));
            }
            moves.push(mv.mv.clone());
            to_move = to_move.opponent();
        }
        list.push(moves);
    }
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kosumi_record::GameKind;

    fn hex(size: usize) -> Rulebook {
        Rulebook::new(GameKind::Hex, size)
    }

    #[test]
    fn first_moves_are_one_of_each_kind() {
        // Half of the cells and the middle in Hex; in Go one eighth, borders counted once.
        let count = |kind, size| Openings::First.count(&Rulebook::new(kind, size)).unwrap();
        assert_eq!(count(GameKind::Hex, 11), Some(61));
        assert_eq!(count(GameKind::Go, 9), Some(15));
        // The middle; the six around it; twelve, corners and others; eighteen, corners and others.
        assert_eq!(count(GameKind::Havannah, 4), Some(1 + 1 + 2 + 2));
        let moves = |pair| Openings::First.moves(&hex(3), 1, pair).unwrap();
        assert_eq!((0..5).map(moves).collect::<Vec<_>>().concat(), ["a1", "b1", "c1", "a2", "b2"]);
        assert_eq!(moves(5), moves(0), "they come in turn");
        let some: Openings = "first:3".parse().unwrap();
        assert_eq!((some.to_string(), some.count(&hex(3)).unwrap()), ("first:3".into(), Some(3)));
        let moves = |pair| some.moves(&hex(3), 1, pair).unwrap();
        assert_eq!((0..4).map(moves).collect::<Vec<_>>().concat(), ["a1", "b1", "a2", "a1"]);
        assert_eq!(Openings::Spread(40).count(&hex(3)).unwrap(), Some(5), "no more than there are");
        assert!("first:0".parse::<Openings>().is_err() && "first:x".parse::<Openings>().is_err());
    }

    #[test]
    fn balanced_openings_are_more_even_than_random_ones() {
        let tilt = |openings: &Openings| -> f64 {
            let value = |pair| {
                let mut arbiter = Arbiter::new(&hex(5)).unwrap();
                for mv in openings.moves(&hex(5), 3, pair).unwrap() {
                    arbiter.play(&mv).unwrap();
                }
                (arbiter.value_by_playouts(&mut Rng::new(5)) - 0.5).abs()
            };
            (0..20).map(value).sum()
        };
        let (random, balanced) = (Openings::Random(4), Openings::Balanced(4));
        let tilts = (tilt(&balanced), tilt(&random));
        assert!(tilts.0 < 0.6 * tilts.1, "{tilts:?}");
        assert_eq!(balanced.moves(&hex(5), 1, 4).unwrap(), balanced.moves(&hex(5), 1, 4).unwrap());
    }

    #[test]
    fn files_are_text_or_sgf() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            path.to_str().unwrap().to_owned()
        };
        let text = write("o.txt", "# two openings\nb2 c3\n\na1   # a corner\n");
        let list = vec![vec!["b2".to_owned(), "c3".to_owned()], vec!["a1".to_owned()]];
        assert_eq!(Openings::read(&text).unwrap(), Openings::List(list));
        let sgf = write("o.sgf", "(;GM[1]SZ[9];B[ee];W[cc])\n(;GM[1]SZ[9];B[aa])");
        let Openings::List(list) = Openings::read(&sgf).unwrap() else { panic!() };
        assert_eq!(list, [vec!["E5", "C7"], vec!["A9"]]);
        let set_up = write("s.sgf", "(;GM[1]SZ[9]AB[aa];W[cc])");
        assert!(Openings::read(&set_up).unwrap_err().to_string().contains("game 1: set-up"));
        assert!(Openings::read(&write("e.txt", "# nothing")).is_err());
    }

    #[test]
    fn what_cannot_be_played_is_named() {
        let bad =
            Openings::List(vec![vec!["a1".to_owned()], vec!["b2".to_owned(), "b2".to_owned()]]);
        let error = bad.check(&hex(5)).unwrap_err().to_string();
        assert!(error.starts_with("opening 2, move 2 (b2)"), "{error}");
        assert!(Openings::Random(30).check(&hex(3)).is_err());
        for text in ["random", "random:x", "none", "balanced:-1"] {
            assert!(Openings::read(text).unwrap_err().to_string().contains("balanced:4"));
        }
        for openings in [Openings::Empty, Openings::First, Openings::Random(3)] {
            assert_eq!(openings.to_string().parse::<Openings>().unwrap(), openings);
        }
    }
}
