//! Code that only builds without debug assertions have, such as the widths of boards that tests do without.
//!
//! The build of the tests never sees it. The compiler checks the crates that have some once more, without making code.

use crate::ci::built_crates::{BuiltCrate, BuiltCrates};
use crate::ci::jobs::Job;
use crate::source_tree::Tree;
use crate::workspace;

/// What marks such code.
const MARK: &str = "cfg(not(debug_assertions))";

/// Returns one job for each of our libraries that has code of its own for release builds.
///
/// # Errors
/// A source file cannot be read.
pub(crate) fn jobs(crates: &BuiltCrates<'_>) -> anyhow::Result<Vec<Job>> {
    let tree = Tree::load(&workspace::root())?;
    let libraries = crates.iter().filter(|one| one.artifact.is_of_kind("lib"));
    let marked = libraries.filter(|one| has_mark(&tree, &one.artifact.crate_name()));
    Ok(marked.map(|one| job(crates, one)).collect())
}

fn job(crates: &BuiltCrates<'_>, one: &BuiltCrate<'_>) -> Job {
    let mut command = crates.command(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()), one);
    command.args(["--emit", "metadata", "-C", "debug-assertions=off"]);
    command.arg("--out-dir").arg(crates.target_directory.join("release-code")).arg(&one.artifact.source);
    Job::new(format!("release code of {}", one.artifact.crate_name()), command)
}

/// Whether a source file of a crate has the mark.
fn has_mark(tree: &Tree, name: &str) -> bool {
    let folder = format!("crates/{name}/src/");
    tree.with_extension("rs").any(|file| file.path.starts_with(&folder) && file.text.contains(MARK))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_found_in_the_sources_of_a_crate() {
        let code = format!("#[{MARK}]");
        let tree = Tree::of(&[("crates/a/src/b/c.rs", &code), ("crates/b/tests/it.rs", &code), ("docs/b.md", &code)]);
        assert!(has_mark(&tree, "a") && !has_mark(&tree, "b"));
    }
}
