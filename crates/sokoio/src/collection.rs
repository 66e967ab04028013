//! A file of levels as a document: its bytes, its lines, and what was understood of them.
//!
//! Invariant: `levels` is what [`Collection::parse`] finds in the bytes. Edits change bytes and read again; they
//! insert lines or replace one title line, every other byte stays.

pub(crate) mod edit;

use std::mem;
use std::path::Path;

use sokocore::{Grid, Level, ParseGridError, ParseLevelError};

use crate::board_text::{BoardText, Rows, find_boards};
use crate::format::Format;
use crate::game::{Game, GameKind, GameLines, ParseGameError};
use crate::level_entry::LevelEntry;
use crate::line::{Lines, decode};
use crate::line_kind::LineKind;
use crate::moves_text::{self, MAX_MOVES, ParseMovesError};
use crate::outline::{LevelOutline, outline};
use crate::source::{ReadCollectionError, Source, decode_collection, read_collection};

/// A file of levels and solutions, kept byte for byte.
#[derive(Clone, Debug)]
pub struct Collection {
    lines: Lines,
    title: Option<String>,
    author: Option<String>,
    levels: Vec<LevelEntry>,
    source: Source,
}

/// What reading one file may cost beyond its size, so that short texts cannot ask for endless work.
struct Allowance {
    cells: usize,
    moves: usize,
}

impl Collection {
    /// The largest file that is read, in bytes: 64 MiB.
    pub const MAX_FILE_SIZE: usize = 1 << 26;

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
        Self::from_bytes(bytes.to_vec(), &mut [])
    }

    /// Returns the file; the bytes that were read, if nothing was edited.
    #[must_use]
    pub fn to_bytes(&self) -> &[u8] {
        self.lines.bytes()
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

    /// Returns the levels, in the order of the file.
    #[must_use]
    pub fn levels(&self) -> &[LevelEntry] {
        &self.levels
    }

    /// Returns the name of the collection: `Collection:`, `Set:` or else `Title:` above the first board.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// Returns the author of the collection: `Author:` above the first board.
    #[must_use]
    pub fn author(&self) -> Option<&str> {
        self.author.as_deref()
    }

    /// Reads a text that came from elsewhere.
    pub(crate) fn from_source(bytes: Vec<u8>, source: Source) -> Self {
        Self { source, ..Self::from_bytes(bytes, &mut []) }
    }

    /// Reads bytes; levels of `old` with the same board are taken from it, because to make them costs most.
    fn from_bytes(bytes: Vec<u8>, old: &mut [LevelEntry]) -> Self {
        let mut allowance = Allowance {
            cells: bytes.len().saturating_mul(8).saturating_add(4 * Grid::MAX_CELLS),
            moves: bytes.len().saturating_add(MAX_MOVES),
        };
        let lines = Lines::new(bytes);
        let kinds: Vec<_> = (0..lines.len()).map(|line| LineKind::of(lines.raw_text(line))).collect();
        let boards = find_boards(&lines, &kinds, &mut allowance.cells);
        let outline = outline(&lines, &kinds, &boards);
        let mut old = old.iter_mut();
        let mut levels = Vec::with_capacity(boards.len());
        for (at, (board, level)) in boards.into_iter().zip(outline.levels).enumerate() {
            let mut entry = read_entry(&lines, at, board, level, old.next(), &mut allowance);
            entry.author = entry.author.or_else(|| outline.author.clone());
            levels.push(entry);
        }
        Self { lines, title: outline.title, author: outline.author, levels, source: Source::TEXT }
    }
}

/// What is left where a level was taken from an entry that is about to go.
const TAKEN: ParseLevelError = ParseLevelError::NoPlayer;

fn read_entry(
    lines: &Lines,
    at: usize,
    board: BoardText,
    outline: LevelOutline,
    old: Option<&mut LevelEntry>,
    allowance: &mut Allowance,
) -> LevelEntry {
    let level = match old {
        Some(old) if old.rows == board.rows.texts() => mem::replace(&mut old.level, Err(TAKEN)),
        _ => read_level(&board.rows),
    };
    let (Rows::Read(rows) | Rows::TooLarge(rows)) = board.rows;
    LevelEntry {
        number: at + 1,
        title: outline.title,
        author: outline.author,
        line: lines.number(board.lines.start),
        rows,
        level,
        games: outline.games.into_iter().map(|game| read_game(lines, game, allowance)).collect(),
        end: outline.end,
    }
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

fn read_game(lines: &Lines, at: GameLines, allowance: &mut Allowance) -> Game {
    let first = lines.raw_text(at.moves.start);
    let title = match at.title {
        Some(line) => Some(lines.text(line).into_owned()),
        None if at.inline_title > 0 => Some(inline_title(&first[..at.inline_title])),
        None => None,
    };
    let rest = at.moves.clone().skip(1).flat_map(|line| lines.raw_text(line).iter().copied());
    let text = first[at.inline_title..].iter().copied().chain(rest);
    let line = lines.number(at.moves.start);
    let moves = moves_text::read(text, &mut allowance.moves).map_err(|cause| ParseGameError { line, cause });
    let announced = title.as_deref().and_then(GameKind::of_title).unwrap_or(GameKind::Solution);
    let is_reverse = matches!(moves, Err(ParseGameError { cause: ParseMovesError::Reverse, .. }));
    Game {
        kind: if is_reverse { GameKind::ReverseSnapshot } else { announced },
        title,
        line: lines.number(at.title.unwrap_or(at.moves.start)),
        lines: at,
        moves,
    }
}

/// The title in `Solution: lurD`.
fn inline_title(text: &[u8]) -> String {
    decode(text).trim().trim_end_matches(':').trim_end().to_owned()
}
