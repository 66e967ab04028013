//! What can go wrong with a library, with the file and what to do about it.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;
use sokocore::{ParseLevelError, ReplayError};
use thiserror::Error;

/// A library that cannot be opened, read or changed. Nothing of a change that fails is in the file.
///
/// It is written as the name of the file; its source says what is wrong.
#[derive(Debug, Error)]
#[error("library {}", .path.display())]
#[non_exhaustive]
pub struct LibraryError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong.
    #[source]
    pub problem: LibraryProblem,
}

/// What is wrong with a library.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LibraryProblem {
    /// The file does not exist, and was not to be made.
    #[error("there is no such file; `soko library add FILES` makes it")]
    Missing,
    /// The folder or the file cannot be opened.
    #[error("it cannot be opened; see whether its folder exists and may be written")]
    CannotOpen(#[source] SqliteError),
    /// The name is that of a folder, a pipe or a device.
    #[error("it is not a plain file; choose another name")]
    NotAFile,
    /// The file is something else.
    #[error("it is not a database; choose another file")]
    NotADatabase,
    /// The file begins like nothing, and continues like a library.
    #[error("its first page is damaged; `soko library check --repair` saves what can be read")]
    DamagedHeader,
    /// A repair has found nothing that it could save.
    #[error("no level can be read from it; it is left as it is")]
    NothingToSave,
    /// A database of another program.
    #[error("it is a database, but not a library of Soko; choose another file")]
    NotALibrary,
    /// A library of a later version.
    #[error("it has version {found} and this program knows versions up to {known}; use a newer Soko")]
    Newer {
        /// The version of the file.
        found: i64,
        /// The latest version that is known.
        known: i64,
    },
    /// Pages of the file are damaged.
    #[error("it is damaged; `soko library check --repair` saves what can be read")]
    Damaged(#[source] SqliteError),
    /// The disk has no room.
    #[error("the disk is full; make room and try again")]
    DiskFull,
    /// The file or its folder may not be written.
    #[error("it cannot be written; see the rights of the file and of its folder")]
    ReadOnly,
    /// Another process changes the library and does not end, or the file system fails at locks: SQLite says the same of both.
    #[error(
        "another program has been changing it for too long, or its file system fails to lock files; try again later, or \
         keep the library on a disk of this machine"
    )]
    Busy,
    /// Another process has it open, and it is to be replaced.
    #[error("another program has it open; end that and try again")]
    InUse,
    /// The system could not read or write.
    #[error("the system cannot read or write it; try again, and if that does not help check the disk")]
    Io(#[source] SqliteError),
    /// The file system gives no locks.
    #[error("its file system cannot lock files; keep the library on a disk of this machine")]
    NoLocks,
    /// Moves that do not solve their level.
    #[error("the moves do not solve the level")]
    Replay(#[from] ReplayError),
    /// A board that cannot be a level.
    #[error("the board is no level")]
    Board(#[from] ParseLevelError),
    /// The text of a collection cannot be unpacked.
    #[error("the text of the collection {name:?} is damaged; `soko library check --repair` saves the rest")]
    Text {
        /// The name of the collection.
        name: String,
    },
    /// There is no level of this identity.
    #[error("it has no level {identity}")]
    NoLevel {
        /// The identity.
        identity: String,
    },
    /// There is no collection of this name.
    #[error("it has no collection {name:?}; `soko library list` shows those that it has")]
    NoCollection {
        /// The name.
        name: String,
    },
    /// A new file for what is saved could not be put in place.
    #[error("the repaired file cannot be put in its place")]
    Replace(#[source] std::io::Error),
    /// Anything else that SQLite says.
    #[error("SQLite cannot do this; `soko library check` says whether the library is whole")]
    Sqlite(#[source] SqliteError),
}

/// An error of SQLite, in its words.
#[derive(Debug, Error)]
#[error("{}", words(.0))]
pub struct SqliteError(rusqlite::Error);

/// What SQLite says, without the number that follows.
fn words(error: &rusqlite::Error) -> String {
    let text = error.to_string();
    text.split_once(": Error code").map_or(text.clone(), |(words, _)| words.to_owned())
}

impl LibraryProblem {
    /// Names the file.
    pub(crate) fn of(self, path: &Path) -> LibraryError {
        LibraryError { path: path.to_owned(), problem: self }
    }

    /// Returns whether the folder or the disk is in the way, and not the file.
    pub(crate) const fn is_of_place(&self) -> bool {
        matches!(self, Self::CannotOpen(_) | Self::ReadOnly | Self::DiskFull | Self::Io(_))
    }

    /// Returns whether trying again later may help: the disk is full, or another process is at work.
    #[must_use]
    pub const fn may_pass(&self) -> bool {
        matches!(self, Self::DiskFull | Self::Busy | Self::Io(_))
    }
}

/// There is no room for the file of locks beside the library.
const SQLITE_IOERR_SHMSIZE: i32 = 10 | 19 << 8;

fn extended_code(error: &rusqlite::Error) -> i32 {
    error.sqlite_error().map_or(0, |error| error.extended_code)
}

impl From<rusqlite::Error> for LibraryProblem {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => Self::NotADatabase,
            Some(ErrorCode::DatabaseCorrupt) => Self::Damaged(SqliteError(error)),
            Some(ErrorCode::DiskFull) => Self::DiskFull,
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => Self::ReadOnly,
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy,
            Some(ErrorCode::FileLockingProtocolFailed) => Self::NoLocks,
            Some(ErrorCode::CannotOpen) => Self::CannotOpen(SqliteError(error)),
            Some(ErrorCode::SystemIoFailure) if extended_code(&error) == SQLITE_IOERR_SHMSIZE => Self::DiskFull,
            Some(ErrorCode::SystemIoFailure) => Self::Io(SqliteError(error)),
            _ => Self::Sqlite(SqliteError(error)),
        }
    }
}
