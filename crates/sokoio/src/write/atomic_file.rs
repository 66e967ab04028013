//! Files written as a whole: a reader sees the old bytes or the new ones, never a part.
//!
//! The bytes go to a temporary file in the same directory, are synced to the disk, and take the name in one step.
//! If anything fails before that step, the old file is untouched.
//!
//! A process that is killed before that step leaves its temporary file. The next writing into the directory removes it:
//! who writes holds a lock, so one without a lock, and older than a minute, belongs to no process.

use std::fs::{self, DirEntry, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::{Builder, NamedTempFile};
use thiserror::Error;

/// How the names of temporary files begin and end.
const PREFIX: &str = ".soko-";
const SUFFIX: &str = ".tmp";
/// Between its creation and its lock a temporary file is younger than this.
const MIN_AGE: Duration = Duration::from_secs(60);

/// Why a file was not written. A file that had the name before is unchanged.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WriteFileError {
    /// No temporary file can be made in the directory.
    #[error("cannot create a file next to {}; check that the directory exists and may be written", path.display())]
    Create {
        /// The file to be written.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The bytes cannot be written to the disk.
    #[error("cannot write the new text of {}; check the space left on the disk", path.display())]
    Write {
        /// The file to be written.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The new file cannot take the name.
    #[error("cannot put the new text in the place of {}; check that the file may be replaced", path.display())]
    Replace {
        /// The file to be written.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The name of a new file is taken.
    #[error("{} exists already; remove it or choose another name", path.display())]
    Exists {
        /// The file to be written.
        path: PathBuf,
    },
}

/// Writes a file, replacing an old one in one step. Permissions of the old file are kept; a link is followed.
///
/// ```
/// use sokoio::{Collection, write_file};
///
/// let directory = tempfile::tempdir()?;
/// let path = directory.path().join("levels.sok");
/// write_file(&path, b"#####\n#@$.#\n#####\n")?;
/// assert_eq!(Collection::read(&path)?.levels().len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The directory cannot be written, the disk is full, or the file cannot be replaced. The old file is unchanged.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), WriteFileError> {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let temporary = write_temporary(path, &target, bytes)?;
    temporary
        .persist(&target)
        .map_err(|error| WriteFileError::Replace { path: path.to_owned(), source: error.error })?;
    sync_directory(&target);
    Ok(())
}

/// Writes a file that must not exist yet.
///
/// ```
/// use sokoio::{WriteFileError, write_new_file};
///
/// let directory = tempfile::tempdir()?;
/// let path = directory.path().join("levels.sok");
/// write_new_file(&path, b"#####\n#@$.#\n#####\n")?;
/// assert!(matches!(write_new_file(&path, b""), Err(WriteFileError::Exists { .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`write_file`], and when the name is taken.
pub fn write_new_file(path: &Path, bytes: &[u8]) -> Result<(), WriteFileError> {
    let taken = || WriteFileError::Exists { path: path.to_owned() };
    if fs::symlink_metadata(path).is_ok() {
        return Err(taken());
    }
    let temporary = write_temporary(path, path, bytes)?;
    temporary.persist_noclobber(path).map_err(|error| match error.error.kind() {
        io::ErrorKind::AlreadyExists => taken(),
        _ => WriteFileError::Replace { path: path.to_owned(), source: error.error },
    })?;
    sync_directory(path);
    Ok(())
}

fn write_temporary(path: &Path, target: &Path, bytes: &[u8]) -> Result<NamedTempFile, WriteFileError> {
    let mut temporary =
        create_temporary(target).map_err(|source| WriteFileError::Create { path: path.to_owned(), source })?;
    // Where files cannot be locked, what is left is not removed.
    let _ = temporary.as_file().try_lock();
    remove_leftovers(directory(target));
    let mut write = || {
        if let Ok(old) = fs::metadata(target) {
            temporary.as_file().set_permissions(old.permissions())?;
        }
        temporary.write_all(bytes)?;
        temporary.as_file().sync_all()
    };
    write().map_err(|source| WriteFileError::Write { path: path.to_owned(), source })?;
    Ok(temporary)
}

fn create_temporary(target: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // What a new file usually gets; the system takes away what the user's mask says.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(directory(target))
}

/// Removes what processes that were killed have left.
fn remove_leftovers(directory: &Path) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.as_encoded_bytes();
        if name.starts_with(PREFIX.as_bytes()) && name.ends_with(SUFFIX.as_bytes()) && is_leftover(&entry) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn is_leftover(entry: &DirEntry) -> bool {
    let age = || entry.metadata().ok().filter(fs::Metadata::is_file)?.modified().ok()?.elapsed().ok();
    let is_free = || File::options().write(true).open(entry.path()).is_ok_and(|file| file.try_lock().is_ok());
    age().is_some_and(|age| age >= MIN_AGE) && is_free()
}

fn directory(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes the new name survive a power cut. Not every system can; the file itself is safe either way.
fn sync_directory(path: &Path) {
    if cfg!(unix) {
        let _ = File::open(directory(path)).and_then(|directory| directory.sync_all());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(directory: &Path) -> Vec<String> {
        let name = |entry: io::Result<DirEntry>| entry.unwrap().file_name().into_string().unwrap();
        let mut names: Vec<_> = fs::read_dir(directory).unwrap().map(name).collect();
        names.sort();
        names
    }

    #[test]
    fn replaces_and_leaves_nothing_behind() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.sok");
        write_file(&path, b"old").unwrap();
        write_file(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(names(directory.path()), ["a.sok"]);
    }

    #[test]
    fn removes_what_a_killed_process_has_left() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        let old = |name: &str| {
            let file = File::create(path(name)).unwrap();
            file.set_modified(std::time::SystemTime::now() - 2 * MIN_AGE).unwrap();
            file
        };
        for name in [".soko-left.tmp", "soko-other.tmp", ".soko-young.tmp"] {
            old(name);
        }
        fs::write(path(".soko-young.tmp"), "just now").unwrap();
        let written = old(".soko-written.tmp");
        written.try_lock().unwrap();
        write_file(&path("a.sok"), b"new").unwrap();
        assert_eq!(names(directory.path()), [".soko-written.tmp", ".soko-young.tmp", "a.sok", "soko-other.tmp"]);
    }

    #[test]
    fn a_new_file_replaces_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.sok");
        write_new_file(&path, b"old").unwrap();
        let error = write_new_file(&path, b"new").unwrap_err();
        assert!(matches!(error, WriteFileError::Exists { .. }));
        assert!(error.to_string().ends_with("a.sok exists already; remove it or choose another name"));
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(directory.path()), ["a.sok"]);
    }

    #[test]
    fn errors_name_the_file() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("missing").join("a.sok");
        let error = write_file(&path, b"text").unwrap_err();
        assert!(matches!(error, WriteFileError::Create { .. }));
        assert!(error.to_string().contains("a.sok; check that the directory exists"));
        let error = write_file(directory.path(), b"text").unwrap_err();
        assert!(matches!(error, WriteFileError::Replace { .. }));
    }

    #[cfg(unix)]
    #[test]
    fn keeps_permissions_and_follows_links() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let directory = tempfile::tempdir().unwrap();
        let (path, link) = (directory.path().join("a.sok"), directory.path().join("link.sok"));
        write_file(&path, b"old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&path, &link).unwrap();
        write_file(&link, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    }
}
