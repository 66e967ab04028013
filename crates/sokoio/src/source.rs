//! Files read from outside: unpacked, decoded, their format recognized, and other formats written as text.
//!
//! ```text
//!   bytes ──gzip──▶ bytes ──UTF-16──▶ bytes ─┬─ XML of .slc, .ssx ──▶ .sok text ─┐
//!                                            ├─ digits ─────────────▶ .sok text ─┼──▶ Collection
//!                                            └─ text, byte for byte ─────────────┘
//! ```
//!
//! Invariant: no step makes more than [`Collection::MAX_FILE_SIZE`] bytes, whatever sizes the file states.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use thiserror::Error;

use crate::collection::Collection;
use crate::format::Format;
use crate::letslogic::letslogic_to_sok;
use crate::line::decode;
use crate::looks_like::{LooksLike, by_ending, is_hexoban, looks_like};
use crate::moves_file::is_moves_file;
use crate::slc::slc_to_sok;
use crate::ssx::ssx_to_sok;
use crate::text_encoding::{decode_utf_16, decode_windows_1252, utf_16_mark, without_mark};
use crate::xml::ParseXmlError;

/// Why a file gives no levels.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReadCollectionError {
    /// The file cannot be opened or read.
    #[error("cannot read {}; check that the file exists and may be read", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A directory stands in the place of a file.
    #[error("{} is a directory; name the level files in it", path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
    },
    /// Too large to be a file of levels, as it is or unpacked.
    #[error("{name} has more than {max} bytes; split it", max = Collection::MAX_FILE_SIZE)]
    TooLarge {
        /// The file.
        name: String,
    },
    /// The gzip data are damaged.
    #[error("{name}: cannot unpack the gzip data; the file is damaged or was cut off, get it again")]
    Gzip {
        /// The file.
        name: String,
        /// What is wrong.
        source: io::Error,
    },
    /// The file is an `.slc` or `.ssx` file, but its XML is damaged.
    #[error("{name}: cannot read the {format} file")]
    Xml {
        /// The file.
        name: String,
        /// Which kind of XML it is.
        format: Format,
        /// Where and what is wrong.
        source: ParseXmlError,
    },
    /// There is no board in the file.
    #[error("{name}: no level found; {}", advice(*looks_like))]
    NoLevels {
        /// The file.
        name: String,
        /// What the file looks like, if it is not just text.
        looks_like: Option<LooksLike>,
    },
}

fn advice(looks_like: Option<LooksLike>) -> String {
    let picture = || "a level is a picture of # @ $ . with at least three rows".to_owned();
    looks_like.map_or_else(picture, |found| found.to_string())
}

/// Where the text of a collection comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) format: Format,
    pub(crate) is_converted: bool,
}

impl Source {
    /// A text that is kept byte for byte.
    pub(crate) const TEXT: Self = Self { format: Format::Text, is_converted: false };
}

/// Reads the bytes of a file.
///
/// ```
/// use sokoio::{read_bytes, write_file};
///
/// let directory = tempfile::tempdir()?;
/// let path = directory.path().join("levels.sok");
/// write_file(&path, b"#####\n#@$.#\n#####\n")?;
/// assert_eq!(read_bytes(&path)?.len(), 18);
/// let error = read_bytes(directory.path()).unwrap_err();
/// assert!(error.to_string().ends_with("is a directory; name the level files in it"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The file is a directory, cannot be read, or is larger than [`Collection::MAX_FILE_SIZE`].
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, ReadCollectionError> {
    let io = |source: io::Error| match path.is_dir() {
        true => ReadCollectionError::Directory { path: path.to_owned() },
        false => ReadCollectionError::Io { path: path.to_owned(), source },
    };
    let file = File::open(path).map_err(io)?;
    read_within_limit(file)
        .map_err(io)?
        .ok_or_else(|| ReadCollectionError::TooLarge { name: path.display().to_string() })
}

/// Reads to the end; `None` if that is more than the largest file.
fn read_within_limit(from: impl Read) -> io::Result<Option<Vec<u8>>> {
    let limit = Collection::MAX_FILE_SIZE as u64;
    let mut bytes = Vec::new();
    from.take(limit + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() <= Collection::MAX_FILE_SIZE).then_some(bytes))
}

/// Bytes as they are without gzip and UTF-16.
pub(crate) struct Plain {
    pub(crate) bytes: Vec<u8>,
    is_packed: bool,
    is_utf_16: bool,
}

/// Unpacks gzip and decodes UTF-16.
pub(crate) fn plain(name: &str, bytes: Vec<u8>) -> Result<Plain, ReadCollectionError> {
    let too_large = || ReadCollectionError::TooLarge { name: name.to_owned() };
    let is_packed = bytes.starts_with(b"\x1F\x8B");
    let bytes = if is_packed {
        let gzip = |source| ReadCollectionError::Gzip { name: name.to_owned(), source };
        read_within_limit(MultiGzDecoder::new(&bytes[..])).map_err(gzip)?.ok_or_else(too_large)?
    } else {
        bytes
    };
    let Some(order) = utf_16_mark(&bytes) else { return Ok(Plain { bytes, is_packed, is_utf_16: false }) };
    let bytes = decode_utf_16(&bytes, order).into_bytes();
    if bytes.len() > Collection::MAX_FILE_SIZE {
        Err(too_large())
    } else {
        Ok(Plain { bytes, is_packed, is_utf_16: true })
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

/// Reads a file. See [`Collection::read`].
pub(crate) fn read_collection(path: &Path) -> Result<Collection, ReadCollectionError> {
    decode_collection(&path.display().to_string(), read_bytes(path)?)
}

/// Reads bytes. See [`Collection::decode`].
pub(crate) fn decode_collection(name: &str, bytes: Vec<u8>) -> Result<Collection, ReadCollectionError> {
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

/// What the moves of a file without boards look like, if it has nothing else.
fn moves_in(bytes: &[u8]) -> Option<LooksLike> {
    let found = if bytes.contains(&b'{') { LooksLike::Multiban } else { LooksLike::Moves };
    is_moves_file(bytes).then_some(found)
}

/// The collection of a text that was written from another format; `None` if it has no level.
fn converted(name: &str, sok: String, format: Format) -> Result<Option<Collection>, ReadCollectionError> {
    if sok.len() > Collection::MAX_FILE_SIZE {
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
