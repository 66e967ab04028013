//! What is saved of a damaged library.

use std::fs;
use std::path::Path;

use rusqlite::Connection;
use sokocore::Objective;
use sokoio::{Collection, LevelId};
use sokolibrary::{Library, LibraryProblem, NewCollection, RunDone, repair};

/// A corridor with a box at its start, so that each length is a level.
fn corridor(length: usize) -> String {
    let wall = "#".repeat(length + 5);
    format!(
        "Corridor {length}\n{wall}\n#@${}.#\n{wall}\n\nSolution\n{}\n\n",
        " ".repeat(length),
        "R".repeat(length + 1)
    )
}

/// Makes a library of many levels.
fn library(path: &Path, n: usize) -> Collection {
    let text: String = (1..=n).map(corridor).collect();
    let collection = Collection::parse(text.as_bytes());
    let mut library = Library::create_or_open(path).unwrap();
    library.write(|changes| changes.add_collection(&NewCollection::new("corridors", &collection))).unwrap();
    let run = RunDone::new("moves", std::time::Duration::from_secs(3), "time");
    library.write(|changes| changes.add_run(collection.levels()[0].level().unwrap(), &run)).unwrap();
    library.compact().unwrap();
    collection
}

#[test]
fn a_check_finds_what_was_changed_by_hand() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("library.sqlite");
    library(&path, 20);
    assert!(Library::open(&path).unwrap().check().unwrap().is_clean());
    for (change, what) in [
        ("UPDATE solution SET lurd = 'RL' WHERE solution_id = 3", "solution 3"),
        ("UPDATE solution SET moves = 1 WHERE solution_id = 4", "solution 4"),
        ("UPDATE level SET family = identity WHERE level_id = 5", "level 5"),
        ("UPDATE level SET board = '###' WHERE level_id = 6", "level 6"),
        ("UPDATE collection SET text = x'00'", "collection \"corridors\""),
    ] {
        Connection::open(&path).unwrap().execute_batch(change).unwrap();
        let report = Library::open(&path).unwrap().check().unwrap();
        assert!(report.faults.iter().any(|fault| fault.what == what), "{change}: {report:?}");
    }
}

#[test]
fn damaged_pages_cost_what_is_on_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("library.sqlite");
    let n = 400;
    let collection = library(&path, n);
    let page_size = 4096;
    let mut bytes = fs::read(&path).unwrap();
    let n_pages = bytes.len() / page_size;
    assert!(n_pages > 40, "{n_pages}");
    // The first page has the schema; of the others every ninth is overwritten.
    for page in (5..n_pages).step_by(9) {
        bytes[page * page_size..(page + 1) * page_size].fill(0xA5);
    }
    fs::write(&path, &bytes).unwrap();
    let damaged = Library::open(&path).and_then(|library| library.check());
    assert!(damaged.is_ok_and(|report| !report.is_clean()));
    let repaired = repair(&path).unwrap();
    assert!(repaired.damaged.exists() && fs::read(&repaired.damaged).unwrap() == bytes);
    let library = Library::open(&path).unwrap();
    let report = library.check().unwrap();
    assert!(report.is_clean(), "{report:?}");
    assert!(report.n_levels > 200 && report.n_levels <= n as u64, "{}", report.n_levels);
    for entry in collection.levels() {
        let id = LevelId::of(entry.level().unwrap());
        let best = library.best(id, Objective::MOVES).unwrap();
        assert!(best.is_none_or(|best| best.moves.to_string() == "R".repeat(best.metrics.pushes.try_into().unwrap())));
    }
}

#[test]
fn a_library_without_damage_is_saved_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("library.sqlite");
    let collection = library(&path, 30);
    let repaired = repair(&path).unwrap();
    let saved = (repaired.n_levels, repaired.n_solutions, repaired.n_collections, repaired.n_lost);
    assert_eq!(saved, (30, 30, 1, 0));
    let library = Library::open(&path).unwrap();
    assert_eq!(library.collection_text("corridors").unwrap().to_string(), collection.to_string());
    let id = LevelId::of(collection.levels()[0].level().unwrap());
    assert_eq!(library.work(id, "moves").unwrap().unwrap().elapsed.as_secs(), 3);
}

/// What is saved of a library whose bytes were changed so.
fn saved_after(library_at: impl Fn(&Path), damage: impl Fn(&mut Vec<u8>)) -> (u64, u64, u64) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("library.sqlite");
    library_at(&path);
    let mut bytes = fs::read(&path).unwrap();
    damage(&mut bytes);
    fs::write(&path, &bytes).unwrap();
    let error = Library::open(&path).and_then(|library| library.collections()).unwrap_err();
    assert!(format!("{}", error.problem).contains("check --repair"), "{error:?}");
    let repaired = repair(&path).unwrap();
    assert_eq!(fs::read(&repaired.damaged).unwrap(), bytes);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing else is left beside it");
    assert!(Library::open(&path).unwrap().check().unwrap().is_clean());
    (repaired.n_levels, repaired.n_solutions, repaired.n_collections)
}

#[test]
fn a_damaged_first_page_costs_nothing() {
    let compacted = |path: &Path| drop(library(path, 100));
    let made = |path: &Path| {
        let text: String = (1..=100).map(corridor).collect();
        let mut library = Library::create_or_open(path).unwrap();
        let collection = Collection::parse(text.as_bytes());
        library.write(|changes| changes.add_collection(&NewCollection::new("corridors", &collection))).unwrap();
    };
    for damage in [0..16, 100..4096] {
        let overwrite = |bytes: &mut Vec<u8>| bytes[damage.clone()].fill(0xA5);
        assert_eq!(saved_after(compacted, overwrite), (100, 100, 1), "{damage:?}");
        assert_eq!(saved_after(made, overwrite), (100, 100, 1), "{damage:?}");
    }
}

#[test]
fn a_library_of_which_nothing_can_be_read_is_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("library.sqlite");
    library(&path, 20);
    let mut bytes = fs::read(&path).unwrap();
    bytes[..4096].fill(0);
    bytes[4097..].fill(0);
    fs::write(&path, &bytes).unwrap();
    assert!(matches!(repair(&path).unwrap_err().problem, LibraryProblem::NothingToSave));
    assert_eq!(fs::read(&path).unwrap(), bytes);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_library_that_is_in_use_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("library.sqlite");
    library(&path, 20);
    let other = Library::open(&path).unwrap();
    assert_eq!(other.collections().unwrap().len(), 1);
    assert!(matches!(repair(&path).unwrap_err().problem, LibraryProblem::InUse));
    drop(other);
    assert_eq!(repair(&path).unwrap().n_levels, 20);
}

#[test]
fn a_log_that_a_killed_process_left_is_worked_off() {
    let folder = tempfile::tempdir().unwrap();
    let (path, left) = (folder.path().join("library.sqlite"), folder.path().join("left.sqlite"));
    library(&path, 20);
    let mut open = Library::open(&path).unwrap();
    let level = Collection::parse(corridor(50).as_bytes()).levels()[0].level().unwrap().clone();
    open.write(|changes| changes.add_level(&level)).unwrap();
    // As the disk is at this moment: the change is in the log alone.
    for end in ["", "-wal"] {
        let name = |path: &Path| format!("{}{end}", path.display());
        fs::copy(name(&path), name(&left)).unwrap();
    }
    assert_eq!(repair(&left).unwrap().n_levels, 21);
    assert!(Library::open(&left).unwrap().check().unwrap().is_clean());
}

#[test]
fn what_is_no_database_is_left_where_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("library.sqlite");
    let text = "no database".repeat(1_000);
    fs::write(&path, &text).unwrap();
    assert!(matches!(repair(&path).unwrap_err().problem, LibraryProblem::NotADatabase));
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}
