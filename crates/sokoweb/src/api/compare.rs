//! Two solutions of a level side by side: what they measure, and where they part.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use hashbrown::HashMap;
use serde::{Deserialize, Serialize};
use sokocore::{Level, Lurd, Metric, Push, pushes_of};
use sokodraw::FloorPlan;
use sokolibrary::{Library, StoredSolution};

use super::level::stored;
use crate::problem::Problem;
use crate::query::Asked;
use crate::server::Shared;

/// What is asked for: the places of two solutions in the list of their level, from 0.
#[derive(Debug, Deserialize)]
pub(crate) struct AskedComparison {
    id: String,
    a: usize,
    b: usize,
}

/// Two solutions.
#[derive(Debug, Serialize)]
pub(crate) struct ComparisonJson {
    rows: Vec<String>,
    a: String,
    b: String,
    metrics: Vec<MetricRow>,
    /// Moves that both begin with, and pushes among them.
    common_moves: usize,
    common_pushes: usize,
    /// Moves that both end with.
    common_end: usize,
    /// Pushes that both have, in whatever order.
    shared_pushes: usize,
    /// What is to be said of them.
    remarks: Vec<String>,
}

/// A metric of both.
#[derive(Debug, Serialize)]
struct MetricRow {
    name: &'static str,
    a: u64,
    b: u64,
    /// How much more `b` has.
    difference: i64,
}

/// Answers with a comparison.
pub(super) async fn compare(
    State(shared): State<Arc<Shared>>,
    Asked(asked): Asked<AskedComparison>,
) -> Result<Json<ComparisonJson>, Problem> {
    shared.store.with(move |library| of(library, &asked)).await.map(Json)
}

fn of(library: &Library, asked: &AskedComparison) -> Result<ComparisonJson, Problem> {
    let (stored, level) = stored(library, &asked.id)?;
    let solutions = library.solutions(stored.id)?;
    let solution = |at: usize| {
        solutions.get(at).ok_or_else(|| Problem::missing("there is no such solution any more; load the page again"))
    };
    Ok(ComparisonJson::new(&level, solution(asked.a)?, solution(asked.b)?))
}

impl ComparisonJson {
    fn new(level: &Level, a: &StoredSolution, b: &StoredSolution) -> Self {
        let metric = |metric: &Metric| {
            let (a, b) = (metric.of(&a.metrics), metric.of(&b.metrics));
            MetricRow { name: metric.name(), a, b, difference: b.cast_signed().wrapping_sub(a.cast_signed()) }
        };
        let common_moves = common(a.moves.iter(), b.moves.iter());
        let common_end = common(a.moves.iter().rev(), b.moves.iter().rev());
        let common_pushes = a.moves.iter().take(common_moves).filter(|step| step.is_push()).count();
        let shared_pushes = shared_pushes(level, &a.moves, &b.moves);
        let mut comparison = Self {
            rows: FloorPlan::of(level.grid()).rows(),
            a: a.moves.to_string(),
            b: b.moves.to_string(),
            metrics: Metric::ALL.iter().map(metric).collect(),
            common_moves,
            common_pushes,
            common_end: if a.moves == b.moves { 0 } else { common_end },
            shared_pushes,
            remarks: Vec::new(),
        };
        comparison.remarks = comparison.remarks_on(a, b);
        comparison
    }

    fn remarks_on(&self, a: &StoredSolution, b: &StoredSolution) -> Vec<String> {
        if a.moves == b.moves {
            return vec!["They are the same, move by move.".to_owned()];
        }
        let start = match self.common_moves {
            0 => "They part at the first move.".to_owned(),
            1 => "They begin with the same move.".to_owned(),
            n => format!("They begin with the same {n} moves; pushes among them: {}.", self.common_pushes),
        };
        let end = match self.common_end {
            0 => "Their last moves differ.".to_owned(),
            1 => "They end with the same move.".to_owned(),
            n => format!("They end with the same {n} moves."),
        };
        let (n_a, n_b) = (a.metrics.pushes, b.metrics.pushes);
        let n = self.shared_pushes as u64;
        let pushes = if n == n_a && n == n_b {
            "They have the same pushes in another order.".to_owned()
        } else {
            format!("Of the {n_a} pushes of the first and the {n_b} of the second, {n} are in both, in whatever order.")
        };
        vec![start, end, pushes]
    }
}

/// The number of equal steps at the front.
fn common<T: PartialEq>(a: impl Iterator<Item = T>, b: impl Iterator<Item = T>) -> usize {
    a.zip(b).take_while(|(a, b)| a == b).count()
}

/// The number of pushes that are in both, each as often as in the one that has it less often.
fn shared_pushes(level: &Level, a: &Lurd, b: &Lurd) -> usize {
    let mut counts: HashMap<Push, usize> = HashMap::new();
    for push in pushes_of(level, a) {
        *counts.entry(push).or_default() += 1;
    }
    let mut is_shared = |push: &Push| {
        let count = counts.get_mut(push).filter(|count| **count > 0);
        count.map(|count| *count -= 1).is_some()
    };
    pushes_of(level, b).iter().filter(|push| is_shared(push)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(board: &str, a: &str, b: &str, common: (usize, usize), shared: usize) {
        let level = Level::parse(board).unwrap();
        let (a, b): (Lurd, Lurd) = (a.parse().unwrap(), b.parse().unwrap());
        assert_eq!(super::common(a.iter(), b.iter()), common.0, "{a} {b}");
        assert_eq!(super::common(a.iter().rev(), b.iter().rev()), common.1, "{a} {b}");
        assert_eq!(shared_pushes(&level, &a, &b), shared, "{a} {b}");
    }

    #[test]
    fn equal_parts_are_counted() {
        let board = "#######\n#     #\n#.$@$.#\n#     #\n#######";
        check(board, "LrR", "RlL", (0, 0), 2);
        check(board, "LrR", "LudrR", (1, 2), 2);
        check(board, "LrR", "LrR", (3, 3), 2);
    }
}
