//! The workspace as cargo sees it: where it is, how to run cargo in it, and what its manifests say.
//!
//! Manifests are read through `cargo metadata --no-deps`, which needs no network and no lock file.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, ensure};
use serde::Deserialize;

/// What `cargo metadata` says, as far as the checks need it.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Metadata {
    pub(crate) packages: Vec<Package>,
    /// Where cargo builds.
    #[serde(default)]
    pub(crate) target_directory: PathBuf,
}

/// One crate of the workspace.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) manifest_path: PathBuf,
    #[serde(default)]
    pub(crate) dependencies: Vec<Dependency>,
    pub(crate) description: Option<String>,
    pub(crate) license: Option<String>,
    pub(crate) readme: Option<String>,
    pub(crate) repository: Option<String>,
    /// Registries that the crate may go to: none listed means any, an empty list means none.
    pub(crate) publish: Option<Vec<String>>,
}

/// One line of a `[dependencies]` table.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    /// `dev`, `build`, or nothing for a normal dependency.
    pub(crate) kind: Option<String>,
}

impl Metadata {
    /// Asks cargo.
    pub(crate) fn load() -> anyhow::Result<Self> {
        let output = cargo(&["metadata", "--format-version", "1", "--no-deps"])
            .stderr(Stdio::inherit())
            .output()
            .context("running cargo metadata")?;
        ensure!(output.status.success(), "cargo metadata failed");
        serde_json::from_slice(&output.stdout).context("reading what cargo metadata printed")
    }
}

impl Package {
    /// Returns the crate's directory.
    pub(crate) fn dir(&self) -> &Path {
        self.manifest_path.parent().unwrap_or(Path::new(""))
    }

    /// Returns whether the crate is meant for a registry.
    pub(crate) fn is_published(&self) -> bool {
        self.publish.as_ref().is_none_or(|registries| !registries.is_empty())
    }

    /// Returns the names of the crates that this one is built with, tests left aside.
    pub(crate) fn built_with(&self) -> impl Iterator<Item = &str> {
        let is_dev = |dependency: &&Dependency| dependency.kind.as_deref() == Some("dev");
        self.dependencies.iter().filter(move |dependency| !is_dev(dependency)).map(|dependency| &*dependency.name)
    }
}

/// Returns the root of the checkout.
pub(crate) fn root() -> PathBuf {
    let manifest_dir = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    Path::new(&manifest_dir).parent().map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

/// Returns the path that an argument names, counted from the current folder, or one of the checkout if there is none.
pub(crate) fn path_or(named: Option<&Path>, default: &str) -> PathBuf {
    named.map_or_else(|| root().join(default), Path::to_path_buf)
}

/// Returns a cargo command that runs at the root and never waits for input.
pub(crate) fn cargo(args: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(args).current_dir(root()).stdin(Stdio::null());
    command
}

/// Runs a command to its end; anything but success is an error that shows the command line.
pub(crate) fn run(mut command: Command) -> anyhow::Result<()> {
    let args: Vec<_> = command.get_args().map(|arg| arg.to_string_lossy()).collect();
    let line = format!("cargo {}", args.join(" "));
    let status = command.status().with_context(|| format!("starting `{line}`"))?;
    ensure!(status.success(), "`{line}` failed ({status})");
    Ok(())
}
