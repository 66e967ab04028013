//! Where levels are read from: files, folders searched through, standard input.
//!
//! ```text
//!   levels.sok          ──▶  levels.sok                          named: must hold levels
//!   collections/        ──▶  collections/a.sok                   found: may hold none
//!                            collections/more/b.slc
//!   -                   ──▶  standard input
//! ```
//!
//! Invariant: the order is that of the command line, and by name within a folder, the same on every system. A file is
//! listed once, whatever names lead to it.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The argument that stands for standard input or output.
pub(crate) const DASH: &str = "-";
/// Ends of the names of files that are read from folders, in lower case; each may be followed by `.gz`.
const EXTENSIONS: [&str; 5] = ["sok", "xsb", "txt", "slc", "ssx"];
/// What the names of result files have before their extension.
const RESULTS: &str = ".soko";

/// One text of levels to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct InputSource {
    /// The file, or [`DASH`].
    pub(crate) path: PathBuf,
    /// The folder of the command line in which the file was found, if it was not named itself.
    pub(crate) folder: Option<PathBuf>,
}

/// A folder that cannot be listed.
#[derive(Debug)]
pub(crate) struct UnreadableFolder {
    pub(crate) path: PathBuf,
    pub(crate) cause: io::Error,
}

impl InputSource {
    /// Returns whether this is standard input.
    pub(crate) fn is_stdin(&self) -> bool {
        is_dash(&self.path)
    }

    /// Returns whether this is a file that others can stand beside: no pipe and no device.
    pub(crate) fn is_file(&self) -> bool {
        !self.is_stdin() && self.path.is_file()
    }
}

/// Returns whether a path stands for standard input or output.
pub(crate) fn is_dash(path: &Path) -> bool {
    path.as_os_str() == DASH
}

/// Lists what the arguments name. Folders that cannot be listed come apart.
pub(crate) fn list(arguments: &[PathBuf]) -> (Vec<InputSource>, Vec<UnreadableFolder>) {
    let mut listing = Listing::default();
    for path in arguments {
        if !is_dash(path) && path.is_dir() {
            listing.folder(path, path);
        } else {
            listing.file(path, None);
        }
    }
    (listing.sources, listing.unreadable)
}

#[derive(Default)]
struct Listing {
    sources: Vec<InputSource>,
    unreadable: Vec<UnreadableFolder>,
    /// Files and folders seen, as the system knows them.
    seen: hashbrown::HashSet<PathBuf>,
}

impl Listing {
    fn file(&mut self, path: &Path, folder: Option<&Path>) {
        if self.is_new(path) {
            self.sources.push(InputSource { path: path.to_owned(), folder: folder.map(Path::to_owned) });
        }
    }

    /// Lists a folder and those below it. The depth is that of the file system; links to folders above are seen ones.
    fn folder(&mut self, root: &Path, top: &Path) {
        let mut open = vec![top.to_owned()];
        while let Some(path) = open.pop() {
            if !path.is_dir() {
                self.file(&path, Some(root));
                continue;
            }
            if !self.is_new(&path) {
                continue;
            }
            match children(&path) {
                // The last in is the first out.
                Ok(children) => open.extend(children.into_iter().rev()),
                Err(cause) => self.unreadable.push(UnreadableFolder { path, cause }),
            }
        }
    }

    fn is_new(&mut self, path: &Path) -> bool {
        self.seen.insert(fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()))
    }
}

/// The folders in a folder and the files that may hold levels, by name; hidden ones are left out.
fn children(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut children = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let is_hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        if !is_hidden && (path.is_dir() || may_hold_levels(&path)) {
            children.push(path);
        }
    }
    children.sort();
    Ok(children)
}

fn may_hold_levels(path: &Path) -> bool {
    let lower = |text: Option<&OsStr>| text.map(|text| text.to_string_lossy().to_ascii_lowercase());
    let end = match lower(path.extension()) {
        Some(end) if end == "gz" => lower(path.file_stem().map(Path::new).and_then(Path::extension)),
        end => end,
    };
    end.is_some_and(|end| EXTENSIONS.contains(&&*end))
}

/// Names the file of results beside an input: `levels.soko.sok` for `levels.sok`, `levels.xsb` and `levels.slc.gz`.
/// A file of results is its own; `levels.soko-2.sok` of early versions goes into the first one.
pub(crate) fn results_beside(input: &Path) -> PathBuf {
    let mut stem = input.file_stem().unwrap_or_default().to_os_string();
    if input.extension().is_some_and(|end| end.eq_ignore_ascii_case("gz")) {
        stem = Path::new(&stem).file_stem().unwrap_or_default().to_os_string();
    }
    if is_results(input) {
        let text = stem.to_string_lossy().into_owned();
        stem = text.rsplit_once(RESULTS).map_or(text.clone(), |(before, _)| before.to_owned()).into();
    }
    stem.push(RESULTS);
    stem.push(".sok");
    input.with_file_name(stem)
}

/// Names the file beside a target for levels that the target takes in no form: `best.refused.sok` for `best.sok`.
pub(crate) fn refused_beside(target: &Path) -> PathBuf {
    target.with_extension("refused.sok")
}

/// Returns whether a file has a name that Soko gives to its results: `levels.soko.sok`, or `levels.soko-2.sok` of
/// early versions.
pub(crate) fn is_results(path: &Path) -> bool {
    let Some(stem) = path.file_stem().map(OsStr::to_string_lossy) else { return false };
    let Some((before, number)) = stem.rsplit_once(RESULTS) else { return false };
    let is_number = number.is_empty() || number.strip_prefix('-').is_some_and(|digits| digits.parse::<u32>().is_ok());
    let is_sok = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("sok"));
    !before.is_empty() && is_number && is_sok
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_have_names_of_their_own() {
        for (input, results) in [
            ("a/levels.sok", "a/levels.soko.sok"),
            ("levels.xsb", "levels.soko.sok"),
            ("levels", "levels.soko.sok"),
            ("x.slc.gz", "x.soko.sok"),
            ("v1.2.txt", "v1.2.soko.sok"),
            ("levels.soko.sok", "levels.soko.sok"),
            ("levels.soko-2.sok", "levels.soko.sok"),
        ] {
            assert_eq!(results_beside(Path::new(input)), Path::new(results), "{input}");
            assert!(is_results(Path::new(results)));
        }
        assert_eq!(refused_beside(Path::new("a/levels.soko.sok")), Path::new("a/levels.soko.refused.sok"));
        assert!(is_results(Path::new("levels.soko-2.sok")));
        for other in ["levels.sok", "soko.sok", ".soko.sok", "levels.soko-x.sok", "levels.soko.xsb"] {
            assert!(!is_results(Path::new(other)), "{other}");
        }
    }

    #[test]
    fn folders_are_listed_in_order_and_files_once() {
        let desk = tempfile::tempdir().unwrap();
        let path = |name: &str| desk.path().join(name);
        for folder in ["set", "set/deep", "set/.hidden"] {
            fs::create_dir(path(folder)).unwrap();
        }
        for file in ["set/b.sok", "set/a.XSB", "set/c.slc.gz", "set/deep/d.txt", "set/e.pdf", "set/.hidden/f.sok"] {
            fs::write(path(file), "").unwrap();
        }
        let (sources, unreadable) = list(&[path("set/b.sok"), path("set"), path("set/../set/a.XSB"), "-".into()]);
        let names: Vec<_> = sources
            .iter()
            .map(|source| {
                let found = if source.folder.is_some() { "found " } else { "" };
                format!("{found}{}", source.path.strip_prefix(desk.path()).unwrap_or(&source.path).display())
            })
            .collect();
        assert_eq!(names, ["set/b.sok", "found set/a.XSB", "found set/c.slc.gz", "found set/deep/d.txt", "-"]);
        assert!(unreadable.is_empty() && sources[4].is_stdin());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_a_folder_above_ends_the_search() {
        let desk = tempfile::tempdir().unwrap();
        fs::write(desk.path().join("a.sok"), "").unwrap();
        std::os::unix::fs::symlink(desk.path(), desk.path().join("loop")).unwrap();
        assert_eq!(list(&[desk.path().to_owned()]).0.len(), 1);
    }
}
