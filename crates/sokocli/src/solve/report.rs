//! What a run of `solve` says about its results: a line for each level, the table, JSON.

mod json_line;
mod times;

use sokocore::Metrics;

use super::found::{Found, LevelResult};
use crate::screen::{Finished, FinishedKind, Screen};
use crate::session::{Summary, SummaryLine};
use crate::table::{Column, Table, TableCell};
use crate::wording::{count, duration};
use crate::work_list::WorkLevel;

pub(crate) use self::json_line::{SolveLine, SolveSums};
pub(super) use self::json_line::{result_line, run_line, stream_line, to_line};

pub(super) const COLUMNS: [Column; 15] = [
    Column::text("file", "").hidden(),
    Column::number("level", "level"),
    Column::number("number_in_file", "").hidden(),
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
        let sums = self.sums();
        let mut parts = vec![format!("{} of {} solved", sums.solved, count(sums.tried, "level"))];
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
        SolveLine::Summary(end(self.sums()))
    }
}

impl SolveSummary<'_> {
    fn sums(&self) -> SolveSums {
        let mut sums = SolveSums::default();
        self.found.iter().for_each(|found| sums.add(&SolveSums::of(found)));
        sums
    }

    fn n(&self, verdict: LevelResult) -> usize {
        self.found.iter().filter(|found| found.verdict() == verdict).count()
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
        TableCell::number(found.at().entry.number()),
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
        screen.expect(&[TableCell::empty(), TableCell::number(work.at.number), TableCell::empty(), title]);
    }
    let usual =
        ["", "", "", "", "proved optimal", "1000", "1000", "", "", "", "", "1000", "10.5 %", "12.3 s", "packing"];
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
