//! Exit codes; the help texts of [`crate::args`] explain them.

use std::fmt;
use std::process::ExitCode;

/// How the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Everything was done.
    Done,
    /// Something was wrong, and said.
    Error,
    /// The command line asks for something impossible.
    Usage,
    /// Ctrl-C; what was found is saved.
    Interrupted,
}

impl Exit {
    /// Returns the number.
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Error => 1,
            Self::Usage => 2,
            Self::Interrupted => 130,
        }
    }

    /// Returns the exit for an error that ended a command.
    pub(crate) fn of(error: &anyhow::Error) -> Self {
        if error.is::<UsageError>() { Self::Usage } else { Self::Error }
    }

    /// Returns [`Exit::Error`] if something was wrong.
    pub(crate) const fn of_faults(n_faults: usize) -> Self {
        if n_faults == 0 { Self::Done } else { Self::Error }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// A fault of the command line that shows only when the files are read.
#[derive(Debug)]
pub(crate) struct UsageError(pub(crate) String);

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UsageError {}
