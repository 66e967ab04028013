//! Submitting, working, collecting.

use std::fs;
use std::time::Duration;

use sokocore::Objective;
use sokofleet::WorkEvent;
use sokonight::NightControl;

use super::desk::{LEVELS, as_anybody, best_moves, fleet, knobs, server, submit, work};

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

#[test]
fn what_waits_on_the_disk_of_a_worker_is_delivered_by_the_next_one() {
    let (Some(server), Some(other)) = (server(), server()) else { return };
    let first = fleet(&server);
    submit(&first, LEVELS);
    work(&first, "attic");
    let spool = tempfile::tempdir().unwrap();
    for level in first.collect().unwrap().iter().filter(|level| !level.solutions.is_empty()) {
        let key = format!("{}.moves", level.id);
        let find = as_anybody(&server, async |jetstream| {
            let finds = jetstream.get_key_value("soko-finds").await.unwrap();
            finds.get(format!("{key}.attic")).await.unwrap().unwrap()
        });
        fs::write(spool.path().join(format!("{key}.find")), find).unwrap();
    }
    fs::write(spool.path().join("other.txt"), "not ours").unwrap();

    let fleet = fleet(&other);
    submit(&fleet, LEVELS);
    let knobs = knobs("cellar").with_spool(Some(spool.path().to_owned())).with_time(Some(Duration::from_millis(1)));
    let outcome = fleet.work(&knobs, &NightControl::default(), &|_: WorkEvent<'_>| {}).unwrap();
    assert_eq!((outcome.n_finds, outcome.n_slices, outcome.n_waiting), (3, 0, 0));
    let moves =
        |all: Vec<(String, u64, String)>| all.into_iter().map(|(name, moves, _)| (name, moves)).collect::<Vec<_>>();
    assert_eq!(moves(best_moves(&fleet)), moves(best_moves(&first)));
    assert_eq!(fs::read_dir(spool.path()).unwrap().count(), 1, "what is not ours is left alone");
}
