//! A search in a thread of its own, while Python's thread waits for its events and for signals.
//!
//! ```text
//!   Python's thread    wait 10 ms ─▶ signals? ─▶ wait ─▶ event: `progress` ─▶ wait ─▶ outcome
//!                         ▲ without the lock                ▲                          ▲
//!   search             ───┴─────────────────────────────── send ───────────────────── send
//! ```
//!
//! Invariant: while a search runs, Python's lock is held only to look for signals and to call `progress`. If either raises,
//! the search is told to stop, and gets [`GRACE`] to do so: the exception does not wait longer. The thread then ends by
//! itself; it owns all that it uses, and nothing listens to it any more.
//!
//! The channel is bounded: where `progress` is slower than the events, the search waits.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;
use std::time::Duration;

use crossbeam::channel::{Receiver, RecvTimeoutError, Sender, bounded};
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError};
use pyo3::prelude::*;
use sokosearch::{Cancel, Clock};

use crate::errors::Interrupted;
use crate::solution::PySolution;

/// How often Python's signals are looked for.
const POLL: Duration = Duration::from_millis(10);
/// How long a search may take to stop before the caller has its exception.
const GRACE: Duration = Duration::from_millis(20);
/// How often a listener is told that the search runs.
const HEARTBEAT: Duration = Duration::from_secs(1);
/// How many events may wait.
const MAX_WAITING: usize = 256;

/// Whether a run is to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    Continue,
    Stop,
}

/// What Python's thread is told.
#[derive(Debug)]
pub(crate) enum News<E> {
    /// The search sent this.
    Event(E),
    /// The search has run for so long.
    Running(Duration),
}

/// Why a run has no result.
#[derive(Debug)]
pub(crate) struct RunError<T> {
    raised: PyErr,
    /// What the search has made of it by then, if it has stopped in time.
    outcome: Option<T>,
}

impl<T> From<PyErr> for RunError<T> {
    fn from(raised: PyErr) -> Self {
        Self { raised, outcome: None }
    }
}

impl<T> RunError<T> {
    /// Returns the exception for the caller. That of Ctrl-C carries what was found: `result` is made of the outcome, if
    /// there is one, and `best` is the best solution that the search has told of.
    pub(crate) fn into_exception<'py>(
        self,
        py: Python<'py>,
        result: impl FnOnce(Option<T>) -> PyResult<Option<Bound<'py, PyAny>>>,
        best: Option<PySolution>,
    ) -> PyErr {
        let Self { raised, outcome } = self;
        if !raised.is_instance_of::<PyKeyboardInterrupt>(py) {
            return raised;
        }
        match result(outcome) {
            Ok(result) => Interrupted::new_err((result.map(Bound::unbind), best)),
            Err(error) => error,
        }
    }
}

/// The search's end of the channel.
#[derive(Debug)]
pub(crate) struct Events<E>(Sender<E>);

impl<E> Events<E> {
    /// Sends an event, and returns whether it can be received: not if the run was given up.
    pub(crate) fn send(&self, event: E) -> bool {
        self.0.send(event).is_ok()
    }
}

/// Runs a search, and hands its events to `listen` in the caller's thread.
///
/// # Errors
/// What a signal or `listen` raises, with the outcome of the search if it stops in time; or the search panics, or has no
/// thread.
pub(crate) fn run<E, T>(
    py: Python<'_>,
    cancel: &Cancel,
    search: impl FnOnce(&Events<E>) -> T + Send + 'static,
    listen: impl FnMut(News<E>) -> PyResult<Wish>,
) -> Result<T, RunError<T>>
where
    E: Send + 'static,
    T: Send + 'static,
{
    let (sender, events) = bounded(MAX_WAITING);
    let (result_sender, result) = bounded(1);
    let work = move || {
        let events = Events(sender);
        let outcome = catch_unwind(AssertUnwindSafe(|| search(&events)));
        // If the run was given up, nothing receives it. The end of the events follows, as `events` is dropped.
        let _ = result_sender.send(outcome);
    };
    thread::Builder::new()
        .name("soko".to_owned())
        .spawn(work)
        .map_err(|error| PyRuntimeError::new_err(format!("the search has no thread: {error}; close other programs")))?;
    if let Err(raised) = follow(py, cancel, &events, listen) {
        cancel.cancel();
        drop(events);
        // It may not stop in time, or panic then.
        let outcome = py.detach(|| result.recv_timeout(GRACE)).ok().and_then(Result::ok);
        return Err(RunError { raised, outcome });
    }
    let outcome = py.detach(|| result.recv()).map_err(|_| failed("its thread is gone"))?;
    let why = |panic: &(dyn Any + Send)| failed(panic.downcast_ref::<&str>().copied().unwrap_or("it panicked"));
    outcome.map_err(|panic| why(&*panic).into())
}

/// Hands events on until the search has ended.
fn follow<E: Send>(
    py: Python<'_>,
    cancel: &Cancel,
    events: &Receiver<E>,
    mut listen: impl FnMut(News<E>) -> PyResult<Wish>,
) -> PyResult<()> {
    let clock = Clock::start();
    let mut next_heartbeat = HEARTBEAT;
    loop {
        let message = py.detach(|| events.recv_timeout(POLL));
        py.check_signals()?;
        let wish = match message {
            Ok(event) => listen(News::Event(event))?,
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
            Err(RecvTimeoutError::Timeout) if clock.elapsed() >= next_heartbeat => {
                next_heartbeat = clock.elapsed() + HEARTBEAT;
                listen(News::Running(clock.elapsed()))?
            }
            Err(RecvTimeoutError::Timeout) => Wish::Continue,
        };
        if wish == Wish::Stop {
            cancel.cancel();
        }
    }
}

fn failed(why: &str) -> PyErr {
    PyRuntimeError::new_err(format!("the search failed, {why}; this is a bug, please report it with the level"))
}
