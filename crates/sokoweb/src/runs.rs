//! The runs of a server: begun, watched, paused and stopped by the pages, and independent of them.
//!
//! ```text
//!   RunRequest ─▶ Run: a thread ─▶ sokonight::Night ─▶ library
//!                      LiveRun ◀── events (any number a second)
//!                         │ a snapshot four times a second, if a page listens
//!                         ▼
//!                  one watch channel: each page takes the latest ─▶ server-sent events
//! ```
//!
//! Invariant: what is kept for the pages is bounded, however long runs last, however much they find, and however slow
//! a page is.

mod curve;
mod live_run;
mod request;
mod snapshot;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use parking_lot::Mutex;
use sokolibrary::{Library, LibraryError, Origin};
use sokonight::{LibraryQueue, Night, NightControl, NightLevel, NightLevelError};
use thiserror::Error;
use tokio::sync::watch;

pub(crate) use self::live_run::LiveRun;
use self::request::RunPlan;
pub(crate) use self::request::RunRequest;
pub(crate) use self::snapshot::BestJson;
use self::snapshot::RunsJson;
use crate::problem::{Problem, with_causes};
use crate::server::ServerOptions;
use crate::store::Store;

/// The time between two snapshots.
pub(crate) const PAUSE: Duration = Duration::from_millis(250);
/// The most runs at a time.
const MAX_ACTIVE: usize = 8;
/// The most runs that are shown; the oldest that have ended go first.
const MAX_SHOWN: usize = 24;
/// The time between two attempts to write a library that cannot be written.
const RETRY: Duration = Duration::from_secs(1);

/// What pages want of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RunWish {
    Pause,
    Resume,
    Stop,
    /// Take a run that has ended off the page.
    Dismiss,
}

/// All runs.
#[derive(Debug)]
pub(crate) struct Runs {
    path: PathBuf,
    n_threads: usize,
    memory: u64,
    /// Tells the bytes of this process that are in memory, if the program can.
    resident_memory: Option<fn() -> u64>,
    runs: Mutex<RunList>,
    latest: watch::Sender<Arc<str>>,
}

#[derive(Debug, Default)]
struct RunList {
    n_begun: u64,
    runs: Vec<Run>,
}

/// A run and its thread.
#[derive(Debug)]
struct Run {
    live: Arc<LiveRun>,
    control: NightControl,
    memory: u64,
    thread: Option<JoinHandle<Result<(), RunError>>>,
}

/// Why a run could not do its work, or not keep it.
#[derive(Debug, Error)]
pub(crate) enum RunError {
    #[error(transparent)]
    Library(#[from] LibraryError),
    #[error(transparent)]
    Levels(#[from] NightLevelError),
    #[error("a fault of Soko ended a run")]
    Fault,
}

impl Run {
    fn is_active(&self) -> bool {
        self.thread.as_ref().is_some_and(|thread| !thread.is_finished())
    }
}

impl Runs {
    /// Makes an empty list.
    pub(crate) fn new(store: &Store, options: &ServerOptions) -> Self {
        let (latest, _) = watch::channel(Arc::from(""));
        Self {
            path: store.path().to_owned(),
            n_threads: options.n_threads,
            memory: options.memory,
            resident_memory: options.resident_memory,
            runs: Mutex::default(),
            latest,
        }
    }

    /// Begins a run. Returns its number.
    pub(crate) fn begin(&self, request: &RunRequest) -> Result<u64, Problem> {
        let mut list = self.runs.lock();
        let active: Vec<_> = list.runs.iter().filter(|run| run.is_active()).collect();
        if active.len() >= MAX_ACTIVE {
            return Err(Problem::busy(format!("{MAX_ACTIVE} runs are in progress; stop one of them first")));
        }
        let used = active.iter().map(|run| run.memory).sum();
        let plan = RunPlan::of(request, self.n_threads, self.memory.saturating_sub(used))?;
        list.n_begun += 1;
        let number = list.n_begun;
        let live = Arc::new(LiveRun::new(number, &plan));
        let control = NightControl::default();
        let memory = plan.knobs.memory;
        let thread = {
            let (path, live, control) = (self.path.clone(), Arc::clone(&live), control.clone());
            let work = move || work(&path, &plan, &live, &control);
            thread::Builder::new().name(format!("run {number}")).spawn(work)
        };
        let thread = thread.map_err(|error| Problem::fault(format!("the system has no thread for it: {error}")))?;
        list.runs.push(Run { live, control, memory, thread: Some(thread) });
        let n_excess = list.runs.len().saturating_sub(MAX_SHOWN);
        let ended: Vec<_> = list.runs.iter().filter(|run| !run.is_active()).map(|run| run.live.number()).collect();
        list.runs.retain(|run| !ended.iter().take(n_excess).any(|&gone| gone == run.live.number()));
        Ok(number)
    }

    /// Does what a page wants of a run.
    pub(crate) fn control(&self, number: u64, wish: RunWish) -> Result<(), Problem> {
        let mut list = self.runs.lock();
        let Some(at) = list.runs.iter().position(|run| run.live.number() == number) else {
            return Err(Problem::missing("there is no such run any more"));
        };
        let run = &list.runs[at];
        match wish {
            RunWish::Pause => run.control.pause(),
            RunWish::Resume => run.control.resume(),
            RunWish::Stop => run.control.stop(),
            RunWish::Dismiss if run.is_active() => return Err(Problem::busy("the run is in progress; stop it first")),
            RunWish::Dismiss => drop(list.runs.remove(at)),
        }
        Ok(())
    }

    /// Returns the best solution that a run has found last.
    pub(crate) fn best(&self, number: u64) -> Result<BestJson, Problem> {
        let live = {
            let list = self.runs.lock();
            list.runs.iter().find(|run| run.live.number() == number).map(|run| Arc::clone(&run.live))
        };
        let live = live.ok_or_else(|| Problem::missing("there is no such run any more"))?;
        live.best().ok_or_else(|| Problem::missing("the run has no solution yet"))
    }

    /// Returns what all runs are at, as JSON.
    pub(crate) fn snapshot(&self) -> Arc<str> {
        let runs: Vec<_> = {
            let list = self.runs.lock();
            list.runs.iter().rev().map(|run| (Arc::clone(&run.live), run.control.clone())).collect()
        };
        let snapshot = RunsJson {
            runs: runs.iter().map(|(live, control)| live.snapshot(control)).collect(),
            n_threads: self.n_threads,
            memory_mib: self.memory >> 20,
            resident_mib: self.resident_memory.map(|resident| resident() >> 20),
        };
        serde_json::to_string(&snapshot).expect("invariant: snapshots are plain data").into()
    }

    /// Returns a receiver of snapshots, which holds the latest alone.
    pub(crate) fn listen(&self) -> watch::Receiver<Arc<str>> {
        let mut receiver = self.latest.subscribe();
        self.latest.send_replace(self.snapshot());
        receiver.mark_changed();
        receiver
    }

    /// Sends a snapshot, if a page listens and something is different.
    pub(crate) fn publish(&self) {
        if self.latest.receiver_count() > 0 {
            let snapshot = self.snapshot();
            self.latest.send_if_modified(|latest| {
                let is_new = *latest != snapshot;
                *latest = snapshot;
                is_new
            });
        }
    }

    /// Stops all runs, and waits until what they have found is kept.
    pub(crate) fn stop_all(&self) -> Result<(), RunError> {
        let threads: Vec<_> = {
            let mut list = self.runs.lock();
            list.runs.iter().for_each(|run| run.control.stop());
            list.runs.iter_mut().filter_map(|run| run.thread.take()).collect()
        };
        let ends = threads.into_iter().map(|thread| thread.join().unwrap_or(Err(RunError::Fault)));
        // Each of them is waited for, even if one has failed.
        ends.fold(Ok(()), Result::and)
    }
}

/// The work of a run's thread.
fn work(path: &Path, plan: &RunPlan, live: &LiveRun, control: &NightControl) -> Result<(), RunError> {
    let done = search(path, plan, live, control);
    match &done {
        Ok(ended) => live.end(ended, control),
        Err(error) => live.fail(&with_causes(error)),
    }
    done.map(drop)
}

/// Runs the night of a run. Returns in words how it has ended.
fn search(path: &Path, plan: &RunPlan, live: &LiveRun, control: &NightControl) -> Result<&'static str, RunError> {
    let library = Library::open(path)?;
    let origin = Origin::of_run(plan.settings.clone()).by("Soko", env!("CARGO_PKG_VERSION"));
    let queue = LibraryQueue::at(path, origin)?;
    let collections = plan.collections(&library)?;
    let mut levels = NightLevel::of_collections(&library, &collections, &plan.knobs.objectives)?;
    drop(library);
    levels.retain(|level| plan.takes(level));
    live.begin(&levels);
    let outcome = Night::new(&levels, &queue, &plan.knobs).run(control, live);
    while let Err(error) = queue.flush() {
        live.trouble(&with_causes(&error));
        if control.is_stopped() {
            return Err(error.into());
        }
        thread::sleep(RETRY);
    }
    Ok(match () {
        () if levels.is_empty() => "there was nothing to do",
        () if control.is_stopped() => "stopped",
        () if outcome.n_failed > 0 => "a fault of Soko ended some searches",
        () if plan.knobs.time.is_some_and(|time| outcome.elapsed >= time) => "time is over",
        () => "nothing is left to try",
    })
}

#[cfg(test)]
mod tests;
