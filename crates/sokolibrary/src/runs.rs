//! Runs over many levels, so that they are found again after the program that began them has ended, however it ended.
//!
//! A library keeps the words of that program, and does not read them.

use rusqlite::{OptionalExtension, Row, params};

use crate::changes::{Changes, NOW, count, int};
use crate::library::Library;
use crate::library_error::{LibraryError, LibraryProblem};
use crate::schema;

/// A run over many levels, in the words of the program that began it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoredRun {
    /// Its number, from 1.
    pub number: u64,
    /// What was asked for.
    pub request: String,
    /// What it has come to so far.
    pub account: String,
    /// When it began: UTC.
    pub begun_at: String,
    /// When the account was written: UTC.
    pub at: String,
}

/// The columns that [`StoredRun::of_row`] reads.
pub(crate) const COLUMNS: &str = "run_id, request, account, begun_at, at";

impl StoredRun {
    pub(crate) fn of_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            number: count(row.get(0)?),
            request: row.get(1)?,
            account: row.get(2)?,
            begun_at: row.get(3)?,
            at: row.get(4)?,
        })
    }
}

impl Library {
    /// Returns the runs, in the order in which they began.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn runs(&self) -> Result<Vec<StoredRun>, LibraryError> {
        self.read(|connection| {
            if !schema::has_runs(connection)? {
                return Ok(Vec::new());
            }
            let mut statement = connection.prepare_cached(&format!("SELECT {COLUMNS} FROM run ORDER BY run_id"))?;
            let rows = statement.query_map([], StoredRun::of_row)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }
}

impl Changes<'_> {
    /// Notes a run that begins, and returns it.
    ///
    /// ```
    /// use sokolibrary::Library;
    ///
    /// let mut library = Library::in_memory()?;
    /// let run = library.write(|changes| changes.begin_run("optimize everything", "nothing yet"))?;
    /// library.write(|changes| changes.set_run_account(run.number, "3 moves gained"))?;
    /// assert_eq!(library.runs()?[0].account, "3 moves gained");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn begin_run(&self, request: &str, account: &str) -> Result<StoredRun, LibraryProblem> {
        let sql = format!(
            "INSERT INTO run (request, account, begun_at, at) VALUES (?1, ?2, {NOW}, {NOW}) RETURNING {COLUMNS}"
        );
        Ok(self.transaction.prepare_cached(&sql)?.query_row([request, account], StoredRun::of_row)?)
    }

    /// Returns a run; `None` if it was forgotten.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn run(&self, number: u64) -> Result<Option<StoredRun>, LibraryProblem> {
        let mut statement = self.transaction.prepare_cached(&format!("SELECT {COLUMNS} FROM run WHERE run_id = ?1"))?;
        Ok(statement.query_row([int(number)], StoredRun::of_row).optional()?)
    }

    /// Notes what a run has come to. One that was forgotten stays so.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn set_run_account(&self, number: u64, account: &str) -> Result<(), LibraryProblem> {
        let sql = format!("UPDATE run SET account = ?2, at = {NOW} WHERE run_id = ?1");
        self.transaction.prepare_cached(&sql)?.execute(params![int(number), account])?;
        Ok(())
    }

    /// Forgets a run. What it has found stays.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn forget_run(&self, number: u64) -> Result<(), LibraryProblem> {
        self.transaction.prepare_cached("DELETE FROM run WHERE run_id = ?1")?.execute([int(number)])?;
        Ok(())
    }

    /// Puts a run of another library in its place: for a repair.
    pub(crate) fn put_run(&self, run: &StoredRun) -> Result<(), LibraryProblem> {
        let sql = format!("INSERT OR REPLACE INTO run ({COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5)");
        let row = params![int(run.number), run.request, run.account, run.begun_at, run.at];
        self.transaction.prepare_cached(&sql)?.execute(row)?;
        Ok(())
    }
}
