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

pub(crate) mod append;
pub(crate) mod edit;
mod edited_text;
mod local;
mod render;
mod whole;

use std::borrow::Cow;
use std::io;
use std::path::Path;
use std::sync::Arc;

use sokocore::{Grid, Level, ParseGridError, ParseLevelError};

use crate::board_text::{BoardText, Rows, find_boards};
use crate::format::Format;
use crate::game::{Game, GameKind, GameLines, ParseGameError};
use crate::level_entry::{Fixed, LevelEntry, LevelPlace, Record};
use crate::line::{Lines, decode};
use crate::line_kind::LineKind;
use crate::moves_text::{self, MAX_MOVES, ParseMovesError};
use crate::outline::{GameOutline, LevelOutline, Reader, Style, Tally, outline};
use crate::source::{ReadCollectionError, Source, decode_collection, read_collection};

/// A file of levels and solutions, kept byte for byte. Cloning shares the bytes and the levels.
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
    tally: Tally,
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
    pub const MAX_FILE_SIZE: usize = 1 << 26;

    /// Makes a collection without a byte and without levels.
    #[must_use]
    pub fn new() -> Self {
        Self::from_bytes(Vec::new(), &[])
    }

    /// Reads a file in any [`Format`] that has levels, be it packed with gzip or in UTF-16 with a byte order mark.
    ///
    /// A text is kept byte for byte. Everything else is written as `.sok` text, which is what [`Self::to_bytes`]
    /// returns then.
    ///
    /// # Errors
    /// The file cannot be read, is larger than [`Collection::MAX_FILE_SIZE`], damaged, or has no board in it. A board
    /// that is no level is no error.
    pub fn read(path: &Path) -> Result<Self, ReadCollectionError> {
        read_collection(path)
    }

    /// Reads the bytes of a file, as [`Self::read`] does. The name is for messages.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn decode(name: &str, bytes: Vec<u8>) -> Result<Self, ReadCollectionError> {
        decode_collection(name, bytes)
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

    /// Returns the file; the bytes that were read, without a copy, if nothing was edited.
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
    /// What the writer says.
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

    /// Returns how many bytes of text were looked at so far, for reading the file and for checking edits: the work
    /// that it was, for benches and tests.
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

    /// Reads bytes; levels of `old` with the same board are taken from it, because to make them costs most.
    fn from_bytes(bytes: Vec<u8>, old: &[LevelEntry]) -> Self {
        let allowed = Allowance::of_bytes(bytes.len());
        let mut left = allowed;
        let lines = Lines::new(&bytes);
        let kinds: Vec<_> = (0..lines.len()).map(|line| LineKind::of(lines.raw_text(line))).collect();
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
            tally: section.tally,
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
