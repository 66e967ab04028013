//! The test binaries of the workspace, in an order that ends early.
//!
//! `cargo test` runs them one after the other, and each ends with its slowest test alone on one core. Here they are
//! [`jobs`] of which two run at a time.

use std::num::NonZero;
use std::path::PathBuf;
use std::process::Command;
use std::thread;

use crate::ci::artifacts::Artifact;
use crate::ci::jobs::{self, Job};
use crate::ci::{FULL, Tier};

/// The variable that test binaries read.
const TEST_THREADS: &str = "RUST_TEST_THREADS";

/// Packages with long tests, the longest first: started last, they would run alone.
const LONG: [&str; 6] = ["sokosolver", "sokocli", "sokoweb", "sokomethods", "sokoio", "sokosearch"];

/// The package whose tests mostly wait for programs that they start: it has a thread for each core.
const WAITS: &str = "sokocli";

/// The modules of the tests that wait for time-outs, and of those that keep to a time.
const TIME_OUTS: &str = "time_outs::";
const TIMED: &str = "timed::";

/// Which tests of a binary run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TestGroup {
    /// Those that may run beside others.
    Shared,
    /// Those that wait for time-outs, and leave most of their cores idle: they run beside others of their group.
    TimeOuts,
    /// Those that keep to a time, one after the other: whatever runs beside them may delay them.
    Timed,
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
    /// Returns the binaries among what was built, those of long tests first.
    pub(crate) fn among(artifacts: &[Artifact]) -> Vec<Self> {
        let mut all: Vec<_> = artifacts.iter().filter_map(Self::of).collect();
        all.sort_by_key(Self::place);
        all
    }

    /// Returns the binary that an artifact is, if it is one of tests: benches and examples are only built.
    fn of(artifact: &Artifact) -> Option<Self> {
        let is_test = artifact.is_for_tests && !artifact.is_of_kind("bench") && !artifact.is_of_kind("example");
        let executable = artifact.executable.clone().filter(|_| is_test)?;
        Some(Self { directory: artifact.directory()?.to_path_buf(), target: artifact.name.clone(), executable })
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

    /// Returns the run of a group of its tests, as `cargo test` starts it.
    pub(crate) fn job(&self, group: TestGroup, tier: Tier) -> Job {
        let mut command = Command::new(&self.executable);
        command.current_dir(&self.directory).env("CARGO_MANIFEST_DIR", &self.directory);
        match group {
            TestGroup::Shared => command.args(["--skip", TIME_OUTS, "--skip", TIMED]),
            TestGroup::TimeOuts => command.args([TIME_OUTS, "--test-threads", "2"]),
            TestGroup::Timed => command.args([TIMED, "--test-threads", "1"]),
        };
        if group == TestGroup::Shared && std::env::var_os(TEST_THREADS).is_none() {
            // No more threads than cargo would use in all.
            let n_cores = thread::available_parallelism().map_or(1, NonZero::get);
            let n_threads = if self.package() == WAITS { n_cores } else { (n_cores / jobs::AT_ONCE).max(1) };
            command.env(TEST_THREADS, n_threads.to_string());
        }
        if tier == Tier::Full {
            command.env(FULL, "1");
        }
        let kind = match group {
            TestGroup::Shared => "tests",
            TestGroup::TimeOuts => "time-outs",
            TestGroup::Timed => "timed tests",
        };
        Job::new(format!("{kind} of {}: {}", self.package(), self.target), command)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn artifact(package: &str, name: &str, kind: &str, is_for_tests: bool) -> Artifact {
        Artifact {
            manifest_path: format!("/root/crates/{package}/Cargo.toml").into(),
            name: name.into(),
            kinds: vec![kind.into()],
            is_for_tests,
            executable: Some(format!("/root/target/{name}-1").into()),
            ..Artifact::default()
        }
    }

    #[test]
    fn tests_are_found_and_long_ones_are_first() {
        let artifacts = [
            artifact("sokocore", "sokocore", "lib", true),
            artifact("sokocore", "sokocore", "lib", false),
            artifact("sokocore", "replay", "example", true),
            artifact("sokosearch", "kernels", "bench", true),
            artifact("sokocli", "cli", "test", true),
            artifact("sokosolver", "it", "test", true),
        ];
        let found = TestBinary::among(&artifacts);
        let names: Vec<_> = found.iter().map(|binary| (binary.package(), &*binary.target, binary.is_long())).collect();
        assert_eq!(names, [("sokosolver", "it", true), ("sokocli", "cli", true), ("sokocore", "sokocore", false)]);
        assert_eq!(found[0].executable, Path::new("/root/target/it-1"));
    }
}
