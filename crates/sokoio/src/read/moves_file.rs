//! Files of moves without a board: the game of a level that is in another file.
//!
//! Lines may be blank, comments (`::` or `;`), key/value lines, and one title that announces a game; all others are
//! moves. Everything is one game.

use std::path::Path;

use sokocore::Lurd;
use thiserror::Error;

use crate::game::GameKind;
use crate::game::moves_text::{MAX_MOVES, ParseMovesError, read};
use crate::read::file_bytes::{ReadCollectionError, plain, read_bytes};
use crate::text::line::{Lines, decode};
use crate::text::line_kind::{LineKind, is_bare_moves};
use crate::text::property::Property;

/// Why a file gives no moves.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReadMovesError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] ReadCollectionError),
    /// There is something else in the file than moves.
    #[error("{name}:{line}: this is no line of moves; a file of moves has one game and no board")]
    NotMoves {
        /// The file.
        name: String,
        /// The first line that has something else than moves, from 1.
        line: usize,
    },
    /// The file has no moves at all, or too few to tell them from a word.
    #[error("{name}: no moves found; they are letters u d l r, and U D L R for pushes")]
    NoMoves {
        /// The file.
        name: String,
    },
    /// There are two titles that announce games.
    #[error("{name}:{line}: a second game starts here; put several games below their level in a .sok file")]
    Several {
        /// The file.
        name: String,
        /// The line of the second title, from 1.
        line: usize,
    },
    /// The moves are not those of a forward game.
    #[error("{name}: the moves cannot be read")]
    Moves {
        /// The file.
        name: String,
        /// What is in the way.
        source: ParseMovesError,
    },
}

/// Reads a file of moves without a board.
///
/// # Errors
/// The file cannot be read, has something else than one game, or a game that was played backward.
pub fn read_moves_file(path: &Path) -> Result<Lurd, ReadMovesError> {
    decode_moves(&path.display().to_string(), read_bytes(path)?)
}

/// Reads the bytes of a file of moves without a board. The name is for messages.
///
/// ```
/// use sokoio::decode_moves;
///
/// let moves = decode_moves("game.lurd", b"; my game\nSolution\nlurD\nlluR\n".to_vec())?;
/// assert_eq!(moves.to_string(), "lurDlluR");
/// # Ok::<(), sokoio::ReadMovesError>(())
/// ```
///
/// # Errors
/// As [`read_moves_file`].
pub fn decode_moves(name: &str, bytes: Vec<u8>) -> Result<Lurd, ReadMovesError> {
    let bytes = plain(name, bytes)?.bytes;
    let lines = Lines::new(&bytes);
    let name = || name.to_owned();
    let moves = moves_lines(&lines).map_err(|misfit| match misfit {
        Misfit::Line(line) => ReadMovesError::NotMoves { name: name(), line: lines.number(line) },
        Misfit::SecondTitle(line) => ReadMovesError::Several { name: name(), line: lines.number(line) },
        Misfit::NoMoves => ReadMovesError::NoMoves { name: name() },
    })?;
    let text = moves.iter().flat_map(|&line| lines.raw_text(line).iter().copied());
    let mut allowance = MAX_MOVES;
    read(text, &mut allowance).map(|text| text.moves).map_err(|source| ReadMovesError::Moves { name: name(), source })
}

/// Whether a text is a file of moves.
pub(crate) fn is_moves_file(text: &[u8]) -> bool {
    moves_lines(&Lines::new(text)).is_ok()
}

/// Why lines are not those of a file of moves.
enum Misfit {
    Line(usize),
    SecondTitle(usize),
    NoMoves,
}

/// The lines that are moves. Without a title they must be moves beyond doubt, or have the marks of a game.
fn moves_lines(lines: &Lines<'_>) -> Result<Vec<usize>, Misfit> {
    let mut moves = Vec::new();
    let mut is_announced = false;
    for line in 0..lines.len() {
        let text = lines.raw_text(line).trim_ascii();
        match LineKind::of(text) {
            LineKind::Blank | LineKind::Comment => {}
            LineKind::Moves => moves.push(line),
            _ if text.starts_with(b";") => {}
            LineKind::Text if GameKind::of_title(&decode(text)).is_some() => {
                if is_announced || !moves.is_empty() {
                    return Err(Misfit::SecondTitle(line));
                }
                is_announced = true;
            }
            LineKind::Text if Property::parse(&decode(text)).is_some() => {}
            _ => return Err(Misfit::Line(line)),
        }
    }
    let letters: Vec<u8> = moves.iter().flat_map(|&line| lines.raw_text(line).iter().copied()).collect();
    let has_marks = letters.iter().any(|byte| b"[]<>{}*".contains(byte));
    let bare: Vec<u8> = letters.into_iter().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let is_game = !moves.is_empty() && (is_announced || has_marks || is_bare_moves(&bare));
    if is_game { Ok(moves) } else { Err(Misfit::NoMoves) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: &str) {
        let found = match decode_moves("a.lurd", text.into()) {
            Ok(moves) => moves.to_string(),
            Err(error) => error.to_string(),
        };
        assert!(found.starts_with(expect), "{text:?}: {found}");
        assert_eq!(is_moves_file(text.as_bytes()), !found.contains(':') || found.contains("cannot"), "{text}");
    }

    #[test]
    fn one_game_is_read() {
        check("lurDD\nRR\n", "lurDDRR");
        check("; my game\n\nSolution 7/4\nlurd\n  l l\nSolver: me\n", "lurdll");
        check("2(rR)\r\n", "rRrR");
        check("lu*RR\n", "luRR");
    }

    #[test]
    fn what_is_no_game_is_named() {
        check("Dull\n", "a.lurd: no moves found");
        check("", "a.lurd: no moves found");
        check("lurDD\nsome text\n", "a.lurd:2: this is no line of moves");
        check("#####\n#@$.#\n#####\nR\n", "a.lurd:1: this is no line");
        check("Solution\nlurDD\n\nSolution\nlurDD\n", "a.lurd:4: a second game starts here");
        check("Solution\nSolution\nlurDD\n", "a.lurd:2: a second game starts here");
        check("lurDD\nSolution\nlurDD\n", "a.lurd:2: a second game starts here");
        check("[dr]RulU\n", "a.lurd: the moves cannot be read");
    }
}
