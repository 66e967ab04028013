//! `cargo xtask package`: packs every crate as for a release, to show that its metadata is complete.

use anyhow::Context as _;

use crate::workspace::{self, cargo};

/// Packs all crates that are meant for a registry; nothing is uploaded and nothing is compiled.
pub(crate) fn run() -> anyhow::Result<()> {
    let args = ["package", "--workspace", "--exclude", "xtask", "--no-verify", "--allow-dirty"];
    workspace::run(cargo(&args)).context("packing the crates")
}
