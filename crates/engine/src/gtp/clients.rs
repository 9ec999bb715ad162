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

pub(super) fn analyze_commands(session: &mut Session<'_>, _: &Arguments<'_>) -> Answer {
    let mut lines = vec![
        "gfx/Search/kosumi-gfx",
        "hstring/Last Search/kosumi-info",
        "hstring/Tree/kosumi-tree 2 50",
        "hstring/Parameters/kosumi-param",
        "string/Final Score/final_score",
        "plist/Legal Moves/gogui-rules_legal_moves",
        "vc/Think/reg_genmove %c",
    ];
    if session.engine.game() == GameKind::Go {
        lines.extend([
            "plist/Dead Stones/final_status_list dead",
            "plist/Stones Alive/final_status_list alive",
            "plist/Stones in Seki/final_status_list seki",
        ]);
    }
    text(lines.join("\n"))
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

/// GoGui's picture of the board: rows from the top, `X` black, `O` white.
pub(super) fn rules_board(session: &mut Session<'_>, _: &Arguments<'_>) -> Answer {
    let signs = session.engine.show().replace('+', ".");
    let signs = match session.engine.game() {
        GameKind::Hex => signs.replace('B', "X").replace('W', "O"),
        _ => signs,
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
    text(rows.collect::<Vec<_>>().join("\n"))
}

pub(super) fn rules_board_size(session: &mut Session<'_>, _: &Arguments<'_>) -> Answer {
    let size = session.engine.size();
    text(match session.engine.game() {
        GameKind::Go => size.to_string(),
        GameKind::Hex => format!("{size} hex"),
        // GoGui has no hexagon; the cells lie in a rhombus of this size.
        _ => format!("{} hex", 2 * size - 1),
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
