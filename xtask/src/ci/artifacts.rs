//! What a build has made, as cargo tells it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, ensure};
use serde::Deserialize;

/// A library or program that was built.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Artifact {
    /// The `Cargo.toml` of its package.
    pub(crate) manifest_path: PathBuf,
    /// The name of its target.
    pub(crate) name: String,
    /// Such as `lib`, `bin`, `test`, `example`, `proc-macro`.
    pub(crate) kinds: Vec<String>,
    /// The first file of its source.
    pub(crate) source: PathBuf,
    pub(crate) edition: String,
    pub(crate) features: Vec<String>,
    /// Whether it was built with `cfg(test)`.
    pub(crate) is_for_tests: bool,
    pub(crate) files: Vec<PathBuf>,
    pub(crate) executable: Option<PathBuf>,
}

/// A line of what cargo prints with `--message-format=json`, as far as it concerns artifacts.
#[derive(Debug, Deserialize)]
struct BuildMessage {
    manifest_path: Option<PathBuf>,
    target: Option<BuildTarget>,
    profile: Option<BuildProfile>,
    #[serde(default)]
    features: Vec<String>,
    #[serde(default)]
    filenames: Vec<PathBuf>,
    executable: Option<PathBuf>,
}

#[derive(Debug, Deserialize)]
struct BuildTarget {
    name: String,
    kind: Vec<String>,
    src_path: PathBuf,
    edition: String,
}

#[derive(Debug, Deserialize)]
struct BuildProfile {
    test: bool,
}

impl Artifact {
    /// Runs a build, and returns what it has made, libraries of others included.
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
        Ok(all)
    }

    fn of(message: BuildMessage) -> Option<Self> {
        let target = message.target?;
        Some(Self {
            manifest_path: message.manifest_path?,
            name: target.name,
            kinds: target.kind,
            source: target.src_path,
            edition: target.edition,
            features: message.features,
            is_for_tests: message.profile?.test,
            files: message.filenames,
            executable: message.executable,
        })
    }

    /// The directory of its package.
    pub(crate) fn directory(&self) -> Option<&Path> {
        self.manifest_path.parent()
    }

    /// Its name in sources.
    pub(crate) fn crate_name(&self) -> String {
        self.name.replace('-', "_")
    }

    pub(crate) fn is_of_kind(&self, kind: &str) -> bool {
        self.kinds.iter().any(|of| of == kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_cargo_are_read() {
        let artifact = serde_json::json!({
            "reason": "compiler-artifact",
            "package_id": "x",
            "manifest_path": "/root/crates/sokocore/Cargo.toml",
            "target": { "name": "sokocore", "kind": ["lib"], "src_path": "/root/lib.rs", "edition": "2024", "doc": true },
            "profile": { "test": false, "opt_level": "1" },
            "features": ["testing"],
            "filenames": ["/root/target/libsokocore-1.rlib"],
            "executable": null,
        });
        let others = [r#"{"reason":"build-script-executed","package_id":"x"}"#, r#"{"reason":"build-finished"}"#];
        let found = Artifact::read(&format!("{artifact}\n{}", others.join("\n"))).unwrap();
        let expected = Artifact {
            manifest_path: "/root/crates/sokocore/Cargo.toml".into(),
            name: "sokocore".into(),
            kinds: vec!["lib".into()],
            source: "/root/lib.rs".into(),
            edition: "2024".into(),
            features: vec!["testing".into()],
            is_for_tests: false,
            files: vec!["/root/target/libsokocore-1.rlib".into()],
            executable: None,
        };
        assert_eq!(found, [expected]);
        assert!(found[0].is_of_kind("lib") && !found[0].is_of_kind("bin"));
        assert!(Artifact::read("not json").is_err());
    }
}
