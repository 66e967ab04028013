//! `Configure`: opens the settings file in the user's editor, after making it if there is none.

use std::env;
use std::io;
use std::path::PathBuf;

use crate::settings_file;

/// The program that opens the file, instead of the one that the system has for it.
const EDITOR: &str = "SOKO_PLUGIN_EDITOR";

/// Opens the settings file, and returns at once.
///
/// # Errors
/// The file cannot be made, or there is no program that opens it.
pub(crate) fn run() -> io::Result<PathBuf> {
    let path = settings_file::make()?;
    match env::var_os(EDITOR) {
        Some(editor) => open::with_detached(&path, editor.to_string_lossy())?,
        None => open::that_detached(&path)?,
    }
    Ok(path)
}
