//! The files of a match: every finished game at once, so that a kill loses none of them.
//!
//! The journal is JSON, one object a line: first the match, then what the players said of
//! themselves, then its games in the order in which they ended. It is all that a match needs to go on. The SGF file beside it, one game a line, is
//! made from it and repaired from it.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use kosumi_record::{GameInfo, GameRecord, GameResult, write_atomically};
use serde::{Deserialize, Serialize};

use crate::game::{PlayedGame, Side};
use crate::match_runner::Match;

/// The version of the format; it changes when old files can no longer be read.
const FORMAT: u32 = 2;

#[derive(Serialize, Deserialize)]
struct Header<'a> {
    kosumi_match: u32,
    #[serde(flatten)]
    settings: std::borrow::Cow<'a, Match>,
}

/// What every format begins with.
#[derive(Deserialize)]
struct Version {
    kosumi_match: u32,
}

/// What the players of a match said of themselves before the first game of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Introduction {
    /// Name and version of each side's program, A first.
    pub versions: [String; 2],
    /// Every parameter in force, of programs that are Kosumi, A first.
    pub parameters: [Option<Vec<String>>; 2],
}

#[derive(Serialize, Deserialize)]
struct IntroductionLine {
    introduction: Introduction,
}

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// Reading or writing fails.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// There is a match in the file already.
    #[error(
        "{} holds a match already: --resume goes on with it, another --out keeps it",
        path.display()
    )]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The match in the file is not the one to go on with.
    #[error(
        "{} holds another match: {difference}; choose another --out, or the settings it began with",
        path.display()
    )]
    Other {
        /// The file.
        path: PathBuf,
        /// What is different.
        difference: String,
    },
    /// A line that is no game.
    #[error("{}, line {line}: {problem}; remove the line, and its game is played again", path.display())]
    Broken {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        problem: String,
    },
}

/// An open journal.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    sgf_path: PathBuf,
    file: File,
    sgf: File,
    settings: Match,
    introduction: Option<Introduction>,
    games: Vec<PlayedGame>,
}

/// What is in a journal.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct JournalContent {
    /// The match.
    pub settings: Match,
    /// What the players said of themselves, last time.
    pub introduction: Option<Introduction>,
    /// The games, in the order in which they ended.
    pub games: Vec<PlayedGame>,
}

impl Journal {
    /// Starts the journal of a match at `path`.
    ///
    /// # Errors
    /// There are games of a match already, or the files cannot be written.
    pub fn create(path: &Path, settings: &Match) -> Result<Self, JournalError> {
        // Without a game it is a match that came to nothing, such as one with a mistake in a command.
        let holds_games = match read_journal(path) {
            Ok(content) => !content.games.is_empty(),
            Err(JournalError::Io { .. }) => false,
            Err(_) => std::fs::read(path).is_ok_and(|bytes| bytes.contains(&b'\n')),
        };
        if holds_games {
            return Err(JournalError::Exists { path: path.to_owned() });
        }
        Self::begin(path, settings)
    }

    /// Goes on with the journal of a match at `path`, or starts it if there is none. A line that a
    /// kill left unfinished is dropped; the SGF file is made anew.
    ///
    /// # Errors
    /// The file holds another match, a line in it cannot be read, or the files cannot be written.
    pub fn resume(path: &Path, settings: &Match) -> Result<Self, JournalError> {
        let io = |source| JournalError::Io { path: path.to_owned(), source };
        let mut bytes = Vec::new();
        match File::open(path) {
            Ok(mut file) => file.read_to_end(&mut bytes).map_err(io)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
            Err(error) => return Err(io(error)),
        };
        let whole = bytes.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
        if whole == 0 {
            return Self::begin(path, settings);
        }
        let content = read(path, &bytes[..whole])?;
        if let Some(difference) = settings.difference(&content.settings) {
            return Err(JournalError::Other { path: path.to_owned(), difference });
        }
        let file = open(path).map_err(io)?;
        file.set_len(whole as u64).map_err(io)?;
        Self::with_sgf(path, file, content)
    }

    /// An empty journal, whatever there was.
    fn begin(path: &Path, settings: &Match) -> Result<Self, JournalError> {
        let io = |source| JournalError::Io { path: path.to_owned(), source };
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(io)?;
        }
        let header =
            Header { kosumi_match: FORMAT, settings: std::borrow::Cow::Borrowed(settings) };
        let mut line = serde_json::to_vec(&header).map_err(|e| io(e.into()))?;
        line.push(b'\n');
        let mut file = open(path).map_err(io)?;
        file.set_len(0).map_err(io)?;
        file.write_all(&line).map_err(io)?;
        file.sync_data().map_err(io)?;
        let settings = settings.clone();
        Self::with_sgf(
            path,
            file,
            JournalContent { settings, introduction: None, games: Vec::new() },
        )
    }

    fn with_sgf(path: &Path, file: File, content: JournalContent) -> Result<Self, JournalError> {
        let JournalContent { settings, introduction, games } = content;
        let sgf_path = path.with_extension("sgf");
        let mut text = String::new();
        for game in &games {
            text.push_str(&sgf_line(&settings, game));
        }
        let fail = |source| JournalError::Io { path: sgf_path.clone(), source };
        write_atomically(&sgf_path, text.as_bytes()).map_err(|e| fail(e.source))?;
        let sgf = open(&sgf_path).map_err(fail)?;
        Ok(Self { path: path.to_owned(), file, sgf, sgf_path, settings, introduction, games })
    }

    /// The games so far, in the order in which they ended.
    #[must_use]
    pub fn games(&self) -> &[PlayedGame] {
        &self.games
    }

    /// Notes what the players say of themselves, unless they said the same last time.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn introduce(&mut self, introduction: Introduction) -> Result<(), JournalError> {
        if self.introduction.as_ref() != Some(&introduction) {
            self.write_line(&IntroductionLine { introduction: introduction.clone() })?;
            self.introduction = Some(introduction);
        }
        Ok(())
    }

    /// In one piece, so that a kill cannot leave half a line but for the system's own failure.
    fn write_line(&mut self, content: &impl Serialize) -> Result<(), JournalError> {
        let io = |source| JournalError::Io { path: self.path.clone(), source };
        let mut line = serde_json::to_vec(content).map_err(|e| io(e.into()))?;
        line.push(b'\n');
        self.file.write_all(&line).and_then(|()| self.file.sync_data()).map_err(io)
    }

    /// Appends a finished game to both files.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn append(&mut self, game: PlayedGame) -> Result<(), JournalError> {
        self.write_line(&game)?;
        self.sgf
            .write_all(sgf_line(&self.settings, &game).as_bytes())
            .map_err(|source| JournalError::Io { path: self.sgf_path.clone(), source })?;
        self.games.push(game);
        Ok(())
    }
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).append(true).open(path)
}

/// Reads a journal.
///
/// # Errors
/// The file cannot be read, or a line is not what it should be.
pub fn read_journal(path: &Path) -> Result<JournalContent, JournalError> {
    let bytes =
        std::fs::read(path).map_err(|source| JournalError::Io { path: path.to_owned(), source })?;
    let whole = bytes.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
    read(path, &bytes[..whole])
}

fn read(path: &Path, bytes: &[u8]) -> Result<JournalContent, JournalError> {
    let broken =
        |line, problem: String| JournalError::Broken { path: path.to_owned(), line, problem };
    let mut lines = bytes.split(|&b| b == b'\n').zip(1..);
    let (first, _) = lines.next().unwrap_or_default();
    let no_match = |e: serde_json::Error| broken(1, format!("no match: {e}"));
    let Version { kosumi_match: found } = serde_json::from_slice(first).map_err(no_match)?;
    if found != FORMAT {
        return Err(broken(1, format!("format {found} instead of {FORMAT}")));
    }
    let header: Header<'_> = serde_json::from_slice(first).map_err(no_match)?;
    let mut introduction = None;
    let mut games: Vec<PlayedGame> = Vec::new();
    for (line, number) in lines.filter(|(line, _)| !line.is_empty()) {
        if let Ok(line) = serde_json::from_slice::<IntroductionLine>(line) {
            introduction = Some(line.introduction);
            continue;
        }
        let game: PlayedGame =
            serde_json::from_slice(line).map_err(|e| broken(number, format!("no game: {e}")))?;
        if games.iter().any(|other| other.number == game.number) {
            return Err(broken(number, format!("game {} is there twice", game.number)));
        }
        games.push(game);
    }
    Ok(JournalContent { settings: header.settings.into_owned(), introduction, games })
}

/// A game as one line of SGF, with the newline. A game that SGF cannot hold is left out: the
/// journal has it.
fn sgf_line(settings: &Match, game: &PlayedGame) -> String {
    let make = || {
        let kind = settings.rulebook.kind().ok()?;
        let size = u8::try_from(settings.rulebook.size).ok()?;
        let mut info = GameInfo::new(kind, size).ok()?;
        let first_is_black = kind.first_colour() == kosumi_record::Colour::Black;
        let black = if first_is_black == (game.first == Side::A) { Side::A } else { Side::B };
        let name = |side: Side| Some(settings.players[side.index()].name.clone());
        info.black.name = name(black);
        info.white.name = name(black.other());
        if kind == kosumi_record::GameKind::Go {
            info.komi = Some(settings.rulebook.komi);
            info.rules = Some(settings.rulebook.rules.clone());
        }
        info.result = Some(GameResult::from_sgf(&game.result));
        info.round = Some(game.number.to_string());
        info.application = Some(concat!("Kosumi:", env!("CARGO_PKG_VERSION")).to_owned());
        if game.ending.is_failure() {
            info.comment = Some(format!("{}: {}", game.ending.name(), game.detail));
        }
        let mut record = GameRecord::new(info);
        for (colour, mv) in game.coloured_moves() {
            record.play(colour, mv);
        }
        let text = record.to_tree().ok()?.to_string();
        // A comment may hold newlines, which SGF reads as blanks in simple text.
        Some(text.replace(['\n', '\r'], " ") + "\n")
    };
    make().unwrap_or_default()
}
