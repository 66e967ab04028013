//! What goes to stderr about mistakes: one line each, with the place first.
//!
//! Stderr may be closed; then nobody listens, and that is no fault of ours.

use std::fmt;
use std::io::{self, Write};

use anyhow::Error;

/// Something that makes the exit code 1.
pub(crate) fn error(text: &str) {
    line("error: ", text);
}

/// Something to know.
pub(crate) fn warning(text: &str) {
    line("warning: ", text);
}

/// Something that happens.
pub(crate) fn note(text: &str) {
    line("", text);
}

fn line(kind: &str, text: &str) {
    let _ = writeln!(io::stderr().lock(), "{kind}{text}");
}

/// Writes an error with its causes in one line.
pub(crate) fn with_causes(error: impl Into<Error>) -> String {
    format!("{:#}", error.into())
}

/// A list of errors and warnings about one thing, kept for the table and JSON as well.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Remarks {
    errors: Vec<String>,
    warnings: Vec<String>,
}

impl Remarks {
    /// Adds something wrong.
    pub(crate) fn error(&mut self, text: impl fmt::Display) {
        self.errors.push(text.to_string());
    }

    /// Adds something odd.
    pub(crate) fn warning(&mut self, text: impl fmt::Display) {
        self.warnings.push(text.to_string());
    }

    /// Returns whether nothing is wrong.
    pub(crate) const fn is_fine(&self) -> bool {
        self.errors.is_empty()
    }

    /// Returns what is wrong.
    pub(crate) fn errors(&self) -> &[String] {
        &self.errors
    }

    /// Returns what is odd.
    pub(crate) fn warnings(&self) -> &[String] {
        &self.warnings
    }
}
