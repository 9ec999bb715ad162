//! The files of a match: every finished game at once, so that a kill loses none of them.
//!
//! The journal is JSON, one object a line: first the match, then what the players said of
//! themselves, then its games in the order in which they ended. It is all that a match needs to go on. The SGF file beside it, one game a line, is
//! made from it and repaired from it.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use kosumi_record::{GameInfo, GameRecord, GameResult, write_atomically};
use serde::{Deserialize, Serialize};

use crate::game::{PlayedGame, Side};
use crate::json_lines::{Format, JournalError, JsonLines, Lines, append_to};
use crate::match_runner::Match;

const FORMAT: Format = Format { what: "match", key: "kosumi_match", version: 2 };

/// What the players of a match said of themselves before the first game of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Introduction {
    /// Name and version of each side's program, A first.
    pub versions: [String; 2],
    /// Every parameter in force, of programs that are Kosumi, A first.
    pub parameters: [Option<Vec<String>>; 2],
    /// File and hash of the learned weights in use, of programs that are Kosumi, A first.
    #[serde(default)]
    pub weights: [Option<String>; 2],
}

#[derive(Serialize, Deserialize)]
struct IntroductionLine {
    introduction: Introduction,
}

/// An open journal.
#[derive(Debug)]
pub struct Journal {
    lines: JsonLines,
    sgf_path: PathBuf,
    sgf: File,
    content: JournalContent,
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
        // Without a game it is a match that came to nothing, such as one with a mistake in a
        // command. What cannot be read is kept, whatever it is.
        let lines = Lines::read_if_any(path)?;
        let is_new = lines.is_none_or(|l| read(&l).is_ok_and(|content| content.games.is_empty()));
        if !is_new {
            return Err(JournalError::Exists { path: path.to_owned(), what: FORMAT.what });
        }
        Self::begin(path, settings)
    }

    /// Goes on with the journal of a match at `path`, or starts it if there is none. A line that a
    /// kill left unfinished is dropped; the SGF file is made anew.
    ///
    /// # Errors
    /// The file holds another match, a line in it cannot be read, or the files cannot be written.
    pub fn resume(path: &Path, settings: &Match) -> Result<Self, JournalError> {
        let Some(lines) = Lines::read_if_any(path)? else {
            return Self::begin(path, settings);
        };
        let content = read(&lines)?;
        content.check(path, settings)?;
        Self::with_sgf(path, JsonLines::go_on(path, &lines)?, content)
    }

    /// An empty journal, whatever there was.
    fn begin(path: &Path, settings: &Match) -> Result<Self, JournalError> {
        let lines = JsonLines::begin(path, FORMAT, settings)?;
        let settings = settings.clone();
        let content = JournalContent { settings, introduction: None, games: Vec::new() };
        Self::with_sgf(path, lines, content)
    }

    fn with_sgf(
        path: &Path,
        lines: JsonLines,
        content: JournalContent,
    ) -> Result<Self, JournalError> {
        let sgf_path = path.with_extension("sgf");
        let text: String =
            content.games.iter().map(|game| sgf_line(&content.settings, game)).collect();
        let fail = |source| JournalError::Io { path: sgf_path.clone(), source };
        write_atomically(&sgf_path, text.as_bytes()).map_err(|e| fail(e.source))?;
        let sgf = append_to(&sgf_path).map_err(fail)?;
        Ok(Self { lines, sgf, sgf_path, content })
    }

    /// The games so far, in the order in which they ended.
    #[must_use]
    pub fn games(&self) -> &[PlayedGame] {
        &self.content.games
    }

    /// Notes what the players say of themselves, unless they said the same last time.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn introduce(&mut self, introduction: Introduction) -> Result<(), JournalError> {
        if self.content.introduction.as_ref() != Some(&introduction) {
            self.lines.write(&IntroductionLine { introduction: introduction.clone() })?;
            self.content.introduction = Some(introduction);
        }
        Ok(())
    }

    /// Appends a finished game to both files.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn append(&mut self, game: PlayedGame) -> Result<(), JournalError> {
        self.lines.write(&game)?;
        self.sgf
            .write_all(sgf_line(&self.content.settings, &game).as_bytes())
            .map_err(|source| JournalError::Io { path: self.sgf_path.clone(), source })?;
        self.content.games.push(game);
        Ok(())
    }
}

impl JournalContent {
    /// Whether it is a journal of these settings; `path` is for the message.
    ///
    /// # Errors
    /// Names the first difference.
    pub fn check(&self, path: &Path, settings: &Match) -> Result<(), JournalError> {
        match settings.difference(&self.settings) {
            Some(difference) => {
                let (path, what) = (path.to_owned(), FORMAT.what);
                Err(JournalError::Other { path, what, difference })
            }
            None => Ok(()),
        }
    }
}

/// Reads a journal.
///
/// # Errors
/// The file cannot be read, or a line is not what it should be.
pub fn read_journal(path: &Path) -> Result<JournalContent, JournalError> {
    read(&Lines::read(path)?)
}

fn read(lines: &Lines) -> Result<JournalContent, JournalError> {
    let settings = lines.settings(FORMAT)?;
    let mut introduction = None;
    let mut games: Vec<PlayedGame> = Vec::new();
    for (number, line) in lines.results() {
        if let Ok(line) = serde_json::from_slice::<IntroductionLine>(line) {
            introduction = Some(line.introduction);
            continue;
        }
        let game: PlayedGame = serde_json::from_slice(line)
            .map_err(|e| lines.broken(number, format!("no game: {e}")))?;
        if games.iter().any(|other| other.number == game.number) {
            return Err(lines.broken(number, format!("game {} is there twice", game.number)));
        }
        games.push(game);
    }
    Ok(JournalContent { settings, introduction, games })
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
