//! Files packed by gzip in layers, in other encodings, cut and damaged; short ones that unpack to much.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use libfuzzer_sys::arbitrary::{self, Arbitrary};

use crate::check_file;
use crate::collection::{Part, text};

/// What is packed, and how.
#[derive(Debug, Arbitrary)]
pub struct Packed {
    parts: Vec<Part>,
    /// Bytes that are repeated behind the parts.
    filler: Vec<u8>,
    repeats: u16,
    encoding: Encoding,
    layers: u8,
    damage: Option<(u16, u8)>,
    cut: Option<u16>,
    behind: Vec<u8>,
}

#[derive(Debug, Arbitrary)]
enum Encoding {
    Utf8,
    Utf8WithMark,
    Utf16Little,
    Utf16Big,
}

impl Packed {
    /// The bytes of the file.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let text = text(&self.parts, "\n");
        let mut bytes = match self.encoding {
            Encoding::Utf8 => text.into_bytes(),
            Encoding::Utf8WithMark => [b"\xEF\xBB\xBF", text.as_bytes()].concat(),
            Encoding::Utf16Little => {
                [0xFEFF].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
            }
            Encoding::Utf16Big => [0xFEFF].into_iter().chain(text.encode_utf16()).flat_map(u16::to_be_bytes).collect(),
        };
        let filler = &self.filler[..self.filler.len().min(64)];
        (0..self.repeats).for_each(|_| bytes.extend(filler));
        for _ in 0..self.layers % 4 {
            let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
            packer.write_all(&bytes).expect("memory takes what is written");
            bytes = packer.finish().expect("memory takes what is written");
        }
        if let Some((at, mask)) = self.damage
            && !bytes.is_empty()
        {
            let at = usize::from(at) % bytes.len();
            bytes[at] ^= mask;
        }
        if let Some(end) = self.cut {
            bytes.truncate(usize::from(end));
        }
        bytes.extend(self.behind.iter().take(64));
        bytes
    }
}

/// Reads the file.
pub fn check(packed: &Packed) {
    check_file(&packed.bytes());
}
