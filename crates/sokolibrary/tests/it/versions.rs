//! A library of an earlier version gets what the later ones have added, and loses nothing.

use std::fs;
use std::path::Path;

use rusqlite::Connection;
use sokoio::Collection;
use sokolibrary::{Library, NewCollection, repair};

/// The tables of version 1, as its programs have made them.
const VERSION_1: &str = include_str!("../../src/schema.sql");

/// Takes a library back to version 1.
fn age(path: &Path) {
    let connection = Connection::open(path).unwrap();
    connection.execute_batch("DROP TABLE run; PRAGMA user_version = 1").unwrap();
    let made = Connection::open_in_memory().unwrap();
    made.execute_batch(VERSION_1).unwrap();
    let tables = |connection: &Connection| -> Vec<String> {
        let mut statement = connection
            .prepare("SELECT name FROM sqlite_master WHERE name NOT LIKE 'sqlite_stat%' ORDER BY name")
            .unwrap();
        let rows = statement.query_map([], |row| row.get(0)).unwrap();
        rows.collect::<rusqlite::Result<_>>().unwrap()
    };
    assert_eq!(tables(&connection), tables(&made));
}

fn library(path: &Path) -> Library {
    let steps = Collection::parse(b"Two steps\n#######\n#@ $ .#\n#######\n\nSolution\nrRR\n");
    let mut library = Library::create_or_open(path).unwrap();
    library.write(|changes| changes.add_collection(&NewCollection::new("steps", &steps))).unwrap();
    library
}

#[test]
fn a_library_of_version_1_becomes_one_of_the_latest() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("library.sqlite");
    drop(library(&path));
    age(&path);
    let mut library = Library::open(&path).unwrap();
    assert_eq!(library.sums().unwrap().n_solutions, 1);
    assert_eq!(library.runs().unwrap(), []);
    let begun = library.write(|changes| changes.begin_run("all", "nothing yet")).unwrap();
    library.write(|changes| changes.set_run_account(begun.number, "done")).unwrap();
    drop(library);
    let mut library = Library::open(&path).unwrap();
    assert!(library.check().unwrap().is_clean());
    let runs = library.runs().unwrap();
    assert_eq!((runs.len(), &*runs[0].request, &*runs[0].account), (1, "all", "done"));
    assert_eq!(runs[0].begun_at, begun.begun_at);
    library.write(|changes| changes.forget_run(begun.number)).unwrap();
    library.write(|changes| changes.set_run_account(begun.number, "too late")).unwrap();
    assert_eq!(library.write(|changes| changes.run(begun.number)).unwrap(), None);
    assert_eq!(library.runs().unwrap(), []);
}

#[test]
fn a_repair_saves_runs_and_does_without_their_table() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("library.sqlite");
    let mut library = library(&path);
    library.write(|changes| changes.begin_run("all", "halfway")).unwrap();
    drop(library);
    let repaired = repair(&path).unwrap();
    assert_eq!((repaired.n_solutions, repaired.n_lost), (1, 0));
    assert_eq!(Library::open(&path).unwrap().runs().unwrap()[0].account, "halfway");

    age(&path);
    let repaired = repair(&path).unwrap();
    assert_eq!((repaired.n_solutions, repaired.n_lost), (1, 0));
    assert_eq!(Library::open(&path).unwrap().runs().unwrap(), []);
    // The first page of a library that was of version 1 when it was made.
    fs::remove_file(&path).unwrap();
    drop(self::library(&path));
    age(&path);
    let mut old = Library::open(&path).unwrap();
    old.write(|changes| changes.begin_run("all", "halfway")).unwrap();
    old.compact().unwrap();
    drop(old);
    let mut bytes = fs::read(&path).unwrap();
    bytes[..4096].fill(0xA5);
    fs::write(&path, &bytes).unwrap();
    let repaired = repair(&path).unwrap();
    assert_eq!((repaired.n_levels, repaired.n_solutions, repaired.n_lost), (1, 1, 0));
}
