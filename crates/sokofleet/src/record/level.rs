//! Levels and files of levels, as submitted.

use serde::{Deserialize, Serialize};
use sokocore::Level;
use sokoio::LevelId;
use sokonight::NightLevel;

/// A level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LevelRecord {
    /// Its board.
    pub(crate) board: String,
    /// The collection that it was submitted with; empty without one.
    pub(crate) collection: String,
    /// Its number there, from 1; 0 if it is in none.
    pub(crate) number: u64,
    /// Its title there; empty without one.
    pub(crate) title: String,
}

impl LevelRecord {
    /// Makes the record of a level.
    pub(crate) fn new(level: &Level, collection: &str, number: u64, title: &str) -> Self {
        Self { board: level.grid().to_string(), collection: collection.to_owned(), number, title: title.to_owned() }
    }

    /// Returns the level; `None` if the board is not the one of this identity, as a broken worker may leave it.
    pub(crate) fn level(&self, id: LevelId) -> Option<NightLevel> {
        let level = Level::parse(&self.board).ok().filter(|level| LevelId::of(level) == id)?;
        Some(NightLevel::new(level).placed(&*self.collection, self.number, &*self.title))
    }
}

/// A file of levels, as it was submitted: what is collected becomes such a file again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CollectionRecord {
    /// Its name.
    pub(crate) name: String,
    /// The bytes of its text.
    pub(crate) n_bytes: u64,
    /// Whether the packed text is in the object store, being too large for a message.
    pub(crate) is_large: bool,
}
