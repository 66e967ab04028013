//! Edits checked by reading the whole file again: for files in which a gap cannot be read by itself.

use super::Collection;
use super::edit::{Change, Edit, EditError};
use crate::game::Game;
use crate::level_entry::LevelEntry;

impl Collection {
    /// Takes over another text for a level if reading the file then gives what the edit means, and nothing else.
    pub(super) fn apply_to_whole(&mut self, own: &[u8], edit: &Edit<'_>) -> Result<(), EditError> {
        let at = &self.levels[edit.level].place;
        let before = self.parts_of(0..edit.level, 0, at.board.end).concat();
        let after = self.parts_of(edit.level + 1..self.levels.len(), at.own_end, self.bytes.len()).concat();
        let bytes = [&before, own, &self.close(edit.level), &after].concat();
        let mut new = Self::from_bytes(bytes, &self.levels);
        new.bytes_read += self.bytes_read;
        new.source = self.source;
        if !new.is_edited(self, edit) {
            return Err(EditError::Ambiguous { level: edit.level + 1 });
        }
        *self = new;
        Ok(())
    }

    fn is_edited(&self, old: &Self, edit: &Edit<'_>) -> bool {
        let is_same = |(at, (old, new)): (usize, (&LevelEntry, &LevelEntry))| {
            says_the_same(old, new) && are_edited(old.games(), new.games(), Some(edit).filter(|edit| edit.level == at))
        };
        (old.title(), old.author(), old.notes()) == (self.title(), self.author(), self.notes())
            && old.levels.len() == self.levels.len()
            && old.levels.iter().zip(&self.levels).enumerate().all(is_same)
    }
}

/// Whether all but the games is the same.
pub(super) fn says_the_same(old: &LevelEntry, new: &LevelEntry) -> bool {
    let (old, new) = (&old.fixed, &new.fixed);
    (&old.title, &old.author, &old.notes, &old.rows) == (&new.title, &new.author, &new.notes, &new.rows)
}

/// Whether the games are the same but for an edit.
pub(super) fn are_edited(old: &[Game], new: &[Game], edit: Option<&Edit<'_>>) -> bool {
    let is_same = |(at, new): (usize, &Game)| {
        let moves = new.moves().ok();
        let Some(edit) = edit.filter(|edit| edit.game == at) else {
            let old = &old[at];
            return (old.kind, &old.title, &old.notes) == (new.kind, &new.title, &new.notes)
                && old.moves().ok() == moves;
        };
        match edit.change {
            Change::New { moves: new_moves, notes } => {
                new.title.as_deref() == Some(edit.title) && moves == Some(new_moves) && new.notes == notes
            }
            Change::Title => {
                let old = &old[at];
                new.title.as_deref() == Some(edit.title) && old.notes == new.notes && old.moves().ok() == moves
            }
            Change::Note(note) => {
                let old = &old[at];
                (old.kind, &old.title) == (new.kind, &new.title)
                    && old.moves().ok() == moves
                    && is_one_more(&old.notes, &new.notes, note)
            }
        }
    };
    let n_new = usize::from(edit.is_some_and(|edit| matches!(edit.change, Change::New { .. })));
    new.len() == old.len() + n_new && new.iter().enumerate().all(is_same)
}

/// Whether the new lines are the old ones and one more.
pub(super) fn is_one_more(old: &[String], new: &[String], line: &str) -> bool {
    let at = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    new.get(at).is_some_and(|new| new == line) && new.len() == old.len() + 1 && new[at + 1..] == old[at..]
}
