//! `optimize`: better solutions.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use sokocore::{Objective, Solution};
use sokomethods::{Improvement, Optimizer};
use sokosearch::Cancel;

use crate::background::{self, Events, News};
use crate::errors::{message, moves_error};
use crate::progress::{RunEvent, tell};
use crate::results;
use crate::run_limits::RunLimits;
use crate::solution::PySolution;
use crate::solve::MEMORY;

/// Improve a solution.
///
/// `objective` names what is to be least, first things first, such as 'moves', 'pushes/moves' or 'boxlines/pushes'. `known`
/// are other solutions of the level to start from. `seed` chooses among the ways that chance decides.
///
/// Limits: `time` in seconds (30 unless told, or none if `work` is limited; `math.inf` for none), `work` in ticks, `memory`
/// in bytes, `threads` (all cores if None). With limited work there is one thread, and equal calls give equal solutions on
/// every machine.
///
/// `progress` is called with a `Progress` in the thread of the caller: for each better solution, and about once a second.
/// If it returns False, the run ends with what it has; if it raises, so does `optimize`. Ctrl-C ends the run too.
///
/// >>> import soko
/// >>> level = soko.Level("######\n##   #\n#@$ $#\n#.  .#\n######")
/// >>> result = soko.optimize(soko.Solution(level, "drruurDullDrdL"), objective="moves")
/// >>> print(result.before.metrics, "->", result.metrics)
/// 14/3/3/2/3/11 -> 12/5/5/3/4/11
/// >>> result.history[-1].metrics == result.metrics
/// True
#[pyfunction]
#[pyo3(signature = (solution, *, objective = "moves", known = Vec::new(), seed = 0, time = None, work = None, memory = MEMORY,
                    threads = None, progress = None))]
#[expect(clippy::too_many_arguments, reason = "arguments of Python have names and defaults")]
pub(crate) fn optimize<'py>(
    py: Python<'py>,
    solution: &PySolution,
    objective: &str,
    known: Vec<PyRef<'py, PySolution>>,
    seed: u64,
    time: Option<f64>,
    work: Option<i64>,
    memory: i64,
    threads: Option<i64>,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let limits = RunLimits::new(time, work, memory, threads)?;
    let objective: Objective =
        objective.parse().map_err(|error| pyo3::exceptions::PyValueError::new_err(message(&error)))?;
    let known: Vec<Solution> = known.iter().map(|solution| solution.solution.clone()).collect();
    let (cancel, of) = (Cancel::default(), Arc::clone(&solution.of));
    let (search_cancel, search_of, start) = (cancel.clone(), Arc::clone(&of), solution.solution.clone());
    let search = move |events: &Events<RunEvent>| {
        let mut optimizer = Optimizer::new(&search_of.level)
            .objective(objective)
            .threads(limits.n_threads)
            .seed(seed)
            .memory(limits.memory)
            .work(limits.work)
            .cancel(&search_cancel)
            .on_improvement(|found| {
                events.send(run_event(found));
            });
        if let Some(time) = limits.time {
            optimizer = optimizer.time(time);
        }
        for solution in &known {
            optimizer = optimizer.known(solution)?;
        }
        optimizer.run(&start)
    };
    let mut history = Vec::new();
    let listen = |news: News<RunEvent>| {
        if let News::Event(event) = &news {
            history.push(improvement(py, event)?);
        }
        tell(py, progress.as_ref(), &of, news)
    };
    let mut outcome = background::run(py, &cancel, search, listen)?.map_err(|error| moves_error(&error))?;
    let (end, peak_bytes) = (outcome.end(), outcome.peak_bytes);
    let result = outcome.results.swap_remove(0);
    let fields = PyDict::new(py);
    fields.set_item("before", results::solution(&of, result.before))?;
    fields.set_item("solution", results::solution(&of, result.best))?;
    fields.set_item("objective", objective.to_string())?;
    fields.set_item("proved", result.is_proved)?;
    fields.set_item("end", end.to_string())?;
    fields.set_item("seconds", outcome.elapsed.as_secs_f64())?;
    fields.set_item("ticks", result.ticks)?;
    fields.set_item("peak_bytes", peak_bytes)?;
    fields.set_item("history", PyTuple::new(py, history)?)?;
    results::make(py, "OptimizeResult", &fields)
}

/// Returns what Python is told of a better solution.
fn run_event(found: &Improvement<'_>) -> RunEvent {
    RunEvent {
        kind: "improved",
        by: found.method.to_owned(),
        elapsed: found.elapsed,
        metrics: Some(found.solution.metrics()),
        solution: Some(found.solution.clone()),
        bound: None,
    }
}

/// Returns an entry of the history.
fn improvement<'py>(py: Python<'py>, event: &RunEvent) -> PyResult<Bound<'py, PyAny>> {
    let fields = PyDict::new(py);
    fields.set_item("seconds", event.elapsed.as_secs_f64())?;
    fields.set_item("metrics", event.metrics.map(|metrics| results::metrics(py, &metrics)).transpose()?)?;
    fields.set_item("by", &event.by)?;
    results::make(py, "Improvement", &fields)
}
