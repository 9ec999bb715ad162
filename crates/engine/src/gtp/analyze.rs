//! Analysis while it runs: `lz-analyze`, `kata-analyze` and the commands that think aloud.
//!
//! Win rates are those of the player to move.

use std::time::{Duration, Instant};

use kosumi_record::{Colour, GameKind};
use serde_json::json;

use super::arguments::{Arguments, colour};
use super::{Answer, Refusal, Reply, Session};
use crate::analysis::{Analysis, MoveAnalysis, MoveRestriction, Thinking};
use crate::engine::Pending;
use crate::player::Goal;
use kosumi_search::Limits;

/// How an analysis is written.
#[derive(Clone, Copy, PartialEq)]
enum Style {
    /// Win rates as integers x 10000.
    LeelaZero,
    /// Win rates from 0 to 1.
    KataGo,
}

struct Wishes {
    colour: Colour,
    interval: Duration,
    most_moves: usize,
    ownership: bool,
    restrictions: Vec<MoveRestriction>,
}

/// Reports come at most this often.
const SHORTEST_INTERVAL: Duration = Duration::from_millis(10);

impl Wishes {
    fn read(session: &Session<'_>, arguments: &Arguments<'_>) -> Result<Self, Refusal> {
        let mut wishes = Self {
            colour: session.engine.to_move(),
            interval: Duration::from_millis(500),
            most_moves: usize::MAX,
            ownership: false,
            restrictions: Vec::new(),
        };
        let centiseconds = |place: usize| -> Result<Duration, Refusal> {
            let seconds = arguments.seconds(place)?.min(360_000.0) / 100.0;
            Ok(Duration::from_secs_f64(seconds).max(SHORTEST_INTERVAL))
        };
        let mut place = 0;
        while let Some(word) = arguments.get(place) {
            if let Some(colour) = colour(word) {
                wishes.colour = colour;
                place += 1;
                continue;
            }
            if word.parse::<f64>().is_ok() {
                wishes.interval = centiseconds(place)?;
                place += 1;
                continue;
            }
            let value = place + 1;
            place += 2;
            match word {
                "interval" => wishes.interval = centiseconds(value)?,
                "maxmoves" => wishes.most_moves = arguments.number::<usize>(value)?.max(1),
                "minmoves" => {
                    arguments.number::<usize>(value)?;
                }
                "ownership" => {
                    wishes.ownership = arguments.word(value)?.eq_ignore_ascii_case("true")
                }
                "movesOwnership"
                | "pvVisits"
                | "rootInfo"
                | "pvEdgeVisits"
                | "ownershipStdev"
                | "movesOwnershipStdev" => {
                    arguments.word(value)?;
                }
                // A colour, moves with commas between them, and the depth until which it holds.
                "avoid" | "allow" => {
                    place = value + 3;
                    wishes.restrictions.push(MoveRestriction {
                        colour: arguments.colour(value)?,
                        moves: arguments.word(value + 1)?.split(',').map(str::to_owned).collect(),
                        only: word == "allow",
                        until: arguments.number::<u16>(value + 2)?,
                    });
                }
                _ => return arguments.refuse(format!("'{}' is not known", super::shorten(word))),
            }
        }
        Ok(wishes)
    }
}

pub(super) fn lz_analyze(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    analyze(session, arguments, Style::LeelaZero)
}

pub(super) fn kata_analyze(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    analyze(session, arguments, Style::KataGo)
}

fn analyze(session: &mut Session<'_>, arguments: &Arguments<'_>, style: Style) -> Answer {
    let wishes = Wishes::read(session, arguments)?;
    let ownership = session.ownership(&wishes);
    let limits = Limits::infinite();
    let thinking = session.engine.start_with(wishes.colour, limits, &wishes.restrictions)?;
    session.open()?;
    while !session.inbox.wait(wishes.interval) && thinking.is_running() {
        session.report(&*thinking, &wishes, style, &ownership)?;
    }
    thinking.stop();
    thinking.wait();
    session.engine.halt()?;
    Ok(Reply::Streamed)
}

pub(super) fn lz_genmove_analyze(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    genmove_analyze(session, arguments, Style::LeelaZero)
}

pub(super) fn kata_genmove_analyze(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    genmove_analyze(session, arguments, Style::KataGo)
}

fn genmove_analyze(session: &mut Session<'_>, arguments: &Arguments<'_>, style: Style) -> Answer {
    let wishes = Wishes::read(session, arguments)?;
    if !wishes.restrictions.is_empty() {
        return Err(Refusal::new("'avoid' and 'allow' are for analysis, not for generating moves"));
    }
    let ownership = session.ownership(&wishes);
    let mut pending = session.engine.begin(wishes.colour, Goal::Win)?;
    session.open()?;
    if let Some(thinking) = pending.thinking() {
        // Input does not interrupt a move; waiting for the search wakes us when it is done.
        while !thinking.wait_for(wishes.interval) {
            session.report(thinking, &wishes, style, &ownership)?;
        }
    }
    let decision = session.engine.decide(&mut pending)?;
    if let Some(line) = info(&decision.analysis, &wishes, style, &ownership) {
        session.write_line(&line)?;
    }
    session.engine.commit(&pending, &decision)?;
    session.write_line(&format!("play {}", decision.mv))?;
    Ok(Reply::Streamed)
}

impl Session<'_> {
    /// The owner of every point, as KataGo writes it, from the viewpoint of the player to move.
    fn ownership(&mut self, wishes: &Wishes) -> String {
        if !wishes.ownership {
            return String::new();
        }
        let Ok(owners) = self.engine.ownership() else {
            return String::new();
        };
        let sign = match wishes.colour {
            Colour::Black => 1.0,
            Colour::White => -1.0,
        };
        let owners: Vec<String> = owners.iter().map(|o| format!("{:.3}", sign * o)).collect();
        format!(" ownership {}", owners.join(" "))
    }

    fn report(
        &mut self,
        thinking: &dyn Thinking,
        wishes: &Wishes,
        style: Style,
        ownership: &str,
    ) -> Result<(), Refusal> {
        if let Some(line) = info(&thinking.analysis()?, wishes, style, ownership) {
            self.write_line(&line)?;
        }
        Ok(())
    }

    /// Waits for a search for a move, shows it live, and ends it early at `# interrupt`.
    pub(super) fn watch(&mut self, pending: &Pending) {
        let Some(thinking) = pending.thinking() else {
            return;
        };
        let mut reported = Instant::now();
        while !thinking.wait_for(Duration::from_millis(100)) {
            if self.inbox.take_interrupt() {
                thinking.stop();
            }
            if self.options.live.is_some()
                && reported.elapsed() >= Duration::from_millis(500)
                && let Ok(analysis) = thinking.analysis()
            {
                reported = Instant::now();
                let picture = super::own::picture(&analysis);
                // HexGUI asks what it is to draw; to GoGui the word means nothing.
                let kind = if self.engine.game() == GameKind::Hex { "uct\n" } else { "" };
                if let Some(live) = &mut self.options.live {
                    // Nobody may be looking.
                    let _ =
                        write!(live, "gogui-gfx:\n{kind}{picture}\n\n").and_then(|()| live.flush());
                }
            }
        }
    }
}

/// All visited moves in one line. `None` if there is none, though the position may have visits of an
/// earlier search: an empty line would end the answer.
fn info(analysis: &Analysis, wishes: &Wishes, style: Style, ownership: &str) -> Option<String> {
    let moves = analysis.moves.iter().filter(|mv| mv.visits > 0);
    let moves: Vec<String> = moves
        .take(wishes.most_moves)
        .enumerate()
        .map(|(order, mv)| info_move(order, mv, style))
        .collect();
    (!moves.is_empty()).then(|| format!("{}{ownership}", moves.join(" ")))
}

fn info_move(order: usize, mv: &MoveAnalysis, style: Style) -> String {
    let numbers = match style {
        Style::LeelaZero => {
            let whole = |value: f32| (value * 10_000.0).round() as u32;
            format!(
                "visits {} winrate {} prior {} lcb {}",
                mv.visits,
                whole(mv.value),
                whole(mv.prior),
                whole(mv.lower_bound()),
            )
        }
        Style::KataGo => format!(
            "visits {} winrate {:.6} prior {:.6} lcb {:.6}",
            mv.visits,
            mv.value,
            mv.prior,
            mv.lower_bound(),
        ),
    };
    let line = mv.line.join(" ");
    format!("info move {} {numbers} order {order} pv {line}", mv.mv)
}

pub(super) fn cgos_genmove_analyze(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    arguments.at_most(1)?;
    let colour = arguments.colour(0)?;
    let mut pending = session.engine.begin(colour, Goal::Win)?;
    session.watch(&pending);
    let decision = session.engine.decide(&mut pending)?;
    let analysis = &decision.analysis;
    let rounded = |value: f32| (f64::from(value) * 1e4).round() / 1e4;
    let moves: Vec<_> = analysis
        .moves
        .iter()
        .filter(|mv| mv.visits > 0)
        .take(10)
        .map(|mv| {
            json!({
                "move": mv.mv,
                "winrate": rounded(mv.value),
                "prior": rounded(mv.prior),
                "pv": mv.line.join(" "),
                "visits": mv.visits,
            })
        })
        .collect();
    let line = json!({
        "winrate": rounded(analysis.outlook()),
        "visits": analysis.visits,
        "moves": moves,
    });
    session.engine.commit(&pending, &decision)?;
    session.open()?;
    session.write_line(&line.to_string())?;
    session.write_line(&format!("play {}", decision.mv))?;
    Ok(Reply::Streamed)
}
