//! A library where nothing can be written: on a full or read-only disk, or in a folder of another user.
//!
//! SQLite keeps two files beside a database with a write-ahead log, even for reading. Where these cannot be made, the
//! database can still be read as one that does not change while it is open.
//!
//! Invariant: that holds only without a log, since changes that are still in the log would be left out.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};

use crate::library_error::LibraryProblem;
use crate::schema;

/// Returns whether all changes are in the file itself.
pub(crate) fn is_whole_without_journal(path: &Path) -> bool {
    let mut log = path.as_os_str().to_os_string();
    log.push("-wal");
    PathBuf::from(log).metadata().map_or(true, |log| log.len() == 0)
}

/// Opens a database to be read.
pub(crate) fn open(path: &Path) -> Result<Connection, LibraryProblem> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(uri(path), flags)?;
    schema::version(&connection)?;
    Ok(connection)
}

/// Names a file as a URI, with every byte that could mean something to SQLite as two digits.
fn uri(path: &Path) -> String {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let bytes = path.as_os_str().as_encoded_bytes();
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte);
    let mut uri = String::from("file:///");
    for &byte in bytes.strip_prefix(b"/").unwrap_or(bytes) {
        match byte {
            b'\\' if cfg!(windows) => uri.push('/'),
            byte if is_plain(byte) => uri.push(char::from(byte)),
            byte => uri.push_str(&format!("%{byte:02x}")),
        }
    }
    uri + "?immutable=1"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Library;

    #[test]
    fn names_of_any_letters_are_read() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["plain.sqlite", "a b?c=%41#d.sqlite", "箱 'x'.sqlite"] {
            let path = folder.path().join(name);
            drop(Library::create_or_open(&path).unwrap());
            assert!(is_whole_without_journal(&path));
            let connection = open(&path).unwrap();
            assert!(connection.execute_batch("DELETE FROM level").is_err(), "{name}");
        }
    }
}
