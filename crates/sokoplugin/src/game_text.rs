//! Moves as hosts write them, and as they are handed back.

use sokocore::{Lurd, Step};

/// The bit that hosts may set in a letter for purposes of their own.
const HOST_BIT: u8 = 0x80;

/// Reads moves. Their case does not count. Parentheses, `*` and white space are skipped.
///
/// # Errors
/// What is not a move, and where.
pub(crate) fn read_moves(text: &[u8]) -> Result<Lurd, String> {
    let mut steps = Vec::with_capacity(text.len());
    for (at, &byte) in text.iter().enumerate() {
        let letter = char::from(byte & !HOST_BIT);
        match Step::from_letter(letter) {
            Some(step) => steps.push(step),
            None if matches!(letter, '(' | ')' | '*') || letter.is_ascii_whitespace() => {}
            None => return Err(format!("'{}' at position {} is not a move", letter.escape_default(), at + 1)),
        }
    }
    Ok(Lurd::from(steps))
}

/// Writes moves: one letter each, upper case for pushes.
pub(crate) fn written(moves: &Lurd) -> Vec<u8> {
    moves.to_string().into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_and_white_space_are_skipped() {
        let moves = read_moves(b"(uR)* d\r\nL\xCC").unwrap();
        assert_eq!(written(&moves), b"uRdLL");
        assert!(read_moves(b"").unwrap().is_empty());
    }

    #[test]
    fn run_lengths_are_refused() {
        assert_eq!(read_moves(b"3R").unwrap_err(), "'3' at position 1 is not a move");
        assert_eq!(read_moves(b"R\x1b").unwrap_err(), "'\\u{1b}' at position 2 is not a move");
    }
}
