//! What is proved, as files say it: which claims settle what was asked for.

use sokocore::{Metric, Metrics};
use sokoio::{ProofNote, Proved};
use sokosolver::Optimal;

use sokolibrary::PROGRAM;

/// Makes the note of a claim.
pub(crate) fn note(proved: Proved) -> ProofNote {
    ProofNote::new(proved).by(&format!("{PROGRAM} {}", env!("CARGO_PKG_VERSION")))
}

/// What it means that a solution of these metrics is optimal.
pub(crate) const fn claim(optimal: Optimal, metrics: &Metrics) -> Option<Proved> {
    let Metrics { moves, pushes, .. } = *metrics;
    match optimal {
        Optimal::Any => None,
        Optimal::Pushes => Some(Proved::FewestPushes(pushes)),
        Optimal::Moves => Some(Proved::FewestMoves(moves)),
        Optimal::PushesMoves => Some(Proved::PushesThenMoves { moves, pushes }),
        Optimal::MovesPushes => Some(Proved::MovesThenPushes { moves, pushes }),
    }
}

/// What a lower bound means.
pub(crate) const fn bound(optimal: Optimal, bound: u64) -> Option<Proved> {
    match optimal {
        Optimal::Any => None,
        Optimal::Pushes | Optimal::PushesMoves => Some(Proved::AtLeastPushes(bound)),
        Optimal::Moves | Optimal::MovesPushes => Some(Proved::AtLeastMoves(bound)),
    }
}

/// Makes the note of a lower bound on moves or pushes: of a solution that reaches it, that it has the fewest.
pub(crate) fn bound_note(metric: Metric, bound: u64, best: u64) -> Option<ProofNote> {
    let proved = match (metric, bound == best) {
        (Metric::Pushes, true) => Proved::FewestPushes(bound),
        (Metric::Pushes, false) => Proved::AtLeastPushes(bound),
        (Metric::Moves, true) => Proved::FewestMoves(bound),
        (Metric::Moves, false) => Proved::AtLeastMoves(bound),
        _ => return None,
    };
    Some(note(proved))
}

/// Returns what every solution has at least of a metric by the notes of a file. A note that a known solution contradicts,
/// which has only `best` of it, is void.
pub(crate) fn at_least<'a>(
    notes: impl IntoIterator<Item = &'a ProofNote>,
    metric: Metric,
    best: Option<u64>,
) -> Option<u64> {
    let bound = |note: &ProofNote| match metric {
        Metric::Pushes => note.proved().least_pushes(),
        Metric::Moves => note.proved().least_moves(),
        _ => None,
    };
    notes.into_iter().filter_map(bound).filter(|&bound| best.is_none_or(|best| bound <= best)).max()
}

/// Returns how far a solution may be from the best, in percent of the bound; `None` if the bound says nothing.
pub(crate) fn gap_percent(found: u64, bound: u64) -> Option<f64> {
    #[expect(clippy::cast_precision_loss, reason = "a percentage for people; numbers of moves are far below 2^52")]
    (bound > 0).then(|| found.saturating_sub(bound) as f64 * 100.0 / bound as f64)
}

/// Returns whether a claim, if it holds for a solution, makes it optimal by what was asked for.
pub(crate) fn settles(proved: Proved, optimal: Optimal, metrics: &Metrics) -> bool {
    let begins_with = |order: &[Metric]| match proved {
        Proved::Best { objective, .. } => objective.order().starts_with(order),
        _ => false,
    };
    let (moves, pushes) = (Metric::Moves, Metric::Pushes);
    let is_meant = match optimal {
        Optimal::Any => false,
        Optimal::Pushes => {
            matches!(proved, Proved::FewestPushes(_) | Proved::PushesThenMoves { .. }) || begins_with(&[pushes])
        }
        Optimal::Moves => {
            matches!(proved, Proved::FewestMoves(_) | Proved::MovesThenPushes { .. }) || begins_with(&[moves])
        }
        Optimal::PushesMoves => matches!(proved, Proved::PushesThenMoves { .. }) || begins_with(&[pushes, moves]),
        Optimal::MovesPushes => matches!(proved, Proved::MovesThenPushes { .. }) || begins_with(&[moves, pushes]),
    };
    is_meant && proved.holds_for(metrics)
}

#[cfg(test)]
mod tests {
    use sokocore::Objective;

    use super::*;

    const METRICS: Metrics =
        Metrics { moves: 230, pushes: 97, box_lines: 31, box_changes: 20, pushing_sessions: 25, player_lines: 110 };

    #[test]
    fn bounds_are_those_of_notes_that_no_solution_contradicts() {
        let notes = [
            Proved::AtLeastPushes(92),
            Proved::FewestPushes(97),
            Proved::AtLeastMoves(200),
            Proved::MovesThenPushes { moves: 230, pushes: 97 },
        ];
        let notes = notes.map(ProofNote::new);
        assert_eq!(at_least(&notes, Metric::Pushes, Some(97)), Some(97));
        assert_eq!(at_least(&notes, Metric::Pushes, Some(95)), Some(92));
        assert_eq!(at_least(&notes, Metric::Moves, Some(210)), Some(200));
        assert_eq!(
            (at_least(&notes, Metric::Moves, None), at_least(&notes, Metric::BoxLines, None)),
            (Some(230), None)
        );
        let note = |bound, best| bound_note(Metric::Moves, bound, best).map(|note| note.proved());
        assert_eq!(note(9, 9), Some(Proved::FewestMoves(9)));
        assert_eq!(note(8, 9), Some(Proved::AtLeastMoves(8)));
        assert_eq!(bound_note(Metric::BoxLines, 8, 9), None);
    }

    #[test]
    fn a_stronger_claim_settles_a_weaker_question() {
        let both = Proved::PushesThenMoves { moves: 230, pushes: 97 };
        assert!(settles(both, Optimal::Pushes, &METRICS) && settles(both, Optimal::PushesMoves, &METRICS));
        assert!(!settles(both, Optimal::Moves, &METRICS) && !settles(both, Optimal::MovesPushes, &METRICS));
        assert!(!settles(Proved::FewestPushes(97), Optimal::PushesMoves, &METRICS));
        assert!(!settles(Proved::FewestPushes(96), Optimal::Pushes, &METRICS));
        let all = Proved::Best { objective: Objective::MOVES, metrics: METRICS };
        assert!(settles(all, Optimal::Moves, &METRICS) && settles(all, Optimal::MovesPushes, &METRICS));
        assert!(!settles(all, Optimal::Pushes, &METRICS) && !settles(all, Optimal::Any, &METRICS));
        assert!(all.is_best_by(Objective::MOVES, &METRICS) && !all.is_best_by(Objective::PUSHES, &METRICS));
        assert!(!Proved::FewestMoves(230).is_best_by(Objective::MOVES, &METRICS));
    }
}
