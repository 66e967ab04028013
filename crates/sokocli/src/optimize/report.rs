//! What a run of `optimize` says about its results: a line for each level, the table, JSON.

use serde_json::{Value, json};
use sokocore::{Metric, Metrics, Objective};
use sokoio::LevelId;

use super::level_task::{Change, LevelTask};
use super::preparation::{Preparation, Skipped};
use crate::plan::Plan;
use crate::session::Summary;
use crate::table::{Column, Table, short};
use crate::wording::{count, seconds};

const COLUMNS: [Column; 8] = [
    Column::Right("level"),
    Column::Left("title"),
    Column::Left("objective"),
    Column::Right("before"),
    Column::Right("after"),
    Column::Right("gain"),
    Column::Right("time"),
    Column::Left("ended by"),
];

/// Results of the levels.
#[derive(Debug)]
pub(super) struct Results<'a> {
    pub(super) plan: &'a Plan,
    pub(super) prepared: &'a Preparation<'a>,
}

impl Summary for Results<'_> {
    fn table(&self) -> Table {
        let mut rows: Vec<(usize, Vec<[String; 8]>)> = Vec::new();
        rows.extend(self.prepared.tasks.iter().map(|task| (task.at.number, self.task_rows(task))));
        rows.extend(self.prepared.skipped.iter().map(|skipped| (skipped.at.number, vec![skipped_row(skipped)])));
        rows.sort_by_key(|(number, _)| *number);
        let mut table = Table::new(&COLUMNS);
        rows.into_iter().flat_map(|(_, rows)| rows).for_each(|row| table.row(row));
        table
    }

    fn totals(&self) -> String {
        let tasks = &self.prepared.tasks;
        let mut sums = Vec::new();
        for &objective in &self.plan.objectives {
            let metric = objective.order()[0];
            let changes: Vec<_> = tasks.iter().map(|task| task.change(objective)).collect();
            let before: u64 = changes.iter().map(|change| metric.of(&change.before.metrics())).sum();
            let after: u64 = changes.iter().map(|change| metric.of(&change.after.metrics())).sum();
            sums.push(format!("{objective} {before} -> {after}"));
        }
        let improved = tasks.iter().filter(|task| self.is_improved(task)).count();
        let levels = count(tasks.len(), "level");
        let solved = match tasks.iter().filter(|task| task.solved_by.is_some()).count() {
            0 => String::new(),
            n => format!(", {n} solved first"),
        };
        let skipped = match self.prepared.skipped.len() {
            0 => String::new(),
            n => format!(", {n} left as found"),
        };
        format!("{levels} optimized, {improved} improved{solved}{skipped}; {}", sums.join(", "))
    }

    fn json(&self) -> Value {
        let tasks = &self.prepared.tasks;
        let skipped = self.prepared.skipped.iter().map(|skipped| {
            let line = crate::json::level("skipped", &skipped.at);
            let mut fields = line;
            crate::json::extend(
                &mut fields,
                json!({ "reason": skipped.reason.name(), "message": skipped.reason.text() }),
            );
            fields
        });
        json!({
            "levels": tasks.len() + self.prepared.skipped.len(),
            "optimized": tasks.iter().filter(|task| !task.is_untouched()).count(),
            "improved": tasks.iter().filter(|task| self.is_improved(task)).count(),
            "skipped": skipped.collect::<Vec<_>>(),
        })
    }
}

impl Results<'_> {
    fn task_rows(&self, task: &LevelTask<'_>) -> Vec<[String; 8]> {
        let row = |(at, &objective): (usize, &Objective)| {
            let change = task.change(objective);
            let (before, after) = (task.metrics(&change.before), task.metrics(&change.after));
            let (time, end) = match task.report(objective) {
                Some(report) => (seconds(report.elapsed), report.ending.name()),
                None => (String::new(), ""),
            };
            let first = |text: String| if at == 0 { text } else { String::new() };
            [
                first(task.at.number.to_string()),
                first(short(&task.title())),
                objective.to_string(),
                numbers(objective, &before),
                numbers(objective, &after),
                gain(&change),
                time,
                end.to_owned(),
            ]
        };
        self.plan.objectives.iter().enumerate().map(row).collect()
    }

    fn is_improved(&self, task: &LevelTask<'_>) -> bool {
        self.plan.objectives.iter().any(|&objective| task.change(objective).is_gain())
    }
}

/// Says what became of a level, for the screen.
pub(super) fn line(task: &LevelTask<'_>, objectives: &[Objective]) -> String {
    let part = |&objective: &Objective| {
        let change = task.change(objective);
        let before = numbers(objective, &task.metrics(&change.before));
        let end = task.report(objective).map_or("", |report| report.ending.name());
        if change.is_gain() {
            format!("{objective} {before} -> {} ({end})", numbers(objective, &task.metrics(&change.after)))
        } else {
            format!("{objective} {before} stays ({end})")
        }
    };
    let title = if task.snapshot.is_some() { task.title() } else { task.at.entry.title().unwrap_or("").to_owned() };
    let parts: Vec<_> = objectives.iter().map(part).collect();
    format!("level {} {}: {}", task.at.number, short(&title), parts.join(", "))
}

/// The JSON line of a level and objective.
pub(super) fn json(task: &LevelTask<'_>, objective: Objective) -> Value {
    let change = task.change(objective);
    let report = task.report(objective);
    let mut line = crate::json::level("result", &task.at);
    crate::json::extend(
        &mut line,
        json!({
            "id": task.at.entry.level().ok().map(|level| LevelId::of(level).to_string()),
            "objective": objective.to_string(),
            "snapshot": task.snapshot.map(|snapshot| task.at.entry.games()[snapshot.game].line()),
            "before": crate::json::metrics(&task.metrics(&change.before)),
            "after": crate::json::metrics(&task.metrics(&change.after)),
            "improved": change.is_gain(),
            "solved_by": task.solved_by,
            "proved": task.pool.is_proved(objective),
            "ended_by": report.as_ref().map(|report| report.ending.name()),
            "seconds": report.as_ref().map(|report| report.elapsed.as_secs_f64()),
            "work": report.as_ref().map(|report| report.ticks),
            "peak_bytes": report.as_ref().map(|report| report.peak_bytes),
            "solution": task.game(&change.after).to_string(),
        }),
    );
    line
}

fn skipped_row(skipped: &Skipped<'_>) -> [String; 8] {
    let empty = String::new;
    let title = short(&skipped.at.entry.title_or_number());
    [skipped.at.number.to_string(), title, empty(), empty(), empty(), empty(), empty(), skipped.reason.text()]
}

/// `230/97`, and all six where the objective is about others.
fn numbers(objective: Objective, metrics: &Metrics) -> String {
    match objective.order()[0] {
        Metric::Moves | Metric::Pushes => format!("{}/{}", metrics.moves, metrics.pushes),
        _ => metrics.to_string(),
    }
}

/// The difference in the first metric that differs: `12 moves`.
fn gain(change: &Change) -> String {
    let (before, after) = (change.before.metrics(), change.after.metrics());
    let differing = change.objective.order().iter().find(|metric| metric.of(&before) != metric.of(&after));
    match differing {
        None if change.is_new => "new".to_owned(),
        None => "-".to_owned(),
        Some(metric) => count(metric.of(&before).saturating_sub(metric.of(&after)), noun(*metric)),
    }
}

/// The metric's name for one of it.
const fn noun(metric: Metric) -> &'static str {
    match metric {
        Metric::Moves => "move",
        Metric::Pushes => "push",
        Metric::BoxLines => "box line",
        Metric::BoxChanges => "box change",
        Metric::PushingSessions => "session",
        Metric::PlayerLines => "player line",
        Metric::MostPushes => "walking step",
    }
}
