//! What a file without levels looks like, so that its reader learns what to do instead.
//!
//! Archives, pictures and documents are recognized by their first bytes, text by its letters, and formats that have
//! neither by the ending of the name.

use std::fmt;
use std::path::Path;

use crate::format::Format;
use crate::text::encoding::{utf_16_without_mark, without_mark};

/// What a file without levels looks like. Its text says what it is and what to do.
///
/// ```
/// use sokoio::{Collection, LooksLike, ReadCollectionError};
///
/// let error = Collection::decode("levels.zip", b"PK\x03\x04...".to_vec()).unwrap_err();
/// assert_eq!(error.to_string(), "levels.zip: no level found; the file looks like a zip archive; unpack it first");
/// let ReadCollectionError::NoLevels { looks_like, .. } = error else { unreachable!("the file is an archive") };
/// assert_eq!(looks_like, Some(LooksLike::Archive("a zip archive")));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LooksLike {
    /// No bytes, or white space alone.
    Empty,
    /// An archive or a compressed file, by its name.
    Archive(&'static str),
    /// A picture, by its name.
    Picture(&'static str),
    /// PDF or another document.
    Document(&'static str),
    /// HTML.
    WebPage,
    /// JSON without a map that has its width and height.
    Json,
    /// XML of another kind.
    Xml,
    /// A format that is read, without a level in it.
    WithoutLevels(Format),
    /// `.ssc`, scores of Sokoban for Windows.
    Scores,
    /// A file of solutions without their boards, of the program named.
    Solutions(&'static str),
    /// UTF-16 without a byte order mark.
    Utf16,
    /// UTF-32.
    Utf32,
    /// Moves without a board.
    Moves,
    /// Boards of six-sided squares.
    Hexoban,
    /// Boards of triangles.
    Trioban,
    /// Several pushers.
    Multiban,
    /// Bytes that are not text.
    Binary,
}

impl fmt::Display for LooksLike {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the file is empty"),
            Self::Archive(name) => write!(f, "the file looks like {name}; unpack it first"),
            Self::Picture(name) => write!(f, "the file looks like {name}; write the level as text"),
            Self::Document(name) => write!(f, "the file looks like {name}; copy the levels into a text file"),
            Self::WebPage => f.write_str("the file looks like a web page; save the level file that it links to"),
            Self::Json => f.write_str("the file looks like JSON; a level in it needs a map with its width and height"),
            Self::Xml => f.write_str("the file is XML, but neither .slc nor .ssx; convert it to .sok or .slc"),
            Self::WithoutLevels(format) => write!(f, "the file is {format}, but has no board in it"),
            Self::Scores => f.write_str(
                "the file looks like .ssc scores, which have no boards; give the .slc file of the same name",
            ),
            Self::Solutions(program) => {
                write!(f, "the file looks like solutions of {program}, without boards; export the levels as .sok")
            }
            Self::Utf16 => f.write_str("the text is UTF-16 without a byte order mark; save it as UTF-8"),
            Self::Utf32 => f.write_str("the text is UTF-32; save it as UTF-8"),
            Self::Moves => f.write_str("the file has moves, but no board; give it beside the file of its level"),
            Self::Hexoban => {
                f.write_str("the boards are hexoban, whose squares have six sides; they are not supported")
            }
            Self::Trioban => f.write_str("the boards are trioban, made of triangles; they are not supported"),
            Self::Multiban => f.write_str("the moves change the pusher with {...}; several pushers are not supported"),
            Self::Binary => f.write_str("the file is no text; levels are read from .sok, .xsb, .txt, .slc and .ssx"),
        }
    }
}

/// First bytes of formats.
const MARKS: &[(&[u8], LooksLike)] = &[
    (b"PK\x03\x04", LooksLike::Archive("a zip archive")),
    (b"PK\x05\x06", LooksLike::Archive("a zip archive")),
    (b"7z\xBC\xAF\x27\x1C", LooksLike::Archive("a 7z archive")),
    (b"Rar!\x1A\x07", LooksLike::Archive("a rar archive")),
    (b"\xFD7zXZ\0", LooksLike::Archive("an xz file")),
    (b"BZh", LooksLike::Archive("a bzip2 file")),
    (b"\x28\xB5\x2F\xFD", LooksLike::Archive("a zstd file")),
    (b"\x1F\x8B", LooksLike::Archive("gzip within gzip")),
    (b"\x1F\x9D", LooksLike::Archive("a file of compress (.Z)")),
    (b"LZIP", LooksLike::Archive("an lzip file")),
    (b"\x04\x22\x4D\x18", LooksLike::Archive("an lz4 file")),
    (b"MSCF", LooksLike::Archive("a cab archive")),
    (b"\x89PNG\r\n\x1A\n", LooksLike::Picture("a PNG picture")),
    (b"\xFF\xD8\xFF", LooksLike::Picture("a JPEG picture")),
    (b"GIF87a", LooksLike::Picture("a GIF picture")),
    (b"GIF89a", LooksLike::Picture("a GIF picture")),
    (b"%PDF", LooksLike::Document("a PDF document")),
    (b"{\\rtf", LooksLike::Document("an RTF document")),
    (b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", LooksLike::Document("an Office document")),
    (b"\xFF\xFE\0\0", LooksLike::Utf32),
    (b"\0\0\xFE\xFF", LooksLike::Utf32),
];

/// Where a tar archive has its mark.
const TAR_MARK: (usize, &[u8]) = (257, b"ustar");

/// Endings of names, for formats that the bytes do not show.
const ENDINGS: &[(&str, LooksLike)] = &[
    ("ssc", LooksLike::Scores),
    ("hsb", LooksLike::Hexoban),
    ("sokohex", LooksLike::Hexoban),
    ("tsb", LooksLike::Trioban),
    ("sokotri", LooksLike::Trioban),
    ("mf8", LooksLike::Solutions("the mf8 forum")),
    ("sokobansolution", LooksLike::Solutions("Sokoban YASC")),
];

/// Says what bytes without a level look like; `None` for any text.
pub(crate) fn looks_like(name: &str, bytes: &[u8]) -> Option<LooksLike> {
    by_mark(bytes).or_else(|| by_ending(name)).or_else(|| by_letters(bytes))
}

fn by_mark(bytes: &[u8]) -> Option<LooksLike> {
    let (at, mark) = TAR_MARK;
    if bytes.get(at..).is_some_and(|rest| rest.starts_with(mark)) {
        return Some(LooksLike::Archive("a tar archive"));
    }
    MARKS.iter().find(|(mark, _)| bytes.starts_with(mark)).map(|(_, found)| *found)
}

/// What a file with this ending of its name looks like.
pub(crate) fn by_ending(name: &str) -> Option<LooksLike> {
    let ending = Path::new(name.strip_suffix(".gz").unwrap_or(name)).extension()?.to_str()?;
    ENDINGS.iter().find(|(known, _)| ending.eq_ignore_ascii_case(known)).map(|(_, found)| *found)
}

fn by_letters(bytes: &[u8]) -> Option<LooksLike> {
    let text = without_mark(bytes).trim_ascii();
    let head = text[..text.len().min(1024)].to_ascii_lowercase();
    let has = |part: &[u8]| head.windows(part.len()).any(|window| window == part);
    match head.first() {
        None => Some(LooksLike::Empty),
        _ if utf_16_without_mark(bytes).is_some() => Some(LooksLike::Utf16),
        _ if head.contains(&0) => Some(LooksLike::Binary),
        Some(b'<') if has(b"<html") || has(b"<!doctype html") || has(b"<body") => Some(LooksLike::WebPage),
        Some(b'<') if has(b"<sokobanscores") || has(b"<score") => Some(LooksLike::Scores),
        Some(b'<') if has(b"<?xml") || has(b"xmlns") => Some(LooksLike::Xml),
        Some(b'{' | b'[') if matches!(text.last(), Some(b'}' | b']')) && has(b"\"") => Some(LooksLike::Json),
        _ => None,
    }
}

/// Whether a board is hexoban: from row to row, what stands in it is in even columns or in odd ones, by turns.
pub(crate) fn is_hexoban(rows: &[String]) -> bool {
    let parity = |row: &String| {
        let mut columns = row.bytes().enumerate().filter(|(_, byte)| !matches!(byte, b' ' | b'-' | b'_'));
        let first = columns.next()?.0 % 2;
        columns.all(|(column, _)| column % 2 == first).then_some(first)
    };
    let parities: Option<Vec<usize>> = rows.iter().map(parity).collect();
    parities.is_some_and(|parities| parities.len() >= 3 && parities.windows(2).all(|pair| pair[0] != pair[1]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, bytes: &[u8], expect: Option<LooksLike>) {
        assert_eq!(looks_like(name, bytes), expect, "{name} {:?}", String::from_utf8_lossy(bytes));
    }

    #[test]
    fn first_bytes_tell() {
        check("a.sok", b"PK\x03\x04rest", Some(LooksLike::Archive("a zip archive")));
        check("a.sok", b"%PDF-1.4", Some(LooksLike::Document("a PDF document")));
        check("a.sok", &[&[0; 257][..], b"ustar\x0000"].concat(), Some(LooksLike::Archive("a tar archive")));
        check("a.sok", b"\xFF\xFE\0\0#\0\0\0", Some(LooksLike::Utf32));
    }

    #[test]
    fn letters_tell() {
        check("a", b" \n", Some(LooksLike::Empty));
        check("a", b"#\0#\0#\0#\0", Some(LooksLike::Utf16));
        check("a", b"\x01\x02\0\x03", Some(LooksLike::Binary));
        for page in ["<!DOCTYPE HTML>", "<html>", "<Body>text"] {
            check("a", page.as_bytes(), Some(LooksLike::WebPage));
        }
        for scores in ["<SokobanScores/>", "<ScoreCollection/>", "<?xml version='1.0'?><Score/>"] {
            check("a", scores.as_bytes(), Some(LooksLike::Scores));
        }
        check("a", b"<svg xmlns='x'/>", Some(LooksLike::Xml));
        check("a", b"<3 levels", None);
        check("a", b"\xEF\xBB\xBF<?xml version='1.0'?><svg/>", Some(LooksLike::Xml));
        check("a", b"{\"a\": 1}", Some(LooksLike::Json));
        check("a", b"some text", None);
        check("a", b"[a title]", None);
    }

    #[test]
    fn endings_tell() {
        check("levels/a.SSC", b"<Scores/>", Some(LooksLike::Scores));
        check("a.hsb.gz", b"text", Some(LooksLike::Hexoban));
        check("a.sokobansolution", b"text", Some(LooksLike::Solutions("Sokoban YASC")));
    }

    #[test]
    fn hexoban_boards_stand_in_every_other_column() {
        let hex = ["  # # #", " # @ $ #", "# . - #", " # # #"].map(String::from);
        assert!(is_hexoban(&hex));
        assert!(!is_hexoban(&["#####", "#@$.#", "#####"].map(String::from)));
        assert!(!is_hexoban(&["# #", "# #", "# #"].map(String::from)));
        assert!(!is_hexoban(&hex[..2]));
    }
}
