//! Whether a file that is added is a collection that the library has.
//!
//! | the file | the file of the collection | it is | the collection gets |
//! |---|---|---|---|
//! | of the same name and path | | the same file | the new text |
//! | has the same text or levels | is still there | a copy | nothing but solutions |
//! | has the same text or levels | is gone | the same file, moved | the new text and path |
//! | has most of the levels | is gone | a new edition | the new text and path |
//! | anything else | | another one | - |
//!
//! Invariant: a collection whose own file is still there is replaced by that file alone.

use std::path::Path;

use hashbrown::HashMap;
use rusqlite::Row;

use crate::changes::Changes;
use crate::collections::NewCollection;
use crate::library_error::LibraryProblem;

/// By what a collection that is there already is recognized.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecognizedBy {
    /// By its name and its file.
    #[default]
    NameAndFile,
    /// Also by its text or its levels in their order, if it is a copy: nothing is replaced.
    Levels,
    /// Also by its text or by most of its levels, if its name is the same: a file that has moved, a new edition.
    LevelsUnderName,
    /// The same, whatever its name is.
    LevelsUnderAnyName,
}

/// What the library had of a collection that was added.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum KnownCollection {
    /// Nothing.
    #[default]
    Nothing,
    /// The same text from the same file.
    SameText,
    /// Another text from the same file, which was replaced.
    SameFile,
    /// The same text or levels from another file, which is still there: the collection stays as it is.
    Copy {
        /// The other file.
        of: String,
    },
    /// The same text or levels from a file that is not there any more.
    Moved {
        /// Where it was; empty if that was not known.
        from: String,
    },
    /// Most of the levels, from a file that is not there any more.
    NewEdition {
        /// Where it was; empty if that was not known.
        from: String,
    },
}

/// Where a collection goes.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) name: String,
    /// The key of the collection that is recognized.
    pub(crate) key: Option<i64>,
    pub(crate) known: KnownCollection,
}

impl KnownCollection {
    /// Returns whether the collection is new to the library.
    #[must_use]
    pub fn is_new(&self) -> bool {
        *self == Self::Nothing
    }

    /// Returns whether the text is put into the library.
    pub(crate) const fn replaces(&self) -> bool {
        !matches!(self, Self::SameText | Self::Copy { .. })
    }
}

/// A collection of the library that may be the one that is added.
#[derive(Debug)]
struct CollectionCandidate {
    key: i64,
    name: String,
    file: String,
    digest: String,
}

impl CollectionCandidate {
    const COLUMNS: &str = "collection_id, name, file, digest";

    fn of_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self { key: row.get(0)?, name: row.get(1)?, file: row.get(2)?, digest: row.get(3)? })
    }

    fn known_as(self, known: impl FnOnce(String) -> KnownCollection) -> Place {
        Place { name: self.name, key: Some(self.key), known: known(self.file) }
    }

    /// Whether it is from a file that others know, too.
    fn has_file(&self) -> bool {
        !self.file.is_empty() && Path::new(&self.file).exists()
    }
}

impl Changes<'_> {
    /// Finds the collection that a new one is, or a name for it. `keys` are its levels.
    pub(crate) fn place_of(
        &self,
        new: &NewCollection<'_>,
        digest: &str,
        keys: &[Option<i64>],
    ) -> Result<Place, LibraryProblem> {
        let mut free = None;
        for number in 1.. {
            let name = if number == 1 { new.name.to_owned() } else { format!("{} ({number})", new.name) };
            let Some(old) = self.candidates("name = ?1", &name)?.pop() else {
                free = Some(name);
                break;
            };
            let is_same_file = old.file == new.file && (!old.file.is_empty() || new.is_literal());
            if old.digest == digest && (is_same_file || new.is_literal()) {
                return Ok(old.known_as(|_| KnownCollection::SameText));
            }
            if is_same_file {
                return Ok(old.known_as(|_| KnownCollection::SameFile));
            }
        }
        let recognized = if new.is_literal() { None } else { self.recognize(new, digest, keys)? };
        let name = free.expect("invariant: a library has fewer collections than there are numbers");
        Ok(recognized.unwrap_or(Place { name, key: None, known: KnownCollection::Nothing }))
    }

    /// Finds a collection with the same text, or with the same levels or most of them.
    fn recognize(
        &self,
        new: &NewCollection<'_>,
        digest: &str,
        keys: &[Option<i64>],
    ) -> Result<Option<Place>, LibraryProblem> {
        let may_be = |old: &CollectionCandidate| {
            new.recognized_by != RecognizedBy::LevelsUnderName || old.name.eq_ignore_ascii_case(new.name)
        };
        // Of several the one of the same name comes first, and the older one.
        let order = |old: &CollectionCandidate| (!old.name.eq_ignore_ascii_case(new.name), old.key);
        let mut same: Vec<_> = self.candidates("digest = ?1", digest)?.into_iter().filter(may_be).collect();
        same.extend(self.with_same_levels(keys)?.into_iter().filter(may_be));
        let may_replace = new.recognized_by != RecognizedBy::Levels;
        if let Some(old) = same.into_iter().min_by_key(order) {
            let is_copy = !may_replace || old.has_file();
            let is_same = old.digest == digest && old.file == new.file;
            let known = |file| match is_copy {
                _ if is_same => KnownCollection::SameText,
                true => KnownCollection::Copy { of: file },
                false => KnownCollection::Moved { from: file },
            };
            return Ok(Some(old.known_as(known)));
        }
        let near = if may_replace { self.with_most_levels(keys)? } else { Vec::new() };
        let near = near.into_iter().filter(|old| may_be(old) && !old.has_file()).min_by_key(order);
        Ok(near.map(|old| old.known_as(|from| KnownCollection::NewEdition { from })))
    }

    fn candidates(&self, condition: &str, value: &str) -> Result<Vec<CollectionCandidate>, LibraryProblem> {
        let sql = format!("SELECT {} FROM collection WHERE {condition}", CollectionCandidate::COLUMNS);
        let mut statement = self.transaction.prepare_cached(&sql)?;
        let rows = statement.query_map([value], CollectionCandidate::of_row)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Returns the collections whose levels are the same in the same order. The place of a level that was forgotten may
    /// hold any.
    fn with_same_levels(&self, keys: &[Option<i64>]) -> Result<Vec<CollectionCandidate>, LibraryProblem> {
        let Some(first) = keys.iter().flatten().next() else { return Ok(Vec::new()) };
        let sql = "SELECT level_id FROM entry WHERE collection_id = ?1 ORDER BY number";
        let mut statement = self.transaction.prepare_cached(sql)?;
        let mut same = Vec::new();
        for old in self.with_level(*first)? {
            let rows = statement.query_map([old.key], |row| row.get::<_, Option<i64>>(0))?;
            let stored = rows.collect::<rusqlite::Result<Vec<_>>>()?;
            let is_same = |(stored, key): (&Option<i64>, &Option<i64>)| stored.is_none() || stored == key;
            if stored.len() == keys.len() && stored.iter().zip(keys).all(is_same) {
                same.push(old);
            }
        }
        Ok(same)
    }

    fn with_level(&self, key: i64) -> Result<Vec<CollectionCandidate>, LibraryProblem> {
        let of_level = "collection_id IN (SELECT collection_id FROM entry WHERE level_id = CAST(?1 AS INTEGER))";
        self.candidates(of_level, &key.to_string())
    }

    /// Returns the collections that share more than half of the levels, of theirs and of the new ones.
    fn with_most_levels(&self, keys: &[Option<i64>]) -> Result<Vec<CollectionCandidate>, LibraryProblem> {
        let mut n_common: HashMap<i64, usize> = HashMap::new();
        let sql = "SELECT collection_id FROM entry WHERE level_id = ?1";
        let mut statement = self.transaction.prepare_cached(sql)?;
        for key in keys.iter().flatten() {
            let rows = statement.query_map([key], |row| row.get::<_, i64>(0))?;
            for collection in rows {
                *n_common.entry(collection?).or_default() += 1;
            }
        }
        let mut near = Vec::new();
        let sql = "SELECT COUNT(*) FROM entry WHERE collection_id = ?1";
        let mut statement = self.transaction.prepare_cached(sql)?;
        for (key, n) in n_common.into_iter().filter(|(_, n)| 2 * n > keys.len()) {
            let n_old: i64 = statement.query_row([key], |row| row.get(0))?;
            if usize::try_from(n_old).is_ok_and(|n_old| 2 * n > n_old) {
                near.extend(self.candidates("collection_id = CAST(?1 AS INTEGER)", &key.to_string())?);
            }
        }
        Ok(near)
    }
}

impl NewCollection<'_> {
    /// Whether the collection is taken for another one if its name or its file is another one.
    fn is_literal(&self) -> bool {
        self.recognized_by == RecognizedBy::NameAndFile
    }
}
