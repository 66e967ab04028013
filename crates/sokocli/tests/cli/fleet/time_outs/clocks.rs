//! Workers whose clocks are wrong, and jump.

use std::process::Command;
use std::time::Duration;

use sokosearch::Clock;

use crate::cmd::{hard_level, room_levels};
use crate::fleet::desk::FleetDesk;
use crate::fleet::fake_time::{FakeTime, now};

#[test]
fn workers_whose_clocks_are_wrong_or_jump_work_like_others() {
    let Some(at) = FleetDesk::new() else { return };
    let Some(fake) = FakeTime::find() else { return };
    at.desk.write("rooms.sok", room_levels(4));
    at.desk.write("long.sok", hard_level());
    let clock = Clock::start();
    let mut submit = at.command("submit rooms.sok long.sok --patience 2s --for 5s");
    fake.set(&mut submit, "+1d");
    assert!(submit.output().unwrap().status.success());

    let worker = |name: &str, set: &dyn Fn(&mut Command)| {
        let mut work = at.command(&FleetDesk::work(name, "--until-empty --islands 1"));
        set(&mut work);
        at.worker_of(name, work)
    };
    at.desk.write("clock", "+0");
    let behind = worker("behind", &|work| fake.set(work, "-1d"));
    let ahead = worker("ahead", &|work| fake.set(work, "+1d"));
    let jumping = worker("jumping", &|work| fake.set_by_file(work, &at.desk.path("clock")));
    for clock in ["+1d", "-1d", "+0"] {
        at.desk.write("clock", clock);
        jumping.wait_for(1, "slice");
    }
    let mut status = at.command("status --json");
    fake.set(&mut status, "-1d");
    let status = crate::cmd::Done::of(status.output().unwrap()).expect(0);
    assert_eq!(status.lines("worker").len(), 3);
    for worker in status.lines("worker") {
        assert!(worker["silent_seconds"].as_u64().unwrap() < 60, "{worker}");
        assert!(worker["seconds"].as_u64().unwrap() < 600, "{worker}");
    }
    assert!(status.lines("gain").iter().all(|gain| gain["at"].as_u64().unwrap().abs_diff(now()) < 600), "{status:?}");

    // They end when the time is over by the server's clock, which is right here.
    for worker in [behind, ahead, jumping] {
        let worked = worker.wait();
        assert_eq!((&worked["ended"], &worked["waiting"]), (&"nothing left to do".into(), &0.into()));
        assert!(worked["slices"].as_u64().unwrap() > 0 && worker.lines("trouble").is_empty(), "{worked}");
    }
    assert!(clock.elapsed() >= Duration::from_secs(4), "{:?}", clock.elapsed());
    let items = at.status("item");
    assert!(items.iter().all(|item| item["open"] == false), "{items:?}");
    assert!(items.iter().any(|item| item["settled"] == false), "the time of the long level is over: {items:?}");
    at.expect_collected(5);
}
