//! The text files of the checkout, read once.
//!
//! Paths are relative to the root and written with `/` on every system. Hidden directories, build output and
//! fuzzing corpora are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::Context as _;

/// One text file.
#[derive(Clone, Debug)]
pub(crate) struct TextFile {
    pub(crate) path: String,
    pub(crate) text: String,
}

/// All files by path, with the text of those that rules look into.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    texts: BTreeMap<String, TextFile>,
    paths: BTreeSet<String>,
}

const READ: [&str; 4] = ["md", "rs", "toml", "txt"];
const SKIPPED_DIRS: [&str; 4] = ["artifacts", "corpus", "coverage", "target"];

impl Tree {
    /// Reads a checkout.
    pub(crate) fn load(root: &Path) -> anyhow::Result<Self> {
        let mut tree = Self::default();
        tree.read_dir(root, "")?;
        Ok(tree)
    }

    fn read_dir(&mut self, dir: &Path, prefix: &str) -> anyhow::Result<()> {
        for entry in fs::read_dir(dir).with_context(|| format!("listing {}", dir.display()))? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = format!("{prefix}{name}");
            if entry.file_type()?.is_dir() {
                if !name.starts_with('.') && !SKIPPED_DIRS.contains(&&*name) {
                    self.read_dir(&entry.path(), &format!("{path}/"))?;
                }
                self.paths.insert(path);
            } else if READ.iter().any(|ending| extension(&name) == Some(*ending)) {
                let bytes = fs::read(entry.path()).with_context(|| format!("reading {path}"))?;
                self.insert(path, String::from_utf8_lossy(&bytes).into_owned());
            } else {
                self.paths.insert(path);
            }
        }
        Ok(())
    }

    fn insert(&mut self, path: String, text: String) {
        self.paths.insert(path.clone());
        self.texts.insert(path.clone(), TextFile { path, text });
    }

    /// Returns the files that were read and end in `.extension`.
    pub(crate) fn with_extension(&self, wanted: &str) -> impl Iterator<Item = &TextFile> {
        self.texts.values().filter(move |file| extension(&file.path) == Some(wanted))
    }

    /// Returns the text of a file, if there is one and it was read.
    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        self.texts.get(path).map(|file| &*file.text)
    }

    /// Returns whether there is a file or directory of that path; the root's own path is empty.
    pub(crate) fn has(&self, path: &str) -> bool {
        path.is_empty() || self.paths.contains(path)
    }

    /// Returns the number of files that were read.
    pub(crate) fn len(&self) -> usize {
        self.texts.len()
    }

    /// Makes a tree of pairs of path and text, for tests.
    #[cfg(test)]
    pub(crate) fn of(files: &[(&str, &str)]) -> Self {
        let mut tree = Self::default();
        for (path, text) in files {
            tree.insert((*path).to_owned(), (*text).to_owned());
        }
        tree
    }
}

fn extension(path: &str) -> Option<&str> {
    Path::new(path).extension().and_then(|extension| extension.to_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_sources_are_in_the_tree() -> anyhow::Result<()> {
        let tree = Tree::load(&crate::workspace::root())?;
        assert!(tree.text("xtask/src/source_tree.rs").is_some_and(|text| text.contains("fn our_own_sources")));
        assert!(tree.has("xtask/src") && tree.has(""));
        assert!(!tree.has("xtask/src/tidy/mod.rs"));
        Ok(())
    }

    #[test]
    fn build_output_is_left_out() -> anyhow::Result<()> {
        let tree = Tree::load(&crate::workspace::root())?;
        assert!(tree.paths.iter().all(|path| !path.starts_with("target/") && !path.starts_with(".git/")));
        Ok(())
    }
}
