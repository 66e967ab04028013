//! Copies of levels, which take what the levels themselves cannot.
//!
//! Some texts are such that nothing can be added to a level: lines that belong to two boards, for example, or text that
//! only looks like a game. The same level at the end of the text, with its title and its solutions, has no such lines.
//!
//! Invariant: a document without a copy that takes what is added is not changed.

use sokoio::{EditError, LevelEntry, LevelId, NewLevel};

use super::{Addition, Document, Keep, finds_of};

/// Where something was added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelCopy {
    /// Place of the copy in its document, from 0.
    pub level_idx: usize,
    /// Whether the document has changed.
    pub is_gain: bool,
}

impl Document {
    /// Adds something to a copy of a level: to one that is there and not among those that were tried, or else to a new one
    /// at the end.
    ///
    /// # Errors
    /// No copy takes it; the document is as it was.
    pub fn add_to_copy(
        &mut self,
        entry: &LevelEntry,
        tried: &[usize],
        keep: Keep,
        add: Addition<'_>,
    ) -> Result<LevelCopy, EditError> {
        let Ok(id) = entry.level().map(LevelId::of) else { return Err(EditError::NoBoard) };
        let untried: Vec<_> = self.places(id).iter().copied().filter(|place| !tried.contains(place)).collect();
        for level_idx in untried {
            if let Ok(is_gain) = add(self, level_idx) {
                return Ok(LevelCopy { level_idx, is_gain });
            }
        }
        let before = self.clone();
        let copied = self.append_copy(entry, id, keep).and_then(|level_idx| {
            add(self, level_idx)?;
            Ok(LevelCopy { level_idx, is_gain: true })
        });
        if copied.is_err() {
            *self = before;
        }
        copied
    }

    /// Puts a level with its solutions at the end; without its title and its notes, if they would change how the rest is
    /// read. Returns its place.
    fn append_copy(&mut self, entry: &LevelEntry, id: LevelId, keep: Keep) -> Result<usize, EditError> {
        let level_idx = match (self.append_level(&NewLevel::from(entry), id), entry.level()) {
            (Err(_), Ok(level)) => self.append_level(&NewLevel::from(level), id)?,
            (appended, _) => appended?,
        };
        self.add(level_idx, finds_of(entry), keep)?;
        Ok(level_idx)
    }
}
