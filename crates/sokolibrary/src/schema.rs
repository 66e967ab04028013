//! The tables of a library and their versions.
//!
//! | version | since | what changed |
//! |---|---|---|
//! | 1 | 0.1.0 | the first |
//! | 2 | 0.1.0 | the table `run` |
//!
//! Invariant: a library has the application id of Soko and, as its user version, that of its schema. A migration is one
//! transaction: a library has its old version or the new one.

use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::library_error::LibraryProblem;

/// The latest version.
pub(crate) const VERSION: i64 = 2;
/// The first version with the table `run`.
const VERSION_OF_RUNS: i64 = 2;
/// "Soko" in ASCII: what `file` and SQLite tools tell a library by.
const APPLICATION_ID: i64 = 0x536F_6B6F;

/// What leads from each version to the next one, from none on.
const MIGRATIONS: [&str; 2] = [include_str!("schema.sql"), include_str!("schema_2.sql")];

/// Brings a database to the latest version. One of another program, or of a later version, is left as it is.
pub(crate) fn migrate(connection: &mut Connection) -> Result<(), LibraryProblem> {
    if version(connection)? == VERSION {
        return Ok(());
    }
    // Another process may migrate at the same time, so the version is read again under the lock.
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found = usize::try_from(version_in(&transaction)?).unwrap_or(MIGRATIONS.len());
    for migration in &MIGRATIONS[found..] {
        transaction.execute_batch(migration)?;
    }
    set_version(&transaction)?;
    Ok(transaction.commit()?)
}

/// Reads the version: 0 for a database without tables.
pub(crate) fn version(connection: &Connection) -> Result<i64, LibraryProblem> {
    // One transaction reads one state, also while another process makes the tables.
    let snapshot = connection.unchecked_transaction()?;
    version_in(&snapshot)
}

/// Returns whether there is a table of runs. One where nothing can be written keeps its old version.
pub(crate) fn has_runs(connection: &Connection) -> Result<bool, LibraryProblem> {
    Ok(version(connection)? >= VERSION_OF_RUNS)
}

fn version_in(connection: &Connection) -> Result<i64, LibraryProblem> {
    let pragma = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let (application, version) = (pragma("application_id")?, pragma("user_version")?);
    let n_tables: i64 = connection.query_row("SELECT COUNT(*) FROM sqlite_master", [], |row| row.get(0))?;
    match (application, version) {
        (APPLICATION_ID, found) if found > VERSION => Err(LibraryProblem::Newer { found, known: VERSION }),
        (APPLICATION_ID, found) if found > 0 => Ok(found),
        (0, 0) if n_tables == 0 => Ok(0),
        _ => Err(LibraryProblem::NotALibrary),
    }
}

fn set_version(transaction: &Transaction<'_>) -> Result<(), LibraryProblem> {
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    Ok(transaction.pragma_update(None, "user_version", VERSION)?)
}
