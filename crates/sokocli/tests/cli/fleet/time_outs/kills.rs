//! Workers that are killed or stopped, and whose fleet is removed.

use crate::cmd::hard_level;
use crate::fleet::desk::FleetDesk;

#[test]
fn killed_and_paused_workers_hold_up_nothing() {
    let Some(at) = FleetDesk::new() else { return };
    at.desk.write("long.sok", hard_level());
    at.fleet("submit long.sok --patience 2s").expect(0);
    let first = at.worker("first", "");
    first.wait_for(3, "slice");
    first.kill();
    let before = at.n_slices();

    let second = at.worker("second", "");
    second.wait_for(3, "slice");
    second.signal("-STOP");
    let third = at.worker("third", "");
    third.wait_for(3, "slice");
    second.signal("-CONT");
    second.wait_for(1, "slice");
    assert!(at.n_slices() >= before + 6);
    for worker in [second, third] {
        assert_eq!(worker.end()["ended"], "interrupted");
    }
    // Every open item has a message in the queue, and is taken up by the next worker.
    let n_open = at.status("item").iter().filter(|item| item["open"] == true).count();
    let queued = at.status("status")[0]["queued"].as_u64().unwrap();
    assert!(queued >= n_open as u64, "{queued} of {n_open}");
    at.expect_collected(1);
}

#[test]
fn workers_of_a_fleet_that_is_removed_end() {
    let Some(at) = FleetDesk::new() else { return };
    at.desk.write("long.sok", hard_level());
    at.fleet("submit long.sok").expect(0);
    let worker = at.worker("attic", "");
    worker.wait_for(1, "slice");
    at.fleet("drain --remove").expect(0);
    assert_eq!(worker.wait()["ended"], "the fleet was removed");
}
