//! One cell: what it shows, what it means, and what programs read in its place.

use std::borrow::Cow;
use std::time::Duration;

use super::fit::columns_of;
use crate::terminal::{Paint, Terminal};
use crate::wording::{duration, harmless};

/// A cell of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TableCell {
    shown: String,
    /// What CSV has, if not the same.
    raw: Option<String>,
    paint: Option<Paint>,
}

impl TableCell {
    /// Nothing.
    pub(crate) const fn empty() -> Self {
        Self { shown: String::new(), raw: None, paint: None }
    }

    /// Words.
    pub(crate) fn text(text: impl AsRef<str>) -> Self {
        let (text, shown) = (text.as_ref(), harmless(text.as_ref()));
        Self { raw: (shown != text).then(|| text.to_owned()), shown, paint: None }
    }

    /// A number.
    pub(crate) fn number(number: impl std::fmt::Display) -> Self {
        Self { shown: number.to_string(), ..Self::empty() }
    }

    /// A number that is not known in every row: `-`, and nothing in CSV.
    pub(crate) fn number_or_dash(number: Option<impl std::fmt::Display>) -> Self {
        number.map_or_else(
            || Self { shown: "-".to_owned(), raw: Some(String::new()), paint: Some(Paint::Dim) },
            Self::number,
        )
    }

    /// A percentage: for people with a decimal and its sign, in CSV with three decimals; nothing if it is not known.
    pub(crate) fn percent(percent: Option<f64>) -> Self {
        percent.map_or_else(Self::empty, |percent| {
            Self::number(format!("{percent:.1} %")).with_raw(format!("{percent:.3}"))
        })
    }

    /// A time: for people with its unit, in CSV in seconds.
    pub(crate) fn time(time: Duration) -> Self {
        Self { shown: duration(time), raw: Some(format!("{:.3}", time.as_secs_f64())), paint: None }
    }

    /// The same as in the row before: blank, but repeated in CSV.
    pub(crate) fn repeated(self) -> Self {
        Self { shown: String::new(), raw: Some(self.raw.unwrap_or(self.shown)), paint: None }
    }

    /// Something else in CSV.
    pub(crate) fn with_raw(self, raw: impl std::fmt::Display) -> Self {
        Self { raw: Some(raw.to_string()), ..self }
    }

    /// Improved, solved, right.
    pub(crate) fn good(self) -> Self {
        self.painted_as(Paint::Good)
    }

    /// Proved.
    pub(crate) fn proved(self) -> Self {
        self.painted_as(Paint::Proved)
    }

    /// Wrong.
    pub(crate) fn wrong(self) -> Self {
        self.painted_as(Paint::Wrong)
    }

    /// Odd.
    pub(crate) fn warning(self) -> Self {
        self.painted_as(Paint::Warning)
    }

    /// Of little weight.
    pub(crate) fn dim(self) -> Self {
        self.painted_as(Paint::Dim)
    }

    /// Nothing for people: programs alone read it.
    pub(crate) fn unshown(self) -> Self {
        Self { raw: Some(self.raw.unwrap_or(self.shown)), shown: String::new(), paint: None }
    }

    fn painted_as(self, paint: Paint) -> Self {
        Self { paint: Some(paint), ..self }
    }

    pub(super) fn text_shown(&self) -> &str {
        &self.shown
    }

    pub(super) fn raw(&self) -> &str {
        self.raw.as_deref().unwrap_or(&self.shown)
    }

    pub(super) fn width(&self) -> usize {
        columns_of(&self.shown)
    }

    pub(super) fn painted<'a>(&self, part: &'a str, terminal: &Terminal) -> Cow<'a, str> {
        match self.paint {
            Some(paint) if terminal.has_color() => Cow::Owned(terminal.paint(paint, part)),
            _ => Cow::Borrowed(part),
        }
    }
}
