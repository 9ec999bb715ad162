//! A player of a match: a program, how it is started and prepared, and how long it may think.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use kosumi_record::{Colour, GameKind};
use serde::{Deserialize, Serialize};

use crate::arbiter::Rulebook;
use crate::clock::{Clock, Overtime, TimeControl};
use crate::gtp_client::{Farewell, GtpClient, GtpError};

/// Stands in a command line for the file of Kosumi itself, wherever it lies on this machine.
pub const KOSUMI: &str = "{kosumi}";
/// Stands in a command line for the seed of the game.
pub const SEED: &str = "{seed}";
/// Stands in the command line of player A for the simulations of the game, where the match fits them.
pub const SIMULATIONS: &str = "{sims}";

/// A program that plays, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Player {
    /// What reports call it.
    pub name: String,
    /// The program's file and its arguments, in which [`KOSUMI`], [`SEED`] and [`SIMULATIONS`] are
    /// replaced.
    pub command: Vec<String>,
    /// GTP commands to send before each game, after board, komi and time.
    pub setup: Vec<String>,
    /// How long it may think.
    pub limit: Limit,
    /// What its clock measures.
    #[serde(default)]
    pub timing: Timing,
}

/// What a clock measures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Timing {
    /// The time on the wall.
    #[default]
    Wall,
    /// The CPU time of the program, all its threads together; the wall where the system does not
    /// tell. The program has to measure it so, too: what it is told is the time left on its clock.
    Cpu,
}

/// How long a player may think, as far as the match says it over GTP.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Limit {
    /// The command line or the set-up commands say it.
    Own,
    /// Seconds a move, told to the program by `time_settings` and not enforced.
    Seconds(f64),
    /// A clock, enforced by the match.
    Clock(TimeControl),
}

impl Player {
    /// A program with its arguments.
    #[must_use]
    pub fn new(name: impl Into<String>, command: Vec<String>) -> Self {
        Self {
            name: name.into(),
            command,
            setup: Vec::new(),
            limit: Limit::Own,
            timing: Timing::Wall,
        }
    }

    /// A program with its arguments, named after its file.
    #[must_use]
    pub fn program(command: Vec<String>) -> Self {
        let name = command.first().map_or("", |file| file_name(file)).to_owned();
        Self::new(name, command)
    }

    /// The player with a number of simulations put into its command.
    pub(crate) fn with_simulations(&self, simulations: u64) -> Self {
        let fill = |word: &String| word.replace(SIMULATIONS, &simulations.to_string());
        Self { command: self.command.iter().map(fill).collect(), ..self.clone() }
    }

    /// The command line with the file of Kosumi and the seed put in.
    pub(crate) fn command_line(&self, kosumi: &Path, seed: u32) -> Vec<String> {
        let (kosumi, seed) = (kosumi.to_string_lossy(), seed.to_string());
        let fill = |word: &String| word.replace(KOSUMI, &kosumi).replace(SEED, &seed);
        self.command.iter().map(fill).collect()
    }
}

/// The last part of a path.
pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Splits a command line at blanks, except within `'…'` or `"…"`; a backslash takes the next
/// character as it is, but not within `'…'`.
///
/// # Errors
/// A quotation that does not end, or nothing at all.
pub fn split_command(line: &str) -> Result<Vec<String>, InvalidCommand> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            ('\\', None | Some('"')) => {
                let next = chars.next().ok_or(InvalidCommand::Backslash)?;
                word.get_or_insert_default().push(next);
            }
            (c, Some(_)) => word.get_or_insert_default().push(c),
            ('\'' | '"', None) => {
                quote = Some(c);
                // An empty quotation is an empty word.
                word.get_or_insert_default();
            }
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, None) => word.get_or_insert_default().push(c),
        }
    }
    if let Some(quote) = quote {
        return Err(InvalidCommand::Quotation(quote));
    }
    words.extend(word);
    if words.is_empty() {
        return Err(InvalidCommand::Empty);
    }
    Ok(words)
}

/// A command line that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidCommand {
    /// A quotation mark is never closed.
    #[error("the command line has no closing {0}")]
    Quotation(char),
    /// Nothing follows a backslash.
    #[error("the command line ends with a backslash")]
    Backslash,
    /// Nothing there.
    #[error("the command line is empty; give a program, e.g. \"gnugo --mode gtp\"")]
    Empty,
}

/// How long a program may take for commands that do not think.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A player at the board: its program runs and its clock, if any, ticks.
pub(crate) struct Seated {
    client: GtpClient,
    clock: Option<Clock>,
    timing: Timing,
    /// Past this time for one move the program hangs.
    hang: Duration,
    /// Whether the program refuses fractions of seconds.
    whole_seconds: bool,
    /// Seconds spent on its turns.
    pub(crate) thought: f64,
}

/// What a player's turn came to.
pub(crate) enum Answer {
    /// The answer of `genmove`.
    Move(String),
    /// The flag fell.
    TimeOver,
}

/// The name of a colour in GTP.
pub(crate) fn gtp_colour(colour: Colour) -> &'static str {
    match colour {
        Colour::Black => "b",
        Colour::White => "w",
    }
}

impl Seated {
    /// Starts a player's program.
    pub(crate) fn start(
        player: &Player,
        kosumi: &Path,
        seed: u32,
        hang: Duration,
    ) -> Result<Self, GtpError> {
        let client = GtpClient::start(&player.command_line(kosumi, seed), true)?;
        Ok(Self {
            client,
            clock: match player.limit {
                Limit::Clock(control) => Some(Clock::new(control)),
                _ => None,
            },
            timing: player.timing,
            hang,
            whole_seconds: false,
            thought: 0.0,
        })
    }

    /// The program's name and version, as it says.
    pub(crate) fn identity(&mut self) -> Result<String, GtpError> {
        let mut say = |command| match self.client.send(command, PATIENCE) {
            Err(GtpError::Refused { .. }) => Ok("?".to_owned()),
            answer => answer,
        };
        let (name, version) = (say("name")?, say("version")?);
        Ok(crate::gtp_client::excerpt(&format!("{name} {version}")))
    }

    /// All parameters as they are in force, if the program is a Kosumi.
    pub(crate) fn parameters(&mut self) -> Result<Option<Vec<String>>, GtpError> {
        match self.client.send("kosumi-param", PATIENCE) {
            Ok(list) => Ok(Some(list.lines().map(|line| line.trim().to_owned()).collect())),
            Err(GtpError::Refused { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The learned weights in use, if the program is a Kosumi that uses any.
    pub(crate) fn weights(&mut self) -> Result<Option<String>, GtpError> {
        match self.client.send("kosumi-weights", PATIENCE) {
            Ok(answer) => Ok((answer != "none").then_some(answer)),
            Err(GtpError::Refused { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Prepares the program for a game.
    pub(crate) fn prepare(&mut self, player: &Player, rulebook: &Rulebook) -> Result<(), GtpError> {
        self.tell(&format!("boardsize {}", rulebook.size))?;
        self.tell("clear_board")?;
        if rulebook.kind().is_ok_and(|kind| kind == GameKind::Go) {
            self.tell(&format!("komi {}", rulebook.komi))?;
        }
        match player.limit {
            Limit::Own => {}
            Limit::Seconds(seconds) => self.tell(&format!("time_settings 0 {seconds} 1"))?,
            Limit::Clock(control) => self.set_clock(control)?,
        }
        for command in &player.setup {
            self.tell(command)?;
        }
        Ok(())
    }

    fn set_clock(&mut self, control: TimeControl) -> Result<(), GtpError> {
        let main = control.main;
        let special = match control.overtime {
            Overtime::ByoYomi { periods, period } => {
                Some(("kgs-time_settings", format!("byoyomi {main} {period} {periods}")))
            }
            Overtime::Fischer { increment } => {
                Some(("kata-time_settings", format!("fischer {main} {increment}")))
            }
            _ => None,
        };
        if let Some((command, arguments)) = special
            && self.client.knows(command, PATIENCE)?
        {
            return self.tell(&format!("{command} {arguments}"));
        }
        // What plain GTP can say: one move a period is what every period is good for at least, and
        // an increment shows in `time_left`.
        let (period, moves) = match control.overtime {
            Overtime::None | Overtime::Fischer { .. } => (0.0, 0),
            Overtime::ByoYomi { period, .. } => (period, 1),
            Overtime::Canadian { period, moves } => (period, moves),
        };
        self.tell(&format!("time_settings {main} {period} {moves}"))
    }

    /// Sends a command that must succeed.
    pub(crate) fn tell(&mut self, command: &str) -> Result<(), GtpError> {
        self.ask(command, PATIENCE).map(drop)
    }

    /// Sends a command and gives its answer.
    pub(crate) fn ask(&mut self, command: &str, patience: Duration) -> Result<String, GtpError> {
        self.client.send(command, patience)
    }

    /// Whether the program knows a command.
    pub(crate) fn knows(&mut self, command: &str) -> Result<bool, GtpError> {
        self.client.knows(command, PATIENCE)
    }

    /// The stones that the program takes for dead; `None` if it has no opinion.
    pub(crate) fn dead_stones(&mut self) -> Result<Option<BTreeSet<String>>, GtpError> {
        match self.client.send("final_status_list dead", self.hang) {
            Ok(list) => Ok(Some(list.split_whitespace().map(str::to_ascii_uppercase).collect())),
            Err(GtpError::Refused { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The player's turn: hears the opponent's last move and answers with its own. Both are on its
    /// clock, as on a server.
    pub(crate) fn turn(
        &mut self,
        asking: &str,
        colour: Colour,
        last: Option<&(Colour, String)>,
    ) -> Result<Answer, GtpError> {
        let start = Instant::now();
        let cpu_before = self.cpu_seconds();
        let letter = gtp_colour(colour);
        if let Some((opponent, mv)) = last {
            self.tell(&format!("play {} {mv}", gtp_colour(*opponent)))?;
        }
        let mut patience = self.hang;
        if let Some(clock) = &self.clock {
            let (left, count) = clock.left();
            // A little longer than the flag, so that a late answer is late and not a hang. A CPU clock may stand still while the program waits: only a hang ends that.
            if self.timing == Timing::Wall {
                patience = Duration::from_secs_f64(clock.most() + 5.0).min(self.hang);
            }
            self.tell_time_left(letter, left, count)?;
        }
        let answer = self.client.send(&format!("{asking} {letter}"), patience);
        let used = cpu_before.zip(self.cpu_seconds()).map(|(before, after)| after - before);
        let seconds = used.unwrap_or_else(|| start.elapsed().as_secs_f64());
        self.thought += seconds;
        if let Some(clock) = &mut self.clock
            && clock.spend(seconds).is_err()
            && matches!(answer, Ok(_) | Err(GtpError::Hang { .. }))
        {
            return Ok(Answer::TimeOver);
        }
        answer.map(Answer::Move)
    }

    /// The program's CPU time so far, if that is what its clock measures.
    fn cpu_seconds(&self) -> Option<f64> {
        (self.timing == Timing::Cpu).then(|| self.client.cpu_seconds()).flatten()
    }

    /// GTP counts whole seconds, but many programs read fractions, which help in fast games. To
    /// round up would promise time that is not there; a program that refuses both plays without.
    fn tell_time_left(&mut self, letter: &str, left: f64, count: u32) -> Result<(), GtpError> {
        if !self.whole_seconds {
            let left = (left * 100.0).floor() / 100.0;
            match self.tell(&format!("time_left {letter} {left:.2} {count}")) {
                Err(GtpError::Refused { .. }) => self.whole_seconds = true,
                result => return result,
            }
        }
        match self.tell(&format!("time_left {letter} {} {count}", left.floor())) {
            Err(GtpError::Refused { .. }) => Ok(()),
            result => result,
        }
    }

    /// Ends the program.
    pub(crate) fn leave(self) -> Farewell {
        self.client.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_split_as_in_a_shell() {
        let split = |line| split_command(line).unwrap();
        assert_eq!(split(" gnugo  --mode gtp "), ["gnugo", "--mode", "gtp"]);
        assert_eq!(split(r#"sh -c 'a "b" \c'"#), ["sh", "-c", r#"a "b" \c"#]);
        assert_eq!(split(r#"a\ b "c \"d" e'f'g """#), ["a b", "c \"d", "efg", ""]);
        assert_eq!(split_command("a 'b"), Err(InvalidCommand::Quotation('\'')));
        assert_eq!(split_command("a \\"), Err(InvalidCommand::Backslash));
        assert_eq!(split_command("  "), Err(InvalidCommand::Empty));
    }

    #[test]
    fn seed_and_file_are_filled_in() {
        let command = vec![KOSUMI.to_owned(), "gtp".to_owned(), format!("--seed={SEED}")];
        let line = Player::new("x", command).command_line(Path::new("/k"), 7);
        assert_eq!(line, ["/k", "gtp", "--seed=7"]);
    }
}
