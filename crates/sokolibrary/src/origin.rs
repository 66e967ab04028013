//! Where a solution or a proof is from.

use rusqlite::{Row, params};

use crate::changes::Changes;
use crate::library_error::LibraryProblem;

/// Where something is from. What is not known is empty.
///
/// ```
/// use sokolibrary::Origin;
///
/// let origin = Origin::of_file("friend.sok").by("YASO", "");
/// assert_eq!((&*origin.file, &*origin.program), ("friend.sok", "YASO"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Origin {
    /// The program that found it.
    pub program: String,
    /// The version of the program.
    pub version: String,
    /// The file it was read from.
    pub file: String,
    /// The options of the run, the seed among them.
    pub settings: String,
}

impl Origin {
    /// Something that was read from a file.
    pub fn of_file(file: impl Into<String>) -> Self {
        Self { file: file.into(), ..Self::default() }
    }

    /// Something that a run with these options found.
    pub fn of_run(settings: impl Into<String>) -> Self {
        Self { settings: settings.into(), ..Self::default() }
    }

    /// Names the program that found it.
    #[must_use]
    pub fn by(self, program: impl Into<String>, version: impl Into<String>) -> Self {
        Self { program: program.into(), version: version.into(), ..self }
    }

    /// Reads the four columns from `at` on.
    pub(crate) fn of_row(row: &Row<'_>, at: usize) -> rusqlite::Result<Self> {
        Ok(Self {
            program: row.get(at)?,
            version: row.get(at + 1)?,
            file: row.get(at + 2)?,
            settings: row.get(at + 3)?,
        })
    }
}

/// The columns that [`Origin::of_row`] reads.
pub(crate) const COLUMNS: &str = "origin.program, origin.version, origin.file, origin.settings";
/// The same, one by one.
pub(crate) const PARTS: [&str; 4] = ["program", "version", "file", "settings"];

impl Changes<'_> {
    /// Returns the key of an origin; adds it if it is not there.
    pub(crate) fn origin(&self, origin: &Origin) -> Result<i64, LibraryProblem> {
        let Origin { program, version, file, settings } = origin;
        // An update that changes nothing makes SQLite return the row that is there.
        let sql = "INSERT INTO origin (program, version, file, settings) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT DO UPDATE SET program = program RETURNING origin_id";
        let mut statement = self.transaction.prepare_cached(sql)?;
        Ok(statement.query_row(params![program, version, file, settings], |row| row.get(0))?)
    }
}
