//! A day or a time, as the library compares them.

use std::str::FromStr;

use jiff::Timestamp;
use jiff::civil::Date;

/// A time in UTC, written so that the order of texts is that of times: `2026-11-23`, `2026-11-23T21:04:09.250Z`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Since(pub(crate) String);

impl FromStr for Since {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if let Ok(date) = text.parse::<Date>()
            && text.len() == "2026-11-23".len()
        {
            return Ok(Self(date.to_string()));
        }
        let time = text.parse::<Timestamp>().map(|time| Self(time.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()));
        time.map_err(|_| format!("'{text}' is no day such as 2026-11-23 and no time such as 2026-11-23T21:00:00Z"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_times_are_read() {
        assert_eq!("2026-11-23".parse(), Ok(Since("2026-11-23".to_owned())));
        assert_eq!("2026-11-23T22:00:00+01:00".parse(), Ok(Since("2026-11-23T21:00:00.000Z".to_owned())));
        for text in ["", "yesterday", "2026-13-01", "2026-11-23T21"] {
            assert!(text.parse::<Since>().is_err(), "{text}");
        }
    }
}
