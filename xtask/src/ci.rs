//! `cargo xtask ci`: every check in a row, cheapest first, stopping at the first that fails.
//!
//! The CI of any host calls this and nothing else.

#![expect(clippy::disallowed_types, reason = "steps are timed for the reader; no search depends on this clock")]

pub(crate) mod artifacts;
mod built_crates;
mod documentation;
pub(crate) mod jobs;
mod page_tools;
mod release_code;
mod supply;
mod test_binaries;

use std::process::Command;
use std::time::Instant;

use anyhow::Context as _;

use crate::ci::artifacts::Artifact;
use crate::ci::built_crates::BuiltCrates;
use crate::ci::jobs::Job;
use crate::ci::test_binaries::{TestBinary, TestGroup};
use crate::workspace::{self, cargo};
use crate::{package, python, tidy};

/// How much to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tier {
    /// What every change must pass.
    Fast,
    /// The slow tests, the solver without engines, the code of Windows, the limits of memory and time, and the wheel for
    /// Python as well.
    Full,
}

/// The variable that `sokocore::n_cases` reads.
const FULL: &str = "SOKO_FULL";

/// Runs the steps of a tier.
pub(crate) fn run(tier: Tier) -> anyhow::Result<()> {
    step("format", || workspace::run(cargo(&["fmt", "--all", "--check"])))?;
    step("tidy", tidy::run)?;
    page_tools::report();
    let mut artifacts = Vec::new();
    step("clippy", || {
        let mut build = checked_tests(tier);
        // The examples are modules of tests, so that as programs they are built for the long run only.
        build.args(match tier {
            Tier::Fast => &["--lib", "--bins", "--tests", "--benches", "--no-run"][..],
            Tier::Full => &["--all-targets", "--no-run"],
        });
        artifacts = Artifact::build(build)?;
        Ok(())
    })?;
    step("tests and documentation", || jobs::run_all(tests_and_documentation(tier, &artifacts)?))?;
    step("time-outs", || jobs::run_all(tests_of(TestGroup::TimeOuts, tier, &artifacts)))?;
    let timed = || tests_of(TestGroup::Timed, tier, &artifacts);
    step("timed tests", || timed().into_iter().try_for_each(|job| jobs::run_all(vec![job])))?;
    step("dependencies", supply::run)?;
    if tier == Tier::Full {
        step("solver without engines", solver_without_engines)?;
        step("code of Windows", code_of_windows)?;
        step("limits", limits)?;
        step("package", package::run)?;
        step("wheel for Python", || python::run(&python::PythonArgs::default()))?;
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
    // A panic names its line without it.
    command.env("CARGO_PROFILE_DEV_DEBUG", "none");
    if tier == Tier::Full {
        command.arg("--release").env(FULL, "1");
    }
    command
}

/// The long tests stand at the front.
fn tests_and_documentation(tier: Tier, artifacts: &[Artifact]) -> anyhow::Result<Vec<Job>> {
    let tests = TestBinary::among(artifacts);
    let mut examples = checked_tests(tier);
    examples.arg("--doc");
    let (long, short): (Vec<_>, Vec<_>) = tests.iter().partition(|binary| binary.is_long());
    let mut all: Vec<_> = long.into_iter().map(|binary| binary.job(TestGroup::Shared, tier)).collect();
    // It mostly waits for downloads.
    all.extend(python::job(artifacts)?);
    let crates = BuiltCrates::among(artifacts)?;
    all.extend(documentation::jobs(&crates));
    all.extend(release_code::jobs(&crates)?);
    all.push(Job::new("examples in the documentation", examples));
    all.extend(short.into_iter().map(|binary| binary.job(TestGroup::Shared, tier)));
    Ok(all)
}

/// The tests of a group, of every binary: one without any ends at once.
fn tests_of(group: TestGroup, tier: Tier, artifacts: &[Artifact]) -> Vec<Job> {
    TestBinary::among(artifacts).iter().map(|binary| binary.job(group, tier)).collect()
}

/// The solver as its users build it: without the engines of sokosearch, which the workspace always has.
fn solver_without_engines() -> anyhow::Result<()> {
    let mut command = cargo(&["check", "--package", "sokosolver"]);
    command.env("RUSTFLAGS", "-D warnings");
    workspace::run(command)
}

/// The targets of Windows that a plug-in is built for.
const WINDOWS_TARGETS: [&str; 4] =
    ["x86_64-pc-windows-gnu", "i686-pc-windows-gnu", "x86_64-pc-windows-msvc", "i686-pc-windows-msvc"];

/// What the plug-in has for Windows, read by the compiler: its own code on any system, and all of it for the targets
/// whose standard library is installed.
fn code_of_windows() -> anyhow::Result<()> {
    let check = |target: Option<&str>, flags: &str| {
        let mut command = cargo(&["check", "--package", "sokoplugin", "--lib"]);
        command.env("RUSTFLAGS", flags);
        if let Some(target) = target {
            command.args(["--target", target]);
        }
        workspace::run(command)
    };
    check(None, "-D warnings --cfg soko_check_windows")?;
    for target in WINDOWS_TARGETS {
        if has_standard_library(target)? {
            check(Some(target), "-D warnings")?;
        } else {
            println!("note: the plug-in is not read for {target} (rustup target add {target})");
        }
    }
    Ok(())
}

/// Returns whether the compiler has the standard library of a target.
fn has_standard_library(target: &str) -> anyhow::Result<bool> {
    let output = Command::new("rustc").args(["--print", "target-libdir", "--target", target]).output()?;
    let folder = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    Ok(output.status.success() && std::path::Path::new(&folder).is_dir())
}

/// Memory and time, measured from outside; ten minutes on an idle machine.
fn limits() -> anyhow::Result<()> {
    workspace::run(cargo(&["xtask", "bench", "limits"]))
}
