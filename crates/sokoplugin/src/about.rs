//! Name and version, and where the settings are.

use crate::settings_file;

/// Returns the name of the plug-in, such as `Soko 0.1.0 (64-bit)`.
pub(crate) fn name() -> String {
    format!("Soko {} ({}-bit)", env!("CARGO_PKG_VERSION"), usize::BITS)
}

/// Returns what `ShowAbout` shows below the name.
pub(crate) fn about() -> String {
    let settings = settings_file::path().map_or_else(|| "the defaults".to_owned(), |path| path.display().to_string());
    format!(
        "Solves Sokoban levels and makes solutions shorter.\nFree software: MIT or Apache 2.0.\nSettings: {settings}"
    )
}
