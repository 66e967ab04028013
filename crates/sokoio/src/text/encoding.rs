//! Encodings other than UTF-8: UTF-16 with a byte order mark, and what an XML declaration names.
//!
//! Decoding never fails where the encoding is known: code units that mean nothing become U+FFFD.

/// Cuts the byte order mark that a text in UTF-8 may start with.
pub(crate) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes)
}

/// Byte orders of UTF-16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ByteOrder {
    Little,
    Big,
}

/// The byte order that a UTF-16 byte order mark at the start gives. The mark of UTF-32 starts with the same bytes and
/// does not count.
pub(crate) fn utf_16_mark(bytes: &[u8]) -> Option<ByteOrder> {
    match bytes {
        [0xFF, 0xFE, 0, 0, ..] => None,
        [0xFF, 0xFE, ..] => Some(ByteOrder::Little),
        [0xFE, 0xFF, ..] => Some(ByteOrder::Big),
        _ => None,
    }
}

/// The byte order of UTF-16 without a mark, if that is what the bytes clearly are: of the first code units, most are
/// characters below U+0100 and hardly any other byte is zero.
pub(crate) fn utf_16_without_mark(bytes: &[u8]) -> Option<ByteOrder> {
    let pairs = bytes.as_chunks::<2>().0;
    let pairs = &pairs[..pairs.len().min(512)];
    let n_little = pairs.iter().filter(|pair| pair[1] == 0 && pair[0] != 0).count();
    let n_big = pairs.iter().filter(|pair| pair[0] == 0 && pair[1] != 0).count();
    let is_most = |n: usize| pairs.len() >= 4 && n * 10 >= pairs.len() * 7;
    match (n_little, n_big) {
        (n, 0) if is_most(n) => Some(ByteOrder::Little),
        (0, n) if is_most(n) => Some(ByteOrder::Big),
        _ => None,
    }
}

/// Decodes UTF-16; a byte order mark at the start is left out, and so is an odd byte at the end.
pub(crate) fn decode_utf_16(bytes: &[u8], order: ByteOrder) -> String {
    let unit = |pair: &[u8; 2]| match order {
        ByteOrder::Little => u16::from_le_bytes(*pair),
        ByteOrder::Big => u16::from_be_bytes(*pair),
    };
    let units = bytes.as_chunks::<2>().0.iter().map(unit);
    let text = char::decode_utf16(units).map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER));
    let mut text = text.peekable();
    text.next_if_eq(&'\u{feff}');
    text.collect()
}

/// What windows-1252 has where Latin-1 has control characters, from 0x80. Five bytes mean nothing and are kept.
const WINDOWS_1252: [char; 32] = [
    '\u{20ac}', '\u{81}', '\u{201a}', '\u{192}', '\u{201e}', '\u{2026}', '\u{2020}', '\u{2021}', '\u{2c6}', '\u{2030}',
    '\u{160}', '\u{2039}', '\u{152}', '\u{8d}', '\u{17d}', '\u{8f}', '\u{90}', '\u{2018}', '\u{2019}', '\u{201c}',
    '\u{201d}', '\u{2022}', '\u{2013}', '\u{2014}', '\u{2dc}', '\u{2122}', '\u{161}', '\u{203a}', '\u{153}', '\u{9d}',
    '\u{17e}', '\u{178}',
];

/// Decodes windows-1252. Latin-1 is read the same way, because files that declare it mean this.
pub(crate) fn decode_windows_1252(bytes: &[u8]) -> String {
    let letter = |&byte: &u8| match byte {
        0x80..0xA0 => WINDOWS_1252[usize::from(byte - 0x80)],
        _ => char::from(byte),
    };
    bytes.iter().map(letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf_16(text: &str, order: ByteOrder) -> Vec<u8> {
        let bytes = |unit: u16| match order {
            ByteOrder::Little => unit.to_le_bytes(),
            ByteOrder::Big => unit.to_be_bytes(),
        };
        text.encode_utf16().flat_map(bytes).collect()
    }

    #[test]
    fn utf_16_with_a_mark() {
        for order in [ByteOrder::Little, ByteOrder::Big] {
            let bytes = utf_16("\u{feff}#@ caf\u{e9} \u{1f4e6}\n", order);
            assert_eq!(utf_16_mark(&bytes), Some(order));
            assert_eq!(decode_utf_16(&bytes, order), "#@ caf\u{e9} \u{1f4e6}\n");
        }
        assert_eq!(utf_16_mark(&[0xFF, 0xFE, 0, 0, b'#', 0, 0, 0]), None);
        assert_eq!(utf_16_mark(b"#####"), None);
    }

    #[test]
    fn what_means_nothing_becomes_the_replacement_character() {
        assert_eq!(decode_utf_16(&[0xFF, 0xFE, 0x00, 0xD8, b'#', 0, b'x'], ByteOrder::Little), "\u{fffd}#");
    }

    #[test]
    fn utf_16_without_a_mark_is_seen() {
        for order in [ByteOrder::Little, ByteOrder::Big] {
            assert_eq!(utf_16_without_mark(&utf_16("#####\n#@$.#\n", order)), Some(order));
        }
        // Seven of ten code units are most, six are not.
        for (n, expect) in [(7, Some(ByteOrder::Little)), (6, None), (2, None)] {
            let bytes = [b"a\0".repeat(n), b"ab".repeat(10 - n)].concat();
            assert_eq!(utf_16_without_mark(&bytes), expect, "{n}");
        }
        for bytes in [&b"#####\n#@$.#\n"[..], &[0; 64], b"\0#\0", &[1, 0, 0, 2, 3, 4, 5, 6, 7, 8]] {
            assert_eq!(utf_16_without_mark(bytes), None, "{bytes:?}");
        }
    }

    #[test]
    fn windows_1252_has_letters_where_latin_1_has_none() {
        assert_eq!(decode_windows_1252(b"caf\xE9 \x80 \x93x\x94 \x9F"), "caf\u{e9} \u{20ac} \u{201c}x\u{201d} \u{178}");
    }
}
