//! A number with its noun, `1 goal` or `2 goals`, for error messages.

use std::fmt;

/// How many, what one is called, what several are called.
pub(crate) struct Counted(pub(crate) usize, pub(crate) &'static str, pub(crate) &'static str);

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.0, if self.0 == 1 { self.1 } else { self.2 })
    }
}

#[cfg(test)]
mod tests {
    use crate::{Level, replay};

    #[test]
    fn one_is_not_several() {
        let error = Level::parse("######\n#@$$.#\n######").unwrap_err();
        assert!(error.to_string().contains("2 boxes but only 1 goal;"), "{error}");
        let level = Level::parse("######\n#@$ .#\n######").unwrap();
        let error = replay(&level, &"R".parse().unwrap()).unwrap_err();
        assert!(error.to_string().contains("end with 1 box off goal"), "{error}");
    }
}
