//! The text of a level while it is edited: where lines go, and how they end.

use super::{Collection, local::LocalGame};
use crate::game::GameKind;
use crate::outline::is_rule;
use crate::text::line_kind::LineKind;
use crate::text::property::{Name, Property};

impl Collection {
    /// The line break of the line above, so that an escaped line stays in one piece, or else that of the file; and
    /// whether the line above has one at all.
    pub(super) fn line_break_after(&self, own: &[u8], level_index: usize) -> (&'static str, bool) {
        let board_end = self.levels[level_index].place.board.end;
        let above = if own.is_empty() { &self.bytes[..board_end] } else { own };
        self.line_break_of(above)
    }

    /// The same for any text above.
    pub(super) fn line_break_of(&self, above: &[u8]) -> (&'static str, bool) {
        let escaped = Some("\\n").filter(|_| self.manner.has_escaped);
        let breaks = ["\r\n", "\n", "\r"].into_iter().chain(escaped);
        let found = breaks.into_iter().find(|ending| above.ends_with(ending.as_bytes()));
        (found.unwrap_or(self.manner.line_break), found.is_some())
    }

    /// As many quote marks as every line has.
    pub(super) fn prefix(&self) -> String {
        match self.manner.n_quotes {
            0 => String::new(),
            n => format!("{} ", ">".repeat(n)),
        }
    }

    pub(super) fn blank_line(&self, line_break: &str) -> Vec<u8> {
        format!("{}{line_break}", self.prefix().trim_end()).into_bytes()
    }

    /// Rows as lines of this file.
    pub(super) fn lines_of(&self, rows: &[String], line_break: &str) -> Vec<u8> {
        let prefix = self.prefix();
        rows.iter().map(|row| format!("{prefix}{row}{line_break}")).collect::<String>().into_bytes()
    }

    /// Rows set off by a blank line from the text above, which may lack its last line break.
    pub(super) fn paragraph(&self, rows: &[String], line_break: &str, is_ended: bool) -> Vec<u8> {
        let mut text = if is_ended { Vec::new() } else { line_break.as_bytes().to_vec() };
        text.extend(self.blank_line(line_break));
        text.extend(self.lines_of(rows, line_break));
        text
    }

    /// The text of a level with another title for one of its games.
    pub(super) fn with_title(&self, own: &[u8], game: &LocalGame, title: &str, line_break: &str) -> Vec<u8> {
        let prefix = self.prefix();
        if let Some(at) = &game.title_at {
            return [&own[..at.start], title.as_bytes(), &own[at.end..]].concat();
        }
        let between = format!("{title}{line_break}{prefix}");
        let (before, moves) = (&own[..game.first_moves_at.start], &own[game.bare_moves_at.start..]);
        [before, between.as_bytes(), moves].concat()
    }

    /// The text of a level with another line below the moves of one of its games.
    pub(super) fn with_note(&self, own: &[u8], game: &LocalGame, note: String) -> Vec<u8> {
        let (above, below) = own.split_at(game.notes_end.min(own.len()));
        let (line_break, is_ended) = self.line_break_of(above);
        let line_break_before = if is_ended { "" } else { line_break };
        [above, line_break_before.as_bytes(), &self.lines_of(&[note], line_break), below].concat()
    }
}

/// The lines of notes that are written below moves.
pub(super) fn note_lines<'a>(notes: impl IntoIterator<Item = &'a String>) -> Vec<String> {
    let lines = notes.into_iter().flat_map(|note| note.split(['\n', '\r']));
    lines.filter_map(note_line).collect()
}

/// A note as one line that no reader takes for a title, a name or a game; nothing if it is blank.
fn note_line(note: &str) -> Option<String> {
    let note = note.trim();
    let is_comment = note.starts_with(';') && !is_rule(note.as_bytes());
    let is_safe = is_comment || (Property::parse(note).is_some() && is_plain(note));
    match note {
        "" => None,
        _ if is_safe && !note.contains("\\n") => Some(note.to_owned()),
        _ => Some(as_comment(note)),
    }
}

/// A note as one line of a level that no reader takes for anything else; nothing if it is blank.
pub(super) fn level_note_line(note: &str) -> Option<String> {
    let note = note.trim();
    let is_safe = LineKind::of(note.as_bytes()) == LineKind::Text && !is_rule(note.as_bytes()) && is_plain(note);
    match note {
        "" => None,
        _ if is_safe && !note.contains("\\n") => Some(note.to_owned()),
        _ => Some(as_comment(note)),
    }
}

/// Names nothing and announces no game.
fn is_plain(note: &str) -> bool {
    let names = |found: Property<'_>| Name::ALL.iter().any(|&name| found.gives(name));
    !Property::parse(note).is_some_and(names) && GameKind::of_title(note).is_none()
}

fn as_comment(note: &str) -> String {
    format!("; {}", note.replace("\\n", " ").replace('#', "no. ").trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_that_say_something_else_become_comments() {
        for (note, level_note, game_note) in [
            ("", None, None),
            (" \t", None, None),
            (" A note. ", Some("A note."), Some("; A note.")),
            ("Date: 1999", Some("Date: 1999"), Some("Date: 1999")),
            ("; x", Some("; x"), Some("; x")),
            (";;;;", Some("; ;;;;"), Some("; ;;;;")),
            ("Title: x", Some("; Title: x"), Some("; Title: x")),
            ("a solution", Some("; a solution"), Some("; a solution")),
            ("lurD", Some("; lurD"), Some("; lurD")),
            (":: x", Some("; :: x"), Some("; :: x")),
            ("- _", Some("; - _"), Some("; - _")),
            ("=====", Some("; ====="), Some("; =====")),
            ("##", Some("; no. no."), Some("; no. no.")),
            ("Date: a\\nb", Some("; Date: a b"), Some("; Date: a b")),
        ] {
            assert_eq!(level_note_line(note).as_deref(), level_note, "{note:?}");
            assert_eq!(note_line(note).as_deref(), game_note, "{note:?}");
        }
    }
}
