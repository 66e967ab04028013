//! The bytes of a file: read whole, unpacked from gzip, decoded from UTF-16.
//!
//! Invariant: no step makes more than [`MAX_FILE_SIZE`] bytes, whatever sizes the file states.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use thiserror::Error;

use crate::format::{Format, MAX_FILE_SIZE};
use crate::read::looks_like::LooksLike;
use crate::read::xml::ParseXmlError;
use crate::text::encoding::{decode_utf_16, utf_16_mark};

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
    #[error("{name} has more than {max} bytes; split it", max = MAX_FILE_SIZE)]
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
/// The file is a directory, cannot be read, or is larger than [`Collection::MAX_FILE_SIZE`](crate::Collection::MAX_FILE_SIZE).
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
    let limit = MAX_FILE_SIZE as u64;
    let mut bytes = Vec::new();
    from.take(limit + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() <= MAX_FILE_SIZE).then_some(bytes))
}

/// Bytes as they are without gzip and UTF-16.
pub(crate) struct Plain {
    pub(crate) bytes: Vec<u8>,
    pub(crate) is_packed: bool,
    pub(crate) is_utf_16: bool,
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
    if bytes.len() > MAX_FILE_SIZE { Err(too_large()) } else { Ok(Plain { bytes, is_packed, is_utf_16: true }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text in UTF-16 may be of the largest size once it is decoded, in which a letter may take three bytes.
    #[test]
    fn text_that_is_too_large_when_it_is_decoded_is_refused() {
        let letter = '\u{4e00}'.len_utf8();
        let large = [&b"\xFF\xFE"[..], &b"\x00\x4E".repeat(MAX_FILE_SIZE / letter)].concat();
        let decoded = |more: &[u8]| plain("a", [&large, more].concat()).map(|plain| plain.bytes.len());
        assert_eq!(MAX_FILE_SIZE % letter, 1);
        assert_eq!(decoded(b"a\0").unwrap(), MAX_FILE_SIZE);
        assert!(matches!(decoded(b"a\0a\0"), Err(ReadCollectionError::TooLarge { .. })));
    }
}
