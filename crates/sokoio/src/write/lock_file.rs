//! Locks for output files: of all runs that write a file, one at a time.
//!
//! ```text
//!   out.sok               what is written, replaced as a whole
//!   .out.sok.soko-lock    empty; locked by the run that writes out.sok, and removed when it ends
//! ```
//!
//! The output itself cannot be locked, because every write puts a new file in its place. The system ends a lock with
//! its process, so a lock file that a killed run left is no obstacle.
//!
//! Invariant: of all locks of a path, one at most is on the file that has the name of the lock file. Between opening
//! the lock file and locking it, the run before may have removed it; then the lock is on a file without a name, and
//! it is made again. Where the system gives no identity of files, the lock file stays and so the name never changes.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// How often a lock file may vanish between opening and locking before that is an error.
const MAX_ATTEMPTS: usize = 1000;

/// The exclusive right to write a file, as long as this value lives.
///
/// ```
/// use sokoio::{LockError, OutputLock};
/// let directory = tempfile::tempdir()?;
/// let path = directory.path().join("out.sok");
/// let lock = OutputLock::acquire(&path)?;
/// assert!(matches!(OutputLock::acquire(&path), Err(LockError::Held { .. })));
/// drop(lock);
/// assert!(OutputLock::acquire(&path).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "the lock ends when it is dropped"]
pub struct OutputLock {
    /// The lock file.
    path: PathBuf,
    file: File,
}

/// Why an output file is not locked.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LockError {
    /// Another run has the lock.
    #[error("{} is being written by another run of Soko; wait for it to end or choose another file", path.display())]
    Held {
        /// The output file.
        path: PathBuf,
    },
    /// The lock file cannot be made.
    #[error("cannot make a lock file beside {}; check that the directory exists and may be written", path.display())]
    Create {
        /// The output file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The file system has no locks.
    #[error("cannot lock {}; its file system has no locks, so choose a file elsewhere", path.display())]
    Unsupported {
        /// The output file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
}

impl OutputLock {
    /// Locks an output file, which need not exist. Never waits. A link is followed.
    ///
    /// # Errors
    /// Another run writes the file, no lock file can be made beside it, or the file system has no locks.
    pub fn acquire(path: &Path) -> Result<Self, LockError> {
        let create = |source| LockError::Create { path: path.to_owned(), source };
        let lock_path = lock_path(path).map_err(create)?;
        for _ in 0..MAX_ATTEMPTS {
            let (file, is_new) = open(&lock_path).map_err(create)?;
            let locked = file.try_lock();
            if let Err(TryLockError::Error(source)) = locked {
                // A file that was there may be locked by another run, and keeps its name.
                if is_new {
                    let _ = fs::remove_file(&lock_path);
                }
                return Err(LockError::Unsupported { path: path.to_owned(), source });
            }
            // What has lost its name is about to be given up, or was: the name is free for another file.
            if !has_name(&file, &lock_path) {
                continue;
            }
            return match locked {
                Ok(()) => Ok(Self { path: lock_path, file }),
                Err(_) => Err(LockError::Held { path: path.to_owned() }),
            };
        }
        Err(create(io::Error::other("the lock file vanishes again and again")))
    }
}

impl Drop for OutputLock {
    fn drop(&mut self) {
        // Removed while locked: a run that has it open and locks it afterward finds that it has no name.
        if cfg!(unix) && has_name(&self.file, &self.path) {
            let _ = fs::remove_file(&self.path);
        }
        let _ = self.file.unlock();
    }
}

/// Opens a lock file, and says whether it is new.
fn open(lock_path: &Path) -> io::Result<(File, bool)> {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    match options.clone().create_new(true).open(lock_path) {
        Ok(file) => Ok((file, true)),
        // Without the permission to make files, one that is there can be opened all the same.
        Err(_) => Ok((options.create(true).truncate(false).open(lock_path)?, false)),
    }
}

/// The path of the lock file for an output file.
fn lock_path(path: &Path) -> io::Result<PathBuf> {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let name = target.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "no name of a file"))?;
    let mut lock_name = OsString::from(".");
    lock_name.push(name);
    lock_name.push(".soko-lock");
    Ok(target.with_file_name(lock_name))
}

/// Whether a path leads to this open file.
#[cfg(unix)]
fn has_name(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), fs::metadata(path)) {
        (Ok(open), Ok(named)) => (open.dev(), open.ino()) == (named.dev(), named.ino()),
        _ => false,
    }
}

/// Lock files are not removed here, so a path always leads to the same one.
#[cfg(not(unix))]
fn has_name(_file: &File, _path: &Path) -> bool {
    true
}
