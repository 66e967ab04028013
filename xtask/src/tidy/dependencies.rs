//! Every crate that a manifest of ours names has a row in docs/dependencies.md, which says why; and every row is of one.

use std::collections::BTreeSet;

use toml::Table;

use crate::source_tree::Tree;
use crate::tidy::Finding;
use crate::workspace::Metadata;

const TABLE: &str = "docs/dependencies.md";
/// The manifest of a workspace of its own.
const FUZZ: &str = "fuzz/Cargo.toml";

/// Compares the manifests with the table.
pub(crate) fn check(metadata: &Metadata, tree: &Tree) -> Vec<Finding> {
    let ours: BTreeSet<&str> = metadata.packages.iter().map(|package| &*package.name).collect();
    let named = metadata.packages.iter().flat_map(|package| &package.dependencies);
    let fuzz = tree.text(FUZZ).unwrap_or_default().parse::<Table>().unwrap_or_default();
    let of_fuzz = fuzz.get("dependencies").and_then(toml::Value::as_table).into_iter().flat_map(Table::keys);
    let named: BTreeSet<&str> = named.map(|dependency| &*dependency.name).chain(of_fuzz.map(String::as_str)).collect();
    let named: BTreeSet<&str> = named.difference(&ours).copied().collect();
    let rows: BTreeSet<&str> = tree.text(TABLE).unwrap_or_default().lines().filter_map(crate_of).collect();
    let missing = named.difference(&rows).map(|name| format!("has no row that says what `{name}` is for"));
    let left = rows.difference(&named).map(|name| format!("no crate of ours names `{name}`; remove its row"));
    missing.chain(left).map(|message| Finding::error(TABLE, message)).collect()
}

/// Returns the crate that a row of the table is about: the code in its first cell.
fn crate_of(line: &str) -> Option<&str> {
    line.strip_prefix("| `")?.split_once("` |").map(|(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::{Dependency, Package};

    fn check_rows(table: &str, expect: &[&str]) {
        let dependency = |name: &str| Dependency { name: name.to_owned(), kind: None };
        let package = |name: &str, dependencies| Package { name: name.to_owned(), dependencies, ..Package::default() };
        let packages = vec![
            package("lower", vec![dependency("serde")]),
            package("upper", vec![dependency("lower"), dependency("serde"), dependency("clap")]),
        ];
        let fuzz = "[dependencies]\nlibfuzzer-sys = \"0.4\"\nlower = { path = \"../crates/lower\" }\n";
        let tree = Tree::of(&[(TABLE, table), (FUZZ, fuzz)]);
        let found = check(&Metadata { packages, ..Metadata::default() }, &tree);
        let found: Vec<_> = found.iter().map(ToString::to_string).collect();
        assert_eq!(found.len(), expect.len(), "{found:?}");
        assert!(found.iter().zip(expect).all(|(found, expect)| found.contains(expect)), "{found:?}");
    }

    #[test]
    fn every_dependency_has_a_row_and_every_row_a_dependency() {
        let rows = "| crate | for |\n|---|---|\n| `clap` | a |\n| `libfuzzer-sys` | `b` |\n| `serde` | c |\n";
        check_rows(rows, &[]);
        check_rows(&rows.replace("`clap`", "clap"), &["`clap` is for"]);
        check_rows(&format!("{rows}| `rand` | d |\n"), &["names `rand`"]);
        check_rows("", &["`clap`", "`libfuzzer-sys`", "`serde`"]);
    }
}
