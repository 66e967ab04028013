//! A file of levels as a document: its bytes, and what was understood of them.
//!
//! ```text
//!   bytes     head │ board 1 │ text of level 1 │ lead │ board 2 │ text of level 2 │ ...
//!   edits                      replaced whole                     as it was read
//! ```
//!
//! Invariant: `levels` is what [`Collection::parse`] finds in [`Collection::to_bytes`]. Edits insert lines into the
//! text below a board or replace a title line in it; every other byte stays. The bytes that were read are never
//! changed: an edited level keeps its text beside them until the collection is written.
//!
//! # Contents, in reading order
//! * here: [`Collection`], how it is read and written. `level_entry`: a level in it.
//! * `edit`: solutions, notes and titles added to a level. `edited_text`: the lines of an edit. `local`, `edit_check`: what
//!   an edit is checked against. `taken_titles`: titles in use. `parts`: the pieces of the file.
//! * `append`: levels and whole files put behind it.

pub(crate) mod append;
pub(crate) mod edit;
mod edit_check;
mod edited_text;
pub(crate) mod level_entry;
mod local;
mod parts;
mod taken_titles;

use std::borrow::Cow;
use std::convert::Infallible;
use std::str::FromStr;
use std::sync::Arc;
use std::{fmt, io, slice};

use sokocore::{Grid, Level, ParseGridError, ParseLevelError};

use crate::collection::level_entry::{Fixed, LevelEntry, LevelPlace, Record};
use crate::format::{Format, MAX_FILE_SIZE, Source};
use crate::game::moves_text::{self, MAX_MOVES, ParseMovesError};
use crate::game::{Game, GameKind, GameLines, ParseGameError};
use crate::outline::{CollectionVotes, GameOutline, LevelOutline, Reader, Style, outline};
use crate::text::board_text::{BoardText, Rows, find_boards};
use crate::text::line::{Lines, decode};
use crate::text::line_kind::LineKind;

/// A file of levels and solutions, kept byte for byte. Cloning shares the bytes and the levels.
///
/// Text files have no marks for titles, so layout decides: which heading belongs to which board is read off the
/// collection as a whole where it is regular, and gap by gap where it is not. Titles, games and notes of a level are in
/// its [`LevelEntry`].
///
/// It is written as its text, and iterated over level by level.
///
/// ```
/// use sokoio::Collection;
///
/// let text = "First\n\n######\n#@$ .#\n######\n\nSolution 2/2\nRR\n\nSecond\n\n######\n#.$@.#\n######\n";
/// let collection: Collection = text.parse()?;
/// let titles: Vec<_> = collection.into_iter().filter_map(|level| level.title()).collect();
/// assert_eq!(titles, ["First", "Second"]);
/// assert_eq!(collection.levels()[0].solutions().count(), 1);
/// assert_eq!(collection.to_string(), text);
/// # Ok::<(), std::convert::Infallible>(())
/// ```
#[derive(Clone, Debug)]
pub struct Collection {
    bytes: Arc<Vec<u8>>,
    manner: Manner,
    sections: Vec<Section>,
    levels: Vec<LevelEntry>,
    source: Source,
    /// Bytes of text that were read so far, by this collection and those it was cloned from.
    bytes_read: u64,
}

/// How the whole file is written.
#[derive(Clone, Copy, Debug)]
struct Manner {
    n_quotes: usize,
    line_break: &'static str,
    /// Each gap between boards can be read by itself, once the style is known.
    is_local: bool,
    has_escaped: bool,
    /// What reading has cost.
    used: Allowance,
}

/// A collection within the file; see the rules of `outline`.
#[derive(Clone, Debug)]
struct Section {
    /// First byte of the text that was read.
    start: usize,
    first_level: usize,
    title: Option<Arc<str>>,
    author: Option<Arc<str>>,
    notes: Arc<Vec<String>>,
    lends_title: bool,
    votes: CollectionVotes,
    style: Style,
}

/// What reading one file may cost beyond its size, so that short texts cannot ask for endless work.
#[derive(Clone, Copy, Debug, Default)]
struct Allowance {
    cells: usize,
    moves: usize,
}

impl Allowance {
    fn of_bytes(n_bytes: usize) -> Self {
        Self {
            cells: n_bytes.saturating_mul(8).saturating_add(4 * Grid::MAX_CELLS),
            moves: n_bytes.saturating_add(MAX_MOVES),
        }
    }
}

impl Collection {
    /// The largest file that is read, in bytes: 64 MiB.
    pub const MAX_FILE_SIZE: usize = MAX_FILE_SIZE;

    /// Makes a collection without a byte and without levels.
    #[must_use]
    pub fn new() -> Self {
        Self::from_bytes(Vec::new(), &[])
    }

    /// Reads a text. Never fails: what is not a level is notes.
    ///
    /// Time and memory are linear in the length of the text. With run lengths written out, boards may have
    /// 16 Mi cells together, plus 8 for each byte; moves 64 Mi together, plus one for each byte. Boards and games
    /// beyond that are kept with an error.
    #[must_use]
    pub fn parse(bytes: &[u8]) -> Self {
        Self::from_bytes(bytes.to_vec(), &[])
    }

    /// Returns the bytes of the file: those that were read, without a copy, if nothing was edited.
    #[must_use]
    pub fn to_bytes(&self) -> Cow<'_, [u8]> {
        match &self.parts()[..] {
            [] => Cow::Borrowed(&[]),
            [only] => Cow::Borrowed(only),
            parts => Cow::Owned(parts.concat()),
        }
    }

    /// Writes the file piece by piece, without a copy of all of it in memory.
    ///
    /// # Errors
    /// The error of the writer.
    pub fn write_to(&self, writer: &mut impl io::Write) -> io::Result<()> {
        self.parts().into_iter().try_for_each(|part| writer.write_all(part))
    }

    /// Returns the format of the file that was read.
    #[must_use]
    pub const fn format(&self) -> Format {
        self.source.format
    }

    /// Returns whether the bytes of the file are kept: it was text, neither packed nor in UTF-16.
    #[must_use]
    pub const fn is_text(&self) -> bool {
        !self.source.is_converted
    }

    /// Returns how many bytes of text were read so far, for the file itself and for checking edits: a measure of the
    /// work, for benches and tests.
    #[must_use]
    pub fn bytes_read(&self) -> u64 {
        self.bytes_read
    }

    /// Counts text that is read.
    fn count_read(&mut self, n_bytes: usize) {
        self.bytes_read += n_bytes as u64;
    }

    /// Returns the levels, in the order of the file.
    #[must_use]
    pub fn levels(&self) -> &[LevelEntry] {
        &self.levels
    }

    /// Returns the name of the collection: `Collection:`, `Set:` or else `Title:` above the first heading.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.sections.first().and_then(|section| section.title.as_deref())
    }

    /// Returns the author of the collection: `Author:` above the first heading.
    #[must_use]
    pub fn author(&self) -> Option<&str> {
        self.sections.first().and_then(|section| section.author.as_deref())
    }

    /// Returns the other text lines above the first heading, trimmed.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        self.sections.first().map_or(&[], |section| &section.notes)
    }

    /// Reads a text that came from elsewhere.
    pub(crate) fn from_source(bytes: Vec<u8>, source: Source) -> Self {
        Self { source, ..Self::from_bytes(bytes, &[]) }
    }

    /// Reads bytes. Levels of `old` with the same board are shared with it, since making a level costs most.
    fn from_bytes(bytes: Vec<u8>, old: &[LevelEntry]) -> Self {
        let allowed = Allowance::of_bytes(bytes.len());
        let mut left = allowed;
        let lines = Lines::new(&bytes);
        let kinds = LineKind::of_each(&lines);
        let boards = find_boards(&lines, &kinds, &mut left.cells);
        let outline = outline(Reader { lines: &lines, kinds: &kinds }, &boards);
        let mut is_tight = boards.iter().any(|board| matches!(board.rows, Rows::TooLarge(_)));
        let mut levels = Vec::with_capacity(boards.len());
        for (at, (board, level)) in boards.into_iter().zip(outline.levels).enumerate() {
            levels.push(read_entry(&lines, at, board, level, old.get(at), &mut left));
        }
        let is_too_long = |game: &Game| matches!(&game.moves, Err(error) if error.cause == ParseMovesError::TooLong);
        is_tight |= levels.iter().any(|level| level.games().iter().any(is_too_long));
        let sections = outline.sections.into_iter().map(|section| Section {
            start: if section.lines.start == 0 { 0 } else { lines.offset(section.lines.start) },
            first_level: section.first_level,
            title: section.title.map(Arc::from),
            author: section.author.map(Arc::from),
            notes: Arc::new(section.notes),
            lends_title: section.lends_title,
            votes: section.votes,
            style: section.style,
        });
        let sections = sections.collect();
        let manner = Manner {
            n_quotes: lines.n_quotes(),
            line_break: lines.first_line_break().unwrap_or("\n"),
            is_local: !is_tight && !lines.has_escaped(),
            has_escaped: lines.has_escaped(),
            used: Allowance { cells: allowed.cells - left.cells, moves: allowed.moves - left.moves },
        };
        drop(lines);
        let bytes_read = bytes.len() as u64;
        Self { bytes: Arc::new(bytes), manner, sections, levels, source: Source::TEXT, bytes_read }
    }
}

impl FromStr for Collection {
    type Err = Infallible;

    /// As [`Collection::parse`].
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self::parse(text.as_bytes()))
    }
}

impl fmt::Display for Collection {
    /// Writes the text of the file. A line that is not UTF-8 is read as Latin-1.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_bytes().split_inclusive(|&byte| byte == b'\n').try_for_each(|line| f.write_str(&decode(line)))
    }
}

impl<'a> IntoIterator for &'a Collection {
    type Item = &'a LevelEntry;
    type IntoIter = slice::Iter<'a, LevelEntry>;

    fn into_iter(self) -> Self::IntoIter {
        self.levels.iter()
    }
}

impl Default for Collection {
    fn default() -> Self {
        Self::new()
    }
}

fn read_entry(
    lines: &Lines<'_>,
    at: usize,
    board: BoardText,
    outline: LevelOutline,
    old: Option<&LevelEntry>,
    allowance: &mut Allowance,
) -> LevelEntry {
    let level = match old {
        Some(old) if old.fixed.rows == board.rows.texts() => old.fixed.level.clone(),
        _ => read_level(&board.rows).map(Arc::new),
    };
    let place = LevelPlace {
        number: at + 1,
        line: lines.number(board.lines.start),
        end_line: lines.number(outline.end - 1) + 1,
        board: lines.offset(board.lines.start)..lines.offset(board.lines.end),
        own_end: lines.offset(outline.end),
    };
    let (Rows::Read(rows) | Rows::TooLarge(rows)) = board.rows;
    let fixed = Fixed { title: outline.title, author: outline.author, notes: outline.notes, rows, level };
    let games = outline.games.into_iter().map(|game| read_game(lines, game, allowance)).collect();
    let record = Record { games, text: None, titles: None };
    LevelEntry { place, fixed: Arc::new(fixed), record: Arc::new(record) }
}

fn read_level(rows: &Rows) -> Result<Level, ParseLevelError> {
    match rows {
        Rows::Read(rows) => Level::parse(&rows.join("\n")),
        Rows::TooLarge(rows) => {
            let height = rows.len();
            Err(ParseGridError::TooLarge { width: Grid::MAX_CELLS / height + 1, height }.into())
        }
    }
}

fn read_game(lines: &Lines<'_>, game: GameOutline, allowance: &mut Allowance) -> Game {
    let at = game.lines;
    let title = game_title(lines, &at);
    let first = &lines.raw_text(at.moves.start)[at.inline_title..];
    let rest = at.moves.clone().skip(1).flat_map(|line| lines.raw_text(line).iter().copied());
    let text = first.iter().copied().chain(rest);
    let line = lines.number(at.moves.start);
    let moves = moves_text::read(text, &mut allowance.moves).map_err(|cause| ParseGameError { line, cause });
    let is_reverse = matches!(moves, Err(ParseGameError { cause: ParseMovesError::Reverse, .. }));
    Game {
        kind: if is_reverse { GameKind::ReverseSnapshot } else { announced_kind(title.as_deref()) },
        title,
        line: lines.number(at.start()),
        moves: moves.map(Arc::new),
        notes: game.notes,
    }
}

/// The title above the moves, or in their first line as in `Solution: lurD`.
fn game_title(lines: &Lines<'_>, game: &GameLines) -> Option<String> {
    match game.title {
        Some(line) => Some(lines.text(line).into_owned()),
        None if game.inline_title > 0 => {
            let text = &lines.raw_text(game.moves.start)[..game.inline_title];
            Some(decode(text).trim().trim_end_matches(':').trim_end().to_owned())
        }
        None => None,
    }
}

/// What a title announces; moves without a title, or with another one, are solutions.
fn announced_kind(title: Option<&str>) -> GameKind {
    title.and_then(GameKind::of_title).unwrap_or(GameKind::Solution)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT: &str = "#####\n#@$.#\n#####\n";
    const LONG: &str = "######\n#@ $.#\n######\n";

    #[test]
    fn the_lines_of_a_level_are_counted_from_one_and_end_after_its_text() {
        let collection = Collection::parse(format!("\n{SHORT}Title: short\n\n{LONG}").as_bytes());
        let lines = |level: &LevelEntry| (level.place.line, level.place.end_line);
        assert_eq!(collection.levels.iter().map(lines).collect::<Vec<_>>(), [(2, 6), (7, 10)]);
    }

    #[test]
    fn a_level_is_shared_with_the_old_one_at_its_place_if_the_board_is_the_same() {
        let old = Collection::parse(format!("{SHORT}\n{SHORT}").as_bytes());
        let new = Collection::from_bytes(format!("{SHORT}\n{LONG}").into_bytes(), &old.levels);
        let level = |of: &Collection, at: usize| of.levels[at].fixed.level.clone().unwrap();
        assert!(Arc::ptr_eq(&level(&old, 0), &level(&new, 0)));
        assert_eq!(level(&new, 1).grid().width(), 6);
    }

    /// Written out, the board has more cells than all boards of a file of this length may have.
    #[test]
    fn a_board_beyond_the_allowance_is_kept_with_an_error_and_the_file_is_not_edited_in_places() {
        let text = format!("{SHORT}\n{}\n{}", "#".repeat(6000), "#\n".repeat(6000));
        let collection = Collection::parse(text.as_bytes());
        let height = 6001;
        let error = ParseGridError::TooLarge { width: Grid::MAX_CELLS / height + 1, height };
        assert_eq!(collection.levels[1].level().unwrap_err(), error.into());
        assert_eq!(error, ParseGridError::TooLarge { width: 699, height: 6001 });
        assert!(!collection.manner.is_local && Collection::parse(SHORT.as_bytes()).manner.is_local);
    }
}
