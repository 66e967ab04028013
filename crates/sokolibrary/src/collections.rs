//! Collections: files of levels as they came, and the levels in them.
//!
//! Invariant: the text of a collection is kept byte for byte, and each board in it has one entry.

use rusqlite::{Row, params};
use sokoio::{CheckGameError, Collection, LevelEntry, LevelId, ProofNote, SolutionTitle};

use crate::changes::{Changes, NOW, count, int};
use crate::collection_text::{digest_of, pack, text_of};
use crate::levels::{KeyedLevel, id_of};
use crate::library::Library;
use crate::library_error::{LibraryError, LibraryProblem};
use crate::origin::Origin;
use crate::proofs::NewProof;
use crate::recognition::{KnownCollection, Place, RecognizedBy};
use crate::solutions::{NewSolution, Offer};

/// A file of levels to be added.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct NewCollection<'a> {
    /// The name it has in the library.
    pub name: &'a str,
    /// Where it was read from; empty if that is not known.
    pub file: &'a str,
    /// Its levels and solutions.
    pub collection: &'a Collection,
    /// Whether only its solutions are added, and the levels that have some.
    pub is_only_solutions: bool,
    /// By what a collection that is there already is recognized.
    pub recognized_by: RecognizedBy,
}

/// What became of a collection that was added.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct AddedCollection {
    /// The name it has in the library; empty if only its solutions were added.
    pub name: String,
    /// What the library had of it.
    pub known: KnownCollection,
    /// Boards that are levels.
    pub n_levels: u64,
    /// Levels that were not in the library.
    pub n_new_levels: u64,
    /// Boards that are no levels.
    pub n_bad_boards: u64,
    /// Solutions that replay.
    pub n_solutions: u64,
    /// Solutions that entered the library.
    pub n_added: u64,
    /// Levels whose best solution by moves or by pushes became better.
    pub n_improved: u64,
    /// Games that do not solve their level: index of the level, index of the game, and why.
    pub wrong: Vec<(usize, usize, CheckGameError)>,
}

/// A collection of the library.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoredCollection {
    /// Its name in the library.
    pub name: String,
    /// Where it was read from.
    pub file: String,
    /// What it calls itself.
    pub title: String,
    /// Its author.
    pub author: String,
    /// When it was added: UTC.
    pub added_at: String,
    /// When it was exported last, if ever: UTC.
    pub exported_at: Option<String>,
}

/// A board of a collection.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoredEntry {
    /// The name of the collection.
    pub collection: String,
    /// Its number in the collection, from 1.
    pub number: u64,
    /// The level; `None` for a board that is no level.
    pub id: Option<LevelId>,
    /// Its title in the collection.
    pub title: String,
    /// Its author.
    pub author: String,
}

impl<'a> NewCollection<'a> {
    /// Names a collection.
    #[must_use]
    pub const fn new(name: &'a str, collection: &'a Collection) -> Self {
        Self { name, file: "", collection, is_only_solutions: false, recognized_by: RecognizedBy::NameAndFile }
    }

    /// Says where it was read from.
    #[must_use]
    pub const fn from_file(self, file: &'a str) -> Self {
        Self { file, ..self }
    }

    /// Takes the solutions and the levels that have some, without the collection.
    #[must_use]
    pub const fn only_solutions(self) -> Self {
        Self { is_only_solutions: true, ..self }
    }

    /// Says by what a collection that is there already is recognized.
    #[must_use]
    pub const fn recognized_by(self, recognized_by: RecognizedBy) -> Self {
        Self { recognized_by, ..self }
    }
}

impl StoredCollection {
    fn of_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        let exported_at: String = row.get(5)?;
        Ok(Self {
            name: row.get(0)?,
            file: row.get(1)?,
            title: row.get(2)?,
            author: row.get(3)?,
            added_at: row.get(4)?,
            exported_at: Some(exported_at).filter(|at| !at.is_empty()),
        })
    }
}

impl StoredEntry {
    fn of_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        let has_level = row.get::<_, Option<String>>(2)?.is_some();
        Ok(Self {
            collection: row.get(0)?,
            number: count(row.get(1)?),
            id: if has_level { Some(id_of(row, 2)?) } else { None },
            title: row.get(3)?,
            author: row.get(4)?,
        })
    }
}

const ENTRIES: &str = "SELECT collection.name, entry.number, level.identity, entry.title, entry.author
     FROM entry JOIN collection USING (collection_id) LEFT JOIN level USING (level_id)";

impl Library {
    /// Returns the collections, by name.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn collections(&self) -> Result<Vec<StoredCollection>, LibraryError> {
        self.read(|connection| {
            let sql = "SELECT name, file, title, author, added_at, exported_at FROM collection ORDER BY name";
            let mut statement = connection.prepare_cached(sql)?;
            let rows = statement.query_map([], StoredCollection::of_row)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// Returns the text of a collection, as it was added. Case of letters does not matter in its name.
    ///
    /// # Errors
    /// There is no such collection, its text is damaged, or the file cannot be read.
    pub fn collection_text(&self, name: &str) -> Result<Collection, LibraryError> {
        self.read(|connection| text_of(connection, name))
    }

    /// Returns the boards of a collection, in their order.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn entries(&self, name: &str) -> Result<Vec<StoredEntry>, LibraryError> {
        self.read(|connection| {
            let sql = format!("{ENTRIES} WHERE collection.name = ?1 ORDER BY entry.number");
            let mut statement = connection.prepare_cached(&sql)?;
            let rows = statement.query_map([name], StoredEntry::of_row)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// Returns where a level stands.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn places(&self, id: LevelId) -> Result<Vec<StoredEntry>, LibraryError> {
        self.read(|connection| {
            let sql = format!("{ENTRIES} WHERE level.identity = ?1 ORDER BY collection.name, entry.number");
            let mut statement = connection.prepare_cached(&sql)?;
            let rows = statement.query_map([id.to_string()], StoredEntry::of_row)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// Returns the levels whose title in some collection is this one, any case, at most `limit` of them.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn entries_by_title(&self, title: &str, limit: usize) -> Result<Vec<StoredEntry>, LibraryError> {
        self.read(|connection| {
            let sql = format!(
                "{ENTRIES} WHERE entry.title = ?1 COLLATE NOCASE ORDER BY collection.name, entry.number LIMIT ?2"
            );
            let mut statement = connection.prepare_cached(&sql)?;
            let rows = statement.query_map(params![title, int(limit)], StoredEntry::of_row)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }
}

impl Changes<'_> {
    /// Adds a file of levels: the collection, its levels, and all solutions in it that are worth keeping, with what they
    /// say is proved. A collection of the same name and file is replaced; its levels and solutions stay. For one of another
    /// file see [`RecognizedBy`]; if it is not recognized and has the name, a number is added.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add_collection(&self, new: &NewCollection<'_>) -> Result<AddedCollection, LibraryProblem> {
        let mut added = AddedCollection::default();
        let n_before = self.n_levels()?;
        let mut keys = Vec::with_capacity(new.collection.levels().len());
        for (idx, entry) in new.collection.levels().iter().enumerate() {
            let Ok(level) = entry.level() else {
                added.n_bad_boards += 1;
                keys.push(None);
                continue;
            };
            added.n_levels += 1;
            let has_games = entry.solutions().next().is_some();
            if new.is_only_solutions && !has_games {
                keys.push(None);
                continue;
            }
            let stored = self.keyed_level(level)?;
            self.add_games(&stored, (idx, entry), new.file, &mut added)?;
            keys.push(Some(stored.key));
        }
        added.n_new_levels = self.n_levels()?.saturating_sub(n_before);
        if !new.is_only_solutions {
            self.put_collection(new, &keys, &mut added)?;
        }
        Ok(added)
    }

    fn n_levels(&self) -> Result<u64, LibraryProblem> {
        crate::levels::n_levels(self.transaction)
    }

    /// Offers the games of a level.
    fn add_games(
        &self,
        stored: &KeyedLevel,
        (idx, entry): (usize, &LevelEntry),
        file: &str,
        added: &mut AddedCollection,
    ) -> Result<(), LibraryProblem> {
        let mut is_improved = false;
        for (game_idx, solution) in entry.solutions() {
            let solution = match solution {
                Ok(solution) => solution,
                Err(error) => {
                    added.wrong.push((idx, game_idx, error));
                    continue;
                }
            };
            added.n_solutions += 1;
            let game = &entry.games()[game_idx];
            let program = game.title().and_then(SolutionTitle::parse);
            let program = program.and_then(|title| title.program().map(str::to_owned)).unwrap_or_default();
            let origin = Origin::of_file(file).by(program, "");
            let (claims, notes): (Vec<_>, Vec<_>) =
                game.notes().iter().partition(|note| ProofNote::parse(note).is_some());
            let find =
                NewSolution::new(solution.lurd().clone()).from(origin.clone()).with_notes(notes.into_iter().cloned());
            if let Offer::Added { is_best_moves, is_best_pushes, .. } = self.offer_at(stored, &find, None)? {
                added.n_added += 1;
                is_improved |= is_best_moves || is_best_pushes;
            }
            for note in claims.into_iter().filter_map(|note| ProofNote::parse(note)) {
                if note.holds_for(&solution.metrics()) {
                    let origin = origin.clone().by(note.program().unwrap_or_default(), "");
                    self.add_proof_at(stored.key, &NewProof::new(note.proved(), origin), None)?;
                }
            }
        }
        added.n_improved += u64::from(is_improved);
        Ok(())
    }

    /// Puts the text and the entries in their place.
    fn put_collection(
        &self,
        new: &NewCollection<'_>,
        keys: &[Option<i64>],
        added: &mut AddedCollection,
    ) -> Result<(), LibraryProblem> {
        let bytes = new.collection.to_bytes();
        let digest = digest_of(&bytes);
        let Place { name, key, known } = self.place_of(new, &digest, keys)?;
        added.name.clone_from(&name);
        if !known.replaces() {
            added.known = known;
            return Ok(());
        }
        added.known = known;
        if let Some(key) = key {
            self.transaction.prepare_cached("DELETE FROM entry WHERE collection_id = ?1")?.execute([key])?;
        }
        let sql = format!(
            "INSERT INTO collection (collection_id, name, file, title, author, text, digest, added_at, exported_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, {NOW}, '')
             ON CONFLICT (collection_id) DO UPDATE SET
                 added_at = CASE digest WHEN ?7 THEN added_at ELSE {NOW} END,
                 file = ?3, title = ?4, author = ?5, text = ?6, digest = ?7
             RETURNING collection_id"
        );
        let title = new.collection.title().unwrap_or_default();
        let author = new.collection.author().unwrap_or_default();
        let row = params![key, name, new.file, title, author, pack(&bytes), digest];
        let collection: i64 = self.transaction.prepare_cached(&sql)?.query_row(row, |row| row.get(0))?;
        let sql = "INSERT INTO entry (collection_id, number, level_id, title, author, notes)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        let mut statement = self.transaction.prepare_cached(sql)?;
        for (entry, key) in new.collection.levels().iter().zip(keys) {
            let (title, author) = (entry.title().unwrap_or_default(), entry.author().unwrap_or_default());
            let notes = entry.notes().join("\n");
            statement.execute(params![collection, int(entry.number()), key, title, author, notes])?;
        }
        Ok(())
    }

    /// Notes that a collection was exported as it was at a time, see [`Library::now`].
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn mark_exported(&self, name: &str, at: &str) -> Result<(), LibraryProblem> {
        let sql = "UPDATE collection SET exported_at = ?2 WHERE name = ?1";
        self.transaction.prepare_cached(sql)?.execute([name, at])?;
        Ok(())
    }

    /// Forgets a collection. Its levels and their solutions stay.
    ///
    /// # Errors
    /// There is no such collection, or the file cannot be written.
    pub fn forget_collection(&self, name: &str) -> Result<(), LibraryProblem> {
        let n_gone = self.transaction.prepare_cached("DELETE FROM collection WHERE name = ?1")?.execute([name])?;
        if n_gone == 0 {
            return Err(LibraryProblem::NoCollection { name: name.to_owned() });
        }
        Ok(())
    }

    /// Forgets a level with all that is known of it. Its place in a collection stays without a level.
    ///
    /// # Errors
    /// There is no such level, or the file cannot be written.
    pub fn forget_level(&self, id: LevelId) -> Result<(), LibraryProblem> {
        let Some(KeyedLevel { key, .. }) = self.find_level(id)? else {
            return Err(LibraryProblem::NoLevel { identity: id.to_string() });
        };
        for sql in [
            "UPDATE entry SET level_id = NULL WHERE level_id = ?1",
            "DELETE FROM solution WHERE level_id = ?1",
            "DELETE FROM gain WHERE level_id = ?1",
            "DELETE FROM proof WHERE level_id = ?1",
            "DELETE FROM work WHERE level_id = ?1",
            "DELETE FROM level WHERE level_id = ?1",
        ] {
            self.transaction.prepare_cached(sql)?.execute([key])?;
        }
        Ok(())
    }
}
