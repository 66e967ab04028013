//! A file as lines: byte ranges that cover it without gap or overlap.
//!
//! Invariant: the byte order mark, then the lines from `raw_start` to `end`, are the file, in order. What a reader
//! should not see (the mark, quote marks of mail, the line ending) is inside the range but outside the text.
//!
//! ```text
//!   > > ####\r\n          raw_start  ^> > ^start ####^text_end \r\n^end
//! ```
//!
//! A line ends with `\n`, `\r\n` or a lone `\r`. In a line with a `#` the two characters `\n`, backslash and n, end
//! it as well: some programs pass a whole board in one line that way.

use std::borrow::Cow;
use std::ops::Range;

use crate::text::encoding::without_mark;

/// Where a line is in the file.
#[derive(Clone, Copy, Debug)]
struct Span {
    raw_start: usize,
    start: usize,
    text_end: usize,
    end: usize,
    /// Number of the line that an editor shows, from 1.
    number: usize,
}

/// A file and its lines.
#[derive(Clone, Debug)]
pub(crate) struct Lines<'a> {
    bytes: &'a [u8],
    spans: Vec<Span>,
    n_quotes: usize,
}

const ESCAPED_BREAK: &[u8] = b"\\n";

impl<'a> Lines<'a> {
    /// The lines of a file.
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        let start = bytes.len() - without_mark(bytes).len();
        let mut lines = Self { spans: split(bytes, start), bytes, n_quotes: 0 };
        let text = |span: &Span| &bytes[span.start..span.text_end];
        let written = lines.spans.iter().map(text).filter(|text| !text.trim_ascii().is_empty());
        let n_quotes = written.map(|text| quotes(text, usize::MAX).0).min().unwrap_or(0);
        lines.strip_quotes(n_quotes);
        lines
    }

    /// The lines of a part of a file whose lines all start with so many quote marks.
    pub(crate) fn of_part(bytes: &'a [u8], n_quotes: usize) -> Self {
        let mut lines = Self { spans: split(bytes, 0), bytes, n_quotes: 0 };
        lines.strip_quotes(n_quotes);
        lines
    }

    /// How many quote marks every line has.
    pub(crate) fn n_quotes(&self) -> usize {
        self.n_quotes
    }

    /// Whether some line ends with the two characters `\\n`.
    pub(crate) fn has_escaped(&self) -> bool {
        self.spans.iter().any(|span| &self.bytes[span.text_end..span.end] == ESCAPED_BREAK)
    }

    /// The byte where a line starts; the end of the bytes behind the last line.
    pub(crate) fn offset(&self, line: usize) -> usize {
        self.spans.get(line).map_or(self.bytes.len(), |span| span.raw_start)
    }

    pub(crate) fn len(&self) -> usize {
        self.spans.len()
    }

    /// The bytes of a line without byte order mark, quote marks and line ending.
    pub(crate) fn raw_text(&self, line: usize) -> &[u8] {
        let span = &self.spans[line];
        &self.bytes[span.start..span.text_end]
    }

    /// The same, trimmed and decoded: UTF-8 if it is that, else Latin-1.
    pub(crate) fn text(&self, line: usize) -> Cow<'_, str> {
        decode(self.raw_text(line).trim_ascii())
    }

    /// The line's number in an editor, from 1.
    pub(crate) fn number(&self, line: usize) -> usize {
        self.spans[line].number
    }

    /// The bytes of the trimmed text of a line.
    pub(crate) fn trimmed(&self, line: usize) -> Range<usize> {
        let text = self.raw_text(line);
        let start = self.spans[line].start + text.len() - text.trim_ascii_start().len();
        start..start + text.trim_ascii().len()
    }

    /// The first line break of the text that is not an escaped one, if there is one.
    pub(crate) fn first_line_break(&self) -> Option<&'static str> {
        (0..self.len()).find_map(|line| self.ending(line).filter(|ending| *ending != "\\n"))
    }

    /// What ends the line, if something does.
    pub(crate) fn ending(&self, line: usize) -> Option<&'static str> {
        let span = &self.spans[line];
        match &self.bytes[span.text_end..span.end] {
            b"\n" => Some("\n"),
            b"\r\n" => Some("\r\n"),
            b"\r" => Some("\r"),
            ESCAPED_BREAK => Some("\\n"),
            _ => None,
        }
    }

    /// Moves the start of every line behind its quote marks. Blank lines need none.
    fn strip_quotes(&mut self, n_quotes: usize) {
        self.n_quotes = n_quotes;
        for span in &mut self.spans {
            span.start += quotes(&self.bytes[span.start..span.text_end], n_quotes).1;
        }
    }
}

/// Reads bytes of unknown encoding: UTF-8 if they are that, else Latin-1. Never fails.
pub(crate) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|&byte| char::from(byte)).collect()),
    }
}

/// Counts quote marks at the start of a text, at most `max`, and the bytes that they take with spaces between.
fn quotes(text: &[u8], max: usize) -> (usize, usize) {
    let (mut n_quotes, mut n_bytes) = (0, 0);
    for (at, &byte) in text.iter().enumerate() {
        match byte {
            b'>' if n_quotes < max => (n_quotes, n_bytes) = (n_quotes + 1, at + 1),
            b' ' => {}
            _ => break,
        }
    }
    (n_quotes, n_bytes)
}

fn split(bytes: &[u8], mut start: usize) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut number = 0;
    while start < bytes.len() {
        number += 1;
        let length = bytes[start..].iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let text_end = length.map_or(bytes.len(), |length| start + length);
        let end = match &bytes[text_end..] {
            [b'\r', b'\n', ..] => text_end + 2,
            [] => text_end,
            _ => text_end + 1,
        };
        if bytes[start..text_end].contains(&b'#') {
            start = split_escaped(bytes, start, text_end, number, &mut spans);
        }
        spans.push(Span { raw_start: start, start, text_end, end, number });
        start = end;
    }
    spans
}

/// Adds the lines that end with an escaped break, and returns where the rest of the line starts.
fn split_escaped(bytes: &[u8], mut start: usize, text_end: usize, number: usize, spans: &mut Vec<Span>) -> usize {
    let mut at = start;
    while at < text_end {
        if bytes[at..].starts_with(ESCAPED_BREAK) {
            let end = at + ESCAPED_BREAK.len();
            spans.push(Span { raw_start: start, start, text_end: at, end, number });
            (start, at) = (end, end);
        } else {
            at += 1;
        }
    }
    start
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], expect: &[&str]) {
        let lines = Lines::new(bytes);
        let texts: Vec<_> = (0..lines.len()).map(|line| decode(lines.raw_text(line)).into_owned()).collect();
        assert_eq!(texts, expect, "{bytes:?}");
    }

    #[test]
    fn ends_lines_in_every_way() {
        check(b"a\nb\r\nc\rd", &["a", "b", "c", "d"]);
        check(b"\xEF\xBB\xBFa\n\n", &["a", ""]);
        check(b"##\\n#@\\n##\nC:\\new", &["##", "#@", "##", "C:\\new"]);
        check(b"", &[]);
    }

    #[test]
    fn strips_quotes_only_if_every_written_line_has_them() {
        check(b"> a\n\n> > b\n>\n", &[" a", "", " > b", ""]);
        check(b">> a\n> > b\n", &[" a", " b"]);
        check(b"> a\nb\n", &["> a", "b"]);
    }

    #[test]
    fn line_breaks_are_named() {
        let files = [&b"a\nb\r\n"[..], b"a\r\nb\n", b"a\rb", b"##\\n#@\\n##\r\nC", b"##\\n#@", b"a", b""];
        let first = files.map(|bytes| Lines::new(bytes).first_line_break());
        assert_eq!(first, [Some("\n"), Some("\r\n"), Some("\r"), Some("\r\n"), None, None, None]);
        let lines = Lines::new(files[3]);
        assert_eq!([0, 1, 2, 3].map(|line| lines.ending(line)), [Some("\\n"), Some("\\n"), Some("\r\n"), None]);
    }

    #[test]
    fn reads_latin_1_where_it_is_not_utf_8() {
        assert_eq!(decode(b"caf\xE9"), "caf\u{e9}");
        assert_eq!(decode("caf\u{e9}".as_bytes()), "caf\u{e9}");
    }

    #[test]
    fn parts_keep_their_quote_marks() {
        let lines = Lines::of_part(b"> > a\n>\nb", 1);
        let texts: Vec<_> = (0..lines.len()).map(|line| decode(lines.raw_text(line)).into_owned()).collect();
        assert_eq!(texts, [" > a", "", "b"]);
        assert_eq!([0, 1, 2, 3].map(|line| lines.offset(line)), [0, 6, 8, 9]);
        assert_eq!(Lines::of_part(b">> a", 1).raw_text(0), b"> a");
    }
}
