//! What a file knows of a level's solutions.

use sokocore::{Metrics, Objective};
use sokoio::ProofNote;

use crate::inputs::InputLevel;

/// How many solutions of a level replay, what the best of them measure, and what is noted as proved.
#[derive(Clone, Debug)]
pub(crate) struct KnownSolutions {
    pub(crate) n: usize,
    pub(crate) best_moves: Option<Metrics>,
    pub(crate) best_pushes: Option<Metrics>,
    /// Notes of proofs that hold for the solution above them.
    pub(crate) proofs: Vec<ProofNote>,
}

impl KnownSolutions {
    /// Replays the solutions of a level.
    pub(crate) fn of(at: &InputLevel<'_>) -> Self {
        let (mut known, mut proofs) = (Vec::new(), Vec::new());
        for (game, solution) in at.entry.solutions() {
            let Ok(metrics) = solution.map(|solution| solution.metrics()) else { continue };
            let notes = at.entry.games()[game].notes().iter().filter_map(|note| ProofNote::parse(note));
            proofs.extend(notes.filter(|note| note.holds_for(&metrics)));
            known.push(metrics);
        }
        let best = |objective: Objective| known.iter().min_by_key(|metrics| objective.score(metrics)).copied();
        Self { n: known.len(), best_moves: best(Objective::MOVES), best_pushes: best(Objective::PUSHES), proofs }
    }
}

/// Writes moves and pushes as `230/97`.
pub(crate) fn moves_and_pushes(metrics: &Metrics) -> String {
    format!("{}/{}", metrics.moves, metrics.pushes)
}
