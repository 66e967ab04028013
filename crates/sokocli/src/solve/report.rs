//! What a run of `solve` says about its results: a line for each level, the table, JSON.

use std::num::NonZeroUsize;

use serde::Serialize;
use sokocore::Metrics;
use sokosolver::{Answer, Attempt, SearchStats, Technique};

use super::found::{Fate, Found, LevelResult, end_name};
use super::level_solver::LevelSolver;
use crate::args::algorithm::Best;
use crate::args::{SolveArgs, typed_name};
use crate::json::{LevelRef, MetricsJson, RunLine, SelectionJson, seconds};
use crate::run_time::Passes;
use crate::screen::{Finished, FinishedKind, Screen};
use crate::session::{Session, Summary, SummaryLine};
use crate::table::{Column, Table, TableCell};
use crate::wording::{count, duration};
use crate::work_list::WorkLevel;

pub(super) const COLUMNS: [Column; 14] = [
    Column::text("file", "").hidden(),
    Column::number("level", "level"),
    Column::title("title", "title"),
    Column::text("result", "result"),
    Column::number("moves", "moves"),
    Column::number("pushes", "pushes"),
    Column::number("box_lines", "box lines").hidden(),
    Column::number("box_changes", "box changes").hidden(),
    Column::number("pushing_sessions", "sessions").hidden(),
    Column::number("player_lines", "player lines").hidden(),
    Column::number("lower_bound", "at least").rank(2).if_any(),
    Column::number("gap_percent", "gap").rank(3).if_any(),
    Column::number("seconds", "time").rank(1),
    Column::remark("by", "by"),
];

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
    /// Positions pruned as deadlocks.
    pruned: Option<u64>,
    /// Most pushes from the start of the search.
    max_depth: Option<u64>,
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
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SolveSums {
    /// Levels asked for.
    levels: usize,
    /// Levels that were looked at.
    tried: usize,
    /// Levels with a solution, or solved at the start.
    solved: usize,
    /// Solved with a proof that no solution is better.
    proved: usize,
    /// Levels that have no solution for sure.
    unsolvable: usize,
    /// Boards that are no level.
    bad_boards: usize,
}

/// What a run of `solve` says at its end, made of what came of its levels.
#[derive(Debug)]
pub(super) struct SolveSummary<'a> {
    pub(super) found: &'a [Found<'a>],
}

impl Summary for SolveSummary<'_> {
    type Json = SolveLine;
    type Sums = SolveSums;

    fn table(&self) -> Table {
        let mut table = Table::new(&COLUMNS);
        self.found.iter().for_each(|found| table.row(row(found)));
        table
    }

    fn totals(&self) -> String {
        let mut parts = vec![format!("{} of {} solved", self.n_solved(), count(self.n_tried(), "level"))];
        for (verdict, what) in [
            (LevelResult::Proved, "proved optimal"),
            (LevelResult::SolvedAtStart, "solved at the start"),
            (LevelResult::Unsolvable, "unsolvable"),
            (LevelResult::HasSolution, "left, with a solution in the file"),
            (LevelResult::SameAs, "there twice"),
            (LevelResult::NotBegun, "not begun"),
        ] {
            if self.n(verdict) > 0 {
                parts.push(format!("{} {what}", self.n(verdict)));
            }
        }
        if self.n(LevelResult::BadBoard) > 0 {
            parts.push(count(self.n(LevelResult::BadBoard), "bad board"));
        }
        parts.join(", ")
    }

    fn json(&self, end: impl FnOnce(SolveSums) -> SummaryLine<SolveSums>) -> Self::Json {
        SolveLine::Summary(end(SolveSums {
            levels: self.found.len(),
            tried: self.n_tried(),
            solved: self.n_solved(),
            proved: self.n(LevelResult::Proved),
            unsolvable: self.n(LevelResult::Unsolvable),
            bad_boards: self.n(LevelResult::BadBoard),
        }))
    }
}

impl SolveSummary<'_> {
    fn n(&self, verdict: LevelResult) -> usize {
        self.found.iter().filter(|found| found.verdict() == verdict).count()
    }

    fn n_solved(&self) -> usize {
        let is_solved =
            |found: &&Found<'_>| found.solution().is_some() || found.verdict() == LevelResult::SolvedAtStart;
        self.found.iter().filter(is_solved).count()
    }

    /// Levels that were looked at.
    fn n_tried(&self) -> usize {
        let is_left = |found: &&Found<'_>| matches!(found.fate, Fate::HasSolution | Fate::SameAs | Fate::NotBegun);
        self.found.len() - self.found.iter().filter(is_left).count()
    }
}

/// The row of a level in the table.
pub(super) fn row(found: &Found<'_>) -> Vec<TableCell> {
    let metrics = found.metrics();
    let number = |of: fn(&Metrics) -> u64| metrics.as_ref().map(of).map_or_else(TableCell::empty, TableCell::number);
    let result = TableCell::text(found.verdict().name());
    let gap = found.gap().filter(|_| found.verdict() == LevelResult::Solved);
    vec![
        TableCell::text(found.at().path.display().to_string()),
        TableCell::number(found.at().number),
        TableCell::text(found.at().entry.title_or_number()),
        match found.verdict() {
            LevelResult::Proved => result.proved(),
            LevelResult::Solved | LevelResult::SolvedAtStart => result.good(),
            LevelResult::BadBoard => result.wrong(),
            LevelResult::Unsolvable | LevelResult::NotSolved => result.warning(),
            LevelResult::HasSolution | LevelResult::SameAs | LevelResult::NotBegun => result.dim(),
        },
        number(|metrics| metrics.moves),
        number(|metrics| metrics.pushes),
        number(|metrics| metrics.box_lines),
        number(|metrics| metrics.box_changes),
        number(|metrics| metrics.pushing_sessions),
        number(|metrics| metrics.player_lines),
        found.lower_bound().filter(|_| found.is_bound_asked_for()).map_or_else(TableCell::empty, TableCell::number),
        TableCell::percent(gap),
        found.outcome().map_or_else(TableCell::empty, |_| TableCell::time(found.elapsed())),
        TableCell::text(found.reason()),
    ]
}

/// Makes room for the rows of these levels.
pub(super) fn expect(screen: &Screen, list: &[WorkLevel<'_>]) {
    for work in list {
        let title = TableCell::text(work.at.entry.title_or_number());
        screen.expect(&[TableCell::empty(), TableCell::number(work.at.number), title]);
    }
    let usual = ["", "", "", "proved optimal", "1000", "1000", "", "", "", "", "1000", "10.5 %", "12.3 s", "packing"];
    screen.expect(&usual.map(TableCell::text));
}

/// Describes a level that is done, for the screen.
pub(super) fn finished(found: &Found<'_>) -> Finished {
    let kind = match found.verdict() {
        LevelResult::Proved => FinishedKind::Proved,
        LevelResult::Solved | LevelResult::SolvedAtStart => FinishedKind::Solved,
        LevelResult::Unsolvable | LevelResult::NotSolved | LevelResult::BadBoard => FinishedKind::Failed,
        LevelResult::HasSolution | LevelResult::SameAs | LevelResult::NotBegun => FinishedKind::Ordinary,
    };
    let file = found.at().path.display().to_string();
    Finished { kind, line: line(found), rows: vec![row(found)], gained: Vec::new(), file }
}

fn line(found: &Found<'_>) -> String {
    let name = found.at().name();
    let (result, reason) = (found.verdict().name(), found.reason());
    let gap = match (found.lower_bound(), found.gap(), found.verdict()) {
        (Some(bound), Some(gap), LevelResult::Solved) if found.is_bound_asked_for() => {
            format!(", at least {bound} (gap {gap:.1} %)")
        }
        _ => String::new(),
    };
    let what = match found.metrics() {
        Some(metrics) => format!("{result} {}/{}{gap} by {reason}", metrics.moves, metrics.pushes),
        None if reason.is_empty() => result.to_owned(),
        None => format!("{result} ({reason})"),
    };
    match found.outcome() {
        Some(outcome) => format!("{name}: {what}, {}", duration(outcome.elapsed)),
        None => format!("{name}: {what}"),
    }
}

/// The first JSON line.
pub(super) fn run_line(args: &SolveArgs, solver: &LevelSolver, session: &Session<'_>, passes: &Passes) -> SolveLine {
    let settings = SolveSettings {
        selection: (&args.run.level.selection()).into(),
        optimal: args.optimal.map(Best::name),
        algorithm: args.algorithm.clone(),
        direction: args.direction.as_ref().map(typed_name),
        with: names(&args.with),
        without: names(&args.without),
        unsolved: args.unsolved,
        raw: args.raw,
        recheck: args.recheck,
        seconds_per_level: seconds(passes.longest()),
        seconds_in_all: seconds(passes.total()),
        work_per_level: args.run.work,
        memory_bytes: solver.memory(),
        threads: solver.n_threads(),
        jobs: args.run.jobs.map(NonZeroUsize::get),
    };
    SolveLine::Run(Box::new(RunLine::new("solve", &session.inputs, settings)))
}

/// The JSON line of a level.
pub(super) fn result_line(found: &Found<'_>) -> SolveLine {
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
        work: outcome.map(|outcome| outcome.ticks),
        peak_bytes: outcome.map(|outcome| outcome.peak_bytes),
        statistics: outcome.map(|outcome| StatisticsJson::from(outcome.stats())),
        tried: outcome.map_or_else(Vec::new, |outcome| outcome.tried.iter().map(AttemptJson::from).collect()),
        solution: found.solution().map(|solution| solution.lurd().to_string()),
    }))
}

impl From<SearchStats> for StatisticsJson {
    fn from(stats: SearchStats) -> Self {
        Self {
            expanded: stats.expanded,
            generated: stats.generated,
            duplicates: stats.duplicates,
            pruned: stats.pruned,
            max_depth: stats.max_depth,
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
