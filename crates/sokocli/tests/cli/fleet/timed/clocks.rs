//! Workers whose clocks are wrong, and jump.
//!
//! `libfaketime` shows a program another time of day: ahead, behind, or as a file says at the moment. The injector of the
//! campaigns moves clocks by the number of the call, which a worker makes thousands of; a file that is written when the
//! clock is to jump is simpler. Time that passes is left alone, as a wrong clock of a computer leaves it alone.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, SystemTime};

use sokosearch::Clock;

use crate::cmd::{hard_level, room_levels};
use crate::fleet::desk::FleetDesk;
use crate::fleet::skipped;

/// Seconds of a day.
const DAY: u64 = 86_400;

/// The library that shows another time of day.
struct FakeTime {
    library: PathBuf,
}

impl FakeTime {
    /// Finds it; `None`, said on the way, where it is not or does not do it.
    fn find() -> Option<Self> {
        let folders = fs::read_dir("/usr/lib").into_iter().flatten().flatten().map(|folder| folder.path());
        let mut libraries = folders.map(|folder| folder.join("faketime/libfaketime.so.1")).filter(|path| path.exists());
        let found = libraries.next().map(|library| Self { library }).filter(|found| {
            let mut date = Command::new("date");
            found.set(&mut date, "-1d");
            let shown = date.arg("+%s").output().map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
            let shown: Option<u64> = shown.ok().and_then(|shown| shown.trim().parse().ok());
            shown.is_some_and(|shown| (now() - DAY).abs_diff(shown) < 600)
        });
        if found.is_none() {
            skipped("there is no libfaketime (apt install faketime)");
        }
        found
    }

    /// Lets a program see a time of day, such as `+1d`.
    fn set(&self, command: &mut Command, time: &str) {
        self.preload(command).env("FAKETIME", time);
    }

    /// Lets a program see the time of day that a file says whenever it looks.
    fn set_by_file(&self, command: &mut Command, file: &std::path::Path) {
        self.preload(command).env("FAKETIME_TIMESTAMP_FILE", file).env("FAKETIME_NO_CACHE", "1");
    }

    fn preload<'c>(&self, command: &'c mut Command) -> &'c mut Command {
        command.env("LD_PRELOAD", &self.library).env("DONT_FAKE_MONOTONIC", "1").env("FAKETIME_DISABLE_SHM", "1")
    }
}

fn now() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs()
}

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
