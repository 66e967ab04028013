//! The report of the gap bench: gaps over time by build and objective, paired tests, and level by level.

use std::fmt::Write as _;

use comfy_table::{CellAlignment, Table, presets};
use sokocore::Objective;

use super::GapArgs;
use super::run_record::{RunLog, RunRecord};
use crate::bench::best_known::{BestKnownTable, RatedLevel};
use crate::bench::comparison::sign_test;
use crate::bench::csv_table::CsvTable;
use crate::bench::optimize_run::RunLimit;
use crate::bench::signed_rank::signed_rank_chance;
use crate::bench::trajectory::Trajectory;

/// A gap that counts as reached in the time to target.
const TARGET: f64 = 0.01;

/// The runs of one build by one objective.
pub(super) struct Series {
    build: String,
    objective: Objective,
    levels: Vec<LevelRuns>,
}

/// The runs of one level.
struct LevelRuns {
    /// Identity of the level: titles may occur twice.
    id: String,
    title: String,
    best_known: u64,
    is_proved: bool,
    runs: Vec<Trajectory>,
}

/// A named curve: seconds and percent.
#[derive(Clone, Debug)]
pub(super) struct Curve {
    pub(super) name: String,
    pub(super) points: Vec<(f64, f64)>,
}

/// All series, and the times at which the gap is told.
pub(super) struct GapReport {
    times: Vec<f64>,
    /// What a time is called.
    time_names: Vec<String>,
    longest: f64,
    has_times: bool,
    series: Vec<Series>,
    /// Levels without a best known solution or without a run.
    n_missing: usize,
}

/// What one line of the table says.
struct Line {
    mean_gap: f64,
    worst_gap: f64,
    /// Share of the runs that end at the best known cost.
    share_at_best: f64,
    /// Largest less smallest gap of a level's runs, on the average.
    spread: f64,
    primal_integral: f64,
    /// Share of the runs that reach [`TARGET`], and the median of their times.
    share_at_target: f64,
    time_to_target: f64,
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (n, sum) = values.fold((0.0, 0.0), |(n, sum), value| (n + 1.0, sum + value));
    if n > 0.0 { sum / n } else { 0.0 }
}

impl LevelRuns {
    fn gaps(&self, seconds: f64) -> impl Iterator<Item = f64> {
        self.runs.iter().map(move |run| run.gap_at(seconds, self.best_known))
    }

    fn mean_gap(&self, seconds: f64) -> f64 {
        mean(self.gaps(seconds))
    }

    /// What each run has reached by then.
    fn ends(&self, seconds: f64) -> String {
        let end = |run: &Trajectory| run.cost_at(seconds).map_or_else(|| "-".to_owned(), |cost| cost.to_string());
        self.runs.iter().map(end).collect::<Vec<_>>().join(" ")
    }

    fn spread(&self, seconds: f64) -> f64 {
        let most = self.gaps(seconds).fold(0.0, f64::max);
        most - self.gaps(seconds).fold(most, f64::min)
    }
}

impl Series {
    fn line(&self, seconds: f64, longest: f64) -> Line {
        let runs = || self.levels.iter().flat_map(|level| level.runs.iter().map(move |run| (run, level.best_known)));
        let share =
            |of: &dyn Fn(&Trajectory, u64) -> bool| mean(runs().map(|(run, best)| f64::from(u8::from(of(run, best)))));
        let mut reached: Vec<f64> = runs().filter_map(|(run, best)| run.time_to(TARGET, best)).collect();
        reached.retain(|&time| time <= seconds);
        reached.sort_by(f64::total_cmp);
        Line {
            mean_gap: self.mean_gap(seconds),
            worst_gap: self.levels.iter().flat_map(|level| level.gaps(seconds)).fold(0.0, f64::max),
            share_at_best: share(&|run, best| run.cost_at(seconds).is_some_and(|cost| cost <= best)),
            spread: mean(self.levels.iter().map(|level| level.spread(seconds))),
            primal_integral: mean(runs().map(|(run, best)| run.primal_integral(seconds.min(longest), best))),
            share_at_target: share(&|run, best| run.time_to(TARGET, best).is_some_and(|time| time <= seconds)),
            time_to_target: reached.get(reached.len() / 2).copied().unwrap_or(f64::NAN),
        }
    }

    /// Mean over levels of the mean over seeds.
    fn mean_gap(&self, seconds: f64) -> f64 {
        mean(self.levels.iter().map(|level| level.mean_gap(seconds)))
    }
}

impl GapReport {
    /// Collects the runs on record of these builds.
    pub(super) fn of(
        args: &GapArgs,
        builds: &[&str],
        levels: &[RatedLevel],
        table: &BestKnownTable,
        log: &RunLog,
    ) -> Self {
        let limit = args.limit();
        let (times, longest) = match limit {
            RunLimit::Time(time) => (args.times.clone(), time.as_secs_f64()),
            RunLimit::Work(_) => (vec![f64::MAX], f64::MAX),
        };
        let time_names = match limit {
            RunLimit::Time(_) => times.iter().map(|time| format!("{time} s")).collect(),
            RunLimit::Work(work) => vec![format!("{work} ticks")],
        };
        let mut n_missing = 0;
        let mut series = Vec::new();
        for &objective in &args.objective {
            for &build in builds {
                let runs_of = |level: &RatedLevel| {
                    let row = table.row(&level.place.id, objective)?;
                    let key = |seed| RunRecord::new(build, &level.place.id, objective, seed, args.threads, limit);
                    let runs = (0..args.seeds).filter_map(|seed| log.find(&key(seed))?.trajectory().ok());
                    Some(LevelRuns {
                        id: level.place.id.clone(),
                        title: level.place.title.clone(),
                        best_known: row.cost()?,
                        is_proved: row.is_closed(),
                        runs: runs.collect(),
                    })
                };
                let all: Vec<_> = levels.iter().filter_map(runs_of).filter(|level| !level.runs.is_empty()).collect();
                n_missing += levels.len() - all.len();
                series.push(Series { build: build.to_owned(), objective, levels: all });
            }
        }
        let has_times = matches!(limit, RunLimit::Time(_));
        Self { times, time_names, longest, has_times, series, n_missing }
    }

    /// Returns the tables for people.
    pub(super) fn text(&self) -> String {
        let mut table = Table::new();
        table.load_style(presets::ASCII_MARKDOWN);
        let (head, of_time) = (
            ["objective", "build", "after", "mean gap", "worst", "at best known", "spread"],
            ["primal integral", "within 1 %", "time to that"],
        );
        let n_columns = if self.has_times { head.len() + of_time.len() } else { head.len() };
        table.set_header(head.into_iter().chain(of_time).take(n_columns));
        let percent = |value: f64| format!("{:.2} %", 100.0 * value);
        for series in &self.series {
            for (&time, name) in self.times.iter().zip(&self.time_names) {
                let line = series.line(time, self.longest);
                let cells = [
                    series.objective.to_string(),
                    series.build.clone(),
                    name.clone(),
                    percent(line.mean_gap),
                    percent(line.worst_gap),
                    format!("{:.1} %", 100.0 * line.share_at_best),
                    percent(line.spread),
                    percent(line.primal_integral),
                    format!("{:.1} %", 100.0 * line.share_at_target),
                    format!("{:.2} s", line.time_to_target),
                ];
                table.add_row(cells.into_iter().take(n_columns));
            }
        }
        table.column_iter_mut().skip(2).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
        let mut text = format!("{table}\n");
        for pair in self.pairs() {
            text += &pair;
        }
        if self.n_missing > 0 {
            let _ =
                writeln!(text, "{} levels without a run or without a best known solution are left out", self.n_missing);
        }
        text + &self.far_levels()
    }

    /// The paired comparison of each later build with the first, at the last time.
    fn pairs(&self) -> Vec<String> {
        let last = self.times.last().copied().unwrap_or(self.longest);
        let mut lines = Vec::new();
        for series in &self.series {
            let Some(first) = self.series.iter().find(|first| first.objective == series.objective) else { continue };
            if first.build == series.build {
                continue;
            }
            let of = |level: &LevelRuns| {
                let other = first.levels.iter().find(|other| other.id == level.id)?;
                Some((other.mean_gap(last), level.mean_gap(last)))
            };
            let pairs: Vec<(f64, f64)> = series.levels.iter().filter_map(of).collect();
            let differences: Vec<f64> = pairs.iter().map(|(before, after)| after - before).collect();
            let count = |is: fn(&f64) -> bool| differences.iter().filter(|one| is(one)).count() as u64;
            let (n_better, n_worse) = (count(|&one| one < 0.0), count(|&one| one > 0.0));
            lines.push(format!(
                "{}, {} for {}: {} levels better, {} worse, {} equal; mean gap {:+.3} points; chance {:.3} by signs, \
                 {:.3} by signed ranks\n",
                series.objective,
                series.build,
                first.build,
                n_better,
                n_worse,
                count(|&one| one == 0.0),
                100.0 * mean(differences.iter().copied()),
                sign_test(n_better, n_worse),
                signed_rank_chance(&differences),
            ));
        }
        lines
    }

    /// The levels that the last build leaves above the target, worst first.
    fn far_levels(&self) -> String {
        let last = self.times.last().copied().unwrap_or(self.longest);
        let mut text = String::new();
        let Some(build) = self.series.last().map(|series| &series.build) else { return text };
        for series in self.series.iter().filter(|series| series.build == *build) {
            let mut far: Vec<&LevelRuns> = series.levels.iter().filter(|level| level.mean_gap(last) > TARGET).collect();
            far.sort_by(|one, other| other.mean_gap(last).total_cmp(&one.mean_gap(last)));
            let _ = writeln!(text, "{}: {} levels above 1 % on the average", series.objective, far.len());
            for level in far {
                let (gap, proved) = (100.0 * level.mean_gap(last), if level.is_proved { ", proved" } else { "" });
                let _ = writeln!(
                    text,
                    "  {}: {gap:.2} %, {} for {}{proved}",
                    level.title,
                    level.ends(last),
                    level.best_known
                );
            }
        }
        text
    }

    /// Returns one row for each build, objective and time.
    pub(super) fn csv(&self) -> CsvTable {
        let mut csv = CsvTable::new(&[
            "objective",
            "build",
            "after",
            "levels",
            "mean_gap_percent",
            "worst_gap_percent",
            "share_at_best_known",
            "spread_percent",
            "primal_integral_percent",
            "share_within_1_percent",
            "median_seconds_to_1_percent",
        ]);
        for series in &self.series {
            for (&time, name) in self.times.iter().zip(&self.time_names) {
                let line = series.line(time, self.longest);
                let percent = |value: f64| format!("{:.4}", 100.0 * value);
                let timed = |text: String| if self.has_times { text } else { String::new() };
                csv.row(&[
                    &series.objective,
                    &series.build,
                    name,
                    &series.levels.len(),
                    &percent(line.mean_gap),
                    &percent(line.worst_gap),
                    &format!("{:.4}", line.share_at_best),
                    &percent(line.spread),
                    &timed(percent(line.primal_integral)),
                    &timed(format!("{:.4}", line.share_at_target)),
                    &timed(format!("{:.3}", line.time_to_target)),
                ]);
            }
        }
        csv
    }

    /// Returns one row for each level, build and objective.
    pub(super) fn levels_csv(&self) -> CsvTable {
        let last = self.times.last().copied().unwrap_or(self.longest);
        let columns = ["objective", "build", "level", "best_known", "proved", "mean_gap_percent", "ends"];
        let mut csv = CsvTable::new(&columns);
        for series in &self.series {
            for level in &series.levels {
                csv.row(&[
                    &series.objective,
                    &series.build,
                    &level.title,
                    &level.best_known,
                    &level.is_proved,
                    &format!("{:.4}", 100.0 * level.mean_gap(last)),
                    &level.ends(last),
                ]);
            }
        }
        csv
    }

    /// Returns the mean gap over time of each build and objective.
    pub(super) fn curves(&self) -> Vec<Curve> {
        const N_POINTS: u32 = 120;
        const FIRST: f64 = 0.1;
        if !self.has_times {
            return Vec::new();
        }
        let growth = (self.longest / FIRST).max(1.0).ln() / f64::from(N_POINTS);
        let point = |series: &Series, at: u32| {
            let time = FIRST * (growth * f64::from(at)).exp();
            (time, 100.0 * series.mean_gap(time))
        };
        let curve = |series: &Series| Curve {
            name: format!("{}, {}", series.objective, series.build),
            points: (0..=N_POINTS).map(|at| point(series, at)).collect(),
        };
        self.series.iter().filter(|series| !series.levels.is_empty()).map(curve).collect()
    }
}
