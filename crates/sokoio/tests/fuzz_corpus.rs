//! The checks of the fuzz targets over the corpus in `testdata`, so that every build runs them.

#[path = "../../../fuzz/src/checks.rs"]
pub mod checks;

use std::fs;
use std::path::Path;

fn run(target: &str, check: fn(&[u8])) {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/fuzz-corpus").join(target);
    let entries = fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().path());
    let mut n_files = 0;
    for path in entries {
        let bytes = fs::read(&path).unwrap();
        check(&bytes);
        for end in (0..bytes.len()).step_by(bytes.len() / 50 + 1) {
            check(&bytes[..end]);
            check(&bytes[end..]);
        }
        n_files += 1;
    }
    assert!(n_files >= 3, "the corpus in {} is gone", directory.display());
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
fn replay() {
    run("replay", checks::check_replay);
}
