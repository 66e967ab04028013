//! The file that a host reads while we write it: it is only appended to, and each piece is written at once.
//!
//! The host takes every line that begins with `::` for a remark, and all others for solutions.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::PathBuf;

use anyhow::Context as _;
use parking_lot::Mutex;
use sokocore::Solution;
use sokoio::{SolutionKind, SolutionTitle};
use sokolibrary::PROGRAM;

use crate::output;
use crate::wording::harmless;

/// The file, or standard output.
#[derive(Debug)]
pub(crate) struct FoundFile {
    file: Option<Mutex<File>>,
    path: PathBuf,
}

impl FoundFile {
    /// Opens a file to append to, which is made if there is none; standard output if none is named.
    pub(crate) fn open(path: Option<PathBuf>) -> anyhow::Result<Self> {
        let file = match &path {
            Some(path) => {
                let file = OpenOptions::new().create(true).append(true).open(path);
                Some(Mutex::new(file.with_context(|| format!("cannot write to {}", path.display()))?))
            }
            None => None,
        };
        Ok(Self { file, path: path.unwrap_or_else(|| "standard output".into()) })
    }

    /// Writes a remark: one line.
    pub(crate) fn remark(&self, text: &str) -> anyhow::Result<()> {
        self.write(&format!(":: {}\n", harmless(text)))
    }

    /// Writes a piece of text, in one call.
    pub(crate) fn write(&self, text: &str) -> anyhow::Result<()> {
        let written = match &self.file {
            Some(file) => write_through(&mut file.lock(), text),
            None => output::print(text),
        };
        written.with_context(|| format!("cannot write to {}", self.path.display()))
    }
}

/// A host may look at the file at any time, and end us at any time.
fn write_through(file: &mut File, text: &str) -> io::Result<()> {
    file.write_all(text.as_bytes())?;
    file.flush()
}

/// Returns a solution as `.sok` text: its title, and its moves in one line.
pub(crate) fn solution_text(solution: &Solution) -> String {
    let title = SolutionTitle::new(SolutionKind::Plain, solution.metrics()).with_program(PROGRAM);
    format!("{title}\n{solution}\n")
}
