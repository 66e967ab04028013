//! A library: the file, and the connection to it.

use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use crate::changes::{Changes, NOW};
use crate::library_error::{LibraryError, LibraryProblem};
use crate::{read_only, schema, schema_page};

/// How long a change of another process is waited for.
const PATIENCE: Duration = Duration::from_secs(60);
/// The pause between tries where SQLite itself does not wait.
const RETRY: Duration = Duration::from_millis(10);
/// Prepared statements that are kept.
const N_STATEMENTS: usize = 64;
/// Memory for pages, in KiB; SQLite takes a negative number as that.
const PAGE_CACHE: i64 = -65_536;

/// A library of levels and solutions in one file.
///
/// Reading needs no lock and sees the state after some whole change. [`Library::write`] changes it.
///
/// ```
/// use sokolibrary::Library;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("library.sqlite");
/// assert!(Library::open(&path).is_err());
/// Library::create_or_open(&path)?;
/// assert_eq!(Library::open(&path)?.collections()?.len(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Library {
    path: PathBuf,
    connection: Connection,
}

impl Library {
    /// Opens a library that exists. One that nothing can be written beside, as on a full or read-only disk, is opened to
    /// be read, unless the last changes are still in a journal that would have to be worked off first.
    ///
    /// # Errors
    /// There is no such file, it is no library, it is of a later version, or it cannot be read.
    pub fn open(path: &Path) -> Result<Self, LibraryError> {
        if !path.exists() {
            return Err(LibraryProblem::Missing.of(path));
        }
        let opened = Self::connect(path, OpenFlags::empty());
        match &opened {
            Err(error) if error.problem.is_of_place() && read_only::is_whole_without_journal(path) => {
                read_only::open(path).map(|connection| Self { path: path.to_owned(), connection }).or(opened)
            }
            _ => opened,
        }
    }

    /// Opens a library; makes one, with the folders above it, if there is none.
    ///
    /// # Errors
    /// The file is no library, is of a later version, or cannot be read or made.
    pub fn create_or_open(path: &Path) -> Result<Self, LibraryError> {
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.exists()) {
            // SQLite tells what is wrong with the folder.
            std::fs::create_dir_all(folder).unwrap_or_default();
        }
        Self::connect(path, OpenFlags::SQLITE_OPEN_CREATE)
    }

    /// Makes a library without a file, for tests.
    ///
    /// # Errors
    /// There is no memory.
    pub fn in_memory() -> Result<Self, LibraryError> {
        let path = Path::new(":memory:");
        Connection::open_in_memory()
            .map_err(LibraryProblem::from)
            .and_then(prepared)
            .map_err(|problem| problem.of(path))
            .map(|connection| Self { path: path.to_owned(), connection })
    }

    fn connect(path: &Path, flags: OpenFlags) -> Result<Self, LibraryError> {
        // SQLite would wait for what a pipe has to say.
        if path.exists() && !path.is_file() {
            return Err(LibraryProblem::NotAFile.of(path));
        }
        let flags = flags | OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).map_err(LibraryProblem::from).and_then(prepared);
        let connection = connection.map_err(|problem| match problem {
            LibraryProblem::NotADatabase if schema_page::follows(path) => LibraryProblem::DamagedHeader.of(path),
            problem => problem.of(path),
        })?;
        Ok(Self { path: path.to_owned(), connection })
    }

    /// Returns the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Changes the library: all of what the function does or, if it returns an error, nothing of it. A change of
    /// another process is waited for.
    ///
    /// # Errors
    /// That of the function, or the change cannot be written.
    pub fn write<T>(
        &mut self,
        change: impl FnOnce(&Changes<'_>) -> Result<T, LibraryProblem>,
    ) -> Result<T, LibraryError> {
        let begin = self.connection.transaction_with_behavior(TransactionBehavior::Immediate);
        let done = begin.map_err(LibraryProblem::from).and_then(|transaction| {
            let result = change(&Changes::new(&transaction))?;
            transaction.commit()?;
            Ok(result)
        });
        done.map_err(|problem| problem.of(&self.path))
    }

    /// Reads something, with the file named in the error.
    pub(crate) fn read<T>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, LibraryProblem>,
    ) -> Result<T, LibraryError> {
        read(&self.connection).map_err(|problem| problem.of(&self.path))
    }

    /// Gives room that is not used any more back to the disk. Returns the size of the file in bytes, before and after.
    ///
    /// # Errors
    /// The disk has no room for a second copy, or the file cannot be written.
    pub fn compact(&mut self) -> Result<(u64, u64), LibraryError> {
        let before = self.size()?;
        self.read(|connection| {
            connection.execute_batch(
                "PRAGMA wal_checkpoint(TRUNCATE); VACUUM; PRAGMA optimize; PRAGMA wal_checkpoint(TRUNCATE);",
            )?;
            Ok(())
        })?;
        Ok((before, self.size()?))
    }

    /// Returns the time, as the library writes it: UTC, such as `2026-11-23T21:04:09.250Z`. The order of texts is that of
    /// times.
    ///
    /// # Errors
    /// SQLite has no clock.
    pub fn now(&self) -> Result<String, LibraryError> {
        self.read(|connection| Ok(connection.query_row(&format!("SELECT {NOW}"), [], |row| row.get(0))?))
    }

    /// Returns the size of the library in bytes.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn size(&self) -> Result<u64, LibraryError> {
        self.read(|connection| {
            let pragma = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
            let n_bytes = pragma("page_count")? * pragma("page_size")?;
            Ok(u64::try_from(n_bytes).unwrap_or(0))
        })
    }
}

/// Gives a database a write-ahead log, if it has none. SQLite does not wait for other connections here.
fn write_ahead(connection: &Connection) -> Result<(), LibraryProblem> {
    let mut n_left = PATIENCE.as_millis() / RETRY.as_millis();
    loop {
        match connection.pragma_update(None, "journal_mode", "WAL").map_err(LibraryProblem::from) {
            Err(LibraryProblem::Busy) if n_left > 0 => sleep(RETRY),
            done => return done,
        }
        n_left -= 1;
    }
}

/// Sets a connection up and brings the database to the latest version.
fn prepared(mut connection: Connection) -> Result<Connection, LibraryProblem> {
    connection.busy_timeout(PATIENCE)?;
    // What another program made is not touched: not even its journal.
    schema::version(&connection)?;
    write_ahead(&connection)?;
    // A change is on the disk when it is reported.
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "cache_size", PAGE_CACHE)?;
    connection.set_prepared_statement_cache_capacity(N_STATEMENTS);
    schema::migrate(&mut connection)?;
    Ok(connection)
}
