//! Commands about the game in progress, whichever it is.

use kosumi_record::{Colour, GameRecord, GameTree, MOST_SGF_BYTES, read_whole};

use super::arguments::Arguments;
use super::{Answer, Refusal, Session, done, shorten, text};
use crate::error::EngineError;
use crate::player::Goal;

pub(super) fn boardsize(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    arguments.at_most(2)?;
    let unacceptable = |why: String| Refusal::new(format!("unacceptable size: {why}"));
    let size = match arguments.number::<usize>(0) {
        Ok(size) => size,
        Err(_) if arguments.get(0).is_some_and(is_whole) => {
            return Err(unacceptable("no board is that large".to_string()));
        }
        Err(refusal) => return Err(refusal),
    };
    if arguments.len() == 2 && arguments.number::<usize>(1)? != size {
        return Err(unacceptable("only square boards are supported".to_string()));
    }
    match session.engine.set_size(size) {
        Ok(()) => done(),
        Err(error @ EngineError::Size { .. }) => Err(unacceptable(error.to_string())),
        Err(error) => Err(error.into()),
    }
}

/// What Sabaki sends for every board if it is offered.
pub(super) fn rectangular_boardsize(
    session: &mut Session<'_>,
    arguments: &Arguments<'_>,
) -> Answer {
    arguments.word(1)?;
    boardsize(session, arguments)
}

fn is_whole(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

pub(super) fn clear_board(session: &mut Session<'_>, _: &Arguments<'_>) -> Answer {
    session.engine.clear()?;
    done()
}

pub(super) fn play(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    // GUIs of Hex and Go tell of a resignation like of a move.
    arguments.at_most(2)?;
    let (colour, mv) = (arguments.colour(0)?, arguments.word(1)?);
    if !mv.eq_ignore_ascii_case("resign") {
        session.engine.play(colour, mv)?;
    }
    done()
}

pub(super) fn undo(session: &mut Session<'_>, _: &Arguments<'_>) -> Answer {
    session.engine.undo()?;
    done()
}

pub(super) fn gg_undo(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    arguments.at_most(1)?;
    let count: usize = if arguments.is_empty() { 1 } else { arguments.number(0)? };
    if count > session.engine.moves().len() {
        return Err(EngineError::NothingToUndo.into());
    }
    for _ in 0..count {
        session.engine.undo()?;
    }
    done()
}

pub(super) fn genmove(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    arguments.at_most(1)?;
    let colour = arguments.colour(0)?;
    let mv = session.generate(colour, Goal::Win, true)?;
    text(mv)
}

pub(super) fn reg_genmove(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    arguments.at_most(1)?;
    let colour = arguments.colour(0)?;
    let mv = session.generate(colour, Goal::Win, false)?;
    text(mv)
}

impl Session<'_> {
    /// Thinks about a move, and plays it if `play` says so.
    pub(super) fn generate(
        &mut self,
        colour: Colour,
        goal: Goal,
        play: bool,
    ) -> Result<String, Refusal> {
        let mut pending = self.engine.begin(colour, goal)?;
        self.watch(&pending);
        let decision = self.engine.decide(&mut pending)?;
        if play {
            self.engine.commit(&pending, &decision)?;
        }
        Ok(decision.mv)
    }
}

pub(super) fn showboard(session: &mut Session<'_>, _: &Arguments<'_>) -> Answer {
    // The diagram starts on a line of its own.
    let board = session.engine.show();
    session.open()?;
    for line in board.lines().filter(|line| !line.trim().is_empty()) {
        session.write_line(line)?;
    }
    Ok(super::Reply::Streamed)
}

pub(super) fn loadsgf(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    arguments.at_most(2)?;
    let path = arguments.word(0)?;
    let up_to = match arguments.get(1) {
        None => None,
        Some(_) => Some(arguments.number::<usize>(1)?),
    };
    let shown = shorten(path);
    let cannot = |why: String| Refusal::new(format!("cannot load file {shown}: {why}"));
    let bytes = read_whole(path, MOST_SGF_BYTES).map_err(|error| cannot(error.to_string()))?;
    let tree = GameTree::parse(&bytes).map_err(|error| cannot(error.to_string()))?;
    let record = GameRecord::from_tree(&tree).map_err(|error| cannot(error.to_string()))?;
    session.engine.load(&record, up_to).map_err(|error| cannot(error.to_string()))?;
    text(session.engine.to_move().to_string())
}

pub(super) fn printsgf(session: &mut Session<'_>, _: &Arguments<'_>) -> Answer {
    let record = session.engine.record()?;
    let tree = record.to_tree().map_err(EngineError::from)?;
    text(tree.to_string())
}

pub(super) fn final_score(session: &mut Session<'_>, _: &Arguments<'_>) -> Answer {
    match session.engine.final_score() {
        Some(result) => text(result.to_string()),
        None => Err(Refusal::new("cannot score: the game is not over")),
    }
}

pub(super) fn all_legal(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    arguments.at_most(1)?;
    let colour = arguments.colour(0)?;
    let moves = session.engine.legal_moves_of(colour);
    let points = moves.iter().filter(|mv| *mv != "pass");
    text(points.cloned().collect::<Vec<_>>().join(" "))
}

pub(super) fn list_stones(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    arguments.at_most(1)?;
    let colour = arguments.colour(0)?;
    let stones = session.engine.stones().into_iter();
    let stones = stones.filter(|(owner, _)| *owner == colour);
    text(stones.map(|(_, point)| point).collect::<Vec<_>>().join(" "))
}
