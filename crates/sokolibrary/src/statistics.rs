//! Sums over collections and over the library, now and over time.

use hashbrown::HashMap;
use rusqlite::{Connection, Params, Row};
use sokocore::{Metrics, Objective};
use sokoio::LevelId;

use crate::changes::{count, int};
use crate::levels::id_of;
use crate::library::Library;
use crate::library_error::{LibraryError, LibraryProblem};
use crate::solutions::metrics_of;

/// What a collection adds up to. A level that stands in it twice counts twice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CollectionSums {
    /// The name of the collection.
    pub name: String,
    /// Boards that are levels.
    pub n_levels: u64,
    /// Levels with a solution.
    pub n_solved: u64,
    /// Solved levels whose fewest moves are proved.
    pub n_proved_moves: u64,
    /// Solved levels whose fewest pushes are proved.
    pub n_proved_pushes: u64,
    /// Fewest moves of the solved levels, added up.
    pub moves: u64,
    /// Fewest pushes of the solved levels, added up.
    pub pushes: u64,
    /// Lower bounds of the moves of the solved levels, added up.
    pub least_moves: u64,
    /// Lower bounds of the pushes of the solved levels, added up.
    pub least_pushes: u64,
}

/// What the library holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LibrarySums {
    /// Collections.
    pub n_collections: u64,
    /// Different levels.
    pub n_levels: u64,
    /// Levels that stand in no collection.
    pub n_loose_levels: u64,
    /// Levels with a solution.
    pub n_solved: u64,
    /// Solutions.
    pub n_solutions: u64,
    /// Seconds of search that are on record.
    pub seconds: u64,
}

/// A board of a collection, with what is known of its level.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RatedEntry {
    /// Its number in the collection, from 1.
    pub number: u64,
    /// Its title in the collection.
    pub title: String,
    /// Its author.
    pub author: String,
    /// The level; `None` for a board that is no level.
    pub id: Option<LevelId>,
    /// No solution has fewer moves.
    pub least_moves: u64,
    /// No solution has fewer pushes.
    pub least_pushes: u64,
    /// The best solution by [`Objective::MOVES`], and when it was found.
    pub best_moves: Option<(Metrics, String)>,
    /// The best solution by [`Objective::PUSHES`], and when it was found.
    pub best_pushes: Option<(Metrics, String)>,
    /// Solutions that are kept.
    pub n_solutions: u64,
}

/// A sum over the solved levels of a collection at some time.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SumAt {
    /// The time: UTC.
    pub at: String,
    /// Levels with a solution.
    pub n_solved: u64,
    /// What the objective counts, added up.
    pub sum: u64,
}

impl CollectionSums {
    fn of_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        let number = |at: usize| row.get::<_, Option<i64>>(at).map(|number| count(number.unwrap_or(0)));
        Ok(Self {
            name: row.get(0)?,
            n_levels: number(1)?,
            n_solved: number(2)?,
            n_proved_moves: number(3)?,
            n_proved_pushes: number(4)?,
            moves: number(5)?,
            pushes: number(6)?,
            least_moves: number(7)?,
            least_pushes: number(8)?,
        })
    }
}

impl RatedEntry {
    fn of_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        let has_level = row.get::<_, Option<String>>(3)?.is_some();
        let number = |at: usize| row.get::<_, Option<i64>>(at).map(|number| count(number.unwrap_or(0)));
        Ok(Self {
            number: number(0)?,
            title: row.get(1)?,
            author: row.get(2)?,
            id: if has_level { Some(id_of(row, 3)?) } else { None },
            least_moves: number(4)?,
            least_pushes: number(5)?,
            best_moves: None,
            best_pushes: None,
            n_solutions: 0,
        })
    }

    /// Returns whether a best solution is from a time or later.
    #[must_use]
    pub fn has_improved_since(&self, time: &str) -> bool {
        let bests = [&self.best_moves, &self.best_pushes];
        bests.into_iter().flatten().any(|(_, found_at)| found_at.as_str() >= time)
    }

    /// Compares with the solution in the columns from the seventh on, if there is one.
    fn rate(&mut self, row: &Row<'_>) -> rusqlite::Result<()> {
        let Some(found_at) = row.get::<_, Option<String>>(12)? else { return Ok(()) };
        let metrics = metrics_of(row, 6)?;
        self.n_solutions += 1;
        for (best, objective) in [(&mut self.best_moves, Objective::MOVES), (&mut self.best_pushes, Objective::PUSHES)]
        {
            if best.as_ref().is_none_or(|(old, _)| objective.score(&metrics) < objective.score(old)) {
                *best = Some((metrics, found_at.clone()));
            }
        }
        Ok(())
    }
}

impl Library {
    /// Returns the boards of a collection in their order, each with the best that is known of its level.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn rated_entries(&self, collection: &str) -> Result<Vec<RatedEntry>, LibraryError> {
        self.read(|connection| {
            let sql = "SELECT entry.number, entry.title, entry.author, identity, least_moves, least_pushes,
                    moves, pushes, box_lines, box_changes, pushing_sessions, player_lines, found_at
                FROM collection JOIN entry USING (collection_id) LEFT JOIN level USING (level_id)
                    LEFT JOIN solution ON solution.level_id = level.level_id
                WHERE collection.name = ?1 ORDER BY entry.number, moves, pushes, solution_id";
            rated(connection, sql, [collection])
        })
    }

    /// Returns the levels that stand in no collection, in the order in which they were added, numbered from 1.
    ///
    /// ```
    /// use sokoio::Collection;
    /// use sokolibrary::{Library, NewCollection};
    ///
    /// let steps = Collection::parse(b"Two steps\n#######\n#@ $ .#\n#######\n");
    /// let mut library = Library::in_memory()?;
    /// library.write(|changes| changes.add_collection(&NewCollection::new("steps", &steps)))?;
    /// assert!(library.loose_levels()?.is_empty());
    /// library.write(|changes| changes.forget_collection("steps"))?;
    /// assert_eq!(library.loose_levels()?.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn loose_levels(&self) -> Result<Vec<RatedEntry>, LibraryError> {
        self.read(|connection| {
            let sql = "SELECT level.level_id, '', '', identity, least_moves, least_pushes,
                    moves, pushes, box_lines, box_changes, pushing_sessions, player_lines, found_at
                FROM level LEFT JOIN solution ON solution.level_id = level.level_id
                WHERE NOT EXISTS (SELECT 1 FROM entry WHERE entry.level_id = level.level_id)
                ORDER BY level.level_id, moves, pushes, solution_id";
            let mut levels = rated(connection, sql, [])?;
            levels.iter_mut().zip(1..).for_each(|(level, number)| level.number = number);
            Ok(levels)
        })
    }

    /// Returns the sums of all collections, by name.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn collection_sums(&self) -> Result<Vec<CollectionSums>, LibraryError> {
        self.read(|connection| {
            let sql = "SELECT collection.name, COUNT(level.level_id), COUNT(best.level_id),
                    SUM(best.moves = level.least_moves), SUM(best.pushes = level.least_pushes),
                    SUM(best.moves), SUM(best.pushes),
                    SUM(CASE WHEN best.level_id IS NULL THEN 0 ELSE level.least_moves END),
                    SUM(CASE WHEN best.level_id IS NULL THEN 0 ELSE level.least_pushes END)
                FROM collection LEFT JOIN entry USING (collection_id) LEFT JOIN level USING (level_id)
                    LEFT JOIN best ON best.level_id = level.level_id
                GROUP BY collection.collection_id ORDER BY collection.name";
            let mut statement = connection.prepare_cached(sql)?;
            let rows = statement.query_map([], CollectionSums::of_row)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// Returns the sums of the library.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn sums(&self) -> Result<LibrarySums, LibraryError> {
        self.read(|connection| {
            let number = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0)).map(count);
            Ok(LibrarySums {
                n_collections: number("SELECT COUNT(*) FROM collection")?,
                n_levels: number("SELECT COUNT(*) FROM level")?,
                n_loose_levels: number(
                    "SELECT COUNT(*) FROM level WHERE NOT EXISTS (SELECT 1 FROM entry WHERE entry.level_id = level.level_id)",
                )?,
                n_solved: number("SELECT COUNT(DISTINCT level_id) FROM solution")?,
                n_solutions: number("SELECT COUNT(*) FROM solution")?,
                seconds: number("SELECT CAST(COALESCE(SUM(seconds), 0) AS INTEGER) FROM work")?,
            })
        })
    }

    /// Returns how the sum of a collection has changed, by [`Objective::MOVES`] or [`Objective::PUSHES`]: one point for
    /// each time at which something was gained. For any other objective there is none.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn history(&self, collection: &str, objective: Objective) -> Result<Vec<SumAt>, LibraryError> {
        self.read(|connection| {
            let sql = "SELECT gain.at, gain.level_id, gain.moves, gain.pushes
                FROM gain JOIN entry USING (level_id) JOIN collection USING (collection_id)
                WHERE collection.name = ?1 AND gain.objective = ?2 ORDER BY gain.at, gain.gain_id";
            let mut statement = connection.prepare_cached(sql)?;
            let mut rows = statement.query([collection, &*objective.to_string()])?;
            let (mut best, mut points): (HashMap<i64, u64>, Vec<SumAt>) = (HashMap::new(), Vec::new());
            let mut sum = 0;
            while let Some(row) = rows.next()? {
                let (at, level): (String, i64) = (row.get(0)?, row.get(1)?);
                let counted = if objective == Objective::MOVES { row.get(2)? } else { row.get(3)? };
                let counted = count(counted);
                sum = sum + counted - best.insert(level, counted).unwrap_or(0);
                let n_solved = best.len() as u64;
                match points.last_mut() {
                    Some(last) if last.at == at => (last.n_solved, last.sum) = (n_solved, sum),
                    _ => points.push(SumAt { at, n_solved, sum }),
                }
            }
            Ok(points)
        })
    }
}

/// Reads boards with their solutions, those of a board one after the other.
fn rated(connection: &Connection, sql: &str, params: impl Params) -> Result<Vec<RatedEntry>, LibraryProblem> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params)?;
    let mut entries: Vec<RatedEntry> = Vec::new();
    while let Some(row) = rows.next()? {
        if entries.last().is_none_or(|last| int(last.number) != row.get::<_, i64>(0).unwrap_or(-1)) {
            entries.push(RatedEntry::of_row(row)?);
        }
        entries.last_mut().map_or(Ok(()), |last| last.rate(row))?;
    }
    Ok(entries)
}
