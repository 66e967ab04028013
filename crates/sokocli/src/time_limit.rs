//! Times as people type them: `50ms`, `30s`, `5m`, `2h`, `1h30m`, or plain seconds.

use std::str::FromStr;
use std::time::Duration;

/// A time limit, longer than nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TimeLimit(pub(crate) Duration);

impl FromStr for TimeLimit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("'{text}' is not a time; write 50ms, 30s, 5m, 2h, 1h30m, or plain seconds");
        let mut seconds = 0.0;
        let mut rest = text.trim();
        while !rest.is_empty() {
            let end = rest.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(rest.len());
            let (number, after) = rest.split_at(end);
            let end = after.find(|letter: char| letter.is_ascii_digit() || letter == '.').unwrap_or(after.len());
            let (unit, after) = after.split_at(end);
            seconds += number.parse::<f64>().map_err(|_| wrong())? * seconds_in(unit.trim()).ok_or_else(wrong)?;
            rest = after;
        }
        let time = Duration::try_from_secs_f64(seconds).map_err(|_| wrong())?;
        if time.is_zero() { Err(wrong()) } else { Ok(Self(time)) }
    }
}

fn seconds_in(unit: &str) -> Option<f64> {
    Some(match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3_600.0,
        "d" => 86_400.0,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_people_type() {
        let cases = [("50ms", 50), ("30s", 30_000), ("30", 30_000), ("1.5", 1_500), ("5m", 300_000)];
        let longer = [("2h", 7_200_000), ("1h30m", 5_400_000), (" 2 s ", 2_000), ("1d", 86_400_000)];
        for (text, millis) in cases.into_iter().chain(longer) {
            assert_eq!(text.parse(), Ok(TimeLimit(Duration::from_millis(millis))), "{text}");
        }
    }

    #[test]
    fn refuses_the_rest() {
        for text in ["", "0", "0s", "-1", "s", "5 weeks", "1..2", "1e30", "999999999999999999999h"] {
            assert!(text.parse::<TimeLimit>().is_err(), "{text}");
        }
    }
}
