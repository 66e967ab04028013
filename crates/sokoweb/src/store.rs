//! The library of a server: one connection for the pages, used on threads that may block.
//!
//! Runs have a connection of their own, so that a page never waits for a search.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;
use sokolibrary::{Library, LibraryError};

use crate::problem::Problem;

/// The library as the routes see it.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    path: PathBuf,
    library: Arc<Mutex<Library>>,
}

impl Store {
    /// Opens a library; makes one if there is none.
    pub(crate) fn open(path: &Path) -> Result<Self, LibraryError> {
        let library = Arc::new(Mutex::new(Library::create_or_open(path)?));
        Ok(Self { path: path.to_owned(), library })
    }

    /// Returns the file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Runs something that reads or changes the library.
    pub(crate) async fn with<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Library) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let library = Arc::clone(&self.library);
        blocking(move || work(&mut library.lock())).await
    }
}

/// Runs something that takes longer than a request may hold up others. Its panic ends the request alone.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|error| Err(Problem::fault(format!("a fault of Soko ended this request ({error})"))))
}
