//! Rules about one Rust file: how it starts, how long it is, what it exports, what it leaves to do.

use crate::source_tree::TextFile;
use crate::tidy::Finding;

const MAX_LINES: usize = 600;
const LONG_LINES: usize = 400;

/// Crates in which unsafe code may be allowed file by file; see the section on it in ARCHITECTURE.md.
const MAY_HOLD_UNSAFE: [&str; 4] = ["crates/sokosearch/", "crates/sokoio/", "crates/sokoplugin/", "crates/sokocli/"];

/// Applies every rule of this module.
pub(crate) fn check(file: &TextFile) -> Vec<Finding> {
    let mut findings = Vec::new();
    findings.extend(module_doc(file));
    findings.extend(length(file));
    findings.extend(no_mod_rs(file));
    findings.extend(forbids_unsafe(file));
    findings.extend(exports(file));
    findings.extend(open_ends(file));
    findings
}

fn at(file: &TextFile, line_idx: usize) -> String {
    format!("{}:{}", file.path, line_idx + 1)
}

fn module_doc(file: &TextFile) -> Option<Finding> {
    (!file.text.starts_with("//!"))
        .then(|| Finding::error(at(file, 0), "start the file with a //! doc: what it is, its invariant"))
}

fn length(file: &TextFile) -> Option<Finding> {
    match file.text.lines().count() {
        n_lines if n_lines > MAX_LINES => {
            Some(Finding::error(&*file.path, format!("{n_lines} lines, more than {MAX_LINES}: split it")))
        }
        n_lines if n_lines > LONG_LINES => {
            Some(Finding::note(&*file.path, format!("{n_lines} lines; over {LONG_LINES} wants a reason")))
        }
        _ => None,
    }
}

fn no_mod_rs(file: &TextFile) -> Option<Finding> {
    let is_mod = file.path.rsplit('/').next() == Some("mod.rs");
    is_mod.then(|| Finding::error(&*file.path, "name the file after its module: foo.rs beside foo/"))
}

fn is_crate_root(path: &str) -> bool {
    path.ends_with("src/lib.rs") || path.ends_with("src/main.rs")
}

fn forbids_unsafe(file: &TextFile) -> Option<Finding> {
    let asked = is_crate_root(&file.path) && !MAY_HOLD_UNSAFE.iter().any(|dir| file.path.starts_with(dir));
    let forbidden = file.text.lines().any(|line| line.starts_with("#![forbid(unsafe_code)]"));
    (asked && !forbidden).then(|| Finding::error(&*file.path, "add #![forbid(unsafe_code)]"))
}

/// Names leave a crate through its lib.rs, one by one.
fn exports(file: &TextFile) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut rest = file.text.lines().enumerate();
    while let Some((line_idx, line)) = rest.next() {
        if !line.trim_start().starts_with("pub use ") {
            continue;
        }
        if !file.path.ends_with("src/lib.rs") {
            findings.push(Finding::error(
                at(file, line_idx),
                "re-export in lib.rs only: make the module pub(crate) and name the path there",
            ));
        }
        let mut has_glob = line.contains('*');
        let mut ended = line.contains(';');
        while let Some((_, line)) = (!ended).then(|| rest.next()).flatten() {
            has_glob |= line.contains('*');
            ended = line.contains(';');
        }
        if has_glob {
            findings.push(Finding::error(at(file, line_idx), "name what is re-exported, no glob"));
        }
    }
    findings
}

/// Work left to do carries the number of its issue on the same line.
fn open_ends(file: &TextFile) -> Vec<Finding> {
    let marked = |line: &str| line.split(|c: char| !c.is_alphanumeric() && c != '_').any(is_marker);
    let open = file.text.lines().enumerate().filter(|(_, line)| marked(line) && !names_issue(line));
    open.map(|(line_idx, _)| Finding::error(at(file, line_idx), "give the issue number: write (#123) after it"))
        .collect()
}

fn is_marker(word: &str) -> bool {
    // Put together here, so that this file does not find itself.
    word == concat!("TO", "DO") || word == concat!("FIX", "ME")
}

fn names_issue(line: &str) -> bool {
    line.split('#').skip(1).any(|tail| tail.starts_with(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> TextFile {
        TextFile { path: path.to_owned(), text: text.to_owned() }
    }

    fn check_source(path: &str, text: &str, expect: &[&str]) {
        let found: Vec<String> = check(&file(path, text)).iter().map(ToString::to_string).collect();
        assert_eq!(found.len(), expect.len(), "{path}: {found:?}");
        for (found, expect) in found.iter().zip(expect) {
            assert!(found.contains(expect), "{found} should contain {expect}");
        }
    }

    #[test]
    fn a_file_starts_with_its_doc() {
        check_source("crates/a/src/b.rs", "//! A thing.\n", &[]);
        check_source("crates/a/src/b.rs", "use std::fmt;\n", &["b.rs:1: start the file"]);
        check_source("crates/a/src/b.rs", "", &["b.rs:1: start the file"]);
    }

    #[test]
    fn length_is_noted_over_400_and_refused_over_600() {
        let lines = |n: usize| "//! A thing.\n".repeat(n);
        check_source("crates/a/src/b.rs", &lines(400), &[]);
        check_source("crates/a/src/b.rs", &lines(401), &["note: 401 lines"]);
        check_source("crates/a/src/b.rs", &lines(600), &["note: 600 lines"]);
        check_source("crates/a/src/b.rs", &lines(601), &["601 lines, more than 600"]);
    }

    #[test]
    fn modules_are_not_called_mod() {
        check_source("crates/a/src/b/mod.rs", "//! A thing.\n", &["foo.rs beside foo/"]);
        check_source("crates/a/src/b/tmod.rs", "//! A thing.\n", &[]);
    }

    #[test]
    fn crate_roots_forbid_unsafe_code_but_where_it_may_be() {
        check_source("crates/sokocore/src/lib.rs", "//! A thing.\n", &["forbid(unsafe_code)"]);
        check_source("crates/sokocore/src/lib.rs", "//! A thing.\n#![forbid(unsafe_code)]\n", &[]);
        check_source("crates/sokosearch/src/lib.rs", "//! A thing.\n", &[]);
    }

    #[test]
    fn names_leave_through_lib_one_by_one() {
        let root = "//! A thing.\n#![forbid(unsafe_code)]\n";
        let lib = "crates/a/src/lib.rs";
        check_source(lib, &format!("{root}pub use b::{{C, D}};\n"), &[]);
        check_source(lib, &format!("{root}pub use b::*;\n"), &["lib.rs:3: name what"]);
        check_source(lib, &format!("{root}pub use b::{{\n    C,\n    d::*,\n}};\n"), &["lib.rs:3: name what"]);
        check_source(lib, &format!("{root}pub use b::{{\n    C,\n}};\nfn f() -> u8 {{ 2 * 3 }}\n"), &[]);
        check_source("crates/a/src/b.rs", "//! A thing.\npub use c::D;\n", &["b.rs:2: re-export"]);
    }

    #[test]
    fn open_ends_name_their_issue() {
        let mark = concat!("FIX", "ME");
        check_source("crates/a/src/b.rs", &format!("//! A thing.\n// {mark}: later\n"), &["b.rs:2: give the issue"]);
        check_source("crates/a/src/b.rs", &format!("//! A thing.\n// {mark}(#12): later\n"), &[]);
        check_source("crates/a/src/b.rs", &format!("//! A thing.\n// {mark} # later\n"), &["b.rs:2"]);
        check_source("crates/a/src/b.rs", &format!("//! A thing.\nstruct {mark}S;\n"), &[]);
    }
}
