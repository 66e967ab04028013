//! The share of a level's time in which its lower bounds are raised.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A share in percent, from 1 to 99.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BoundShare(u32);

impl BoundShare {
    /// Returns the percentage.
    pub(crate) const fn percent(self) -> u32 {
        self.0
    }

    /// Returns this share of a time.
    pub(crate) fn of_time(self, time: Duration) -> Duration {
        time.mul_f64(f64::from(self.0) / 100.0)
    }

    /// Returns this share of units of work.
    pub(crate) fn of_work(self, work: u64) -> u64 {
        let part = u128::from(work) * u128::from(self.0) / 100;
        u64::try_from(part).unwrap_or(work)
    }
}

impl FromStr for BoundShare {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = text.trim();
        let percent = number.strip_suffix('%').unwrap_or(number).trim_end().parse().ok();
        let percent = percent.filter(|percent| (1..=99).contains(percent));
        percent.map(Self).ok_or_else(|| format!("'{text}' is no share; write 1% to 99%, such as 25%"))
    }
}

impl fmt::Display for BoundShare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}%", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_read_with_and_without_the_sign() {
        for text in ["25", "25%", " 25 %"] {
            let share: BoundShare = text.parse().unwrap();
            assert_eq!((share.percent(), share.to_string().as_str()), (25, "25%"));
            assert_eq!(share.of_time(Duration::from_secs(8)), Duration::from_secs(2));
            assert_eq!((share.of_work(1_000), share.of_work(u64::MAX)), (250, u64::MAX / 4));
        }
        for text in ["", "%", "0", "100", "-5", "a quarter", "2.5"] {
            assert!(text.parse::<BoundShare>().is_err(), "{text}");
        }
    }
}
