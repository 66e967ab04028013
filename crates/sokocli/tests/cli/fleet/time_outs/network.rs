//! Networks that are cut, and bad ones: the server and each worker are on computers of their own.

use std::collections::BTreeSet;
use std::thread::sleep;
use std::time::Duration;

use sokofleet::testing::ServerKnobs;

use crate::cmd::{hard_level, room_levels};
use crate::fleet::desk::{FleetDesk, FleetWorker, wait_until, within};
use crate::fleet::name_space::Computers;
use crate::fleet::skipped;

/// The server is on the first computer.
const SERVER: usize = 0;
/// What a level is improved by here: so many slices are worked on at a time.
const OBJECTIVES: [&str; 4] = ["moves", "pushes", "boxlines/pushes", "boxchanges/pushes"];

/// Computers with a server; `None`, said on the way, where there cannot be any.
fn computers(n_workers: usize) -> Option<(FleetDesk, Computers)> {
    let computers = match Computers::connected(n_workers + 1) {
        Ok(computers) => computers,
        Err(why) => {
            skipped(&format!("no networks can be made here (with ip, unshare and nsenter): {why}"));
            return None;
        }
    };
    let knobs = ServerKnobs::default().with_host(Computers::address(SERVER)).within(computers.enter(SERVER));
    let mut at = FleetDesk::with(knobs)?;
    at.within = computers.enter(SERVER);
    Some((at, computers))
}

fn worker(at: &FleetDesk, computers: &Computers, computer: usize, name: &str, options: &str) -> FleetWorker {
    let work = at.desk.command(&at.line(&FleetDesk::work(name, options)));
    at.worker_of(name, within(&computers.enter(computer), work))
}

#[test]
fn a_worker_whose_network_is_cut_loses_its_slices_and_none_of_its_finds() {
    let Some((at, computers)) = computers(2) else { return };
    at.desk.write("long.sok", hard_level());
    at.fleet(&format!("submit long.sok --patience 2s --objective {}", OBJECTIVES.join(" --objective "))).expect(0);
    let start = |computer, name| worker(&at, &computers, computer, name, "--threads 4 --islands 1");
    let cut = start(1, "cut");
    cut.wait_for(4, "slice");
    computers.set_connected(1, false);
    let other = start(2, "other");
    wait_until("the other has ended a slice of each objective", || {
        let purposes: BTreeSet<_> = other.lines("slice").iter().map(|slice| slice["purpose"].to_string()).collect();
        purposes.len() == OBJECTIVES.len()
    });
    cut.wait_for(1, "trouble");
    computers.set_connected(1, true);
    wait_until("slices end that another worker had", || cut.lines("slice").iter().any(|it| it["overtaken"] == true));
    assert_eq!(cut.lines("recovered").len(), 1, "{}", cut.complaints());
    wait_until("slices of its own count again", || cut.lines("slice").last().unwrap()["overtaken"] == false);
    let workers = [&cut, &other].map(FleetWorker::end);
    workers.iter().for_each(|worked| assert_eq!(worked["waiting"], 0));
    at.expect_collected(1);
    at.expect_nothing_lost(&[&cut, &other]);
}

#[test]
fn a_network_that_fails_every_moment_is_slow_and_nothing_worse() {
    let Some((at, computers)) = computers(1) else { return };
    at.desk.write("rooms.sok", room_levels(3));
    at.fleet("submit rooms.sok --patience 2s").expect(0);
    let delayed = computers.set_bad(1);
    if let Err(why) = &delayed {
        skipped(&format!("a cable that delays and loses packets at random (tc): {why}"));
    }
    let bad = worker(&at, &computers, 1, "bad", "");
    while bad.lines("slice").len() < 10 {
        assert!(!bad.has_ended(), "{}", bad.complaints());
        computers.set_connected(1, false);
        sleep(Duration::from_millis(20));
        computers.set_connected(1, true);
        sleep(Duration::from_millis(200));
    }
    assert_eq!(bad.end()["waiting"], 0);
    at.expect_nothing_lost(&[&bad]);
}
