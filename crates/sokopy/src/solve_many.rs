//! `solve_many`: many levels, each with one thread, all cores at a time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::prelude::*;
use pyo3::types::PyList;
use sokosearch::{Cancel, run_jobs};
use sokosolver::Outcome;

use crate::background::{self, Events, News, Wish};
use crate::level::{LevelData, PyLevel};
use crate::progress::wish;
use crate::run_limits::RunLimits;
use crate::solve::{self, MEMORY, SolveTask};

/// Solve many levels, a level on each core at a time, and return their results in the same order.
///
/// The arguments are those of `solve`; `time` and `work` limit each level, and `memory` is shared by the levels that are
/// searched at a time. With limited work, equal calls do equal work, whatever `threads` is.
///
/// `progress` is called with the index and the `SolveResult` of each level as soon as it is done, in the thread of the
/// caller. If it returns False, the levels that are not done are `unsolved` and `interrupted`. Ctrl-C raises `Interrupted`,
/// which has the results by then.
///
/// >>> import soko
/// >>> levels = [soko.Level("######\n#@$ .#\n######"), soko.Level("#######\n#@  .##\n#    $#\n#######")]
/// >>> [result.status for result in soko.solve_many(levels, optimal="pushes")]
/// ['solved', 'unsolvable']
#[pyfunction]
#[pyo3(signature = (levels, *, optimal = None, strategy = None, time = None, work = None, memory = MEMORY, threads = None,
                    progress = None))]
#[expect(clippy::too_many_arguments, reason = "arguments of Python have names and defaults")]
pub(crate) fn solve_many<'py>(
    py: Python<'py>,
    levels: &Bound<'py, PyAny>,
    optimal: Option<&str>,
    strategy: Option<&str>,
    time: Option<f64>,
    work: Option<i64>,
    memory: i64,
    threads: Option<i64>,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyList>> {
    let task = SolveTask::new(optimal, strategy)?;
    let limits = RunLimits::new(time, work, memory, threads)?;
    let level_of = |item: PyResult<Bound<'py, PyAny>>| Ok(Arc::clone(&item?.cast::<PyLevel>()?.get().0));
    let levels: Arc<[Arc<LevelData>]> = levels.try_iter()?.map(level_of).collect::<PyResult<_>>()?;
    let mut results: Vec<Option<Bound<'py, PyAny>>> = vec![None; levels.len()];
    let cancel = Cancel::default();
    let (search_cancel, search_levels) = (cancel.clone(), Arc::clone(&levels));
    let search = move |events: &Events<(usize, Outcome)>| {
        let memory = limits.memory / limits.n_threads as u64;
        // Once the run was given up, the levels that are left are not even begun.
        let is_heard = AtomicBool::new(true);
        run_jobs(limits.n_threads, search_levels.iter().enumerate(), |(at, level)| {
            if is_heard.load(Ordering::Relaxed) {
                let outcome = task.solver(level, &limits, memory, 1, &search_cancel).run();
                is_heard.fetch_and(events.send((at, outcome)), Ordering::Relaxed);
            }
        });
    };
    let listen = |news: News<(usize, Outcome)>| {
        let News::Event((at, outcome)) = news else { return Ok(Wish::Continue) };
        let result = solve::result(py, &levels[at], outcome)?;
        let answer = progress.as_ref().map(|progress| progress.call1((at, &result))).transpose()?;
        results[at] = Some(result);
        answer.map_or(Ok(Wish::Continue), |answer| wish(&answer))
    };
    if let Err(error) = background::run(py, &cancel, search, listen) {
        let result = |_| PyList::new(py, results).map(|list| Some(list.into_any()));
        return Err(error.into_exception(py, result, None));
    }
    PyList::new(
        py,
        results.into_iter().map(|result| result.expect("invariant: every job sends an outcome to a run that is heard")),
    )
}
