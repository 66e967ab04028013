//! What goes wrong, as exceptions of Python.

use std::error::Error;
use std::io;
use std::path::Path;

use pyo3::exceptions::{PyFileExistsError, PyIsADirectoryError, PyOSError};
use pyo3::{PyErr, import_exception};
use sokoio::{ReadCollectionError, WriteFileError};

import_exception!(soko._errors, Interrupted);
import_exception!(soko._errors, LevelError);
import_exception!(soko._errors, MovesError);

/// Returns the message of an error, followed by those of its causes.
pub(crate) fn message(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}

/// A board that cannot be played.
pub(crate) fn level_error(error: &dyn Error) -> PyErr {
    LevelError::new_err(message(error))
}

/// Moves that cannot be read or made, or that do not solve their level.
pub(crate) fn moves_error(error: &dyn Error) -> PyErr {
    MovesError::new_err(message(error))
}

/// A file that cannot be read, or has no levels.
pub(crate) fn read_error(error: &ReadCollectionError) -> PyErr {
    match error {
        ReadCollectionError::Io { path, source } => os_error(path, source, error),
        ReadCollectionError::Directory { .. } => PyIsADirectoryError::new_err(message(error)),
        _ => level_error(error),
    }
}

/// A file that cannot be written.
pub(crate) fn write_error(error: &WriteFileError) -> PyErr {
    match error {
        WriteFileError::Create { path, source }
        | WriteFileError::Replace { path, source }
        | WriteFileError::Write { path, source } => os_error(path, source, error),
        WriteFileError::Exists { path } => {
            let path = path.display();
            PyFileExistsError::new_err(format!("{path} exists already; pass overwrite=True to replace it"))
        }
        _ => PyOSError::new_err(message(error)),
    }
}

/// Python chooses the class by the number or the kind of the error, such as `FileNotFoundError`.
fn os_error(path: &Path, source: &io::Error, error: &dyn Error) -> PyErr {
    match source.raw_os_error() {
        Some(number) => PyOSError::new_err((number, error.to_string(), path.display().to_string())),
        None => io::Error::new(source.kind(), message(error)).into(),
    }
}
