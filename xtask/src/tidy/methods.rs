//! Every method has a row in docs/methods.md, whose first cell names the method's file.
//!
//! A file of sokomethods is a method's if it declares a constant of type `Spec`, as all methods do.

use crate::source_tree::Tree;
use crate::tidy::Finding;

const SOURCES: &str = "crates/sokomethods/src/methods/";
const TABLE: &str = "docs/methods.md";

/// Compares the methods in the tree with the table, if there is a table.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let Some(table) = tree.text(TABLE) else { return Vec::new() };
    let methods = tree.with_extension("rs").filter(|file| declares_spec(&file.text)).filter_map(|file| {
        let name = file.path.strip_prefix(SOURCES)?.strip_suffix(".rs")?;
        Some((file, name))
    });
    let missing = methods.filter(|(_, name)| !has_row(table, name));
    missing.map(|(file, name)| Finding::error(&*file.path, format!("{TABLE} has no row for `{name}`"))).collect()
}

fn declares_spec(text: &str) -> bool {
    text.lines().any(|line| line.contains("const ") && line.contains(": Spec = "))
}

fn has_row(table: &str, name: &str) -> bool {
    let rows = table.lines().filter_map(|line| line.strip_prefix('|'));
    let mut cells = rows.filter_map(|row| row.split('|').next());
    cells.any(|cell| cell.split('`').skip(1).step_by(2).any(|word| word.replace('-', "_") == name))
}

#[cfg(test)]
mod tests {
    use super::*;

    const METHOD: &str = "pub(crate) const SPEC: Spec = Spec {};";

    fn check_methods(files: &[(&str, &str)], n_missing: usize) {
        let found = check(&Tree::of(files));
        assert_eq!(found.len(), n_missing, "{found:?}");
    }

    #[test]
    fn a_method_has_a_row() {
        let table = "| method | what |\n|---|---|\n| `box-lines` (YASO) | `other` |\n";
        check_methods(&[("docs/methods.md", table), ("crates/sokomethods/src/methods/box_lines.rs", METHOD)], 0);
        check_methods(&[("docs/methods.md", table), ("crates/sokomethods/src/methods/other.rs", METHOD)], 1);
    }

    #[test]
    fn files_that_are_no_methods_need_none() {
        let files =
            [("docs/methods.md", "| `a` |"), ("crates/sokomethods/src/methods/other.rs", "fn f(spec: &Spec) {}")];
        check_methods(&files, 0);
        check_methods(&[("docs/methods.md", ""), ("crates/sokosearch/src/a.rs", METHOD)], 0);
    }

    #[test]
    fn without_the_table_nothing_is_asked() {
        check_methods(&[("crates/sokomethods/src/methods/a.rs", METHOD)], 0);
    }
}
