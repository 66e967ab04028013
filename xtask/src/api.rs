//! `cargo xtask api`: the public surface of every library as a list in `docs/api`, and what a change of it asks for.
//!
//! ```text
//!   sources ──scan──▶ lines ──compare──▶ docs/api/CRATE.txt            the same, or `--update` writes them
//!                       └─────compare──▶ docs/api/released/CRATE.txt   the version in Cargo.toml tells of the change
//! ```
//!
//! A change is written only if the newest section of the crate's changelog names what has changed. A list that differs
//! from the one of the last release asks for a version: a line that is gone makes it incompatible.
//!
//! Compared, 2026-11-22: `cargo-semver-checks` and `cargo-public-api` know more, such as changed bounds of inferred
//! types. The first needs a release or a revision to build beside the checkout, and both read rustdoc's JSON, which
//! stable Rust does not write; each takes minutes for five crates. The list here takes a tenth of a second and no build,
//! and shows every change of the surface in the diff that makes it. The sources allow it: rustfmt lays them out, `lib.rs`
//! alone re-exports, the lint `unreachable_pub` refuses `pub` for what cannot be reached.

mod scan;

use std::collections::BTreeSet;
use std::fs;

use anyhow::{Context as _, bail, ensure};

use crate::source_tree::Tree;
use crate::workspace::{self, Metadata, Package};

/// The directories of the lists.
const LISTS: &str = "docs/api";
const RELEASED: &str = "docs/api/released";

/// The options of the command.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct ApiArgs {
    /// Write the lists, if the changelogs name what has changed
    #[arg(long)]
    update: bool,

    /// Write the lists of this crate as those of its released version
    #[arg(long, value_name = "CRATE", conflicts_with = "update")]
    released: Option<String>,
}

/// A library and what is known of its surface.
struct Library {
    name: String,
    version: String,
    changelog: String,
    /// The surface now, a line for each item.
    lines: Vec<String>,
    /// The list in `docs/api`, if there is one.
    listed: Option<Vec<String>>,
    /// The version and the list of the last release, if there was one.
    released: Option<(String, Vec<String>)>,
}

/// Runs the command.
pub(crate) fn run(args: &ApiArgs) -> anyhow::Result<()> {
    let libraries = libraries(&Tree::load(&workspace::root())?, &Metadata::load()?);
    if let Some(name) = &args.released {
        let library = libraries.iter().find(|library| library.name == *name).context("there is no such library")?;
        return library.write(RELEASED, &format!("{}\n{}", library.version, text(&library.lines)));
    }
    if args.update {
        for library in libraries.iter().filter(|library| library.listed.as_ref() != Some(&library.lines)) {
            let unnamed = library.unnamed();
            ensure!(
                unnamed.is_empty(),
                "crates/{}/CHANGELOG.md does not name what has changed: {}",
                library.name,
                unnamed.join(", ")
            );
            library.write(LISTS, &text(&library.lines))?;
            println!("{LISTS}/{}.txt: {} lines", library.name, library.lines.len());
        }
    }
    let libraries = libraries_now()?;
    let findings: Vec<_> = libraries.iter().flat_map(Library::check).collect();
    findings.iter().for_each(|finding| println!("{finding}"));
    if findings.is_empty() { Ok(()) } else { bail!("the public surface has changed") }
}

/// Returns what is wrong with the lists of a checkout.
pub(crate) fn check(tree: &Tree, metadata: &Metadata) -> Vec<String> {
    libraries(tree, metadata).iter().flat_map(Library::check).collect()
}

fn libraries_now() -> anyhow::Result<Vec<Library>> {
    Ok(libraries(&Tree::load(&workspace::root())?, &Metadata::load()?))
}

/// The published crates with a `lib.rs`.
fn libraries(tree: &Tree, metadata: &Metadata) -> Vec<Library> {
    let is_library = |name: &str| tree.has(&format!("crates/{name}/src/lib.rs"));
    let packages = metadata.packages.iter().filter(|package| package.is_published() && is_library(&package.name));
    let library = |package: &Package| {
        let name = &package.name;
        let list = |dir: &str| tree.text(&format!("{dir}/{name}.txt")).map(str::to_owned);
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        let released = list(RELEASED).and_then(|text| {
            let (version, rest) = text.split_once('\n')?;
            Some((version.to_owned(), lines(rest)))
        });
        Library {
            name: name.clone(),
            version: package.version.clone(),
            changelog: tree.text(&format!("crates/{name}/CHANGELOG.md")).unwrap_or_default().to_owned(),
            lines: scan::surface(tree.with_extension("rs").filter_map(|file| {
                let below = file.path.strip_prefix(&format!("crates/{name}/src/"))?;
                (!below.split('/').any(|part| part.trim_end_matches(".rs").ends_with("tests"))).then_some(&*file.text)
            })),
            listed: list(LISTS).as_deref().map(lines),
            released,
        }
    };
    packages.map(library).collect()
}

impl Library {
    fn write(&self, dir: &str, text: &str) -> anyhow::Result<()> {
        let dir = workspace::root().join(dir);
        fs::create_dir_all(&dir).with_context(|| format!("making {}", dir.display()))?;
        let path = dir.join(format!("{}.txt", self.name));
        fs::write(&path, text).with_context(|| format!("writing {}", path.display()))
    }

    fn check(&self) -> Vec<String> {
        let mut findings = Vec::new();
        if self.listed.as_ref() != Some(&self.lines) {
            let (gone, new) = differences(self.listed.as_deref().unwrap_or_default(), &self.lines);
            let name = &self.name;
            findings.push(format!(
                "{LISTS}/{name}.txt: {} lines are gone and {} new; name them in crates/{name}/CHANGELOG.md, then run \
                 `cargo xtask api --update`",
                gone.len(),
                new.len()
            ));
        }
        if let Some((released, lines)) = &self.released {
            let (gone, new) = differences(lines, &self.lines);
            let needed = if gone.is_empty() { SurfaceChange::Compatible } else { SurfaceChange::Incompatible };
            let has_changed = !gone.is_empty() || !new.is_empty();
            if has_changed && !is_enough(released, &self.version, needed) {
                let what = if needed == SurfaceChange::Incompatible { "an incompatible" } else { "a new" };
                findings.push(format!("{}: {} after {released} is not {what} version", self.name, self.version));
            }
        }
        findings
    }

    /// The items whose lines have changed since the list was written and that the newest section of the changelog does
    /// not name. A list that is written for the first time has none.
    fn unnamed(&self) -> Vec<String> {
        let Some(listed) = &self.listed else { return Vec::new() };
        let (gone, new) = differences(listed, &self.lines);
        let newest = self.changelog.split("\n## ").nth(1).unwrap_or_default();
        let words: BTreeSet<_> = newest.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        let owners: BTreeSet<_> = gone.iter().chain(&new).map(|line| owner(line)).collect();
        owners.into_iter().filter(|owner| !words.contains(owner)).map(str::to_owned).collect()
    }
}

/// Whether a change breaks those who use a crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SurfaceChange {
    Compatible,
    Incompatible,
}

/// Whether a version, after another one, tells of a change: by semantic versioning as cargo reads it.
fn is_enough(before: &str, now: &str, needed: SurfaceChange) -> bool {
    let numbers = |version: &str| {
        let mut parts = version.split(['.', '-', '+']).map(|part| part.parse::<u64>().unwrap_or(0));
        [(); 3].map(|()| parts.next().unwrap_or(0))
    };
    let (before, now) = (numbers(before), numbers(now));
    let first = before.iter().position(|&number| number > 0).unwrap_or(2);
    now > before && (needed == SurfaceChange::Compatible || now[..=first] > before[..=first])
}

/// The lines that are only in the first list, and those that are only in the second.
fn differences<'a>(before: &'a [String], now: &'a [String]) -> (Vec<&'a str>, Vec<&'a str>) {
    let only = |one: &'a [String], other: &'a [String]| {
        let other: BTreeSet<_> = other.iter().collect();
        one.iter().filter(|line| !other.contains(line)).map(String::as_str).collect()
    };
    (only(before, now), only(now, before))
}

/// The item that a line belongs to: its first word.
fn owner(line: &str) -> &str {
    line.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default()
}

fn text(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn library(listed: Option<&[&str]>, now: &[&str], newest: &str) -> Library {
        let lines = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
        Library {
            name: "a".to_owned(),
            version: "0.2.0".to_owned(),
            changelog: format!("# Changelog\n\n## [Unreleased]\n\n{newest}\n\n## [0.1.0]\n\n- `Old`\n"),
            lines: lines(now),
            listed: listed.map(lines),
            released: None,
        }
    }

    #[test]
    fn a_change_is_named_in_the_changelog() {
        let (before, now) = (["Old: fn a()", "Same: struct"], ["New: fn b()", "Same: struct"]);
        assert_eq!(library(Some(&before), &now, "- `New` instead of another").unnamed(), ["Old"]);
        assert!(library(Some(&before), &now, "- `New` instead of `Old`").unnamed().is_empty());
        assert!(library(None, &now, "").unnamed().is_empty());
    }

    #[test]
    fn a_list_that_differs_is_found() {
        assert_eq!(library(Some(&["A: struct"]), &["A: struct"], "").check(), [""; 0]);
        let found = library(Some(&["A: struct", "B: enum"]), &["A: struct", "C: enum"], "").check();
        assert!(found[0].contains("1 lines are gone and 1 new"), "{found:?}");
        assert_eq!(library(None, &["A: struct"], "").check().len(), 1);
    }

    #[test]
    fn a_released_surface_asks_for_a_version() {
        let mut library = library(Some(&["A: struct"]), &["A: struct"], "");
        let mut check = |released: &str, line: &str| {
            library.released = Some((released.to_owned(), vec![line.to_owned()]));
            library.check().len()
        };
        assert_eq!(check("0.2.0", "A: struct"), 0);
        assert_eq!(check("0.2.0", "B: struct"), 1);
        assert_eq!(check("0.1.9", "B: struct"), 0);
    }

    #[test]
    fn versions_count_as_cargo_counts_them() {
        let check = |before: &str, now: &str| {
            [SurfaceChange::Compatible, SurfaceChange::Incompatible].map(|needed| is_enough(before, now, needed))
        };
        assert_eq!(check("1.2.3", "1.2.3"), [false, false]);
        assert_eq!(check("1.2.3", "1.3.0"), [true, false]);
        assert_eq!(check("1.2.3", "2.0.0"), [true, true]);
        assert_eq!(check("0.2.3", "0.2.4"), [true, false]);
        assert_eq!(check("0.2.3", "0.3.0"), [true, true]);
        assert_eq!(check("0.0.3", "0.0.4"), [true, true]);
    }
}
