//! The library is one that Python can load. What it does is tested in Python, by the files beside this folder.

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The function that Python calls when it loads `soko._soko`.
const ENTRY: &str = "PyInit__soko";

/// The library, which cargo has built beside this test.
fn library() -> PathBuf {
    let test = env::current_exe().expect("a test has a file");
    test.parent().expect("the file is in a folder").join(format!("{DLL_PREFIX}sokopy{DLL_SUFFIX}"))
}

#[test]
fn the_library_has_the_entry_that_python_calls() {
    let bytes = fs::read(library()).expect("the library is built");
    assert!(bytes.windows(ENTRY.len()).any(|window| window == ENTRY.as_bytes()), "no {ENTRY}");
}

#[test]
fn the_package_imports_the_module_of_that_name() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("python/soko");
    let text = fs::read_to_string(package.join("__init__.py")).expect("the package has a beginning");
    assert!(text.contains("from soko._soko import ("));
    assert!(package.join("_soko.pyi").exists() && package.join("py.typed").exists());
}
