//! The grammar of SGF, from bytes to one [`GameTree`] at a time.
//!
//! ```text
//! collection = { game }             game = "(" node { node } { variation } ")"
//! node       = ";" { property }     variation = game
//! property   = name value { value } value = "[" raw "]"
//! ```
//!
//! Text before `(;` is skipped, white space is free, names may have lower-case letters (`FF[3]`) that
//! mean nothing. One loop with a stack of its own reads any depth.
//!
//! A broken game must not take the rest of a collection with it. Where a line begins with what can
//! only be a new game (`(;` and a root property), an open game is declared broken and reading
//! resumes at that line, even inside a value whose bracket is missing.

use std::str;

use crate::{
    charset::Charset,
    error::{Place, Problem, SgfError},
    tree::{GameTree, NodeId},
};

/// Longer games are refused. Decoding makes at most three bytes of one, so spans of 32 bits do.
const MAX_BYTES: usize = 1 << 30;

/// A place in a buffer that knows its line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor {
    /// In the buffer.
    pub(crate) pos: usize,
    /// From 1.
    pub(crate) line: u64,
    /// Where the line starts, in the whole input.
    pub(crate) line_start: u64,
}

impl Cursor {
    pub(crate) const START: Self = Self { pos: 0, line: 1, line_start: 0 };
}

/// What of the input is at hand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Buffer<'a> {
    pub(crate) bytes: &'a [u8],
    /// Where `bytes` starts in the whole input.
    pub(crate) base: u64,
    /// Whether nothing comes after `bytes`.
    pub(crate) complete: bool,
}

/// What [`next_game`] came to.
pub(crate) enum Found {
    /// A game; the cursor is behind it.
    Game(GameTree),
    /// A broken game; the cursor is where reading may go on.
    Broken(SgfError),
    /// No game up to the end of the input.
    End,
    /// The buffer ends too early: ask again with more bytes from the cursor on.
    More,
}

enum Stop {
    More,
    Broken(SgfError),
}

/// The first game of `bytes`.
pub(crate) fn first_game(bytes: &[u8]) -> Result<GameTree, SgfError> {
    let buffer = Buffer { bytes, base: 0, complete: true };
    let mut cursor = Cursor::START;
    match next_game(buffer, &mut cursor, &Charset::Guessed) {
        Found::Game(tree) => Ok(tree),
        Found::Broken(error) => Err(error),
        Found::End | Found::More => Err(no_game(bytes)),
    }
}

/// The error for an input that starts with `bytes` and has no game.
pub(crate) fn no_game(bytes: &[u8]) -> SgfError {
    let problem = if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        Problem::Encoding { label: "UTF-16".to_owned() }
    } else {
        Problem::NoGame
    };
    let place = Place::Text { line: 1, column: 1, offset: 0 };
    SgfError::new(place, problem)
}

/// Reads the next game from the cursor on; `default` decodes it if it does not say how.
pub(crate) fn next_game(buffer: Buffer<'_>, cursor: &mut Cursor, default: &Charset) -> Found {
    let mut parser = Parser {
        buffer,
        at: *cursor,
        charset: Charset::Guessed,
        tree: GameTree::empty(),
        name: String::new(),
        start: *cursor,
        depth: 0,
    };
    match parser.find_start() {
        Ok(true) => {}
        Ok(false) => {
            *cursor = parser.at;
            return Found::End;
        }
        Err(_) => {
            *cursor = parser.at;
            return Found::More;
        }
    }
    *cursor = parser.at;
    parser.start = parser.at;
    parser.charset = declared_charset(&buffer.bytes[parser.at.pos..], default);
    let found = match parser.game() {
        Ok(()) => {
            parser.tree.declare_utf8();
            Found::Game(parser.tree)
        }
        Err(Stop::More) => return Found::More,
        Err(Stop::Broken(error)) => match parser.resume() {
            Ok(()) => Found::Broken(error),
            Err(_) => return Found::More,
        },
    };
    *cursor = parser.at;
    found
}

/// What may come next inside a game.
#[derive(Clone, Copy, PartialEq)]
enum Want {
    /// After `(`.
    Node,
    /// After a node.
    Any,
    /// After a variation's `)`.
    Variation,
}

impl Want {
    const fn text(self) -> &'static str {
        match self {
            Want::Node => "';' and a node",
            Want::Any => "a property, ';', '(' or ')'",
            Want::Variation => "'(' or ')'",
        }
    }
}

struct Parser<'a> {
    buffer: Buffer<'a>,
    at: Cursor,
    charset: Charset,
    tree: GameTree,
    /// The name of the property at hand.
    name: String,
    /// Where the game starts.
    start: Cursor,
    /// How many `(` are open.
    depth: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.buffer.bytes.get(self.at.pos).copied()
    }

    /// Steps over one byte.
    fn advance(&mut self) {
        if self.peek() == Some(b'\n') {
            self.at.line += 1;
            self.at.line_start = self.buffer.base + self.at.pos as u64 + 1;
        }
        self.at.pos += 1;
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(is_space) {
            self.advance();
        }
    }

    fn place(&self) -> Place {
        let offset = self.buffer.base + self.at.pos as u64;
        Place::Text { line: self.at.line, column: offset - self.at.line_start + 1, offset }
    }

    fn broken(&self, problem: Problem) -> Stop {
        Stop::Broken(SgfError::new(self.place(), problem))
    }

    /// The error at the end of the buffer.
    fn end(&self, expected: &'static str) -> Stop {
        if !self.buffer.complete {
            return Stop::More;
        }
        self.broken(Problem::Truncated { expected, start_line: self.start.line })
    }

    /// The error at a byte that cannot be here.
    fn unexpected(&self, expected: &'static str) -> Stop {
        match self.peek() {
            None => self.end(expected),
            Some(byte) => self.broken(Problem::Unexpected {
                expected,
                found: match byte {
                    b' '..=b'~' => format!("'{}'", char::from(byte)),
                    _ => format!("byte 0x{byte:02x}"),
                },
            }),
        }
    }

    /// Goes to the next `(` that `;` follows; false if there is none.
    fn find_start(&mut self) -> Result<bool, Stop> {
        while let Some(byte) = self.peek() {
            if byte == b'(' {
                let rest = &self.buffer.bytes[self.at.pos + 1..];
                match rest.iter().find(|&&b| !is_space(b)) {
                    Some(b';') => return Ok(true),
                    None if !self.buffer.complete => return Err(Stop::More),
                    _ => {}
                }
            }
            self.advance();
        }
        if self.buffer.complete { Ok(false) } else { Err(Stop::More) }
    }

    /// One game, from its `(` to its `)`.
    fn game(&mut self) -> Result<(), Stop> {
        // The node that each open variation hangs from.
        let mut open: Vec<Option<NodeId>> = Vec::new();
        let mut current = None;
        let mut want = Want::Node;
        loop {
            self.depth = open.len();
            self.skip_space();
            match self.peek() {
                Some(b';') if want != Want::Variation => {
                    current = Some(self.node(current)?);
                    want = Want::Any;
                }
                Some(b'(') if open.is_empty() || want != Want::Node => {
                    if self.another_game_starts() {
                        return Err(self.unclosed(")"));
                    }
                    self.advance();
                    open.push(current);
                    want = Want::Node;
                }
                Some(b')') if want != Want::Node => {
                    self.advance();
                    current = open.pop().flatten();
                    if open.is_empty() {
                        return Ok(());
                    }
                    want = Want::Variation;
                }
                _ => return Err(self.unexpected(want.text())),
            }
        }
    }

    /// A node with its properties, from its `;` on.
    fn node(&mut self, parent: Option<NodeId>) -> Result<NodeId, Stop> {
        if self.tree.node_count() >= GameTree::MAX_NODES {
            return Err(self.broken(Problem::TooLarge { what: "more than 10,000,000 nodes" }));
        }
        let place = self.place();
        let id = self.tree.push_parsed(parent, place);
        self.advance();
        loop {
            self.skip_space();
            match self.peek() {
                Some(b) if b.is_ascii_alphabetic() => self.property(id)?,
                _ => return Ok(id),
            }
        }
    }

    fn property(&mut self, node: NodeId) -> Result<(), Stop> {
        let before = self.at;
        self.name.clear();
        while let Some(byte) = self.peek().filter(u8::is_ascii_alphanumeric) {
            if !byte.is_ascii_lowercase() {
                self.name.push(char::from(byte));
            }
            self.at.pos += 1;
        }
        if !self.name.starts_with(|c: char| c.is_ascii_uppercase()) {
            if self.peek().is_none() {
                return Err(self.end("'[' and a value"));
            }
            self.at = before;
            return Err(self.unexpected("a property name with an upper-case letter first"));
        }
        self.check_length()?;
        self.skip_space();
        if self.peek() != Some(b'[') {
            return Err(self.unexpected("'[' and a value"));
        }
        self.tree.push_property(node, &self.name);
        while self.peek() == Some(b'[') {
            self.value()?;
            self.skip_space();
        }
        Ok(())
    }

    /// A value with its brackets.
    fn value(&mut self) -> Result<(), Stop> {
        let before = self.at;
        self.at.pos += 1;
        let start = self.at.pos;
        let mut ascii = true;
        loop {
            match self.peek() {
                None => return Err(self.end("']'")),
                Some(b']') => break,
                Some(b'\\') => self.at.pos += 1,
                _ => {}
            }
            match self.peek() {
                None => return Err(self.end("']'")),
                Some(b'\n') => {
                    self.advance();
                    if self.another_game_starts() {
                        return Err(self.unclosed("])"));
                    }
                }
                // Escape starts a Japanese character in ISO-2022-JP, and nothing else ever.
                Some(lead @ (0x80.. | 0x1b)) => {
                    ascii = false;
                    self.at.pos += 1;
                    if self.peek().is_some_and(|b| self.charset.is_pair(lead, b)) {
                        self.at.pos += 1;
                    }
                }
                Some(_) => self.at.pos += 1,
            }
        }
        self.check_length()?;
        let bytes = &self.buffer.bytes[start..self.at.pos];
        match str::from_utf8(bytes) {
            Ok(raw) if ascii || self.charset.reads_utf8() => self.tree.push_parsed_value(raw),
            _ => match self.charset.decode(bytes) {
                Ok(raw) => self.tree.push_parsed_value(&raw),
                Err(label) => {
                    self.at = before;
                    return Err(self.broken(Problem::Encoding { label }));
                }
            },
        }
        self.at.pos += 1;
        Ok(())
    }

    fn check_length(&self) -> Result<(), Stop> {
        if self.at.pos - self.start.pos > MAX_BYTES {
            return Err(self.broken(Problem::TooLarge { what: "more than 1 GiB" }));
        }
        Ok(())
    }

    fn unclosed(&self, missing: &'static str) -> Stop {
        self.broken(Problem::Unclosed { start_line: self.start.line, missing })
    }

    /// Whether the cursor is at a line that can only be the start of a game: `(;` and a property
    /// that belongs in roots, with a short value.
    fn another_game_starts(&self) -> bool {
        let here = self.at.pos;
        if here == self.start.pos || self.buffer.bytes[here - 1] != b'\n' {
            return false;
        }
        let rest = &self.buffer.bytes[here..];
        let rest = &rest[..rest.len().min(200)];
        let mut word = rest.iter().copied().filter(|&b| !is_space(b));
        if word.next() != Some(b'(') || word.next() != Some(b';') {
            return false;
        }
        let name = [word.next(), word.next(), word.next()];
        let is_root = [b"GM", b"FF", b"CA", b"SZ", b"AP", b"ST"]
            .iter()
            .any(|n| name == [Some(n[0]), Some(n[1]), Some(b'[')]);
        // A comment may quote a game, but then its brackets are escaped.
        is_root && word.find(|b| matches!(b, b']' | b'[' | b'\\')) == Some(b']')
    }

    /// Goes from an error to where the next game may start: behind the closing parenthesis of the
    /// broken one, or at a line that must be another game.
    fn resume(&mut self) -> Result<(), Stop> {
        let mut in_value = false;
        while let Some(byte) = self.peek() {
            if self.another_game_starts() {
                return Ok(());
            }
            match byte {
                b'\\' if in_value => self.at.pos += 1,
                b'[' => in_value = true,
                b']' => in_value = false,
                b'(' if !in_value => self.depth += 1,
                b')' if !in_value => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
            let lead = self.peek().filter(|_| in_value);
            if self.peek().is_some() {
                self.advance();
            }
            if let (Some(lead), Some(trail)) = (lead, self.peek())
                && self.charset.is_pair(lead, trail)
            {
                self.at.pos += 1;
            }
            if self.depth == 0 {
                return Ok(());
            }
        }
        if self.buffer.complete { Ok(()) } else { Err(Stop::More) }
    }
}

fn is_space(byte: u8) -> bool {
    // Vertical tab is white space for SGF, if not for Rust.
    byte.is_ascii_whitespace() || byte == 0x0b
}

/// The charset that the root of the game at the start of `bytes` declares, else `default`.
fn declared_charset(bytes: &[u8], default: &Charset) -> Charset {
    let mut name = Vec::new();
    let mut name_ended = true;
    // Behind "(" and ";".
    let root = bytes.iter().position(|&b| b == b';').map_or(0, |at| at + 1);
    let mut at = root;
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'A'..=b'Z' | b'0'..=b'9' => {
                if name_ended {
                    name.clear();
                    name_ended = false;
                }
                name.push(byte);
            }
            b'[' => {
                name_ended = true;
                let start = at;
                while let Some(&byte) = bytes.get(at).filter(|&&b| b != b']') {
                    let pair = bytes.get(at + 1).is_some_and(|&b| default.is_pair(byte, b));
                    at += if byte == b'\\' || pair { 2 } else { 1 };
                }
                if name == b"CA" && at < bytes.len() {
                    return label_charset(&bytes[start..at], default);
                }
                at += 1;
            }
            b if is_space(b) || b.is_ascii_lowercase() => {}
            _ => break,
        }
    }
    // A double-byte character before CA whose second byte is a backslash hides the bracket and with
    // it the CA, so look once more without the grammar.
    let seen = &bytes[root..at.min(bytes.len())];
    if !seen.is_ascii() {
        for (start, _) in seen.windows(4).enumerate().filter(|(_, w)| *w == b"]CA[") {
            let rest = &seen[start + 4..];
            let label = rest.split(|&b| b == b']').next().unwrap_or_default();
            if let charset @ Charset::Declared(_) = label_charset(label, default) {
                return charset;
            }
        }
    }
    default.clone()
}

fn label_charset(label: &[u8], default: &Charset) -> Charset {
    match Charset::from_label(&String::from_utf8_lossy(label)) {
        Charset::Guessed => default.clone(),
        charset => charset,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(text: &[u8]) -> (u64, u64, Problem) {
        let error = GameTree::parse(text).unwrap_err();
        let Place::Text { line, column, .. } = error.place else { panic!("{error}") };
        (line, column, error.problem)
    }

    #[test]
    fn errors_say_where_and_what() {
        let unexpected = |expected: &'static str, found: &str| Problem::Unexpected {
            expected,
            found: found.to_owned(),
        };
        let (line, column, what) = problem(b"(;GM[1]\n;B[aa] ? W[bb])");
        assert_eq!((line, column), (2, 8));
        assert_eq!(what, unexpected(Want::Any.text(), "'?'"));
        let (.., what) = problem(b"(;B;W[aa])");
        assert_eq!(what, unexpected("'[' and a value", "';'"));
        let (.., what) = problem(b"(;(;B[aa]);W[aa])");
        assert_eq!(what, unexpected(Want::Variation.text(), "';'"));
        let (.., what) = problem(b"(;())");
        assert_eq!(what, unexpected(Want::Node.text(), "')'"));
        let (.., what) = problem(b"(;b[aa])");
        assert!(matches!(what, Problem::Unexpected { expected, .. } if expected.contains("upper")));
        let (.., what) = problem(b"(;C[a]\xe9)");
        assert_eq!(what, unexpected(Want::Any.text(), "byte 0xe9"));
        let (line, column, what) = problem(b"\n(;B[aa]\n;C[abc");
        assert_eq!((line, column), (3, 7));
        assert_eq!(what, Problem::Truncated { expected: "']'", start_line: 2 });
    }

    #[test]
    fn no_game() {
        for text in [&b""[..], b"hello", b"(", b"( x;)", b"\xef\xbb\xbf"] {
            assert_eq!(problem(text).2, Problem::NoGame);
        }
        let utf16: Vec<u8> = "\u{feff}(;C[a])".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert!(matches!(problem(&utf16).2, Problem::Encoding { .. }));
    }

    #[test]
    fn the_charset_of_the_root() {
        let charset = |bytes: &[u8]| declared_charset(bytes, &Charset::Guessed);
        assert_eq!(charset(b"(;GM[1]C[CA[big5\\]])"), Charset::Guessed);
        assert_eq!(charset(b"( ; GM [1][2]CharAset\n[Big5] ;)"), Charset::from_label("big5"));
        assert_eq!(charset(b"(;GM[1];CA[Big5])"), Charset::Guessed);
        assert_eq!(charset(b"(;C4A[Big5])"), Charset::Guessed);
        // 0x95 0x5c is one Shift_JIS character that looks like an escape.
        assert_eq!(charset(b"(;PB[\x95\x5c]CA[Shift_JIS];)"), Charset::from_label("sjis"));
        for broken in [&b"(;CA[Big5"[..], b"(;", b"(;CA", b"(;CA[", b"(;C[\\"] {
            assert_eq!(charset(broken), Charset::Guessed);
        }
    }
}
