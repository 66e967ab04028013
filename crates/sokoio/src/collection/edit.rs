//! Edits of a collection: a solution added below the others, a title changed.
//!
//! Invariant: reading the edited bytes gives the same levels, titles and games as before, plus the edit. Notes that
//! a reader could take for something else are written with `; ` in front.

use sokocore::Lurd;
use thiserror::Error;

use super::Collection;
use crate::game::{Game, GameKind};
use crate::level_entry::LevelEntry;
use crate::line_kind::LineKind;
use crate::moves_text::wrap_moves;
use crate::property::{Name, Property};
use crate::solution_title::SolutionTitle;

/// Why a collection was not edited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EditError {
    /// No such level.
    #[error("there is no level {number} among the {n_levels} of the collection")]
    NoLevel {
        /// Number of the level asked for, from 1.
        number: usize,
        /// Levels in the collection.
        n_levels: usize,
    },
    /// No such game.
    #[error("level {level} has no game {number} among its {n_games}")]
    NoGame {
        /// Number of the level, from 1.
        level: usize,
        /// Number of the game asked for, from 1.
        number: usize,
        /// Games of the level.
        n_games: usize,
    },
    /// A solution without moves would be read as a note.
    #[error("a solution without moves cannot be written")]
    NoMoves,
    /// The edited file would be read differently elsewhere: it has text that only looks like boards or games.
    #[error("level {level} cannot be edited without changing how the rest of the file is read; edit it by hand")]
    Ambiguous {
        /// Number of the level, from 1.
        level: usize,
    },
}

/// What an edit changes, and nothing else.
struct Edit<'a> {
    level: usize,
    /// Index of the game that has another title or is new.
    game: usize,
    title: &'a str,
    /// The moves of a game that is new; it is the last of its level.
    new_moves: Option<&'a Lurd>,
}

impl Collection {
    /// Adds a solution below the last game of a level, moves wrapped at 70, a blank line around; returns its index
    /// among the level's games. Indices count from 0. The title gets a number if the level has it already.
    ///
    /// Notes stand below the moves, one a line. `Solver: name` and other known properties are written as they are,
    /// anything else with `; ` in front.
    ///
    /// # Errors
    /// No such level, no moves, or a file that cannot be edited safely. Nothing is changed then.
    pub fn add_solution(
        &mut self,
        level_index: usize,
        title: &SolutionTitle,
        moves: &Lurd,
        notes: &[String],
    ) -> Result<usize, EditError> {
        let no_level = EditError::NoLevel { number: level_index + 1, n_levels: self.levels.len() };
        let entry = self.levels.get(level_index).ok_or(no_level)?;
        if moves.is_empty() {
            return Err(EditError::NoMoves);
        }
        let title = entry.unique_title(title, None).to_string();
        let mut rows = vec![title.clone()];
        rows.extend(wrap_moves(moves));
        rows.extend(notes.iter().flat_map(|note| note.split(['\n', '\r'])).filter_map(note_line));
        let (at, n_games) = (entry.end, entry.games.len());
        let edit = Edit { level: level_index, game: n_games, title: &title, new_moves: Some(moves) };
        self.apply(self.with_paragraph(at, &rows), &edit)?;
        Ok(n_games)
    }

    /// Changes the title of a game, or writes one above moves without; indices count from 0. The title gets a number
    /// if another game of the level has it already.
    ///
    /// # Errors
    /// No such level or game, or a file that cannot be edited safely. Nothing is changed then.
    pub fn retitle(&mut self, level_index: usize, game_index: usize, title: &SolutionTitle) -> Result<(), EditError> {
        let no_level = EditError::NoLevel { number: level_index + 1, n_levels: self.levels.len() };
        let entry = self.levels.get(level_index).ok_or(no_level)?;
        let n_games = entry.games.len();
        let no_game = EditError::NoGame { level: level_index + 1, number: game_index + 1, n_games };
        let game = entry.games.get(game_index).ok_or(no_game)?;
        let title = entry.unique_title(title, Some(game_index)).to_string();
        let (title_line, moves_line, inline) = (game.lines.title, game.lines.moves.start, game.lines.inline_title);
        let line_break = self.lines.line_break_before(moves_line);
        let new = if let Some(line) = title_line {
            let (before, after) = self.lines.around_text(line);
            [before, title.as_bytes(), after].concat()
        } else {
            let (before, after) = self.lines.around_text(moves_line);
            let prefix = self.lines.prefix();
            let moves = self.lines.raw_text(moves_line)[inline..].trim_ascii();
            let between = format!("{title}{line_break}{prefix}");
            [before, between.as_bytes(), moves, after].concat()
        };
        self.apply(new, &Edit { level: level_index, game: game_index, title: &title, new_moves: None })
    }

    /// The file with lines inserted before a line, set off by blank lines.
    fn with_paragraph(&self, at: usize, rows: &[String]) -> Vec<u8> {
        let line_break = self.lines.line_break_before(at);
        let prefix = self.lines.prefix();
        let blank = format!("{}{line_break}", prefix.trim_end());
        let mut text = String::new();
        if at > 0 && !self.lines.is_ended(at - 1) {
            text += line_break;
        }
        text += &blank;
        for row in rows {
            text += &format!("{prefix}{row}{line_break}");
        }
        if at < self.lines.len() && LineKind::of(self.lines.raw_text(at)) != LineKind::Blank {
            text += &blank;
        }
        let (before, after) = self.lines.split_before(at);
        [before, text.as_bytes(), after].concat()
    }

    /// Takes over the edited bytes if reading them gives what the edit means, and nothing else.
    fn apply(&mut self, bytes: Vec<u8>, edit: &Edit<'_>) -> Result<(), EditError> {
        let mut new = Self::from_bytes(bytes, &mut self.levels);
        if new.is_edited(self, edit) {
            *self = new;
            return Ok(());
        }
        *self = Self::from_bytes(self.to_bytes().to_vec(), &mut new.levels);
        Err(EditError::Ambiguous { level: edit.level + 1 })
    }

    fn is_edited(&self, old: &Self, edit: &Edit<'_>) -> bool {
        let is_same = |(at, (old, new)): (usize, (&LevelEntry, &LevelEntry))| {
            let edit = Some(edit).filter(|edit| edit.level == at);
            (&old.title, &old.author, &old.rows) == (&new.title, &new.author, &new.rows)
                && are_edited(&old.games, &new.games, edit)
        };
        (&old.title, &old.author) == (&self.title, &self.author)
            && old.levels.len() == self.levels.len()
            && old.levels.iter().zip(&self.levels).enumerate().all(is_same)
    }
}

fn are_edited(old: &[Game], new: &[Game], edit: Option<&Edit<'_>>) -> bool {
    let is_same = |(at, new): (usize, &Game)| {
        let moves = new.moves.as_ref().ok();
        match edit.filter(|edit| edit.game == at) {
            Some(edit) => {
                let same_moves = match edit.new_moves {
                    Some(new_moves) => moves.is_some_and(|text| text.moves == *new_moves),
                    None => moves == old[at].moves.as_ref().ok(),
                };
                same_moves && new.title.as_deref() == Some(edit.title)
            }
            None => (new.kind, &new.title, moves) == (old[at].kind, &old[at].title, old[at].moves.as_ref().ok()),
        }
    };
    let n_new = usize::from(edit.is_some_and(|edit| edit.new_moves.is_some()));
    new.len() == old.len() + n_new && new.iter().enumerate().all(is_same)
}

/// A note as one line that no reader takes for a title, a name or a game.
fn note_line(note: &str) -> Option<String> {
    let note = note.trim();
    let is_name = |property: &Property<'_>| Name::ALL.iter().any(|&name| property.gives(name));
    let is_property = Property::parse(note).is_some_and(|property| !is_name(&property));
    let is_safe = note.starts_with(';') || (is_property && GameKind::of_title(note).is_none());
    match note {
        "" => None,
        _ if is_safe && !note.contains("\\n") => Some(note.to_owned()),
        _ => Some(format!("; {}", note.replace("\\n", " ").replace('#', "no. "))),
    }
}
