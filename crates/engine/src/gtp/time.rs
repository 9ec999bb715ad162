//! Commands about clocks.

use kosumi_search::TimeControl;

use super::arguments::Arguments;
use super::{Answer, Session, done, text};

pub(super) fn time_settings(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    arguments.at_most(3)?;
    let main = arguments.seconds(0)?;
    let period = arguments.seconds(1)?;
    let stones: u32 = arguments.number(2)?;
    session.engine.set_time_control(match (period, stones) {
        // GTP 2: overtime without stones means no limits at all. No time at all can mean nothing
        // else.
        (period, 0) if period > 0.0 || main == 0.0 => None,
        (0.0, _) | (_, 0) => Some(TimeControl::Absolute { main }),
        (period, stones) => Some(TimeControl::Canadian { main, period, stones }),
    });
    done()
}

pub(super) fn time_left(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    arguments.at_most(3)?;
    let colour = arguments.colour(0)?;
    let seconds: f64 = arguments.number(1)?;
    if !seconds.is_finite() {
        return arguments.refuse("no such time");
    }
    let stones: u32 = if arguments.len() > 2 { arguments.number(2)? } else { 0 };
    session.engine.set_time_left(colour, seconds, stones);
    done()
}

pub(super) fn kgs_time_settings(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    let control = match arguments.word(0)? {
        "none" => None,
        "absolute" => Some(TimeControl::Absolute { main: arguments.seconds(1)? }),
        "byoyomi" => Some(TimeControl::ByoYomi {
            main: arguments.seconds(1)?,
            period: arguments.seconds(2)?,
            periods: arguments.number(3)?,
        }),
        "canadian" => Some(TimeControl::Canadian {
            main: arguments.seconds(1)?,
            period: arguments.seconds(2)?,
            stones: arguments.number(3)?,
        }),
        "fischer" => Some(TimeControl::Fischer {
            main: arguments.seconds(1)?,
            increment: arguments.seconds(2)?,
        }),
        _ => return arguments.refuse("no such time control"),
    };
    session.engine.set_time_control(control);
    done()
}

pub(super) fn list_time_settings(_: &mut Session<'_>, _: &Arguments<'_>) -> Answer {
    text("none absolute byoyomi canadian fischer")
}
