//! One game of a match, from the first command to the record.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use kosumi_game::Player as Seat;
use kosumi_record::{Colour, GameResult, Victory};
use serde::{Deserialize, Serialize};

use crate::arbiter::{Arbiter, Rulebook};
use crate::gtp_client::{Farewell, GtpError};
use crate::player::{Answer, Player, Seated, gtp_colour};
use crate::referee;

/// The two sides of a match; colours alternate, sides stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The side whose score is told.
    A,
    /// The other one.
    B,
}

impl Side {
    /// Both sides.
    pub const BOTH: [Side; 2] = [Side::A, Side::B];

    /// The other side.
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::A => Side::B,
            Side::B => Side::A,
        }
    }

    /// 0 or 1, for tables per side.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Ending {
    /// By the rules.
    Normal,
    /// The loser resigned.
    Resign,
    /// The loser's flag fell.
    Time,
    /// The loser did not answer.
    Hang,
    /// The loser's program ended.
    Crash,
    /// The loser's program closed its pipe.
    ClosedPipe,
    /// The loser's program wrote without end.
    Flood,
    /// The loser answered a move that the rules forbid, or none at all.
    Illegal,
    /// The loser refused a legal move or command.
    Refused,
    /// The game was too long and was scored as it stood.
    Length,
}

impl Ending {
    /// Its name in records and reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Resign => "resign",
            Self::Time => "time",
            Self::Hang => "hang",
            Self::Crash => "crash",
            Self::ClosedPipe => "closed-pipe",
            Self::Flood => "flood",
            Self::Illegal => "illegal",
            Self::Refused => "refused",
            Self::Length => "length",
        }
    }

    /// Whether a program, not a player, has failed.
    #[must_use]
    pub const fn is_failure(self) -> bool {
        !matches!(self, Self::Normal | Self::Resign | Self::Length)
    }

    fn of(error: &GtpError) -> Self {
        match error {
            GtpError::Refused { .. } | GtpError::BadCommand(_) => Self::Refused,
            GtpError::Hang { .. } => Self::Hang,
            GtpError::ClosedPipe { .. } => Self::ClosedPipe,
            GtpError::Flood { .. } => Self::Flood,
            GtpError::Start { .. } | GtpError::Crash { .. } => Self::Crash,
        }
    }
}

/// How a game of Go was counted after two passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum CountedBy {
    /// Both programs named the same dead stones.
    Agreement,
    /// They did not, played on until nothing dead was left, and the board counted.
    Cleanup,
    /// The referee's score.
    Referee,
    /// The board as it stood.
    Board,
}

impl CountedBy {
    /// Its name in records and reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Agreement => "agreement",
            Self::Cleanup => "cleanup",
            Self::Referee => "referee",
            Self::Board => "board",
        }
    }
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PlayedGame {
    /// The number of the game, from 1; games 1 and 2 are a pair, and so on.
    pub number: u32,
    /// The side that moved first.
    pub first: Side,
    /// Who won; `None` for a draw.
    pub winner: Option<Side>,
    /// Why it ended.
    pub ending: Ending,
    /// What went wrong, or nothing.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// The result as SGF writes it, by colours.
    pub result: String,
    /// Go after two passes: how it was counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counted_by: Option<CountedBy>,
    /// Go after two passes: the result of the board as it stood, where something else counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board_result: Option<String>,
    /// Why the referee did not count, so that the board as it stands did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub referee_failure: Option<String>,
    /// How many of the first moves are the opening.
    pub opening: usize,
    /// All moves, colour and text, e.g. `b D4`.
    pub moves: Vec<String>,
    /// What each side's program got for its seed, A first.
    pub seeds: [u32; 2],
    /// A's simulations a move, where the match fitted them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simulations: Option<u64>,
    /// CPU seconds of each side's program, A first; nothing where the system does not tell.
    pub cpu_seconds: [Option<f64>; 2],
    /// Seconds each side took for its turns, A first.
    pub seconds: [f64; 2],
    /// The most memory of each side's program in MB, A first.
    pub peak_mb: [Option<f64>; 2],
    /// The command line of each side's program, A first.
    pub commands: [String; 2],
    /// Name and version of each side's program, as it says, A first.
    pub versions: [String; 2],
}

impl PlayedGame {
    /// A game of which nothing matters but its number and its winner.
    #[cfg(test)]
    pub(crate) fn won_by(number: u32, winner: Option<Side>) -> Self {
        let nothing = || [String::new(), String::new()];
        Self {
            number,
            first: if number % 2 == 1 { Side::A } else { Side::B },
            winner,
            ending: Ending::Normal,
            detail: String::new(),
            result: String::new(),
            counted_by: None,
            board_result: None,
            referee_failure: None,
            opening: 0,
            moves: Vec::new(),
            seeds: [1, 2],
            simulations: None,
            cpu_seconds: [None; 2],
            seconds: [0.0; 2],
            peak_mb: [None; 2],
            commands: nothing(),
            versions: nothing(),
        }
    }

    /// The colours and texts of the moves.
    pub fn coloured_moves(&self) -> impl Iterator<Item = (Colour, &str)> {
        self.moves.iter().map(|mv| match mv.split_once(' ') {
            Some(("w", text)) => (Colour::White, text),
            Some((_, text)) => (Colour::Black, text),
            None => (Colour::Black, mv.as_str()),
        })
    }
}

/// What one game needs to be played.
pub(crate) struct Job<'a> {
    pub(crate) number: u32,
    pub(crate) rulebook: &'a Rulebook,
    pub(crate) players: &'a [Player; 2],
    pub(crate) kosumi: &'a Path,
    pub(crate) referee: Option<&'a [String]>,
    pub(crate) always_referee: bool,
    pub(crate) hang: Duration,
    pub(crate) opening: Vec<String>,
    pub(crate) seeds: [u32; 2],
    pub(crate) simulations: Option<u64>,
    pub(crate) versions: &'a [String; 2],
    /// Given up when this is set.
    pub(crate) stop: &'a AtomicBool,
}

/// How the game between the programs went.
struct Course {
    moves: Vec<(Colour, String)>,
    result: GameResult,
    winner: Option<Side>,
    ending: Ending,
    detail: String,
    counted_by: Option<CountedBy>,
    board_result: Option<String>,
    referee_failure: Option<String>,
}

impl Job<'_> {
    /// The side that moves first: A in games of odd number.
    fn first(&self) -> Side {
        if self.number % 2 == 1 { Side::A } else { Side::B }
    }

    fn side_of(&self, seat: Seat) -> Side {
        match seat {
            Seat::First => self.first(),
            Seat::Second => self.first().other(),
        }
    }

    /// Plays the game. Whatever the programs do, it ends with a record; `None` only if `stop` is
    /// set before the end.
    pub(crate) fn play(&self, start: Arbiter) -> Option<PlayedGame> {
        let mut seats = [None, None];
        let course = self.course(start, &mut seats)?;
        let thought = [0, 1].map(|i| seats[i].as_ref().map_or(0.0, |seat| seat.thought));
        let [a, b] = seats.map(|seat| seat.map(Seated::leave));
        let of = |farewell: &Option<Farewell>| farewell.as_ref().map(|f| f.usage);
        let usage = [of(&a), of(&b)];
        let letter = gtp_colour;
        let thousandth = |seconds: f64| (seconds * 1000.0).round() / 1000.0;
        Some(PlayedGame {
            number: self.number,
            first: self.first(),
            winner: course.winner,
            ending: course.ending,
            detail: course.detail,
            result: course.result.to_string(),
            counted_by: course.counted_by,
            board_result: course.board_result,
            referee_failure: course.referee_failure,
            opening: self.opening.len().min(course.moves.len()),
            moves: course
                .moves
                .iter()
                .map(|(colour, mv)| format!("{} {mv}", letter(*colour)))
                .collect(),
            seeds: self.seeds,
            simulations: self.simulations,
            cpu_seconds: usage.map(|u| u.and_then(|u| u.cpu_seconds).map(thousandth)),
            seconds: thought.map(thousandth),
            peak_mb: usage.map(|u| u.and_then(|u| u.peak_bytes).map(|b| (b >> 20) as f64)),
            commands: Side::BOTH.map(|side| {
                let i = side.index();
                let player = &self.players[i];
                let kosumi = Path::new("kosumi");
                player.command_line(kosumi, self.seeds[i]).join(" ")
            }),
            versions: self.versions.clone(),
        })
    }

    fn course(&self, mut arbiter: Arbiter, seats: &mut [Option<Seated>; 2]) -> Option<Course> {
        let mut moves: Vec<(Colour, String)> = Vec::new();
        // Whoever's program cannot even start has lost.
        for side in Side::BOTH {
            if let Err(error) = self.seat(side, &mut seats[side.index()]) {
                return Some(self.failed(side, &arbiter, moves, &error));
            }
        }
        for text in &self.opening {
            let (_, colour) = arbiter.to_move();
            // The opening was made by the same rules.
            let Ok(mv) = arbiter.play(text) else { break };
            let letter = gtp_colour(colour);
            for side in Side::BOTH {
                let told = match &mut seats[side.index()] {
                    Some(seat) => seat.tell(&format!("play {letter} {mv}")),
                    None => Ok(()),
                };
                if let Err(error) = told {
                    return Some(self.failed(side, &arbiter, moves, &error));
                }
            }
            moves.push((colour, mv));
        }
        let mut asking = "genmove";
        // How many of the moves both programs have heard of.
        let mut heard = moves.len();
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            if let Some(board) = arbiter.result() {
                if !arbiter.needs_scoring() {
                    return Some(self.ended(&arbiter, moves, board, Ending::Normal));
                }
                match self.settle(&arbiter, &moves, seats, asking) {
                    Ok(Settled::Counted(count)) => {
                        return Some(self.counted(&arbiter, moves, count));
                    }
                    Ok(Settled::PlayOn) => {
                        asking = CLEANUP;
                        heard = moves.len();
                        arbiter.reopen();
                    }
                    Err((side, error)) => return Some(self.failed(side, &arbiter, moves, &error)),
                }
            }
            if moves.len() >= self.rulebook.most_moves() {
                let standing = arbiter.standing();
                return Some(self.ended(&arbiter, moves, standing, Ending::Length));
            }
            let (player, colour) = arbiter.to_move();
            let side = self.side_of(player);
            // What the opponent has just played.
            let last = moves.get(heard..).and_then(<[_]>::last);
            let answer = match &mut seats[side.index()] {
                Some(seat) => seat.turn(asking, colour, last),
                None => {
                    return Some(self.lost(side, &arbiter, moves, Ending::Crash, String::new()));
                }
            };
            let text = match answer {
                Ok(Answer::Move(text)) => text,
                Ok(Answer::TimeOver) => {
                    return Some(self.lost(side, &arbiter, moves, Ending::Time, String::new()));
                }
                Err(error) => return Some(self.failed(side, &arbiter, moves, &error)),
            };
            let text = text.trim();
            if text.eq_ignore_ascii_case("resign") {
                return Some(self.lost(side, &arbiter, moves, Ending::Resign, String::new()));
            }
            match arbiter.play(text) {
                Ok(mv) => moves.push((colour, mv)),
                Err(why) => return Some(self.lost(side, &arbiter, moves, Ending::Illegal, why)),
            }
        }
    }

    fn seat(&self, side: Side, seat: &mut Option<Seated>) -> Result<(), GtpError> {
        let player = &self.players[side.index()];
        let seed = self.seeds[side.index()];
        let started = Seated::start(player, self.kosumi, seed, self.hang)?;
        // Seated before it is prepared, so that what it used is counted even if it fails.
        seat.insert(started).prepare(player, self.rulebook)
    }

    /// How a game of Go that two passes ended is counted.
    fn settle(
        &self,
        arbiter: &Arbiter,
        moves: &[(Colour, String)],
        seats: &mut [Option<Seated>; 2],
        asked: &str,
    ) -> Result<Settled, (Side, GtpError)> {
        let count = |result, by| Ok(Settled::Counted(Count { result, by, failure: None }));
        if asked == CLEANUP {
            return count(arbiter.standing(), CountedBy::Cleanup);
        }
        if !self.always_referee {
            let mut opinions = Vec::new();
            let mut can_clean_up = true;
            for side in Side::BOTH {
                let Some(seat) = &mut seats[side.index()] else { continue };
                // The side that passed first has not heard the second pass.
                let last = moves
                    .last()
                    .filter(|(colour, _)| self.side_of(seat_of(arbiter, *colour)) != side);
                let mut ask = || {
                    if let Some((colour, mv)) = last {
                        seat.tell(&format!("play {} {mv}", gtp_colour(*colour)))?;
                    }
                    Ok((seat.dead_stones()?, seat.knows(CLEANUP)?))
                };
                let (dead, cleans_up) = ask().map_err(|error| (side, error))?;
                opinions.push(dead);
                can_clean_up &= cleans_up;
            }
            if let [Some(ours), Some(theirs)] = &opinions[..]
                && ours == theirs
                && let Some(result) = arbiter.standing_without(ours)
            {
                return count(result, CountedBy::Agreement);
            }
            if can_clean_up {
                return Ok(Settled::PlayOn);
            }
        }
        let Some(command) = self.referee else {
            return count(arbiter.standing(), CountedBy::Board);
        };
        match referee::score(command, self.rulebook, moves) {
            Ok(result) => count(result, CountedBy::Referee),
            Err(error) => Ok(Settled::Counted(Count {
                result: arbiter.standing(),
                by: CountedBy::Board,
                failure: Some(error.to_string()),
            })),
        }
    }

    /// A game of Go that was counted.
    fn counted(&self, arbiter: &Arbiter, moves: Vec<(Colour, String)>, count: Count) -> Course {
        let mut course = self.ended(arbiter, moves, count.result, Ending::Normal);
        course.counted_by = Some(count.by);
        if matches!(count.by, CountedBy::Agreement | CountedBy::Referee) {
            course.board_result = Some(arbiter.standing().to_string());
        }
        course.referee_failure = count.failure;
        course
    }

    /// A game that the rules ended, or its length.
    fn ended(
        &self,
        arbiter: &Arbiter,
        moves: Vec<(Colour, String)>,
        result: GameResult,
        ending: Ending,
    ) -> Course {
        let winner = match &result {
            GameResult::Win { winner, .. } => Some(self.side_of(seat_of(arbiter, *winner))),
            _ => None,
        };
        Course {
            moves,
            result,
            winner,
            ending,
            detail: String::new(),
            counted_by: None,
            board_result: None,
            referee_failure: None,
        }
    }

    fn failed(
        &self,
        side: Side,
        arbiter: &Arbiter,
        moves: Vec<(Colour, String)>,
        error: &GtpError,
    ) -> Course {
        let ending = Ending::of(error);
        self.lost(side, arbiter, moves, ending, error.to_string())
    }

    /// A game that a side lost by what it did.
    fn lost(
        &self,
        side: Side,
        arbiter: &Arbiter,
        moves: Vec<(Colour, String)>,
        ending: Ending,
        detail: String,
    ) -> Course {
        let seat = if side == self.first() { Seat::First } else { Seat::Second };
        let by = match ending {
            Ending::Resign => Victory::Resignation,
            Ending::Time => Victory::Time,
            _ => Victory::Forfeit,
        };
        Course {
            moves,
            result: GameResult::win(arbiter.colour_of(seat.opponent()), by),
            winner: Some(side.other()),
            ending,
            detail,
            counted_by: None,
            board_result: None,
            referee_failure: None,
        }
    }
}

/// The command for moves that take dead stones off the board.
const CLEANUP: &str = "kgs-genmove_cleanup";

/// What becomes of a game of Go after two passes.
enum Settled {
    Counted(Count),
    /// The players go on until nothing dead is left.
    PlayOn,
}

struct Count {
    result: GameResult,
    by: CountedBy,
    /// Why the referee did not count.
    failure: Option<String>,
}

/// The person who holds a colour now.
fn seat_of(arbiter: &Arbiter, colour: Colour) -> Seat {
    if arbiter.colour_of(Seat::First) == colour { Seat::First } else { Seat::Second }
}
