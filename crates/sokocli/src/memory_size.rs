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
        let trimmed = text.trim();
        let end = trimmed.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(trimmed.len());
        let (number, unit) = trimmed.split_at(end);
        let unit = bytes_in(&unit.trim().to_ascii_lowercase()).ok_or_else(wrong)?;
        let bytes = number.parse::<u64>().ok().and_then(|number| number.checked_mul(unit));
        let bytes = bytes.ok_or_else(wrong)?;
        if !(LEAST..=MOST).contains(&bytes) {
            return Err(format!("'{text}' is out of range; the least is 16MiB, the most 1024TiB"));
        }
        Ok(Self(bytes))
    }
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
    fn refuses_the_rest() {
        for text in ["", "0", "1", "16383k", "2000TiB", "MiB", "-5", "2 elephants", "99999999999TiB", "1.5G"] {
            assert!(text.parse::<MemorySize>().is_err(), "{text}");
        }
    }
}
