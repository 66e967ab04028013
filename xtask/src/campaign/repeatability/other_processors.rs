//! Builds for other processors, and programs that run them here.
//!
//! | target | what is different |
//! |---|---|
//! | i686 | 32 bits for addresses and sizes |
//! | s390x | the highest byte of a number comes first |
//!
//! A target takes the standard library (`rustup target add TARGET`), a compiler with a linker (Debian: `gcc-NAME-linux-gnu`,
//! `libc6-dev-NAME-cross`), and what runs it: an emulator (`qemu-user`), or for i686 on x86-64 the loader of its C library.
//! Targets without them are left out, which the log says.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Context as _;

use crate::campaign::run::CampaignRun;
use crate::workspace::{self, cargo};

/// A processor of another kind.
#[derive(Debug)]
struct OtherProcessor {
    /// As Rust names it.
    target: &'static str,
    /// The prefix of its compiler.
    gnu: &'static str,
    /// What runs its programs, with the option that names its C library.
    runner: [&'static str; 3],
}

const OTHERS: [OtherProcessor; 2] = [
    // The same program does not end under qemu-i386 7.2.
    OtherProcessor {
        target: "i686-unknown-linux-gnu",
        gnu: "i686-linux-gnu",
        runner: ["/usr/i686-linux-gnu/lib/ld-linux.so.2", "--library-path", "/usr/i686-linux-gnu/lib"],
    },
    OtherProcessor {
        target: "s390x-unknown-linux-gnu",
        gnu: "s390x-linux-gnu",
        runner: ["qemu-s390x", "-L", "/usr/s390x-linux-gnu"],
    },
];

/// Makes the release build of the program for each other processor that can be had, and returns its name with a program
/// that runs it.
pub(super) fn builds(run: &mut CampaignRun) -> anyhow::Result<Vec<(&'static str, PathBuf)>> {
    let mut builds = Vec::new();
    for other in &OTHERS {
        match other.missing() {
            Some(missing) => run.log(&format_args!("{} is left out: there is no {missing}", other.target))?,
            None => builds.push((other.target, other.build(run.folder())?)),
        }
    }
    Ok(builds)
}

impl OtherProcessor {
    fn compiler(&self) -> String {
        format!("{}-gcc", self.gnu)
    }

    /// Returns what its build needs and is not here.
    fn missing(&self) -> Option<String> {
        let is_there = |program: &str| {
            let started = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
            started.is_ok_and(|status| status.success())
        };
        let programs = [self.compiler(), self.runner[0].to_owned()];
        if let Some(program) = programs.into_iter().find(|program| !is_there(program)) {
            return Some(program);
        }
        let printed = Command::new("rustc").args(["--print", "target-libdir", "--target", self.target]).output();
        let folder = printed.ok().and_then(|printed| String::from_utf8(printed.stdout).ok()).unwrap_or_default();
        let has_library = Path::new(folder.trim()).is_dir();
        (!has_library).then(|| format!("standard library for {}", self.target))
    }

    /// Builds the program, and writes a script that runs it here.
    fn build(&self, folder: &Path) -> anyhow::Result<PathBuf> {
        let target = workspace::Metadata::load()?.target_directory.join("other-processors");
        let mut build = cargo(&["build", "--quiet", "--release", "--package", "sokocli", "--target", self.target]);
        let variable = self.target.replace('-', "_");
        build.arg("--target-dir").arg(&target);
        build.env(format!("CARGO_TARGET_{}_LINKER", variable.to_uppercase()), self.compiler());
        build.env(format!("CC_{variable}"), self.compiler());
        // It changes nothing in what the program does, and takes most of the time.
        build.env("CARGO_PROFILE_RELEASE_LTO", "off");
        workspace::run(build)?;
        let program = target.join(self.target).join("release").join("soko");
        let script = folder.join(format!("soko-{}", self.target));
        let text = format!("#!/bin/sh\nexec {} {} \"$@\"\n", self.runner.join(" "), program.display());
        sokoio::write_file(&script, text.as_bytes())?;
        make_executable(&script)?;
        Ok(script)
    }
}

#[cfg(unix)]
fn make_executable(path: &Path) -> anyhow::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;

    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).context("cannot make a script executable")
}

#[cfg(not(unix))]
fn make_executable(path: &Path) -> anyhow::Result<()> {
    fs::metadata(path).map(drop).context("the script is gone")
}
