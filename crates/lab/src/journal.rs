//! The files of a match: every finished game at once, so that a kill loses none of them.
//!
//! The journal is JSON, one object a line: first the match, then its games in the order in which
//! they ended. It is all that a match needs to go on. The SGF file beside it, one game a line, is
//! made from it and repaired from it.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use kosumi_record::{GameInfo, GameRecord, GameResult, write_atomically};
use serde::{Deserialize, Serialize};

use crate::game::{PlayedGame, Side};
use crate::match_runner::Match;

/// The version of the format; it changes when old files can no longer be read.
const FORMAT: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Header<'a> {
    kosumi_match: u32,
    #[serde(flatten)]
    settings: std::borrow::Cow<'a, Match>,
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
    games: Vec<PlayedGame>,
}

impl Journal {
    /// Starts the journal of a match at `path`.
    ///
    /// # Errors
    /// There are games of a match already, or the files cannot be written.
    pub fn create(path: &Path, settings: &Match) -> Result<Self, JournalError> {
        // One line is a match that came to nothing, such as one with a mistake in a command.
        let lines = |bytes: Vec<u8>| bytes.split(|&b| b == b'\n').filter(|l| !l.is_empty()).count();
        if std::fs::read(path).is_ok_and(|bytes| lines(bytes) > 1) {
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
        let (found, games) = read(path, &bytes[..whole])?;
        if let Some(difference) = settings.difference(&found) {
            return Err(JournalError::Other { path: path.to_owned(), difference });
        }
        let file = open(path).map_err(io)?;
        file.set_len(whole as u64).map_err(io)?;
        Self::with_sgf(path, file, settings, games)
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
        Self::with_sgf(path, file, settings, Vec::new())
    }

    fn with_sgf(
        path: &Path,
        file: File,
        settings: &Match,
        games: Vec<PlayedGame>,
    ) -> Result<Self, JournalError> {
        let sgf_path = path.with_extension("sgf");
        let mut text = String::new();
        for game in &games {
            text.push_str(&sgf_line(settings, game));
        }
        let fail = |source| JournalError::Io { path: sgf_path.clone(), source };
        write_atomically(&sgf_path, text.as_bytes()).map_err(|e| fail(e.source))?;
        let sgf = open(&sgf_path).map_err(fail)?;
        Ok(Self { path: path.to_owned(), file, sgf, sgf_path, settings: settings.clone(), games })
    }

    /// The games so far, in the order in which they ended.
    #[must_use]
    pub fn games(&self) -> &[PlayedGame] {
        &self.games
    }

    /// Appends a finished game to both files.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn append(&mut self, game: PlayedGame) -> Result<(), JournalError> {
        let io = |path: &Path, source| JournalError::Io { path: path.to_owned(), source };
        let mut line = serde_json::to_vec(&game).map_err(|e| io(&self.path, e.into()))?;
        line.push(b'\n');
        // In one piece, so that a kill cannot leave half a line but for the system's own failure.
        self.file
            .write_all(&line)
            .and_then(|()| self.file.sync_data())
            .map_err(|e| io(&self.path, e))?;
        self.sgf
            .write_all(sgf_line(&self.settings, &game).as_bytes())
            .map_err(|e| io(&self.sgf_path, e))?;
        self.games.push(game);
        Ok(())
    }
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).append(true).open(path)
}

/// Reads a journal: the match and its games.
///
/// # Errors
/// The file cannot be read, or a line is not what it should be.
pub fn read_journal(path: &Path) -> Result<(Match, Vec<PlayedGame>), JournalError> {
    let bytes =
        std::fs::read(path).map_err(|source| JournalError::Io { path: path.to_owned(), source })?;
    let whole = bytes.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
    read(path, &bytes[..whole])
}

fn read(path: &Path, bytes: &[u8]) -> Result<(Match, Vec<PlayedGame>), JournalError> {
    let broken =
        |line, problem: String| JournalError::Broken { path: path.to_owned(), line, problem };
    let mut lines = bytes.split(|&b| b == b'\n').zip(1..);
    let (first, _) = lines.next().unwrap_or_default();
    let header: Header<'_> =
        serde_json::from_slice(first).map_err(|e| broken(1, format!("no match: {e}")))?;
    if header.kosumi_match != FORMAT {
        let found = header.kosumi_match;
        return Err(broken(1, format!("format {found} instead of {FORMAT}")));
    }
    let mut games: Vec<PlayedGame> = Vec::new();
    for (line, number) in lines.filter(|(line, _)| !line.is_empty()) {
        let game: PlayedGame =
            serde_json::from_slice(line).map_err(|e| broken(number, format!("no game: {e}")))?;
        if games.iter().any(|other| other.number == game.number) {
            return Err(broken(number, format!("game {} is there twice", game.number)));
        }
        games.push(game);
    }
    Ok((header.settings.into_owned(), games))
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
