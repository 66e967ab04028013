//! `cargo xtask python`: the package for Python, installed in a fresh environment and tested there.
//!
//! ```text
//!   python3 -m venv ─▶ pip install numpy pytest ─▶ maturin build, pip install the wheel ─▶ pytest
//!                                               └▶ --library: the package around one that is built already
//! ```
//!
//! The wheel asks for a build of its own: alone, a crate has other features of its dependencies than in the workspace.
//! So the tests of every change take the library that they were built with, and `--full` makes the wheel.
//!
//! Without Python, or where its packages cannot be had, nothing is tested, and a line says so.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, ensure};

use crate::ci::artifacts::Artifact;
use crate::ci::jobs::Job;
use crate::workspace::{self, Metadata};

/// The crate.
const CRATE: &str = "sokopy";
/// Names that Python has.
const PYTHONS: [&str; 2] = ["python3", "python"];
/// What ends with success in a Python that will do.
const IS_NEW_ENOUGH: &str = "import sys, ensurepip; sys.exit(sys.version_info < (3, 9))";

/// The options of the command.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct PythonArgs {
    /// Test this library of the crate instead of a wheel
    #[arg(long, value_name = "FILE")]
    library: Option<PathBuf>,
}

/// Returns the job that tests the library among what was built.
pub(crate) fn job(artifacts: &[Artifact]) -> anyhow::Result<Option<Job>> {
    let is_library = |file: &&PathBuf| file.extension().is_some_and(|kind| kind == std::env::consts::DLL_EXTENSION);
    let built = artifacts.iter().find(|artifact| artifact.crate_name() == CRATE && artifact.is_of_kind("cdylib"));
    let Some(library) = built.and_then(|artifact| artifact.files.iter().find(is_library)) else { return Ok(None) };
    let mut command = Command::new(std::env::current_exe().context("looking for xtask itself")?);
    command.arg("python").arg("--library").arg(library);
    Ok(Some(Job::new("tests of the package for Python", command)))
}

/// Runs the command.
pub(crate) fn run(args: &PythonArgs) -> anyhow::Result<()> {
    let Some(python) = PYTHONS.into_iter().find(|python| succeeds(Command::new(python).args(["-c", IS_NEW_ENOUGH])))
    else {
        println!(
            "note: there is no Python 3.9 or newer with venv: its package is not tested (apt install python3-venv)"
        );
        return Ok(());
    };
    let environment = Environment { folder: Metadata::load()?.target_directory.join("python") };
    run_python(Command::new(python).args(["-m", "venv", "--clear"]).arg(&environment.folder))?;
    let tools: &[_] = if args.library.is_some() { &[] } else { &["maturin>=1.9,<2"] };
    if !succeeds(environment.pip().args(["--timeout", "10", "--retries", "1", "numpy", "pytest"]).args(tools)) {
        println!("note: pip cannot install numpy and pytest: the package for Python is not tested");
        return Ok(());
    }
    let package = workspace::root().join("crates").join(CRATE);
    match &args.library {
        Some(library) => environment.add_package(&package, library)?,
        None => environment.install_wheel(&package)?,
    }
    let mut tests = environment.module("pytest");
    // The checkout stays as it is.
    tests.env("PYTHONDONTWRITEBYTECODE", "1").args(["-q", "-p", "no:cacheprovider"]);
    run_python(tests.arg(package.join("tests")))
}

/// A virtual environment of Python.
struct Environment {
    folder: PathBuf,
}

impl Environment {
    fn program(&self, name: &str) -> PathBuf {
        let folder = if cfg!(windows) { "Scripts" } else { "bin" };
        self.folder.join(folder).join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
    }

    fn module(&self, name: &str) -> Command {
        let mut command = Command::new(self.program("python"));
        command.args(["-m", name]);
        command
    }

    fn pip(&self) -> Command {
        let mut command = self.module("pip");
        command.args(["install", "--quiet", "--disable-pip-version-check"]);
        command
    }

    /// Puts the package where Python finds it, with the library that is given.
    fn add_package(&self, package: &Path, library: &Path) -> anyhow::Result<()> {
        let script = "import sysconfig; print(sysconfig.get_path('platlib'))";
        let output = Command::new(self.program("python")).args(["-c", script]).output().context("starting Python")?;
        let folder = Path::new(String::from_utf8_lossy(&output.stdout).trim()).join("soko");
        fs::create_dir_all(&folder).context("making the folder of the package")?;
        for file in fs::read_dir(package.join("python/soko")).context("reading the package")? {
            let file = file.context("reading the package")?;
            if file.file_type().context("reading the package")?.is_file() {
                fs::copy(file.path(), folder.join(file.file_name())).context("copying the package")?;
            }
        }
        let name = if cfg!(windows) { "_soko.pyd" } else { "_soko.abi3.so" };
        fs::copy(library, folder.join(name)).context("copying the library")?;
        Ok(())
    }

    /// Builds the wheel as a user does, and installs it.
    fn install_wheel(&self, package: &Path) -> anyhow::Result<()> {
        let wheels = self.folder.join("wheels");
        let mut build = self.module("maturin");
        run_python(build.args(["build", "--release", "--locked", "--out"]).arg(&wheels).current_dir(package))?;
        let wheel = fs::read_dir(&wheels)?.next().context("maturin made no wheel")??.path();
        run_python(self.pip().arg("--no-deps").arg(wheel))
    }
}

/// Runs a command of Python, and shows what it prints.
fn run_python(command: &mut Command) -> anyhow::Result<()> {
    let line = format!("{command:?}");
    let status = command.stdin(Stdio::null()).status().with_context(|| format!("starting {line}"))?;
    ensure!(status.success(), "{line} failed ({status})");
    Ok(())
}

/// Returns whether a command can be run and succeeds. What it prints is not shown.
fn succeeds(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_is_found_among_what_was_built() {
        let artifact = |name: &str, file: &str| Artifact {
            name: name.into(),
            kinds: vec!["cdylib".into(), "lib".into()],
            files: vec!["/t/libx.rlib".into(), format!("/t/{file}.{}", std::env::consts::DLL_EXTENSION).into()],
            ..Artifact::default()
        };
        assert!(job(&[artifact("other", "a"), artifact(CRATE, "b")]).unwrap().is_some());
        assert!(job(&[artifact("other", "a")]).unwrap().is_none());
    }

    #[test]
    fn a_command_that_is_not_there_does_not_succeed() {
        assert!(!succeeds(&mut Command::new("/nowhere/no-such-program")));
    }
}
