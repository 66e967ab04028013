//! Gains: each time that the best solution of a level became better.

use sokocore::Objective;
use sokoio::LevelId;

use crate::changes::count;
use crate::library::Library;
use crate::library_error::LibraryError;

/// A best solution of its time, of a level of a collection.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoredGain {
    /// The number of the level in the collection, from 1.
    pub number: u64,
    /// Moves of the solution.
    pub moves: u64,
    /// Pushes of the solution.
    pub pushes: u64,
    /// When it was put into the library: UTC.
    pub at: String,
}

/// A time at which the best solution of a level became better, or was the first one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LevelGain {
    /// What it became better in: [`Objective::MOVES`] or [`Objective::PUSHES`].
    pub objective: Objective,
    /// Moves of the best solution from then on.
    pub moves: u64,
    /// Its pushes.
    pub pushes: u64,
    /// The time: UTC.
    pub at: String,
}

impl Library {
    /// Returns when the best solutions of a level became better, oldest first. It does not say by which solution: that may
    /// have gone since.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn gains_of_level(&self, id: LevelId) -> Result<Vec<LevelGain>, LibraryError> {
        self.read(|connection| {
            let sql = "SELECT gain.objective, gain.moves, gain.pushes, gain.at
                FROM gain JOIN level USING (level_id) WHERE level.identity = ?1 ORDER BY gain.at, gain.gain_id";
            let mut statement = connection.prepare_cached(sql)?;
            let rows = statement.query_map([id.to_string()], |row| {
                let is_moves = row.get::<_, String>(0)? == "moves";
                let objective = if is_moves { Objective::MOVES } else { Objective::PUSHES };
                Ok(LevelGain { objective, moves: count(row.get(1)?), pushes: count(row.get(2)?), at: row.get(3)? })
            })?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// Returns the gains of a collection by [`Objective::MOVES`] or [`Objective::PUSHES`], oldest first; the first
    /// solution of a level is one of them. For any other objective there is none.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn gains(&self, collection: &str, objective: Objective) -> Result<Vec<StoredGain>, LibraryError> {
        self.read(|connection| {
            let sql = "SELECT entry.number, gain.moves, gain.pushes, gain.at
                FROM gain JOIN entry USING (level_id) JOIN collection USING (collection_id)
                WHERE collection.name = ?1 AND gain.objective = ?2 ORDER BY gain.at, gain.gain_id, entry.number";
            let mut statement = connection.prepare_cached(sql)?;
            let rows = statement.query_map([collection, &*objective.to_string()], |row| {
                let number = |at: usize| row.get::<_, i64>(at).map(count);
                Ok(StoredGain { number: number(0)?, moves: number(1)?, pushes: number(2)?, at: row.get(3)? })
            })?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }
}
