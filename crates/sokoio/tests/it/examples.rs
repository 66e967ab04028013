//! The programs of `examples/`, run: what they print is what the files beside this one say.

use crate::{normalize, same_levels, titles};

#[test]
fn titles_lists_the_best_solutions() {
    let mut out = Vec::new();
    titles::run(&titles::default_path(), &mut out).unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), include_str!("examples/titles.txt"));
}

#[test]
fn normalize_writes_plain_text() {
    let mut out = Vec::new();
    normalize::run(&normalize::default_path(), &mut out).unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), include_str!("examples/normalize.txt"));
}

#[test]
fn same_levels_finds_them_in_other_formats() {
    let mut out = Vec::new();
    same_levels::run(&same_levels::default_paths(), &mut out).unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), include_str!("examples/same_levels.txt"));
}
