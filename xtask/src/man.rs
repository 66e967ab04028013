//! `cargo xtask man`: the manual pages of the program, made of its definition of commands and options.

use std::fs;
use std::path::{Path, PathBuf, absolute};

use anyhow::{Context as _, ensure};
use clap::Args;

use crate::workspace::{self, cargo};

/// Arguments of `cargo xtask man`.
#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// The folder for the pages; `target/man` of the checkout unless given
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,
}

/// Builds the program, lets it write its pages, and looks at them.
pub(crate) fn run(args: &ManArgs) -> anyhow::Result<()> {
    let folder = workspace::path_or(args.output.as_deref(), "target/man");
    let folder = absolute(&folder).with_context(|| format!("finding {}", folder.display()))?;
    let mut command = cargo(&["run", "--quiet", "--package", "sokocli", "--", "man"]);
    command.arg(&folder);
    workspace::run(command).context("writing the manual pages")?;
    let pages = pages(&folder)?;
    println!("man: {} pages in {}", pages.len(), folder.display());
    Ok(())
}

/// Returns the names of the pages in a folder, sorted; none, or an empty one, is an error.
fn pages(folder: &Path) -> anyhow::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.ends_with(".1") {
            ensure!(entry.metadata()?.len() > 0, "the page {name} is empty");
            names.push(name);
        }
    }
    names.sort();
    ensure!(names.iter().any(|name| name == "soko.1"), "there is no page soko.1 in {}", folder.display());
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_there_and_hold_something() {
        let folder = tempfile::tempdir().unwrap();
        assert!(pages(folder.path()).unwrap_err().to_string().contains("no page soko.1"));
        fs::write(folder.path().join("soko.1"), ".TH soko 1").unwrap();
        fs::write(folder.path().join("notes.txt"), "").unwrap();
        fs::write(folder.path().join("soko-solve.1"), ".TH soko-solve 1").unwrap();
        assert_eq!(pages(folder.path()).unwrap(), ["soko-solve.1", "soko.1"]);
        fs::write(folder.path().join("soko-info.1"), "").unwrap();
        assert!(pages(folder.path()).unwrap_err().to_string().contains("soko-info.1 is empty"));
    }
}
