//! Edits of a collection: games added below a level, titles changed, notes added.
//!
//! Invariant: reading the edited bytes gives the same levels, titles, notes and games as before, plus the edit. Notes
//! that a reader could take for something else are written with `; ` in front.
//!
//! An edit reads the text of its level and the boards around it again and nothing else, and a game that follows one
//! that was added costs no more than its own length: n edits of a file of m bytes take time in O(m + what they add), up
//! to a logarithm for titles. The style of the section is recomputed from its sums. Where it changes, the section is
//! read again.

use std::sync::Arc;

use sokocore::Lurd;
use thiserror::Error;

use super::edit_check::{Edit, GameChange, is_one_more};
use super::edited_text::note_lines;
use super::local::{GapPlace, LocalGame, LocalGap};
use super::{Collection, announced_kind};
use crate::collection::level_entry::{EditedText, LevelEntry};
use crate::collection::taken_titles::TakenTitles;
use crate::game::Game;
use crate::game::moves_text::{MovesText, wrap_moves};
use crate::game::solution_title::{SolutionKind, SolutionTitle};
use crate::outline::GapPosition;

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
    /// A solution without moves would be read back as a note.
    #[error("a solution without moves cannot be written")]
    NoMoves,
    /// A note without text cannot be read again.
    #[error("a note without text cannot be written")]
    NoNote,
    /// The rows of a new level are not a board.
    #[error("the rows are not read as one board; use three rows or more of # @ $ . + * and spaces")]
    NoBoard,
    /// The edited file would be read differently elsewhere: it has text that only looks like boards or games.
    #[error("level {level} cannot be edited without changing how the rest of the file is read; edit it by hand")]
    Ambiguous {
        /// Number of the level, from 1.
        level: usize,
    },
}

impl Collection {
    /// Adds a solution below the last game of a level, moves wrapped at 70, a blank line around; returns its index
    /// among the level's games. Indices count from 0. The title gets a number if the level has it already.
    ///
    /// The moves are written as they are: replay them on the level first.
    ///
    /// Notes stand below the moves, one a line. `Solver: name` and other known properties are written as they are,
    /// anything else with `; ` in front.
    ///
    /// ```
    /// use sokoio::{Collection, SolutionKind, SolutionTitle};
    ///
    /// let mut collection = Collection::parse(b"Two steps\n######\n#@$ .#\n######\nA note.\n");
    /// let solution = sokocore::replay(collection.levels()[0].level()?, &"RR".parse()?)?;
    /// let title = SolutionTitle::new(SolutionKind::Plain, solution.metrics()).with_first_metrics(2);
    /// assert_eq!(collection.add_solution(0, &title, solution.lurd(), &["Solver: me".to_owned()])?, 0);
    /// assert!(collection.to_string().ends_with("######\nA note.\n\nSolution 2/2\nRR\nSolver: me\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
        self.add_game(level_index, title, &ToString::to_string, moves, notes)
    }

    /// Adds a snapshot as [`Collection::add_solution`] does, titled `Snapshot 12/3 (name)` with the numbers and the
    /// name of the title.
    ///
    /// # Errors
    /// As [`Collection::add_solution`].
    pub fn add_snapshot(
        &mut self,
        level_index: usize,
        title: &SolutionTitle,
        moves: &Lurd,
    ) -> Result<usize, EditError> {
        let title = title.clone().with_kind(SolutionKind::Plain);
        let text = |title: &SolutionTitle| title.to_string().replacen("Solution", "Snapshot", 1);
        self.add_game(level_index, &title, &text, moves, &[])
    }

    /// Changes the title of a game, or writes one above moves without; indices count from 0. The title gets a number
    /// if another game of the level has it already.
    ///
    /// ```
    /// use sokocore::Metrics;
    /// use sokoio::{Collection, SolutionKind, SolutionTitle};
    ///
    /// let mut collection = Collection::parse(b"######\n#@$ .#\n######\n\nMy solution\nRR\n");
    /// let metrics = Metrics { moves: 2, pushes: 2, ..Metrics::default() };
    /// collection.retitle(0, 0, &SolutionTitle::new(SolutionKind::Best, metrics).with_first_metrics(2))?;
    /// assert_eq!(collection.to_string(), "######\n#@$ .#\n######\n\nBest Solution 2/2\nRR\n");
    /// # Ok::<(), sokoio::EditError>(())
    /// ```
    ///
    /// # Errors
    /// No such level or game, or a file that cannot be edited safely. Nothing is changed then.
    pub fn retitle(&mut self, level_index: usize, game_index: usize, title: &SolutionTitle) -> Result<(), EditError> {
        self.game(level_index, game_index)?;
        let entry = &self.levels[level_index];
        let title = entry.unique_title(title, Some(game_index)).to_string();
        let (own, game) = self.local_game(level_index, game_index)?;
        let edit = Edit { level: level_index, game: game_index, title: &title, change: GameChange::Title };
        let (line_break, _) = self.line_break_of(&own[..end_of_line(&own, game.first_moves_at.start)]);
        self.apply(self.with_title(&own, &game, &title, line_break), &edit)
    }

    /// Adds a note below the moves of a game and the lines that follow them directly; indices count from 0. It is
    /// written as the notes of [`Collection::add_solution`] are.
    ///
    /// # Errors
    /// No such level or game, a blank note, or a file that cannot be edited safely. Nothing is changed then.
    pub fn add_note(&mut self, level_index: usize, game_index: usize, note: &str) -> Result<(), EditError> {
        let title = self.game(level_index, game_index)?.title.clone().unwrap_or_default();
        let note = note.split(['\n', '\r']).map(str::trim).collect::<Vec<_>>().join(" ");
        let Some(note) = note_lines([&note]).pop() else { return Err(EditError::NoNote) };
        let (own, game) = self.local_game(level_index, game_index)?;
        let change = GameChange::Note(&note);
        let edit = Edit { level: level_index, game: game_index, title: &title, change };
        self.apply(self.with_note(&own, &game, note.clone()), &edit)
    }

    fn add_game(
        &mut self,
        level_index: usize,
        title: &SolutionTitle,
        text: &dyn Fn(&SolutionTitle) -> String,
        moves: &Lurd,
        notes: &[String],
    ) -> Result<usize, EditError> {
        self.entry(level_index)?;
        if moves.is_empty() {
            return Err(EditError::NoMoves);
        }
        let record = Arc::make_mut(&mut self.levels[level_index].record);
        let titles = record.titles.get_or_insert_with(|| TakenTitles::of(&record.games, None));
        let title = text(&titles.first_free(title, text));
        let game = record.games.len();
        let notes = note_lines(notes);
        let mut rows = vec![title.clone()];
        rows.extend(wrap_moves(moves));
        rows.extend_from_slice(&notes);
        let change = GameChange::New { moves, notes: &notes };
        let edit = Edit { level: level_index, game, title: &title, change };
        let (line_break, is_ended) = self.line_break_after(self.own_text(&self.levels[level_index]), level_index);
        let paragraph = self.paragraph(&rows, line_break, is_ended);
        let record = &self.levels[level_index].record;
        if self.manner.is_local && record.text.as_ref().is_some_and(|text| text.ends_with_game) {
            self.extend(&paragraph, &edit)?;
        } else {
            self.apply([self.own_text(&self.levels[level_index]), &paragraph].concat(), &edit)?;
        }
        Ok(game)
    }

    pub(super) fn entry(&self, level_index: usize) -> Result<&LevelEntry, EditError> {
        let no_level = EditError::NoLevel { number: level_index.saturating_add(1), n_levels: self.levels.len() };
        self.levels.get(level_index).ok_or(no_level)
    }

    fn game(&self, level_index: usize, game_index: usize) -> Result<&Game, EditError> {
        let games = self.entry(level_index)?.games();
        let number = game_index.saturating_add(1);
        games.get(game_index).ok_or(EditError::NoGame { level: level_index + 1, number, n_games: games.len() })
    }

    /// The text of a level, and where a game is in it.
    fn local_game(&self, level_index: usize, game_index: usize) -> Result<(Vec<u8>, LocalGame), EditError> {
        let style = self.sections[self.section_index(level_index)].style;
        let gap = self.read_gap(level_index, None, &style);
        let own = self.own_text(&self.levels[level_index]).to_vec();
        let game = gap.games.into_iter().nth(game_index);
        let game = game.filter(|game| game.first_moves_at.end <= own.len());
        Ok((own, game.ok_or(EditError::Ambiguous { level: level_index + 1 })?))
    }

    /// Adds a game to a text that ends with one: only the new lines are read.
    fn extend(&mut self, paragraph: &[u8], edit: &Edit<'_>) -> Result<(), EditError> {
        let ambiguous = EditError::Ambiguous { level: edit.level + 1 };
        let style = self.sections[self.section_index(edit.level)].style;
        // A blank line closes it, of a kind that does not join the line break in front of it.
        let text = [paragraph, b"\r"].concat();
        let at = GapPlace { place: GapPosition::Inner, number: 0 };
        let gap = LocalGap::read(&text, self.manner.n_quotes, at, &style);
        self.count_read(text.len());
        if !gap.is_only_games() || !are_edited(&[], &gap.games, &Edit { game: 0, ..*edit }) {
            return Err(ambiguous);
        }
        let record = Arc::make_mut(&mut self.levels[edit.level].record);
        record.text.as_mut().ok_or(ambiguous)?.bytes.extend_from_slice(paragraph);
        self.commit(edit, &gap.games);
        Ok(())
    }

    /// Takes over another text for a level if reading it gives what the edit means, and nothing else.
    fn apply(&mut self, own: Vec<u8>, edit: &Edit<'_>) -> Result<(), EditError> {
        let ambiguous = EditError::Ambiguous { level: edit.level + 1 };
        if !self.manner.is_local {
            return if self.apply_to_whole(&own, edit) { Ok(()) } else { Err(ambiguous) };
        }
        let section = self.section_index(edit.level);
        let style = self.sections[section].style;
        let rest = self.gap_end(edit.level) - self.levels[edit.level].place.own_end;
        self.count_read(self.own_text(&self.levels[edit.level]).len() + own.len() + 2 * rest);
        let old = self.read_gap(edit.level, None, &style);
        let new = self.read_gap(edit.level, Some(&own), &style);
        let mut votes = self.sections[section].votes;
        votes.replace(&old.votes, &new.votes, self.gap_place(edit.level).place);
        let new_style = votes.style();
        let new = if new_style == style { new } else { self.read_gap(edit.level, Some(&own), &new_style) };
        self.count_read(self.levels[edit.level].place.board.len());
        let is_meant = old.says_the_same(&new) && are_edited(&old.games, &new.games, edit);
        if !is_meant || !self.keeps_boards(edit.level, &own) {
            return Err(ambiguous);
        }
        if new_style != style {
            self.count_read(2 * self.bytes.len());
            if !self.reads_the_same(section, edit.level, &new_style) {
                return Err(ambiguous);
            }
        }
        self.sections[section].votes = votes;
        self.sections[section].style = new_style;
        let close = self.close(edit.level);
        let record = Arc::make_mut(&mut self.levels[edit.level].record);
        let ends_with_game = matches!(edit.change, GameChange::New { .. })
            || record.text.as_ref().is_some_and(|text| text.ends_with_game);
        record.text = Some(EditedText { bytes: own, close, ends_with_game });
        self.commit(edit, &new.games);
        Ok(())
    }

    /// Enters the edit among the games. `games` are those that were read, the changed one among them if it is not new.
    fn commit(&mut self, edit: &Edit<'_>, games: &[LocalGame]) {
        let entry = &mut self.levels[edit.level];
        let line = entry.place.end_line;
        let record = Arc::make_mut(&mut entry.record);
        let title = edit.title.to_owned();
        match edit.change {
            GameChange::New { moves, notes } => {
                if let Some(titles) = &mut record.titles {
                    titles.insert(title.clone());
                }
                let moves = Ok(Arc::new(MovesText { moves: moves.clone(), current: None }));
                let kind = announced_kind(Some(&title));
                record.games.push(Game { kind, title: Some(title), line, moves, notes: notes.to_vec() });
            }
            GameChange::Title => {
                record.titles = None;
                let game = &mut record.games[edit.game];
                game.kind = game.kind_with_title(&title);
                game.title = Some(title);
            }
            GameChange::Note(_) => {
                record.games[edit.game].notes = games[edit.game].notes.clone();
            }
        }
    }
}

/// Whether the games that were read are the old ones but for the edit.
fn are_edited(old: &[LocalGame], new: &[LocalGame], edit: &Edit<'_>) -> bool {
    let is_same = |(at, new): (usize, &LocalGame)| {
        if at != edit.game {
            return old[at].is_same(new);
        }
        match edit.change {
            GameChange::New { moves, notes } => {
                new.title.as_deref() == Some(edit.title)
                    && new.moves == moves.to_string().as_bytes()
                    && new.notes == notes
            }
            GameChange::Title => {
                let old = LocalGame { title: Some(edit.title.to_owned()), ..old[at].clone() };
                old.is_same(new)
            }
            GameChange::Note(note) => {
                let kept = LocalGame { notes: new.notes.clone(), ..old[at].clone() };
                kept.is_same(new) && is_one_more(&old[at].notes, &new.notes, note)
            }
        }
    };
    let n_new = usize::from(matches!(edit.change, GameChange::New { .. }));
    new.len() == old.len() + n_new && new.iter().enumerate().all(is_same)
}

/// Where the line that holds a byte ends, with its line break.
fn end_of_line(text: &[u8], at: usize) -> usize {
    let is_break = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let end = text[at..].iter().position(is_break).map_or(text.len(), |n| at + n);
    end + usize::from(end < text.len()) + usize::from(text[end..].starts_with(b"\r\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collection::edit_check::tests::check_edits;

    fn game(title: &str, moves: &str, notes: &str) -> LocalGame {
        LocalGame {
            title: Some(title.into()),
            moves: moves.into(),
            notes: notes.split_terminator(',').map(String::from).collect(),
            title_at: None,
            first_moves_at: 0..0,
            bare_moves_at: 0..0,
            notes_end: 0,
        }
    }

    /// One thing that differs is enough: the title, the moves, the notes, the number of games.
    #[test]
    fn games_that_are_read_are_the_same_but_for_the_edit() {
        check_edits(game, |old, edit, with, meant| {
            assert!(are_edited(old, &with(meant.clone()), edit), "{edit:?}");
            for other in [
                LocalGame { title: Some("E".into()), ..meant.clone() },
                LocalGame { moves: b"U".into(), ..meant.clone() },
                LocalGame { notes: vec!["z".into()], ..meant.clone() },
            ] {
                assert!(!are_edited(old, &with(other.clone()), edit), "{edit:?} {other:?}");
            }
            assert!(!are_edited(old, &with(meant.clone())[..1], edit), "{edit:?}");
        });
    }

    #[test]
    fn a_line_ends_behind_its_line_break() {
        let text = b"ab\r\nc\r\re\n\nf";
        for (at, expect) in [4, 4, 4, 4, 6, 6, 7, 9, 9, 10, 11].into_iter().enumerate() {
            assert_eq!(end_of_line(text, at), expect, "{at}");
        }
    }
}
