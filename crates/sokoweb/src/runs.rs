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
//! What a run has come to is noted in the library every two seconds and at its end, so that it is found again.
//!
//! Invariant: what is kept for the pages is bounded, however long runs last, however much they find, and however slow
//! a page is.

mod account;
mod curve;
mod live_run;
mod request;
mod snapshot;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use parking_lot::Mutex;
use serde::Serialize;
use sokolibrary::{Library, LibraryError, Origin, StoredRun};
use sokonight::{LibraryQueue, Night, NightControl, NightLevelError};
use thiserror::Error;
use tokio::sync::watch;

use self::account::{RunAccount, RunPhase};
pub(crate) use self::live_run::LiveRun;
pub(crate) use self::request::RunRequest;
use self::request::{RunHead, RunPlan};
pub(crate) use self::snapshot::BestJson;
use self::snapshot::RunsJson;
use crate::problem::{Problem, with_causes};
use crate::server::ServerOptions;

/// The time between two snapshots.
pub(crate) const PAUSE: Duration = Duration::from_millis(250);
/// The time between two notes of what runs have come to.
pub(crate) const KEEP_PAUSE: Duration = Duration::from_secs(2);
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
    /// Go on with a run that has ended, for the rest of its time.
    Continue,
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
    /// Where runs are noted. Locked before the list, and while a run begins or goes, so that one does at a time.
    library: Mutex<Library>,
    /// In the order of their numbers.
    runs: Mutex<Vec<Run>>,
    latest: watch::Sender<Arc<str>>,
}

/// A run and its thread.
#[derive(Debug)]
struct Run {
    live: Arc<LiveRun>,
    control: NightControl,
    memory: u64,
    /// What was asked for; `None` if that cannot be read.
    request: Option<RunRequest>,
    /// What the library has noted of it.
    kept: String,
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
    /// Shows a run of an earlier start of the server.
    fn of_stored(stored: StoredRun) -> Self {
        let read = || -> Result<_, Problem> {
            let unreadable = |error: serde_json::Error| Problem::unreadable(&error);
            let request: RunRequest = serde_json::from_str(&stored.request).map_err(unreadable)?;
            let account = RunAccount::of_stored(&stored.account).map_err(unreadable)?;
            Ok((RunHead::of(&request)?, account, Some(request)))
        };
        let (head, account, request) = read().unwrap_or_else(|problem| {
            let ended = Some(format!("what the library has noted of it cannot be read: {problem}"));
            let account = RunAccount { phase: RunPhase::Failed, ended, is_done: true, ..RunAccount::default() };
            (RunHead::unreadable(stored.number), account, None)
        });
        let live = Arc::new(LiveRun::new(&stored, head, account));
        Self { live, control: NightControl::default(), memory: 0, request, kept: stored.account, thread: None }
    }

    fn is_active(&self) -> bool {
        self.thread.as_ref().is_some_and(|thread| !thread.is_finished())
    }

    fn account(&self) -> RunAccount {
        self.live.account(&self.control)
    }
}

impl Runs {
    /// Lists the runs that the library has noted.
    pub(crate) fn open(options: &ServerOptions) -> Result<Self, LibraryError> {
        let (latest, _) = watch::channel(Arc::from(""));
        let library = Library::open(&options.library)?;
        let runs = library.runs()?.into_iter().map(Run::of_stored).collect();
        Ok(Self {
            path: options.library.clone(),
            n_threads: options.n_threads,
            memory: options.memory,
            resident_memory: options.resident_memory,
            library: Mutex::new(library),
            runs: Mutex::new(runs),
            latest,
        })
    }

    /// Returns the memory that no run has, unless there are as many runs as there may be.
    fn memory_left(&self) -> Result<u64, Problem> {
        let list = self.runs.lock();
        let active: Vec<_> = list.iter().filter(|run| run.is_active()).collect();
        if active.len() >= MAX_ACTIVE {
            return Err(Problem::busy(format!("{MAX_ACTIVE} runs are in progress; stop one of them first")));
        }
        Ok(self.memory.saturating_sub(active.iter().map(|run| run.memory).sum()))
    }

    /// Begins a run. Returns its number.
    pub(crate) fn begin(&self, request: &RunRequest) -> Result<u64, Problem> {
        let mut library = self.library.lock();
        let plan = RunPlan::of(request, self.n_threads, self.memory_left()?)?;
        let knobs = &plan.knobs;
        let account = RunAccount::default().continued(plan.seconds(), knobs.n_threads, knobs.memory >> 20);
        let stored = library.write(|changes| changes.begin_run(&json(request), &json(&account)))?;
        let run = self.started(&stored, request, plan, account);
        match run {
            Ok(run) => self.runs.lock().push(run),
            Err(problem) => {
                library.write(|changes| changes.forget_run(stored.number))?;
                return Err(problem);
            }
        }
        self.forget_excess(&mut library)?;
        Ok(stored.number)
    }

    /// Continues a run that has ended.
    fn take_up(&self, number: u64) -> Result<(), Problem> {
        let mut library = self.library.lock();
        let memory_left = self.memory_left()?;
        let (request, old, kept) = {
            let list = self.runs.lock();
            let run = find(&list, number)?;
            let request = run.request.clone().filter(|_| !run.is_active() && run.account().can_continue());
            let request = request.ok_or_else(|| Problem::busy("there is nothing to continue"))?;
            (request, run.account(), run.kept.clone())
        };
        let stored = library.write(|changes| changes.run(number))?;
        let stored = stored.ok_or_else(|| Problem::missing("the run was taken off another page"))?;
        if stored.account != kept && RunAccount::of_stored(&stored.account).ok().as_ref() != Some(&old) {
            return Err(Problem::busy(
                "another server on this library works on the run, or has since this one started",
            ));
        }
        let plan = RunPlan::of(&request.rest(&old, self.n_threads, memory_left), self.n_threads, memory_left)?;
        let account = old.continued(plan.seconds(), plan.knobs.n_threads, plan.knobs.memory >> 20);
        library.write(|changes| changes.set_run_account(number, &json(&account)))?;
        let run = self.started(&stored, &request, plan, account)?;
        let mut list = self.runs.lock();
        let at = list.iter().position(|old| old.live.number() == number);
        let at = at.ok_or_else(|| Problem::fault("the run has gone meanwhile"))?;
        list[at] = run;
        Ok(())
    }

    /// Starts the thread of a run.
    fn started(
        &self,
        stored: &StoredRun,
        request: &RunRequest,
        plan: RunPlan,
        account: RunAccount,
    ) -> Result<Run, Problem> {
        let kept = json(&account);
        let live = Arc::new(LiveRun::new(stored, plan.head.clone(), account));
        let control = NightControl::default();
        let memory = plan.knobs.memory;
        let thread = {
            let (path, live, control) = (self.path.clone(), Arc::clone(&live), control.clone());
            let work = move || work(&path, &plan, &live, &control);
            thread::Builder::new().name(format!("run {}", stored.number)).spawn(work)
        };
        let thread = thread.map_err(|error| Problem::fault(format!("the system has no thread for it: {error}")))?;
        Ok(Run { live, control, memory, request: Some(request.clone()), kept, thread: Some(thread) })
    }

    /// Takes the oldest runs that have ended off the list if there are too many.
    fn forget_excess(&self, library: &mut Library) -> Result<(), LibraryError> {
        let gone: Vec<u64> = {
            let list = self.runs.lock();
            let ended = list.iter().filter(|run| !run.is_active()).map(|run| run.live.number());
            ended.take(list.len().saturating_sub(MAX_SHOWN)).collect()
        };
        if gone.is_empty() {
            return Ok(());
        }
        library.write(|changes| gone.iter().try_for_each(|&number| changes.forget_run(number)))?;
        self.runs.lock().retain(|run| !gone.contains(&run.live.number()));
        Ok(())
    }

    /// Does what a page wants of a run.
    pub(crate) fn control(&self, number: u64, wish: RunWish) -> Result<(), Problem> {
        if wish == RunWish::Continue {
            return self.take_up(number);
        }
        if wish == RunWish::Dismiss {
            return self.dismiss(number);
        }
        let list = self.runs.lock();
        let control = &find(&list, number)?.control;
        match wish {
            RunWish::Pause => control.pause(),
            RunWish::Resume => control.resume(),
            RunWish::Stop | RunWish::Continue | RunWish::Dismiss => control.stop(),
        }
        Ok(())
    }

    fn dismiss(&self, number: u64) -> Result<(), Problem> {
        let mut library = self.library.lock();
        if find(&self.runs.lock(), number)?.is_active() {
            return Err(Problem::busy("the run is in progress; stop it first"));
        }
        library.write(|changes| changes.forget_run(number))?;
        self.runs.lock().retain(|run| run.live.number() != number);
        Ok(())
    }

    /// Notes in the library what runs have come to.
    pub(crate) fn keep(&self) -> Result<(), LibraryError> {
        let mut library = self.library.lock();
        let changed: Vec<(u64, String)> = {
            let list = self.runs.lock();
            // What cannot be read stays as it is.
            let readable = list.iter().filter(|run| run.request.is_some());
            let accounts = readable.map(|run| (run, json(&run.account())));
            accounts.filter(|(run, account)| run.kept != *account).map(|(run, new)| (run.live.number(), new)).collect()
        };
        if changed.is_empty() {
            return Ok(());
        }
        let kept =
            library.write(|changes| changed.iter().try_for_each(|(number, new)| changes.set_run_account(*number, new)));
        let mut list = self.runs.lock();
        let trouble = kept.as_ref().err().map(|error| with_causes(error));
        list.iter().filter(|run| run.is_active()).for_each(|run| run.live.set_trouble(trouble.clone()));
        if kept.is_ok() {
            for (number, new) in changed {
                if let Some(run) = list.iter_mut().find(|run| run.live.number() == number) {
                    run.kept = new;
                }
            }
        }
        kept
    }

    /// Returns the best solution that a run has found last.
    pub(crate) fn best(&self, number: u64) -> Result<BestJson, Problem> {
        let live = Arc::clone(&find(&self.runs.lock(), number)?.live);
        if let Some(best) = live.best() {
            return Ok(best);
        }
        let shown = live.shown().ok_or_else(|| Problem::missing("the run has no solution yet"))?;
        BestJson::of_library(&self.library.lock(), &shown, live.primary())
    }

    /// Returns what all runs are at, as JSON.
    pub(crate) fn snapshot(&self) -> Arc<str> {
        let runs: Vec<_> = {
            let list = self.runs.lock();
            list.iter().rev().map(|run| (Arc::clone(&run.live), run.control.clone())).collect()
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
            for run in list.iter().filter(|run| run.is_active() && !run.control.is_stopped()) {
                run.live.cut_off();
                run.control.stop();
            }
            list.iter_mut().filter_map(|run| run.thread.take()).collect()
        };
        let ends = threads.into_iter().map(|thread| thread.join().unwrap_or(Err(RunError::Fault)));
        // Each of them is waited for, even if one has failed.
        let ended = ends.fold(Ok(()), Result::and);
        ended.and(self.keep().map_err(RunError::from))
    }
}

/// Finds a run by its number.
fn find(list: &[Run], number: u64) -> Result<&Run, Problem> {
    let found = list.iter().find(|run| run.live.number() == number);
    found.ok_or_else(|| Problem::missing("there is no such run any more"))
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("invariant: requests and accounts are plain data")
}

/// The work of a run's thread.
fn work(path: &Path, plan: &RunPlan, live: &LiveRun, control: &NightControl) -> Result<(), RunError> {
    let done = search(path, plan, live, control);
    match &done {
        Ok((ended, is_done)) => live.end(ended, *is_done, control),
        Err(error) => live.fail(&with_causes(error), control),
    }
    done.map(drop)
}

/// Runs the night of a run. Returns in words how it has ended, and whether nothing is left to try.
fn search(
    path: &Path,
    plan: &RunPlan,
    live: &LiveRun,
    control: &NightControl,
) -> Result<(&'static str, bool), RunError> {
    let library = Library::open(path)?;
    let origin = Origin::of_run(plan.settings.clone()).by("Soko", env!("CARGO_PKG_VERSION"));
    let queue = LibraryQueue::at(path, origin)?;
    let levels = plan.levels(&library)?;
    drop(library);
    live.begin(&levels);
    let outcome = Night::new(&levels, &queue, &plan.knobs).run(control, live);
    while let Err(error) = queue.flush() {
        live.set_trouble(Some(with_causes(&error)));
        if control.is_stopped() {
            return Err(error.into());
        }
        thread::sleep(RETRY);
    }
    Ok(match () {
        () if levels.is_empty() => ("there was nothing to do", true),
        () if control.is_stopped() => ("stopped", false),
        () if outcome.n_failed > 0 => ("a fault of Soko ended some searches", false),
        () if plan.knobs.time.is_some_and(|time| outcome.elapsed >= time) => ("time is over", false),
        () => ("nothing is left to try", true),
    })
}

#[cfg(test)]
mod tests;
