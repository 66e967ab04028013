//! Which levels were asked for: `1,3-5,7-`.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Ranges of level numbers, which count from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LevelRanges(Vec<RangeInclusive<usize>>);

impl LevelRanges {
    /// Returns whether a level was asked for.
    pub(crate) fn contains(&self, number: usize) -> bool {
        self.0.iter().any(|range| range.contains(&number))
    }

    /// Returns a level that was asked for by number but is not among `n_levels`.
    pub(crate) fn missing_in(&self, n_levels: usize) -> Option<usize> {
        let ends = self.0.iter().flat_map(|range| [*range.start(), *range.end()]);
        ends.filter(|&end| end != usize::MAX).find(|&end| end > n_levels)
    }
}

impl fmt::Display for LevelRanges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, range) in self.0.iter().enumerate() {
            let (comma, first, last) = (if at > 0 { "," } else { "" }, range.start(), range.end());
            match *last {
                usize::MAX => write!(f, "{comma}{first}-")?,
                last if last == *first => write!(f, "{comma}{first}")?,
                last => write!(f, "{comma}{first}-{last}")?,
            }
        }
        Ok(())
    }
}

impl FromStr for LevelRanges {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("'{text}' does not name levels; write numbers from 1 and ranges, such as 1,3-5 or 7-");
        let number = |text: &str| text.trim().parse().ok().filter(|&number: &usize| number > 0).ok_or_else(wrong);
        let range = |part: &str| {
            let (first, last) = match part.split_once('-') {
                None => (number(part)?, number(part)?),
                Some((first, "")) => (number(first)?, usize::MAX),
                Some((first, last)) => (number(first)?, number(last)?),
            };
            if first <= last { Ok(first..=last) } else { Err(wrong()) }
        };
        text.split(',').map(range).collect::<Result<_, _>>().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_numbers_and_ranges() {
        let ranges: LevelRanges = "1,3-5,8-".parse().unwrap();
        let named: Vec<_> = (0..11).filter(|&number| ranges.contains(number)).collect();
        assert_eq!(named, [1, 3, 4, 5, 8, 9, 10]);
        assert_eq!(ranges.to_string(), "1,3-5,8-");
        assert_eq!(ranges.missing_in(8), None);
        assert_eq!(ranges.missing_in(4), Some(5));
        assert_eq!(ranges.missing_in(6), Some(8));
    }

    #[test]
    fn refuses_the_rest() {
        for text in ["", "0", "a", "5-3", "1,,2", "-3", "1-2-3"] {
            assert!(text.parse::<LevelRanges>().is_err(), "{text}");
        }
    }
}
