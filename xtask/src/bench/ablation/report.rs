//! The report of an ablation: a table for people, and comma-separated values.

use std::fmt::Display;

use comfy_table::{CellAlignment, Table, presets};
use sokocore::Objective;
use sokomethods::Technique;

use super::ledger::Account;
use super::{AblationRun, BenchLevel, RunResult, RunResults};
use crate::bench::comparison::Comparison;
use crate::bench::csv_table::{CsvTable, cell};

/// The runs by one objective with one amount of work.
pub(super) struct AblationReport<'a> {
    runs: &'a [AblationRun],
    levels: &'a [BenchLevel],
    outcomes: &'a [RunResults],
    objective: Objective,
    work: u64,
    n_seeds: u64,
}

/// The columns of the table, and what they say.
const COLUMNS: [(&str, &str); 12] = [
    ("run", "what was left out; `all` is the run that the others are compared with"),
    ("sum", "of the metric over all levels"),
    ("change", "of the sum"),
    ("mean", "of the changes, level by level"),
    ("better", "levels that end with less"),
    ("worse", "levels that end with more: the technique was missed"),
    ("equal", "levels that end alike"),
    ("chance", "how often chance alone splits better and worse so unevenly (sign test)"),
    ("levels", "where the technique ran at all; elsewhere the run is the same without it"),
    ("work", "share of all ticks while the technique ran, inside others as well"),
    ("time", "the same share of processor time: techniques differ in what a tick takes"),
    ("gained", "by how much the metric fell while it ran"),
];

/// The columns of the CSV file of the runs.
const CSV_COLUMNS: [&str; 19] = [
    "objective",
    "work",
    "seeds",
    "run",
    "technique",
    "sum",
    "sum_change_percent",
    "mean_change_percent",
    "better",
    "worse",
    "equal",
    "chance",
    "ticks",
    "seconds",
    "technique_levels",
    "technique_ticks",
    "technique_seconds",
    "technique_gain",
    "technique_gains",
];

impl<'a> AblationReport<'a> {
    pub(super) const fn of(
        runs: &'a [AblationRun],
        levels: &'a [BenchLevel],
        outcomes: &'a [RunResults],
        (objective, work, n_seeds): (Objective, u64, u64),
    ) -> Self {
        Self { runs, levels, outcomes, objective, work, n_seeds }
    }

    /// Returns what was measured, the table, and what its columns say, no line wider than `width`. Where the table is
    /// too wide, each run has a paragraph instead.
    pub(super) fn text(&self, width: usize) -> String {
        let (n_levels, n_seeds, work) = (self.levels.len(), self.n_seeds, self.work);
        let mut text = wrapped(
            &format!("{}, {n_levels} levels, {n_seeds} seeds, {work} ticks for each:", self.objective),
            width,
            0,
        );
        let rows: Vec<_> = (0..self.runs.len()).map(|at| self.cells(at)).collect();
        let mut table = Table::new();
        table.load_style(presets::NOTHING);
        table.set_header(COLUMNS.map(|(name, _)| name));
        table.add_rows(rows.iter().cloned());
        table.column_iter_mut().skip(1).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
        let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_owned()).collect();
        if lines.iter().all(|line| line.chars().count() <= width) {
            lines.iter().for_each(|line| text.push_str(&format!("{line}\n")));
        } else {
            for [run, cells @ ..] in &rows {
                let named = COLUMNS[1..].iter().zip(cells).filter(|(_, cell)| !cell.is_empty());
                let named: Vec<_> = named.map(|((name, _), cell)| format!("{name} {}", cell.trim())).collect();
                text += &wrapped(&format!("{run}: {}", named.join(", ")), width, 2);
            }
        }
        text.push('\n');
        COLUMNS.iter().for_each(|(name, about)| text += &wrapped(&format!("{name}: {about}"), width, 2));
        text
    }

    /// The cells of one run.
    fn cells(&self, at: usize) -> [String; COLUMNS.len()] {
        let (run, comparison) = (self.runs[at], self.comparison(at));
        let percent = |ratio: f64| format!("{:+.2} %", 100.0 * ratio);
        let compared = |cell: String| if at == 0 { String::new() } else { cell };
        let credit = self.credit(at).map(|(_, account)| account);
        let (ticks, seconds) = self.work(at);
        let share = |part: f64, whole: f64| format!("{:.1} %", 100.0 * part / whole.max(f64::MIN_POSITIVE));
        [
            run.to_string(),
            comparison.sum.to_string(),
            compared(percent(comparison.sum_change())),
            compared(percent(comparison.mean_change)),
            compared(comparison.n_better.to_string()),
            compared(comparison.n_worse.to_string()),
            compared(comparison.n_equal.to_string()),
            compared(format!("{:.3}", comparison.chance())),
            credit.map_or_else(String::new, |_| self.n_levels_run(at).to_string()),
            credit.map_or_else(String::new, |account| share(account.ticks as f64, ticks as f64)),
            credit.map_or_else(String::new, |account| share(account.seconds, seconds)),
            credit.map_or_else(String::new, |account| account.gain.to_string()),
        ]
    }

    /// Compares a run with the first one.
    fn comparison(&self, at: usize) -> Comparison {
        let metric = |outcome: &RunResult| self.objective.order()[0].of(&outcome.end);
        Comparison::of(self.outcomes[0].iter().map(metric).zip(self.outcomes[at].iter().map(metric)))
    }

    /// The technique of a run with its work and gains: in the first run where the technique is left out of this one.
    fn credit(&self, at: usize) -> Option<(Technique, Account)> {
        let technique = self.runs[at].technique()?;
        let mut sum = Account::default();
        self.credited(at).iter().for_each(|outcome| sum.add(outcome.accounts[technique as usize]));
        Some((technique, sum))
    }

    /// Counts the levels, or levels and seeds, where the technique of a run ran.
    fn n_levels_run(&self, at: usize) -> usize {
        let Some(technique) = self.runs[at].technique() else { return 0 };
        self.credited(at).iter().filter(|outcome| outcome.accounts[technique as usize].n_runs > 0).count()
    }

    fn credited(&self, at: usize) -> &RunResults {
        let is_left_out = matches!(self.runs[at], AblationRun::Without(_));
        &self.outcomes[if is_left_out { 0 } else { at }]
    }

    /// All ticks and processor seconds of the run that a technique is credited in.
    fn work(&self, at: usize) -> (u64, f64) {
        let all = self.credited(at).iter();
        all.fold((0, 0.0), |(ticks, seconds), outcome| (ticks + outcome.ticks, seconds + outcome.seconds))
    }

    /// Adds a row for each run.
    pub(super) fn add_rows(&self, csv: &mut CsvTable) {
        csv.head(&CSV_COLUMNS);
        let Self { objective, work, n_seeds, .. } = self;
        for (at, run) in self.runs.iter().enumerate() {
            let comparison = self.comparison(at);
            let Comparison { sum, n_better, n_worse, n_equal, mean_change, .. } = comparison;
            let percent = |ratio: f64| format!("{:.3}", 100.0 * ratio);
            let (ticks, seconds) = self.work(at);
            let account = self.credit(at).map(|(_, account)| account);
            csv.row(&[
                objective,
                work,
                n_seeds,
                run,
                &run.technique().map_or("", Technique::name),
                &sum,
                &percent(comparison.sum_change()),
                &percent(mean_change),
                &n_better,
                &n_worse,
                &n_equal,
                &format!("{:.4}", comparison.chance()),
                &ticks,
                &format!("{seconds:.2}"),
                &cell(account, |_| self.n_levels_run(at).to_string()),
                &cell(account, |account| account.ticks.to_string()),
                &cell(account, |account| format!("{:.2}", account.seconds)),
                &cell(account, |account| account.gain.to_string()),
                &cell(account, |account| account.n_gains.to_string()),
            ]);
        }
    }

    /// Adds a row for each level and seed, with a column for each run. Another head is written where the runs differ.
    pub(super) fn add_level_rows(&self, csv: &mut CsvTable) {
        let names = self.runs.iter().map(AblationRun::to_string);
        let columns = ["objective", "work", "number", "level", "seed", "start"].map(str::to_owned);
        csv.head(&columns.into_iter().chain(names).collect::<Vec<_>>());
        let metric = self.objective.order()[0];
        let n_seeds = self.outcomes[0].len() / self.levels.len();
        for at in 0..self.outcomes[0].len() {
            let BenchLevel { number, title, start, .. } = &self.levels[at / n_seeds];
            let start = metric.of(&start.metrics());
            let ends: Vec<u64> = self.outcomes.iter().map(|run| metric.of(&run[at].end)).collect();
            let seed = at % n_seeds;
            let mut cells: Vec<&dyn Display> = vec![&self.objective, &self.work, number, title, &seed, &start];
            cells.extend(ends.iter().map(|end| end as &dyn Display));
            csv.row(&cells);
        }
    }
}

/// Breaks a text into lines of at most `width` characters, all but the first of them indented. A word that is longer
/// has a line of its own.
fn wrapped(text: &str, width: usize, indent: usize) -> String {
    let (mut lines, mut line) = (String::new(), String::new());
    for word in text.split(' ') {
        let is_first = line.trim().is_empty();
        if !is_first && line.chars().count() + 1 + word.chars().count() > width {
            lines += &format!("{line}\n");
            line = " ".repeat(indent);
        } else if !is_first {
            line.push(' ');
        }
        line += word;
    }
    lines + &line + "\n"
}
