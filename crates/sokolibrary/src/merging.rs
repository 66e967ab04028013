//! Another library, added to this one.

use sokoio::LevelId;

use crate::changes::Changes;
use crate::collections::NewCollection;
use crate::levels::{id_of, n_levels};
use crate::library::Library;
use crate::library_error::{LibraryError, LibraryProblem};
use crate::proofs::NewProof;
use crate::recognition::RecognizedBy;
use crate::solutions::{NewSolution, Offer, StoredSolution};

/// What came of adding a library to another one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct AddedLibrary {
    /// Levels of the other library.
    pub n_levels: u64,
    /// Levels that were not in this one.
    pub n_new_levels: u64,
    /// Collections that were not in this one.
    pub n_new_collections: u64,
    /// Solutions of the other library.
    pub n_solutions: u64,
    /// Solutions that entered this one.
    pub n_added: u64,
    /// Levels whose best solution by moves or by pushes became better.
    pub n_improved: u64,
}

impl Library {
    /// Adds the collections, levels, solutions and proofs of another library. Solutions keep their origins and times, and
    /// are replayed. Work is not taken over: it is about the solutions that the other library had.
    ///
    /// # Errors
    /// The other file cannot be read, or this one cannot be written. Nothing is added then.
    pub fn add_library(&mut self, other: &Self) -> Result<AddedLibrary, LibraryError> {
        let collections = other.collections()?;
        let identities = other.identities()?;
        let mut added = AddedLibrary { n_levels: identities.len() as u64, ..AddedLibrary::default() };
        // An error of the other library has its own path.
        let mut of_other = None;
        let done = self.write(|changes| {
            let n_before = n_levels(changes.transaction)?;
            for collection in &collections {
                let text = match other.collection_text(&collection.name) {
                    Ok(text) => text,
                    Err(error) => return Err(aside(&mut of_other, error)),
                };
                let new = NewCollection::new(&collection.name, &text).from_file(&collection.file);
                let new = new.recognized_by(RecognizedBy::Levels);
                added.n_new_collections += u64::from(changes.add_collection(&new)?.known.is_new());
            }
            for &id in &identities {
                changes.take_level(other, id, &mut added).map_err(|error| match error {
                    TakeError::Other(error) => aside(&mut of_other, error),
                    TakeError::This(problem) => problem,
                })?;
            }
            added.n_new_levels = n_levels(changes.transaction)?.saturating_sub(n_before);
            Ok(())
        });
        match of_other {
            Some(error) => Err(error),
            None => done.map(|()| added),
        }
    }

    /// Returns the identities of all levels, in the order in which they were added.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn identities(&self) -> Result<Vec<LevelId>, LibraryError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT identity FROM level ORDER BY level_id")?;
            let rows = statement.query_map([], |row| id_of(row, 0))?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }
}

/// An error of one library or of the other.
enum TakeError {
    Other(LibraryError),
    This(LibraryProblem),
}

impl From<LibraryError> for TakeError {
    fn from(error: LibraryError) -> Self {
        Self::Other(error)
    }
}

impl From<LibraryProblem> for TakeError {
    fn from(problem: LibraryProblem) -> Self {
        Self::This(problem)
    }
}

/// Keeps an error of the other library; what is returned in its place only ends the change.
fn aside(place: &mut Option<LibraryError>, error: LibraryError) -> LibraryProblem {
    *place = Some(error);
    LibraryProblem::Missing
}

impl Changes<'_> {
    fn take_level(&self, other: &Library, id: LevelId, added: &mut AddedLibrary) -> Result<(), TakeError> {
        let Some(stored) = other.level(id)? else { return Ok(()) };
        let level = stored.level().map_err(LibraryProblem::from)?;
        let at = self.keyed_level(&level)?;
        let mut is_improved = false;
        for solution in other.solutions(id)? {
            added.n_solutions += 1;
            let found_at = solution.found_at.clone();
            match self.offer_at(&at, &offered(solution), Some(&found_at)) {
                Ok(Offer::Added { is_best_moves, is_best_pushes }) => {
                    added.n_added += 1;
                    is_improved |= is_best_moves || is_best_pushes;
                }
                // What does not replay was damaged in the other library.
                Ok(Offer::Dominated) | Err(LibraryProblem::Replay(_)) => {}
                Err(problem) => return Err(problem.into()),
            }
        }
        for proof in other.proofs(id)? {
            self.add_proof_at(at.key, &NewProof::new(proof.proved, proof.origin), Some(&proof.at))?;
        }
        added.n_improved += u64::from(is_improved);
        Ok(())
    }
}

/// A solution of another library, as it is offered to this one.
fn offered(solution: StoredSolution) -> NewSolution {
    let StoredSolution { moves, objective, method, notes, seconds, origin, .. } = solution;
    let mut find = NewSolution::new(moves).from(origin).with_method(method).with_notes(notes);
    (find.objective, find.seconds) = (objective, seconds);
    find
}
