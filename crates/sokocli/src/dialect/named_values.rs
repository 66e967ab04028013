//! Arguments as other programs have them: `-name value`, names in any case, and bare words.

use std::ffi::{OsStr, OsString};

use crate::exit::UsageError;

/// The arguments of a run.
#[derive(Debug, Default)]
pub(crate) struct NamedValues {
    bare: Vec<OsString>,
    /// Names in lower case, each with its first value.
    named: Vec<(String, Option<OsString>)>,
}

impl NamedValues {
    /// Takes arguments apart: each name takes the value after it. A dash before a digit begins a number, and no name.
    pub(crate) fn of(arguments: &[OsString]) -> Self {
        let mut values = Self::default();
        let mut is_value_due = false;
        for argument in arguments {
            if let Some(name) = name_of(argument) {
                values.named.push((name, None));
                is_value_due = true;
            } else if let Some((_, value)) = values.named.last_mut().filter(|_| is_value_due) {
                *value = Some(argument.clone());
                is_value_due = false;
            } else {
                values.bare.push(argument.clone());
            }
        }
        values
    }

    /// Returns the words without a name.
    pub(crate) fn bare(&self) -> &[OsString] {
        &self.bare
    }

    /// Returns the last value of a name, in lower case; none if it is missing or has no value.
    pub(crate) fn text(&self, name: &str) -> Option<&OsStr> {
        self.named.iter().rev().find(|(named, _)| named == name)?.1.as_deref()
    }

    /// Returns the number that a name has; 0, which stands for the default, if it is missing.
    ///
    /// # Errors
    /// The value is no number.
    pub(crate) fn number(&self, name: &str) -> Result<u64, UsageError> {
        let Some(value) = self.text(name) else { return Ok(0) };
        let number = value.to_str().and_then(|value| value.parse().ok());
        number.ok_or_else(|| UsageError(format!("-{name} '{}' is not a number", value.display())))
    }

    /// Returns the names that are not among these.
    pub(crate) fn unknown(&self, known: &[&str]) -> Vec<&str> {
        self.named.iter().map(|(name, _)| &**name).filter(|name| !known.contains(name)).collect()
    }
}

/// The name of an argument, in lower case; `None` if it is none.
fn name_of(argument: &OsStr) -> Option<String> {
    let name = argument.to_str()?.strip_prefix('-')?.trim_start_matches('-');
    name.starts_with(|letter: char| letter.is_ascii_alphabetic()).then(|| name.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(line: &str) -> NamedValues {
        NamedValues::of(&line.split(' ').map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn names_take_one_value_in_any_case() {
        let values = values("a.sok -TASK optimize -Cpus 2 b.sok -x -time 0");
        assert_eq!(values.bare(), ["a.sok", "b.sok"]);
        assert_eq!(values.text("task"), Some(OsStr::new("optimize")));
        assert_eq!((values.number("cpus").unwrap(), values.number("time").unwrap()), (2, 0));
        assert_eq!((values.text("x"), values.number("missing").unwrap()), (None, 0));
        assert_eq!(values.unknown(&["task", "cpus", "time"]), ["x"]);
    }

    #[test]
    fn what_is_no_number_is_said() {
        let values = values("-cpus two -time -5");
        assert_eq!(values.number("cpus").unwrap_err().to_string(), "-cpus 'two' is not a number");
        assert_eq!(values.number("time").unwrap_err().to_string(), "-time '-5' is not a number");
    }
}
