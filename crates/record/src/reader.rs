//! Games one by one from a stream, past broken ones.

use std::{
    fmt,
    io::{self, Read},
};

use crate::{
    charset::Charset,
    error::{Place, Problem, SgfError},
    parse::{self, Buffer, Cursor, Found},
    tree::GameTree,
};

const CHUNK: usize = 64 * 1024;

/// Reads the games of a collection in order. Holds one chunk of the input and one game at a time,
/// so a file of any number of games needs little memory.
///
/// A broken game is an `Err` with its place, and the next call goes on with the game after it. An
/// input with text but no game is one [`Problem::NoGame`]; an empty one has no items. After a
/// failure to read ([`Problem::Io`]) the iterator ends.
///
/// ```
/// use kosumi_record::Reader;
///
/// let text = b"(;GM[1]SZ[9];B[ee)\n(;GM[1]SZ[9];B[ee])\n";
/// let games: Vec<_> = Reader::new(&text[..]).collect();
/// assert_eq!(games.len(), 2);
/// let error = games[0].as_ref().unwrap_err().to_string();
/// assert!(error.starts_with("line 2, column 1 (byte 19): another game starts here"));
/// assert!(games[1].is_ok());
/// ```
pub struct Reader<R> {
    input: R,
    buffer: Vec<u8>,
    /// Where the buffer starts in the input.
    base: u64,
    at: Cursor,
    charset: Charset,
    complete: bool,
    /// The least number of bytes to read at once.
    chunk: usize,
    /// Whether there was a game, broken or not, or an error.
    any: bool,
    /// The first bytes of an input in which no game was found yet.
    head: Vec<u8>,
    blank: bool,
    ended: bool,
}

impl<R: Read> Reader<R> {
    /// A reader of the games in `input`: a file, a decompressor, or `&[u8]`. It buffers by itself.
    pub fn new(input: R) -> Self {
        Self {
            input,
            buffer: Vec::new(),
            base: 0,
            at: Cursor::START,
            charset: Charset::Guessed,
            complete: false,
            chunk: CHUNK,
            any: false,
            head: Vec::new(),
            blank: true,
            ended: false,
        }
    }

    /// Takes games without `CA` as text in this encoding, e.g. `GB18030` for old files of Chinese
    /// servers. Without it they are UTF-8 or, value by value, else windows-1252.
    ///
    /// # Errors
    /// The encoding is unknown or not supported.
    pub fn assume_encoding(mut self, label: &str) -> Result<Self, SgfError> {
        match Charset::from_label(label) {
            Charset::Unsupported(label) => {
                Err(SgfError::new(self.place(), Problem::Encoding { label }))
            }
            charset => {
                self.charset = charset;
                Ok(self)
            }
        }
    }

    fn place(&self) -> Place {
        let offset = self.base + self.at.pos as u64;
        Place::Text { line: self.at.line, column: offset - self.at.line_start + 1, offset }
    }

    /// Forgets what is behind the cursor and reads the next chunk.
    fn fill(&mut self) -> io::Result<()> {
        self.buffer.drain(..self.at.pos);
        self.base += self.at.pos as u64;
        self.at.pos = 0;
        let old = self.buffer.len();
        // What is left is one unfinished game. Doubling it parses a long game again only a few times.
        let chunk = old.max(self.chunk);
        let read = self.input.by_ref().take(chunk as u64).read_to_end(&mut self.buffer)?;
        self.complete = read < chunk;
        let new = &self.buffer[old..];
        self.blank &= new.iter().all(u8::is_ascii_whitespace);
        if self.head.len() < 2 {
            self.head.extend(new.iter().take(2));
        }
        Ok(())
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<GameTree, SgfError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.ended {
            let buffer = Buffer { bytes: &self.buffer, base: self.base, complete: self.complete };
            match parse::next_game(buffer, &mut self.at, &self.charset) {
                Found::Game(tree) => {
                    self.any = true;
                    return Some(Ok(tree));
                }
                Found::Broken(error) => {
                    self.any = true;
                    return Some(Err(error));
                }
                Found::End => {
                    self.ended = true;
                    if !self.any && !self.blank {
                        return Some(Err(parse::no_game(&self.head)));
                    }
                }
                Found::More => {
                    if let Err(error) = self.fill() {
                        self.ended = true;
                        let problem =
                            Problem::Io { kind: error.kind(), message: error.to_string() };
                        return Some(Err(SgfError::new(self.place(), problem)));
                    }
                }
            }
        }
        None
    }
}

impl<R> fmt::Debug for Reader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader")
            .field("byte", &(self.base + self.at.pos as u64))
            .field("line", &self.at.line)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Broken in all the ways that make the parser look ahead.
    const TEXT: &[u8] = b"head (x\n(;GM[1]C[a\\]b\n(;x];B[aa])( ;GM[1]CA[Big5]PB[\xb3\x5c])\n(;GM[1];B[aa\n\
(;FF[4]?](;B[(](;W[bb]))(;C[d]))\n(;GM[1](;B[aa])\n(;GM[1\\](;SZ[9]C[x\\\n(;AP[y\\]])\n(;CA[GBK]C[\x81\x5d])(;C[cut";

    #[test]
    fn the_same_games_in_pieces_of_any_size() {
        let whole: Vec<_> = Reader::new(TEXT).collect();
        let sound: Vec<_> = whole.iter().map(Result::is_ok).collect();
        let expected = [true, true, false, false, false, true, false];
        assert_eq!(sound, expected, "{whole:#?}");
        for chunk in 1..=TEXT.len() {
            let mut reader = Reader::new(TEXT);
            reader.chunk = chunk;
            assert_eq!(reader.collect::<Vec<_>>(), whole, "chunks of {chunk}");
        }
    }
}
