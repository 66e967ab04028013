//! A text that is written: where it goes, what it gains, and what becomes of what it does not take.
//!
//! ```text
//!   gain ──▶ its level ──refused──▶ a copy of the level, at the end ──refused──▶ a copy in a file beside
//!                                   out.sok                                      out.refused.sok
//! ```
//!
//! Invariant: what was to be added is in the document or in the one beside it, or is told to be lost. A later run that
//! opens the target reads both.

use std::path::{Path, PathBuf};

use sokoio::{Collection, EditError, LevelEntry, LevelId, NewLevel, WriteFileError, write_file, write_new_file};
use sokolibrary::{Addition, Document, Keep, finds_of};

use crate::complaint::Complaints;
use crate::inputs::Input;
use crate::inputs::sources::refused_beside;
use crate::wording::level_name;

/// What a warning about a level that takes nothing is called.
const REFUSED: &str = "level that takes nothing";

/// A text to be written.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) place: TargetPlace,
    pub(super) document: Document,
    /// What takes copies of levels that the document takes in no form.
    pub(super) refused: Option<Box<Target>>,
    /// Whether the document holds more than when it was opened.
    pub(super) has_gain: bool,
    /// Whether something was gained since it was last written.
    pub(super) is_dirty: bool,
}

/// Where a target is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TargetPlace {
    /// A file that is there already, even without gain.
    File(PathBuf),
    /// A file that is made with the first gain.
    FileIfGained(PathBuf),
    /// Standard output, at the end.
    Stdout,
}

/// What became of something that was to be added to a level.
#[derive(Debug)]
#[must_use = "a level that refuses is to be told"]
pub(super) struct Added {
    /// Whether the document has changed.
    pub(super) is_gain: bool,
    /// Where it is instead, if it is new and the level does not take it.
    pub(super) instead: Option<Instead>,
}

/// Where something is that a level does not take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Instead {
    /// Below the same level, which has this number in the same document.
    Copy(usize),
    /// In another file.
    Refused(PathBuf),
    /// Nowhere.
    Lost(EditError),
}

impl TargetPlace {
    /// Returns the file.
    pub(super) fn path(&self) -> Option<&Path> {
        match self {
            Self::File(path) | Self::FileIfGained(path) => Some(path),
            Self::Stdout => None,
        }
    }

    /// Returns the file of what is refused: beside the target, or where temporary files go.
    pub(super) fn refused(&self) -> PathBuf {
        self.path().map_or_else(
            || std::env::temp_dir().join(format!("soko-refused-{}.sok", std::process::id())),
            refused_beside,
        )
    }

    fn shown(&self) -> String {
        self.path().map_or_else(|| "standard output".to_owned(), |path| path.display().to_string())
    }
}

impl Target {
    /// Makes a target that has gained nothing.
    pub(super) fn new(place: TargetPlace, document: Document) -> Self {
        Self { place, document, refused: None, has_gain: false, is_dirty: false }
    }

    /// Returns the target and the one beside it, if there is one.
    pub(super) fn files(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(self.refused.as_deref())
    }

    /// Notes that the document has gained something.
    pub(super) fn gain(&mut self) {
        (self.has_gain, self.is_dirty) = (true, true);
    }

    /// Takes in the levels of an input that are not there yet, and the solutions of all. Returns whether the document has
    /// changed.
    ///
    /// A collection of which no level is there is taken over as it stands; of another one the new levels are added one
    /// by one, and boards that are no levels are left out.
    pub(super) fn merge(&mut self, input: &Input, keep: Keep, complaints: &Complaints) -> bool {
        let collection: &Collection = input.collection();
        if self.document.take_over(collection) {
            return true;
        }
        let mut has_gain = false;
        for entry in collection.levels() {
            let Ok(id) = entry.level().map(LevelId::of) else { continue };
            if self.document.places(id).is_empty() {
                has_gain |= self.document.append_level(&NewLevel::from(entry), id).is_ok();
            }
            let level_idxs = self.document.places(id).to_vec();
            let add = |document: &mut Document, level_idx| document.add(level_idx, finds_of(entry), keep);
            let added = self.add(entry, &level_idxs, keep, &add);
            has_gain |= added.is_gain;
            if let Some(instead) = added.instead {
                let path = input.source().path.display();
                let place = format!("{path}:{}: {}", entry.line(), level_name(entry.number(), entry.title()));
                self.tell(&place, &instead, complaints);
            }
        }
        has_gain
    }

    /// Adds something to all places of a level, or if none takes it to a copy of the level. `entry` is the level where it
    /// was read, for a document without it.
    pub(super) fn add(&mut self, entry: &LevelEntry, level_idxs: &[usize], keep: Keep, add: Addition<'_>) -> Added {
        let mut is_gain = false;
        let mut taken_by = None;
        let mut is_refused = level_idxs.is_empty();
        for &level_idx in level_idxs {
            match add(&mut self.document, level_idx) {
                Ok(is_new) => {
                    is_gain |= is_new;
                    taken_by = Some(level_idx);
                }
                Err(_) => is_refused = true,
            }
        }
        let instead = match (is_refused, taken_by) {
            (false, _) => {
                self.add_to_refused(entry, add);
                None
            }
            (true, Some(level_idx)) => is_gain.then_some(Instead::Copy(level_idx + 1)),
            (true, None) => {
                // With the solutions that are there already.
                let held = level_idxs.first().map(|&level_idx| self.document.collection().levels()[level_idx].clone());
                let entry = held.as_ref().unwrap_or(entry);
                match self.document.add_to_copy(entry, level_idxs, keep, add) {
                    Ok(copy) => {
                        is_gain |= copy.is_gain;
                        copy.is_gain.then_some(Instead::Copy(copy.level_idx + 1))
                    }
                    Err(_) => self.add_beside(entry, keep, add),
                }
            }
        };
        Added { is_gain, instead }
    }

    /// Adds something to a copy of a level in the file of what is refused.
    fn add_beside(&mut self, entry: &LevelEntry, keep: Keep, add: Addition<'_>) -> Option<Instead> {
        let path = self.place.refused();
        let new = || Box::new(Self::new(TargetPlace::FileIfGained(path.clone()), Document::default()));
        let beside = self.refused.get_or_insert_with(new);
        match beside.document.add_to_copy(entry, &[], keep, add) {
            Ok(copy) if copy.is_gain => {
                beside.gain();
                self.is_dirty = true;
                Some(Instead::Refused(path))
            }
            Ok(_) => None,
            Err(error) => Some(Instead::Lost(error)),
        }
    }

    /// Adds something to the copies of a level that are in the file of what is refused, such as a proof of what is there.
    fn add_to_refused(&mut self, entry: &LevelEntry, add: Addition<'_>) {
        let (Some(beside), Ok(id)) = (&mut self.refused, entry.level().map(LevelId::of)) else { return };
        for level_idx in beside.document.places(id).to_vec() {
            if add(&mut beside.document, level_idx) == Ok(true) {
                beside.gain();
                self.is_dirty = true;
            }
        }
    }

    /// Says where something is that a level of this place does not take.
    pub(super) fn tell(&self, place: &str, instead: &Instead, complaints: &Complaints) {
        let shown = self.place.shown();
        let refused = format!(
            "{place}: nothing can be added to this level in {shown} without changing how the rest of the text is read"
        );
        match instead {
            Instead::Copy(number) => {
                let text = format!("{refused}; what is new for it is below level {number} there, which is the same");
                complaints.warning_of_kind(REFUSED, &text);
            }
            Instead::Refused(path) => {
                let text = format!("{refused}; what is new for it is in {}", path.display());
                complaints.warning_of_kind(REFUSED, &text);
            }
            Instead::Lost(error) => complaints.error(&format!("{refused}, nor to a copy of it: {error}; it is lost")),
        }
    }

    /// Writes the file for the first time, which shows at once whether it can be.
    pub(super) fn write_first(&mut self, is_new: bool) -> anyhow::Result<()> {
        if let Some(path) = self.place.path() {
            let bytes = self.document.collection().to_bytes();
            if is_new {
                write_new_file(path, &bytes)?
            } else {
                write_file(path, &bytes)?
            }
            (self.has_gain, self.is_dirty) = (false, false);
        }
        Ok(())
    }

    /// Writes the files in which something is new.
    pub(super) fn write(&self) -> Result<(), WriteFileError> {
        self.files().filter(|file| file.has_gain).try_for_each(|file| match file.place.path() {
            Some(path) => write_file(path, &file.document.collection().to_bytes()),
            None => Ok(()),
        })
    }
}
