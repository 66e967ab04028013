//! `cargo xtask ci`: every check in a row, cheapest first, stopping at the first that fails.
//!
//! The CI of any host calls this and nothing else.

#![expect(clippy::disallowed_types, reason = "steps are timed for the reader; no search depends on this clock")]

use std::time::Instant;

use anyhow::Context as _;

use crate::workspace::{self, cargo};
use crate::{package, tidy};

/// How much to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tier {
    /// What every change must pass.
    Fast,
    /// The slow tests, the solver without engines, and the limits of memory and time as well.
    Full,
}

/// Runs the steps of a tier.
pub(crate) fn run(tier: Tier) -> anyhow::Result<()> {
    step("format", || workspace::run(cargo(&["fmt", "--all", "--check"])))?;
    step("tidy", tidy::run)?;
    step("clippy", clippy)?;
    step("tests", || tests(tier))?;
    step("documentation", documentation)?;
    if tier == Tier::Full {
        step("solver without engines", solver_without_engines)?;
        step("limits", limits)?;
        step("package", package::run)?;
    }
    println!("\n=== all green");
    Ok(())
}

fn step(heading: &str, check: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<()> {
    println!("\n=== {heading}");
    let start = Instant::now();
    check().with_context(|| format!("ci stopped at the step \"{heading}\""))?;
    println!("--- {heading}: ok, {:.1} s", start.elapsed().as_secs_f64());
    Ok(())
}

fn clippy() -> anyhow::Result<()> {
    workspace::run(cargo(&["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"]))
}

/// All tests, the bench signature among them. Slow tests look at `SOKO_FULL` and return at once without it, so no test is ever marked as ignored.
fn tests(tier: Tier) -> anyhow::Result<()> {
    let mut command = cargo(&["test", "--workspace", "--all-features", "--no-fail-fast"]);
    if tier == Tier::Full {
        command.arg("--release").env("SOKO_FULL", "1");
    }
    workspace::run(command)
}

fn documentation() -> anyhow::Result<()> {
    let mut command = cargo(&["doc", "--workspace", "--all-features", "--no-deps"]);
    command.env("RUSTDOCFLAGS", "-D warnings");
    workspace::run(command)
}

/// The solver as its users build it: without the engines of sokosearch, which the workspace always has.
fn solver_without_engines() -> anyhow::Result<()> {
    let mut command = cargo(&["check", "--package", "sokosolver"]);
    command.env("RUSTFLAGS", "-D warnings");
    workspace::run(command)
}

/// Memory and time, measured from outside; half an hour on an idle machine.
fn limits() -> anyhow::Result<()> {
    workspace::run(cargo(&["xtask", "bench", "limits"]))
}
