//! The campaign `mutation-tests`: small changes to the parts that everything else believes, and whether a test notices.
//!
//! ```text
//!   cargo mutants --list ──▶ Mutant ──▶ Schema of each file ──▶ SchemaBuild: one build for all mutants of a group
//!                                                                  │ one mutant switched on at a time
//!                                                                  ▼
//!                                        quick tests of all mutants ──▶ all tests of those that are left ──▶ killed,
//!                                                                                           or survived: a defect
//! ```
//!
//! Groups of files are tried one after the other, each by the tests of its own package. What was killed is written into
//! `killed.txt` of the group and not tried again, and what a list of quick tests does not kill into `passed-1.txt` and so
//! on, so that a group that was not done continues where it was. All tests are asked of whatever is not killed. A mutant
//! that survives counts as a defect until a test is written, or `docs/trust.md` says why none can be.
//!
//! * [`mutant`]: what cargo-mutants lists. [`schema`]: a file with all its mutants. [`schema_build`]: their build.

mod mutant;
mod schema;
mod schema_build;

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, ensure};
use sokosearch::Clock;

use self::mutant::Mutant;
use self::schema_build::SchemaBuild;
use super::run::CampaignRun;
use super::soko::Desk;

/// Files that are changed together, and what tests them.
struct Group {
    name: &'static str,
    package: &'static str,
    files: &'static [&'static str],
    /// The tests to build.
    tests: &'static [&'static str],
    /// Tests that are asked before all, the quickest first: each of these is a list of words in their names, or of options
    /// that leave slow ones out.
    first: &'static [&'static [&'static str]],
}

/// Every group, the parts first that the fewest other checks stand behind.
const GROUPS: [Group; 5] = [
    Group {
        name: "core",
        package: "sokocore",
        files: &["replay.rs", "metrics.rs", "objective.rs", "lurd.rs", "level.rs", "grid.rs", "lower_bound.rs"],
        tests: &["--lib", "--test", "it"],
        first: &[],
    },
    Group {
        name: "core-deadlocks",
        package: "sokocore",
        files: &["deadlock/**"],
        tests: &["--lib", "--test", "it"],
        first: &[&["deadlock"]],
    },
    Group {
        name: "account",
        package: "sokosearch",
        files: &["run/memory.rs", "run/budget.rs"],
        tests: &["--lib"],
        first: &[&["run::"]],
    },
    Group {
        name: "solver-deadlocks-and-bounds",
        package: "sokosolver",
        files: &["deadlock/**", "bound/**", "level_bounds.rs", "level_bounds/**"],
        tests: &["--lib"],
        first: &[
            &["deadlock::", "bound::"],
            &["level_bounds::", "small_levels", "tests::bounds", "tests::techniques", "analysis::", "compact::"],
        ],
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
            "collection.rs",
            "collection/**",
        ],
        tests: &["--lib", "--test", "it"],
        first: &[
            &["--skip=random", "--skip=formats", "--skip=fuzz", "--skip=linear", "--skip=every", "--skip=lock_file"],
            &["--skip=bombs", "--skip=fuzz", "--skip=linear", "--skip=xml_is_read", "--skip=lock_file"],
        ],
    },
];

/// A mutant is killed, too, if the tests take so many times as long as without it, and some seconds more.
const MOST_TIMES: u32 = 4;
const MORE_TIME: Duration = Duration::from_secs(10);
/// Most time for the tests without a mutant.
const LONGEST: Duration = Duration::from_secs(600);

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
    let mutants = Mutant::list(group.package, group.files)?;
    let build = SchemaBuild::new(&folder, group.package, group.tests, &mutants)?;
    let trial = Trial::new(&build, group.first)?;
    let mut killed = Names::open(&folder.join("killed.txt"))?;
    let is_left = |number: &usize| !killed.names.contains(&*mutants[*number].name);
    let mut left: Vec<usize> = build.placed().iter().copied().filter(is_left).collect();
    let mut survivors = Vec::new();
    for (at, list) in trial.lists.iter().enumerate() {
        let is_last = at + 1 == trial.lists.len();
        let mut passed = Names::open(&folder.join(format!("passed-{}.txt", at + 1)))?;
        for number in std::mem::take(&mut left) {
            let name = &*mutants[number].name;
            if !run.has_time() || (!is_last && passed.names.contains(name)) {
                left.push(number);
            } else if trial.is_noticed(Some(number), list)? {
                killed.add(name)?;
                run.tried(1)?;
            } else if is_last {
                survivors.push(name);
                run.tried(1)?;
            } else {
                passed.add(name)?;
                left.push(number);
            }
        }
    }
    let names = mutants.iter().map(|mutant| &*mutant.name);
    let n_killed = names.filter(|name| killed.names.contains(*name)).count();
    let left_out = mutants.iter().enumerate().filter(|(number, _)| !build.placed().contains(number));
    let left_out: Vec<_> = left_out.map(|(_, mutant)| &*mutant.name).collect();
    let left_out_path = folder.join("left-out.txt");
    fs::write(&left_out_path, left_out.join("\n")).context("cannot write the mutants that are left out")?;
    run.log(&format_args!(
        "{}: {} mutants, {n_killed} killed, {} survived, {} not tried, {} left out, see {}",
        group.name,
        mutants.len(),
        survivors.len(),
        left.len(),
        left_out.len(),
        left_out_path.display()
    ))?;
    for name in survivors {
        run.defect(&format!("survives: {name}"), &format!("mutation-tests --only {}", group.name), "")?;
    }
    Ok(())
}

/// The tests of a build.
struct Trial<'a> {
    build: &'a SchemaBuild,
    /// Asked about all mutants one list after the other, since the quickest tests kill most; the last is all tests.
    lists: Vec<TestList>,
    desk: Desk,
}

/// Tests that are run together.
struct TestList {
    /// Arguments of a test program that choose them.
    chosen: &'static [&'static str],
    /// Most time that they may take.
    limit: Duration,
}

impl<'a> Trial<'a> {
    /// Runs the tests without a mutant, which must succeed.
    fn new(build: &'a SchemaBuild, first: &'static [&'static [&'static str]]) -> anyhow::Result<Self> {
        // It has no program of its own: it runs those of the build.
        let desk = Desk::new(Path::new("cargo"))?;
        let mut trial = Self { build, lists: Vec::new(), desk };
        for chosen in first.iter().copied().chain([&[][..]]) {
            let clock = Clock::start();
            let is_noticed = trial.is_noticed(None, &TestList { chosen, limit: LONGEST })?;
            ensure!(!is_noticed, "the tests fail without a mutant");
            trial.lists.push(TestList { chosen, limit: clock.elapsed() * MOST_TIMES + MORE_TIME });
        }
        Ok(trial)
    }

    /// Whether a test of a list fails or does not end.
    fn is_noticed(&self, mutant: Option<usize>, list: &TestList) -> anyhow::Result<bool> {
        for mut command in self.build.commands(mutant) {
            command.args(list.chosen);
            if !self.desk.run(command, list.limit)?.status.is_some_and(|status| status.success()) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Names of mutants, of this run and those before.
struct Names {
    names: BTreeSet<String>,
    file: File,
}

impl Names {
    fn open(path: &Path) -> anyhow::Result<Self> {
        let names = fs::read_to_string(path).unwrap_or_default().lines().map(str::to_owned).collect();
        let file = File::options().create(true).append(true).open(path);
        Ok(Self { names, file: file.with_context(|| format!("cannot open {}", path.display()))? })
    }

    fn add(&mut self, name: &str) -> anyhow::Result<()> {
        self.names.insert(name.to_owned());
        writeln!(self.file, "{name}").context("cannot write what became of a mutant")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::root;

    #[test]
    fn mutants_that_were_killed_are_known_in_the_next_run() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("killed.txt");
        Names::open(&path).unwrap().add("a.rs:1:2: replace + with -").unwrap();
        let mut again = Names::open(&path).unwrap();
        again.add("b").unwrap();
        assert_eq!(Names::open(&path).unwrap().names, again.names);
        assert_eq!(again.names.len(), 2);
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
