//! The limits of a run, as Python gives them.

use std::num::NonZero;
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The most threads that a run may ask for.
const MAX_THREADS: i64 = 1_024;

/// What was asked for; `None` is left to the run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RunLimits {
    /// `Some(None)` is a run without end.
    pub(crate) time: Option<Option<Duration>>,
    pub(crate) work: Option<u64>,
    pub(crate) memory: u64,
    pub(crate) n_threads: usize,
}

impl RunLimits {
    /// Reads the arguments of Python.
    pub(crate) fn new(time: Option<f64>, work: Option<i64>, memory: i64, threads: Option<i64>) -> PyResult<Self> {
        let work = work.map(|ticks| not_negative(ticks, "work is a number of ticks")).transpose()?;
        let memory = not_negative(memory, "memory is a number of bytes")?;
        let n_threads = match threads {
            None => thread::available_parallelism().map_or(1, NonZero::get),
            Some(n @ 1..=MAX_THREADS) => usize::try_from(n)?,
            Some(n) => {
                let message = format!("threads must be from 1 to {MAX_THREADS}, or None for all cores; it is {n}");
                return Err(PyValueError::new_err(message));
            }
        };
        Ok(Self { time: time.map(duration).transpose()?, work, memory, n_threads })
    }
}

/// Returns a time; none if it is infinite.
fn duration(seconds: f64) -> PyResult<Option<Duration>> {
    if seconds == f64::INFINITY {
        return Ok(None);
    }
    // What is beyond the longest time has no end either.
    let message = || format!("time is a number of seconds, math.inf for no limit; it is {seconds}");
    match Duration::try_from_secs_f64(seconds) {
        Ok(time) => Ok(Some(time)),
        Err(_) if seconds > 0.0 => Ok(None),
        Err(_) => Err(PyValueError::new_err(message())),
    }
}

fn not_negative(number: i64, what: &str) -> PyResult<u64> {
    u64::try_from(number).map_err(|_| PyValueError::new_err(format!("{what}, 0 or more; it is {number}")))
}
