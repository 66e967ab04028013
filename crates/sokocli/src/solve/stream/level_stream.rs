//! The levels of a run, read file by file as they are reached.
//!
//! A thread that takes a level near the end of a file first reads the next file, while the others take the rest. So no
//! thread waits for a file but at the start, or if files are small.
//!
//! Invariant: at most one file is being read, and levels are numbered as all files together have them.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;

use parking_lot::{Condvar, Mutex};
use sokoio::Collection;

use super::results_file::DoneLevels;
use crate::args::RunArgs;
use crate::complaint::Complaints;
use crate::inputs::selection::LevelSelection;
use crate::inputs::sources::{InputSource, list};
use crate::inputs::{InputLevel, read_levels};

/// Levels of a file that are left when the next file is read.
const READ_AHEAD: usize = 200;

/// How many levels a run has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StreamSize {
    pub(super) n_levels: usize,
    /// Whether all files were read; otherwise it is an estimate.
    pub(super) is_known: bool,
}

/// The levels that are still to come.
pub(super) struct LevelStream {
    paths: Vec<PathBuf>,
    selection: LevelSelection,
    done: DoneLevels,
    state: Mutex<StreamState>,
    /// Notified when a file was read.
    changed: Condvar,
}

struct StreamState {
    sources: VecDeque<InputSource>,
    /// Files with levels left.
    files: VecDeque<Arc<StreamFile>>,
    /// The level of the first file that is next, from 0.
    next: usize,
    is_reading: bool,
    n_numbered: usize,
    /// Levels to work on in the files so far.
    n_wanted: usize,
    n_files: usize,
    n_taken: usize,
    n_skipped: usize,
    n_faults: usize,
}

/// A file that was read.
struct StreamFile {
    path: PathBuf,
    input_idx: usize,
    collection: Collection,
    /// Levels in the files before.
    n_before: usize,
}

/// A level to work on.
pub(super) struct StreamLevel {
    file: Arc<StreamFile>,
    level_idx: usize,
    order: usize,
}

impl StreamLevel {
    /// Its place among the levels that are worked on, from 0.
    pub(super) const fn order(&self) -> usize {
        self.order
    }

    /// Where it stands.
    pub(super) fn at(&self) -> InputLevel<'_> {
        self.file.at(self.level_idx)
    }
}

impl StreamFile {
    fn at(&self, level_idx: usize) -> InputLevel<'_> {
        let entry = &self.collection.levels()[level_idx];
        InputLevel { number: self.n_before + level_idx + 1, input_idx: self.input_idx, path: &self.path, entry }
    }
}

impl LevelStream {
    /// Lists the files; `done` are the levels that need no work.
    pub(super) fn open(args: &RunArgs, done: DoneLevels, complaints: &Complaints) -> Self {
        let (sources, unreadable) = list(&args.level.files);
        for folder in &unreadable {
            let path = folder.path.display();
            complaints.error(&format!("cannot list the folder {path}: {}; it is left out", folder.cause));
        }
        let state = StreamState {
            sources: sources.iter().cloned().collect(),
            files: VecDeque::new(),
            next: 0,
            is_reading: false,
            n_numbered: 0,
            n_wanted: 0,
            n_files: 0,
            n_taken: 0,
            n_skipped: 0,
            n_faults: unreadable.len(),
        };
        Self {
            paths: sources.into_iter().map(|source| source.path).collect(),
            selection: args.level.selection(),
            done,
            state: Mutex::new(state),
            changed: Condvar::new(),
        }
    }

    /// The files, those that turn out to hold no level among them.
    pub(super) fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// Files and folders that could not be read.
    pub(super) fn n_faults(&self) -> usize {
        self.state.lock().n_faults
    }

    /// Levels that were left out, since they have a result.
    pub(super) fn n_skipped(&self) -> usize {
        self.state.lock().n_skipped
    }

    /// Returns how many levels there are to work on: those of files that are not read yet are estimated.
    pub(super) fn size(&self) -> StreamSize {
        let state = self.state.lock();
        let n_unread = state.sources.len() + usize::from(state.is_reading);
        let more = state.n_wanted * n_unread / state.n_files.max(1);
        StreamSize { n_levels: state.n_wanted + more, is_known: n_unread == 0 }
    }

    /// Takes the next level; `None` when there is none left.
    pub(super) fn take(&self, complaints: &Complaints) -> Option<StreamLevel> {
        let mut state = self.state.lock();
        loop {
            let level = self.next_of_files(&mut state);
            let n_left = state.files.iter().map(|file| file.collection.levels().len()).sum::<usize>() - state.next;
            let reads = !state.is_reading && n_left < READ_AHEAD;
            if let Some(source) = reads.then(|| state.sources.pop_front()).flatten() {
                state.is_reading = true;
                drop(state);
                let read = read_levels(&source);
                state = self.state.lock();
                state.is_reading = false;
                match read {
                    Ok(Some(collection)) => {
                        let file = state.add(source, collection);
                        let levels = (0..file.collection.levels().len()).map(|level_idx| file.at(level_idx));
                        state.n_wanted += levels.filter(|at| self.is_wanted(at)).count();
                    }
                    Ok(None) => {}
                    Err(text) => {
                        state.n_faults += 1;
                        complaints.error(&text);
                    }
                }
                self.changed.notify_all();
                if level.is_none() {
                    continue;
                }
            }
            if level.is_some() || !state.is_reading {
                return level;
            }
            self.changed.wait(&mut state);
        }
    }

    fn is_wanted(&self, at: &InputLevel<'_>) -> bool {
        !self.done.contains(at) && self.selection.contains(at)
    }

    /// Takes the next level of the files that were read.
    fn next_of_files(&self, state: &mut StreamState) -> Option<StreamLevel> {
        loop {
            let file = Arc::clone(state.files.front()?);
            let level_idx = state.next;
            if level_idx == file.collection.levels().len() {
                state.files.pop_front();
                state.next = 0;
                continue;
            }
            state.next += 1;
            let at = file.at(level_idx);
            if self.done.contains(&at) {
                state.n_skipped += 1;
            } else if self.selection.contains(&at) {
                let order = state.n_taken;
                state.n_taken += 1;
                return Some(StreamLevel { file, level_idx, order });
            }
        }
    }
}

impl StreamState {
    fn add(&mut self, source: InputSource, collection: Collection) -> Arc<StreamFile> {
        let n_before = self.n_numbered;
        self.n_numbered += collection.levels().len();
        let file = Arc::new(StreamFile { path: source.path, input_idx: self.n_files, collection, n_before });
        self.n_files += 1;
        self.files.push_back(Arc::clone(&file));
        file
    }
}
