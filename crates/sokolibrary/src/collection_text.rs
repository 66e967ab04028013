//! The texts of collections, packed.

use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use rusqlite::{Connection, OptionalExtension};
use sha2::{Digest, Sha256};
use sokoio::Collection;

use crate::library_error::LibraryProblem;

/// Unpacks the text of a collection.
pub(crate) fn text_of(connection: &Connection, name: &str) -> Result<Collection, LibraryProblem> {
    let sql = "SELECT text, digest FROM collection WHERE name = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    let found = statement.query_row([name], |row| Ok((row.get::<_, Vec<u8>>(0)?, row.get::<_, String>(1)?)));
    let Some((packed, digest)) = found.optional()? else {
        return Err(LibraryProblem::NoCollection { name: name.to_owned() });
    };
    let bytes = unpack(&packed).ok().filter(|bytes| digest_of(bytes) == digest);
    bytes.map(|bytes| Collection::parse(&bytes)).ok_or_else(|| LibraryProblem::Text { name: name.to_owned() })
}

/// Deflates a text.
pub(crate) fn pack(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    let packed = encoder.write_all(bytes).and_then(|()| encoder.finish());
    packed.expect("invariant: a vector takes all bytes")
}

/// Unpacks no more than a file of levels may have.
pub(crate) fn unpack(packed: &[u8]) -> io::Result<Vec<u8>> {
    let limit = u64::try_from(2 * Collection::MAX_FILE_SIZE).unwrap_or(u64::MAX);
    let mut bytes = Vec::new();
    ZlibDecoder::new(packed).take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns the SHA-256 of a text, as hexadecimal digits.
pub(crate) fn digest_of(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
