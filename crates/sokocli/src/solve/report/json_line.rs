//! The JSON lines of `solve`, and of what they are made.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use serde::Serialize;
use sokosolver::{Answer, Attempt, DeadlockStats, SearchStats, Technique};

use crate::args::algorithm::Best;
use crate::args::{SolveArgs, typed_name};
use crate::json::{LevelRef, MetricsJson, RunLine, SelectionJson, seconds};
use crate::run_time::Passes;
use crate::session::{Session, SummaryLine};
use crate::solve::found::{Fate, Found, LevelResult, SOLVE, end_name};
use crate::solve::level_solver::LevelSolver;
use crate::solve::report::times::{PartsJson, TimesJson};
use crate::wording::count;

/// The lines of `solve --json`, beside those about events.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum SolveLine {
    /// The first line.
    Run(Box<RunLine<SolveSettings>>),
    /// What came of a level, as soon as it is done.
    Result(Box<SolvedLine>),
    /// The last line.
    Summary(SummaryLine<SolveSums>),
}

/// The settings of a run.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SolveSettings {
    #[serde(flatten)]
    selection: SelectionJson,
    /// What a best solution is asked for: `pushes`, `moves`, `pushes/moves`, `moves/pushes`; null for any solution.
    optimal: Option<&'static str>,
    /// `portfolio`, or the one algorithm or strategy.
    algorithm: String,
    /// `forward`, `backward` or `both`; null for the side that the algorithm prefers.
    direction: Option<String>,
    /// Techniques that are switched on.
    with: Vec<String>,
    /// Techniques that are switched off.
    without: Vec<String>,
    /// Whether levels with a solution in their file are left out.
    unsolved: bool,
    /// Whether solutions are written as they are found.
    raw: bool,
    /// Whether what the files say is proved is proved again.
    recheck: bool,
    /// Longest time for a level; null without a limit.
    seconds_per_level: Option<f64>,
    /// Time for all levels; null without a limit.
    seconds_in_all: Option<f64>,
    /// Most units of work for a level; null without a limit.
    work_per_level: Option<u64>,
    /// Most memory of the process.
    memory_bytes: u64,
    /// Threads of the run.
    threads: usize,
    /// Levels at a time; null if that is decided by measured times.
    jobs: Option<usize>,
}

/// What came of a level.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SolvedLine {
    #[serde(flatten)]
    at: LevelRef,
    /// `solved`, `proved optimal`, `solved at the start`, `unsolvable`, `not solved`, `bad board`, `has a solution`,
    /// `same level` or `not begun`.
    result: &'static str,
    /// Whether the result is proved: that there is no better solution by what was asked for, or none at all.
    proved: bool,
    /// Of the best solution found, if there is one.
    metrics: Option<MetricsJson>,
    /// Fewest pushes, or with `--optimal moves` fewest moves, that are possible, as far as that is proved.
    lower_bound: Option<u64>,
    /// How far the solution may be from the best, in percent of the bound.
    gap_percent: Option<f64>,
    /// The strategy that found the solution or showed that there is none; `the file` if the solution was known.
    by: Option<String>,
    /// The result, or what stopped the solver or its proof: `time`, `memory`, `work`, `interrupted`, `all strategies gave up`.
    ended_by: Option<&'static str>,
    /// What is wrong with the board, what shows that the level has no solution, or the number of the same level.
    message: Option<String>,
    /// Time of the solver, and of the quick methods that cut loops and detours of what it found.
    seconds: Option<f64>,
    /// The same by part.
    times: Option<TimesJson>,
    /// Units of work.
    work: Option<u64>,
    /// Most bytes in use at once.
    peak_bytes: Option<u64>,
    /// Sums over all strategies.
    statistics: Option<StatisticsJson>,
    /// What each strategy did.
    tried: Vec<AttemptJson>,
    /// The moves, as letters.
    solution: Option<String>,
}

/// What a search counted; null where it does not count.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct StatisticsJson {
    /// Positions expanded.
    expanded: u64,
    /// Positions generated.
    generated: Option<u64>,
    /// Positions generated that were known.
    duplicates: Option<u64>,
    /// Closed positions that were reached at less cost, and opened again.
    reopened: Option<u64>,
    /// Positions pruned as deadlocks.
    pruned: Option<u64>,
    /// The same by what showed it.
    deadlocks: Option<DeadlocksJson>,
    /// Most pushes or pulls from the start of the search; macro moves in feature space search.
    max_depth: Option<u64>,
    /// Positions generated for each one expanded.
    branching: Option<f64>,
}

/// Positions pruned as deadlocks, by what showed it.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct DeadlocksJson {
    /// A box was moved to a square from which it can reach no goal.
    dead_squares: u64,
    /// Boxes hold each other in place off goal, by a test of the box that was moved or by a pattern.
    frozen: u64,
    /// The boxes cannot all be given goals of their own.
    unmatched: u64,
    /// The position was found dead when it was to be expanded.
    expanded: u64,
}

/// What one strategy did.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct AttemptJson {
    /// Its name.
    strategy: String,
    /// What came of it, or what stopped it.
    ended_by: String,
    /// Its time.
    seconds: f64,
    /// The part of it before it could expand a position.
    set_up_seconds: f64,
    /// How the rest of it divides; null if nothing was timed.
    parts: Option<PartsJson>,
    /// Its units of work.
    work: u64,
    /// Most bytes that it used at once.
    peak_bytes: u64,
    /// Fewest pushes or moves that are possible, as far as it has proved that.
    lower_bound: Option<u64>,
    #[serde(flatten)]
    statistics: StatisticsJson,
}

/// Numbers of levels.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SolveSums {
    /// Levels asked for.
    levels: usize,
    /// Levels that were looked at.
    pub(super) tried: usize,
    /// Levels with a solution, or solved at the start.
    pub(super) solved: usize,
    /// Solved with a proof that no solution is better.
    proved: usize,
    /// Levels that have no solution for sure.
    unsolvable: usize,
    /// Boards that are no level.
    bad_boards: usize,
}

impl SolveSums {
    /// Counts one level.
    pub(in crate::solve) fn of(found: &Found<'_>) -> Self {
        let verdict = found.verdict();
        let is_left = matches!(found.fate, Fate::HasSolution | Fate::SameAs | Fate::NotBegun);
        let is_solved = found.solution().is_some() || verdict == LevelResult::SolvedAtStart;
        Self {
            levels: 1,
            tried: usize::from(!is_left),
            solved: usize::from(is_solved),
            proved: usize::from(verdict == LevelResult::Proved),
            unsolvable: usize::from(verdict == LevelResult::Unsolvable),
            bad_boards: usize::from(verdict == LevelResult::BadBoard),
        }
    }

    /// Adds other levels.
    pub(in crate::solve) const fn add(&mut self, other: &Self) {
        self.levels += other.levels;
        self.tried += other.tried;
        self.solved += other.solved;
        self.proved += other.proved;
        self.unsolvable += other.unsolvable;
        self.bad_boards += other.bad_boards;
    }

    /// Returns how many levels were counted, and how many of them have a solution.
    pub(in crate::solve) const fn levels_and_solved(&self) -> (usize, usize) {
        (self.levels, self.solved)
    }

    /// Says the numbers of a stream, where each level counts by itself.
    pub(in crate::solve) fn in_words(&self) -> String {
        let mut parts = vec![format!("{} of {} solved", self.solved, count(self.tried, "level"))];
        for (n, what) in [(self.proved, "proved optimal"), (self.unsolvable, "unsolvable")] {
            if n > 0 {
                parts.push(format!("{n} {what}"));
            }
        }
        if self.bad_boards > 0 {
            parts.push(count(self.bad_boards, "bad board"));
        }
        parts.join(", ")
    }
}

/// The first JSON line.
pub(in crate::solve) fn run_line(
    args: &SolveArgs,
    solver: &LevelSolver,
    session: &Session<'_>,
    passes: &Passes,
) -> SolveLine {
    SolveLine::Run(Box::new(RunLine::new(SOLVE, &session.inputs, settings(args, solver, passes))))
}

/// The first JSON line of a stream.
pub(in crate::solve) fn stream_line(
    args: &SolveArgs,
    solver: &LevelSolver,
    passes: &Passes,
    paths: &[PathBuf],
) -> SolveLine {
    let paths = paths.iter().map(PathBuf::as_path);
    SolveLine::Run(Box::new(RunLine::of_stream(SOLVE, paths, settings(args, solver, passes))))
}

/// Makes the text of a line, with its line break.
pub(in crate::solve) fn to_line(line: &SolveLine) -> serde_json::Result<String> {
    serde_json::to_string(line).map(|text| text + "\n")
}

fn settings(args: &SolveArgs, solver: &LevelSolver, passes: &Passes) -> SolveSettings {
    SolveSettings {
        selection: (&args.run.level.selection()).into(),
        optimal: args.optimal.map(Best::name),
        algorithm: args.algorithm.clone(),
        direction: args.direction.as_ref().map(typed_name),
        with: names(&args.with),
        without: names(&args.without),
        unsolved: args.unsolved,
        raw: solver.is_raw(),
        recheck: args.recheck,
        seconds_per_level: seconds(passes.longest()),
        seconds_in_all: seconds(passes.total()),
        work_per_level: args.run.work,
        memory_bytes: solver.memory(),
        threads: solver.n_threads(),
        jobs: args.run.jobs.map(NonZeroUsize::get),
    }
}

/// The JSON line of a level.
pub(in crate::solve) fn result_line(found: &Found<'_>) -> SolveLine {
    let outcome = found.outcome();
    let ended_by = outcome.map(|outcome| match outcome.answer {
        Answer::Unsolved(end) => end_name(end),
        Answer::Solved { proved: false, .. } if found.is_bound_asked_for() => end_name(outcome.end),
        _ => found.verdict().name(),
    });
    let message = match &found.fate {
        Fate::NoSolution(_) | Fate::BadBoard(_) | Fate::SameAs | Fate::ProvedBefore(_) => Some(found.reason()),
        _ => None,
    };
    SolveLine::Result(Box::new(SolvedLine {
        at: LevelRef::of(found.at()),
        result: found.verdict().name(),
        proved: matches!(found.verdict(), LevelResult::Proved | LevelResult::Unsolvable),
        metrics: found.metrics().map(MetricsJson::from),
        lower_bound: found.lower_bound(),
        gap_percent: found.gap(),
        by: found.by().map(str::to_owned),
        ended_by,
        message,
        seconds: outcome.map(|outcome| outcome.elapsed.as_secs_f64()),
        times: outcome.map(TimesJson::from),
        work: outcome.map(|outcome| outcome.ticks),
        peak_bytes: outcome.map(|outcome| outcome.peak_bytes),
        statistics: outcome.map(|outcome| StatisticsJson::from(outcome.stats())),
        tried: outcome.map_or_else(Vec::new, |outcome| outcome.tried.iter().map(AttemptJson::from).collect()),
        solution: found.solution().map(|solution| solution.lurd().to_string()),
    }))
}

impl From<DeadlockStats> for DeadlocksJson {
    fn from(deadlocks: DeadlockStats) -> Self {
        Self {
            dead_squares: deadlocks.dead_squares,
            frozen: deadlocks.frozen,
            unmatched: deadlocks.unmatched,
            expanded: deadlocks.expanded,
        }
    }
}

impl From<SearchStats> for StatisticsJson {
    fn from(stats: SearchStats) -> Self {
        Self {
            expanded: stats.expanded,
            generated: stats.generated,
            duplicates: stats.duplicates,
            reopened: stats.reopened,
            pruned: stats.pruned,
            deadlocks: stats.deadlocks.map(DeadlocksJson::from),
            max_depth: stats.max_depth,
            branching: stats.branching(),
        }
    }
}

impl From<&Attempt> for AttemptJson {
    fn from(attempt: &Attempt) -> Self {
        Self {
            strategy: attempt.strategy.clone(),
            ended_by: attempt.end.to_string(),
            seconds: attempt.elapsed.as_secs_f64(),
            set_up_seconds: attempt.set_up.as_secs_f64(),
            parts: attempt.parts.map(PartsJson::from),
            work: attempt.ticks,
            peak_bytes: attempt.peak_bytes,
            lower_bound: attempt.lower_bound,
            statistics: attempt.stats.into(),
        }
    }
}

fn names(techniques: &[Technique]) -> Vec<String> {
    techniques.iter().map(Technique::to_string).collect()
}
