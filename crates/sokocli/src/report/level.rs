//! What is known of a level: its board, the best solution that it came with, and the best there is.

use serde::Serialize;
use sokocore::{Level, Metric, Metrics, Objective};
use sokodraw::FloorPlan;

use super::reported_solution::ReportedSolution;
use super::sums::DatedCount;
use crate::proofs::gap_percent;

/// The objectives that a page shows, in this order.
pub(super) const OBJECTIVES: [Objective; 2] = [Objective::MOVES, Objective::PUSHES];

/// Everything that a page shows.
#[derive(Debug, Default)]
pub(super) struct ReportContent {
    /// Names of files and collections.
    pub(super) sources: Vec<String>,
    pub(super) levels: Vec<ReportLevel>,
    /// For each objective what adds up to the sums over time.
    pub(super) counts: [Vec<DatedCount>; 2],
}

/// A level, as the script of the page gets it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ReportLevel {
    /// From 1.
    pub(super) number: usize,
    pub(super) title: String,
    pub(super) author: String,
    /// The rows that are drawn; of a bad board as the file has them.
    pub(super) rows: Vec<String>,
    /// Why it is a bad board.
    pub(super) fault: Option<String>,
    /// Moves of the solutions that are shown.
    pub(super) solutions: Vec<String>,
    /// For each objective, what is known; `None` without a solution.
    pub(super) best: [Option<Rating>; 2],
}

/// What is known of a level by an objective.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Rating {
    /// The best solution that it came with.
    pub(super) before: Option<Shown>,
    /// The best there is.
    pub(super) after: Shown,
    /// How much less of what counts first.
    pub(super) gain: u64,
    /// Whether the best is better than what it came with, or there was nothing.
    pub(super) is_better: bool,
    /// No solution has fewer.
    pub(super) least: Option<u64>,
    /// Percent of that bound.
    pub(super) gap: Option<f64>,
    /// Who or what found the best.
    pub(super) by: String,
    /// When: UTC; empty if not known.
    pub(super) at: String,
    /// Seconds of search; `None` if not known.
    pub(super) seconds: Option<f64>,
}

/// A solution that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Shown {
    pub(super) moves: u64,
    pub(super) pushes: u64,
    /// Its place among the solutions of the level.
    pub(super) solution: usize,
}

impl ReportLevel {
    /// Makes a level without solutions.
    pub(super) fn new(number: usize, title: &str, author: &str) -> Self {
        Self {
            number,
            title: title.to_owned(),
            author: author.to_owned(),
            rows: Vec::new(),
            fault: None,
            solutions: Vec::new(),
            best: [None, None],
        }
    }

    /// Draws the board and rates the solutions. `least` is proved of moves and of pushes.
    pub(super) fn rate(&mut self, level: &Level, known: &[ReportedSolution], least: [Option<u64>; 2]) {
        self.rows = FloorPlan::of(level.grid()).rows();
        for (at, objective) in OBJECTIVES.into_iter().enumerate() {
            self.best[at] = self.rating(known, objective, least[at]);
        }
    }

    fn rating(&mut self, known: &[ReportedSolution], objective: Objective, least: Option<u64>) -> Option<Rating> {
        let score = |known: &&ReportedSolution| objective.score(&known.solution.metrics());
        let best = known.iter().min_by_key(score)?;
        let before = known.iter().filter(|known| known.is_original).min_by_key(score);
        // What it came with is its own best, even if others are as good.
        let best = before.filter(|before| score(before) == score(&best)).unwrap_or(best);
        let counted = |known: &ReportedSolution| counted(objective, &known.solution.metrics());
        let least = least.filter(|&least| least > 0 && least <= counted(best));
        Some(Rating {
            before: before.map(|before| self.shown(before)),
            after: self.shown(best),
            gain: before.map_or(0, |before| counted(before) - counted(best)),
            is_better: before.is_none_or(|before| score(&best) < score(&before)),
            gap: least.and_then(|least| gap_percent(counted(best), least)),
            least,
            by: best.by.clone(),
            at: best.at.clone(),
            seconds: best.seconds,
        })
    }

    fn shown(&mut self, known: &ReportedSolution) -> Shown {
        let moves = known.solution.to_string();
        let at = self.solutions.iter().position(|other| *other == moves);
        let solution = at.unwrap_or_else(|| {
            self.solutions.push(moves);
            self.solutions.len() - 1
        });
        let Metrics { moves, pushes, .. } = known.solution.metrics();
        Shown { moves, pushes, solution }
    }
}

impl Rating {
    /// Whether the gap is zero.
    pub(super) fn is_proved(&self) -> bool {
        self.gap.is_some_and(|gap| gap <= 0.0)
    }
}

impl Shown {
    /// What counts first.
    pub(super) const fn counted(self, at: usize) -> u64 {
        if at == 0 { self.moves } else { self.pushes }
    }
}

/// What of the metrics counts first.
pub(super) fn counted(objective: Objective, metrics: &Metrics) -> u64 {
    let metric = if objective == Objective::MOVES { Metric::Moves } else { Metric::Pushes };
    metric.of(metrics)
}
