//! Words and figures as people read them.

use std::time::Duration;

/// Writes `1 level`, `2 levels`.
pub(crate) fn count(n: impl TryInto<u64>, noun: &str) -> String {
    let n = n.try_into().unwrap_or(u64::MAX);
    let plural = match noun {
        _ if n == 1 => "",
        noun if noun.ends_with("sh") => "es",
        _ => "s",
    };
    format!("{n} {noun}{plural}")
}

/// Begins it with a capital letter.
pub(crate) fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Writes seconds with two digits after the point.
pub(crate) fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}
