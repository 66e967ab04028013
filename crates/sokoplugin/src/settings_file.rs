//! The settings file: beside the library, with its name and the ending `.toml`.

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::PathBuf;

use crate::host::library_path::library_path;
use crate::result_code::{CallEnd, ResultCode};
use crate::settings::Settings;

/// What a new file says: all names, with their defaults.
pub(crate) const TEMPLATE: &str = include_str!("settings_file/template.toml");

/// Returns the path of the file. `None` if the system does not say where the library is.
pub(crate) fn path() -> Option<PathBuf> {
    library_path().map(|library| library.with_extension("toml"))
}

/// Reads the settings; the defaults if there is no file.
pub(crate) fn read() -> Result<Settings, CallEnd> {
    let Some(path) = path() else { return Ok(Settings::default()) };
    let wrong = |reason: String| ResultCode::InvalidSettings.because(format!("{}: {reason}", path.display()));
    match fs::read_to_string(&path) {
        Ok(text) => Settings::parse(&text).map_err(|error| wrong(error.to_string())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Settings::default()),
        Err(error) => Err(wrong(error.to_string())),
    }
}

/// Makes the file with all defaults, if there is none, and returns its path.
pub(crate) fn make() -> io::Result<PathBuf> {
    let unknown = || io::Error::new(ErrorKind::NotFound, "the system does not say where the library is");
    let path = path().ok_or_else(unknown)?;
    match OpenOptions::new().write(true).create_new(true).open(&path) {
        Ok(mut file) => file.write_all(TEMPLATE.as_bytes())?,
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        Err(error) => return Err(error),
    }
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_file_has_the_defaults() {
        assert_eq!(Settings::parse(TEMPLATE).unwrap(), Settings::default());
        let names = ["threads", "memory-mib", "time-seconds", "objective", "optimal", "player-end"];
        for name in names {
            assert!(TEMPLATE.lines().any(|line| line.starts_with(&format!("{name} = "))), "{name}");
        }
    }

    #[test]
    fn the_file_is_beside_the_library() {
        let path = path().unwrap();
        assert_eq!(path.extension().unwrap(), "toml");
        assert!(path.parent().unwrap().is_dir(), "{}", path.display());
    }
}
