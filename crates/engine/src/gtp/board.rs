//! Commands about what only Go has: komi, rules, handicap, the status of stones.

use kosumi_go::{KoRule, Scoring};
use kosumi_record::GameKind;

use super::arguments::Arguments;
use super::{Answer, Refusal, Session, done, text};
use crate::player::Status;

pub(super) fn komi(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    arguments.at_most(1)?;
    let komi = arguments.word(0)?;
    if session.engine.game() == GameKind::Go {
        session.engine.set_komi(komi)?;
    } else if !komi.parse().is_ok_and(f64::is_finite) {
        return arguments.refuse("a number is expected");
    }
    // Other games have no komi, and clients that send it all the same mean no harm.
    done()
}

pub(super) fn get_komi(session: &mut Session<'_>, _: &Arguments<'_>) -> Answer {
    text(session.engine.komi().unwrap_or_default())
}

pub(super) fn fixed_handicap(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    arguments.at_most(1)?;
    let points = session.engine.usual_handicap(arguments.number(0)?, true)?;
    text(points.join(" "))
}

pub(super) fn place_free_handicap(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    arguments.at_most(1)?;
    let points = session.engine.usual_handicap(arguments.number(0)?, false)?;
    text(points.join(" "))
}

pub(super) fn set_free_handicap(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    let points = arguments.words();
    if points.len() < 2 {
        return arguments.refuse("a handicap is two stones at least");
    }
    if let Some(word) = points.iter().find(|word| word.eq_ignore_ascii_case("pass")) {
        return arguments.refuse(format!("'{word}' is no point"));
    }
    session.engine.place_handicap(points)?;
    done()
}

pub(super) fn final_status_list(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    arguments.at_most(1)?;
    let status = match arguments.word(0)? {
        "alive" => Status::Alive,
        "dead" => Status::Dead,
        "seki" => Status::Seki,
        _ => return arguments.refuse("no such status"),
    };
    let chains = session.engine.stones_of_status(status)?;
    let lines: Vec<String> = chains.iter().map(|chain| chain.join(" ")).collect();
    text(lines.join("\n"))
}

pub(super) fn set_rules(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    let name = arguments.words().join(" ");
    if name.contains('{') {
        return Err(Refusal::new("rules are known by name only, e.g. chinese; JSON is not read"));
    }
    session.engine.set_rules(&name)?;
    done()
}

pub(super) fn get_rules(session: &mut Session<'_>, _: &Arguments<'_>) -> Answer {
    let Some(rules) = session.engine.rules() else {
        return Err(Refusal::new("this game has no such rules"));
    };
    let json = serde_json::json!({
        "name": session.engine.rules_name(),
        "ko": match rules.ko {
            KoRule::Positional => "POSITIONAL",
            KoRule::Situational => "SITUATIONAL",
            _ => "SIMPLE",
        },
        "scoring": match rules.scoring {
            Scoring::Territory => "TERRITORY",
            _ => "AREA",
        },
        "suicide": rules.suicide,
        "komi": session.engine.komi(),
    });
    text(json.to_string())
}
