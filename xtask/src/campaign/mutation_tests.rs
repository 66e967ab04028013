//! The campaign `mutation-tests`: small changes to the parts that everything else believes, and whether a test notices.
//!
//! It needs cargo-mutants. Groups of files are tried one after the other, each by the tests of its own package; a group
//! that was not done continues where it was, since what a test has noticed is not tried again. A change that no test
//! notices counts as a defect until a test is written, or `docs/trust.md` says why none can be.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, ensure};

use super::run::CampaignRun;
use crate::workspace::root;

/// Files that are changed together, and what tests them.
struct Group {
    name: &'static str,
    package: &'static str,
    files: &'static [&'static str],
    /// Arguments for the tests.
    tests: &'static [&'static str],
}

/// Every group, the parts first that the fewest other checks stand behind.
const GROUPS: [Group; 5] = [
    Group {
        name: "core",
        package: "sokocore",
        files: &["replay.rs", "metrics.rs", "objective.rs", "lurd.rs", "level.rs", "grid.rs", "lower_bound.rs"],
        tests: &["--lib", "--test", "it"],
    },
    Group { name: "core-deadlocks", package: "sokocore", files: &["deadlock/**"], tests: &["--lib", "--test", "it"] },
    Group { name: "account", package: "sokosearch", files: &["run/memory.rs", "run/budget.rs"], tests: &["--lib"] },
    Group {
        name: "solver-deadlocks-and-bounds",
        package: "sokosolver",
        files: &["deadlock/**", "bound/**", "level_bounds.rs", "level_bounds/**"],
        tests: &["--lib"],
    },
    Group {
        name: "parsing",
        package: "sokoio",
        files: &[
            "read.rs",
            "read/**",
            "text/**",
            "outline.rs",
            "outline/**",
            "game.rs",
            "game/**",
            "format.rs",
            "level_id.rs",
            "collection/**",
        ],
        tests: &["--lib", "--test", "it"],
    },
];

/// How often it is asked whether a group is done.
const TICK: Duration = Duration::from_millis(200);

/// Tries every group, as far as the time lasts.
pub(super) fn run(run: &mut CampaignRun) -> anyhow::Result<()> {
    for group in run.chosen(GROUPS.into(), |group| group.name)? {
        if !run.has_time() {
            run.log(&format_args!("no time was left for {}", group.name))?;
            continue;
        }
        try_group(run, &group)?;
    }
    Ok(())
}

fn try_group(run: &mut CampaignRun, group: &Group) -> anyhow::Result<()> {
    let folder = run.folder().join(group.name);
    fs::create_dir_all(&folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let before = Score::read(&folder);
    let mut command = Command::new("cargo");
    command.current_dir(root()).stdin(Stdio::null());
    command.args(["mutants", "--package", group.package, "--jobs", "1", "--iterate", "--no-shuffle", "--output"]);
    command.arg(&folder);
    for file in group.files {
        command.args(["--file", &format!("crates/{}/src/{file}", group.package)]);
    }
    command.arg("--").args(group.tests);
    let mut child = command.spawn().context("cannot start cargo")?;
    while child.try_wait().context("cannot wait for cargo")?.is_none() {
        thread::sleep(TICK);
        if !run.has_time() {
            interrupt(&mut child)?;
        }
    }
    let after = Score::read(&folder);
    ensure!(
        after.n_tried() > 0 || !run.has_time(),
        "no change was tried; install cargo-mutants with `cargo install cargo-mutants`"
    );
    run.tried(after.n_tried().saturating_sub(before.n_tried()))?;
    run.log(&format_args!(
        "{}: {} noticed, {} not, {} do not build",
        group.name,
        after.caught,
        after.missed.len(),
        after.unviable
    ))?;
    for change in after.missed {
        run.defect(&format!("no test notices: {change}"), "mutation-tests", "")?;
    }
    Ok(())
}

/// Ends cargo-mutants as a user does, so that it ends its tests and removes its copy of the tree. What it has tried is in
/// its files.
fn interrupt(child: &mut Child) -> anyhow::Result<()> {
    let asked = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    if !asked.is_ok_and(|status| status.success()) {
        child.kill().context("cannot end cargo")?;
    }
    child.wait().context("cannot wait for cargo")?;
    Ok(())
}

/// What is known of a group.
#[derive(Debug, Default)]
struct Score {
    /// Changes that a test has noticed, by failing or by not ending.
    caught: u64,
    unviable: u64,
    missed: Vec<String>,
}

impl Score {
    /// Reads the files of cargo-mutants; nothing is known without them.
    fn read(folder: &Path) -> Self {
        let lines = |name: &str| -> Vec<String> {
            let text = fs::read_to_string(folder.join("mutants.out").join(name)).unwrap_or_default();
            text.lines().map(str::to_owned).collect()
        };
        let count = |name| lines(name).len() as u64;
        let caught = count("caught.txt") + count("previously_caught.txt") + count("timeout.txt");
        Self { caught, unviable: count("unviable.txt"), missed: lines("missed.txt") }
    }

    const fn n_tried(&self) -> u64 {
        self.caught + self.unviable + self.missed.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_read_from_the_files_of_cargo_mutants() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Score::read(folder.path()).n_tried(), 0);
        let out = folder.path().join("mutants.out");
        fs::create_dir(&out).unwrap();
        for (name, text) in [("caught.txt", "a\nb\n"), ("missed.txt", "c\n"), ("timeout.txt", "d\n")] {
            fs::write(out.join(name), text).unwrap();
        }
        let score = Score::read(folder.path());
        assert_eq!((score.caught, score.missed, score.unviable), (3, vec!["c".to_owned()], 0));
    }

    #[test]
    fn every_file_is_there() {
        for group in GROUPS {
            for file in group.files {
                let path = root().join(format!("crates/{}/src/{}", group.package, file.trim_end_matches("/**")));
                assert!(path.exists(), "{}", path.display());
            }
        }
    }
}
