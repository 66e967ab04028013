//! What is asked for: objectives, time, an end.

use std::thread;
use std::time::Duration;

use sokofleet::{Fleet, FleetAddress, FleetName, Submission, Wishes, WorkEvent};
use sokoio::Collection;
use sokonight::NightControl;

use super::desk::{LEVELS, fleet, knobs, long_level, server, submit, submit_with, wait_until, work};

#[test]
fn another_objective_is_added_to_what_was_asked_for() {
    let Some(server) = server() else { return };
    let fleet = fleet(&server);
    let moves = Wishes::default().with_objectives(["moves".parse().unwrap()]);
    submit_with(&fleet, LEVELS, &moves);
    work(&fleet, "attic");
    let purposes = || {
        let mut purposes: Vec<_> = fleet.view().unwrap().items.into_iter().map(|item| item.purpose).collect();
        purposes.sort();
        purposes.dedup();
        purposes
    };
    assert!(!purposes().contains(&"pushes".to_owned()), "{:?}", purposes());
    let both = submit(&fleet, LEVELS);
    assert!(both.n_new == 0 && both.n_opened > 0, "by pushes: {both:?}");
    work(&fleet, "attic");
    assert!(purposes().contains(&"pushes".to_owned()), "{:?}", purposes());
}

#[test]
fn solutions_that_are_submitted_are_starts() {
    let Some(server) = server() else { return };
    let fleet = fleet(&server);
    let text = "#######\n#@ $ .#\n#######\n\nSolution\nrlrRR\n";
    let submitted = submit(&fleet, text);
    assert!(submitted.n_opened >= 2, "{submitted:?}");
    let collected = fleet.collect().unwrap();
    assert_eq!(collected[0].solutions[0].worker, "files");
    assert_eq!(collected[0].solutions[0].solution.metrics().moves, 5);
    work(&fleet, "attic");
    let best = &fleet.collect().unwrap()[0].solutions[0];
    assert_eq!((&*best.worker, best.solution.metrics().moves), ("attic", 3));
    let texts = fleet.collections().unwrap();
    assert_eq!((&*texts[0].0, texts[0].1.to_string()), ("small", Collection::parse(text.as_bytes()).to_string()));
}

#[test]
fn a_time_that_is_over_begins_again_with_the_next_submission() {
    let Some(server) = server() else { return };
    let fleet = fleet(&server);
    let wishes = Wishes::default().with_time(Some(Duration::from_secs(1)));
    submit_with(&fleet, &long_level(), &wishes);
    let outcome = work(&fleet, "attic");
    assert_eq!(outcome.ended, "nothing left to do");
    let view = fleet.view().unwrap();
    let over = view.items.iter().filter(|item| !item.is_open && !item.is_settled).count();
    assert!(over > 0 && view.items.iter().all(|item| !item.is_open), "{:?}", view.items);
    let again = submit_with(&fleet, &long_level(), &wishes);
    assert!(again.n_opened >= 1 && fleet.view().unwrap().items.iter().any(|item| item.is_open), "{again:?}");
}

#[test]
fn a_drained_fleet_ends_its_workers_and_the_next_submission_begins_again() {
    let Some(server) = server() else { return };
    let fleet = fleet(&server);
    submit(&fleet, &long_level());
    let address = server.address();
    let worker = thread::spawn(move || {
        let fleet = Fleet::open(&address, &FleetName::default()).unwrap();
        fleet.work(&knobs("attic"), &NightControl::default(), &|_: WorkEvent<'_>| {}).unwrap()
    });
    wait_until("a slice has ended", || fleet.view().unwrap().items.iter().any(|item| item.n_slices > 0));
    fleet.drain().unwrap();
    assert_eq!(worker.join().unwrap().ended, "drained");
    assert!(fleet.view().unwrap().is_drained);
    let collection = Collection::parse(long_level().as_bytes());
    fleet.submit(&[Submission::new("long", &collection)], &Wishes::default(), &|_, _| {}).unwrap();
    assert!(!fleet.view().unwrap().is_drained);
    fleet.remove().unwrap();
    let gone = Fleet::open(&server.address(), &FleetName::default()).unwrap_err().to_string();
    assert!(gone.contains("there is no fleet 'soko'"), "{gone}");
}

#[test]
fn a_server_that_is_not_there_is_named() {
    let nowhere = Fleet::open(&FleetAddress::new("nats://me:secret@127.0.0.1:1"), &FleetName::default());
    let text = nowhere.unwrap_err().to_string();
    assert!(text.starts_with("cannot reach the server at 127.0.0.1:1: ") && !text.contains("secret"), "{text}");
    assert!(text.contains("nats-server -js"), "{text}");
    let none = Fleet::open(&FleetAddress::new(" "), &FleetName::default()).unwrap_err().to_string();
    assert!(none.contains("no server is named"), "{none}");
}
