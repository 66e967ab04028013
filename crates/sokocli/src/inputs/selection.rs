//! Which levels were asked for: by number, by title, by identity.

use std::fmt;
use std::str::FromStr;

use sokoio::LevelId;

use super::InputLevel;
use crate::exit::UsageError;
use crate::level_ranges::LevelRanges;
use crate::wording::{count, is_are};

/// The fewest digits of an identity that name a level.
const MIN_DIGITS: usize = 6;

/// What `--levels`, `--title` and `--id` say; a level is chosen if one of them names it, or all if none is given.
#[derive(Clone, Debug, Default)]
pub(crate) struct LevelSelection {
    pub(crate) numbers: Option<LevelRanges>,
    pub(crate) titles: Vec<TitlePattern>,
    pub(crate) ids: Vec<IdPrefix>,
}

/// A title, or a part of one with `*` and `?`; case does not matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TitlePattern(Vec<char>);

/// The first digits of an identity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct IdPrefix(String);

impl LevelSelection {
    /// Returns whether this level was asked for.
    pub(crate) fn contains(&self, at: &InputLevel<'_>) -> bool {
        let is_all = self.numbers.is_none() && self.titles.is_empty() && self.ids.is_empty();
        is_all
            || self.numbers.as_ref().is_some_and(|numbers| numbers.contains(at.number))
            || self.titles.iter().any(|pattern| at.entry.title().is_some_and(|title| pattern.matches(title)))
            || (!self.ids.is_empty()
                && at.entry.level().is_ok_and(|level| {
                    let id = LevelId::of(level).to_string();
                    self.ids.iter().any(|prefix| id.starts_with(&prefix.0))
                }))
    }

    /// Looks whether everything that was asked for is there.
    pub(crate) fn check<'a>(&self, levels: impl Iterator<Item = InputLevel<'a>> + Clone) -> Result<(), UsageError> {
        let n_levels = levels.clone().count();
        if let Some(number) = self.numbers.as_ref().and_then(|numbers| numbers.missing_in(n_levels)) {
            let (is_are, found) = (is_are(n_levels), count(n_levels, "level"));
            let text = format!("--levels asks for level {number}, but there {is_are} only {found} in the input");
            return Err(UsageError(text));
        }
        let one = |titles: &[TitlePattern], ids: &[IdPrefix]| {
            let only = Self { numbers: None, titles: titles.to_vec(), ids: ids.to_vec() };
            levels.clone().any(|at| only.contains(&at))
        };
        for pattern in &self.titles {
            if !one(std::slice::from_ref(pattern), &[]) {
                return Err(UsageError(format!(
                    "--title: no level of the input is called '{pattern}'; * stands for any text"
                )));
            }
        }
        for id in &self.ids {
            if !one(&[], std::slice::from_ref(id)) {
                return Err(UsageError(format!("--id: no level of the input has an identity that begins with {id}")));
            }
        }
        Ok(())
    }
}

impl TitlePattern {
    /// Compares in time proportional to the product of the lengths.
    fn matches(&self, title: &str) -> bool {
        // `reached[n]` says whether the first n letters of the title match the pattern read so far.
        let title: Vec<char> = title.to_lowercase().chars().collect();
        let mut reached = vec![false; title.len() + 1];
        reached[0] = true;
        for &letter in &self.0 {
            if letter == '*' {
                let first = reached.iter().position(|&is_reached| is_reached).unwrap_or(reached.len());
                reached[first..].fill(true);
            } else {
                for at in (0..title.len()).rev() {
                    reached[at + 1] = reached[at] && (letter == '?' || letter == title[at]);
                }
                reached[0] = false;
            }
        }
        reached[title.len()]
    }
}

impl fmt::Display for TitlePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|letter| write!(f, "{letter}"))
    }
}

impl fmt::Display for IdPrefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for TitlePattern {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.trim().is_empty() {
            return Err("an empty title names no level".to_owned());
        }
        Ok(Self(text.trim().to_lowercase().chars().collect()))
    }
}

impl FromStr for IdPrefix {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim().to_ascii_lowercase();
        let is_id = (MIN_DIGITS..=32).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_id {
            let digits = "hexadecimal digits, as `soko info` shows them";
            return Err(format!("'{text}' is no identity; write its first {MIN_DIGITS} to 32 {digits}"));
        }
        Ok(Self(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_match_with_stars_and_any_case() {
        let check = |pattern: &str, title: &str| pattern.parse::<TitlePattern>().unwrap().matches(title);
        for (pattern, title) in [
            ("two doors", "Two Doors"),
            ("two*", "Two doors"),
            ("*7", "Sasquatch 17"),
            ("?wo*s", "Two doors"),
            ("*", ""),
        ] {
            assert!(check(pattern, title), "{pattern} {title}");
        }
        for (pattern, title) in [("two", "Two doors"), ("two?", "Two"), ("*7", "Sasquatch 71"), ("?", "")] {
            assert!(!check(pattern, title), "{pattern} {title}");
        }
        assert!(
            check(&"a*".repeat(50), &"a".repeat(200)) && !check(&format!("{}b", "a*".repeat(50)), &"a".repeat(200))
        );
    }

    #[test]
    fn identities_have_digits_enough() {
        assert!("fee115".parse::<IdPrefix>().is_ok() && "FEE115".parse::<IdPrefix>().is_ok());
        for text in ["", "fee11", "xyzxyz", &"0".repeat(33)] {
            assert!(text.parse::<IdPrefix>().is_err(), "{text}");
        }
    }
}
