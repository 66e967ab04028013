//! The first page of a library, which says, with some others, where all tables begin. Without it nothing can be found.
//!
//! ```text
//!   damaged  │ ????????  │ level │ ... │ entry │ ...          new library  │ page 1 │ level │ ...
//!                  ▲                                                          │
//!                  └─── the names and first pages of the tables ──────────────┘
//! ```
//!
//! All libraries of a version have their tables at the same pages, but for those that were compacted, which have them at
//! others; so there are two first pages, and one of them is right. Indexes are elsewhere in each file, and are left
//! out: rows are read by their keys. So is the table of runs, which is elsewhere in libraries that were made before it:
//! the list of runs is lost with the first page.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use rusqlite::{Connection, params};

use crate::library_error::LibraryProblem;
use crate::schema;

/// Bytes of a page.
const PAGE: usize = 4096;
/// The first bytes of pages of a table: inner ones and leaves.
const TABLE_PAGES: [u8; 2] = [5, 13];

/// Which of the two first pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SchemaLayout {
    /// As tables are when they are made.
    Made,
    /// As they are after `VACUUM`.
    Compacted,
}

/// Returns whether the second page of a file is that of a table, as in every library.
pub(crate) fn follows(path: &Path) -> bool {
    let first_byte = || {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(PAGE as u64))?;
        let mut byte = [0];
        file.read_exact(&mut byte).map(|()| byte[0])
    };
    let is_whole = path.metadata().is_ok_and(|file| file.len().is_multiple_of(PAGE as u64));
    is_whole && first_byte().is_ok_and(|byte| TABLE_PAGES.contains(&byte))
}

/// Copies a damaged file, with the first page of a new library in the place of its own.
pub(crate) fn copy_with_new_page(damaged: &Path, copy: &Path, layout: SchemaLayout) -> Result<(), LibraryProblem> {
    let page = first_page(copy, layout)?;
    let replace = || {
        let n_bytes = fs::copy(damaged, copy)?;
        let n_pages = u32::try_from(n_bytes / PAGE as u64).unwrap_or(u32::MAX);
        let mut file = File::options().write(true).open(copy)?;
        file.write_all(&with_n_pages(page, n_pages))
    };
    replace().map_err(LibraryProblem::Replace)
}

/// Makes a first page that leads to the tables of a new library, by way of files at a path.
fn first_page(path: &Path, layout: SchemaLayout) -> Result<Vec<u8>, LibraryProblem> {
    let tables = tables_of_new(path, layout)?;
    fs::remove_file(path).map_err(LibraryProblem::Replace)?;
    let connection = Connection::open(path)?;
    connection.execute_batch("PRAGMA writable_schema = ON")?;
    for (name, root, sql) in tables {
        let insert = "INSERT INTO sqlite_master (type, name, tbl_name, rootpage, sql) VALUES ('table', ?1, ?1, ?2, ?3)";
        connection.execute(insert, params![name, root, sql])?;
    }
    drop(connection);
    let page = fs::read(path).map_err(LibraryProblem::Replace)?;
    assert_eq!(page.len(), PAGE, "invariant: the bare tables need one page");
    Ok(page)
}

/// Makes a new library, and returns its tables with their first pages, bare of comments, indexes and references, which
/// need further pages.
fn tables_of_new(path: &Path, layout: SchemaLayout) -> Result<Vec<(String, i64, String)>, LibraryProblem> {
    let mut connection = Connection::open(path)?;
    schema::migrate(&mut connection)?;
    if layout == SchemaLayout::Compacted {
        connection.execute_batch("VACUUM")?;
    }
    let columns =
        "SELECT group_concat(name || iif(pk, ' INTEGER PRIMARY KEY', '')) FROM pragma_table_info(tables.name)";
    let sql = format!(
        "SELECT name, rootpage, 'CREATE TABLE ' || name || ' (' || ({columns}) || ')'
         FROM sqlite_master AS tables WHERE type = 'table' AND name <> 'run'"
    );
    let mut statement = connection.prepare(&sql)?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Puts in the number of pages, of which none is free. SQLite trusts the number if two counters of changes are the same.
fn with_n_pages(mut page: Vec<u8>, n_pages: u32) -> Vec<u8> {
    page[28..32].copy_from_slice(&n_pages.to_be_bytes());
    page[32..40].fill(0);
    page.copy_within(24..28, 92);
    page
}
