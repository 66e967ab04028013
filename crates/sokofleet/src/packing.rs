//! Values as they travel: JSON, and solutions in few bytes.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The most bytes that are unpacked: more than any solution or checkpoint has.
const MAX_UNPACKED: u64 = 64 << 20;

/// Writes a record.
pub(crate) fn to_json(record: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(record).expect("invariant: records have no keys but texts")
}

/// Reads a record; `None` if it is none, as of a broken worker.
pub(crate) fn of_json<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    serde_json::from_slice(bytes).ok()
}

/// Deflates bytes.
pub(crate) fn pack(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    let packed = encoder.write_all(bytes).and_then(|()| encoder.finish());
    packed.expect("invariant: a vector takes all bytes")
}

/// Unpacks bytes; `None` if they are damaged, or would be too many.
pub(crate) fn unpack(packed: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut decoder = ZlibDecoder::new(packed).take(MAX_UNPACKED + 1);
    decoder.read_to_end(&mut bytes).ok()?;
    (u64::try_from(bytes.len()).ok()? <= MAX_UNPACKED).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bomb_is_no_value() {
        assert_eq!(unpack(&pack(b"lurd")), Some(b"lurd".to_vec()));
        assert_eq!(unpack(&pack(&vec![0; 65 << 20])), None);
        assert_eq!(unpack(b"lurd"), None);
    }
}
