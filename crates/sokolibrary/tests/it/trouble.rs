//! Files that are no library, or one that cannot be used.

use std::fs;
use std::path::PathBuf;

use rusqlite::Connection;
use sokolibrary::{Library, LibraryProblem};
use tempfile::TempDir;

fn desk() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("library.sqlite");
    (folder, path)
}

#[track_caller]
fn problem(path: &std::path::Path) -> LibraryProblem {
    Library::create_or_open(path).expect_err("it cannot be opened").problem
}

#[test]
fn a_missing_file_is_named() {
    let (_folder, path) = desk();
    let error = Library::open(&path).err().unwrap();
    let text = format!("{error}: {}", error.problem);
    assert!(text.contains("library.sqlite: there is no such file"), "{text}");
}

#[test]
fn a_file_of_something_else_is_left_alone() {
    let (_folder, path) = desk();
    let text = "######\n#@$ .#\n######\n".repeat(100);
    fs::write(&path, &text).unwrap();
    assert!(matches!(problem(&path), LibraryProblem::NotADatabase));
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn a_database_of_another_program_is_left_alone() {
    let (_folder, path) = desk();
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE cats (name TEXT)").unwrap();
    let before = fs::read(&path).unwrap();
    assert!(matches!(problem(&path), LibraryProblem::NotALibrary));
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn a_library_of_a_later_version_is_left_alone() {
    let (_folder, path) = desk();
    drop(Library::create_or_open(&path).unwrap());
    Connection::open(&path).unwrap().pragma_update(None, "user_version", 99).unwrap();
    assert!(matches!(problem(&path), LibraryProblem::Newer { found: 99, known: 2 }));
}

/// SQLite does not tell a lock that another program has from one that the system does not give.
#[test]
fn a_lock_that_cannot_be_had_may_have_two_causes() {
    let text = LibraryProblem::Busy.to_string();
    for part in
        ["another program has been changing it", "its file system fails to lock files", "try again", "a disk of"]
    {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn an_empty_file_becomes_a_library() {
    let (_folder, path) = desk();
    fs::write(&path, "").unwrap();
    assert!(Library::create_or_open(&path).unwrap().check().unwrap().is_clean());
}

#[test]
fn a_folder_that_cannot_be_made_is_an_error() {
    let (folder, _) = desk();
    fs::write(folder.path().join("file"), "").unwrap();
    assert!(matches!(problem(&folder.path().join("file/library.sqlite")), LibraryProblem::CannotOpen(_)));
}
