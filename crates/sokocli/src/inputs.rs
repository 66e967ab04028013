//! The files of a command, and their levels numbered through.

use std::path::{Path, PathBuf};

use anyhow::bail;
use sokocore::ParseLevelError;
use sokoio::{Collection, LevelEntry};

use crate::complaint::with_causes;
use crate::exit::UsageError;
use crate::level_ranges::LevelRanges;
use crate::wording::count;

/// One file as it was read.
#[derive(Debug)]
pub(crate) struct Input {
    path: PathBuf,
    collection: Collection,
}

/// All files in the order of the command line.
#[derive(Debug)]
pub(crate) struct Inputs(Vec<Input>);

/// A level of some input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InputLevel<'a> {
    /// Number among the levels of all files, from 1.
    pub(crate) number: usize,
    /// Which input, from 0.
    pub(crate) input_idx: usize,
    /// The input's path.
    pub(crate) path: &'a Path,
    /// The level.
    pub(crate) entry: &'a LevelEntry,
}

impl Inputs {
    /// Reads all files. One that cannot be read, or without any level, is an error.
    pub(crate) fn read(paths: &[PathBuf]) -> anyhow::Result<Self> {
        let inputs = paths.iter().map(|path| {
            let collection = Collection::read(path)?;
            if collection.levels().is_empty() {
                bail!("{}: no level found; a level is a picture of # @ $ . with at least three rows", path.display());
            }
            Ok(Input { path: path.clone(), collection })
        });
        inputs.collect::<anyhow::Result<_>>().map(Self)
    }

    /// Looks whether all levels asked for by `--levels` are there.
    pub(crate) fn check_levels(&self, levels: Option<&LevelRanges>) -> Result<(), UsageError> {
        let n_levels = self.levels().count();
        levels.and_then(|levels| levels.missing_in(n_levels)).map_or(Ok(()), |number| {
            let found = count(n_levels, "level");
            Err(UsageError(format!("--levels asks for level {number}, but there is only {found} in the input")))
        })
    }

    /// Returns the files.
    pub(crate) fn files(&self) -> impl ExactSizeIterator<Item = (&Path, &Collection)> {
        self.0.iter().map(|input| (input.path.as_path(), &input.collection))
    }

    /// Returns the levels of all files.
    pub(crate) fn levels(&self) -> impl Iterator<Item = InputLevel<'_>> {
        let levels = self.0.iter().enumerate().flat_map(|(input_idx, input)| {
            let path = input.path.as_path();
            input.collection.levels().iter().map(move |entry| (input_idx, path, entry))
        });
        levels.enumerate().map(|(at, (input_idx, path, entry))| InputLevel { number: at + 1, input_idx, path, entry })
    }
}

impl InputLevel<'_> {
    /// Says where and what: `levels.sok:12: level 3 "Title"`.
    pub(crate) fn place(&self, line: usize) -> String {
        let title = self.entry.title().map(|title| format!(" \"{title}\"")).unwrap_or_default();
        format!("{}:{line}: level {}{title}", self.path.display(), self.number)
    }

    /// Says that the board is no level, and where.
    pub(crate) fn bad_board(&self, error: ParseLevelError) -> String {
        format!("{}: {}", self.place(self.entry.line()), with_causes(error))
    }
}
