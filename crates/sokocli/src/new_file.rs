//! A file that a command makes: nothing is replaced unless that is asked for, and `-` is standard output.

use std::path::Path;

use anyhow::ensure;
use sokoio::{write_file, write_new_file};

use crate::inputs::sources::is_dash;
use crate::output;

/// Writes a file in one step, or standard output.
pub(crate) fn write_output(path: &Path, force: bool, bytes: &[u8]) -> anyhow::Result<()> {
    if is_dash(path) {
        output::forgive_broken_pipe(output::print_bytes(bytes))?;
    } else if force {
        write_file(path, bytes)?;
    } else {
        refuse_old(path, force)?;
        write_new_file(path, bytes)?;
    }
    Ok(())
}

/// Refuses to replace a file unless that is asked for.
pub(crate) fn refuse_old(path: &Path, force: bool) -> anyhow::Result<()> {
    let is_taken = !force && !is_dash(path) && path.exists();
    ensure!(!is_taken, "{} exists; choose another name for -o, or replace it with --force", path.display());
    Ok(())
}
