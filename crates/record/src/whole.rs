//! Files that are read as a whole: regular ones of a sane size.
//!
//! `/dev/urandom` has no end and a named pipe may have no beginning; reading either would never
//! return.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// The most bytes of a game record that is read as a whole.
pub const MOST_SGF_BYTES: u64 = 64 << 20;

/// Reads a regular file of at most so many bytes.
///
/// # Errors
/// The file cannot be read, is not a regular file, or is larger.
pub fn read_whole(path: impl AsRef<Path>, most_bytes: u64) -> io::Result<Vec<u8>> {
    let path = path.as_ref();
    // Asked before it is opened: to open a pipe without a writer waits for one.
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        let what = if metadata.is_dir() { "a directory" } else { "a device or a pipe" };
        let text = format!("this is {what}, and only regular files are read");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
    }
    read_at_most(File::open(path)?, most_bytes)
}

/// Reads a stream of at most so many bytes to its end.
///
/// # Errors
/// The stream cannot be read, or is longer.
pub fn read_at_most(input: impl Read, most_bytes: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(most_bytes + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most_bytes {
        let text = format!("larger than {} MB, the most that is read", most_bytes >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, text));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_of_a_sane_size_are_read() {
        let directory = std::env::temp_dir().join(format!("kosumi-whole-{}", std::process::id()));
        fs::create_dir_all(&directory).unwrap();
        let path = directory.join("file");
        fs::write(&path, vec![b'x'; 1 << 20]).unwrap();
        assert_eq!(read_whole(&path, 1 << 20).unwrap().len(), 1 << 20);
        let error = read_whole(&path, (1 << 20) - 1).unwrap_err().to_string();
        assert!(error.contains("larger than 0 MB"), "{error}");
        let error = read_whole(&directory, 1).unwrap_err().to_string();
        assert!(error.contains("a directory"), "{error}");
        #[cfg(unix)]
        {
            let error = read_whole("/dev/zero", 1 << 20).unwrap_err().to_string();
            assert!(error.contains("only regular files"), "{error}");
        }
        fs::remove_dir_all(directory).unwrap();
    }
}
