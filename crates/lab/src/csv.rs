//! The games of journals as CSV (RFC 4180), one line a game.

use std::fmt::Write;

use crate::game::Side;
use crate::journal::JournalContent;

/// The first line.
#[must_use]
pub fn csv_header() -> &'static str {
    "journal,number,a,b,first,winner,ending,result,counted_by,moves,opening,seconds_a,seconds_b,\
     cpu_seconds_a,cpu_seconds_b,peak_mb_a,peak_mb_b,simulations,seed_a,seed_b,detail"
}

/// The games of a journal by number, one line each; `name` tells journals apart.
#[must_use]
pub fn csv_games(name: &str, content: &JournalContent) -> String {
    let mut games: Vec<_> = content.games.iter().collect();
    games.sort_by_key(|game| game.number);
    let [a, b] = content.settings.players.each_ref().map(|player| field(&player.name));
    let letter = |side: Side| if side == Side::A { "a" } else { "b" };
    let number = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
    let mut text = String::new();
    for game in games {
        let [seconds_a, seconds_b] = game.seconds;
        let [cpu_a, cpu_b] = game.cpu_seconds.map(number);
        let [peak_a, peak_b] = game.peak_mb.map(number);
        let [seed_a, seed_b] = game.seeds;
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{},{},{a},{b},{},{},{},{},{},{},{},{seconds_a},{seconds_b},{cpu_a},{cpu_b},{peak_a},\
             {peak_b},{},{seed_a},{seed_b},{}",
            field(name),
            game.number,
            letter(game.first),
            game.winner.map_or("", letter),
            game.ending.name(),
            field(&game.result),
            game.counted_by.map_or("", |way| way.name()),
            game.moves.len(),
            game.opening,
            game.simulations.map_or(String::new(), |count| count.to_string()),
            field(&game.detail)
        );
    }
    text
}

/// A text as one field: in quotation marks where it must be.
fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::PlayedGame;
    use crate::{Match, Player, Rulebook};
    use kosumi_record::GameKind;

    #[test]
    fn a_line_has_as_many_fields_as_the_header() {
        let players = ["A, the \"first\"", "B"].map(|name| Player::new(name, Vec::new()));
        let settings = Match::new(Rulebook::new(GameKind::Hex, 5), players);
        let games = vec![PlayedGame::won_by(2, None), PlayedGame::won_by(1, Some(Side::B))];
        let content = JournalContent { settings, introduction: None, games };
        let text = csv_games("m.jsonl", &content);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "m.jsonl,1,\"A, the \"\"first\"\"\",B,a,b,normal,,,0,0,0,0,,,,,,1,2,");
        // The quoted name holds one comma.
        assert_eq!(lines[0].matches(',').count(), csv_header().matches(',').count() + 1);
        assert!(lines[1].starts_with("m.jsonl,2,"), "{text}");
        assert!(lines[1].contains(",b,,normal,"), "{text}");
    }
}
