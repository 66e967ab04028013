//! What is proved about levels.

use rusqlite::{Row, params};
use sokocore::{Level, Metrics};
use sokoio::{LevelId, ProofNote, Proved};

use crate::changes::{Changes, NOW, int};
use crate::levels::matching_bound;
use crate::library::Library;
use crate::library_error::{LibraryError, LibraryProblem};
use crate::origin::{self, Origin};

/// A claim about a level that is not yet in the library.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NewProof {
    /// What is proved.
    pub proved: Proved,
    /// Where it is from.
    pub origin: Origin,
}

/// A claim about a level.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoredProof {
    /// What is proved.
    pub proved: Proved,
    /// Where it is from.
    pub origin: Origin,
    /// When it entered the library: UTC.
    pub at: String,
}

impl NewProof {
    /// Makes a claim.
    #[must_use]
    pub const fn new(proved: Proved, origin: Origin) -> Self {
        Self { proved, origin }
    }
}

/// A claim as a note of a solution file says it, without the program.
fn text(proved: Proved) -> String {
    ProofNote::new(proved).to_string()
}

impl Library {
    /// Returns what is proved about a level, in the order in which it came. Claims in words that this version does not
    /// know are left out.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn proofs(&self, id: LevelId) -> Result<Vec<StoredProof>, LibraryError> {
        self.read(|connection| {
            let sql = format!(
                "SELECT claim, at, {} FROM proof JOIN origin USING (origin_id)
                 WHERE level_id = (SELECT level_id FROM level WHERE identity = ?1) ORDER BY proof_id",
                origin::COLUMNS
            );
            let mut statement = connection.prepare_cached(&sql)?;
            let proof = |row: &Row<'_>| {
                let claim: String = row.get(0)?;
                let (at, origin) = (row.get(1)?, Origin::of_row(row, 2)?);
                Ok(ProofNote::parse(&claim).map(|note| StoredProof { proved: note.proved(), origin, at }))
            };
            let rows = statement.query_map([id.to_string()], proof)?.collect::<rusqlite::Result<Vec<_>>>()?;
            Ok(rows.into_iter().flatten().collect())
        })
    }
}

impl Changes<'_> {
    /// Adds a claim about a level, unless it is there, and raises the bounds of the level. A claim that a solution of the
    /// library refutes is not added. Returns whether it was added.
    ///
    /// ```
    /// use sokoio::{LevelId, Proved};
    /// use sokolibrary::{Library, NewProof, NewSolution, Origin};
    ///
    /// let level = "######\n#@$ .#\n######".parse()?;
    /// let mut library = Library::in_memory()?;
    /// let claim = |proved| NewProof::new(proved, Origin::default());
    /// library.write(|changes| {
    ///     changes.offer(&level, &NewSolution::new("RR".parse().expect("these are moves")))?;
    ///     assert!(changes.add_proof(&level, &claim(Proved::FewestPushes(2)))?);
    ///     assert!(!changes.add_proof(&level, &claim(Proved::AtLeastPushes(3)))?);
    ///     Ok(())
    /// })?;
    /// assert_eq!(library.proofs(LevelId::of(&level))?.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add_proof(&self, level: &Level, proof: &NewProof) -> Result<bool, LibraryProblem> {
        let key = self.keyed_level(level)?.key;
        self.add_proof_at(key, proof, None)
    }

    /// Raises the lower bounds of a level to what a computation has proved, as far as no solution of the library refutes
    /// it. Unlike a claim it is not told with the solutions.
    ///
    /// ```
    /// use sokoio::LevelId;
    /// use sokolibrary::Library;
    ///
    /// let level = "######\n#@$ .#\n######".parse()?;
    /// let mut library = Library::in_memory()?;
    /// library.write(|changes| changes.raise_bounds(&level, 2, 0))?;
    /// let stored = library.level(LevelId::of(&level))?.expect("it was added");
    /// assert_eq!((stored.least_moves, stored.least_pushes), (2, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn raise_bounds(&self, level: &Level, least_moves: u64, least_pushes: u64) -> Result<(), LibraryProblem> {
        let key = self.keyed_level(level)?.key;
        if self.is_refuted(key, Some(least_moves), Some(least_pushes))? {
            return Ok(());
        }
        self.raise_bounds_at(key, Some(least_moves), Some(least_pushes))
    }

    /// Returns whether a solution of a level is below what is said to be least.
    fn is_refuted(
        &self,
        key: i64,
        least_moves: Option<u64>,
        least_pushes: Option<u64>,
    ) -> Result<bool, LibraryProblem> {
        let mut statement = self.transaction.prepare_cached("SELECT moves, pushes FROM best WHERE level_id = ?1")?;
        let mut rows = statement.query([key])?;
        let Some(row) = rows.next()? else { return Ok(false) };
        let is_below = |found: i64, least: Option<u64>| least.is_some_and(|least| found < int(least));
        Ok(is_below(row.get(0)?, least_moves) || is_below(row.get(1)?, least_pushes))
    }

    /// Adds a claim with the time of its first entry, if that is known.
    pub(crate) fn add_proof_at(&self, key: i64, proof: &NewProof, at: Option<&str>) -> Result<bool, LibraryProblem> {
        let (least_moves, least_pushes) = (proof.proved.least_moves(), proof.proved.least_pushes());
        if self.is_refuted(key, least_moves, least_pushes)? {
            return Ok(false);
        }
        let origin = self.origin(&proof.origin)?;
        let sql = format!(
            "INSERT INTO proof (level_id, claim, origin_id, at) VALUES (?1, ?2, ?3, COALESCE(?4, {NOW}))
             ON CONFLICT DO NOTHING"
        );
        let row = params![key, text(proof.proved), origin, at];
        let n_added = self.transaction.prepare_cached(&sql)?.execute(row)?;
        self.raise_bounds_at(key, least_moves, least_pushes)?;
        Ok(n_added > 0)
    }

    /// Raises the lower bounds of a level to these.
    fn raise_bounds_at(
        &self,
        key: i64,
        least_moves: Option<u64>,
        least_pushes: Option<u64>,
    ) -> Result<(), LibraryProblem> {
        let sql = "UPDATE level SET least_moves = MAX(least_moves, ?2), least_pushes = MAX(least_pushes, ?3)
             WHERE level_id = ?1";
        // Every push is a move.
        let least_pushes = least_pushes.unwrap_or(0);
        let least_moves = least_moves.unwrap_or(0).max(least_pushes);
        self.transaction.prepare_cached(sql)?.execute(params![key, int(least_moves), int(least_pushes)])?;
        Ok(())
    }

    /// Removes the claims about a level that a solution refutes, and bounds it by those that are left.
    pub(crate) fn take_back_claims(&self, key: i64, metrics: &Metrics) -> Result<(), LibraryProblem> {
        let claims = {
            let mut statement =
                self.transaction.prepare_cached("SELECT proof_id, claim FROM proof WHERE level_id = ?1")?;
            let rows = statement.query_map([key], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?)))?;
            rows.collect::<rusqlite::Result<Vec<_>>>()?
        };
        let board: String =
            self.transaction.query_row("SELECT board FROM level WHERE level_id = ?1", [key], |row| row.get(0))?;
        let bound = int(matching_bound(&Level::parse(&board)?));
        let sql = "UPDATE level SET least_moves = ?2, least_pushes = ?2 WHERE level_id = ?1";
        self.transaction.prepare_cached(sql)?.execute([key, bound])?;
        for (proof, claim) in claims {
            let Some(proved) = ProofNote::parse(&claim).map(|note| note.proved()) else { continue };
            let (least_moves, least_pushes) = (proved.least_moves(), proved.least_pushes());
            if least_moves.is_some_and(|least| metrics.moves < least)
                || least_pushes.is_some_and(|least| metrics.pushes < least)
            {
                self.transaction.prepare_cached("DELETE FROM proof WHERE proof_id = ?1")?.execute([proof])?;
            } else {
                self.raise_bounds_at(key, least_moves, least_pushes)?;
            }
        }
        Ok(())
    }
}
