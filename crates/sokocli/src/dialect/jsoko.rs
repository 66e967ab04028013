//! Soko as the JSoko optimizer: improves the solutions of a level file, each level after the other.
//!
//! | argument | what it does here |
//! |---|---|
//! | `-task optimize` | the only task |
//! | `-outputFile F` | each better solution is appended at once; standard output unless given |
//! | `-optimization-method N` | 0 and 2: moves, then pushes, then the other metrics; 1: pushes, then moves |
//! | `-box-1-squares N` ... `-box-4-squares N` | the squares that displaced boxes may take |
//! | `-preserve-player-end-position 1` | the player ends where it does now |
//! | `-cpus N` | threads; 0 for all |
//! | `-time-limit-minutes N` | of each level; 0 for no limit |
//! | `-iterative-optimization`, `-maximum-box-configurations`, `-show-window` | read, and without effect |

use std::time::Duration;

use parking_lot::Mutex;
use sokocore::{Level, Objective, Solution};
use sokomethods::{Knobs, Optimizer};
use sokonight::PolishedSource;
use sokosearch::{Budget, MemoryAccount};
use sokosolver::{AStarSearcher, PortfolioSource};

use super::found_file::solution_text;
use super::named_values::NamedValues;
use super::{DialectNames, DialectRun};
use crate::args::DialectArgs;
use crate::console::Console;
use crate::exit::{Exit, UsageError};
use crate::inputs::InputLevel;
use crate::known_solutions::moves_and_pushes;

const NAMES: DialectNames = DialectNames {
    output: "outputfile",
    threads: "cpus",
    all: &[
        "task",
        "outputfile",
        "optimization-method",
        "box-1-squares",
        "box-2-squares",
        "box-3-squares",
        "box-4-squares",
        "preserve-player-end-position",
        "cpus",
        "time-limit-minutes",
        // What JSoko needs and Soko does not.
        "iterative-optimization",
        "maximum-box-configurations",
        "show-window",
    ],
};

/// How levels are optimized.
struct JsokoTask {
    objective: Objective,
    knobs: Knobs,
    keeps_end: bool,
    time: Option<Duration>,
}

/// Runs the command.
pub(crate) fn run(args: &DialectArgs, console: &Console) -> anyhow::Result<Exit> {
    let values = NamedValues::of(&args.arguments);
    let task = JsokoTask::of(&values)?;
    let run = DialectRun::begin(&values, &NAMES, console)?;
    let mut n_bad = 0;
    for at in run.inputs.levels() {
        match at.entry.level() {
            Ok(level) => task.improve(&run, &at, level)?,
            Err(error) => {
                n_bad += 1;
                run.found.remark(&format!("{}: {error}", at.name()))?;
            }
        }
    }
    Ok(run.end(n_bad))
}

impl JsokoTask {
    fn of(values: &NamedValues) -> Result<Self, UsageError> {
        if let Some(task) = values.text("task").filter(|task| !task.eq_ignore_ascii_case("optimize")) {
            return Err(UsageError(format!("-task '{}' is not known; there is optimize", task.display())));
        }
        let objective = match values.number("optimization-method")? {
            0 | 2 => Objective::MOVES,
            1 => Objective::PUSHES,
            n => return Err(UsageError(format!("-optimization-method {n} is not known; use 0, 1 or 2"))),
        };
        let mut vicinity = Vec::new();
        for n_boxes in 1..=4 {
            match values.number(&format!("box-{n_boxes}-squares"))? {
                0 => break,
                n => vicinity.push(usize::try_from(n.min(999)).expect("invariant: it is at most 999")),
            }
        }
        let knobs = if vicinity.is_empty() { Knobs::default() } else { Knobs::default().with_vicinity(vicinity) };
        let minutes = values.number("time-limit-minutes")?;
        let time = (minutes > 0).then(|| Duration::from_secs(minutes.saturating_mul(60)));
        Ok(Self { objective, knobs, keeps_end: values.number("preserve-player-end-position")? != 0, time })
    }

    /// Improves the best solution of a level.
    fn improve(&self, run: &DialectRun, at: &InputLevel<'_>, level: &Level) -> anyhow::Result<()> {
        let mut solutions: Vec<Solution> = at.entry.solutions().filter_map(|(_, solution)| solution.ok()).collect();
        solutions.sort_by_key(|solution| self.objective.score(&solution.metrics()));
        let Some((start, others)) = solutions.split_first() else {
            return run.found.remark(&format!("{}: there is no solution to begin with", at.name()));
        };
        if run.cancel.is_cancelled() {
            return run.found.remark(&format!("{}: not begun", at.name()));
        }
        let share = run.memory / PortfolioSource::SHARE;
        let budget = Budget::new(self.time, MemoryAccount::new(share), run.cancel.clone());
        let failed = Mutex::new(None);
        let mut optimizer = Optimizer::new(level)
            .knobs(self.knobs.clone())
            .objective(self.objective)
            .threads(run.n_threads)
            .memory(run.memory - share)
            .time(self.time)
            .cancel(&run.cancel)
            .source(PolishedSource::new(level, &budget, &run.cancel))
            .searcher(AStarSearcher)
            .on_improvement(|found| {
                if let Err(error) = run.found.write(&solution_text(found.solution)) {
                    failed.lock().get_or_insert(error);
                    run.cancel.cancel();
                }
            });
        for other in others {
            optimizer = optimizer.known(other)?;
        }
        let outcome = if self.keeps_end { optimizer.keep_end() } else { optimizer }.run(start)?;
        if let Some(error) = failed.into_inner() {
            return Err(error);
        }
        let (from, to) = (start.metrics(), outcome.solution().metrics());
        let end = if outcome.is_proved() { "proved optimal".to_owned() } else { outcome.end().to_string() };
        run.found.remark(&format!("{}: {} -> {}, {end}", at.name(), moves_and_pushes(&from), moves_and_pushes(&to)))
    }
}
