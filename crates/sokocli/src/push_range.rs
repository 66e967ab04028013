//! Which pushes were asked for: `100..400`, `100..`, `..400`; and in which intervals: `100`, `100,50`.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use sokomethods::Interval;

/// From after one push to after another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PushRange(pub(crate) Range<usize>);

impl fmt::Display for PushRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.end {
            usize::MAX => write!(f, "{}..", self.0.start),
            end => write!(f, "{}..{end}", self.0.start),
        }
    }
}

impl FromStr for PushRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("'{text}' is no range of pushes; write 100..400, 100.. or ..400");
        let number = |text: &str| text.trim().parse::<usize>().map_err(|_| wrong());
        let (from, to) = text.split_once("..").ok_or_else(wrong)?;
        let range = match (from.trim(), to.trim()) {
            ("", "") => return Err(wrong()),
            ("", to) => 0..number(to)?,
            (from, "") => number(from)?..usize::MAX,
            (from, to) => number(from)?..number(to)?,
        };
        if range.is_empty() { Err(wrong()) } else { Ok(Self(range)) }
    }
}

/// Reads an interval: its length, and how much neighbors overlap, half unless told.
pub(crate) fn interval(text: &str) -> Result<Interval, String> {
    let wrong = || format!("'{text}' is no interval; write its pushes, and fewer that overlap, such as 100 or 100,50");
    let number = |text: &str| text.trim().parse::<usize>().map_err(|_| wrong());
    let (length, overlap) = match text.split_once(',') {
        None => (number(text)?, number(text)? / 2),
        Some((length, overlap)) => (number(length)?, number(overlap)?),
    };
    Interval::new(length, overlap).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_ranges_open_at_either_end() {
        let range = |text: &str| text.parse::<PushRange>().map(|range| range.0);
        assert_eq!(range("100..400"), Ok(100..400));
        assert_eq!(range("..400"), Ok(0..400));
        assert_eq!(range("100.."), Ok(100..usize::MAX));
        let written = |text: &str| text.parse::<PushRange>().unwrap().to_string();
        assert_eq!(["100..400", "..400", "100.."].map(written), ["100..400", "0..400", "100.."]);
        for text in ["", "..", "5", "5..5", "9..3", "a..b", "-1..4", "1...4"] {
            assert!(range(text).is_err(), "{text}");
        }
    }

    #[test]
    fn intervals_overlap_by_half_unless_told() {
        assert_eq!(interval("100").ok(), Interval::new(100, 50));
        assert_eq!(interval("100,20").ok(), Interval::new(100, 20));
        for text in ["0", "100,100", "x", "1,2,3"] {
            assert!(interval(text).is_err(), "{text}");
        }
    }
}
