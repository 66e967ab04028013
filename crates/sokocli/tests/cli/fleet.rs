//! Fleets as a user has them: a server, workers that come and go, and what is collected. Without `nats-server` the tests
//! say so and pass.
#![cfg(unix)]

use std::io::Write as _;
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;
use sokofleet::testing::NatsServer;
use sokosearch::Clock;

use crate::cmd::{Desk, hard_level, room_levels};

/// The longest time for anything.
const LONGEST: Duration = Duration::from_secs(100);

/// A desk with a server.
struct FleetDesk {
    desk: Desk,
    server: NatsServer,
}

impl FleetDesk {
    /// Starts a server; `None`, said on the way, without a program for it.
    fn new() -> Option<Self> {
        let Some(server) = NatsServer::start(&[]).unwrap() else {
            let _ = writeln!(std::io::stderr(), "skipped: there is no nats-server (apt install nats-server)");
            return None;
        };
        Some(Self { desk: Desk::new(), server })
    }

    fn line(&self, command: &str) -> String {
        format!("fleet {command} --nats {}", self.server.url())
    }

    fn worker(&self, options: &str) -> Child {
        self.desk.start(&self.line(&format!("work --threads 1 --memory 200MiB --spool spool --quiet {options}")))
    }

    /// The lines of `fleet status` of a type.
    fn status(&self, kind: &str) -> Vec<Value> {
        self.desk.soko(&self.line("status --json")).expect(0).lines(kind)
    }

    fn n_slices(&self) -> u64 {
        self.status("item").iter().map(|item| item["slices"].as_u64().unwrap()).sum()
    }

    fn wait_until(&self, what: &str, is_so: impl Fn(&Self) -> bool) {
        let clock = Clock::start();
        while !is_so(self) {
            assert!(clock.elapsed() < LONGEST, "waited too long until {what}");
            sleep(Duration::from_millis(50));
        }
    }
}

fn signal(process: &Child, name: &str) {
    let status = Command::new("kill").args([name, &process.id().to_string()]).status().unwrap();
    assert!(status.success());
}

#[test]
fn levels_go_to_the_fleet_and_solutions_come_back() {
    let Some(at) = FleetDesk::new() else { return };
    at.desk.write("rooms.sok", room_levels(6));
    let submitted = at.desk.soko(&at.line("submit rooms.sok")).expect(0).stdout;
    assert!(submitted.starts_with("fleet soko: 6 levels, all new; "), "{submitted}");
    let again = at.desk.soko(&at.line("submit rooms.sok")).expect(0).stdout;
    assert_eq!(again, "fleet soko: 6 levels, 0 new; 0 items opened\n");

    let worked = at.desk.soko(&at.line("work --threads 2 --name attic --until-empty --spool spool --json")).expect(0);
    let last = &worked.lines("worked")[0];
    assert_eq!(
        (&last["worker"], &last["ended"], &last["waiting"]),
        (&"attic".into(), &"nothing left to do".into(), &0.into())
    );
    assert!(!worked.lines("gain").is_empty() && !worked.lines("slice").is_empty());
    let status = at.desk.soko(&at.line("status")).expect(0).stdout;
    assert!(status.contains("no worker is there") && status.contains("0 items open"), "{status}");
    assert!(status.contains("moves: ") && status.contains("6 solved"), "{status}");

    at.desk.soko(&at.line("collect -o found.sok")).expect(0);
    let verified = at.desk.soko("verify found.sok").expect(0).stdout;
    assert!(verified.contains("6 levels") && verified.contains("nothing wrong"), "{verified}");
    at.desk.soko(&at.line("collect --library found.sqlite --proofs")).expect(0);
    let listed = at.desk.soko("library list --library found.sqlite").expect(0).stdout;
    assert!(listed.contains("rooms") && listed.contains("6 solved"), "{listed}");
    // The library is a start for another fleet.
    let other = at.desk.soko(&at.line("submit rooms --library found.sqlite --fleet other")).expect(0).stdout;
    assert!(other.starts_with("fleet other: 6 levels, all new; "), "{other}");
    let found = at.desk.soko(&at.line("collect --json --fleet other")).expect(0).lines("level");
    assert!(found.iter().all(|level| level["solutions"][0]["worker"] == "files"), "{found:?}");

    let drained = at.desk.soko(&at.line("drain --remove")).expect(0).stdout;
    assert_eq!(drained, "fleet soko is removed from the server\n");
    let gone = at.desk.soko(&at.line("status")).expect(1).stderr;
    assert!(gone.contains("there is no fleet 'soko' on this server; `soko fleet submit` makes one"), "{gone}");
}

#[test]
fn a_wrong_command_line_says_what_to_do() {
    let Some(at) = FleetDesk::new() else { return };
    let nothing = at.desk.soko(&at.line("submit nothing.sok --library none.sqlite")).expect(2).stderr;
    assert!(nothing.contains("there is no file nothing.sok, and no library with such a collection"), "{nothing}");
    let nowhere = at.desk.soko("fleet status --nats nats://127.0.0.1:1").expect(1).stderr;
    assert!(nowhere.contains("cannot reach the server at 127.0.0.1:1"), "{nowhere}");
    let name = at.desk.soko("fleet status --fleet a.b").expect(2).stderr;
    assert!(name.contains("'a.b' is no name: use letters, digits, '-' and '_', at most 40"), "{name}");
    at.desk.write("one.sok", room_levels(1));
    at.desk.soko(&at.line("submit one.sok")).expect(0);
    let place = at.desk.soko(&at.line("collect")).expect(2).stderr;
    assert!(place.contains("say where to: -o FILE, --library, or --json"), "{place}");
}

/// Kills and pauses, which take the time after which a slice is given to another worker.
mod timed {
    use super::*;

    #[test]
    fn killed_and_paused_workers_hold_up_nothing() {
        let Some(at) = FleetDesk::new() else { return };
        at.desk.write("long.sok", hard_level());
        at.desk.soko(&at.line("submit long.sok --patience 2s")).expect(0);
        let mut first = at.worker("--name first");
        at.wait_until("slices have ended", |at| at.n_slices() >= 3);
        first.kill().unwrap();
        first.wait().unwrap();
        let before = at.n_slices();

        let mut second = at.worker("--name second");
        at.wait_until("another worker has the slices", |at| at.n_slices() >= before + 3);
        signal(&second, "-STOP");
        let before = at.n_slices();
        let mut third = at.worker("--name third");
        at.wait_until("the third ends slices while the second is stopped", |at| at.n_slices() >= before + 3);
        signal(&second, "-CONT");
        let before = at.n_slices();
        at.wait_until("slices end after it was resumed", |at| at.n_slices() >= before + 3);
        for worker in [&mut second, &mut third] {
            signal(worker, "-INT");
            assert_eq!(worker.wait().unwrap().code(), Some(0));
        }
        // Every open item has a message in the queue, and is taken up by the next worker.
        let n_open = at.status("item").iter().filter(|item| item["open"] == true).count();
        let queued = at.status("status")[0]["queued"].as_u64().unwrap();
        assert!(queued >= n_open as u64, "{queued} of {n_open}");
        at.desk.soko(&at.line("collect -o found.sok")).expect(0);
        at.desk.soko("verify found.sok").expect(0);
    }
}
