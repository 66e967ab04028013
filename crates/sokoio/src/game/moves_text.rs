//! Moves as files hold them: wrapped, spaced, with run lengths and groups, and with marks of saved games.

use sokocore::{Lurd, Step};
use thiserror::Error;

use crate::text::line_kind::is_move_letter;
use crate::text::run_length::{TooLong, expand};

/// The most moves, run lengths written in full, that are read from one file.
pub const MAX_MOVES: usize = 1 << 26;

/// The number of moves in a line, as most programs wrap them.
const LINE_LENGTH: usize = 70;

/// Why a text of moves is not a forward game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParseMovesError {
    /// A character that no text of moves has.
    #[error("line {line}, column {column}: '{letter}' is not a move; use u d l r, U D L R and run lengths")]
    Letter {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// The character.
        letter: char,
    },
    /// `[...]` or `<...>`: the game was played backward, by pulls.
    #[error("the moves have a jump [...] of a reverse game; play the level forward and save that")]
    Reverse,
    /// `{...}`: several pushers.
    #[error("the moves change the pusher with {{...}}; levels with several pushers are not supported")]
    Multiban,
    /// More than [`MAX_MOVES`] when run lengths are written in full.
    #[error("the moves are more than {MAX_MOVES}; shorten the run lengths")]
    TooLong,
}

/// A forward game: all of its moves, and where the player had stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MovesText {
    pub(crate) moves: Lurd,
    /// Moves before the mark `*`; those after it had been taken back.
    pub(crate) current: Option<usize>,
}

/// Reads moves from a text of their own, such as an argument or a file: white space, wrapping, run lengths, groups
/// and the mark `*` are undone. Case is kept as it is.
///
/// ```
/// use sokoio::parse_moves;
///
/// assert_eq!(parse_moves("l2u R\n2(dR)")?.to_string(), "luuRdRdR");
/// assert!(parse_moves("lx").unwrap_err().to_string().starts_with("line 1, column 2: 'x' is not a move"));
/// # Ok::<(), sokoio::ParseMovesError>(())
/// ```
///
/// # Errors
/// A character that no text of moves has, a reverse game, several pushers, or too many moves.
pub fn parse_moves(text: &str) -> Result<Lurd, ParseMovesError> {
    for (line, row) in text.lines().enumerate() {
        let misfit = |letter: char| !(letter.is_whitespace() || is_moves_letter(letter));
        if let Some((at, letter)) = row.chars().enumerate().find(|&(_, letter)| misfit(letter)) {
            return Err(ParseMovesError::Letter { line: line + 1, column: at + 1, letter });
        }
    }
    let mut allowance = MAX_MOVES;
    read(text.bytes(), &mut allowance).map(|text| text.moves)
}

/// Writes moves without run lengths, 70 to a line.
///
/// ```
/// use sokoio::{parse_moves, wrap_moves};
///
/// let lines = wrap_moves(&parse_moves("100r")?);
/// assert_eq!(lines, ["r".repeat(70), "r".repeat(30)]);
/// # Ok::<(), sokoio::ParseMovesError>(())
/// ```
#[must_use]
pub fn wrap_moves(moves: &Lurd) -> Vec<String> {
    let line = |steps: &[Step]| steps.iter().map(|step| step.letter()).collect();
    moves.steps().chunks(LINE_LENGTH).map(line).collect()
}

/// Reads moves from lines that look like moves; what is neither a letter of moves nor a mark is skipped.
pub(crate) fn read(
    text: impl Iterator<Item = u8> + Clone,
    allowance: &mut usize,
) -> Result<MovesText, ParseMovesError> {
    if text.clone().any(|byte| b"[]<>".contains(&byte)) {
        return Err(ParseMovesError::Reverse);
    }
    if text.clone().any(|byte| b"{}".contains(&byte)) {
        return Err(ParseMovesError::Multiban);
    }
    let meant =
        text.filter(|&byte| is_move_letter(byte) || byte.is_ascii_digit() || matches!(byte, b'(' | b')' | b'*'));
    let unmarked = meant.clone().filter(|&byte| byte != b'*');
    let full = expand(unmarked, allowance).map_err(|TooLong| ParseMovesError::TooLong)?;
    let moves = full.iter().filter_map(|&byte| Step::from_letter(char::from(byte))).collect();
    let current = if meant.clone().any(|byte| byte == b'*') {
        let before = meant.take_while(|&byte| byte != b'*');
        Some(expand(before, allowance).map_err(|TooLong| ParseMovesError::TooLong)?.len())
    } else {
        None
    };
    Ok(MovesText { moves, current })
}

fn is_moves_letter(letter: char) -> bool {
    u8::try_from(letter).is_ok_and(|byte| is_move_letter(byte) || byte.is_ascii_digit() || b"()*[]<>{}".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undoes_wrapping_spaces_runs_and_marks() {
        for (text, expect) in [
            ("lurD\nlurD\n", "lurDlurD"),
            ("l u  r\tD", "lurD"),
            ("3r4U", "rrrUUUU"),
            ("2(3(dr)R)", "drdrdrRdrdrdrR"),
            ("lu*rD", "lurD"),
            ("(lu)rD7", "lurD"),
            ("1\n2r", "rrrrrrrrrrrr"),
            ("", ""),
        ] {
            assert_eq!(parse_moves(text).unwrap().to_string(), expect, "{text:?}");
        }
        assert_eq!(parse_moves("9(9(9(9(9(9(9(R)))))))").unwrap().len(), 9_usize.pow(7));
        for (text, current) in [("2(lu)*rD", Some(4)), ("2(lu*rD)", Some(2)), ("2*U", Some(0)), ("lu", None)] {
            assert_eq!(read(text.bytes(), &mut 100).unwrap().current, current, "{text}");
        }
    }

    #[test]
    fn names_what_it_cannot_read() {
        assert_eq!(parse_moves("lu\nrx"), Err(ParseMovesError::Letter { line: 2, column: 2, letter: 'x' }));
        assert_eq!(parse_moves("[dr]RulU"), Err(ParseMovesError::Reverse));
        assert_eq!(parse_moves("<>U"), Err(ParseMovesError::Reverse));
        assert_eq!(parse_moves("l{2}u"), Err(ParseMovesError::Multiban));
        assert_eq!(parse_moves("99999(99999(r))"), Err(ParseMovesError::TooLong));
    }

    #[test]
    fn wraps_at_seventy() {
        let moves = parse_moves("141r").unwrap();
        let lengths: Vec<_> = wrap_moves(&moves).iter().map(String::len).collect();
        assert_eq!(lengths, [70, 70, 1]);
        assert!(wrap_moves(&Lurd::default()).is_empty());
    }
}
