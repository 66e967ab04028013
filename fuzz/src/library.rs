//! The file of a library, damaged anywhere: an error or an answer, and nothing else.

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use sokocore::Objective;
use sokoio::{Collection, LevelId};
use sokolibrary::{Library, NewCollection, NewSolution, repair};
use tempfile::TempDir;

/// A folder in memory, if there is one, and the file of a library.
static WHOLE: LazyLock<(TempDir, Vec<u8>)> = LazyLock::new(|| {
    let folder = ["/dev/shm", "/tmp"].iter().find_map(|folder| tempfile::tempdir_in(folder).ok());
    let folder = folder.expect("there is room for files");
    let path = folder.path().join("whole.sqlite");
    let collection =
        Collection::parse(b"Two steps\n######\n#@$ .#\n######\n\nTwo\n######\n##   #\n#@$ $#\n#.  .#\n######\n");
    let mut library = Library::create_or_open(&path).expect("there is room for files");
    let level = collection.levels()[0].level().expect("it is a level");
    let written = library.write(|changes| {
        changes.add_collection(&NewCollection::new("steps", &collection))?;
        changes.offer(level, &NewSolution::new("RR".parse().expect("these are moves")))?;
        Ok(())
    });
    written.expect("there is room for files");
    library.compact().expect("there is room for files");
    drop(library);
    let bytes = fs::read(&path).expect("it was written");
    (folder, bytes)
});

/// Changes bytes, cuts the file, and asks for everything.
pub fn check(changes: &[(u32, u8)], cut: Option<u32>, repairs: bool) {
    let (folder, whole) = &*WHOLE;
    let mut bytes = whole.clone();
    for &(at, byte) in changes.iter().take(40) {
        let at = at as usize % bytes.len();
        bytes[at] = byte;
    }
    if let Some(end) = cut {
        bytes.truncate(end as usize % (bytes.len() + 1));
    }
    let path = folder.path().join("damaged.sqlite");
    let beside = |end: &str| PathBuf::from(format!("{}{end}", path.display()));
    for end in ["-wal", "-shm", "-journal"] {
        // Mostly there is none.
        let _ = fs::remove_file(beside(end));
    }
    fs::write(&path, bytes).expect("there is room for files");
    ask(&path);
    if repairs {
        let _told = repair(&path);
    }
    for entry in fs::read_dir(folder.path()).expect("the folder is there").flatten() {
        if entry.file_name() != "whole.sqlite" {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn ask(path: &std::path::Path) {
    let Ok(mut library) = Library::open(path) else { return };
    let _report = library.check();
    for collection in library.collections().unwrap_or_default() {
        let _text = library.collection_text(&collection.name);
        let _entries = library.rated_entries(&collection.name);
    }
    let ids: Vec<LevelId> = library.identities().unwrap_or_default();
    for id in ids.into_iter().take(5) {
        let _level = library.level(id).map(|level| level.map(|level| level.level()));
        let _solutions = library.solutions(id);
        let _best = library.best(id, Objective::MOVES);
        let _proofs = library.proofs(id);
        let _gains = library.gains_of_level(id);
    }
    let _runs = library.runs();
    let more = Collection::parse(b"More\n######\n#@ $.#\n######\n");
    let _added = library.write(|changes| changes.add_collection(&NewCollection::new("more", &more)));
}
