//! A solution with what is known of its origin.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use sokocore::Solution;
use sokoio::{Game, SolutionTitle};
use sokolibrary::PROGRAM;

/// Notes that say when a solution was found, the most exact one first.
const DATES: [&str; 4] = ["solver date", "date", "date created", "date of last change"];
/// Letters of a date that is none that can be read.
const LONGEST_DATE: usize = 32;

/// A solution and where it is from.
#[derive(Clone, Debug)]
pub(super) struct ReportedSolution {
    pub(super) solution: Solution,
    /// Whether the level came with it.
    pub(super) is_original: bool,
    /// Empty if not known.
    pub(super) by: String,
    /// Empty if not known.
    pub(super) at: String,
    pub(super) seconds: Option<f64>,
}

impl ReportedSolution {
    /// Takes a solution of a file with what its title and its notes say. It is original unless it is Soko's.
    pub(super) fn of_game(game: &Game, solution: Solution) -> Self {
        let note = |name: &str| {
            let value = |note: &str| {
                let (key, value) = note.split_once(':')?;
                key.trim().eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
            };
            game.notes().iter().find_map(|note| value(note)).filter(|value| !value.is_empty())
        };
        let program = game.title().and_then(SolutionTitle::parse).and_then(|title| title.program().map(str::to_owned));
        let solver = note("solver");
        let is_ours = [&program, &solver].into_iter().flatten().any(|name| name.starts_with(PROGRAM));
        Self {
            solution,
            is_original: !is_ours,
            by: solver.or(program).unwrap_or_default(),
            at: DATES.into_iter().find_map(note).map(|date| date_of(&date)).unwrap_or_default(),
            seconds: note("solver time").and_then(|time| seconds_of(&time)),
        }
    }
}

/// Reads a time as the library and [`ReportedSolution`] write it, UTC.
pub(super) fn seconds_since_1970(text: &str) -> Option<i64> {
    let timestamp = text.parse::<Timestamp>().ok();
    let of_day = || Some(text.parse::<DateTime>().ok()?.to_zoned(TimeZone::UTC).ok()?.timestamp());
    timestamp.or_else(of_day).map(Timestamp::as_second)
}

/// Writes a date as those of the library; one that cannot be read stays as it is.
fn date_of(text: &str) -> String {
    if let Ok(at) = text.parse::<Timestamp>() {
        return at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
    }
    let has_time = text.contains(':');
    match (text.parse::<DateTime>(), text.parse::<Date>()) {
        (Ok(at), _) if has_time => at.strftime("%Y-%m-%dT%H:%M:%S").to_string(),
        (_, Ok(day)) => day.to_string(),
        _ => text.chars().take(LONGEST_DATE).collect(),
    }
}

/// Reads `0.53 s` or `2 seconds`.
fn seconds_of(text: &str) -> Option<f64> {
    let (number, unit) = text.split_at(text.find(|letter: char| !matches!(letter, '0'..='9' | '.'))?);
    let is_seconds = matches!(unit.trim().to_ascii_lowercase().as_str(), "s" | "sec" | "seconds");
    number.parse().ok().filter(|_| is_seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_times_are_read_as_programs_write_them() {
        for (text, expect) in [
            ("2026-11-23T21:04:09.25Z", "2026-11-23T21:04:09Z"),
            ("2026-11-23 21:04:09", "2026-11-23T21:04:09"),
            ("2026-11-23", "2026-11-23"),
            ("last summer", "last summer"),
        ] {
            assert_eq!(date_of(text), expect);
            assert_eq!(seconds_since_1970(&date_of(text)).is_some(), expect.starts_with("20"), "{text}");
        }
        assert_eq!(date_of(&"x".repeat(99)).len(), LONGEST_DATE);
        for (text, expect) in
            [("0.53 s", Some(0.53)), ("2 seconds", Some(2.0)), ("soon", None), ("3 h", None), ("", None)]
        {
            assert_eq!(seconds_of(text), expect, "{text}");
        }
    }
}
