//! The documentation of the workspace, built from the libraries that the tests were built with.
//!
//! `cargo doc` would check every library once more for it, the greater part of its time.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::ci::artifacts::Artifact;
use crate::ci::jobs::Job;
use crate::workspace::{self, Metadata};

/// Returns one job for each of our libraries and programs. Warnings are errors.
///
/// # Errors
/// Cargo does not tell the versions of our packages.
pub(crate) fn jobs(artifacts: &[Artifact]) -> anyhow::Result<Vec<Job>> {
    let libraries = Libraries::among(artifacts);
    let metadata = Metadata::load()?;
    let packages = metadata.packages.iter();
    let versions: BTreeMap<_, _> = packages.map(|package| (&package.manifest_path, &*package.version)).collect();
    // Some are built with `cfg(test)` alone, some twice.
    let documented = artifacts.iter().filter(|artifact| artifact.is_of_kind("lib") || artifact.is_of_kind("bin"));
    let once: BTreeMap<_, _> = documented.map(|artifact| (&artifact.source, artifact)).collect();
    let with_versions =
        once.into_values().filter_map(|artifact| Some((artifact, *versions.get(&artifact.manifest_path)?)));
    let folder = metadata.target_directory.join("documentation");
    Ok(with_versions.map(|(artifact, version)| job(artifact, version, &libraries, &folder)).collect())
}

/// Builds one crate's documentation as `cargo doc` does: public items of a library, all of a program.
fn job(artifact: &Artifact, version: &str, libraries: &Libraries, folder: &Path) -> Job {
    let name = artifact.crate_name();
    let mut command = Command::new(std::env::var_os("RUSTDOC").unwrap_or_else(|| "rustdoc".into()));
    command.args(["--edition", &artifact.edition, "--crate-name", &name, "-D", "warnings"]);
    if artifact.is_of_kind("bin") {
        command.args(["--crate-type", "bin", "--document-private-items"]);
        command.args(["-A", "rustdoc::private-intra-doc-links"]);
    }
    for feature in &artifact.features {
        command.arg("--cfg").arg(format!("feature=\"{feature}\""));
    }
    libraries.add_to(&mut command);
    // Several at a time may not write one search index.
    command.arg("--out-dir").arg(folder.join(&name)).arg(&artifact.source);
    command.current_dir(workspace::root()).env("CARGO_PKG_VERSION", version);
    if let Some(directory) = artifact.directory() {
        command.env("CARGO_MANIFEST_DIR", directory);
    }
    Job::new(format!("documentation of {name}"), command)
}

/// Where the libraries are that a crate may name. All are given: those that a crate does not name are not loaded, and
/// no crate of ours names one of which there are two versions.
#[derive(Debug, Default)]
struct Libraries {
    files: BTreeMap<String, PathBuf>,
}

impl Libraries {
    fn among(artifacts: &[Artifact]) -> Self {
        let is_library = |file: &&PathBuf| file.extension().is_some_and(|kind| kind == "rlib" || is_dynamic(kind));
        let built = artifacts.iter().filter(|artifact| !artifact.is_for_tests);
        let files = built.filter_map(|artifact| {
            artifact.files.iter().find(is_library).map(|file| (artifact.crate_name(), file.clone()))
        });
        Self { files: files.collect() }
    }

    fn add_to(&self, command: &mut Command) {
        let folders: BTreeSet<_> = self.files.values().filter_map(|file| file.parent()).collect();
        for folder in folders {
            command.arg("-L").arg(joined("dependency=", folder));
        }
        for (name, file) in &self.files {
            command.arg("--extern").arg(joined(&format!("{name}="), file));
        }
    }
}

/// Whether it is the kind of file of a procedural macro.
fn is_dynamic(kind: &OsStr) -> bool {
    kind == std::env::consts::DLL_EXTENSION
}

fn joined(prefix: &str, path: &Path) -> OsString {
    let mut text = OsString::from(prefix);
    text.push(path);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_are_found_by_the_names_that_sources_use() {
        let artifact = |name: &str, file: &str, is_for_tests| Artifact {
            name: name.into(),
            files: vec!["/t/deps/x.rmeta".into(), file.into()],
            is_for_tests,
            ..Artifact::default()
        };
        let libraries = Libraries::among(&[
            artifact("serde-json", "/t/deps/libserde_json-1.rlib", false),
            artifact("sokocore", "/t/deps/sokocore-2", true),
            artifact("soko", "/t/soko", false),
        ]);
        let mut command = Command::new("rustdoc");
        libraries.add_to(&mut command);
        let arguments: Vec<_> = command.get_args().collect();
        assert_eq!(arguments, ["-L", "dependency=/t/deps", "--extern", "serde_json=/t/deps/libserde_json-1.rlib"]);
    }

    #[test]
    fn our_libraries_and_programs_are_documented() {
        let all = ["crates/sokocore/Cargo.toml", "crates/sokocli/Cargo.toml", "elsewhere/Cargo.toml"];
        let artifacts = all.map(|path| Artifact {
            manifest_path: workspace::root().join(path),
            source: path.into(),
            kinds: vec!["lib".into()],
            ..Artifact::default()
        });
        assert_eq!(jobs(&[&artifacts[..], &artifacts[..]].concat()).unwrap().len(), 2);
    }
}
