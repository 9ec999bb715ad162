//! A game in progress in the terminal: what can be typed, and what is shown.

use kosumi_engine::{Analysis, Colour, Engine, EngineError, GameKind, GameResult, Goal, Victory};
use kosumi_record::write_atomically;

use super::{Seats, Terminal};
use crate::board;
use crate::interrupt;

const HELP: &str = "\
  a move      a point such as D4 or c3; in Go 'pass'; in Hex and Havannah 'swap' as second move
  undo        take back, to your own last move
  hint        what Kosumi would play, and what it expects then
  board       show the board again
  moves       the game so far
  score       Go: the score, with dead stones taken off
  resign      give up
  save FILE   write the game as SGF; 'save! FILE' replaces a file that exists
  new         start again
  help        this list
  quit        leave
Ctrl-C while Kosumi thinks makes it move at once.";

/// What to do after a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// Go on; show the board if it changed.
    Changed,
    Unchanged,
    Leave,
}

pub struct Session {
    engine: Engine,
    seats: Seats,
    /// Who has resigned, if anybody.
    resigned: Option<Colour>,
}

impl Session {
    pub fn new(engine: Engine, seats: Seats) -> Self {
        Self { engine, seats, resigned: None }
    }

    /// Plays until the player leaves or the input ends.
    pub fn run(mut self, terminal: &mut Terminal<'_>) -> anyhow::Result<()> {
        writeln!(terminal.output, "{}", self.greeting())?;
        let mut next = Next::Changed;
        while next != Next::Leave {
            if next == Next::Changed {
                writeln!(terminal.output, "\n{}\n", self.board())?;
                if let Some(result) = self.result() {
                    writeln!(terminal.output, "{}", self.verdict(result))?;
                }
            }
            let colour = self.engine.to_move();
            if self.result().is_none() && !self.seats.human(colour) {
                self.kosumi_moves(colour, terminal)?;
                next = Next::Changed;
                continue;
            }
            let Some(line) = terminal.read(&self.prompt(colour))? else {
                return Ok(());
            };
            interrupt::stay();
            next = self.obey(&line, terminal)?;
        }
        Ok(())
    }

    fn greeting(&self) -> String {
        let size = self.engine.size();
        let signs = match self.engine.game() {
            GameKind::Hex => "Black (X) joins top and bottom, White (O) left and right",
            GameKind::Havannah => {
                "a ring, a bridge between two corners or a fork between three sides wins; \
                 X is black, O is white"
            }
            GameKind::Go => "X is black, O is white",
        };
        let komi = match self.engine.komi() {
            Some(komi) => format!(", komi {komi}"),
            None => String::new(),
        };
        let name = self.engine.game().name();
        format!("{name}, size {size}{komi}: {signs}. 'help' lists what you can type.")
    }

    fn board(&self) -> String {
        let moves = self.engine.moves();
        let last = moves.last().map(|last| last.mv.as_str());
        let engine = &self.engine;
        board::draw(engine.game(), engine.size(), &engine.stones(), last)
    }

    fn prompt(&self, colour: Colour) -> String {
        if self.result().is_some() {
            return "undo, save FILE, new or quit> ".to_owned();
        }
        format!("{}, move {}> ", title(colour), self.engine.moves().len() + 1)
    }

    fn result(&self) -> Option<GameResult> {
        match self.resigned {
            Some(loser) => Some(GameResult::win(loser.opponent(), Victory::Resignation)),
            None => self.engine.result(),
        }
    }

    fn verdict(&mut self, result: GameResult) -> String {
        // In Go after two passes the dead stones come off first.
        let result = match self.resigned {
            None if self.engine.game() == GameKind::Go => {
                self.engine.final_score().unwrap_or(result)
            }
            _ => result,
        };
        match result {
            GameResult::Win { winner, by } => {
                let how = match by {
                    Victory::Points(points) => format!(" by {points} points"),
                    Victory::Resignation => " by resignation".to_owned(),
                    _ => String::new(),
                };
                format!("{} wins{how}.", title(winner))
            }
            _ => "The game is a draw.".to_owned(),
        }
    }

    fn kosumi_moves(&mut self, colour: Colour, terminal: &mut Terminal<'_>) -> anyhow::Result<()> {
        write!(terminal.output, "{} thinks ... ", title(colour))?;
        terminal.output.flush()?;
        let mut pending = self.engine.begin(colour, Goal::Win)?;
        if let Some(thinking) = pending.thinking() {
            interrupt::wait_for(thinking);
        }
        let decision = self.engine.decide(&mut pending)?;
        self.engine.commit(&pending, &decision)?;
        if decision.resigns() {
            self.resigned = Some(colour);
            writeln!(terminal.output, "Kosumi resigns.")?;
            return Ok(());
        }
        let facts = facts(&decision.analysis, &decision.mv);
        writeln!(terminal.output, "Kosumi plays {}{facts}", decision.mv)?;
        Ok(())
    }

    /// Does what a line of input says. What cannot be done is told and changes nothing.
    fn obey(&mut self, line: &str, terminal: &mut Terminal<'_>) -> anyhow::Result<Next> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let done = match word.to_ascii_lowercase().as_str() {
            "" => return Ok(Next::Unchanged),
            "quit" | "exit" | "q" => return Ok(Next::Leave),
            "help" | "?" => Ok(HELP.to_owned()),
            "board" | "show" => return Ok(Next::Changed),
            "moves" => Ok(self.moves()),
            "hint" => self.hint(),
            "score" => Ok(self.score()),
            "save" => return self.save(rest.trim(), false, terminal),
            "save!" => return self.save(rest.trim(), true, terminal),
            "undo" => match self.undo() {
                Ok(()) => return Ok(Next::Changed),
                Err(error) => Err(error),
            },
            "new" => {
                self.resigned = None;
                self.engine.clear()?;
                return Ok(Next::Changed);
            }
            "resign" if self.result().is_none() => {
                self.resigned = Some(self.engine.to_move());
                return Ok(Next::Changed);
            }
            _ if self.resigned.is_some() => Ok("The game is over.".to_owned()),
            _ => match self.engine.play(self.engine.to_move(), word) {
                Ok(()) => return Ok(Next::Changed),
                Err(error) => Err(error),
            },
        };
        match done {
            Ok(text) => writeln!(terminal.output, "{text}")?,
            Err(error) => writeln!(terminal.output, "{error}. Type 'help' for a list.")?,
        }
        Ok(Next::Unchanged)
    }

    fn moves(&self) -> String {
        let moves = self.engine.moves();
        if moves.is_empty() {
            return "No moves yet.".to_owned();
        }
        let texts = moves.iter().zip(1..).map(|(m, n)| format!("{n}. {}", m.mv));
        texts.collect::<Vec<_>>().join("  ")
    }

    fn hint(&mut self) -> Result<String, EngineError> {
        let colour = self.engine.to_move();
        let limits = self.engine.limits(colour);
        let thinking = self.engine.start(colour, limits)?;
        interrupt::wait_for(&*thinking);
        let analysis = thinking.analysis()?;
        Ok(match analysis.best() {
            Some(best) => {
                let line: Vec<&str> = best.line.iter().take(8).map(String::as_str).collect();
                let facts = facts(&analysis, &best.mv);
                format!("Kosumi would play {}{facts}: {}", best.mv, line.join(" "))
            }
            None => "Nothing comes to mind.".to_owned(),
        })
    }

    fn score(&mut self) -> String {
        match self.engine.final_score() {
            Some(result) => format!("As the board stands: {result}"),
            None => "The game is not decided.".to_owned(),
        }
    }

    /// Takes back a resignation, or moves until a person is to move again.
    fn undo(&mut self) -> Result<(), EngineError> {
        if self.resigned.take().is_some() && self.seats.human(self.engine.to_move()) {
            return Ok(());
        }
        self.engine.undo()?;
        while !self.seats.human(self.engine.to_move()) && !self.engine.moves().is_empty() {
            self.engine.undo()?;
        }
        Ok(())
    }

    fn save(
        &mut self,
        path: &str,
        replaces: bool,
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<Next> {
        if path.is_empty() {
            writeln!(terminal.output, "Where to? Type e.g. 'save game.sgf'.")?;
            return Ok(Next::Unchanged);
        }
        if !replaces && std::fs::symlink_metadata(path).is_ok() {
            writeln!(
                terminal.output,
                "{path} exists already. Type 'save! {path}' to replace it, or another name."
            )?;
            return Ok(Next::Unchanged);
        }
        let mut record = self.engine.record()?;
        let name = |colour| {
            let human = self.seats.human(colour);
            Some(if human { "Human" } else { "Kosumi" }.to_owned())
        };
        record.info.black.name = name(Colour::Black);
        record.info.white.name = name(Colour::White);
        record.info.application = Some(concat!("Kosumi:", env!("CARGO_PKG_VERSION")).to_owned());
        record.info.result = self.result();
        let text = format!("{}\n", record.to_tree()?);
        match write_atomically(path, text.as_bytes()) {
            Ok(()) => writeln!(terminal.output, "Saved to {path}.")?,
            Err(error) => writeln!(terminal.output, "{error}")?,
        }
        Ok(Next::Unchanged)
    }
}

fn title(colour: Colour) -> &'static str {
    match colour {
        Colour::Black => "Black",
        Colour::White => "White",
    }
}

/// Win rate and effort of a move, in brackets; nothing where nothing was searched.
fn facts(analysis: &Analysis, mv: &str) -> String {
    let found = analysis.moves.iter().find(|m| m.mv.eq_ignore_ascii_case(mv));
    match found {
        Some(found) if found.visits > 0 => format!(
            " (win rate {:.0} % for {}, {} simulations in {:.1} s)",
            100.0 * found.value,
            title(analysis.to_move),
            analysis.simulations,
            analysis.seconds
        ),
        _ => String::new(),
    }
}
