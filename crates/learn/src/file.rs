//! Files of learned weights: a line that says what this is, a line of JSON with their provenance,
//! and binary sections, whose meaning is the model's.
//!
//! `head -n 2` of a file shows where it comes from. The last four bytes are a checksum of all the
//! others, so that a file that was cut, changed or mistaken for another is refused and never half
//! used.

use serde::{Deserialize, Serialize};

/// The first line.
const MAGIC: &[u8] = b"Kosumi weights\n";
/// The version of this layout; it changes when older programs can no longer read it.
const FORMAT: u32 = 1;
const CHECKSUM: usize = 4;

/// Where weights come from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Provenance {
    /// The version of the program that learned them.
    pub version: String,
    /// Its command line.
    pub command: String,
    /// The day, as 2026-12-31.
    pub date: String,
    /// The files with the records.
    pub records: Vec<String>,
    /// Games learned from.
    pub games: u64,
    /// Positions learned from.
    pub positions: u64,
    /// Whatever else there is to know, in words.
    pub notes: String,
}

/// The content of a file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct WeightFile {
    /// The game, such as `go`.
    pub game: String,
    /// What the weights are of; a reader takes only models that it knows.
    pub model: String,
    /// The version of the model.
    pub version: u32,
    /// Where they come from.
    pub provenance: Provenance,
    sections: Vec<(String, Vec<u8>)>,
}

/// Why weights cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WeightFileError {
    /// It does not begin like one.
    #[error(
        "this is no weight file: it does not begin with 'Kosumi weights'; kosumi learn makes some"
    )]
    NotWeights,
    /// It is of another layout.
    #[error(
        "weights of format {0}, but this program reads format {FORMAT}: learn them again, or use the program's own version"
    )]
    Format(u32),
    /// It ends too early.
    #[error("the weight file is cut off: it ends in {0}; copy it again")]
    CutOff(&'static str),
    /// The checksum is wrong.
    #[error("the weight file is damaged: its checksum is wrong; copy it again")]
    Damaged,
    /// The second line cannot be read.
    #[error("the weight file's second line cannot be read: {0}; copy it again")]
    Header(String),
    /// These are weights of something else.
    #[error(
        "weights of {found}, but {wanted} are needed; docs/learning.md tells how they are made"
    )]
    Other {
        /// What they are.
        found: String,
        /// What they should be.
        wanted: String,
    },
    /// These are of an older version of the model.
    #[error("the file is of version {found}, but this program reads version {wanted}: {remedy}")]
    Old {
        /// Its version.
        found: u32,
        /// The version that is read.
        wanted: u32,
        /// What to do.
        remedy: &'static str,
    },
    /// A section is missing or makes no sense.
    #[error("section '{section}' of the weights: {problem}; learn them again")]
    Section {
        /// Its name.
        section: String,
        /// What is wrong.
        problem: String,
    },
}

#[derive(Serialize, Deserialize)]
struct Header {
    format: u32,
    game: String,
    model: String,
    model_version: u32,
    provenance: Provenance,
    sections: Vec<(String, u64)>,
}

impl WeightFile {
    /// A file without sections yet.
    #[must_use]
    pub fn new(game: &str, model: &str, version: u32, provenance: Provenance) -> Self {
        let (game, model) = (game.to_owned(), model.to_owned());
        Self { game, model, version, provenance, sections: Vec::new() }
    }

    /// Adds a section.
    pub fn push_section(&mut self, name: &str, bytes: Vec<u8>) {
        self.sections.push((name.to_owned(), bytes));
    }

    /// The bytes of a section.
    ///
    /// # Errors
    /// There is none of that name.
    pub fn section(&self, name: &str) -> Result<&[u8], WeightFileError> {
        let found = self.sections.iter().find(|(section, _)| section == name);
        found.map(|(_, bytes)| bytes.as_slice()).ok_or_else(|| WeightFileError::Section {
            section: name.to_owned(),
            problem: "it is missing".to_owned(),
        })
    }

    /// The names of all sections, in their order.
    pub fn section_names(&self) -> impl Iterator<Item = &str> {
        self.sections.iter().map(|(name, _)| name.as_str())
    }

    /// Adds a section of rising numbers: their steps, seven bits a byte, the lowest first.
    pub fn push_rising(&mut self, name: &str, numbers: impl IntoIterator<Item = u64>) {
        let mut bytes = Vec::new();
        let mut before = 0;
        for number in numbers {
            let mut step = number - before;
            before = number;
            while step >= 128 {
                bytes.push(step as u8 | 128);
                step >>= 7;
            }
            bytes.push(step as u8);
        }
        self.push_section(name, bytes);
    }

    /// The numbers of a section that [`WeightFile::push_rising`] wrote.
    ///
    /// # Errors
    /// There is none of that name, it ends within a number, or the numbers do not rise.
    pub fn rising(&self, name: &str) -> Result<Vec<u64>, WeightFileError> {
        let wrong = |problem: &str| WeightFileError::Section {
            section: name.to_owned(),
            problem: problem.to_owned(),
        };
        let mut bytes = self.section(name)?;
        let mut numbers: Vec<u64> = Vec::new();
        while !bytes.is_empty() {
            let step = take_number(&mut bytes).ok_or_else(|| wrong("half a key"))?;
            let before = numbers.last().copied().unwrap_or(0);
            let number = before.checked_add(step).filter(|_| step > 0 || numbers.is_empty());
            numbers.push(number.ok_or_else(|| wrong("the keys do not rise"))?);
        }
        Ok(numbers)
    }

    /// Refuses the weights of anything else.
    ///
    /// # Errors
    /// These are such weights.
    pub fn check(&self, game: &str, model: &str, version: u32) -> Result<(), WeightFileError> {
        let name = |game: &str, model: &str, version| format!("{game}, {model}, version {version}");
        let found = name(&self.game, &self.model, self.version);
        let wanted = name(game, model, version);
        if found == wanted { Ok(()) } else { Err(WeightFileError::Other { found, wanted }) }
    }

    /// The file as bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let header = Header {
            format: FORMAT,
            game: self.game.clone(),
            model: self.model.clone(),
            model_version: self.version,
            provenance: self.provenance.clone(),
            sections: self.sections.iter().map(|(n, b)| (n.clone(), b.len() as u64)).collect(),
        };
        let mut bytes = MAGIC.to_vec();
        let json = serde_json::to_vec(&header).expect("strings and numbers are JSON");
        bytes.extend(json);
        bytes.push(b'\n');
        self.sections.iter().for_each(|(_, section)| bytes.extend(section));
        let checksum = crc32fast::hash(&bytes);
        bytes.extend(checksum.to_le_bytes());
        bytes
    }

    /// Reads a file.
    ///
    /// # Errors
    /// It is no weight file, of another format, cut off or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, WeightFileError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or_else(|| {
            let begins = MAGIC.starts_with(bytes) && !bytes.is_empty();
            if begins {
                WeightFileError::CutOff("its first line")
            } else {
                WeightFileError::NotWeights
            }
        })?;
        let end = rest.iter().position(|&byte| byte == b'\n');
        let (header, rest) = rest.split_at(end.ok_or(WeightFileError::CutOff("its second line"))?);
        let header: serde_json::Value =
            serde_json::from_slice(header).map_err(|e| WeightFileError::Header(e.to_string()))?;
        let format = header.get("format").and_then(serde_json::Value::as_u64);
        match format {
            Some(format) if format == u64::from(FORMAT) => {}
            Some(format) => {
                return Err(WeightFileError::Format(u32::try_from(format).unwrap_or(u32::MAX)));
            }
            None => return Err(WeightFileError::Header("there is no format".to_owned())),
        }
        let header: Header =
            serde_json::from_value(header).map_err(|e| WeightFileError::Header(e.to_string()))?;
        let mut rest = &rest[1..];
        let mut sections = Vec::new();
        for (name, length) in header.sections {
            let length = usize::try_from(length).unwrap_or(usize::MAX);
            let cut = WeightFileError::CutOff("a section");
            let (section, after) = rest.split_at_checked(length).ok_or(cut)?;
            sections.push((name, section.to_vec()));
            rest = after;
        }
        if rest.len() < CHECKSUM {
            return Err(WeightFileError::CutOff("its checksum"));
        }
        let checksum = crc32fast::hash(&bytes[..bytes.len() - rest.len()]);
        if rest != checksum.to_le_bytes() {
            return Err(WeightFileError::Damaged);
        }
        Ok(Self {
            game: header.game,
            model: header.model,
            version: header.model_version,
            provenance: header.provenance,
            sections,
        })
    }
}

/// Takes a number of at most 63 bits from the front.
fn take_number(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..63).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 127) << shift;
        if byte < 128 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn file() -> WeightFile {
        let provenance =
            Provenance { games: 3, notes: "from\nnowhere".to_owned(), ..Provenance::default() };
        let mut file = WeightFile::new("go", "teams", 2, provenance);
        file.push_section("one", vec![1, 2, 3, b'\n']);
        file.push_section("none", Vec::new());
        file
    }

    #[test]
    fn what_is_written_is_read() {
        let read = WeightFile::from_bytes(&file().to_bytes()).unwrap();
        assert_eq!(read, file());
        assert_eq!(read.section("one").unwrap(), [1, 2, 3, b'\n']);
        let missing = read.section("two").unwrap_err().to_string();
        assert!(missing.contains("'two'") && missing.contains("missing"), "{missing}");
        assert_eq!(read.check("go", "teams", 2), Ok(()));
        let other = read.check("hex", "teams", 2).unwrap_err().to_string();
        assert!(other.contains("weights of go, teams, version 2, but hex"), "{other}");
    }

    #[test]
    fn rising_numbers_are_read_as_written() {
        let numbers = [0, 1, 128, 300, 1 << 40, (1 << 62) + 5];
        let mut file = file();
        file.push_rising("keys", numbers);
        file.push_rising("no keys", []);
        assert_eq!(file.rising("keys").unwrap(), numbers);
        assert!(file.rising("no keys").unwrap().is_empty());
        // 300 is 0b10_0101100.
        file.push_rising("300", [300]);
        assert_eq!(file.section("300").unwrap(), [0b1010_1100, 0b10]);
        for (bytes, problem) in [(vec![3, 0], "do not rise"), (vec![3, 200], "half a key")] {
            file.push_section(problem, bytes);
            let error = file.rising(problem).unwrap_err().to_string();
            assert!(error.contains(problem), "{error}");
        }
    }

    #[test]
    fn every_cut_and_every_changed_byte_is_found() {
        let bytes = file().to_bytes();
        for length in 0..bytes.len() {
            assert!(WeightFile::from_bytes(&bytes[..length]).is_err(), "{length}");
        }
        for place in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[place] ^= 0x10;
            assert!(WeightFile::from_bytes(&changed).is_err(), "{place}");
        }
        let more = [bytes.as_slice(), b"x"].concat();
        assert_eq!(WeightFile::from_bytes(&more), Err(WeightFileError::Damaged));
    }

    #[test]
    fn other_files_are_named_as_such() {
        let error = |bytes: &[u8]| WeightFile::from_bytes(bytes).unwrap_err();
        assert_eq!(error(b""), WeightFileError::NotWeights);
        assert_eq!(error(b"(;GM[1])"), WeightFileError::NotWeights);
        assert_eq!(error(b"Kosumi weights\n{\"format\":9}\n"), WeightFileError::Format(9));
        assert!(matches!(error(b"Kosumi weights\n{\"format\":1}\n"), WeightFileError::Header(_)));
        assert!(matches!(error(b"Kosumi weights\nnothing\n"), WeightFileError::Header(_)));
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = WeightFile::from_bytes(&[b"Kosumi weights\n".as_slice(), &bytes].concat());
        }
    }
}
