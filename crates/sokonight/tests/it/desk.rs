//! A folder with a library.

use std::path::PathBuf;

use parking_lot::Mutex;
use sokoio::Collection;
use sokolibrary::{Library, NewCollection, Origin};
use sokonight::{LibraryQueue, NightEvent, NightKnobs, NightLevel};
use tempfile::TempDir;

/// Two boxes, two goals.
pub(crate) const BOARD: &str = "######\n##   #\n#@$ $#\n#.  .#\n######\n";

/// A level that takes far longer than any test, with a poor solution.
pub(crate) fn hard_level() -> String {
    let (level, moves) = sokocore::hard_level();
    format!("Hard\n\n{}\n\nSolution\n{moves}\n", level.grid())
}

/// A folder with a library.
pub(crate) struct Desk {
    _folder: TempDir,
    path: PathBuf,
}

impl Desk {
    /// Makes a library with one collection, `small`.
    pub(crate) fn with(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let desk = Self { path: folder.path().join("library.sqlite"), _folder: folder };
        let collection = Collection::parse(text.as_bytes());
        let mut library = Library::create_or_open(&desk.path).unwrap();
        library.write(|changes| changes.add_collection(&NewCollection::new("small", &collection))).unwrap();
        desk
    }

    pub(crate) fn library(&self) -> Library {
        Library::open(&self.path).unwrap()
    }

    pub(crate) fn queue(&self) -> LibraryQueue {
        LibraryQueue::at(&self.path, Origin::of_run("a test")).unwrap()
    }

    pub(crate) fn levels(&self, knobs: &NightKnobs) -> Vec<NightLevel> {
        NightLevel::of_collections(&self.library(), &["small".to_owned()], &knobs.objectives).unwrap()
    }
}

/// What was told, one line for each event.
#[derive(Default)]
pub(crate) struct Diary(pub(crate) Mutex<Vec<String>>);

impl Diary {
    pub(crate) fn note(&self, event: &NightEvent<'_>) {
        let line = match event {
            NightEvent::SliceBegins { level, purpose, .. } => format!("{} {purpose} begins", level.number),
            NightEvent::SliceEnds { level, purpose, report, .. } => {
                format!("{} {purpose} ends: {}, {} gains", level.number, report.ended, report.gains.len())
            }
            NightEvent::Improved { level, objective, solution, by, .. } => {
                assert!(!by.is_empty());
                format!("{} {objective} improved: {}", level.number, solution.metrics().moves)
            }
            NightEvent::Proved { level, objective, metrics, .. } => {
                format!("{} {objective} proved: {}", level.number, metrics.moves)
            }
            other => format!("{other:?}"),
        };
        self.0.lock().push(line);
    }

    pub(crate) fn has(&self, text: &str) -> bool {
        self.0.lock().iter().any(|line| line.contains(text))
    }
}
