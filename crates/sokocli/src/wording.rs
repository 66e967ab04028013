//! Words and figures as people read them. What programs read has plain digits.

use std::time::Duration;

use sokocore::Metric;

/// Writes `1 level`, `2 levels`, `1,204 pushes`, `3 boxes`.
pub(crate) fn count(n: impl TryInto<u64>, noun: &str) -> String {
    let n = n.try_into().unwrap_or(u64::MAX);
    format!("{} {}", thousands(n), if n == 1 { noun.to_owned() } else { plural(noun) })
}

/// Returns the plural of a regular noun, of which the last word counts.
fn plural(noun: &str) -> String {
    let hisses = ["s", "x", "z", "ch", "sh"].iter().any(|end| noun.ends_with(end));
    let before_y = noun.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'i', 'o', 'u']));
    match before_y {
        Some(stem) => format!("{stem}ies"),
        None if hisses => format!("{noun}es"),
        None => format!("{noun}s"),
    }
}

/// Returns the verb that goes with so many: `there is 1 level`, `there are 3 levels`.
pub(crate) fn is_are(n: impl TryInto<u64>) -> &'static str {
    if matches!(n.try_into(), Ok(1)) { "is" } else { "are" }
}

/// Writes a number with a comma before every three digits: `4,012`.
pub(crate) fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns what one of a metric is called.
pub(crate) const fn noun(metric: Metric) -> &'static str {
    match metric {
        Metric::Moves => "move",
        Metric::Pushes => "push",
        Metric::BoxLines => "box line",
        Metric::BoxChanges => "box change",
        Metric::PushingSessions => "session",
        Metric::PlayerLines => "player line",
        Metric::MostPushes => "walking step",
    }
}

/// Names a level: `level 3 "Storehouse"`. A title that is just its number is not repeated.
pub(crate) fn level_name(number: usize, title: Option<&str>) -> String {
    let title = title.filter(|title| title.trim() != number.to_string());
    format!("level {number}{}", title.map(|title| format!(" \"{title}\"")).unwrap_or_default())
}

/// Begins it with a capital letter.
pub(crate) fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Writes a time with the digits that matter: `0.14 s`, `12.3 s`, `1 min 05 s`, `5 h 40 min`, `2 d 03 h`.
pub(crate) fn duration(time: Duration) -> String {
    let (hundredths, tenths) = (time.as_millis().saturating_add(5) / 10, time.as_millis().saturating_add(50) / 100);
    match time.as_secs() {
        _ if hundredths < 1_000 => format!("{}.{:02} s", hundredths / 100, hundredths % 100),
        _ if tenths < 600 => format!("{}.{} s", tenths / 10, tenths % 10),
        secs if secs < 3_600 => {
            let secs = secs.max(60);
            format!("{} min {:02} s", secs / 60, secs % 60)
        }
        secs if secs < 48 * 3_600 => format!("{} h {:02} min", secs / 3_600, secs / 60 % 60),
        secs => format!("{} d {:02} h", thousands(secs / 86_400), secs / 3_600 % 24),
    }
}

/// Replaces what could upset a terminal, or make a line read otherwise than it is written: titles and paths come from
/// files.
pub(crate) fn harmless(text: &str) -> String {
    if text.contains(is_harmful) { text.replace(is_harmful, "?") } else { text.to_owned() }
}

/// Returns whether a letter is a control character, a mark of the direction of writing, or an end of a line.
fn is_harmful(letter: char) -> bool {
    let is_mark =
        matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    letter.is_control() || is_mark
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_named_once() {
        let names = [None, Some("Storehouse"), Some("3"), Some(" 3 "), Some("33")].map(|title| level_name(3, title));
        assert_eq!(names, ["level 3", "level 3 \"Storehouse\"", "level 3", "level 3", "level 3 \"33\""]);
    }

    #[test]
    fn plurals() {
        let two = |noun: &str| count(2_u64, noun);
        let plurals = ["goal", "box", "push", "match", "other game", "pass", "try", "day"].map(two);
        let expect = ["2 goals", "2 boxes", "2 pushes", "2 matches", "2 other games", "2 passes", "2 tries", "2 days"];
        assert_eq!(plurals, expect);
        assert_eq!(count(1_usize, "box"), "1 box");
        assert_eq!(count(0_usize, "box"), "0 boxes");
        assert_eq!((is_are(1_usize), is_are(0_usize), is_are(3_usize)), ("is", "are", "are"));
    }

    #[test]
    fn thousands_are_set_apart() {
        let texts = [0, 7, 999, 1_000, 65_536, 1_234_567, u64::MAX].map(thousands);
        let expect = ["0", "7", "999", "1,000", "65,536", "1,234,567", "18,446,744,073,709,551,615"];
        assert_eq!(texts, expect);
        assert_eq!(count(4_012_u64, "level"), "4,012 levels");
    }

    #[test]
    fn durations_have_the_digits_that_matter() {
        for (millis, expect) in [
            (0, "0.00 s"),
            (144, "0.14 s"),
            (9_994, "9.99 s"),
            (9_999, "10.0 s"),
            (12_345, "12.3 s"),
            (59_900, "59.9 s"),
            (59_990, "1 min 00 s"),
            (65_400, "1 min 05 s"),
            (3_599_999, "59 min 59 s"),
            (20_400_000, "5 h 40 min"),
            (183_600_000, "2 d 03 h"),
        ] {
            assert_eq!(duration(Duration::from_millis(millis)), expect, "{millis}");
        }
        assert!(duration(Duration::MAX).ends_with(" h"));
    }

    #[test]
    fn escape_sequences_are_taken_out() {
        assert_eq!(harmless("a\u{1b}[31mb\tc"), "a?[31mb?c");
        assert_eq!(harmless("häuser 箱"), "häuser 箱");
        assert_eq!(harmless("txt.\u{202e}kos\u{2069}\u{2028}"), "txt.?kos??");
    }
}
