//! What is known of a position of Hex, in the texts that HexGUI and GoGui draw.
//!
//! Names and formats are those that HexGUI knows from other programs: cells with a word each
//! (`c3 fcb`), lists of cells and sides, connections as `black c3 north full … [ carrier ] [ ]`.

use kosumi_record::Colour;

use super::arguments::Arguments;
use super::{Answer, Refusal, Session, text};
use crate::player::{Connection, ConnectionKind, HexView, Inferiority, SolveLimits};

/// HexGUI's word for a reason: `f` filled in, `i` to be ignored, `x` outside the mustplay.
fn word(reason: &Inferiority) -> String {
    let owner = |colour: &Colour| match colour {
        Colour::Black => 'b',
        Colour::White => 'w',
    };
    match reason {
        Inferiority::Dead(colour) => format!("fd{}", owner(colour)),
        Inferiority::Captured(colour) => format!("fc{}", owner(colour)),
        Inferiority::PermanentlyInferior(colour) => format!("fp{}", owner(colour)),
        Inferiority::Dominated(better) => format!("id[{}]", better.join("-")),
        Inferiority::Vulnerable(killers) => format!("iv[{}]", killers.join("-")),
        Inferiority::OutsideMustplay => "x".to_owned(),
    }
}

/// The colours HexGUI paints these cells in.
fn paint(reason: &Inferiority) -> &'static str {
    match reason {
        Inferiority::Dead(_) => "cyan",
        Inferiority::Captured(_) => "red",
        Inferiority::PermanentlyInferior(_) | Inferiority::OutsideMustplay => "gray",
        Inferiority::Dominated(_) => "yellow",
        Inferiority::Vulnerable(_) => "green",
    }
}

/// Cells with a word each.
fn pairs<T>(cells: &[(String, T)], word: impl Fn(&T) -> String) -> Answer {
    let pairs: Vec<String> =
        cells.iter().map(|(cell, of)| format!("{cell} {}", word(of))).collect();
    text(pairs.join(" "))
}

fn reasons(
    session: &Session<'_>,
    arguments: &Arguments<'_>,
    wanted: impl Fn(&Inferiority) -> bool,
) -> Answer {
    arguments.at_most(1)?;
    let mut cells = session.engine.hex_view()?.inferior(arguments.colour(0)?);
    cells.retain(|(_, reason)| wanted(reason));
    pairs(&cells, word)
}

pub(super) fn inferior(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    reasons(session, arguments, |_| true)
}

pub(super) fn fill_in(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    reasons(session, arguments, |reason| word(reason).starts_with('f'))
}

pub(super) fn vulnerable(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    reasons(session, arguments, |reason| matches!(reason, Inferiority::Vulnerable(_)))
}

pub(super) fn dominated(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    reasons(session, arguments, |reason| matches!(reason, Inferiority::Dominated(_)))
}

pub(super) fn mustplay(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    arguments.at_most(1)?;
    let cells = session.engine.hex_view()?.outside_mustplay(arguments.colour(0)?);
    pairs(&cells, word)
}

pub(super) fn between_full(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    between(session, arguments, ConnectionKind::Full)
}

pub(super) fn between_semi(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    between(session, arguments, ConnectionKind::Semi)
}

fn between(session: &Session<'_>, arguments: &Arguments<'_>, kind: ConnectionKind) -> Answer {
    arguments.at_most(3)?;
    let colour = arguments.colour(0)?;
    let (from, to) = (arguments.word(1)?, arguments.word(2)?);
    let connections = session.engine.hex_view()?.connections(colour, from, to, kind)?;
    let lines: Vec<String> = connections.iter().map(|found| line(colour, found)).collect();
    text(lines.join("\n"))
}

/// A connection as HexGUI reads it: owner, ends, kind, where it comes from, carrier, stones (which
/// no connection of ours needs), key.
fn line(colour: Colour, connection: &Connection) -> String {
    let [from, to] = &connection.ends;
    let (kind, key) = match &connection.key {
        None => ("full", ""),
        Some(key) => ("semi", key.as_str()),
    };
    let carrier: String = connection.carrier.iter().map(|cell| format!("{cell} ")).collect();
    format!("{colour} {from} {to} {kind} h-search [ {carrier}] [ ] {key}").trim_end().to_owned()
}

pub(super) fn connected_full(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    arguments.at_most(2)?;
    let (colour, from) = (arguments.colour(0)?, arguments.word(1)?);
    connected(session, colour, from, ConnectionKind::Full)
}

pub(super) fn connected_semi(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    arguments.at_most(2)?;
    let (colour, from) = (arguments.colour(0)?, arguments.word(1)?);
    connected(session, colour, from, ConnectionKind::Semi)
}

/// The order of arguments that older versions of HexGUI and its tests have.
pub(super) fn connected_either(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    arguments.at_most(3)?;
    let (from, colour) = (arguments.word(0)?, arguments.colour(1)?);
    let kind = match arguments.word(2)? {
        "0" => ConnectionKind::Full,
        "1" => ConnectionKind::Semi,
        _ => return arguments.refuse("0 is full, 1 is semi"),
    };
    connected(session, colour, from, kind)
}

fn connected(session: &Session<'_>, colour: Colour, from: &str, kind: ConnectionKind) -> Answer {
    text(session.engine.hex_view()?.connected_to(colour, from, kind)?.join(" "))
}

pub(super) fn winning_carrier(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    arguments.at_most(1)?;
    let colour = arguments.colour(0)?;
    let Some(connection) = session.engine.hex_view()?.winning_connection(colour) else {
        let why = format!("no connection between the sides of {colour} is known");
        return Err(Refusal::new(why));
    };
    let Connection { carrier, key, .. } = connection;
    let cells: Vec<(String, bool)> = carrier
        .into_iter()
        .map(|cell| {
            let is_key = key.as_ref() == Some(&cell);
            (cell, is_key)
        })
        .collect();
    pairs(&cells, |is_key| if *is_key { "key".to_owned() } else { "vc".to_owned() })
}

pub(super) fn resistance(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    arguments.at_most(1)?;
    let colour = arguments.colour(0)?;
    let found = session.engine.hex_view()?.resistance();
    let advantage = match colour {
        Colour::Black => found.advantage,
        Colour::White => -found.advantage,
    };
    let [black, white] = found.resistance;
    text(format!("res {advantage:.3} rew {white:.3} reb {black:.3}"))
}

pub(super) fn energies(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    arguments.at_most(1)?;
    let colour = if arguments.is_empty() { None } else { Some(arguments.colour(0)?) };
    let found = session.engine.hex_view()?.resistance();
    pairs(&found.cells, |[black, white]| {
        let energy = match colour {
            Some(Colour::Black) => *black,
            Some(Colour::White) => *white,
            None => black + white,
        };
        format!("{energy:.2}")
    })
}

/// A board of words as GoGui reads it: the highest row first.
fn board(view: &HexView, word: impl Fn(&str) -> String) -> Answer {
    let columns = || ('a'..).take(view.size());
    let row = |row: usize| {
        let words: Vec<String> = columns().map(|column| word(&format!("{column}{row}"))).collect();
        words.join(" ")
    };
    let rows: Vec<String> = (1..=view.size()).rev().map(row).collect();
    text(rows.join("\n"))
}

fn of_cell<'a, T>(cells: &'a [(String, T)], wanted: &str) -> Option<&'a T> {
    cells.iter().find(|(cell, _)| cell == wanted).map(|(_, of)| of)
}

pub(super) fn influence(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    arguments.at_most(0)?;
    let view = session.engine.hex_view()?;
    let cells = view.resistance().cells;
    let stones: Vec<(String, Colour)> =
        session.engine.stones().into_iter().map(|(colour, cell)| (cell, colour)).collect();
    board(&view, |cell| {
        let influence = match (of_cell(&stones, cell), of_cell(&cells, cell)) {
            (Some(Colour::Black), _) => 1.0,
            (Some(Colour::White), _) => -1.0,
            (None, Some([black, white])) => black - white,
            // Filled in.
            (None, None) => 0.0,
        };
        format!("{influence:.2}")
    })
}

pub(super) fn inferior_colours(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    arguments.at_most(1)?;
    let colour = arguments.colour(0)?;
    let view = session.engine.hex_view()?;
    let cells = view.inferior(colour);
    board(&view, |cell| of_cell(&cells, cell).map_or("\"\"", paint).to_owned())
}

pub(super) fn gammas(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    arguments.at_most(1)?;
    let gammas = session.engine.hex_view()?.gammas(arguments.colour(0)?);
    pairs(&gammas, |gamma| format!("{gamma:.3}"))
}

pub(super) fn priors(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    arguments.at_most(1)?;
    let priors = session.engine.hex_view()?.priors(arguments.colour(0)?);
    pairs(&priors, |prior| format!("{prior:.3}"))
}

pub(super) fn net(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    arguments.at_most(1)?;
    let (moves, _) = session.engine.hex_view()?.evaluated(arguments.colour(0)?);
    pairs(&moves, |probability| format!("{probability:.3}"))
}

pub(super) fn net_chance(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    arguments.at_most(1)?;
    let (_, chance) = session.engine.hex_view()?.evaluated(arguments.colour(0)?);
    text(format!("{chance:.3}"))
}

pub(super) fn solve(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    let winner = solved(session, arguments, |view, colour, limits| view.solve(colour, limits))?;
    text(winner.to_string())
}

pub(super) fn find_winning(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    let find =
        |view: &HexView, colour, limits: &mut SolveLimits<'_>| view.winning_moves(colour, limits);
    text(solved(session, arguments, find)?.join(" "))
}

/// Asks the solver, within the time that may be given, until `# interrupt`.
fn solved<T>(
    session: &mut Session<'_>,
    arguments: &Arguments<'_>,
    ask: impl FnOnce(&HexView, Colour, &mut SolveLimits<'_>) -> Option<T>,
) -> Result<T, Refusal> {
    arguments.at_most(2)?;
    let colour = arguments.colour(0)?;
    let seconds = if arguments.len() > 1 { Some(arguments.seconds(1)?) } else { None };
    session.engine.halt()?;
    let view = session.engine.hex_view()?;
    let mut stop = || session.inbox.take_interrupt();
    let answer = ask(&view, colour, &mut SolveLimits::new(seconds, &mut stop));
    answer.ok_or_else(|| Refusal::new("not solved: the search was ended before"))
}
