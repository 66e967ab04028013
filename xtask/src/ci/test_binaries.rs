//! The test binaries of the workspace: what cargo says that it has built, in an order that ends early.
//!
//! `cargo test` runs them one after the other, and each ends with its slowest test alone on one core. Here they are
//! [`jobs`] of which two run at a time.

use std::num::NonZero;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;

use anyhow::{Context as _, ensure};
use serde::Deserialize;

use crate::ci::jobs::{self, Job};
use crate::ci::{FULL, Tier};

/// The variable that test binaries read.
const TEST_THREADS: &str = "RUST_TEST_THREADS";

/// Packages with long tests, the longest first: started last, they would run alone.
const LONG: [&str; 4] = ["sokosolver", "sokocli", "sokoio", "sokomethods"];

/// A line of what cargo prints with `--message-format=json`, as far as it concerns tests.
#[derive(Debug, Deserialize)]
struct BuildMessage {
    manifest_path: Option<PathBuf>,
    target: Option<BuildTarget>,
    profile: Option<BuildProfile>,
    executable: Option<PathBuf>,
}

#[derive(Debug, Deserialize)]
struct BuildTarget {
    name: String,
    kind: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct BuildProfile {
    test: bool,
}

/// One binary of tests.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TestBinary {
    /// The directory of its package, where its tests run.
    directory: PathBuf,
    /// The name of its target.
    target: String,
    executable: PathBuf,
}

impl TestBinary {
    /// Runs a build that ends with `--no-run`, and returns the binaries, those of long tests first.
    ///
    /// # Errors
    /// Cargo cannot be started, or the build fails.
    pub(crate) fn build(mut command: Command) -> anyhow::Result<Vec<Self>> {
        command.arg("--message-format=json-render-diagnostics").stderr(Stdio::inherit());
        let output = command.output().context("starting the build of the tests")?;
        ensure!(output.status.success(), "the build of the tests failed ({})", output.status);
        Self::read(&String::from_utf8_lossy(&output.stdout))
    }

    fn read(messages: &str) -> anyhow::Result<Vec<Self>> {
        let mut all = Vec::new();
        for line in messages.lines() {
            let message: BuildMessage = serde_json::from_str(line).context("reading what cargo printed")?;
            all.extend(Self::of(message));
        }
        all.sort_by_key(Self::place);
        Ok(all)
    }

    /// Returns the binary of a message, if it is one of tests: benches and examples are only built.
    fn of(message: BuildMessage) -> Option<Self> {
        let target = message.target?;
        let only_built = target.kind.iter().any(|kind| kind == "bench" || kind == "example");
        let is_test = message.profile?.test && !only_built;
        let directory = message.manifest_path?.parent()?.to_path_buf();
        is_test.then_some(Self { directory, target: target.name, executable: message.executable? })
    }

    /// The name of the package's directory, which is that of the package.
    fn package(&self) -> &str {
        self.directory.file_name().and_then(|name| name.to_str()).unwrap_or_default()
    }

    /// The place in the order of the runs.
    fn place(&self) -> usize {
        LONG.iter().position(|&name| name == self.package()).unwrap_or(LONG.len())
    }

    /// Returns whether its package has long tests.
    pub(crate) fn is_long(&self) -> bool {
        self.place() < LONG.len()
    }

    /// Returns the run of its tests, as `cargo test` starts it.
    pub(crate) fn job(&self, tier: Tier) -> Job {
        let mut command = Command::new(&self.executable);
        command.current_dir(&self.directory).env("CARGO_MANIFEST_DIR", &self.directory);
        if std::env::var_os(TEST_THREADS).is_none() {
            // No more threads than cargo would use: some tests keep to a time.
            let n_cores = thread::available_parallelism().map_or(1, NonZero::get);
            command.env(TEST_THREADS, (n_cores / jobs::AT_ONCE).max(1).to_string());
        }
        if tier == Tier::Full {
            command.env(FULL, "1");
        }
        Job::new(format!("tests of {}: {}", self.package(), self.target), command)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn line(package: &str, name: &str, kind: &str, test: bool) -> String {
        let path = format!("/root/crates/{package}/Cargo.toml");
        let executable = format!("/root/target/{name}-1");
        serde_json::json!({
            "reason": "compiler-artifact",
            "manifest_path": path,
            "target": { "name": name, "kind": [kind], "src_path": "" },
            "profile": { "test": test, "opt_level": "1" },
            "executable": executable,
        })
        .to_string()
    }

    #[test]
    fn tests_are_found_and_long_ones_are_first() {
        let lines = [
            line("sokocore", "sokocore", "lib", true),
            line("sokocore", "sokocore", "lib", false),
            line("sokocore", "replay", "example", true),
            line("sokosearch", "kernels", "bench", true),
            line("sokocli", "cli", "test", true),
            line("sokosolver", "it", "test", true),
            r#"{"reason":"build-script-executed","package_id":"x"}"#.into(),
            r#"{"reason":"build-finished","success":true}"#.into(),
        ];
        let found = TestBinary::read(&lines.join("\n")).unwrap();
        let names: Vec<_> = found.iter().map(|binary| (binary.package(), &*binary.target, binary.is_long())).collect();
        assert_eq!(names, [("sokosolver", "it", true), ("sokocli", "cli", true), ("sokocore", "sokocore", false)]);
        assert_eq!(found[0].executable, Path::new("/root/target/it-1"));
        assert!(TestBinary::read("not json").is_err());
    }
}
