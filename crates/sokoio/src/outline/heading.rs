//! Lines that may be headings of levels, by their looks alone.
//!
//! ```text
//!   Title: The Maze     Title
//!   ; 1      ; 1 'Name'     ;Level 3     CommentNumber     titles  1   Name   Level 3
//!   Level 1      Maze: 1      #12        TextNumber        titles  as they stand
//!   The Maze     ; The Maze              Heading           titles  The Maze
//! ```

/// What a heading looks like; decisions for a whole file are made for each class by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// The property `Title:`.
    Title,
    /// A comment with a number, `; 1`.
    CommentNumber,
    /// A text line with a number, `Level 1`.
    TextNumber,
    /// Any line that may be a title.
    Heading,
}

impl Class {
    pub(crate) const ALL: [Self; 4] = [Self::Title, Self::CommentNumber, Self::TextNumber, Self::Heading];
}

/// Words that stand before the number of a level.
const WORDS: &[&str] = &["level", "maze", "puzzle", "room", "screen", "stage", "number", "no", "nr"];

/// Reads the number of a level from a trimmed line, and which class of heading it is.
pub(crate) fn numbered(text: &str) -> Option<(Class, u64)> {
    let (class, body) = match comment(text) {
        Some(body) => (Class::CommentNumber, body),
        None => (Class::TextNumber, text),
    };
    split_number(body).map(|(number, _)| (class, number))
}

/// Returns what a comment says: the text behind its semicolons.
pub(crate) fn comment(text: &str) -> Option<&str> {
    text.strip_prefix(';').map(|body| body.trim_start_matches(';').trim())
}

/// Returns the title that a heading line gives: comments without the semicolon, `; 1 'Name'` without the number.
pub(crate) fn title(text: &str) -> &str {
    let Some(body) = comment(text) else { return text };
    let name = split_number(body).and_then(|(_, rest)| quoted(rest.trim()));
    name.unwrap_or(body)
}

/// Whether the line is one character over and over, as in `-----`.
pub(crate) fn is_rule(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    text.len() >= 3 && text[0].is_ascii_punctuation() && text.iter().all(|byte| *byte == text[0])
}

/// Splits `Level 1: rest` behind the number. Without a word before the number, only punctuation may follow it.
fn split_number(body: &str) -> Option<(u64, &str)> {
    let word_len = body.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(body.len());
    let has_word = WORDS.iter().any(|word| body[..word_len].eq_ignore_ascii_case(word)) || body.starts_with('#');
    let rest = if has_word { body[word_len..].trim_start_matches([' ', '.', ':', '#']) } else { body };
    let n_digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, rest) = rest.split_at(n_digits);
    let ends_well = match rest.trim_start().chars().next() {
        None => true,
        Some(_) if has_word => !rest.starts_with(char::is_alphanumeric),
        Some(letter) => matches!(letter, '\'' | '"' | '.' | ':' | '-' | ')' | ','),
    };
    digits.parse().ok().filter(|_| ends_well).map(|number| (number, rest))
}

fn quoted(text: &str) -> Option<&str> {
    let inside = ['\'', '"'].into_iter().find_map(|mark| text.strip_prefix(mark)?.strip_suffix(mark));
    inside.map(str::trim).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_told_from_other_text() {
        let comment = |number| Some((Class::CommentNumber, number));
        let text = |number| Some((Class::TextNumber, number));
        for (line, expect) in [
            ("; 1", comment(1)),
            (";12", comment(12)),
            ("; 1 'Name'", comment(1)),
            ("; Level 3 - a", comment(3)),
            ("; 155 puzzles, revised April 2000", None),
            ("Maze: 7", text(7)),
            ("LEVEL 1", text(1)),
            ("Level 3 The Maze", text(3)),
            ("3 The Maze", None),
            ("Level 1a", None),
            ("#12", text(12)),
            ("4.", text(4)),
            ("Size X: 22", None),
            ("The Maze", None),
            ("; 99999999999999999999999", None),
        ] {
            assert_eq!(numbered(line), expect, "{line}");
        }
    }

    #[test]
    fn a_rule_is_three_times_the_same_mark() {
        assert!([&b"---"[..], b" =====\r", b"..."].into_iter().all(is_rule));
        assert!(![&b""[..], b"-", b"--", b"aaa", b"111", b"--=", b"- -"].into_iter().any(is_rule));
    }

    #[test]
    fn titles_lose_semicolons_and_quotes() {
        for (line, expect) in [
            ("; 1", "1"),
            ("; 0", "0"),
            (";1 'The 'Maze''", "The 'Maze'"),
            ("; 1 \"Name\"", "Name"),
            ("; 1 ''", "1 ''"),
            ("; Name", "Name"),
            ("Name 'x'", "Name 'x'"),
        ] {
            assert_eq!(title(line), expect, "{line}");
        }
    }
}
