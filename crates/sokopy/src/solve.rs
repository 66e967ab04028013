//! `solve`: one level, with all threads.

use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict};
use sokocore::{ReplayError, Solution};
use sokosearch::{Cancel, Clock, Limits};
use sokosolver::{Answer, Optimal, Outcome, STRATEGIES, SolveEvent, Solver, Strategy};

use crate::background::{self, Events, News};
use crate::errors::moves_error;
use crate::level::{LevelData, PyLevel};
use crate::progress::{RunEvent, tell};
use crate::results;
use crate::run_limits::RunLimits;
use crate::solution::PySolution;

/// Bytes that a run may use, unless told otherwise.
pub(crate) const MEMORY: i64 = 1 << 30;
const _: () = assert!(MEMORY as u64 == Limits::DEFAULT_MEMORY);

/// What is asked of a solver, beside its limits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SolveTask {
    optimal: Optimal,
    strategy: Option<&'static Strategy>,
}

impl SolveTask {
    /// Reads the arguments of Python.
    pub(crate) fn new(optimal: Option<&str>, strategy: Option<&str>) -> PyResult<Self> {
        let optimal = match optimal {
            None => Optimal::Any,
            Some("pushes") => Optimal::Pushes,
            Some("moves") => Optimal::Moves,
            Some("pushes/moves") => Optimal::PushesMoves,
            Some("moves/pushes") => Optimal::MovesPushes,
            Some(other) => {
                let names = "'pushes', 'moves', 'pushes/moves', 'moves/pushes' or None for any solution";
                return Err(PyValueError::new_err(format!("optimal may be {names}; it is '{other}'")));
            }
        };
        let named = |name: &str| {
            let message = || format!("there is no strategy '{name}'; those there are: {}", names().join(", "));
            Strategy::named(name).ok_or_else(|| PyValueError::new_err(message()))
        };
        Ok(Self { optimal, strategy: strategy.map(named).transpose()? })
    }

    /// Returns a solver for the task. It has so many bytes and threads.
    pub(crate) fn solver<'a>(
        self,
        of: &'a LevelData,
        limits: &RunLimits,
        memory: u64,
        n_threads: usize,
        cancel: &Cancel,
    ) -> Solver<'a> {
        let mut solver = Solver::new(&of.level).optimal(self.optimal).memory(memory).work(limits.work);
        solver = solver.threads(n_threads).cancel(cancel);
        if let Some(time) = limits.time {
            solver = solver.time(time);
        }
        match self.strategy {
            Some(strategy) => solver.strategy(strategy),
            None => solver,
        }
    }
}

/// Solve a level.
///
/// `optimal` asks for the best solution by 'pushes', 'moves', 'pushes/moves' or 'moves/pushes', with a proof if the limits
/// allow it; with None any solution will do. `strategy` is one of `strategies()` instead of the portfolio. `known` are
/// solutions to be beaten.
///
/// Limits: `time` in seconds (60 unless told, or none if `work` is limited; `math.inf` for none), `work` in ticks, `memory`
/// in bytes, `threads` (all cores if None). With one thread and limited work, equal calls do equal work on every machine.
///
/// `progress` is called with a `Progress` in the thread of the caller: for each better solution and bound, and about once a
/// second. If it returns False, the run ends with what it has; if it raises, so does `solve`. Ctrl-C raises `Interrupted`,
/// which has what was found.
///
/// >>> import soko
/// >>> level = soko.Level("#######\n#@ $ .#\n#     #\n#######")
/// >>> result = soko.solve(level, optimal="moves")
/// >>> result.status, result.proved, result.solution.moves
/// ('solved', True, 'rRR')
/// >>> soko.solve(soko.Level("#######\n#@  .##\n#    $#\n#######")).status
/// 'unsolvable'
#[pyfunction]
#[pyo3(signature = (level, *, optimal = None, strategy = None, known = Vec::new(), time = None, work = None, memory = MEMORY,
                    threads = None, progress = None))]
#[expect(clippy::too_many_arguments, reason = "arguments of Python have names and defaults")]
pub(crate) fn solve<'py>(
    py: Python<'py>,
    level: &PyLevel,
    optimal: Option<&str>,
    strategy: Option<&str>,
    known: Vec<PyRef<'py, PySolution>>,
    time: Option<f64>,
    work: Option<i64>,
    memory: i64,
    threads: Option<i64>,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let task = SolveTask::new(optimal, strategy)?;
    let limits = RunLimits::new(time, work, memory, threads)?;
    let known: Vec<Solution> = known.iter().map(|solution| solution.solution.clone()).collect();
    let (cancel, of) = (Cancel::default(), Arc::clone(&level.0));
    let (search_cancel, search_of) = (cancel.clone(), Arc::clone(&of));
    let search = move |events: &Events<RunEvent>| {
        let clock = Clock::start();
        let mut solver = task.solver(&search_of, &limits, limits.memory, limits.n_threads, &search_cancel);
        for solution in &known {
            solver = solver.known(solution)?;
        }
        let solver = solver.on_event(|event| {
            if let Some(event) = run_event(&event, &clock) {
                events.send(event);
            }
        });
        Ok::<_, ReplayError>(solver.run())
    };
    let mut best = None;
    let listen = |news: News<RunEvent>| {
        if let News::Event(RunEvent { solution: Some(solution), .. }) = &news {
            best = Some(results::solution(&of, solution.clone()));
        }
        tell(py, progress.as_ref(), &of, news)
    };
    match background::run(py, &cancel, search, listen) {
        Ok(outcome) => result(py, &of, outcome.map_err(|error| moves_error(&error))?),
        Err(error) => {
            let result = |outcome: Option<Result<Outcome, ReplayError>>| {
                outcome.and_then(Result::ok).map(|outcome| result(py, &of, outcome)).transpose()
            };
            Err(error.into_exception(py, result, best))
        }
    }
}

/// Return the names of the strategies of the solver, with what they do.
///
/// >>> import soko
/// >>> "a-star" in soko.strategies()
/// True
#[pyfunction]
pub(crate) fn strategies<'py>(py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
    STRATEGIES.iter().map(|strategy| (strategy.name, strategy.about)).into_py_dict(py)
}

/// Returns the outcome of a run as Python has it.
pub(crate) fn result<'py>(py: Python<'py>, of: &Arc<LevelData>, outcome: Outcome) -> PyResult<Bound<'py, PyAny>> {
    let fields = PyDict::new(py);
    fields.set_item("level", PyLevel(Arc::clone(of)))?;
    let status = match &outcome.answer {
        Answer::Solved { .. } => "solved",
        Answer::Unsolvable { .. } => "unsolvable",
        Answer::Unsolved(_) => "unsolved",
    };
    fields.set_item("status", status)?;
    fields.set_item("by", outcome.by())?;
    fields.set_item("proved", outcome.is_proved())?;
    fields.set_item("lower_bound", outcome.lower_bound)?;
    fields.set_item("end", outcome.end.to_string())?;
    fields.set_item("seconds", outcome.elapsed.as_secs_f64())?;
    fields.set_item("ticks", outcome.ticks)?;
    fields.set_item("peak_bytes", outcome.peak_bytes)?;
    fields.set_item("stats", results::stats(py, &outcome.stats())?)?;
    let solution = match outcome.answer {
        Answer::Solved { solution, .. } => Some(results::solution(of, solution)),
        _ => None,
    };
    fields.set_item("solution", solution)?;
    results::make(py, "SolveResult", &fields)
}

/// Returns what Python is told of an event, if it is told of it.
fn run_event(event: &SolveEvent<'_>, clock: &Clock) -> Option<RunEvent> {
    let (kind, by, metrics, solution, bound) = match *event {
        SolveEvent::Solved { strategy, metrics, .. } => ("solved", strategy, Some(metrics), None, None),
        SolveEvent::Improved { strategy, metrics, solution, .. } => {
            ("improved", strategy, Some(metrics), Some(solution.clone()), None)
        }
        SolveEvent::Bound { strategy, bound } => ("bound", strategy, None, None, Some(bound)),
        _ => return None,
    };
    Some(RunEvent { kind, by: by.to_owned(), elapsed: clock.elapsed(), metrics, solution, bound, objective: None })
}

fn names() -> Vec<&'static str> {
    STRATEGIES.iter().map(|strategy| strategy.name).collect()
}
