//! What a file knows of a level's solutions.

use sokocore::{Metrics, Objective};

use crate::inputs::InputLevel;

/// How many solutions of a level replay, and what the best of them measure.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KnownSolutions {
    pub(crate) n: usize,
    pub(crate) best_moves: Option<Metrics>,
    pub(crate) best_pushes: Option<Metrics>,
}

impl KnownSolutions {
    /// Replays the solutions of a level.
    pub(crate) fn of(at: &InputLevel<'_>) -> Self {
        let known: Vec<_> = at.entry.solutions().filter_map(|(_, solution)| Some(solution.ok()?.metrics())).collect();
        let best = |objective: Objective| known.iter().min_by_key(|metrics| objective.score(metrics)).copied();
        Self { n: known.len(), best_moves: best(Objective::MOVES), best_pushes: best(Objective::PUSHES) }
    }
}

/// Writes moves and pushes as `230/97`.
pub(crate) fn moves_and_pushes(metrics: &Metrics) -> String {
    format!("{}/{}", metrics.moves, metrics.pushes)
}
