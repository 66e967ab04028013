//! The rows of a table some of whose pages cannot be read.

use rusqlite::{Connection, Row};

use crate::changes::Changes;
use crate::library_error::LibraryProblem;

/// Consecutive keys without a readable row before the step doubles.
const SMALL_STEPS: u32 = 100;
/// How often it doubles at most.
const MAX_DOUBLINGS: u32 = 62;

/// Most keys that are looked at again after such a step.
const MAX_LOOK_BACK: i64 = 1 << 16;

/// Puts a row into the new library. Returns whether it is right; an error is one of the new library.
pub(super) type SaveRow = fn(&Row<'_>, &Changes<'_>) -> Result<bool, LibraryProblem>;

/// Copies the tables of a library some of whose pages cannot be read.
pub(super) struct Salvage<'a> {
    pub(super) old: &'a Connection,
    pub(super) changes: &'a Changes<'a>,
    /// Rows that cannot be read, or are not right.
    pub(super) n_lost: u64,
}

/// What one query of one row has given.
enum RowRead {
    /// The key of the row.
    Key(i64),
    Nothing,
    /// A page that it needs is damaged.
    Unreadable,
}

impl Salvage<'_> {
    /// Copies every row of a table that can be read: upward until a page cannot be, then downward, then what is between,
    /// key by key.
    pub(super) fn table(&mut self, table: &str, columns: &str, save: SaveRow) -> Result<(), LibraryProblem> {
        let select = format!("SELECT {columns}, {table}_id FROM {table} AS saved WHERE {table}_id");
        if self.old.prepare(&format!("{select} = 1")).is_err() {
            // Not even the names of the tables can be read.
            self.n_lost += 1;
            return Ok(());
        }
        let Some(first_bad) = self.walk(&format!("{select} > ?1 ORDER BY {table}_id LIMIT 1"), 0, save)? else {
            return Ok(());
        };
        let downward = format!("{select} < ?1 AND {table}_id > {first_bad} ORDER BY {table}_id DESC LIMIT 1");
        let Some(last_bad) = self.walk(&downward, i64::MAX, save)? else { return Ok(()) };
        let one = format!("{select} = ?1");
        let (mut at, mut n_misses, mut n_unreadable) = (first_bad, 0_u32, 0);
        loop {
            // Keys are dense: a long gap is passed in steps that double.
            let step = 1_i64 << (n_misses / SMALL_STEPS).min(MAX_DOUBLINGS);
            at = at.saturating_add(step);
            if at >= last_bad {
                break;
            }
            match self.row(&one, at, save)? {
                RowRead::Key(_) => {
                    // What is before a row was there, and may be readable where the last step has passed it.
                    self.n_lost += n_unreadable;
                    (n_misses, n_unreadable) = (0, 0);
                    for passed in at - (step - 1).min(MAX_LOOK_BACK)..at {
                        self.row(&one, passed, save)?;
                    }
                }
                RowRead::Nothing => n_misses += 1,
                RowRead::Unreadable => (n_misses, n_unreadable) = (n_misses + 1, n_unreadable + 1),
            }
        }
        // After the last row that is known there may have been any number of others, or none.
        self.n_lost += if last_bad == i64::MAX { n_unreadable.min(1) } else { n_unreadable };
        Ok(())
    }

    /// Copies rows from `start` on in the order of the query. Returns the last key before one that cannot be read;
    /// `None` if all can.
    fn walk(&mut self, sql: &str, start: i64, save: SaveRow) -> Result<Option<i64>, LibraryProblem> {
        let mut at = start;
        loop {
            match self.row(sql, at, save)? {
                RowRead::Key(key) => at = key,
                RowRead::Nothing => return Ok(None),
                RowRead::Unreadable => return Ok(Some(at)),
            }
        }
    }

    fn row(&mut self, sql: &str, at: i64, save: SaveRow) -> Result<RowRead, LibraryProblem> {
        let Ok(mut statement) = self.old.prepare_cached(sql) else { return Ok(RowRead::Unreadable) };
        let key_at = statement.column_count() - 1;
        let Ok(mut rows) = statement.query([at]) else { return Ok(RowRead::Unreadable) };
        match rows.next() {
            Ok(Some(row)) => {
                let Ok(key) = row.get(key_at) else { return Ok(RowRead::Unreadable) };
                if !save(row, self.changes)? {
                    self.n_lost += 1;
                }
                Ok(RowRead::Key(key))
            }
            Ok(None) => Ok(RowRead::Nothing),
            Err(_) => Ok(RowRead::Unreadable),
        }
    }
}
