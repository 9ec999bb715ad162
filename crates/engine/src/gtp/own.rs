//! Kosumi's own commands: parameters, the tree, the last search.

use std::fmt::Write as _;

use kosumi_record::Colour;

use super::arguments::Arguments;
use super::{Answer, Refusal, Session, done, text};
use crate::analysis::{Analysis, TreeNode};
use crate::error::EngineError;

pub(super) fn param(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    arguments.at_most(2)?;
    match (arguments.get(0), arguments.get(1)) {
        (None, _) => {
            let lines = session.engine.specs().into_iter().map(|spec| {
                let value = session.engine.params().get(spec.key).unwrap_or_default();
                format!("{} {value}", spec.key)
            });
            text(lines.collect::<Vec<_>>().join("\n"))
        }
        (Some(key), None) => match session.engine.params().get(key) {
            Some(value) => text(value),
            None => {
                let keys = session.engine.specs().into_iter().map(|spec| spec.key);
                let unknown = kosumi_game::params::unknown_key(key, keys);
                Err(EngineError::from(unknown).into())
            }
        },
        (Some(key), Some(value)) => {
            session.engine.set_param(key, value)?;
            done()
        }
    }
}

pub(super) fn params_toml(session: &mut Session<'_>, _: &Arguments<'_>) -> Answer {
    // The answer's first line stands behind the "=".
    text(format!("# Kosumi\n{}", session.engine.to_toml()))
}

pub(super) fn weights(session: &mut Session<'_>, _: &Arguments<'_>) -> Answer {
    let weights: Vec<String> = session.engine.weights().iter().map(ToString::to_string).collect();
    text(if weights.is_empty() { "none".to_owned() } else { weights.join(", ") })
}

pub(super) fn tree(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    arguments.at_most(2)?;
    let levels: usize = if arguments.is_empty() { 1 } else { arguments.number(0)? };
    let min_visits: u64 = if arguments.len() > 1 { arguments.number(1)? } else { 1 };
    // Deeper is more than any reader of JSON takes.
    let tree = session.engine.tree(levels.min(60), min_visits)?;
    match serde_json::to_string(&tree) {
        Ok(json) => text(json),
        Err(error) => Err(Refusal::new(format!("internal error: {error}"))),
    }
}

pub(super) fn visits(session: &mut Session<'_>, _: &Arguments<'_>) -> Answer {
    tried(session, |child| child.visits.to_string())
}

pub(super) fn values(session: &mut Session<'_>, _: &Arguments<'_>) -> Answer {
    tried(session, |child| format!("{:.2}", child.value))
}

/// Each point that was tried with a word.
fn tried(session: &mut Session<'_>, word: impl Fn(&TreeNode) -> String) -> Answer {
    let root = searched(session, 1)?;
    let points = root.children.iter().filter_map(|child| {
        let mv = child.mv.as_deref().filter(|mv| is_point(mv))?;
        Some(format!("{mv} {}", word(child)))
    });
    text(points.collect::<Vec<_>>().join(" "))
}

/// Longer lines are the word of a few simulations.
const LONGEST_LINE: usize = 20;

pub(super) fn line(session: &mut Session<'_>, _: &Arguments<'_>) -> Answer {
    let root = searched(session, LONGEST_LINE)?;
    let nodes = std::iter::successors(root.children.first(), |node| node.children.first());
    let moves = nodes.map_while(|node| node.mv.as_deref().filter(|mv| is_point(mv)));
    text(moves.collect::<Vec<_>>().join(" "))
}

/// The top of the tree at the position on the board.
fn searched(session: &mut Session<'_>, levels: usize) -> Result<TreeNode, Refusal> {
    let root = session.engine.tree(levels, 1)?;
    if root.children.is_empty() {
        return Err(Refusal::new("this position has not been searched; reg_genmove does"));
    }
    Ok(root)
}

/// Whether a move is one that can be drawn.
fn is_point(mv: &str) -> bool {
    mv.ends_with(|c: char| c.is_ascii_digit())
}

pub(super) fn verify(session: &mut Session<'_>, _: &Arguments<'_>) -> Answer {
    let facts = session.engine.verify()?;
    text(format!("nodes {} edges {} proven {}", facts.nodes, facts.edges, facts.proven))
}

pub(super) fn info(session: &mut Session<'_>, _: &Arguments<'_>) -> Answer {
    let Some(analysis) = session.engine.last_analysis() else {
        return Err(Refusal::new("no move has been generated on this board"));
    };
    let best = analysis.best();
    let json = serde_json::json!({
        "to_move": analysis.to_move.to_string(),
        "simulations": analysis.simulations,
        "seconds": analysis.seconds,
        "simulations_per_second": analysis.speed(),
        "visits": analysis.visits,
        "value": analysis.value,
        "best": best.map(|best| best.mv.clone()),
        "line": best.map(|best| best.line.join(" ")),
        "depth": analysis.depth,
        "width": analysis.width,
        "memory_bytes": analysis.memory,
        "recycled_nodes": analysis.recycled,
    });
    text(json.to_string())
}

pub(super) fn gfx(session: &mut Session<'_>, _: &Arguments<'_>) -> Answer {
    let Some(analysis) = session.engine.last_analysis() else {
        return Err(Refusal::new("no move has been generated on this board"));
    };
    text(picture(&analysis))
}

/// The search as GoGui draws it: the expected line, win rates as shades from -1 to 1, visits as
/// labels.
pub(super) fn picture(analysis: &Analysis) -> String {
    let mut out = String::from("VAR");
    let line = analysis.best().map_or(&[][..], |best| &best.line[..]);
    let mut colour = analysis.to_move;
    for mv in line.iter().take(10) {
        let letter = match colour {
            Colour::Black => 'B',
            Colour::White => 'W',
        };
        let _ = write!(out, " {letter} {mv}");
        colour = colour.opponent();
    }
    let moves = analysis.moves.iter().filter(|mv| mv.visits > 0 && is_point(&mv.mv));
    let (mut influence, mut labels) = (String::new(), String::new());
    for mv in moves {
        let _ = write!(influence, " {} {:.2}", mv.mv, 2.0 * mv.value - 1.0);
        let _ = write!(labels, " {} {}", mv.mv, mv.visits);
    }
    let _ = write!(out, "\nINFLUENCE{influence}\nLABEL{labels}");
    let _ = write!(
        out,
        "\nTEXT {:.1} % in {} simulations",
        100.0 * analysis.outlook(),
        analysis.simulations
    );
    out
}
