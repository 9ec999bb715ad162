//! What an answer should look like: `[regular expression]`, `[!…]`, `[…]*`.

use regex_automata::meta::Regex;
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input};

/// An expected answer.
#[derive(Debug)]
pub(super) struct Pattern {
    regex: Regex,
    negated: bool,
    fails_elsewhere: bool,
}

impl Pattern {
    /// Reads what stands behind `#?`.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let (text, fails_elsewhere) = match text.strip_suffix('*') {
            Some(rest) => (rest.trim_end(), true),
            None => (text, false),
        };
        let inner = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        let inner = inner.ok_or("a pattern stands in brackets: #? [pattern]")?.trim();
        let (inner, negated) = match inner.strip_prefix('!') {
            Some(rest) => (rest, true),
            None => (inner, false),
        };
        // As gogui-regress has it: the whole answer, in which a point may be a line's end.
        let whole = format!("^(?:{inner})$");
        let syntax = syntax::Config::new().dot_matches_new_line(true).unicode(false).utf8(false);
        let regex = Regex::builder()
            .syntax(syntax)
            .build(&whole)
            .map_err(|error| format!("'{inner}' is no regular expression: {error}"))?;
        Ok(Self { regex, negated, fails_elsewhere })
    }

    /// Whether an answer is as expected.
    pub(super) fn fits(&self, answer: &str) -> bool {
        let input = Input::new(answer.trim()).anchored(Anchored::Yes);
        self.regex.is_match(input) != self.negated
    }

    /// Whether the author's own program fails.
    pub(super) fn fails_elsewhere(&self) -> bool {
        self.fails_elsewhere
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_answer_must_match() {
        let fits = |pattern: &str, answer: &str| Pattern::parse(pattern).unwrap().fits(answer);
        assert!(fits("[b4]", "b4") && fits("[b4]", " b4\n"));
        assert!(!fits("[b4]", "b45") && !fits("[b4]", "ab4"));
        assert!(fits("[d1|d2|e2]", "d2") && !fits("[d1|d2|e2]", "d2 e2"));
        assert!(fits("[]", "") && !fits("[]", "x"));
        assert!(fits("[.*e6 iv\\[d6\\].*]", "a1 fdb\ne6 iv[d6]\nb2 fcw"));
        assert!(fits("[!.*f5.*]", "e4") && !fits("[!.*f5.*]", "e4 f5"));
        assert!(fits("[[a-k]([1-9]|1[0-1])]", "k11") && !fits("[[a-k]([1-9]|1[0-1])]", "k12"));
    }

    #[test]
    fn a_star_says_that_another_program_fails() {
        assert!(Pattern::parse("[d3]*").unwrap().fails_elsewhere());
        assert!(!Pattern::parse("[d3]").unwrap().fails_elsewhere());
        assert!(!Pattern::parse("[.*]").unwrap().fails_elsewhere());
    }

    #[test]
    fn what_is_no_pattern_is_told() {
        for text in ["", "d3", "[d3", "d3]", "[(d3]", "[[]"] {
            assert!(Pattern::parse(text).is_err(), "{text}");
        }
    }
}
