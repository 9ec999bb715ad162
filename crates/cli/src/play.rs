//! `kosumi play`: a game in the terminal.

mod session;

use std::io::{BufRead, Write};

use clap::Args;
use kosumi_engine::{Colour, Engine, GameKind, default_size, parse_game, size_range};

use crate::engine_args::{EngineArgs, cores, game};
use crate::failure::usage;
use crate::interrupt;
use session::Session;

/// Plays with you in the terminal
///
/// What you do not say it asks. In the game, 'help' lists what you can type: moves, undo, hint,
/// save, resign and more.
#[derive(Args, Default)]
#[command(after_help = "\
Examples:
  kosumi play                                          asks for game, board and colour
  kosumi play --game go --size 9 --colour black --time 5
  kosumi play --game hex --size 11 --colour white --preset light
  kosumi play --game havannah --size 5 --colour both   for two people; 'hint' helps")]
pub struct Arguments {
    /// go, hex or havannah
    #[arg(short, long, value_name = "GAME", value_parser = game)]
    game: Option<GameKind>,
    /// Your colour: black, white, both or none
    #[arg(long, value_name = "COLOUR", alias = "color")]
    colour: Option<Seats>,
    /// Komi, in Go
    #[arg(long, value_name = "POINTS", allow_negative_numbers = true)]
    komi: Option<String>,
    #[command(flatten)]
    engine: EngineArgs,
}

/// Who sits at the keyboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Seats {
    /// You are black.
    Black,
    /// You are white.
    White,
    /// People play both colours.
    Both,
    /// Kosumi plays both colours.
    None,
}

impl Seats {
    /// Whether a person plays the colour.
    pub fn human(self, colour: Colour) -> bool {
        match self {
            Self::Black => colour == Colour::Black,
            Self::White => colour == Colour::White,
            Self::Both => true,
            Self::None => false,
        }
    }
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut terminal =
        Terminal { input: &mut std::io::stdin().lock(), output: &mut std::io::stdout().lock() };
    match prepare(arguments, &mut terminal)? {
        Some((engine, seats)) => {
            interrupt::interrupt_thinking();
            Session::new(engine, seats).run(&mut terminal)
        }
        // The input ended before the game began.
        None => Ok(()),
    }
}

/// Where the player reads and writes.
pub struct Terminal<'a> {
    pub input: &'a mut dyn BufRead,
    pub output: &'a mut dyn Write,
}

impl Terminal<'_> {
    /// A line of input without blanks at its ends, after a prompt; `None` at the end of the input.
    pub fn read(&mut self, prompt: &str) -> std::io::Result<Option<String>> {
        write!(self.output, "{prompt}")?;
        self.output.flush()?;
        let mut line = Vec::new();
        if self.input.read_until(b'\n', &mut line)? == 0 {
            writeln!(self.output)?;
            return Ok(None);
        }
        Ok(Some(String::from_utf8_lossy(&line).trim().to_owned()))
    }

    /// Asks until the answer can be read; nothing typed means `default`.
    fn ask<T, E: std::fmt::Display>(
        &mut self,
        question: &str,
        default: &str,
        read: impl Fn(&str) -> Result<T, E>,
    ) -> std::io::Result<Option<T>> {
        loop {
            let Some(answer) = self.read(&format!("{question} [{default}]: "))? else {
                return Ok(None);
            };
            let answer = if answer.is_empty() { default } else { &answer };
            match read(answer) {
                Ok(value) => return Ok(Some(value)),
                Err(error) => writeln!(self.output, "{error}")?,
            }
        }
    }
}

/// Asks for what was not said; `None` if the input ends.
fn prepare(
    arguments: &Arguments,
    terminal: &mut Terminal<'_>,
) -> anyhow::Result<Option<(Engine, Seats)>> {
    let asks = arguments.game.is_none();
    let game = match arguments.game {
        Some(game) => Some(game),
        None => terminal.ask("Game: go, hex or havannah", "go", parse_game)?,
    };
    let Some(game) = game else { return Ok(None) };
    let mut options = arguments.engine.options(game);
    // Nobody else needs the machine while a person waits for a move.
    options.usual_threads = Some(cores());
    if asks && options.size.is_none() {
        options.size = ask_size(game, terminal)?;
        if options.size.is_none() {
            return Ok(None);
        }
    }
    let first = game.first_colour();
    let seats = match arguments.colour {
        Some(seats) => Some(seats),
        None if asks => {
            let question = format!("Your colour: black, white, both or none ({first} begins)");
            let read = |text: &str| <Seats as clap::ValueEnum>::from_str(text, true);
            terminal.ask(&question, &first.to_string(), read)?
        }
        None if first == Colour::Black => Some(Seats::Black),
        None => Some(Seats::White),
    };
    let Some(seats) = seats else { return Ok(None) };
    let mut engine = Engine::new(&options).map_err(usage)?;
    if let Some(komi) = &arguments.komi {
        engine.set_komi(komi).map_err(usage)?;
    }
    Ok(Some((engine, seats)))
}

fn ask_size(game: GameKind, terminal: &mut Terminal<'_>) -> std::io::Result<Option<usize>> {
    let (min, max) = size_range(game);
    // A first game is better short.
    let default = match game {
        GameKind::Go => 9,
        GameKind::Havannah => 5,
        GameKind::Hex => default_size(game),
    };
    let read = |text: &str| match text.parse() {
        Ok(size) if (min..=max).contains(&size) => Ok(size),
        _ => Err(format!("A number from {min} to {max}, please.")),
    };
    let question = format!("Board size, {min} to {max}");
    terminal.ask(&question, &default.to_string(), read)
}
