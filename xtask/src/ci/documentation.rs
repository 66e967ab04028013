//! The documentation of the workspace.

use crate::ci::built_crates::{BuiltCrate, BuiltCrates};
use crate::ci::jobs::Job;

/// Returns one job for each of our libraries and programs.
pub(crate) fn jobs(crates: &BuiltCrates<'_>) -> Vec<Job> {
    crates.iter().map(|one| job(crates, one)).collect()
}

/// Builds one crate's documentation as `cargo doc` does: public items of a library, all of a program.
fn job(crates: &BuiltCrates<'_>, one: &BuiltCrate<'_>) -> Job {
    let mut command = crates.command(std::env::var_os("RUSTDOC").unwrap_or_else(|| "rustdoc".into()), one);
    if one.artifact.is_of_kind("bin") {
        command.args(["--document-private-items", "-A", "rustdoc::private-intra-doc-links"]);
    }
    // Several at a time may not write one search index.
    let name = one.artifact.crate_name();
    command.arg("--out-dir").arg(crates.target_directory.join("documentation").join(&name)).arg(&one.artifact.source);
    Job::new(format!("documentation of {name}"), command)
}
