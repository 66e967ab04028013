//! Code that only builds without debug assertions have, such as the widths of boards that tests do without.
//!
//! The build of the tests never sees it. The compiler checks the crates that have some once more, without making code.

use std::fs;
use std::path::Path;

use anyhow::Context as _;

use crate::ci::built_crates::{BuiltCrate, BuiltCrates};
use crate::ci::jobs::Job;

/// What marks such code.
const MARK: &str = "cfg(not(debug_assertions))";

/// Returns one job for each of our libraries that has code of its own for release builds.
///
/// # Errors
/// A source file cannot be read.
pub(crate) fn jobs(crates: &BuiltCrates<'_>) -> anyhow::Result<Vec<Job>> {
    let mut jobs = Vec::new();
    for one in crates.iter().filter(|one| one.artifact.is_of_kind("lib")) {
        let folder = one.artifact.source.parent().context("a source file stands in a folder")?;
        if has_mark(folder)? {
            jobs.push(job(crates, one));
        }
    }
    Ok(jobs)
}

fn job(crates: &BuiltCrates<'_>, one: &BuiltCrate<'_>) -> Job {
    let mut command = crates.command(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()), one);
    command.args(["--emit", "metadata", "-C", "debug-assertions=off"]);
    command.arg("--out-dir").arg(crates.target_directory.join("release-code")).arg(&one.artifact.source);
    Job::new(format!("release code of {}", one.artifact.crate_name()), command)
}

/// Whether a file below a folder has the mark.
fn has_mark(folder: &Path) -> anyhow::Result<bool> {
    for entry in fs::read_dir(folder).with_context(|| format!("listing {}", folder.display()))? {
        let path = entry?.path();
        let found = if path.is_dir() {
            has_mark(&path)?
        } else {
            path.extension().is_some_and(|kind| kind == "rs") && fs::read_to_string(&path)?.contains(MARK)
        };
        if found {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_found_at_any_depth() {
        let folder = tempfile::tempdir().unwrap();
        let deep = folder.path().join("a/b");
        fs::create_dir_all(&deep).unwrap();
        fs::write(deep.join("notes.md"), MARK).unwrap();
        assert!(!has_mark(folder.path()).unwrap());
        fs::write(deep.join("c.rs"), format!("#[{MARK}]")).unwrap();
        assert!(has_mark(folder.path()).unwrap());
    }
}
