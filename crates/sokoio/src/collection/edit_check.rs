//! What an edit means, and whether a text is another one but for it. Where a gap cannot be read by itself, the whole
//! file is read again and compared.

use sokocore::Lurd;

use super::Collection;
use crate::collection::level_entry::LevelEntry;
use crate::game::Game;

/// What an edit changes, and nothing else.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edit<'a> {
    pub(super) level: usize,
    /// Index of the game that is changed or new.
    pub(super) game: usize,
    /// Its title after the edit.
    pub(super) title: &'a str,
    pub(super) change: GameChange<'a>,
}

/// What happens to the game.
#[derive(Clone, Copy, Debug)]
pub(super) enum GameChange<'a> {
    /// It is new, the last of its level.
    New {
        moves: &'a Lurd,
        notes: &'a [String],
    },
    Title,
    /// It has one more note.
    Note(&'a str),
}

impl Collection {
    /// Takes over another text for a level if reading the file then gives what the edit means, and nothing else. Returns
    /// whether it does.
    pub(super) fn apply_to_whole(&mut self, own: &[u8], edit: &Edit<'_>) -> bool {
        let at = &self.levels[edit.level].place;
        let before = self.parts_of(0..edit.level, 0, at.board.end).concat();
        let after = self.parts_of(edit.level + 1..self.levels.len(), at.own_end, self.bytes.len()).concat();
        let bytes = [&before, own, &self.close(edit.level), &after].concat();
        let mut new = Self::from_bytes(bytes, &self.levels);
        new.bytes_read += self.bytes_read;
        new.source = self.source;
        let is_meant = new.is_edited(self, edit);
        if is_meant {
            *self = new;
        }
        is_meant
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
            GameChange::New { moves: new_moves, notes } => {
                new.title.as_deref() == Some(edit.title) && moves == Some(new_moves) && new.notes == notes
            }
            GameChange::Title => {
                let old = &old[at];
                new.title.as_deref() == Some(edit.title) && old.notes == new.notes && old.moves().ok() == moves
            }
            GameChange::Note(note) => {
                let old = &old[at];
                (old.kind, &old.title) == (new.kind, &new.title)
                    && old.moves().ok() == moves
                    && is_one_more(&old.notes, &new.notes, note)
            }
        }
    };
    let n_new = usize::from(edit.is_some_and(|edit| matches!(edit.change, GameChange::New { .. })));
    new.len() == old.len() + n_new && new.iter().enumerate().all(is_same)
}

/// Whether the new lines are the old ones and one more.
pub(super) fn is_one_more(old: &[String], new: &[String], line: &str) -> bool {
    let at = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    new.get(at).is_some_and(|new| new == line) && new.len() == old.len() + 1 && new[at + 1..] == old[at..]
}
