//! What differs between two settings of one kind, in words that name the option and both values.

use serde::Serialize;
use serde_json::Value;

/// Longer values are cut.
const LONGEST_VALUE: usize = 80;

/// The first difference between the settings of a journal and those asked for, in words; `None` if
/// there is none.
pub(crate) fn difference(asked: &impl Serialize, found: &impl Serialize) -> Option<String> {
    let [asked, found] = [serde_json::to_value(asked).ok()?, serde_json::to_value(found).ok()?];
    first(&mut Vec::new(), &asked, &found)
}

fn first(path: &mut Vec<String>, asked: &Value, found: &Value) -> Option<String> {
    if asked == found {
        return None;
    }
    let is_command = path.last().is_some_and(|key| key == "command");
    match (asked, found) {
        (Value::Array(asked), Value::Array(found)) if is_command => command(path, asked, found),
        (Value::Object(asked), Value::Object(found)) => {
            let keys = found.keys().chain(asked.keys().filter(|key| !found.contains_key(*key)));
            keys.into_iter().find_map(|key| {
                let side = |object: &serde_json::Map<String, Value>| {
                    object.get(key).cloned().unwrap_or(Value::Null)
                };
                within(path, key.clone(), &side(asked), &side(found))
            })
        }
        (Value::Array(asked), Value::Array(found)) if asked.len() == found.len() => {
            let mut pairs = asked.iter().zip(found).enumerate();
            pairs.find_map(|(place, (asked, found))| within(path, place.to_string(), asked, found))
        }
        _ => {
            let label = label(path);
            let verb = if label == "openings" { "are" } else { "is" };
            Some(format!("its {label} {verb} {}, not {}", text(found), text(asked)))
        }
    }
}

fn within(path: &mut Vec<String>, key: String, asked: &Value, found: &Value) -> Option<String> {
    path.push(key);
    let difference = first(path, asked, found);
    path.pop();
    difference
}

/// The place of a value, as people call it.
fn label(path: &[String]) -> String {
    let mut label = String::new();
    let mut add = |word: &str| {
        if !label.is_empty() {
            let owns = ["player", "opponent", "parameter"].iter().any(|who| label.starts_with(who));
            label.push_str(if owns { "'s " } else { " " });
        }
        label.push_str(word);
    };
    let mut keys = path.iter().map(String::as_str).peekable();
    while let Some(key) = keys.next() {
        let number = keys.peek().and_then(|next| next.parse::<usize>().ok());
        match (key, number) {
            ("rulebook", _) => {}
            ("players", Some(side)) => {
                add(if side == 0 { "player A" } else { "player B" });
                keys.next();
            }
            ("opponents" | "parameters", Some(number)) => {
                add(&format!("{} {}", key.trim_end_matches('s'), number + 1));
                keys.next();
            }
            ("equal_cpu", _) => add("fitting to equal CPU time"),
            ("always_referee", _) => add("counting by the referee alone"),
            _ => add(&key.replace('_', " ")),
        }
    }
    label
}

/// A value as people write it.
fn text(value: &Value) -> String {
    let text = match value {
        Value::Null => "none".to_owned(),
        Value::Bool(value) => if *value { "on" } else { "off" }.to_owned(),
        Value::String(text) => text.clone(),
        // A variant with its content.
        Value::Object(object) if object.len() == 1 => {
            object.iter().map(|(key, value)| format!("{key} {}", text(value))).collect()
        }
        Value::Array(list) if list.iter().all(Value::is_string) && !list.is_empty() => {
            list.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" ")
        }
        _ => value.to_string(),
    };
    match text.char_indices().nth(LONGEST_VALUE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// An option of a command line with its values; the first word has no option.
#[derive(PartialEq)]
struct CommandOption {
    /// What two command lines call the same: the option, with the key that `--set` sets.
    key: String,
    text: String,
}

fn options(words: &[Value]) -> Vec<CommandOption> {
    let mut options: Vec<CommandOption> = Vec::new();
    for word in words.iter().filter_map(Value::as_str) {
        match options.last_mut() {
            Some(last) if !word.starts_with('-') => {
                if last.key == "--set" {
                    last.key = format!("--set {}", word.split('=').next().unwrap_or(word));
                }
                last.text = format!("{} {word}", last.text);
            }
            _ => options.push(CommandOption { key: word.to_owned(), text: word.to_owned() }),
        }
    }
    options
}

/// The first option in which two command lines differ.
fn command(path: &[String], asked: &[Value], found: &[Value]) -> Option<String> {
    let label = label(&path[..path.len() - 1]);
    let [asked, found] = [options(asked), options(found)];
    let of = |list: &[CommandOption], key: &str| -> Vec<String> {
        list.iter().filter(|option| option.key == key).map(|o| o.text.clone()).collect()
    };
    for option in found.iter().chain(&asked) {
        let [new, old] = [of(&asked, &option.key), of(&found, &option.key)];
        if new == old {
            continue;
        }
        let [new, old] = [new, old].map(|texts| texts.join(" "));
        return Some(match (old.as_str(), new.as_str()) {
            (old, "") => format!("its {label} has '{old}', which is not given now"),
            ("", new) => format!("its {label} has no '{new}'"),
            (old, new) => format!("its {label} has '{old}', not '{new}'"),
        });
    }
    Some(format!("its {label} has the same options in another order"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{KosumiPlayer, Limit, Match, Openings, Rulebook};
    use kosumi_record::GameKind;

    fn settings(change: impl Fn(&mut KosumiPlayer)) -> Match {
        let rulebook = Rulebook::new(GameKind::Hex, 7);
        let mut kosumi = KosumiPlayer::new("light");
        kosumi.simulations = Some(50);
        kosumi.set.push(("rave.late".to_owned(), "300".to_owned()));
        let b = kosumi.player(&rulebook).unwrap();
        change(&mut kosumi);
        let a = kosumi.player(&rulebook).unwrap();
        Match::new(rulebook, [a, b])
    }

    #[test]
    fn the_option_that_differs_is_named_with_both_values() {
        let found = settings(|_| ());
        let of = |asked: Match| difference(&asked, &found).unwrap();
        assert_eq!(difference(&found, &found), None);
        let player = |change: &dyn Fn(&mut KosumiPlayer)| of(settings(change));
        assert_eq!(
            player(&|kosumi| kosumi.simulations = Some(60)),
            "its player A has '--sims 50', not '--sims 60'"
        );
        assert_eq!(
            player(&|kosumi| kosumi.set[0].1 = "500".to_owned()),
            "its player A has '--set rave.late=300', not '--set rave.late=500'"
        );
        assert_eq!(
            player(&|kosumi| kosumi.set.clear()),
            "its player A has '--set rave.late=300', which is not given now"
        );
        assert_eq!(
            player(&|kosumi| kosumi.limit = Limit::Seconds(2.5)),
            "its player A has no '--time 2.5'"
        );
        assert_eq!(
            player(&|kosumi| kosumi.limit = Limit::Clock("60+2".parse().unwrap())),
            "its player A's limit is own, not clock 60+2"
        );
    }

    #[test]
    fn all_other_settings_have_a_name() {
        let found = settings(|_| ());
        let of = |change: &dyn Fn(&mut Match)| {
            let mut asked = found.clone();
            change(&mut asked);
            difference(&asked, &found).unwrap()
        };
        assert_eq!(of(&|m| m.rulebook.size = 9), "its size is 7, not 9");
        assert_eq!(of(&|m| m.rulebook.swap = true), "its swap is off, not on");
        assert_eq!(of(&|m| m.seed = 5), "its seed is 1, not 5");
        assert_eq!(of(&|m| m.openings = Openings::First), "its openings are empty, not first");
        let referee = vec!["gnugo".to_owned(), "--mode".to_owned(), "gtp".to_owned()];
        assert_eq!(
            of(&|m| m.referee = Some(referee.clone())),
            "its referee is none, not gnugo --mode gtp"
        );
    }
}
