//! Commands about the protocol and the program.

use super::arguments::Arguments;
use super::{Answer, Refusal, Reply, Session, table, text};
use crate::system::cpu_seconds;

pub(super) fn protocol_version(_: &mut Session<'_>, _: &Arguments<'_>) -> Answer {
    text("2")
}

pub(super) fn name(_: &mut Session<'_>, _: &Arguments<'_>) -> Answer {
    text("Kosumi")
}

pub(super) fn version(session: &mut Session<'_>, _: &Arguments<'_>) -> Answer {
    text(match &session.options.version {
        Some(version) => version,
        None => env!("CARGO_PKG_VERSION"),
    })
}

pub(super) fn known_command(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    let known = table::find(arguments.word(0)?, session.engine.game()).is_some();
    text(known.to_string())
}

pub(super) fn list_commands(session: &mut Session<'_>, _: &Arguments<'_>) -> Answer {
    let names: Vec<&str> =
        table::commands(session.engine.game()).map(|command| command.name).collect();
    text(names.join("\n"))
}

pub(super) fn help(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    let game = session.engine.game();
    let wanted = arguments.get(0);
    let lines: Vec<String> = table::commands(game)
        .filter(|command| wanted.is_none_or(|name| name == command.name))
        .map(|command| format!("{}: {}", command.syntax, command.help))
        .collect();
    if lines.is_empty() {
        return Err(Refusal::new("unknown command; list_commands lists all"));
    }
    text(lines.join("\n"))
}

pub(super) fn quit(_: &mut Session<'_>, _: &Arguments<'_>) -> Answer {
    Ok(Reply::Quit)
}

pub(super) fn cputime(_: &mut Session<'_>, _: &Arguments<'_>) -> Answer {
    match cpu_seconds() {
        Some(seconds) => text(format!("{seconds:.2}")),
        None => Err(Refusal::new("this system does not tell")),
    }
}
