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
        // Whatever was edited in such a file was read again: nothing stands beside its bytes.
        let (before, after) = (&self.bytes[..at.board.end], &self.bytes[at.own_end..]);
        let bytes = [before, own, &self.close(edit.level), after].concat();
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

#[cfg(test)]
pub(super) mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::game::GameKind;
    use crate::game::moves_text::MovesText;

    fn game(title: &str, moves: &str, notes: &str) -> Game {
        let moves = Ok(Arc::new(MovesText { moves: moves.parse().unwrap(), current: None }));
        let notes = notes.split_terminator(',').map(String::from).collect();
        Game { kind: GameKind::Solution, title: Some(title.into()), line: 1, moves, notes }
    }

    /// Each kind of edit of two games, with the games that it is meant to give; `game` makes one of its title, moves and
    /// notes.
    pub(in crate::collection) fn check_edits<T: Clone>(
        game: impl Fn(&str, &str, &str) -> T,
        mut check: impl FnMut(&[T], &Edit<'_>, &dyn Fn(T) -> Vec<T>, &T),
    ) {
        let (moves, notes) = ("RR".parse().unwrap(), ["n".to_owned()]);
        let old = [game("A", "R", "x"), game("B", "L", "y")];
        for (at, title, change, meant) in [
            (0, "C", GameChange::Title, game("C", "R", "x")),
            (0, "A", GameChange::Note("n"), game("A", "R", "x,n")),
            (2, "D", GameChange::New { moves: &moves, notes: &notes }, game("D", "RR", "n")),
        ] {
            let with = |game| [&old[..at], &[game], old.get(at + 1..).unwrap_or_default()].concat();
            check(&old, &Edit { level: 0, game: at, title, change }, &with, &meant);
        }
    }

    /// One thing that differs is enough: the title, the moves, the notes, the number of games.
    #[test]
    fn games_are_the_same_but_for_the_edit() {
        check_edits(game, |old, edit, with, meant| {
            let is_meant = |game| are_edited(old, &with(game), Some(edit));
            assert!(is_meant(meant.clone()), "{edit:?}");
            assert!(!is_meant(Game { title: Some("E".into()), ..meant.clone() }), "{edit:?}");
            assert!(!is_meant(Game { moves: game("", "U", "").moves, ..meant.clone() }), "{edit:?}");
            assert!(!is_meant(Game { notes: vec!["z".into()], ..meant.clone() }), "{edit:?}");
            assert!(!are_edited(old, &old[..1], Some(edit)), "{edit:?}");
        });
        let old = [game("A", "R", "x"), game("B", "L", "y")];
        assert!(are_edited(&old, &old, None));
        assert!(!are_edited(&old, &old[..1], None));
        for other in [game("E", "L", "y"), game("B", "U", "y"), game("B", "L", "z")] {
            assert!(!are_edited(&old, &[old[0].clone(), other], None));
        }
        let one = [game("A", "R", "x")];
        let reversed = Game { kind: GameKind::ReverseSnapshot, ..one[0].clone() };
        let edit = Edit { level: 0, game: 0, title: "A", change: GameChange::Note("n") };
        assert!(!are_edited(&one, &[Game { notes: vec!["x".into(), "n".into()], ..reversed }], Some(&edit)));
    }

    #[test]
    fn one_line_more_is_nothing_else() {
        let lines = |text: &str| text.chars().map(String::from).collect::<Vec<_>>();
        for (old, new, expect) in [
            ("", "n", true),
            ("ab", "abn", true),
            ("ab", "anb", true),
            ("ab", "nab", true),
            ("nn", "nnn", true),
            ("ab", "ab", false),
            ("ab", "abx", false),
            ("ab", "anx", false),
            ("ab", "abnn", false),
            ("ab", "nnab", false),
            ("ab", "an", false),
        ] {
            assert_eq!(is_one_more(&lines(old), &lines(new), "n"), expect, "{old} {new}");
        }
    }
}
