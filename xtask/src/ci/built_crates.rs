//! Our crates read again, by rustdoc or the compiler, from the libraries that the tests were built with.
//!
//! Cargo would check every library once more for it, the greater part of the time.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::ci::artifacts::Artifact;
use crate::workspace::{self, Metadata};

/// Our libraries and programs, and all libraries that they may name.
#[derive(Debug)]
pub(crate) struct BuiltCrates<'a> {
    crates: Vec<BuiltCrate<'a>>,
    libraries: Libraries,
    /// Where cargo builds.
    pub(crate) target_directory: PathBuf,
}

/// One of our crates.
#[derive(Debug)]
pub(crate) struct BuiltCrate<'a> {
    pub(crate) artifact: &'a Artifact,
    version: String,
}

impl<'a> BuiltCrates<'a> {
    /// Finds our crates among what was built.
    ///
    /// # Errors
    /// Cargo does not tell the versions of our packages.
    pub(crate) fn among(artifacts: &'a [Artifact]) -> anyhow::Result<Self> {
        let metadata = Metadata::load()?;
        let packages = metadata.packages.iter();
        let versions: BTreeMap<_, _> = packages.map(|package| (&package.manifest_path, &package.version)).collect();
        // Some are built with `cfg(test)` alone, some twice.
        let ours = artifacts.iter().filter(|artifact| artifact.is_of_kind("lib") || artifact.is_of_kind("bin"));
        let once: BTreeMap<_, _> = ours.map(|artifact| (&artifact.source, artifact)).collect();
        let with_version = |artifact: &'a Artifact| {
            let version = (*versions.get(&artifact.manifest_path)?).clone();
            Some(BuiltCrate { artifact, version })
        };
        let crates = once.into_values().filter_map(with_version).collect();
        let libraries = Libraries::among(artifacts);
        Ok(Self { crates, libraries, target_directory: metadata.target_directory })
    }

    /// Returns our crates, sorted by path.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &BuiltCrate<'a>> {
        self.crates.iter()
    }

    /// Returns a run of rustdoc or the compiler over one crate, with what cargo tells them of it. Warnings are errors.
    pub(crate) fn command(&self, program: OsString, one: &BuiltCrate<'_>) -> Command {
        let artifact = one.artifact;
        let mut command = Command::new(program);
        command.args(["--edition", &artifact.edition, "--crate-name", &artifact.crate_name(), "-D", "warnings"]);
        if artifact.is_of_kind("bin") {
            command.args(["--crate-type", "bin"]);
        } else {
            command.args(["--crate-type", "lib"]);
        }
        for feature in &artifact.features {
            command.arg("--cfg").arg(format!("feature=\"{feature}\""));
        }
        self.libraries.add_to(&mut command);
        command.current_dir(workspace::root()).env("CARGO_PKG_VERSION", &one.version);
        if let Some(directory) = artifact.directory() {
            command.env("CARGO_MANIFEST_DIR", directory);
        }
        command
    }
}

/// Where the libraries are that a crate may name. All are given: those that a crate does not name are not loaded. Of two
/// versions, crates of ours name the latest; the earlier one belongs to a dependency.
#[derive(Debug, Default)]
struct Libraries {
    files: BTreeMap<String, PathBuf>,
}

impl Libraries {
    fn among(artifacts: &[Artifact]) -> Self {
        let is_library = |file: &&PathBuf| file.extension().is_some_and(|kind| kind == "rlib" || is_dynamic(kind));
        let built = artifacts.iter().filter(|artifact| !artifact.is_for_tests);
        let mut found: Vec<_> = built
            .filter_map(|artifact| Some((version_of(artifact), artifact, artifact.files.iter().find(is_library)?)))
            .collect();
        found.sort_by(|(one, ..), (other, ..)| one.cmp(other));
        Self { files: found.into_iter().map(|(_, artifact, file)| (artifact.crate_name(), file.clone())).collect() }
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

/// The version of a library from a registry, whose folder is `nix-0.31.3`; empty for one of ours.
fn version_of(artifact: &Artifact) -> Vec<u64> {
    let folder = artifact.directory().and_then(Path::file_name).and_then(OsStr::to_str).unwrap_or_default();
    let numbers = folder.rsplit('-').next().unwrap_or_default().split('.');
    numbers.map_while(|number| number.parse().ok()).collect()
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
    fn of_two_versions_the_latest_is_given() {
        let artifact = |version: &str| Artifact {
            name: "nix".into(),
            manifest_path: format!("/registry/nix-{version}/Cargo.toml").into(),
            files: vec![format!("/t/libnix-{version}.rlib").into()],
            ..Artifact::default()
        };
        let libraries = Libraries::among(&[artifact("0.31.3"), artifact("0.28.0"), artifact("0.9.10")]);
        assert_eq!(libraries.files["nix"], Path::new("/t/libnix-0.31.3.rlib"));
    }

    #[test]
    fn our_libraries_and_programs_are_found_once() {
        let all = ["crates/sokocore/Cargo.toml", "crates/sokocli/Cargo.toml", "elsewhere/Cargo.toml"];
        let artifacts = all.map(|path| Artifact {
            manifest_path: workspace::root().join(path),
            source: path.into(),
            kinds: vec!["lib".into()],
            ..Artifact::default()
        });
        let artifacts = [&artifacts[..], &artifacts[..]].concat();
        assert_eq!(BuiltCrates::among(&artifacts).unwrap().iter().count(), 2);
    }
}
