//! What a run of `solve` says about its results: a line for each level, the table, JSON.

use serde_json::{Value, json};
use sokoio::LevelId;
use sokosolver::{Answer, Attempt};

use super::found::{Fate, Found, end_name};
use crate::session::Summary;
use crate::table::{Column, Table, short};
use crate::wording::{count, seconds};

const COLUMNS: [Column; 7] = [
    Column::Right("level"),
    Column::Left("title"),
    Column::Left("result"),
    Column::Right("moves"),
    Column::Right("pushes"),
    Column::Right("time"),
    Column::Left("by"),
];

/// Results of the levels.
#[derive(Debug)]
pub(super) struct Results<'a> {
    pub(super) found: &'a [Found<'a>],
}

impl Summary for Results<'_> {
    fn table(&self) -> Table {
        let mut table = Table::new(&COLUMNS);
        for found in self.found {
            let number = |of: fn(&sokocore::Metrics) -> u64| {
                found.metrics().as_ref().map(of).map_or_else(String::new, |n| n.to_string())
            };
            table.row([
                found.at.number.to_string(),
                short(&found.at.entry.title_or_number()),
                found.result().to_owned(),
                number(|metrics| metrics.moves),
                number(|metrics| metrics.pushes),
                found.outcome().map_or_else(String::new, |_| seconds(found.elapsed())),
                found.reason(),
            ]);
        }
        table
    }

    fn totals(&self) -> String {
        let mut parts = vec![format!("{} of {} solved", self.n_solved(), count(self.n_tried(), "level"))];
        for (n, what) in [
            (self.n("proved optimal"), "proved optimal"),
            (self.n("unsolvable"), "unsolvable"),
            (self.n("bad board"), "no level at all"),
            (self.n("has a solution"), "left, with a solution in the file"),
            (self.n("not begun"), "not begun"),
        ] {
            if n > 0 {
                parts.push(format!("{n} {what}"));
            }
        }
        parts.join(", ")
    }

    fn json(&self) -> Value {
        json!({
            "levels": self.found.len(),
            "tried": self.n_tried(),
            "solved": self.n_solved(),
            "proved": self.n("proved optimal"),
            "unsolvable": self.n("unsolvable"),
        })
    }
}

impl Results<'_> {
    fn n(&self, result: &str) -> usize {
        self.found.iter().filter(|found| found.result() == result).count()
    }

    fn n_solved(&self) -> usize {
        self.found.iter().filter(|found| found.solution().is_some()).count()
    }

    /// Levels that were looked at.
    fn n_tried(&self) -> usize {
        self.found.iter().filter(|found| !matches!(found.fate, Fate::HasSolution | Fate::NotBegun)).count()
    }
}

/// Says what became of a level, for the screen.
pub(super) fn line(found: &Found<'_>) -> String {
    let title = found.at.entry.title().map_or_else(String::new, |title| format!(" {}", short(title)));
    let (result, reason) = (found.result(), found.reason());
    let what = match found.metrics() {
        Some(metrics) => format!("{result} {}/{} by {reason}", metrics.moves, metrics.pushes),
        None if reason.is_empty() => result.to_owned(),
        None => format!("{result} ({reason})"),
    };
    match found.outcome() {
        Some(outcome) => format!("level {}{title}: {what}, {}", found.at.number, seconds(outcome.elapsed)),
        None => format!("level {}{title}: {what}", found.at.number),
    }
}

/// The JSON line of a level.
pub(super) fn json(found: &Found<'_>) -> Value {
    let outcome = found.outcome();
    let ended_by = outcome.map(|outcome| match outcome.answer {
        Answer::Unsolved(end) => end_name(end),
        _ => found.result(),
    });
    let by = outcome.and_then(|outcome| match &outcome.answer {
        Answer::Solved { by, .. } | Answer::Unsolvable { by } => Some(by.clone()),
        Answer::Unsolved(_) => None,
    });
    let mut line = crate::json::level("result", &found.at);
    crate::json::extend(
        &mut line,
        json!({
            "id": found.at.entry.level().ok().map(|level| LevelId::of(level).to_string()),
            "result": found.result(),
            "proved": found.result() == "proved optimal",
            "metrics": found.metrics().as_ref().map(crate::json::metrics),
            "by": by,
            "ended_by": ended_by,
            "seconds": outcome.map(|outcome| outcome.elapsed.as_secs_f64()),
            "work": outcome.map(|outcome| outcome.ticks),
            "nodes": outcome.map(sokosolver::Outcome::n_nodes),
            "peak_bytes": outcome.map(|outcome| outcome.peak_bytes),
            "tried": outcome.map(|outcome| outcome.tried.iter().map(attempt).collect::<Vec<_>>()),
            "solution": found.solution().map(|solution| solution.lurd().to_string()),
        }),
    );
    line
}

fn attempt(attempt: &Attempt) -> Value {
    json!({
        "strategy": attempt.strategy,
        "ended_by": attempt.end.to_string(),
        "seconds": attempt.elapsed.as_secs_f64(),
        "work": attempt.ticks,
        "nodes": attempt.n_nodes(),
        "peak_bytes": attempt.peak_bytes,
    })
}
