//! Keeps what was found on disk, all the time.
//!
//! Invariant: each target holds what it held when it was opened, plus the solutions added so far; it is replaced as a
//! whole or not at all. What a level does not take is kept with a copy of the level, and that is told when the level is
//! done.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use crossbeam::channel::{RecvTimeoutError, bounded};
use hashbrown::{HashMap, HashSet};
use parking_lot::Mutex;
use sokoio::{EditError, OutputLock, write_new_file};
use sokolibrary::{Document, Keep, RunDone};
use sokonight::LevelFinds;
use sokosearch::Clock;

use super::Outputs;
use super::target::{Added, Instead, Target, TargetPlace};
use crate::complaint::{Complaints, with_causes};
use crate::inputs::InputLevel;
use crate::library::sync::LibrarySync;
use crate::output;
use crate::wording::harmless;

/// The shortest time between two writings.
const MIN_PAUSE: Duration = Duration::from_secs(1);
/// How many times longer than the last writing the pause is at least.
const PAUSE_FACTOR: u32 = 20;
/// How often the saving thread looks whether something is to be saved.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// A level of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TargetLevel {
    pub(crate) target_idx: usize,
    pub(crate) level_idx: usize,
}

/// A level that may have gained something, while it is worked on and when it is done.
pub(crate) trait Gains: Sync {
    /// Tells it from the others of the run: the number of the level, and the game if it is about one.
    fn key(&self) -> (usize, Option<usize>);

    /// Where the level was read.
    fn at(&self) -> &InputLevel<'_>;

    /// Where the level stands in the targets, target by target.
    fn places(&self) -> &[TargetLevel];

    /// Returns what was gained so far, for the library; `None` for what is not about the level itself.
    fn finds(&self) -> Option<LevelFinds>;

    /// Returns the runs that were done on the level.
    fn runs(&self) -> Vec<RunDone> {
        Vec::new()
    }

    /// Returns the lower bounds of moves and of pushes, if they are known.
    fn bounds(&self) -> Option<(u64, u64)> {
        None
    }

    /// Adds what was gained so far to the level in a document. Returns whether there was anything.
    fn add_to(&self, document: &mut Document, level_idx: usize, keep: Keep) -> Result<bool, EditError>;
}

/// Writes the results.
#[derive(Debug)]
pub(crate) struct Saver {
    keep: Keep,
    complaints: Complaints,
    state: Mutex<SaverState>,
    library: Option<Arc<LibrarySync>>,
    /// Keys of the levels under way with gains that are not yet in the queue of the library.
    gained: Mutex<HashSet<(usize, Option<usize>)>>,
    /// Held while the saver lives.
    _locks: Vec<(PathBuf, OutputLock)>,
}

#[derive(Debug)]
struct SaverState {
    /// The targets with the gains of all levels that are done.
    targets: Vec<Target>,
    /// Keys of the levels that are done.
    done: HashSet<(usize, Option<usize>)>,
    since_write: Clock,
    pause: Duration,
    error: Option<String>,
    /// Whether a gain could be added nowhere.
    has_lost: bool,
}

/// What was written.
#[derive(Clone, Debug, Default)]
pub(crate) struct Saved {
    /// Files that hold new solutions.
    pub(crate) gained: Vec<PathBuf>,
    /// Files that were asked for and hold nothing new.
    pub(crate) copies: Vec<PathBuf>,
    /// Whether a file could not be written.
    pub(crate) has_failed: bool,
    /// Whether the library has not got all that was found.
    pub(crate) has_missed_library: bool,
}

impl Saved {
    /// Makes the account of results that could not be saved.
    pub(crate) fn failed() -> Self {
        Self { has_failed: true, ..Self::default() }
    }
}

impl Saver {
    /// Takes over the targets.
    pub(crate) fn new(outputs: Outputs, keep: Keep, complaints: &Complaints) -> Self {
        let state = SaverState {
            targets: outputs.targets,
            done: HashSet::new(),
            since_write: Clock::start(),
            pause: MIN_PAUSE,
            error: None,
            has_lost: false,
        };
        Self {
            keep,
            complaints: complaints.clone(),
            state: Mutex::new(state),
            library: None,
            gained: Mutex::default(),
            _locks: outputs.locks,
        }
    }

    /// Puts what is gained into a library as well.
    pub(crate) fn with_library(self, library: Option<Arc<LibrarySync>>) -> Self {
        Self { library, ..self }
    }

    /// Does the work, while another thread saves what the tasks gain.
    pub(crate) fn while_saving<T: Gains, R>(&self, tasks: &[T], work: impl FnOnce() -> R) -> R {
        let (running, ended) = bounded::<()>(0);
        let save = || {
            while matches!(ended.recv_timeout(LOOK_EVERY), Err(RecvTimeoutError::Timeout)) {
                self.tick(tasks);
            }
        };
        let joined = crossbeam::scope(|scope| {
            if scope.builder().spawn(|_| save()).is_err() {
                self.complaints.warning("no thread can be had for saving; results are written at the end");
            }
            let result = work();
            drop(running);
            result
        });
        joined.expect("invariant: saving does not panic")
    }

    /// Adds what a finished level has gained; it is written soon. Returns whether it had gained anything.
    pub(crate) fn level_done(&self, task: &impl Gains) -> bool {
        if let Some((library, finds)) = self.library.as_ref().zip(task.finds()) {
            self.gained.lock().remove(&task.key());
            library.queue().put(finds.with_runs(task.runs()).with_bounds(task.bounds()));
        }
        let mut state = self.state.lock();
        state.done.insert(task.key());
        let mut is_gain = false;
        for places in task.places().chunk_by(TargetLevel::is_beside) {
            let target = &mut state.targets[places[0].target_idx];
            let added = self.add(task, target, places);
            if added.is_gain {
                target.gain();
            }
            is_gain |= added.is_gain;
            if let Some(instead) = added.instead {
                target.tell(&task.at().place(task.at().entry.line()), &instead, &self.complaints);
                state.has_lost |= matches!(instead, Instead::Lost(_));
            }
        }
        is_gain
    }

    /// Adds what a level has gained to its places in a target.
    fn add(&self, task: &impl Gains, target: &mut Target, places: &[TargetLevel]) -> Added {
        let level_idxs: Vec<_> = places.iter().map(|place| place.level_idx).collect();
        let add = |document: &mut Document, level_idx| task.add_to(document, level_idx, self.keep);
        target.add(task.at().entry, &level_idxs, self.keep, &add)
    }

    /// Notes that a level that is under way has gained something.
    pub(crate) fn level_improved(&self, task: &impl Gains) {
        if self.library.is_some() {
            self.gained.lock().insert(task.key());
        }
        let mut state = self.state.lock();
        task.places().iter().for_each(|place| state.targets[place.target_idx].is_dirty = true);
    }

    /// Writes, if there is something to write and the last writing is long enough ago.
    pub(crate) fn tick<T: Gains>(&self, tasks: &[T]) {
        self.tick_library(tasks);
        let mut state = self.state.lock();
        if state.since_write.elapsed() < state.pause || !state.targets.iter().any(|target| target.is_dirty) {
            return;
        }
        let mut copies: HashMap<usize, Target> = HashMap::new();
        for (target_idx, target) in state.targets.iter_mut().enumerate().filter(|(_, target)| target.is_dirty) {
            target.is_dirty = false;
            copies.insert(target_idx, target.clone());
        }
        let under_way: Vec<_> = tasks.iter().filter(|task| !state.done.contains(&task.key())).collect();
        drop(state);
        let clock = Clock::start();
        for task in under_way {
            for places in task.places().chunk_by(TargetLevel::is_beside) {
                if let Some(copy) = copies.get_mut(&places[0].target_idx)
                    // What is refused is told when the level is done.
                    && self.add(task, copy, places).is_gain
                {
                    copy.gain();
                }
            }
        }
        let failures: Vec<_> = copies.iter().filter_map(|(idx, copy)| Some((*idx, copy.write().err()?))).collect();
        let mut state = self.state.lock();
        state.pause = MIN_PAUSE.max(clock.elapsed() * PAUSE_FACTOR);
        state.since_write = Clock::start();
        let is_new = state.error.is_none();
        state.error = None;
        for (target_idx, error) in failures {
            let error = with_causes(error);
            if is_new {
                self.complaints.warning(&format!("{error}; trying again"));
            }
            state.error = Some(error);
            state.targets[target_idx].is_dirty = true;
        }
    }

    /// Puts the gains of levels under way into the queue of the library.
    fn tick_library<T: Gains>(&self, tasks: &[T]) {
        let Some(library) = &self.library else { return };
        let gained = std::mem::take(&mut *self.gained.lock());
        if !gained.is_empty() {
            tasks
                .iter()
                .filter(|task| gained.contains(&task.key()))
                .filter_map(Gains::finds)
                .for_each(|finds| library.queue().put(finds));
        }
        library.tick();
    }

    /// Writes everything a last time.
    pub(crate) fn close(self) -> anyhow::Result<Saved> {
        let has_missed_library = self.library.as_ref().is_some_and(|library| !library.close());
        let state = self.state.lock();
        if let Err(error) = state.targets.iter().try_for_each(Target::write) {
            let rescued = rescue(&state.targets);
            return Err(error).context(match &rescued[..] {
                [] => "the results could not be saved".to_owned(),
                paths => format!("the results are in {} instead", shown(paths)),
            });
        }
        let mut saved = Saved { has_failed: state.has_lost, has_missed_library, ..Saved::default() };
        for target in state.targets.iter().flat_map(Target::files) {
            match &target.place {
                TargetPlace::File(path) | TargetPlace::FileIfGained(path) if target.has_gain => {
                    saved.gained.push(path.clone());
                }
                TargetPlace::File(path) => saved.copies.push(path.clone()),
                TargetPlace::FileIfGained(_) => {}
                TargetPlace::Stdout => {
                    let printed = output::print_bytes(&target.document.collection().to_bytes());
                    output::forgive_broken_pipe(printed).context("cannot write to standard output")?;
                }
            }
        }
        Ok(saved)
    }
}

impl TargetLevel {
    /// Whether both are in the same target.
    fn is_beside(&self, other: &Self) -> bool {
        self.target_idx == other.target_idx
    }
}

/// Writes what was gained where temporary files go. Returns the files.
fn rescue(targets: &[Target]) -> Vec<PathBuf> {
    let mut rescued = Vec::new();
    let gained = targets.iter().flat_map(Target::files).filter(|target| target.has_gain);
    for (number, target) in (1..).zip(gained) {
        let name = format!("soko-results-{}-{number}.sok", std::process::id());
        let path = std::env::temp_dir().join(name);
        if write_new_file(&path, &target.document.collection().to_bytes()).is_ok() {
            rescued.push(path);
        }
    }
    rescued
}

/// Names files, joined by commas, for people.
pub(crate) fn shown(paths: &[impl AsRef<Path>]) -> String {
    paths.iter().map(|path| harmless(&path.as_ref().display().to_string())).collect::<Vec<_>>().join(", ")
}
