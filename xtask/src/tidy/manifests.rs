//! Rules about one crate's manifest and the papers beside it, and about the order of the workspace's members.

use toml::Table;

use crate::source_tree::Tree;
use crate::tidy::Finding;
use crate::workspace::{self, Metadata, Package};

/// Applies every rule about a single crate.
pub(crate) fn check(package: &Package, tree: &Tree) -> Vec<Finding> {
    let root = workspace::root();
    let dir = package.dir().strip_prefix(&root).unwrap_or(package.dir()).to_string_lossy().replace('\\', "/");
    let mut findings = Vec::new();
    findings.extend(own_version(package, tree.text(&format!("{dir}/Cargo.toml")).unwrap_or_default()));
    if package.is_published() {
        findings.extend(complete(package));
        findings.extend(papers(package, &dir, tree));
    }
    findings
}

/// A crate is released when it changes, not when its neighbors do; and the lints of the workspace hold everywhere.
fn own_version(package: &Package, manifest: &str) -> Vec<Finding> {
    let Ok(table) = manifest.parse::<Table>() else {
        return vec![Finding::error(&*package.name, "its Cargo.toml is missing or is not TOML")];
    };
    let version = table.get("package").and_then(|section| section.get("version"));
    let lints = table.get("lints").and_then(|section| section.get("workspace"));
    let mut findings = Vec::new();
    if !version.is_some_and(toml::Value::is_str) {
        findings.push(Finding::error(&*package.name, "write its own version, do not inherit the workspace's"));
    }
    if lints.and_then(toml::Value::as_bool) != Some(true) {
        findings.push(Finding::error(&*package.name, "add [lints] workspace = true"));
    }
    findings
}

fn complete(package: &Package) -> Vec<Finding> {
    let fields = [
        ("description", &package.description),
        ("license", &package.license),
        ("readme", &package.readme),
        ("repository", &package.repository),
    ];
    let missing = fields.iter().filter(|(_, value)| value.as_ref().is_none_or(|text| text.trim().is_empty()));
    missing.map(|(field, _)| Finding::error(&*package.name, format!("its manifest has no {field}"))).collect()
}

fn papers(package: &Package, dir: &str, tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    if tree.text(&format!("{dir}/README.md")).is_none_or(|text| text.trim().is_empty()) {
        findings.push(Finding::error(&*package.name, format!("{dir}/README.md is missing or empty")));
    }
    match tree.text(&format!("{dir}/CHANGELOG.md")) {
        None => findings.push(Finding::error(&*package.name, format!("{dir}/CHANGELOG.md is missing"))),
        Some(text) if !has_entry(text, &package.version) => {
            let message = format!("{dir}/CHANGELOG.md has no section for {} nor an Unreleased one", package.version);
            findings.push(Finding::error(&*package.name, message));
        }
        Some(_) => {}
    }
    findings
}

fn has_entry(changelog: &str, version: &str) -> bool {
    let headings = changelog.lines().filter_map(|line| line.strip_prefix("## "));
    let mut names = headings.filter_map(|heading| heading.split_whitespace().next());
    names.any(|name| {
        let name = name.trim_matches(['[', ']']);
        name == version || name == "Unreleased"
    })
}

/// Members stand in the order of release: every crate after the crates that it is built with.
pub(crate) fn check_order(metadata: &Metadata, tree: &Tree) -> Vec<Finding> {
    let members = members(tree.text("Cargo.toml").unwrap_or_default());
    let place = |name: &str| members.iter().position(|member| member == name);
    let mut findings = Vec::new();
    for package in &metadata.packages {
        let Some(own) = place(&package.name) else {
            findings.push(Finding::error("Cargo.toml", format!("{} is not in a directory of its name", package.name)));
            continue;
        };
        for later in package.built_with().filter(|name| place(name).is_some_and(|at| at > own)) {
            findings.push(Finding::error("Cargo.toml", format!("members: {later} comes before {}", package.name)));
        }
    }
    findings
}

/// Returns the last part of each member's path: the directory has the name of its crate.
fn members(manifest: &str) -> Vec<String> {
    let table = manifest.parse::<Table>().unwrap_or_default();
    let listed = table.get("workspace").and_then(|section| section.get("members")).and_then(toml::Value::as_array);
    let paths = listed.into_iter().flatten().filter_map(toml::Value::as_str);
    paths.filter_map(|path| path.rsplit('/').next()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::Dependency;

    const MANIFEST: &str = "[package]\nname = \"a\"\nversion = \"0.2.0\"\n[lints]\nworkspace = true\n";

    fn package() -> Package {
        let some = |text: &str| Some(text.to_owned());
        Package {
            name: "a".to_owned(),
            version: "0.2.0".to_owned(),
            description: some("A thing"),
            license: some("MIT"),
            readme: some("README.md"),
            repository: some("https://example.org"),
            ..Package::default()
        }
    }

    #[test]
    fn a_crate_has_its_own_version_and_the_common_lints() {
        assert_eq!(own_version(&package(), MANIFEST), []);
        assert_eq!(
            own_version(&package(), &MANIFEST.replace("version = \"0.2.0\"", "version.workspace = true")).len(),
            1
        );
        assert_eq!(own_version(&package(), &MANIFEST.replace("true", "false")).len(), 1);
        assert_eq!(own_version(&package(), "[package").len(), 1);
    }

    #[test]
    fn metadata_is_complete() {
        assert_eq!(complete(&package()), []);
        let lacking = Package { license: None, description: Some(" ".to_owned()), ..package() };
        let found: Vec<String> = complete(&lacking).iter().map(ToString::to_string).collect();
        assert_eq!(found, ["a: its manifest has no description", "a: its manifest has no license"]);
    }

    #[test]
    fn a_crate_has_a_readme_and_a_changelog() {
        let changelog = "# Changelog\n\n## [Unreleased]\n";
        let full = Tree::of(&[("crates/a/README.md", "# a"), ("crates/a/CHANGELOG.md", changelog)]);
        assert_eq!(papers(&package(), "crates/a", &full), []);
        assert_eq!(papers(&package(), "crates/a", &Tree::of(&[("crates/a/README.md", " ")])).len(), 2);
    }

    #[test]
    fn a_changelog_speaks_of_this_version_or_the_next() {
        for heading in ["## [0.2.0] - 2026-01-01", "## 0.2.0", "## Unreleased", "## [Unreleased]"] {
            assert!(has_entry(heading, "0.2.0"), "{heading}");
        }
        for heading in ["## [0.1.0]", "### 0.2.0", "0.2.0", "## [0.2.01]"] {
            assert!(!has_entry(heading, "0.2.0"), "{heading}");
        }
    }

    #[test]
    fn members_stand_in_the_order_of_release() {
        let needs_b = Dependency { name: "b".to_owned(), kind: None };
        let a = Package { dependencies: vec![needs_b], ..package() };
        let b = Package { name: "b".to_owned(), ..package() };
        let metadata = Metadata { packages: vec![a, b], ..Metadata::default() };
        let root = |members: &str| Tree::of(&[("Cargo.toml", &format!("[workspace]\nmembers = [{members}]"))]);
        assert_eq!(check_order(&metadata, &root("'crates/b', 'crates/a'")), []);
        assert_eq!(check_order(&metadata, &root("'crates/a', 'crates/b'")).len(), 1);
        assert_eq!(check_order(&metadata, &root("'crates/b', 'crates/c'")).len(), 1);
    }
}
