//! The way to stdout. A reader that went away is not an error: the work is done all the same.

use std::io::{self, Write};

/// Writes text at once.
pub(crate) fn print(text: &str) -> io::Result<()> {
    print_bytes(text.as_bytes())
}

/// Writes bytes at once.
pub(crate) fn print_bytes(bytes: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    let explained = |error: io::Error| {
        let advice = "see whether there is room where it goes";
        io::Error::new(error.kind(), format!("cannot write to standard output; {advice}: {error}"))
    };
    stdout.write_all(bytes).and_then(|()| stdout.flush()).map_err(explained)
}

/// Writes a line at once.
pub(crate) fn print_line(text: &str) -> io::Result<()> {
    print(&format!("{text}\n"))
}

/// Returns whether the reader of our output went away.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// Forgives a reader who went away.
pub(crate) fn forgive_broken_pipe(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}
