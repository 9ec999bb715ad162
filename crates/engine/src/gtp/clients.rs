//! Commands that single clients need: KGS, GoGui, HexGUI.

use kosumi_record::{Colour, GameKind, GameResult};

use super::arguments::Arguments;
use super::{Answer, Refusal, Session, done, text};
use crate::player::Goal;

pub(super) fn kgs_rules(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    session.engine.set_rules(&arguments.words().join(" "))?;
    session.engine.set_param("play.dead_stones", "agreed")?;
    done()
}

pub(super) fn kgs_genmove_cleanup(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    arguments.at_most(1)?;
    let colour = arguments.colour(0)?;
    let mv = session.generate(colour, Goal::CleanUp, true)?;
    text(mv)
}

pub(super) fn kgs_game_over(session: &mut Session<'_>, _: &Arguments<'_>) -> Answer {
    session.engine.halt()?;
    done()
}

pub(super) fn kgs_chat(_: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    arguments.word(2)?;
    text("I am a program and do not chat. Have a good game!")
}

/// What every game offers, by its kind in GoGui and in HexGUI, which has fewer.
const FOR_ALL: &[(&str, &str, &str)] = &[
    ("gfx", "", "Search/kosumi-gfx"),
    ("pspairs", "pspairs", "Visits/kosumi-visits"),
    ("pspairs", "pspairs", "Values/kosumi-values"),
    ("var", "var", "Expected Line/kosumi-line"),
    ("varc", "", "Think/reg_genmove %c"),
    ("", "var", "Think/reg_genmove %m"),
    ("hstring", "string", "Last Search/kosumi-info"),
    ("hstring", "string", "Tree/kosumi-tree 2 50"),
    ("param", "param", "Parameters/kosumi-param"),
    ("string", "string", "Final Score/final_score"),
    ("plist", "", "Legal Moves/gogui-rules_legal_moves"),
];

const FOR_GO: &[(&str, &str, &str)] = &[
    ("plist", "", "Dead Stones/final_status_list dead"),
    ("plist", "", "Stones Alive/final_status_list alive"),
    ("plist", "", "Stones in Seki/final_status_list seki"),
];

// GoGui refuses lists of points with sides among them, and finds the points in a string.
const FOR_HEX: &[(&str, &str, &str)] = &[
    ("pspairs", "inferior", "Inferior Cells/compute-inferior %m"),
    ("cboard", "", "Inferior Cells Coloured/kosumi-inferior-colours %m"),
    ("pspairs", "inferior", "Fill-in/compute-fillin %m"),
    ("pspairs", "inferior", "Vulnerable Cells/compute-vulnerable %m"),
    ("pspairs", "inferior", "Dominated Cells/compute-dominated %m"),
    ("pspairs", "inferior", "Mustplay/vc-get-mustplay %m"),
    ("hstring", "vc", "Connections Full/vc-between-cells-full %c %P"),
    ("hstring", "vc", "Connections Semi/vc-between-cells-semi %c %P"),
    ("pstring", "plist", "Connected to Full/vc-connected-to-full %c %p"),
    ("pstring", "plist", "Connected to Semi/vc-connected-to-semi %c %p"),
    ("pspairs", "pspairs", "Winning Carrier/vc-winning-carrier %c"),
    ("string", "string", "Resistance/eval-resist %c"),
    ("pspairs", "pspairs", "Energy of Cells/eval-resist-cells %c"),
    ("dboard", "", "Influence/kosumi-influence"),
    ("pspairs", "pspairs", "Pattern Gammas/kosumi-gammas %m"),
    ("pspairs", "pspairs", "Pattern Priors/kosumi-priors %m"),
    ("pspairs", "pspairs", "Net Moves/kosumi-net %m"),
    ("string", "string", "Net Chance/kosumi-net-chance %m"),
    ("string", "string", "Solve/dfpn-solve-state %m 60"),
    ("plist", "plist", "Winning Moves/dfpn-solver-find-winning %m 60"),
];

pub(super) fn gogui_analyze_commands(session: &mut Session<'_>, _: &Arguments<'_>) -> Answer {
    offered(session, |&(gogui, _, command)| (gogui, command))
}

pub(super) fn hexgui_analyze_commands(session: &mut Session<'_>, _: &Arguments<'_>) -> Answer {
    offered(session, |&(_, hexgui, command)| (hexgui, command))
}

/// One line for each command that the client can show: `kind/label/command`.
fn offered(
    session: &Session<'_>,
    of: impl Fn(&(&'static str, &'static str, &'static str)) -> (&'static str, &'static str),
) -> Answer {
    let own = match session.engine.game() {
        GameKind::Go => FOR_GO,
        GameKind::Hex => FOR_HEX,
        GameKind::Havannah => &[],
    };
    let lines = own.iter().chain(FOR_ALL).map(of).filter(|(kind, _)| !kind.is_empty());
    text(lines.map(|(kind, command)| format!("{kind}/{command}")).collect::<Vec<_>>().join("\n"))
}

pub(super) fn play_sequence(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    if !arguments.len().is_multiple_of(2) {
        return arguments.refuse("colours and moves do not pair up");
    }
    for place in (0..arguments.len()).step_by(2) {
        let colour = arguments.colour(place)?;
        session.engine.play(colour, arguments.word(place + 1)?)?;
    }
    done()
}

pub(super) fn setup(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    if !arguments.len().is_multiple_of(2) {
        return arguments.refuse("colours and points do not pair up");
    }
    let mut stones: Vec<(Colour, String)> = session.engine.stones();
    for place in (0..arguments.len()).step_by(2) {
        stones.push((arguments.colour(place)?, arguments.word(place + 1)?.to_string()));
    }
    let to_move = session.engine.to_move();
    session.engine.set_up(&stones, to_move)?;
    done()
}

pub(super) fn setup_player(session: &mut Session<'_>, arguments: &Arguments<'_>) -> Answer {
    arguments.at_most(1)?;
    let colour = arguments.colour(0)?;
    if !session.engine.moves().is_empty() {
        return Err(Refusal::new("moves have been played; set up the board first"));
    }
    let stones = session.engine.stones();
    session.engine.set_up(&stones, colour)?;
    done()
}

pub(super) fn interrupt(_: &mut Session<'_>, _: &Arguments<'_>) -> Answer {
    done()
}

pub(super) fn rules_game_id(session: &mut Session<'_>, _: &Arguments<'_>) -> Answer {
    text(session.engine.game().name())
}

/// GoGui's picture of the board: `X` black, `O` white, the row with the highest number first.
pub(super) fn rules_board(session: &mut Session<'_>, _: &Arguments<'_>) -> Answer {
    let signs = session.engine.show().replace('+', ".");
    let signs = match session.engine.game() {
        GameKind::Hex => signs.replace('B', "X").replace('W', "O"),
        GameKind::Go | GameKind::Havannah => signs,
    };
    let is_cell = |c: &char| matches!(c, 'X' | 'O' | '.');
    let rows = signs.lines().filter_map(|line| {
        // Labels stand apart from cells; in Go they include the letters X and O, on lines that
        // have no row number.
        let has_label = |c: char| c.is_ascii_digit() || c.is_ascii_lowercase();
        let cells: Vec<String> = line
            .split_whitespace()
            .filter(|word| word.len() == 1 && word.chars().all(|c| is_cell(&c)))
            .map(str::to_string)
            .collect();
        let labelled = line.split_whitespace().next()?.starts_with(has_label);
        (labelled && !cells.is_empty()).then(|| cells.join(" "))
    });
    let mut rows: Vec<String> = rows.collect();
    if session.engine.game() == GameKind::Hex {
        // Our diagrams have row 1 at the top.
        rows.reverse();
    }
    text(rows.join("\n"))
}

pub(super) fn rules_board_size(session: &mut Session<'_>, _: &Arguments<'_>) -> Answer {
    let size = session.engine.size();
    text(match session.engine.game() {
        GameKind::Go => size.to_string(),
        GameKind::Hex => format!("{size} hex"),
        // GoGui has no hexagon; the cells lie in a rhombus of this size.
        GameKind::Havannah => format!("{} hex", 2 * size - 1),
    })
}

pub(super) fn rules_legal_moves(session: &mut Session<'_>, _: &Arguments<'_>) -> Answer {
    text(session.engine.legal_moves().join(" "))
}

pub(super) fn rules_side_to_move(session: &mut Session<'_>, _: &Arguments<'_>) -> Answer {
    text(session.engine.to_move().to_string())
}

pub(super) fn rules_final_result(session: &mut Session<'_>, _: &Arguments<'_>) -> Answer {
    text(match session.engine.result() {
        None => String::new(),
        Some(GameResult::Draw) => "Draw".to_string(),
        Some(result) => format!("{result}"),
    })
}
