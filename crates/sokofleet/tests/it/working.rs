//! Submitting, working, collecting.

use sokocore::Objective;

use super::desk::{LEVELS, fleet, server, submit, work};

#[test]
fn levels_are_solved_improved_and_collected() {
    let Some(server) = server() else { return };
    let fleet = fleet(&server);
    let first = submit(&fleet, LEVELS);
    assert_eq!((first.n_levels, first.n_new, first.n_opened), (4, 4, 4));
    let again = submit(&fleet, LEVELS);
    assert_eq!((again.n_levels, again.n_new, again.n_opened), (4, 0, 0), "submitting twice changes nothing");

    let outcome = work(&fleet, "attic");
    assert_eq!((outcome.n_failed, outcome.n_waiting, outcome.ended), (0, 0, "nothing left to do"));
    let mut best: Vec<_> = fleet
        .collect()
        .unwrap()
        .into_iter()
        .filter(|level| !level.solutions.is_empty())
        .map(|level| {
            let of = |objective| {
                let found = level.solutions.iter().find(|found| found.objective == objective).unwrap();
                assert_eq!(found.worker, "attic");
                found.solution.metrics()
            };
            (level.name.clone(), of(Objective::MOVES).moves, of(Objective::PUSHES).pushes)
        })
        .collect();
    best.sort();
    assert_eq!(best.len(), 3, "{best:?}");
    assert_eq!(best[0], ("small:1 \"First\"".to_owned(), 12, 3));
    assert_eq!(best[1], ("small:2 \"Second\"".to_owned(), 3, 2));

    let view = fleet.view().unwrap();
    assert!(view.items.iter().all(|item| item.is_settled), "{:?}", view.items);
    assert!(view.n_queued == 0 && view.workers.is_empty(), "{view:?}");
    assert!(view.gains.iter().any(|gain| gain.before.is_none() && gain.worker == "attic"));
    let again = submit(&fleet, LEVELS);
    assert_eq!((again.n_new, again.n_opened), (0, 0), "what is settled is not opened again");
}
