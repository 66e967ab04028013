//! A change of a library: one transaction, of which all or nothing is kept.

use rusqlite::Transaction;

/// The time of SQLite, as the schema writes it.
pub(crate) const NOW: &str = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')";

/// What [`Library::write`](crate::Library::write) passes to its function. Levels, solutions, collections, proofs, work
/// and runs have their methods beside their types.
#[derive(Debug)]
pub struct Changes<'a> {
    pub(crate) transaction: &'a Transaction<'a>,
}

impl<'a> Changes<'a> {
    pub(crate) const fn new(transaction: &'a Transaction<'a>) -> Self {
        Self { transaction }
    }
}

/// A number for SQLite, which has 63 bits.
pub(crate) fn int(number: impl TryInto<i64>) -> i64 {
    number.try_into().unwrap_or(i64::MAX)
}

/// A number of SQLite that was never negative.
pub(crate) fn count(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}
