//! What a command needs to know about the streams that it writes to, looked up once and passed to all its parts.

use crate::args::Args;
use crate::complaint::Complaints;
use crate::terminal::Terminal;

/// The two streams and how much is said.
#[derive(Clone, Debug)]
pub(crate) struct Console {
    /// What stdout is.
    pub(crate) stdout: Terminal,
    /// The way to stderr.
    pub(crate) complaints: Complaints,
    /// How often `-v` was given.
    pub(crate) verbose: u8,
}

impl Console {
    /// Looks where the streams go.
    pub(crate) fn of(args: &Args) -> Self {
        Self {
            stdout: Terminal::stdout(args.color),
            complaints: Complaints::new(Terminal::stderr(args.color)),
            verbose: args.verbose,
        }
    }
}
