//! Files that are there whole or not at all.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
    process,
};

/// A file that could not be written; what was there before is untouched.
#[derive(Debug, thiserror::Error)]
#[error(
    "cannot write {}: {source}; check that the directory exists, is writable and has space left",
    path.display()
)]
#[non_exhaustive]
pub struct WriteError {
    /// The file.
    pub path: PathBuf,
    /// What the system says.
    pub source: io::Error,
}

/// Writes `bytes` to `path` so that at any moment, even if the process or the machine dies, the
/// file has either its old content or all of the new: a temporary file in the same directory is
/// written, synced and renamed. A symbolic link is followed and keeps pointing to the file.
///
/// # Errors
/// The file could not be written; the old one, if any, is as it was.
pub fn write_atomically(path: impl AsRef<Path>, bytes: &[u8]) -> Result<(), WriteError> {
    let path = path.as_ref();
    replace(path, bytes).map_err(|source| WriteError { path: path.to_owned(), source })
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let old = fs::metadata(path).ok();
    let target = match &old {
        Some(_) => fs::canonicalize(path)?,
        None => path.to_owned(),
    };
    if old.as_ref().is_some_and(fs::Metadata::is_dir) || target.file_name().is_none() {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "this names a directory, not a file",
        ));
    }
    let directory = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let (mut file, temporary) = create_temporary(directory)?;
    let written = file
        .write_all(bytes)
        .and_then(|()| match &old {
            Some(old) => file.set_permissions(old.permissions()),
            None => Ok(()),
        })
        .and_then(|()| file.sync_all());
    drop(file);
    let renamed = written.and_then(|()| fs::rename(&temporary, &target));
    if renamed.is_err() {
        // The first error is the one to tell; a temporary file that stays harms nobody.
        let _ = fs::remove_file(&temporary);
        return renamed;
    }
    // The rename itself survives a power cut only once the directory is synced, which not every
    // system allows.
    if let Ok(directory) = File::open(directory) {
        let _ = directory.sync_all();
    }
    Ok(())
}

/// A new file under a name that nobody uses, neither another thread nor a process that died.
fn create_temporary(directory: &Path) -> io::Result<(File, PathBuf)> {
    for attempt in 0..10_000u32 {
        let path = directory.join(format!(".kosumi-{}-{attempt}.tmp", process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => return Ok((file, path)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::new(
        io::ErrorKind::AlreadyExists,
        "too many files .kosumi-*.tmp in the directory; remove them",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch(name: &str) -> PathBuf {
        let directory = std::env::temp_dir().join(format!("kosumi-{name}-{}", process::id()));
        fs::create_dir_all(&directory).unwrap();
        directory
    }

    #[test]
    fn replaces_whole_files_and_leaves_nothing_else() {
        let directory = scratch("atomic");
        let path = directory.join("game.sgf");
        write_atomically(&path, b"(;)").unwrap();
        write_atomically(&path, b"(;C[longer])").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"(;C[longer])");
        assert_eq!(fs::read_dir(&directory).unwrap().count(), 1);
        fs::remove_dir_all(directory).unwrap();
    }

    #[test]
    fn threads_do_not_meet() {
        let directory = scratch("atomic-threads");
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let directory = &directory;
                scope.spawn(move || {
                    for i in 0..10 {
                        let path = directory.join(format!("{thread}-{i}.sgf"));
                        write_atomically(&path, path.to_string_lossy().as_bytes()).unwrap();
                    }
                });
            }
        });
        for entry in fs::read_dir(&directory).unwrap() {
            let path = entry.unwrap().path();
            assert_eq!(fs::read(&path).unwrap(), path.to_string_lossy().as_bytes());
        }
        fs::remove_dir_all(directory).unwrap();
    }

    #[test]
    fn errors_name_the_file() {
        let directory = scratch("atomic-errors");
        let error = write_atomically(directory.join("none/game.sgf"), b"").unwrap_err();
        assert!(error.to_string().contains("game.sgf"), "{error}");
        assert!(write_atomically(&directory, b"").is_err());
        assert!(write_atomically("", b"").is_err());
        assert_eq!(fs::read_dir(&directory).unwrap().count(), 0);
        fs::remove_dir_all(directory).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link() {
        let directory = scratch("atomic-link");
        let (file, link) = (directory.join("file"), directory.join("link"));
        write_atomically(&file, b"old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write_atomically(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
        fs::remove_dir_all(directory).unwrap();
    }
}
