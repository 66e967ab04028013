//! What a line looks like by itself, without its neighbors.
//!
//! The format has no markers: a board row, a line of moves and a title differ by their letters. A row here is only a
//! candidate: `board_text` needs three of them together, and `outline` decides which moves count.

use sokocore::Cell;

use crate::text::line::Lines;

/// The look of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineKind {
    /// Nothing but white space.
    Blank,
    /// Starts with `::`; for human readers of the file only.
    Comment,
    /// A board row, or several with run lengths and `|`.
    Row,
    /// Floor and goals only: part of a board if rows stand above and below.
    Filler,
    /// Letters of moves and what may stand between them.
    Moves,
    /// Anything else: titles, notes, properties.
    Text,
}

impl LineKind {
    /// The kind of each line.
    pub(crate) fn of_each(lines: &Lines<'_>) -> Vec<Self> {
        (0..lines.len()).map(|line| Self::of(lines.raw_text(line))).collect()
    }

    pub(crate) fn of(line: &[u8]) -> Self {
        let text = line.trim_ascii();
        match text {
            [] => Self::Blank,
            [b':', b':', ..] => Self::Comment,
            _ if is_row(text) => Self::Row,
            _ if is_filler(text) => Self::Filler,
            _ if is_moves(text) => Self::Moves,
            _ => Self::Text,
        }
    }
}

/// Whether these are moves beyond doubt, fit to count without a title above them: only move letters, digits and
/// parentheses, two letters or more; and they end with a push, as solutions do, or are at least 16 letters with a
/// push among them. So `Dull` and `Rudd` stay titles.
pub(crate) fn is_bare_moves(text: &[u8]) -> bool {
    let is_letter = |byte: &&u8| is_move_letter(**byte);
    let n_letters = text.iter().filter(is_letter).count();
    let ends_with_push = text.iter().rfind(is_letter).is_some_and(u8::is_ascii_uppercase);
    let has_push = text.iter().any(u8::is_ascii_uppercase);
    text.iter().all(|&byte| is_move_letter(byte) || matches!(byte, b'0'..=b'9' | b'(' | b')'))
        && n_letters >= 2
        && (ends_with_push || (n_letters >= 16 && has_push))
}

fn is_row(text: &[u8]) -> bool {
    if text.iter().all(|&byte| is_cell(byte)) { is_plain_row(text) } else { is_run_length_row(text) }
}

/// With a wall, anything made of board letters. Without, no letters of the alphabet, something besides floor and
/// goals, and at most one player: `+ +` is a title.
fn is_plain_row(text: &[u8]) -> bool {
    text.contains(&b'#')
        || (!text.iter().any(u8::is_ascii_alphabetic)
            && text.iter().any(|byte| b"$*@+".contains(byte))
            && text.iter().filter(|byte| b"@+".contains(byte)).count() <= 1)
}

/// Board letters with counts, `|` and groups, without spaces. Every count has something to repeat, except at the end
/// of a line with `|`; so `#12`, `(#1)` and `30-8-55` are titles.
fn is_run_length_row(text: &[u8]) -> bool {
    let is_code = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'|' | b'(' | b')');
    let is_wall = |byte: &u8| matches!(byte, b'#' | b'*');
    let has_bars = text.contains(&b'|');
    let ends_with_count = text.last().is_some_and(u8::is_ascii_digit);
    let count_is_lost = |pair: &[u8]| pair[0].is_ascii_digit() && matches!(pair[1], b')' | b'|');
    text.iter().all(|&byte| (is_cell(byte) && byte != b' ') || is_code(byte))
        && text.iter().any(is_wall)
        && (has_bars || text.iter().any(u8::is_ascii_digit))
        && (has_bars || !(ends_with_count || text.windows(2).any(count_is_lost)))
}

/// Floor and goals, perhaps with run lengths, ending with a letter.
fn is_filler(text: &[u8]) -> bool {
    let is_floor = |byte: u8| matches!(byte, b'-' | b'_' | b' ' | b'.');
    let is_coded_floor = |byte: u8| matches!(byte, b'-' | b'_' | b'|') || byte.is_ascii_digit();
    let has_floor = text.iter().any(|byte| matches!(byte, b'-' | b'_'));
    let is_coded = || text.iter().all(|&byte| is_coded_floor(byte)) && !text.last().is_some_and(u8::is_ascii_digit);
    has_floor && (text.iter().all(|&byte| is_floor(byte)) || is_coded())
}

fn is_moves(text: &[u8]) -> bool {
    let is_between = |byte: u8| byte.is_ascii_digit() || b" \t()*[]<>{}".contains(&byte);
    text.iter().any(|&byte| is_move_letter(byte)) && text.iter().all(|&byte| is_move_letter(byte) || is_between(byte))
}

fn is_cell(byte: u8) -> bool {
    Cell::from_letter(char::from(byte)).is_some()
}

pub(crate) const fn is_move_letter(byte: u8) -> bool {
    matches!(byte, b'l' | b'u' | b'r' | b'd' | b'L' | b'U' | b'R' | b'D')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_lines_apart() {
        let table = [
            (LineKind::Blank, &["", "  ", "\t"][..]),
            (LineKind::Comment, &["::", ":: text ::"]),
            (LineKind::Row, &["#", "  ####", "-#@ $#", "#pbB.o#", "*@ *", "#@ @#"]),
            (LineKind::Row, &["3#|#.3#|#*$-#|#--@#|5#", "5#", "2(3(#-)#)", "#--@#|", "3#|2"]),
            (LineKind::Filler, &["-", "- _", "--.-", "7-", "3-|"]),
            (LineKind::Moves, &["lurD", "3r4U", "2(3(dr)R)", "l l u", "[dr]RulU", "[]U", "ul*d", "Dull"]),
            (LineKind::Text, &["30-8-55", "+|+", "#12", "# 3", "(#1)", "12", "Title: a", "...", "; x", "caf\u{e9}"]),
        ];
        for (kind, texts) in table {
            for text in texts {
                assert_eq!(LineKind::of(text.as_bytes()), kind, "{text:?}");
            }
        }
    }

    #[test]
    fn bare_moves_are_beyond_doubt() {
        for text in ["RR", "lurD", "3r4U", "2(rR)", "lurdlurdRlurdlurdl"] {
            assert!(is_bare_moves(text.as_bytes()), "{text}");
        }
        for text in ["Dull", "Rudd", "R", "lurd", "l R", "lurdlurdlurdlurdlurd"] {
            assert!(!is_bare_moves(text.as_bytes()), "{text}");
        }
    }
}
