//! Rules about words: one type name in a crate, and no word that was given up for the field's own.

use std::collections::BTreeMap;

use crate::source_tree::{TextFile, Tree};
use crate::tidy::Finding;

/// Names that were replaced by the literature's; `docs/glossary.md` has the words in use.
const RETIRED_NAMES: [(&str, &str); 22] = [
    ("Commons", "SharedTables"),
    ("Deepening", "IterativeDeepening"),
    ("Descent", "ValueTree"),
    ("Duel", "BestFirst"),
    ("Effort", "WorkMeter"),
    ("Entrant", "StrategySpec"),
    ("Forest", "FessTree"),
    ("Ground", "SearchBoard"),
    ("Heralds", "PoolForwarder"),
    ("Kin", "Archive"),
    ("Leap", "MacroMove"),
    ("Leftovers", "DeferredDrop"),
    ("Lessons", "DeadlockLearner"),
    ("Letters", "Outbox"),
    ("Prints", "FingerprintSet"),
    ("Realm", "SearchKind"),
    ("Roster", "PortfolioScheduler or ArmQueue"),
    ("Slab", "ChunkedVec"),
    ("Standing", "BestKnown"),
    ("Supply", "SolutionSource"),
    ("Terrain", "SearchInput or FessTables"),
    ("Yard", "LevelTables"),
];

/// Pronouns that stand for types or threads: name what acts.
const VAGUE: [&str; 5] = ["everybody", "nobody", "somebody", "whoever", "whomever"];

/// Keywords after which a type is named.
const DEFINES: [&str; 5] = ["enum", "struct", "trait", "type", "union"];

/// Applies every rule of this module to the crates.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let sources: Vec<_> = tree.with_extension("rs").filter(|file| crate_of(&file.path).is_some()).collect();
    let mut findings = doubles(&sources);
    findings.extend(sources.iter().flat_map(|file| words(file)));
    findings
}

/// The crate of a source file that is part of the product: no test, and not this file, which has the lists.
fn crate_of(path: &str) -> Option<&str> {
    let (package, below) = path.split_once("/src/")?;
    let is_test = below.split('/').any(|part| part.trim_end_matches(".rs").ends_with("tests"));
    (!is_test && !below.ends_with("tidy/words.rs")).then_some(package)
}

/// The lines of a file before its own tests, numbered from 1.
fn product(file: &TextFile) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(file.text.lines()).take_while(|(_, line)| !line.starts_with("mod tests"))
}

/// Types that have the name of another one in the crate.
fn doubles(files: &[&TextFile]) -> Vec<Finding> {
    let mut first: BTreeMap<(&str, &str), String> = BTreeMap::new();
    let mut findings = Vec::new();
    for file in files {
        let Some(package) = crate_of(&file.path) else { continue };
        for (number, line) in product(file) {
            let Some(name) = defined(line) else { continue };
            let place = format!("{}:{number}", file.path);
            match first.get(&(package, name)) {
                Some(other) => findings.push(Finding::error(place, format!("{other} defines a type {name}, too"))),
                None => drop(first.insert((package, name), place)),
            }
        }
    }
    findings
}

/// The type that a line at the left margin defines.
fn defined(line: &str) -> Option<&str> {
    let visible = line.strip_prefix("pub").map_or(line, |rest| rest.split_once(") ").map_or(rest, |(_, rest)| rest));
    let (keyword, rest) = visible.trim_start().split_once(' ')?;
    let is_definition = DEFINES.contains(&keyword) && !line.starts_with(' ');
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    (is_definition && end > 0).then(|| &rest[..end])
}

/// Words of a file that were given up.
fn words(file: &TextFile) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (number, line) in product(file) {
        let (code, comment) = line.split_once("//").unwrap_or((line, ""));
        let place = || format!("{}:{number}", file.path);
        for word in code.split(|c: char| !c.is_alphanumeric() && c != '_') {
            if let Some((name, usual)) = RETIRED_NAMES.iter().find(|(name, _)| *name == word) {
                findings.push(Finding::error(place(), format!("{name} was retired: it is {usual}")));
            }
        }
        for word in comment.split(|c: char| !c.is_alphabetic()).map(str::to_lowercase) {
            if VAGUE.contains(&&*word) {
                findings.push(Finding::error(place(), format!("\"{word}\" in a comment: name the type that acts")));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> TextFile {
        TextFile { path: path.to_owned(), text: text.to_owned() }
    }

    fn check_files(files: &[(&str, &str)], expect: &[&str]) {
        let files: Vec<_> = files.iter().map(|(path, text)| file(path, text)).collect();
        let mut found = doubles(&files.iter().collect::<Vec<_>>());
        found.extend(files.iter().flat_map(words));
        let found: Vec<_> = found.iter().map(ToString::to_string).collect();
        assert_eq!(found.len(), expect.len(), "{found:?}");
        assert!(found.iter().zip(expect).all(|(found, expect)| found.contains(expect)), "{found:?}");
    }

    #[test]
    fn a_type_name_has_one_meaning_in_a_crate() {
        let (one, other) = ("crates/a/src/b.rs", "crates/a/src/c.rs");
        check_files(&[(one, "pub(crate) struct Node {"), (other, "enum Node<T> {")], &["c.rs:1: crates/a/src/b.rs:1"]);
        check_files(&[(one, "pub struct Node;"), ("crates/b/src/c.rs", "struct Node;")], &[]);
        check_files(
            &[(one, "struct Node;"), (other, "mod tests {\nstruct Node;"), (other, "    type Node = u8;")],
            &[],
        );
        check_files(&[(one, "struct Node;"), ("crates/a/src/c/tests.rs", "struct Node;")], &[]);
    }

    #[test]
    fn words_that_were_given_up_are_refused() {
        let path = "crates/a/src/b.rs";
        check_files(&[(path, "fn of(ground: &Ground) {}")], &["b.rs:1: Ground was retired: it is SearchBoard"]);
        check_files(&[(path, "// Grounds, Underground, ground\nfn grounded() {}")], &[]);
        check_files(&[(path, "/// Tells Whoever asks.\nlet whoever = 1;")], &["b.rs:1: \"whoever\" in a comment"]);
    }
}
