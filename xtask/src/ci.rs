//! `cargo xtask ci`: every check in a row, cheapest first, stopping at the first that fails.
//!
//! The CI of any host calls this and nothing else.

#![expect(clippy::disallowed_types, reason = "steps are timed for the reader; no search depends on this clock")]

mod jobs;
mod test_binaries;

use std::process::Command;
use std::time::Instant;

use anyhow::Context as _;

use crate::ci::jobs::Job;
use crate::ci::test_binaries::TestBinary;
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

/// The variable that `sokocore::n_cases` reads.
const FULL: &str = "SOKO_FULL";

/// Runs the steps of a tier.
pub(crate) fn run(tier: Tier) -> anyhow::Result<()> {
    step("format", || workspace::run(cargo(&["fmt", "--all", "--check"])))?;
    step("tidy", tidy::run)?;
    let mut tests = Vec::new();
    step("clippy", || {
        let mut build = checked_tests(tier);
        build.args(["--all-targets", "--no-run"]);
        tests = TestBinary::build(build)?;
        Ok(())
    })?;
    step("tests and documentation", || jobs::run_all(tests_and_documentation(tier, &tests)))?;
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

/// All tests, the bench signature among them, compiled by clippy: it is the compiler with more lints, so the sources are
/// read and checked once. Tests ask `sokocore::n_cases` how much to try, so no test is ever marked as ignored.
fn checked_tests(tier: Tier) -> Command {
    let mut command = cargo(&["test", "--workspace", "--all-features", "--no-fail-fast"]);
    command.env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver");
    // As `cargo clippy -- -D warnings` passes it.
    command.env("CLIPPY_ARGS", "-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__");
    // A tree that is built anew gains nothing from what an incremental build writes.
    command.env("CARGO_INCREMENTAL", "0");
    if tier == Tier::Full {
        command.arg("--release").env(FULL, "1");
    }
    command
}

/// The long tests stand near the front. The documentation is before all, since its build may not overlap with that of
/// its examples.
fn tests_and_documentation(tier: Tier, tests: &[TestBinary]) -> Vec<Job> {
    let mut examples = checked_tests(tier);
    examples.arg("--doc");
    let (long, short): (Vec<_>, Vec<_>) = tests.iter().partition(|binary| binary.is_long());
    let mut all = vec![Job::new("documentation", documentation())];
    all.extend(long.into_iter().map(|binary| binary.job(tier)));
    all.push(Job::new("examples in the documentation", examples));
    all.extend(short.into_iter().map(|binary| binary.job(tier)));
    all
}

fn documentation() -> Command {
    let mut command = cargo(&["doc", "--workspace", "--all-features", "--no-deps"]);
    command.env("RUSTDOCFLAGS", "-D warnings");
    command
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
