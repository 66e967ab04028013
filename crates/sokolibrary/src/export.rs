//! Collections as they came, with the best solutions that are known, or those of their levels that improved.

use sokocore::Objective;
use sokoio::{Collection, EditError, LevelEntry, LevelId, NewLevel, ProofNote};

use crate::{Document, Find, Keep, Library, LibraryError, LibraryProblem, StoredCollection, StoredProof};

/// What of a collection is exported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExportChoice {
    /// Whether all solutions that are kept are exported, not just the best by moves and by pushes.
    pub has_all_solutions: bool,
    /// The time since which a best solution has to be there; all levels without.
    pub since: Option<String>,
}

/// A collection with solutions, ready to be written.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Exported {
    /// The text.
    pub document: Document,
    /// The numbers of levels that do not take their solutions, and why.
    pub refused: Vec<(usize, EditError)>,
}

impl ExportChoice {
    /// Exports all solutions that are kept.
    #[must_use]
    pub fn with_all_solutions(self, has_all_solutions: bool) -> Self {
        Self { has_all_solutions, ..self }
    }

    /// Exports the levels whose best solution is from a time or later: UTC, or the beginning of such a text.
    #[must_use]
    pub fn since(self, since: impl Into<Option<String>>) -> Self {
        Self { since: since.into(), ..self }
    }
}

impl StoredCollection {
    /// Returns since when levels count as improved: the last export. What came with the collection is no improvement, so
    /// that without an export it is just after it was added.
    #[must_use]
    pub fn improved_since(&self) -> String {
        // Texts of later times are greater.
        self.exported_at.clone().unwrap_or_else(|| self.added_at.clone() + "~")
    }
}

impl StoredProof {
    /// Returns the note for a file, with the program that proved it.
    #[must_use]
    pub fn note(&self) -> ProofNote {
        let by = format!("{} {}", self.origin.program, self.origin.version);
        let note = ProofNote::new(self.proved);
        if by.trim().is_empty() { note } else { note.by(by.trim()) }
    }
}

impl Library {
    /// Makes the text of a collection with what is known of its levels. It is not noted as an export; see
    /// [`Changes::mark_exported`](crate::Changes::mark_exported).
    ///
    /// ```
    /// use sokoio::Collection;
    /// use sokolibrary::{ExportChoice, Library, NewCollection, NewSolution};
    ///
    /// let steps = Collection::parse(b"Two steps\n#######\n#@ $ .#\n#######\n");
    /// let mut library = Library::in_memory()?;
    /// library.write(|changes| {
    ///     changes.add_collection(&NewCollection::new("steps", &steps))?;
    ///     changes.offer(steps.levels()[0].level()?, &NewSolution::new("rRR".parse().expect("moves")))
    /// })?;
    /// let mut exported = library.export(&library.collections()?[0], &ExportChoice::default())?;
    /// assert_eq!(exported.document.n_solutions(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The collection is not there, or the file cannot be read.
    pub fn export(&self, collection: &StoredCollection, choice: &ExportChoice) -> Result<Exported, LibraryError> {
        let text = self.collection_text(&collection.name)?;
        let mut exported = Exported::default();
        let mut taken: Vec<&LevelEntry> = Vec::new();
        if let Some(since) = &choice.since {
            let mut improved = Collection::new();
            for (rated, entry) in self.rated_entries(&collection.name)?.iter().zip(text.levels()) {
                if rated.has_improved_since(since) {
                    match improved.append_level(&NewLevel::from(entry)) {
                        Ok(_) => taken.push(entry),
                        Err(error) => exported.refused.push((entry.number(), error)),
                    }
                }
            }
            exported.document = Document::new(improved);
        } else {
            taken.extend(text.levels());
            exported.document = Document::new(text.clone());
        }
        for (level_idx, entry) in taken.into_iter().enumerate() {
            self.add_solutions(&mut exported, level_idx, entry, choice)?;
        }
        Ok(exported)
    }

    /// Makes the text of one level with what is known of it, under its title in the first collection that has it; `None`
    /// if there is no such level. The time of the choice does not count.
    ///
    /// ```
    /// use sokoio::{Collection, LevelId};
    /// use sokolibrary::{ExportChoice, Library, NewCollection};
    ///
    /// let steps = Collection::parse(b"Two steps\n#######\n#@ $ .#\n#######\n\nSolution\nrRR\n");
    /// let mut library = Library::in_memory()?;
    /// library.write(|changes| changes.add_collection(&NewCollection::new("steps", &steps)))?;
    /// let id = LevelId::of(steps.levels()[0].level()?);
    /// let mut exported = library.export_level(id, &ExportChoice::default())?.expect("it is there");
    /// assert_eq!(exported.document.n_solutions(), 1);
    /// assert_eq!(exported.document.collection().levels()[0].title(), Some("Two steps"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn export_level(&self, id: LevelId, choice: &ExportChoice) -> Result<Option<Exported>, LibraryError> {
        let Some(stored) = self.level(id)? else { return Ok(None) };
        let level = stored.level().map_err(|error| LibraryProblem::from(error).of(self.path()))?;
        let place = self.places(id)?.into_iter().next();
        let mut new = NewLevel::from(&level);
        if let Some(place) = place {
            for (text, with) in
                [(place.title, NewLevel::with_title as fn(_, _) -> _), (place.author, NewLevel::with_author)]
            {
                new = if text.is_empty() { new } else { with(new, text) };
            }
        }
        let mut text = Collection::new();
        let mut exported = Exported::default();
        if let Err(error) = text.append_level(&new) {
            exported.refused.push((1, error));
            return Ok(Some(exported));
        }
        exported.document = Document::new(text.clone());
        self.add_solutions(&mut exported, 0, &text.levels()[0], choice)?;
        Ok(Some(exported))
    }

    /// Adds the solutions of a level, and what is proved about them.
    fn add_solutions(
        &self,
        exported: &mut Exported,
        level_idx: usize,
        entry: &LevelEntry,
        choice: &ExportChoice,
    ) -> Result<(), LibraryError> {
        let Ok(level) = entry.level() else { return Ok(()) };
        let id = LevelId::of(level);
        let finds = self.finds(id, choice)?;
        if finds.is_empty() {
            return Ok(());
        }
        let document = &mut exported.document;
        let mut added = document.add(level_idx, finds, Keep::NotDominated);
        for proof in self.proofs(id)? {
            let by_moves = proof.proved.least_pushes().is_none();
            let objective = if by_moves { Objective::MOVES } else { Objective::PUSHES };
            added = added.and_then(|_| document.add_proof(level_idx, objective, &proof.note()));
        }
        if let Err(error) = added {
            exported.refused.push((entry.number(), error));
        }
        Ok(())
    }

    fn finds(&self, id: LevelId, choice: &ExportChoice) -> Result<Vec<Find>, LibraryError> {
        let solutions = self.solutions(id)?;
        if choice.has_all_solutions {
            return Ok(solutions.iter().map(Find::of_stored).collect());
        }
        let best =
            |objective: Objective| (0..solutions.len()).min_by_key(|&at| objective.score(&solutions[at].metrics));
        let mut bests: Vec<usize> = [Objective::MOVES, Objective::PUSHES].into_iter().filter_map(best).collect();
        bests.dedup();
        Ok(bests.into_iter().map(|at| Find::of_stored(&solutions[at])).collect())
    }
}
