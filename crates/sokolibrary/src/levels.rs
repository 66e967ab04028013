//! Levels, by identity and by family.

use rusqlite::{Connection, OptionalExtension, Row, params};
use sokocore::{Level, PushLowerBound, Symmetry};
use sokoio::{LevelId, canonical_grid};

use crate::changes::{Changes, NOW, count, int};
use crate::library::Library;
use crate::library_error::{LibraryError, LibraryProblem};

/// A level of the library.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoredLevel {
    /// Its identity.
    pub id: LevelId,
    /// The board in standard letters, without margins.
    pub board: String,
    /// No solution has fewer moves.
    pub least_moves: u64,
    /// No solution has fewer pushes.
    pub least_pushes: u64,
    /// When it was added: UTC, such as `2026-11-23T21:04:09.250Z`.
    pub added_at: String,
}

/// A level that is an image of another one, rotated or reflected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Relative {
    /// Its identity.
    pub id: LevelId,
    /// What turns the moves of the other level into moves of this one.
    pub symmetry: Symmetry,
}

/// A level of the library while it is changed: its key and its board.
#[derive(Debug)]
pub(crate) struct KeyedLevel {
    pub(crate) key: i64,
    pub(crate) level: Level,
}

const COLUMNS: &str = "level.identity, level.board, level.least_moves, level.least_pushes, level.added_at";

impl StoredLevel {
    /// Reads the board as a level.
    ///
    /// # Errors
    /// The file was changed by something else, and the board is no level any more.
    pub fn level(&self) -> Result<Level, sokocore::ParseLevelError> {
        Level::parse(&self.board)
    }

    fn of_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: id_of(row, 0)?,
            board: row.get(1)?,
            least_moves: count(row.get(2)?),
            least_pushes: count(row.get(3)?),
            added_at: row.get(4)?,
        })
    }
}

/// Reads an identity from a column.
pub(crate) fn id_of(row: &Row<'_>, at: usize) -> rusqlite::Result<LevelId> {
    let text: String = row.get(at)?;
    text.parse()
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(at, rusqlite::types::Type::Text, Box::new(error)))
}

impl Library {
    /// Returns a level.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn level(&self, id: LevelId) -> Result<Option<StoredLevel>, LibraryError> {
        self.read(|connection| {
            let sql = format!("SELECT {COLUMNS} FROM level WHERE identity = ?1");
            let mut statement = connection.prepare_cached(&sql)?;
            Ok(statement.query_row([id.to_string()], StoredLevel::of_row).optional()?)
        })
    }

    /// Returns the levels whose identity begins with these digits, at most `limit` of them, in the order of identities.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn levels_by_prefix(&self, digits: &str, limit: usize) -> Result<Vec<StoredLevel>, LibraryError> {
        // Everything that begins with the digits is before this, since `g` follows all digits.
        let end = format!("{digits}g");
        self.read(|connection| {
            let sql = format!(
                "SELECT {COLUMNS} FROM level WHERE identity >= ?1 AND identity < ?2 ORDER BY identity LIMIT ?3"
            );
            let mut statement = connection.prepare_cached(&sql)?;
            let rows = statement.query_map(params![digits, end, int(limit)], StoredLevel::of_row)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// Returns the levels that are rotated or reflected images of a level, in the order in which they were added.
    ///
    /// ```
    /// use sokoio::{Collection, LevelId};
    /// use sokolibrary::{Library, NewCollection};
    ///
    /// let both = Collection::parse(b"######\n#@$ .#\n######\n\n######\n#. $@#\n######\n");
    /// let mut library = Library::in_memory()?;
    /// library.write(|changes| changes.add_collection(&NewCollection::new("both", &both)))?;
    /// let relatives = library.relatives(both.levels()[0].level()?)?;
    /// assert_eq!(relatives[0].id, LevelId::of(both.levels()[1].level()?));
    /// assert_eq!(relatives[0].symmetry.moves(&"RR".parse()?).to_string(), "LL");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn relatives(&self, level: &Level) -> Result<Vec<Relative>, LibraryError> {
        let (id, grid) = (LevelId::of(level), canonical_grid(level));
        let family = LevelId::up_to_symmetry(level).to_string();
        self.read(|connection| {
            let sql = "SELECT identity, board FROM level WHERE family = ?1 AND identity <> ?2 ORDER BY level_id";
            let mut statement = connection.prepare_cached(sql)?;
            let mut rows = statement.query(params![family, id.to_string()])?;
            let mut relatives = Vec::new();
            while let Some(row) = rows.next()? {
                let board: String = row.get(1)?;
                let other = canonical_grid(&Level::parse(&board)?);
                let symmetry = Symmetry::ALL.into_iter().find(|symmetry| symmetry.grid(&grid) == other);
                if let Some(symmetry) = symmetry {
                    relatives.push(Relative { id: id_of(row, 0)?, symmetry });
                }
            }
            Ok(relatives)
        })
    }

    /// Returns the levels that have images in the library, in the order in which they were added.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn levels_with_relatives(&self) -> Result<Vec<StoredLevel>, LibraryError> {
        self.read(|connection| {
            let sql = format!(
                "SELECT {COLUMNS} FROM level
                 WHERE family IN (SELECT family FROM level GROUP BY family HAVING COUNT(*) > 1) ORDER BY level_id"
            );
            let mut statement = connection.prepare_cached(&sql)?;
            let rows = statement.query_map([], StoredLevel::of_row)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }
}

impl Changes<'_> {
    /// Adds a level, unless it is there.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add_level(&self, level: &Level) -> Result<(), LibraryProblem> {
        self.keyed_level(level).map(|_| ())
    }

    /// Returns a level as it is stored; adds it if it is not there.
    pub(crate) fn keyed_level(&self, level: &Level) -> Result<KeyedLevel, LibraryProblem> {
        let id = LevelId::of(level);
        match self.find_level(id)? {
            Some(found) => Ok(found),
            None => self.insert_level(level, id),
        }
    }

    /// Returns a level as it is stored.
    pub(crate) fn find_level(&self, id: LevelId) -> Result<Option<KeyedLevel>, LibraryProblem> {
        let mut statement = self.transaction.prepare_cached("SELECT level_id, board FROM level WHERE identity = ?1")?;
        let found = statement.query_row([id.to_string()], |row| Ok((row.get(0)?, row.get::<_, String>(1)?)));
        let Some((key, board)) = found.optional()? else { return Ok(None) };
        Ok(Some(KeyedLevel { key, level: Level::parse(&board)? }))
    }

    fn insert_level(&self, level: &Level, id: LevelId) -> Result<KeyedLevel, LibraryProblem> {
        let grid = canonical_grid(level);
        let board = grid.to_string();
        let level = Level::from_grid(grid)?;
        let bound = matching_bound(&level);
        let sql = format!(
            "INSERT INTO level (identity, family, board, n_boxes, least_moves, least_pushes, added_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?5, {NOW})"
        );
        let family = LevelId::up_to_symmetry(&level).to_string();
        let mut statement = self.transaction.prepare_cached(&sql)?;
        let key = statement.insert(params![id.to_string(), family, board, int(level.n_boxes()), int(bound)])?;
        Ok(KeyedLevel { key, level })
    }
}

/// Pushes that every solution has at least, by a matching of boxes to goals. Every push is a move.
pub(crate) fn matching_bound(level: &Level) -> u64 {
    PushLowerBound::new(level).and_then(|mut bound| bound.of(&level.start().boxes)).unwrap_or(0)
}

/// Counts the levels.
pub(crate) fn n_levels(connection: &Connection) -> Result<u64, LibraryProblem> {
    Ok(count(connection.query_row("SELECT COUNT(*) FROM level", [], |row| row.get(0))?))
}
