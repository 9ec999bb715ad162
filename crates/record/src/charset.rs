//! The encodings of old records (`CA`), through `encoding_rs`.
//!
//! `FF[4]` encodes the text, not the file: brackets are found as bytes first and each value is
//! decoded alone. In the double-byte encodings the second byte of a character may look like `]` or
//! `\`, so the scan for the end of a value must step over whole characters.

use encoding_rs::{
    BIG5, EUC_KR, Encoding, GB18030, GBK, ISO_2022_JP, REPLACEMENT, SHIFT_JIS, UTF_8, UTF_16BE,
    UTF_16LE, WINDOWS_1252,
};

use crate::text::{escape, is_raw};

/// How the values of one game are decoded.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Charset {
    /// No `CA`: UTF-8 where a value is that, else Latin-1 (`FF[4]`'s default, read as windows-1252).
    Guessed,
    /// As `CA` says.
    Declared(&'static Encoding),
    /// `CA` names something we cannot decode; its ASCII values are still readable.
    Unsupported(String),
}

/// Names in use that are not among the labels of the WHATWG standard.
const ALIASES: [(&str, &Encoding); 8] = [
    ("latin-1", WINDOWS_1252),
    ("iso 8859-1", WINDOWS_1252),
    ("cp932", SHIFT_JIS),
    ("cp936", GBK),
    ("cp949", EUC_KR),
    ("cp950", BIG5),
    ("euc-cn", GBK),
    ("utf_8", UTF_8),
];

impl Charset {
    /// The encoding of that name. An empty name is none.
    pub(crate) fn from_label(label: &str) -> Self {
        let label = label.trim();
        if label.is_empty() {
            return Self::Guessed;
        }
        let alias = ALIASES.iter().find(|(name, _)| name.eq_ignore_ascii_case(label));
        let found =
            alias.map(|&(_, encoding)| encoding).or_else(|| Encoding::for_label(label.as_bytes()));
        // ISO-2022-JP writes Japanese in ASCII bytes, UTF-16 does not write brackets as bytes:
        // neither can be cut into values first.
        match found {
            Some(e) if ![ISO_2022_JP, REPLACEMENT, UTF_16BE, UTF_16LE].contains(&e) => {
                Self::Declared(e)
            }
            _ => Self::Unsupported(crate::error::excerpt(label)),
        }
    }

    /// Whether these two bytes of a value are one character, so that the second is no bracket.
    #[inline]
    pub(crate) fn is_pair(&self, lead: u8, trail: u8) -> bool {
        let Self::Declared(encoding) = self else {
            return false;
        };
        let lead_byte = if *encoding == SHIFT_JIS {
            matches!(lead, 0x81..=0x9f | 0xe0..=0xfc)
        } else {
            // EUC-KR's low second bytes are letters and EUC-JP has none: bytes do for both.
            [GBK, GB18030, BIG5].contains(encoding) && matches!(lead, 0x81..=0xfe)
        };
        lead_byte && matches!(trail, 0x40..=0x7e | 0x80..)
    }

    /// Whether a value that is UTF-8 means just that.
    pub(crate) fn reads_utf8(&self) -> bool {
        match self {
            Self::Guessed => true,
            Self::Declared(encoding) => *encoding == UTF_8,
            Self::Unsupported(_) => false,
        }
    }

    /// The bytes of a value (which [`Charset::reads_utf8`] does not settle) as text; malformed
    /// characters become U+FFFD.
    ///
    /// # Errors
    /// The name of an encoding that is not supported.
    pub(crate) fn decode(&self, bytes: &[u8]) -> Result<String, String> {
        let decoded = match self {
            Self::Guessed => WINDOWS_1252.decode_without_bom_handling(bytes).0,
            Self::Declared(encoding) => encoding.decode_without_bom_handling(bytes).0,
            Self::Unsupported(label) => return Err(label.clone()),
        };
        // A malformed double-byte character gives back its second byte alone, which may be a
        // bracket. What is left is garbage, but garbage that must stay one value.
        if is_raw(&decoded) { Ok(decoded.into_owned()) } else { Ok(escape(&decoded).into_owned()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels() {
        assert_eq!(Charset::from_label("utf-8"), Charset::Declared(UTF_8));
        assert_eq!(Charset::from_label(" GB2312 "), Charset::Declared(GBK));
        assert_eq!(Charset::from_label("Latin-1"), Charset::Declared(WINDOWS_1252));
        assert_eq!(Charset::from_label(""), Charset::Guessed);
        for odd in ["UTF-16", "iso-2022-jp", "klingon"] {
            assert_eq!(Charset::from_label(odd), Charset::Unsupported(odd.to_owned()));
        }
    }

    #[test]
    fn a_malformed_pair_cannot_smuggle_a_bracket() {
        let big5 = Charset::from_label("Big5");
        // 0x81 0x5D is no Big5 character: the decoder gives U+FFFD and then the bracket.
        assert!(big5.is_pair(0x81, b']'));
        let text = big5.decode(b"a\x81]b").unwrap();
        assert!(is_raw(&text), "{text}");
    }
}
