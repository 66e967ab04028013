//! Where the library is.

use std::env;
use std::path::PathBuf;

use directories::ProjectDirs;
use sokolibrary::Library;

use crate::args::{LibraryPlace, LibraryUse};
use crate::exit::UsageError;

/// The variable that names a library; empty for none.
const VARIABLE: &str = "SOKO_LIBRARY";
/// Its name in the data folder.
const FILE: &str = "library.sqlite";

impl LibraryPlace {
    /// Returns the file that was asked for, by option or variable, or else the one in the data folder.
    pub(crate) fn path(&self) -> Result<PathBuf, UsageError> {
        let asked = self.library.clone().or_else(|| of_variable().flatten());
        asked.or_else(default_path).ok_or_else(|| {
            UsageError(format!("this system has no data folder; name the library by --library FILE or {VARIABLE}"))
        })
    }

    /// Returns the file that was asked for, or the one in the data folder if it is there.
    pub(crate) fn path_in_use(&self) -> Option<PathBuf> {
        let is_there = || default_path().filter(|path| path.exists());
        self.library.clone().or_else(|| of_variable().unwrap_or_else(is_there))
    }

    /// Opens the library.
    pub(crate) fn open(&self) -> anyhow::Result<Library> {
        Ok(Library::open(&self.path()?)?)
    }
}

impl LibraryUse {
    /// Returns the library that a run uses: the one that is asked for, or the one in the data folder if it is there.
    pub(crate) fn path(&self) -> Option<PathBuf> {
        if self.no_library { None } else { self.place.path_in_use() }
    }
}

/// What the variable says: `None` if it is not set, `Some(None)` if it asks for no library.
fn of_variable() -> Option<Option<PathBuf>> {
    env::var_os(VARIABLE).map(|path| if path.is_empty() { None } else { Some(path.into()) })
}

fn default_path() -> Option<PathBuf> {
    ProjectDirs::from("", "", "soko").map(|folders| folders.data_dir().join(FILE))
}
