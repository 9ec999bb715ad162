//! Games of Go and Hex from records: SGF, plain or compressed by xz, single files or whole folders.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use kosumi_game::{Game, Move, Player};
use kosumi_go::{BoardClass, GoMove, KoRule, Position, Rules, UpTo9, UpTo13, UpTo19, UpTo25};
use kosumi_hex::{Hex, HexMove, HexRules};
use kosumi_record::{Colour, GameKind, GameRecord, Reader};

/// The moves of a game that began on an empty board, Black and White in turn.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GameMoves {
    /// Lines of the board.
    pub size: u8,
    /// Who began.
    pub first: Player,
    /// Go: column and line of each move from 0, 32 columns a line, plus 1; 0 is a pass. Hex: the
    /// index of each move.
    moves: Vec<u16>,
}

impl GameMoves {
    /// How many moves there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// Go: calls `visit` with each position and the move played in it, passes included. All are
    /// legal.
    pub fn replay<C: BoardClass>(&self, mut visit: impl FnMut(&Position<C>, GoMove)) {
        let Ok(mut position) = Position::<C>::new(self.size.into(), rules()) else { return };
        position.set_turn(self.first);
        for &code in &self.moves {
            let mv = decode::<C>(code);
            visit(&position, mv);
            position.play(mv);
        }
    }

    /// Hex: calls `visit` with each position and the move played in it. All are legal.
    pub fn replay_hex(&self, mut visit: impl FnMut(&Hex, HexMove)) {
        let Ok(mut position) = Hex::new(self.size.into(), HEX_RULES) else { return };
        position.set_turn(match self.first {
            Player::First => kosumi_hex::Colour::Black,
            Player::Second => kosumi_hex::Colour::White,
        });
        for &index in &self.moves {
            let mv = HexMove::from_index(index.into());
            visit(&position, mv);
            position.play(mv);
        }
    }
}

/// A swap in a record is resolved when it is read.
const HEX_RULES: HexRules = HexRules { swap: false };

fn decode<C: BoardClass>(code: u16) -> GoMove {
    match code.checked_sub(1) {
        None => GoMove::PASS,
        Some(place) => {
            GoMove::on(kosumi_go::Point::at::<C>(usize::from(place % 32), usize::from(place / 32)))
        }
    }
}

/// Records are of games under many rules; what they have in common is simple ko.
fn rules() -> Rules {
    Rules { ko: KoRule::Simple, ..Rules::CHINESE }
}

/// Which games to take: every so-many-th is kept apart from learning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part {
    /// All games.
    #[default]
    All,
    /// Those to learn from: all but every 20th.
    Learned,
    /// Those kept apart: every 20th.
    HeldOut,
}

impl Part {
    /// Whether it has the game with that number in its file.
    #[must_use]
    pub fn has(self, number: usize) -> bool {
        let apart = number % 20 == 19;
        match self {
            Self::All => true,
            Self::Learned => !apart,
            Self::HeldOut => apart,
        }
    }
}

/// How many games were passed over, by reason.
pub type Skipped = BTreeMap<String, usize>;

/// What reading gave.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct GamesRead {
    /// The games.
    pub games: Vec<GameMoves>,
    /// Games that cannot be learned from.
    pub skipped: Skipped,
    /// The files.
    pub files: Vec<PathBuf>,
}

/// Why records cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadGamesError {
    /// A file or folder cannot be read.
    #[error("{}: {source}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A folder without records.
    #[error("{} has no records: files *.sgf or *.sgf.xz are read", path.display())]
    NoRecords {
        /// The folder.
        path: PathBuf,
    },
    /// No game can be used.
    #[error("no game of {} can be used ({})", files_text(files), skipped_text(skipped, *part))]
    NoGames {
        /// The files.
        files: Vec<PathBuf>,
        /// Which of their games were asked for.
        part: Part,
        /// Why not.
        skipped: Skipped,
    },
}

fn files_text(files: &[PathBuf]) -> String {
    match files {
        [one] => one.display().to_string(),
        many => format!("{} files", many.len()),
    }
}

fn skipped_text(skipped: &Skipped, part: Part) -> String {
    if skipped.is_empty() {
        let none = match part {
            Part::HeldOut => "every 20th of a file is kept apart, and there are fewer in each",
            _ => "there are none",
        };
        return none.to_owned();
    }
    let reasons = skipped.iter().map(|(reason, count)| format!("{count}: {reason}"));
    reasons.collect::<Vec<_>>().join("; ")
}

/// Reads the records of a game in files and folders, up to `most` of each file, of one board size if any is
/// asked for.
///
/// # Errors
/// A file cannot be read, a folder has no records, or no game can be used. Single games that cannot
/// be used are counted.
pub fn read_games(
    game: GameKind,
    paths: &[PathBuf],
    size: Option<u8>,
    part: Part,
    most: usize,
) -> Result<GamesRead, ReadGamesError> {
    let mut read = GamesRead::default();
    for path in paths {
        read.files.extend(record_files(path)?);
    }
    for path in read.files.clone() {
        let io = |source| ReadGamesError::Io { path: path.clone(), source };
        let file = File::open(&path).map_err(io)?;
        let compressed = path.extension().is_some_and(|ending| ending == "xz");
        if compressed {
            let input = BufReader::new(lzma_rust2::XzReader::new(BufReader::new(file), true));
            read_file(input, (game, size), part, most, &mut read);
        } else {
            read_file(BufReader::new(file), (game, size), part, most, &mut read);
        }
    }
    if read.games.is_empty() {
        return Err(ReadGamesError::NoGames { files: read.files, part, skipped: read.skipped });
    }
    Ok(read)
}

/// The file itself, or the records in a folder, by name.
fn record_files(path: &Path) -> Result<Vec<PathBuf>, ReadGamesError> {
    let io = |source| ReadGamesError::Io { path: path.to_owned(), source };
    if !std::fs::metadata(path).map_err(io)?.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path).map_err(io)? {
        let file = entry.map_err(io)?.path();
        let name = file.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        if name.ends_with(".sgf") || name.ends_with(".sgf.xz") {
            files.push(file);
        }
    }
    files.sort();
    if files.is_empty() {
        return Err(ReadGamesError::NoRecords { path: path.to_owned() });
    }
    Ok(files)
}

fn read_file(
    input: impl BufRead,
    (kind, size): (GameKind, Option<u8>),
    part: Part,
    most: usize,
    read: &mut GamesRead,
) {
    let mut taken = 0;
    for (number, tree) in Reader::new(input).enumerate() {
        if taken == most {
            break;
        }
        if !part.has(number) {
            continue;
        }
        let game = match tree.and_then(|tree| GameRecord::from_tree(&tree)) {
            Ok(record) => moves_of(&record, kind, size),
            Err(error) => Err(format!("no readable record, such as: {}", error.problem)),
        };
        match game {
            Ok(game) => {
                taken += 1;
                read.games.push(game);
            }
            Err(reason) => *read.skipped.entry(reason).or_default() += 1,
        }
    }
}

/// The moves of a record, or why it cannot be used.
fn moves_of(record: &GameRecord, game: GameKind, size: Option<u8>) -> Result<GameMoves, String> {
    if record.info.game != game {
        return Err(format!("another game than {}", game.name()));
    }
    if size.is_some_and(|size| size != record.info.size) {
        return Err("another board size".to_owned());
    }
    if record.steps.iter().any(|step| !step.setup.is_empty()) {
        return Err("set-up stones".to_owned());
    }
    if game == GameKind::Hex {
        return replayed_hex(record);
    }
    match record.info.size {
        2..=9 => replayed::<UpTo9>(record),
        10..=13 => replayed::<UpTo13>(record),
        14..=19 => replayed::<UpTo19>(record),
        20..=25 => replayed::<UpTo25>(record),
        other => Err(format!("a board of {other} lines")),
    }
}

fn replayed<C: BoardClass>(record: &GameRecord) -> Result<GameMoves, String> {
    let size = record.info.size;
    let mut position = Position::<C>::new(size.into(), rules()).map_err(|e| e.to_string())?;
    let mut moves = Vec::new();
    let mut first = None;
    for step in record.moves() {
        let player = match step.colour {
            Colour::Black => Player::First,
            Colour::White => Player::Second,
        };
        let first = *first.get_or_insert(player);
        if moves.is_empty() {
            position.set_turn(first);
        }
        if position.to_move() != player {
            return Err("two moves of one colour in a row".to_owned());
        }
        if position.outcome().is_some() {
            // What comes after two passes are dead stones being taken off.
            break;
        }
        let mv = position.parse_move(&step.mv).map_err(|_| "no move".to_owned())?;
        position.try_play(mv).map_err(|_| "an illegal move".to_owned())?;
        moves.push(mv.point().map_or(0, |p| {
            let (x, y) = p.xy::<C>();
            (y * 32 + x + 1) as u16
        }));
    }
    if moves.iter().all(|&code| code == 0) {
        return Err("no moves".to_owned());
    }
    let first = first.ok_or("no moves")?;
    Ok(GameMoves { size, first, moves })
}

fn replayed_hex(record: &GameRecord) -> Result<GameMoves, String> {
    let size = record.info.size;
    let mut position = Hex::new(size.into(), HEX_RULES).map_err(|e| e.to_string())?;
    let mut moves = Vec::new();
    let mut first = None;
    for step in record.moves() {
        let (player, colour) = match step.colour {
            Colour::Black => (Player::First, kosumi_hex::Colour::Black),
            Colour::White => (Player::Second, kosumi_hex::Colour::White),
        };
        if first.is_none() {
            first = Some(player);
            position.set_turn(colour);
        }
        if position.outcome().is_some() || step.mv == "resign" {
            break;
        }
        if step.mv == "swap-pieces" {
            return Err("a swap that is not resolved".to_owned());
        }
        if position.colour_to_move() != colour {
            return Err("two moves of one colour in a row".to_owned());
        }
        let mv = position.parse_move(&step.mv).map_err(|_| "no move".to_owned())?;
        position.try_play(mv).map_err(|_| "an illegal move".to_owned())?;
        moves.push(mv.index() as u16);
    }
    let first = first.filter(|_| !moves.is_empty()).ok_or("no moves")?;
    Ok(GameMoves { size, first, moves })
}
