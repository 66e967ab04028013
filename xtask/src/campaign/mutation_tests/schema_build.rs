//! A copy of the checkout in which a package has all its mutants, and the build of its tests.
//!
//! Mutants that the compiler refuses are taken out, as the messages name them, until the tests build: mostly they do not
//! build by themselves either. A function that is called where the program is built gets its `const` back.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail, ensure};
use serde_json::Value;

use super::mutant::Mutant;
use super::schema::{MutantNumber, SWITCH, Schema};
use crate::workspace::root;

/// Most builds before the last.
const MAX_BUILDS: usize = 40;
/// The environment variable with the number of the mutant that is switched on.
pub(super) const SWITCHED_ON: &str = "SOKO_MUTANT";

/// Test programs with mutants.
#[derive(Debug)]
pub(super) struct SchemaBuild {
    programs: Vec<PathBuf>,
    /// The folder of the package within the copy, where its tests run.
    folder: PathBuf,
    placed: BTreeSet<MutantNumber>,
}

/// A copy of the checkout.
#[derive(Debug)]
struct SchemaTree<'a> {
    /// Where the copy is.
    tree: PathBuf,
    package: &'a str,
    mutants: &'a [Mutant],
    /// The files of the package, as they are in the checkout.
    sources: BTreeMap<String, String>,
    /// Mutants that the compiler has refused.
    refused: BTreeSet<MutantNumber>,
    kept_const: BTreeSet<String>,
}

impl SchemaBuild {
    /// Copies the checkout into a folder, and builds these tests of a package with all mutants that can be built.
    ///
    /// # Errors
    /// Files cannot be copied, or the tests do not build without the mutants that the compiler refuses.
    pub(super) fn new(folder: &Path, package: &str, tests: &[&str], mutants: &[Mutant]) -> anyhow::Result<Self> {
        let mut tree = SchemaTree::copy(folder.join("tree"), package, mutants)?;
        for _ in 0..MAX_BUILDS {
            let placed = tree.write()?;
            let messages = tree.build(&folder.join("target"), tests)?;
            let errors: Vec<&Value> =
                messages.iter().filter(|message| message["message"]["level"] == "error").collect();
            if errors.is_empty() {
                let mut programs: Vec<PathBuf> = messages.iter().filter_map(test_program).collect();
                // The tests within the package are the quickest.
                programs.sort_by_key(|program| !is_named(program, package));
                ensure!(!programs.is_empty(), "the tests of {package} do not build, without a message of the compiler");
                return Ok(Self { programs, folder: tree.tree.join("crates").join(package), placed });
            }
            let mut has_changed = false;
            for error in &errors {
                has_changed |= tree.take_out(&error["message"])?;
            }
            if !has_changed {
                bail!("no mutant can be blamed: {}", errors[0]["message"]["rendered"].as_str().unwrap_or_default());
            }
        }
        bail!("the tests of {package} do not build with mutants")
    }

    /// Returns the mutants that can be switched on.
    pub(super) const fn placed(&self) -> &BTreeSet<MutantNumber> {
        &self.placed
    }

    /// Returns a command for each test program, with a mutant switched on or none.
    pub(super) fn commands(&self, mutant: Option<MutantNumber>) -> impl Iterator<Item = Command> {
        self.programs.iter().map(move |program| {
            let mut command = Command::new(program);
            command.current_dir(&self.folder).arg("-q");
            // What fails with a mutant is no case to remember, nor to make smaller.
            command.env("PROPTEST_DISABLE_FAILURE_PERSISTENCE", "1").env("PROPTEST_MAX_SHRINK_ITERS", "0");
            if let Some(number) = mutant {
                command.env(SWITCHED_ON, number.to_string());
            }
            command
        })
    }
}

impl<'a> SchemaTree<'a> {
    /// Copies the files that git knows.
    fn copy(tree: PathBuf, package: &'a str, mutants: &'a [Mutant]) -> anyhow::Result<Self> {
        let listed = Command::new("git").current_dir(root()).args(["ls-files", "-z"]).output();
        let listed = listed.context("cannot start git")?;
        ensure!(listed.status.success(), "git cannot list the files of the checkout");
        let within = format!("crates/{package}/src/");
        let mut sources = BTreeMap::new();
        for path in String::from_utf8_lossy(&listed.stdout).split_terminator('\0') {
            let (from, to) = (root().join(path), tree.join(path));
            if path.starts_with(&within) && path.ends_with(".rs") {
                let text = fs::read_to_string(&from).with_context(|| format!("cannot read {path}"))?;
                sources.insert(path.to_owned(), text);
            } else if from.is_file() {
                let bytes = fs::read(&from).with_context(|| format!("cannot read {path}"))?;
                write_if_changed(&to, &bytes)?;
            }
        }
        Ok(Self { tree, package, mutants, sources, refused: BTreeSet::new(), kept_const: BTreeSet::new() })
    }

    /// Writes the files of the package with the mutants that are left, and returns these.
    fn write(&self) -> anyhow::Result<BTreeSet<MutantNumber>> {
        let mut placed = BTreeSet::new();
        for (path, text) in &self.sources {
            let mutants: Vec<_> = self.mutants.iter().enumerate().filter(|(_, mutant)| mutant.file == *path).collect();
            let mutants: Vec<_> = mutants.into_iter().filter(|(number, _)| !self.refused.contains(number)).collect();
            let schema = Schema::of(text, &mutants, &self.kept_const).with_context(|| format!("cannot read {path}"))?;
            placed.extend(schema.placed());
            let mut rendered = schema.render(text);
            if path.ends_with("/src/lib.rs") {
                rendered += &switch();
            }
            write_if_changed(&self.tree.join(path), rendered.as_bytes())?;
        }
        Ok(placed)
    }

    /// Builds the tests; returns the messages of cargo.
    fn build(&self, target: &Path, tests: &[&str]) -> anyhow::Result<Vec<Value>> {
        let mut command = Command::new("cargo");
        command.current_dir(&self.tree).stdin(Stdio::null()).stderr(Stdio::null());
        command.env("CARGO_TARGET_DIR", target).env("RUSTFLAGS", "--cap-lints=allow");
        command.args(["test", "--no-run", "--message-format=json", "--package", self.package]).args(tests);
        let output = command.output().context("cannot start cargo")?;
        let lines = String::from_utf8_lossy(&output.stdout).into_owned();
        Ok(lines.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
    }

    /// Takes out the mutants that a message of the compiler blames; returns whether that changes anything.
    fn take_out(&mut self, message: &Value) -> anyhow::Result<bool> {
        if message["code"]["code"] == "E0015" {
            // "cannot call non-const function `path::name` in constants"
            let called = message["message"].as_str().unwrap_or_default().split('`').nth(1).unwrap_or_default();
            let name = called.split("::").last().unwrap_or_default();
            let name = name.split('<').next().unwrap_or_default();
            if name != SWITCH && self.kept_const.insert(name.to_owned()) {
                return Ok(true);
            }
        }
        let mut spans: Vec<&Value> = message["spans"].as_array().into_iter().flatten().collect();
        spans.sort_by_key(|span| span["is_primary"] != true);
        let children = message["children"].as_array().into_iter().flatten();
        spans.extend(children.filter_map(|child| child["spans"].as_array()).flatten());
        for span in spans {
            let Some(path) = span["file_name"].as_str().filter(|path| self.sources.contains_key(*path)) else {
                continue;
            };
            let text = fs::read_to_string(self.tree.join(path)).with_context(|| format!("cannot read {path}"))?;
            let line = |key: &str| span[key].as_u64().and_then(|line| usize::try_from(line).ok()).unwrap_or(0);
            let blamed = blamed(&text, line("line_start"), line("line_end"));
            let n_before = self.refused.len();
            self.refused.extend(blamed);
            if self.refused.len() > n_before {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The mutants on these lines, counted from one; if there are none, those on the nearest line before them within the same
/// function.
fn blamed(text: &str, first: usize, last: usize) -> Vec<MutantNumber> {
    let lines: Vec<&str> = text.lines().take(last).collect();
    let on_lines = lines.iter().skip(first.saturating_sub(1)).flat_map(|line| numbers(line));
    let on_lines: Vec<MutantNumber> = on_lines.collect();
    if !on_lines.is_empty() {
        return on_lines;
    }
    for line in lines.iter().rev() {
        let found = numbers(line);
        if !found.is_empty() || line.contains("fn ") {
            return found;
        }
    }
    Vec::new()
}

fn numbers(line: &str) -> Vec<MutantNumber> {
    let call = format!("crate::{SWITCH}(");
    line.split(&call).skip(1).filter_map(|call| call.split(')').next()?.parse().ok()).collect()
}

/// The program of a message that tests were built.
fn test_program(message: &Value) -> Option<PathBuf> {
    let is_test = message["reason"] == "compiler-artifact" && message["profile"]["test"] == true;
    message["executable"].as_str().filter(|_| is_test).map(PathBuf::from)
}

/// Whether a test program has the name of the package: it has the tests within it.
fn is_named(program: &Path, package: &str) -> bool {
    program.file_name().is_some_and(|name| name.to_string_lossy().starts_with(package))
}

/// The function that tells whether a mutant is switched on.
fn switch() -> String {
    format!(
        "
/// Whether the mutant of this number is switched on.
#[doc(hidden)]
pub fn {SWITCH}(number: u32) -> bool {{
    static ON: std::sync::OnceLock<u32> = std::sync::OnceLock::new();
    let on = ON.get_or_init(|| std::env::var(\"{SWITCHED_ON}\").ok().and_then(|on| on.parse().ok()).unwrap_or(u32::MAX));
    *on == number
}}
"
    )
}

/// Writes a file, unless it has these bytes: what has not changed is not built again.
fn write_if_changed(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    if fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    let folder = path.parent().context("a file is in a folder")?;
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutants_are_blamed_by_line_or_else_by_function() {
        let text = "fn f() {\nif crate::soko_mutant(1) { return 0; }\nif crate::soko_mutant(2) { return 1; }\na\n}\nfn g() {\na\n}";
        assert_eq!(blamed(text, 2, 2), [1]);
        assert_eq!(blamed(text, 2, 3), [1, 2]);
        assert_eq!(blamed(text, 4, 4), [2]);
        assert_eq!(blamed(text, 7, 7), [0; 0]);
    }
}
