//! Collections read from files: the format is recognized, and formats other than text are written as text first.
//!
//! ```text
//!   bytes ──gzip──▶ bytes ──UTF-16──▶ bytes ─┬─ XML of .slc, .ssx ──▶ .sok text ─┐
//!           └── file_bytes ────────┘         ├─ digits ─────────────▶ .sok text ─┼──▶ Collection
//!                                            └─ text, byte for byte ─────────────┘
//! ```
//!
//! # Contents
//! * here: [`Collection::read`], and which format a file has.
//! * `file_bytes`: a file's bytes, without gzip and UTF-16.
//! * `xml`: XML in one pass and within limits. `slc`, `ssx`: two formats of it. `letslogic`: digits.
//! * `sok_text`: levels of these formats written as `.sok` text.
//! * `looks_like`: what a file without levels looks like. `moves_file`: moves without a board.

pub(crate) mod file_bytes;
mod letslogic;
pub(crate) mod looks_like;
pub(crate) mod moves_file;
mod slc;
mod sok_text;
mod ssx;
pub(crate) mod xml;

use std::borrow::Cow;
use std::path::Path;

use crate::collection::Collection;
use crate::format::{Format, MAX_FILE_SIZE, Source};
use crate::read::file_bytes::{Plain, ReadCollectionError, plain, read_bytes};
use crate::read::letslogic::letslogic_to_sok;
use crate::read::looks_like::{LooksLike, by_ending, is_hexoban, looks_like};
use crate::read::moves_file::is_moves_file;
use crate::read::slc::slc_to_sok;
use crate::read::ssx::ssx_to_sok;
use crate::read::xml::ParseXmlError;
use crate::text::encoding::{decode_windows_1252, without_mark};
use crate::text::line::decode;

impl Collection {
    /// Reads a file in any [`Format`] that has levels, plain or packed with gzip, in UTF-8, Latin-1, or UTF-16 with a
    /// byte order mark.
    ///
    /// A text is kept byte for byte. Everything else is written as `.sok` text, which is what [`Self::to_bytes`]
    /// returns then.
    ///
    /// # Errors
    /// The file cannot be read, is larger than [`Collection::MAX_FILE_SIZE`], damaged, or has no board in it. A board
    /// that is not a level is not an error.
    pub fn read(path: &Path) -> Result<Self, ReadCollectionError> {
        Self::decode(&path.display().to_string(), read_bytes(path)?)
    }

    /// Reads the bytes of a file, as [`Self::read`] does. The name is for messages.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn decode(name: &str, bytes: Vec<u8>) -> Result<Self, ReadCollectionError> {
        let no_levels = |looks_like| ReadCollectionError::NoLevels { name: name.to_owned(), looks_like };
        let Plain { bytes, is_packed, is_utf_16 } = plain(name, bytes)?;
        if starts_with_markup(&bytes)
            && let Some(xml) = XmlFormat::of(&bytes)
        {
            return xml.read(name, &bytes, is_utf_16);
        }
        let source = Source { format: Format::Text, is_converted: is_packed || is_utf_16 };
        let collection = Collection::from_source(bytes, source);
        if !collection.levels().is_empty() {
            let is_hex = by_ending(name) == Some(LooksLike::Hexoban)
                || collection.levels().iter().all(|level| is_hexoban(level.board_rows()));
            return if is_hex { Err(no_levels(Some(LooksLike::Hexoban))) } else { Ok(collection) };
        }
        let bytes = &*collection.to_bytes();
        if let Some(xml) = XmlFormat::of(bytes) {
            return xml.read(name, bytes, is_utf_16);
        }
        if let Some(sok) = letslogic_to_sok(&decode(bytes))
            && let Some(collection) = converted(name, sok, Format::LetsLogic)?
        {
            return Ok(collection);
        }
        Err(no_levels(looks_like(name, bytes).or_else(|| moves_in(bytes))))
    }
}

impl Format {
    /// Recognizes the format of a file's bytes, which may be packed with gzip or in UTF-16; `None` if there are neither
    /// levels nor moves in it.
    ///
    /// ```
    /// use sokoio::Format;
    ///
    /// assert_eq!(Format::of(b"#####\n#@$.#\n#####\n"), Some(Format::Text));
    /// assert_eq!(Format::of(b"11111\n12341\n11111\n"), Some(Format::LetsLogic));
    /// assert_eq!(Format::of(b"lluRRDlddrUU\n"), Some(Format::Moves));
    /// assert_eq!(Format::of(b"Dear reader,\n"), None);
    /// ```
    #[must_use]
    pub fn of(bytes: &[u8]) -> Option<Self> {
        match Collection::decode("", bytes.to_vec()) {
            Ok(collection) => Some(collection.format()),
            Err(ReadCollectionError::NoLevels { looks_like: Some(LooksLike::Moves), .. }) => Some(Self::Moves),
            Err(_) => None,
        }
    }
}

/// What the moves of a file without boards look like, if it has nothing else.
fn moves_in(bytes: &[u8]) -> Option<LooksLike> {
    let found = if bytes.contains(&b'{') { LooksLike::Multiban } else { LooksLike::Moves };
    is_moves_file(bytes).then_some(found)
}

/// The collection of a text that was written from another format; `None` if it has no level.
fn converted(name: &str, sok: String, format: Format) -> Result<Option<Collection>, ReadCollectionError> {
    if sok.len() > MAX_FILE_SIZE {
        return Err(ReadCollectionError::TooLarge { name: name.to_owned() });
    }
    let collection = Collection::from_source(sok.into_bytes(), Source { format, is_converted: true });
    Ok(Some(collection).filter(|collection| !collection.levels().is_empty()))
}

/// A kind of XML that is read.
#[derive(Clone, Copy)]
struct XmlFormat {
    /// The first element, up to its name's end.
    root: &'static [u8],
    format: Format,
    to_sok: fn(&str) -> Result<String, ParseXmlError>,
}

const XML_FORMATS: [XmlFormat; 3] = [
    XmlFormat { root: b"<SokobanLevels", format: Format::Slc, to_sok: slc_to_sok },
    XmlFormat { root: b"<SokobanLibrary", format: Format::Ssx, to_sok: ssx_to_sok },
    XmlFormat { root: b"<Library", format: Format::Ssx, to_sok: ssx_to_sok },
];

/// The bytes that may precede the element that names the format: comments, or a line of some program.
const PREAMBLE: usize = 1 << 16;

fn starts_with_markup(bytes: &[u8]) -> bool {
    without_mark(bytes).trim_ascii_start().starts_with(b"<")
}

impl XmlFormat {
    /// The format whose element comes first.
    fn of(bytes: &[u8]) -> Option<Self> {
        let head = &bytes[..bytes.len().min(PREAMBLE)];
        let is_root = |at: usize, root: &[u8]| {
            let name = head.get(at..at + root.len()).is_some_and(|name| name.eq_ignore_ascii_case(root));
            name && head.get(at + root.len()).is_none_or(|next| !next.is_ascii_alphanumeric())
        };
        let mut starts = (0..head.len()).filter(|&at| head[at] == b'<');
        starts.find_map(|at| XML_FORMATS.into_iter().find(|format| is_root(at, format.root)))
    }

    fn read(self, name: &str, bytes: &[u8], is_utf_8: bool) -> Result<Collection, ReadCollectionError> {
        let Self { format, to_sok, .. } = self;
        let name = || name.to_owned();
        let xml = |source| ReadCollectionError::Xml { name: name(), format, source };
        let sok = to_sok(&xml_text(bytes, is_utf_8)).map_err(xml)?;
        let looks_like = Some(LooksLike::WithoutLevels(format));
        converted(&name(), sok, format)?.ok_or_else(|| ReadCollectionError::NoLevels { name: name(), looks_like })
    }
}

/// The text of an XML file: in Latin-1 if that is what it declares or if it is not UTF-8, else in UTF-8.
fn xml_text(bytes: &[u8], is_utf_8: bool) -> Cow<'_, str> {
    let names = [&b"iso-8859-1\""[..], b"iso-8859-1'", b"latin1", b"latin-1", b"windows-1252", b"cp1252"];
    let head = bytes[..bytes.len().min(200)].to_ascii_lowercase();
    let declaration = head.split(|byte| *byte == b'>').next().expect("invariant: a split has a first part");
    let declares = |name: &&[u8]| declaration.windows(name.len()).any(|window| window == *name);
    match str::from_utf8(bytes) {
        Ok(text) if is_utf_8 || !names.iter().any(declares) => text.strip_prefix('\u{feff}').unwrap_or(text).into(),
        _ => decode_windows_1252(bytes).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_is_written_from_another_format_may_be_as_large_as_a_file() {
        let of = |n_bytes: usize| converted("a.slc", " ".repeat(n_bytes), Format::Slc);
        assert!(matches!(of(MAX_FILE_SIZE), Ok(None)));
        assert!(matches!(of(MAX_FILE_SIZE + 1), Err(ReadCollectionError::TooLarge { .. })));
    }
}
