//! Values of options that are no types of their own.

use std::num::NonZeroUsize;

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use sokomethods::Technique;

/// The heading of options that most users need not see.
pub(crate) const EXPERT: &str = "For experts";
/// The most threads that can be asked for.
const MAX_THREADS: usize = 256;

/// What an option does with techniques.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Switch {
    /// Turns on what is off.
    On,
    /// Turns off what is on.
    Off,
}

/// All techniques of the optimizer, which `--with` and `--without` take. Help shows those that the option changes.
pub(crate) fn techniques(switch: Switch) -> impl TypedValueParser<Value = Technique> {
    let names = Technique::ALL.map(|technique| {
        let changes = technique.is_on_by_default() == (switch == Switch::Off);
        PossibleValue::new(technique.name()).help(technique.about()).hide(!changes)
    });
    PossibleValuesParser::new(names).try_map(|name| name.parse())
}

/// Reads a number of threads or jobs.
pub(crate) fn n_threads(text: &str) -> Result<NonZeroUsize, String> {
    let number = text.trim().parse::<NonZeroUsize>().ok().filter(|number| number.get() <= MAX_THREADS);
    number.ok_or_else(|| format!("'{text}' is no number from 1 to {MAX_THREADS}"))
}

/// Reads how many squares a displaced box may take.
pub(crate) fn vicinity_limit(text: &str) -> Result<usize, String> {
    let limit = text.trim().parse().ok().filter(|limit| (1..=999).contains(limit));
    limit.ok_or_else(|| format!("'{text}' is not a number from 1 to 999"))
}

/// Reads a square: column and row in the picture, from 1.
pub(crate) fn square(text: &str) -> Result<(usize, usize), String> {
    let number = |text: &str| text.trim().parse::<usize>().ok().filter(|&number| number > 0);
    let square = text.split_once(',').and_then(|(column, row)| number(column).zip(number(row)));
    square.ok_or_else(|| format!("'{text}' is no square; write its column and row, from 1, such as 4,7"))
}

/// Returns the name of a value as it is typed.
pub(crate) fn typed_name(value: &impl ValueEnum) -> String {
    value.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_column_and_row() {
        assert_eq!(square("4,7"), Ok((4, 7)));
        for text in ["4", "0,3", "3,0", "a,b", "1,2,3", ""] {
            assert!(square(text).is_err(), "{text}");
        }
    }
}
