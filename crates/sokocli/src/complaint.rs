//! What goes to stderr about mistakes: one line each, with the place first.
//!
//! Stderr may be closed; that is no error. While progress is drawn on the terminal, lines go above it.

use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;

use anyhow::Error;
use indicatif::ProgressBar;
use parking_lot::Mutex;

use crate::board_picture::BoardPicture;
use crate::terminal::{Paint, Terminal};
use crate::wording::{count, harmless};

/// How many warnings of one kind are written; the others are counted.
const MAX_OF_A_KIND: usize = 20;
/// How many pictures a run draws.
const MAX_PICTURES: usize = 5;

/// The way to stderr, shared by all parts of a run: a clone writes to the same place and counts with the others.
#[derive(Clone, Debug)]
pub(crate) struct Complaints(Arc<SharedComplaints>);

#[derive(Debug)]
struct SharedComplaints {
    terminal: Terminal,
    state: Mutex<Said>,
}

#[derive(Debug, Default)]
struct Said {
    /// Kinds of warnings, and how many of each there were.
    kinds: Vec<(&'static str, usize)>,
    n_pictures: usize,
    /// The progress that is drawn at the moment.
    bar: Option<ProgressBar>,
}

impl Complaints {
    /// Makes the way to a stderr of this kind.
    pub(crate) fn new(terminal: Terminal) -> Self {
        Self(Arc::new(SharedComplaints { terminal, state: Mutex::default() }))
    }

    /// Returns what stderr is.
    pub(crate) fn terminal(&self) -> Terminal {
        self.0.terminal
    }

    /// Something that makes the exit code 1.
    pub(crate) fn error(&self, text: &str) {
        self.line(Paint::Wrong, "error: ", text);
    }

    /// A search that ended in a panic; what it had found before is kept.
    pub(crate) fn fault_of_search(&self, title: &str) {
        self.error(&format!("{title}: a search failed by a fault of this program; please report it"));
    }

    /// Something to know.
    pub(crate) fn warning(&self, text: &str) {
        self.line(Paint::Warning, "warning: ", text);
    }

    /// Something to know that may be true of very many things: after some of a kind the others are only counted.
    /// `kind` is what one of them is called, such as `wrong letter case`.
    pub(crate) fn warning_of_kind(&self, kind: &'static str, text: &str) {
        let mut state = self.0.state.lock();
        let at = state.kinds.iter().position(|(other, _)| *other == kind).unwrap_or_else(|| {
            state.kinds.push((kind, 0));
            state.kinds.len() - 1
        });
        state.kinds[at].1 += 1;
        let is_shown = state.kinds[at].1 <= MAX_OF_A_KIND;
        drop(state);
        if is_shown {
            self.warning(text);
        }
    }

    /// Something that happens.
    pub(crate) fn note(&self, text: &str) {
        self.line(Paint::Dim, "", text);
    }

    /// Draws a picture below the line before, unless there were many.
    pub(crate) fn picture(&self, picture: BoardPicture) {
        let mut state = self.0.state.lock();
        state.n_pictures += 1;
        let is_shown = state.n_pictures <= MAX_PICTURES;
        drop(state);
        if is_shown {
            let text = picture.small().draw(&self.0.terminal);
            let indented: Vec<_> = text.lines().map(|line| format!("    {line}")).collect();
            self.raw(&indented.join("\n"));
        }
    }

    /// Says how many warnings were not written, kind by kind.
    pub(crate) fn end(&self) {
        let kinds = std::mem::take(&mut self.0.state.lock().kinds);
        for (kind, n) in kinds {
            if let Some(n_more) = n.checked_sub(MAX_OF_A_KIND).filter(|&n_more| n_more > 0) {
                self.warning(&format!("... and {} ({kind})", count(n_more, "more warning")));
            }
        }
    }

    /// Sends lines above this progress from now on, or to where they went before.
    pub(crate) fn above(&self, bar: Option<ProgressBar>) {
        self.0.state.lock().bar = bar;
    }

    /// Writes a line that is painted already.
    pub(crate) fn raw(&self, text: &str) {
        let bar = self.0.state.lock().bar.clone();
        match bar {
            Some(bar) => bar.suspend(|| write_line(text)),
            None => write_line(text),
        }
    }

    fn line(&self, paint: Paint, kind: &str, text: &str) {
        self.raw(&format!("{}{}", self.0.terminal.paint(paint, kind), harmless(text)));
    }
}

fn write_line(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Writes an error with its causes in one line.
pub(crate) fn with_causes(error: impl Into<Error>) -> String {
    format!("{:#}", error.into())
}

/// Writes an error with its causes, as [`with_causes`] does.
pub(crate) fn causes_of(error: &(dyn std::error::Error + 'static)) -> String {
    anyhow::Chain::new(error).map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

/// A list of errors and warnings about one thing, kept for the table and JSON as well.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Diagnostics {
    errors: Vec<String>,
    warnings: Vec<Warning>,
}

/// Something odd, and what one of this kind is called.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Warning {
    kind: &'static str,
    text: String,
}

impl Diagnostics {
    /// Adds something wrong.
    pub(crate) fn error(&mut self, text: impl fmt::Display) {
        self.errors.push(text.to_string());
    }

    /// Adds something odd. For `kind` see [`Complaints::warning_of_kind`].
    pub(crate) fn warning(&mut self, kind: &'static str, text: impl fmt::Display) {
        self.warnings.push(Warning { kind, text: text.to_string() });
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
    pub(crate) fn warnings(&self) -> Vec<&str> {
        self.warnings.iter().map(|warning| &*warning.text).collect()
    }

    /// Writes all of them, each with the place first.
    pub(crate) fn complain(&self, place: &str, complaints: &Complaints) {
        self.errors.iter().for_each(|text| complaints.error(&format!("{place}: {text}")));
        for Warning { kind, text } in &self.warnings {
            complaints.warning_of_kind(kind, &format!("{place}: {text}"));
        }
    }
}
