//! The checks of the fuzz targets over the corpus in `testdata`, so that every build runs them.

use std::fs;
use std::path::{Path, PathBuf};

use sokocore::n_cases;
use sokoio::{Collection, Format};

use crate::checks;

fn corpus(target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/fuzz-corpus").join(target)
}

fn run(target: &str, check: fn(&[u8])) {
    let directory = corpus(target);
    let entries = fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().path());
    let mut n_files = 0;
    for path in entries {
        let bytes = fs::read(&path).unwrap();
        check(&bytes);
        for end in (0..bytes.len()).step_by(bytes.len() / n_cases(10, 50) + 1) {
            check(&bytes[..end]);
            check(&bytes[end..]);
        }
        n_files += 1;
    }
    assert!(n_files >= 3, "the corpus in {} is gone", directory.display());
}

#[test]
fn file() {
    run("file", checks::check_file);
    run("level", checks::check_file);
}

#[test]
fn level() {
    run("level", checks::check_level);
}

#[test]
fn lurd() {
    run("lurd", checks::check_lurd);
}

#[test]
fn note() {
    run("note", checks::check_note);
}

#[test]
fn replay() {
    run("replay", checks::check_replay);
}

#[test]
fn files_of_all_formats_are_what_they_are_named() {
    for (name, format, titles) in [
        ("latin-1.slc", Format::Slc, &["Two steps", "Solution", "bad <letter>", ""][..]),
        ("utf-16.slc", Format::Slc, &["Two steps", "Solution", "bad <letter>", ""]),
        ("two-maps.ssx", Format::Ssx, &["Two steps", "Two steps (2)"]),
        ("rows.digits.txt", Format::LetsLogic, &["Two steps"]),
        ("levels.json", Format::LetsLogic, &["Two \"steps\"", ""]),
        ("packed.sok.gz", Format::Text, &["Two steps"]),
        ("utf-16.sok", Format::Text, &["Two steps"]),
    ] {
        let collection = Collection::read(&corpus("file").join(name)).unwrap();
        let found: Vec<_> = collection.levels().iter().map(|level| level.title().unwrap_or_default()).collect();
        assert_eq!((collection.format(), &found[..], collection.is_text()), (format, titles, false), "{name}");
        let solutions = collection.levels().iter().flat_map(|level| level.solutions());
        assert!(solutions.map(|(_, solution)| solution).all(|solution| solution.is_ok()), "{name}");
    }
    let slc = Collection::read(&corpus("file").join("latin-1.slc")).unwrap();
    assert_eq!((slc.title(), slc.author()), (Some("Two caf\u{e9}s & a door"), Some("The Soko developers")));
    assert_eq!(slc.levels()[1].author(), Some("Others"));
    for (name, expect) in [
        ("entities.slc", "cannot read the .slc (XML) file"),
        ("cut.slc", "cannot read the .slc (XML) file"),
        ("game.lurd", "the file has moves, but no board"),
        ("hexoban.hsb", "the boards are hexoban"),
    ] {
        let error = Collection::read(&corpus("file").join(name)).unwrap_err().to_string();
        assert!(error.contains(expect), "{error}");
    }
}
