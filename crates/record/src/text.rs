//! `FF[4]` text: escapes, soft line breaks, white space.
//!
//! The tree keeps values as they stand between the brackets (*raw*), so that a property nobody
//! here understands is written back unchanged. These functions lead from raw to text and back.

use std::borrow::Cow;

/// What a raw value says.
///
/// A backslash makes the next character plain; before a line break both vanish. Line breaks are
/// one `\n` each (or a space, unless `keep_lines`); other white space becomes a space.
pub(crate) fn unescape(raw: &str, keep_lines: bool) -> Cow<'_, str> {
    if !raw.bytes().any(|b| b == b'\\' || b < b' ') {
        return Cow::Borrowed(raw);
    }
    let mut text = String::with_capacity(raw.len());
    let mut chars = raw.chars().peekable();
    while let Some(c) = chars.next() {
        let (c, escaped) = match c {
            '\\' => match chars.next() {
                Some(next) => (next, true),
                None => break,
            },
            c => (c, false),
        };
        match c {
            '\n' | '\r' => {
                // \r\n and \n\r are one line break.
                let partner = if c == '\n' { '\r' } else { '\n' };
                chars.next_if_eq(&partner);
                match (escaped, keep_lines) {
                    (true, _) => {}
                    (false, true) => text.push('\n'),
                    (false, false) => text.push(' '),
                }
            }
            '\t' | '\x0b' | '\x0c' => text.push(' '),
            c => text.push(c),
        }
    }
    Cow::Owned(text)
}

/// The raw value that says `text`.
///
/// A parenthesis that starts a line is escaped too: there our reader (and not only ours) would
/// suspect the next game of a collection.
pub(crate) fn escape(text: &str) -> Cow<'_, str> {
    let special = |b: u8| matches!(b, b'\\' | b']' | b'(');
    if !text.bytes().any(special) {
        return Cow::Borrowed(text);
    }
    let mut raw = String::with_capacity(text.len() + 8);
    let mut previous = ' ';
    for c in text.chars() {
        let starts_line = matches!(previous, '\n' | '\r');
        if matches!(c, '\\' | ']') || c == '(' && starts_line {
            raw.push('\\');
        }
        raw.push(c);
        previous = c;
    }
    Cow::Owned(raw)
}

/// Whether `raw` can stand between brackets: no `]` that would end it, no `\` that would hide the
/// closing one.
pub(crate) fn is_raw(raw: &str) -> bool {
    let mut escaped = false;
    for b in raw.bytes() {
        match b {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b']' => return false,
            _ => {}
        }
    }
    !escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_make_the_next_character_plain() {
        assert_eq!(unescape(r"a \] b \\ c \: d \e", true), r"a ] b \ c : d e");
        assert_eq!(unescape(r"lone \", true), "lone ");
    }

    #[test]
    fn line_breaks_of_four_kinds() {
        assert_eq!(unescape("a\nb\r\nc\rd\n\re", true), "a\nb\nc\nd\ne");
        assert_eq!(unescape("a\nb\r\nc\rd\n\re", false), "a b c d e");
        assert_eq!(unescape("a\\\nb\\\r\nc\\\rd\\\n\re", true), "abcde");
        assert_eq!(unescape("a\n\nb", true), "a\n\nb");
    }

    #[test]
    fn other_white_space_is_a_space_even_when_escaped() {
        assert_eq!(unescape("a\tb\\\tc\x0bd", true), "a b c d");
    }

    #[test]
    fn escape_leads_back() {
        for text in ["", r"]\", "(;GM[1]\n(;GM[1]", "plain", "a(b)", "é\n]"] {
            let raw = escape(text);
            assert!(is_raw(&raw), "{raw}");
            assert_eq!(unescape(&raw, true), text);
            assert!(!raw.contains("\n("));
        }
        assert_eq!(escape("a(b)"), "a(b)");
    }

    #[test]
    fn what_can_stand_between_brackets() {
        assert!(is_raw(r"a\]b\\"));
        assert!(!is_raw(r"a\\]"));
        assert!(!is_raw("a\\"));
    }
}
