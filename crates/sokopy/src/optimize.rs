//! `optimize`: better solutions.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use sokocore::{Level, Objective, ReplayError, Solution};
use sokomethods::{Improvement, ObjectiveOutcome, OptimizeOutcome, Optimizer};
use sokosearch::{Budget, Cancel, MemoryAccount};
use sokosolver::{PortfolioSource, SolveKnobs};

use crate::background::{self, Events, News};
use crate::errors::{message, moves_error};
use crate::level::LevelData;
use crate::progress::{RunEvent, tell};
use crate::results;
use crate::run_limits::RunLimits;
use crate::solution::PySolution;
use crate::solve::MEMORY;

/// Improve a solution.
///
/// `objective` names what is to be least, first things first, such as 'moves', 'pushes/moves' or 'boxlines/pushes'; a list
/// of names asks for the best by each, and returns a list of results. `known` are other solutions of the level to start
/// from. `solver` is whether the solver looks for solutions of other shapes when nothing more is gained, in a quarter of the
/// memory. `seed` chooses among the ways that chance decides.
///
/// Limits: `time` in seconds (30 unless told, or none if `work` is limited; `math.inf` for none), `work` in ticks, `memory`
/// in bytes, `threads` (all cores if None). With limited work there is one thread, and equal calls give equal solutions on
/// every machine.
///
/// `progress` is called with a `Progress` in the thread of the caller: for each better solution, and about once a second.
/// If it returns False, the run ends with what it has; if it raises, so does `optimize`. Ctrl-C raises `Interrupted`, which
/// has what was found.
///
/// >>> import soko
/// >>> level = soko.Level("######\n##   #\n#@$ $#\n#.  .#\n######")
/// >>> result = soko.optimize(soko.Solution(level, "drruurDullDrdL"), objective="moves")
/// >>> print(result.before.metrics, "->", result.metrics)
/// 14/3/3/2/3/11 -> 12/5/5/3/4/11
/// >>> result.history[-1].metrics == result.metrics
/// True
/// >>> [str(each.metrics) for each in soko.optimize(result.before, objective=["moves", "pushes"])]
/// ['12/5/5/3/4/11', '14/3/3/2/3/11']
#[pyfunction]
#[pyo3(signature = (solution, *, objective = None, known = Vec::new(), solver = true, seed = 0, time = None, work = None,
                    memory = MEMORY, threads = None, progress = None))]
#[pyo3(text_signature = "(solution, *, objective='moves', known=(), solver=True, seed=0, time=None, work=None, \
                          memory=1073741824, threads=None, progress=None)")]
#[expect(clippy::too_many_arguments, reason = "arguments of Python have names and defaults")]
pub(crate) fn optimize<'py>(
    py: Python<'py>,
    solution: &PySolution,
    objective: Option<Bound<'py, PyAny>>,
    known: Vec<PyRef<'py, PySolution>>,
    solver: bool,
    seed: u64,
    time: Option<f64>,
    work: Option<i64>,
    memory: i64,
    threads: Option<i64>,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let limits = RunLimits::new(time, work, memory, threads)?;
    let (objectives, is_list) = read_objectives(objective.as_ref())?;
    let known = known.iter().map(|solution| solution.solution.clone()).collect();
    let (cancel, of) = (Cancel::default(), Arc::clone(&solution.of));
    let task = OptimizeTask { start: solution.solution.clone(), objectives, known, uses_solver: solver, seed, limits };
    let (search_cancel, search_of) = (cancel.clone(), Arc::clone(&of));
    let search = move |events: &Events<RunEvent>| task.run(&search_of.level, &search_cancel, events);
    let (mut history, mut best) = (Vec::new(), None);
    let listen = |news: News<RunEvent>| {
        if let News::Event(event) = &news {
            history.push((event.objective, improvement(py, event)?));
            best = event.solution.clone().map(|solution| results::solution(&of, solution));
        }
        tell(py, progress.as_ref(), &of, news)
    };
    let outcome = background::run(py, &cancel, search, listen);
    let result = |outcome: OptimizeOutcome| results_of(py, &of, outcome, &history, is_list);
    match outcome {
        Ok(outcome) => result(outcome.map_err(|error| moves_error(&error))?),
        Err(error) => {
            let best = best.unwrap_or_else(|| results::solution(&of, solution.solution.clone()));
            let result = |outcome: Option<Result<OptimizeOutcome, ReplayError>>| {
                outcome.and_then(Result::ok).map(result).transpose()
            };
            Err(error.into_exception(py, result, Some(best)))
        }
    }
}

/// What is asked of an optimizer.
#[derive(Debug)]
struct OptimizeTask {
    start: Solution,
    objectives: Vec<Objective>,
    known: Vec<Solution>,
    uses_solver: bool,
    seed: u64,
    limits: RunLimits,
}

impl OptimizeTask {
    fn run(&self, level: &Level, cancel: &Cancel, events: &Events<RunEvent>) -> Result<OptimizeOutcome, ReplayError> {
        let Self { limits, .. } = self;
        let share = if self.uses_solver { limits.memory / PortfolioSource::SHARE } else { 0 };
        let mut optimizer = Optimizer::new(level)
            .threads(limits.n_threads)
            .seed(self.seed)
            .memory(limits.memory - share)
            .work(limits.work)
            .cancel(cancel)
            .on_improvement(|found| {
                events.send(run_event(found));
            });
        for &objective in &self.objectives {
            optimizer = optimizer.objective(objective);
        }
        if let Some(time) = limits.time {
            optimizer = optimizer.time(time);
        }
        if self.uses_solver {
            let budget = Budget::new(limits.time.flatten(), MemoryAccount::new(share), cancel.clone());
            optimizer = optimizer.source(PortfolioSource::new(level, &SolveKnobs::default(), &budget));
        }
        for solution in &self.known {
            optimizer = optimizer.known(solution)?;
        }
        optimizer.run(&self.start)
    }
}

/// Reads one name or several, and says whether it was a list.
fn read_objectives(objective: Option<&Bound<'_, PyAny>>) -> PyResult<(Vec<Objective>, bool)> {
    let read = |name: &str| {
        name.parse::<Objective>().map_err(|error| pyo3::exceptions::PyValueError::new_err(message(&error)))
    };
    let Some(objective) = objective else { return Ok((vec![Objective::MOVES], false)) };
    if let Ok(name) = objective.extract::<String>() {
        return Ok((vec![read(&name)?], false));
    }
    let names: Vec<String> = objective.extract()?;
    if names.is_empty() {
        return Err(pyo3::exceptions::PyValueError::new_err("objective is an empty list; name one, such as 'moves'"));
    }
    Ok((names.iter().map(|name| read(name)).collect::<PyResult<_>>()?, true))
}

/// Returns the result as Python has it; a list of them if a list was asked for.
fn results_of<'py>(
    py: Python<'py>,
    of: &Arc<LevelData>,
    outcome: OptimizeOutcome,
    history: &[(Option<Objective>, Bound<'py, PyAny>)],
    is_list: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let (elapsed, peak_bytes) = (outcome.elapsed, outcome.peak_bytes);
    let result = |result: ObjectiveOutcome| {
        let own = history.iter().filter(|(objective, _)| *objective == Some(result.objective)).map(|(_, gain)| gain);
        let fields = PyDict::new(py);
        fields.set_item("history", PyTuple::new(py, own.collect::<Vec<_>>())?)?;
        fields.set_item("before", results::solution(of, result.before))?;
        fields.set_item("solution", results::solution(of, result.best))?;
        fields.set_item("objective", result.objective.to_string())?;
        fields.set_item("proved", result.is_proved)?;
        fields.set_item("end", result.end.to_string())?;
        fields.set_item("seconds", elapsed.as_secs_f64())?;
        fields.set_item("ticks", result.ticks)?;
        fields.set_item("peak_bytes", peak_bytes)?;
        results::make(py, "OptimizeResult", &fields)
    };
    let mut all = outcome.results.into_iter().map(result).collect::<PyResult<Vec<_>>>()?;
    if is_list { Ok(PyList::new(py, all)?.into_any()) } else { Ok(all.swap_remove(0)) }
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
        objective: Some(found.objective),
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
