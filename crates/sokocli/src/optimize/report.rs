//! What a run of `optimize` says about its results: a line for each level, the table, JSON.

mod settings;

use serde::Serialize;
use sokocore::{Metric, Metrics, Objective};

use self::settings::OptimizeSettings;
use super::level_task::{LevelTask, ObjectiveChange};
use super::preparation::{Preparation, Skipped};
use super::skip_reason::SkipReason;
use crate::args::OptimizeArgs;
use crate::inputs::InputLevel;
use crate::json::{LevelRef, MetricsJson, RunLine};
use crate::plan::Plan;
use crate::run_time::Passes;
use crate::screen::{Finished, FinishedKind, Screen};
use crate::session::{Session, Summary, SummaryLine};
use crate::table::{Column, Table, TableCell};
use crate::wording::{count, noun, thousands};

pub(super) const COLUMNS: [Column; 24] = [
    Column::text("file", "").hidden(),
    Column::number("level", "level"),
    Column::title("title", "title"),
    Column::text("objective", "objective"),
    Column::text("before", "before"),
    Column::text("after", "after"),
    Column::number("gain", "gain"),
    Column::number("lower_bound", "at least").rank(3).if_any(),
    Column::number("gap_percent", "gap").rank(2).if_any(),
    Column::number("seconds", "time").rank(2),
    Column::number("moves_before", "").hidden(),
    Column::number("pushes_before", "").hidden(),
    Column::number("box_lines_before", "").hidden(),
    Column::number("box_changes_before", "").hidden(),
    Column::number("pushing_sessions_before", "").hidden(),
    Column::number("player_lines_before", "").hidden(),
    Column::number("moves", "").hidden(),
    Column::number("pushes", "").hidden(),
    Column::number("box_lines", "").hidden(),
    Column::number("box_changes", "").hidden(),
    Column::number("pushing_sessions", "").hidden(),
    Column::number("player_lines", "").hidden(),
    Column::text("proved", "").hidden(),
    Column::remark("ended_by", "ended by").rank(1),
];

/// The lines of `optimize --json`, beside those about events.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum OptimizeLine {
    /// The first line.
    Run(Box<RunLine<OptimizeSettings>>),
    /// A level that is left as it is.
    Skipped(SkippedLine),
    /// What came of a level and objective, as soon as the level is done.
    Result(Box<OptimizedLine>),
    /// The last line.
    Summary(SummaryLine<OptimizeSums>),
}

/// A level that is left as it is.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SkippedLine {
    #[serde(flatten)]
    at: LevelRef,
    /// `bad board`, `same level`, `no solution`, `no valid solution`, `not solved`, `unsolvable`, `solved at the start`,
    /// `not avoided`, `too short` or `not begun`.
    reason: &'static str,
    /// The same in words.
    message: String,
}

/// What came of a level and objective.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct OptimizedLine {
    #[serde(flatten)]
    at: LevelRef,
    /// Such as `moves` or `boxlines/pushes`.
    objective: String,
    /// Line of the snapshot that was optimized; null for the solutions of the level.
    snapshot: Option<usize>,
    /// The best solution by this objective when the run began.
    before: MetricsJson,
    /// The best now.
    after: MetricsJson,
    /// Whether the best is better than before, or new to the file.
    improved: bool,
    /// The strategy of the solver that found the solution to begin from; null if a file had it.
    solved_by: Option<String>,
    /// Whether no solution is better by this objective, all six metrics compared.
    proved: bool,
    /// Fewest of what the objective counts first that are possible, as far as that is proved; null for objectives that do
    /// not begin with moves or pushes, and for snapshots.
    lower_bound: Option<u64>,
    /// How far the best solution may be from the best there is, in percent of the bound.
    gap_percent: Option<f64>,
    /// `nothing left to try`, `proved optimal`, `proved before`, `first gain`, `time`, `work`, `memory`, `interrupted`,
    /// `not begun`, or `failed` for a fault of the program.
    ended_by: Option<&'static str>,
    /// Time of the search.
    seconds: Option<f64>,
    /// Units of work.
    work: Option<u64>,
    /// Most bytes in use at once.
    peak_bytes: Option<u64>,
    /// The moves of the best, as letters.
    solution: String,
}

/// Numbers of levels.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct OptimizeSums {
    /// Levels asked for.
    levels: usize,
    /// Levels that were searched.
    optimized: usize,
    /// Levels with a better solution, or one that is new to the file.
    improved: usize,
    /// Levels that had no solution and have one now.
    solved: usize,
    /// Levels that were left as they are.
    skipped: usize,
}

/// What a run of `optimize` says at its end, made of what came of its levels.
#[derive(Debug)]
pub(super) struct OptimizeSummary<'a> {
    pub(super) plan: &'a Plan,
    pub(super) prepared: &'a Preparation<'a>,
}

impl Summary for OptimizeSummary<'_> {
    type Json = OptimizeLine;
    type Sums = OptimizeSums;

    fn table(&self) -> Table {
        let mut rows: Vec<(usize, Vec<Vec<TableCell>>)> = Vec::new();
        rows.extend(self.prepared.tasks.iter().map(|task| (task.at().number, task_rows(task))));
        let skipped = self.prepared.skipped.iter();
        rows.extend(skipped.map(|skipped| (skipped.at.number, vec![skipped_row(skipped.at, &skipped.reason)])));
        rows.sort_by_key(|(number, _)| *number);
        let mut table = Table::new(&COLUMNS);
        rows.into_iter().flat_map(|(_, rows)| rows).for_each(|row| table.row(row));
        table
    }

    fn totals(&self) -> String {
        let tasks = &self.prepared.tasks;
        let n = |is_meant: &dyn Fn(&LevelTask<'_>) -> bool| tasks.iter().filter(|task| is_meant(task)).count();
        let mut parts = vec![format!("{} optimized", count(n(&|task| task.is_begun()), "level"))];
        let n_left = self.prepared.skipped.len() + n(&|task| task.why_unsolved().is_some());
        for (n, what) in [
            (Some(n(&|task| task.is_improved())), "improved"),
            (Some(n(&is_solved_first)).filter(|&n| n > 0), "solved first"),
            (Some(n(&|task| !task.is_begun() && task.start().is_some())).filter(|&n| n > 0), "not begun"),
            (Some(n_left).filter(|&n| n > 0), "left as found"),
        ] {
            parts.extend(n.map(|n| format!("{} {what}", thousands(n as u64))));
        }
        let mut sums = Vec::new();
        for &objective in &self.plan.objectives {
            let metric = objective.order()[0];
            let changes: Vec<_> = tasks.iter().filter_map(|task| task.change(objective)).collect();
            let sum = |solution: fn(&ObjectiveChange) -> Metrics| -> u64 {
                changes.iter().map(|change| metric.of(&solution(change))).sum()
            };
            let (before, after) = (sum(|change| change.before.metrics()), sum(|change| change.after.metrics()));
            sums.push(format!("{objective} {} -> {}", thousands(before), thousands(after)));
        }
        format!("{}; {}", parts.join(", "), sums.join(", "))
    }

    fn json(&self, end: impl FnOnce(OptimizeSums) -> SummaryLine<OptimizeSums>) -> OptimizeLine {
        let tasks = &self.prepared.tasks;
        let n_unsolved = tasks.iter().filter(|task| task.why_unsolved().is_some()).count();
        OptimizeLine::Summary(end(OptimizeSums {
            levels: tasks.len() + self.prepared.skipped.len(),
            optimized: tasks.iter().filter(|task| task.is_begun()).count(),
            improved: tasks.iter().filter(|task| task.is_improved()).count(),
            solved: tasks.iter().filter(|task| is_solved_first(task)).count(),
            skipped: self.prepared.skipped.len() + n_unsolved,
        }))
    }
}

fn is_solved_first(task: &LevelTask<'_>) -> bool {
    task.start().is_some_and(|start| start.solved_by.is_some())
}

/// The rows of a level in the table.
pub(super) fn task_rows(task: &LevelTask<'_>) -> Vec<Vec<TableCell>> {
    if let Some(reason) = task.why_unsolved() {
        return vec![skipped_row(task.at(), &reason)];
    }
    let row = |(at, &objective): (usize, &Objective)| {
        let change = task.change(objective)?;
        let (before, after) = (task.metrics(&change.before), task.metrics(&change.after));
        let first = |cell: TableCell| if at == 0 { cell } else { cell.repeated() };
        let end = task.report(objective).map_or("not begun", |report| report.ending.name());
        let gap = task.gap(objective);
        let bound_cell = |cell: TableCell| if task.shows_bounds { cell } else { cell.unshown() };
        let after_cell = TableCell::text(numbers(objective, &after));
        let mut cells = vec![
            TableCell::text(task.at().path.display().to_string()),
            first(TableCell::number(task.at().number)),
            first(TableCell::text(task.title())),
            TableCell::text(objective.to_string()),
            TableCell::text(numbers(objective, &before)),
            if change.is_gain() { after_cell.good() } else { after_cell },
            gain_cell(&change),
            bound_cell(TableCell::number(gap.map_or_else(String::new, |(bound, _)| bound.to_string()))),
            bound_cell(TableCell::percent(gap.map(|(_, percent)| percent))),
            task.report(objective).map_or_else(TableCell::empty, |report| TableCell::time(report.elapsed)),
        ];
        cells.extend(Metric::ALL.iter().map(|metric| TableCell::number(metric.of(&before))));
        cells.extend(Metric::ALL.iter().map(|metric| TableCell::number(metric.of(&after))));
        let is_proved = task.is_proved(objective);
        cells.push(TableCell::text(if is_proved { "true" } else { "false" }));
        cells.push(if is_proved { TableCell::text(end).proved() } else { TableCell::text(end) });
        Some(cells)
    };
    task.objectives.iter().enumerate().filter_map(row).collect()
}

fn skipped_row(at: &InputLevel<'_>, reason: &SkipReason) -> Vec<TableCell> {
    let file = TableCell::text(at.path.display().to_string());
    let mut row = vec![file, TableCell::number(at.number), TableCell::text(at.entry.title_or_number())];
    row.resize(COLUMNS.len() - 1, TableCell::empty());
    let text = TableCell::text(reason.text());
    row.push(match reason {
        SkipReason::BadBoard(_) | SkipReason::NoValidSolution => text.wrong(),
        SkipReason::NotSolved(_) | SkipReason::Unsolvable(_) => text.warning(),
        _ => text.dim(),
    });
    row
}

/// Makes room for the rows of the levels.
pub(super) fn expect(screen: &Screen, prepared: &Preparation<'_>) {
    prepared.tasks.iter().flat_map(task_rows).for_each(|row| screen.expect(&row));
    prepared.skipped.iter().for_each(|skipped| screen.expect(&skipped_row(skipped.at, &skipped.reason)));
    let shows_bounds = prepared.tasks.iter().any(|task| task.shows_bounds);
    let [bound, gap] = if shows_bounds { ["1000", "100.5 %"] } else { ["", ""] };
    let usual = ["", "", "", "pushes", "1000/100", "1000/100", "100 moves", bound, gap, "12.3 s"];
    screen.expect(&usual.map(TableCell::text));
}

/// Describes a level that is left as it is, for the screen.
pub(super) fn skipped(skipped: &Skipped<'_>) -> Finished {
    let line = format!("{}: {}", skipped.at.name(), skipped.reason.text());
    let file = skipped.at.path.display().to_string();
    let rows = vec![skipped_row(skipped.at, &skipped.reason)];
    let kind = if skipped.reason.is_failure() { FinishedKind::Failed } else { FinishedKind::Ordinary };
    Finished { kind, line, rows, gained: Vec::new(), file }
}

/// Describes a level that is done, for the screen.
pub(super) fn finished(task: &LevelTask<'_>) -> Finished {
    let saved = |&objective: &Objective| {
        let (change, metric) = (task.change(objective)?, objective.order()[0]);
        let [before, after] = [&change.before, &change.after].map(|solution| metric.of(&solution.metrics()));
        Some((metric, before.saturating_sub(after)))
    };
    let gained = task.objectives.iter().filter_map(saved).collect();
    let file = task.at().path.display().to_string();
    Finished { kind: kind(task), line: line(task), rows: task_rows(task), gained, file }
}

fn kind(task: &LevelTask<'_>) -> FinishedKind {
    if task.why_unsolved().is_some() || task.has_failed() {
        FinishedKind::Failed
    } else if task.is_improved() {
        FinishedKind::Improved
    } else if task.objectives.iter().all(|&objective| task.is_proved(objective)) {
        FinishedKind::Proved
    } else {
        FinishedKind::Ordinary
    }
}

fn line(task: &LevelTask<'_>) -> String {
    let head = task.at().name() + if task.snapshot.is_some() { ", snapshot" } else { "" };
    if let Some(reason) = task.why_unsolved() {
        return format!("{head}: {}", reason.text());
    }
    let part = |&objective: &Objective| {
        let change = task.change(objective)?;
        let before = numbers(objective, &task.metrics(&change.before));
        let end = task.report(objective).map_or("not begun", |report| report.ending.name());
        let gap = task.gap(objective).filter(|_| task.shows_bounds);
        let gap = gap.map_or_else(String::new, |(bound, gap)| format!(", at least {bound} (gap {gap:.1} %)"));
        Some(if change.is_gain() {
            format!("{objective} {before} -> {}{gap} ({end})", numbers(objective, &task.metrics(&change.after)))
        } else {
            format!("{objective} {before} stays{gap} ({end})")
        })
    };
    let parts: Vec<_> = task.objectives.iter().filter_map(part).collect();
    let solved = task.start().and_then(|start| start.solved_by.as_ref());
    let solved = solved.map_or_else(String::new, |by| format!("solved by {by}, "));
    format!("{head}: {solved}{}", parts.join(", "))
}

/// The first JSON line.
pub(super) fn run_line(args: &OptimizeArgs, plan: &Plan, session: &Session<'_>, passes: &Passes) -> OptimizeLine {
    let settings = OptimizeSettings::of(args, plan, passes);
    let line = RunLine::new("optimize", &session.inputs, settings).with_seed(args.seed);
    OptimizeLine::Run(Box::new(line))
}

/// The JSON line of a level that is left as it is.
pub(super) fn skipped_line(skipped: &Skipped<'_>) -> OptimizeLine {
    let (reason, message) = (skipped.reason.name(), skipped.reason.text());
    OptimizeLine::Skipped(SkippedLine { at: LevelRef::of(skipped.at), reason, message })
}

/// The JSON lines of a level: one for each objective.
pub(super) fn result_lines(task: &LevelTask<'_>) -> Vec<OptimizeLine> {
    if let Some(reason) = task.why_unsolved() {
        return vec![skipped_line(&Skipped { at: task.at(), reason })];
    }
    task.objectives.iter().filter_map(|&objective| result_line(task, objective)).collect()
}

fn result_line(task: &LevelTask<'_>, objective: Objective) -> Option<OptimizeLine> {
    let (change, report) = (task.change(objective)?, task.report(objective));
    let gap = task.gap(objective);
    Some(OptimizeLine::Result(Box::new(OptimizedLine {
        at: LevelRef::of(task.at()),
        objective: objective.to_string(),
        snapshot: task.snapshot.map(|snapshot| task.at().entry.games()[snapshot.game].line()),
        before: task.metrics(&change.before).into(),
        after: task.metrics(&change.after).into(),
        improved: change.is_gain(),
        solved_by: task.start().and_then(|start| start.solved_by.clone()),
        proved: task.is_proved(objective),
        lower_bound: gap.map(|(bound, _)| bound),
        gap_percent: gap.map(|(_, percent)| percent),
        ended_by: report.as_ref().map(|report| report.ending.name()),
        seconds: report.as_ref().map(|report| report.elapsed.as_secs_f64()),
        work: report.as_ref().map(|report| report.ticks),
        peak_bytes: report.as_ref().map(|report| report.peak_bytes),
        solution: task.game(&change.after).to_string(),
    })))
}

/// `230/97`, and all six where the objective is about others.
fn numbers(objective: Objective, metrics: &Metrics) -> String {
    match objective.order()[0] {
        Metric::Moves | Metric::Pushes => format!("{}/{}", metrics.moves, metrics.pushes),
        _ => metrics.to_string(),
    }
}

/// The difference in the first metric that differs: `12 moves`.
fn gain_cell(change: &ObjectiveChange) -> TableCell {
    let (before, after) = (change.before.metrics(), change.after.metrics());
    let differing = change.objective.order().iter().find(|metric| metric.of(&before) != metric.of(&after));
    match differing {
        None if change.is_new => TableCell::text("new").good().with_raw(0),
        None => TableCell::text("-").dim().with_raw(0),
        Some(metric) => {
            let gain = metric.of(&before).saturating_sub(metric.of(&after));
            TableCell::text(count(gain, noun(*metric))).good().with_raw(gain)
        }
    }
}
