//! Sizes of memory as people type them: `64MiB`, `2GiB`, `2G`, `500MB`, or plain bytes.

use std::str::FromStr;

/// A number of bytes, enough for the program itself and a small search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MemorySize(pub(crate) u64);

/// The least that can be asked for: below it the program itself has no room.
const LEAST: u64 = 16 << 20;
/// The most: no machine has more.
const MOST: u64 = 1 << 50;

impl FromStr for MemorySize {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("'{text}' is not a size of memory; write 64MiB, 2GiB, 2G, 500MB, or plain bytes");
        let bytes = bytes_of(text).ok_or_else(wrong)?;
        if !(LEAST..=MOST).contains(&bytes) {
            return Err(format!("'{text}' is out of range; the least is 16MiB, the most 1024TiB"));
        }
        Ok(Self(bytes))
    }
}

/// Reads a number of bytes of a file, at least one.
pub(crate) fn file_size(text: &str) -> Result<u64, String> {
    let bytes = bytes_of(text).filter(|&bytes| bytes > 0);
    bytes.ok_or_else(|| format!("'{text}' is not the size of a file; write 500kB, 2MB, 1MiB, or plain bytes"))
}

fn bytes_of(text: &str) -> Option<u64> {
    let trimmed = text.trim();
    let end = trimmed.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(trimmed.len());
    let (number, unit) = trimmed.split_at(end);
    number.parse::<u64>().ok()?.checked_mul(bytes_in(&unit.trim().to_ascii_lowercase())?)
}

fn bytes_in(unit: &str) -> Option<u64> {
    Some(match unit {
        "" | "b" => 1,
        "k" | "kib" => 1 << 10,
        "m" | "mib" => 1 << 20,
        "g" | "gib" => 1 << 30,
        "t" | "tib" => 1 << 40,
        "kb" => 1_000,
        "mb" => 1_000_000,
        "gb" => 1_000_000_000,
        "tb" => 1_000_000_000_000,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_people_type() {
        let cases = [
            ("64MiB", 64 << 20),
            ("2GiB", 2 << 30),
            ("2G", 2 << 30),
            ("500MB", 500_000_000),
            ("40960000", 40_960_000),
            ("80000 k", 80_000 << 10),
        ];
        for (text, bytes) in cases {
            assert_eq!(text.parse(), Ok(MemorySize(bytes)), "{text}");
        }
    }

    #[test]
    fn files_may_be_small() {
        assert_eq!([file_size("200kB"), file_size("1")], [Ok(200_000), Ok(1)]);
        assert!(["0", "2 elephants", ""].iter().all(|text| file_size(text).is_err()));
    }

    #[test]
    fn refuses_the_rest() {
        for text in ["", "0", "1", "16383k", "2000TiB", "MiB", "-5", "2 elephants", "99999999999TiB", "1.5G"] {
            assert!(text.parse::<MemorySize>().is_err(), "{text}");
        }
    }
}
