//! Trouble of servers and networks, which takes its time.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, sleep};
use std::time::Duration;

use sokofleet::{Fleet, FleetAddress, FleetError, FleetName, WorkEvent, WorkKnobs, WorkOutcome};
use sokonight::NightControl;

use super::desk::{LEVELS, best_moves, fleet, knobs, long_level, server, submit, wait_until};
use super::wire::Wire;

/// A worker in a thread of its own, with what it has told.
struct TestWorker {
    control: NightControl,
    thread: thread::JoinHandle<WorkOutcome>,
    told: &'static Told,
}

#[derive(Default)]
struct Told {
    n_slices: AtomicUsize,
    n_troubles: AtomicUsize,
    n_recovered: AtomicUsize,
    n_overtaken: AtomicUsize,
    n_of_islands: AtomicUsize,
}

impl TestWorker {
    fn start(address: FleetAddress, knobs: WorkKnobs) -> Self {
        let told: &'static Told = Box::leak(Box::default());
        let control = NightControl::default();
        let of_thread = control.clone();
        let thread = thread::spawn(move || {
            let fleet = Fleet::open(&address, &FleetName::default()).unwrap();
            let on = |event: WorkEvent<'_>| {
                let counter = match event {
                    WorkEvent::SliceEnds { island, is_overtaken, .. } => {
                        told.n_overtaken.fetch_add(usize::from(is_overtaken), Ordering::SeqCst);
                        told.n_of_islands.fetch_add(usize::from(island > 0), Ordering::SeqCst);
                        &told.n_slices
                    }
                    WorkEvent::Trouble { .. } => &told.n_troubles,
                    WorkEvent::Recovered => &told.n_recovered,
                    _ => return,
                };
                counter.fetch_add(1, Ordering::SeqCst);
            };
            fleet.work(&knobs, &of_thread, &on).unwrap()
        });
        Self { control, thread, told }
    }

    fn wait_for(&self, what: &str, counter: impl Fn(&Told) -> &AtomicUsize, more: usize) {
        let before = counter(self.told).load(Ordering::SeqCst);
        wait_until(what, || counter(self.told).load(Ordering::SeqCst) >= before + more);
    }

    fn end(self) -> WorkOutcome {
        self.control.stop();
        self.thread.join().unwrap()
    }
}

#[test]
fn a_server_that_is_killed_and_started_again_has_everything() {
    let Some(mut server) = server() else { return };
    let fleet = fleet(&server);
    submit(&fleet, LEVELS);
    submit(&fleet, &long_level());
    let worker = TestWorker::start(server.address(), knobs("attic"));
    worker.wait_for("slices", |told| &told.n_slices, 3);
    let before = best_moves(&fleet);
    server.kill();
    worker.wait_for("trouble is told", |told| &told.n_troubles, 1);
    server.start_again().unwrap();
    worker.wait_for("the connection is restored", |told| &told.n_recovered, 1);
    worker.wait_for("slices", |told| &told.n_slices, 3);
    let outcome = worker.end();
    assert_eq!((outcome.n_waiting, outcome.n_failed), (0, 0));
    for (name, moves, _) in before {
        let now = best_moves(&fleet).into_iter().find(|(other, ..)| *other == name).expect("it was there before");
        assert!(now.1 <= moves, "{name}");
    }
}

#[test]
fn a_wire_that_is_cut_for_a_while_loses_nothing_and_another_worker_has_the_slice() {
    let Some(server) = server() else { return };
    let fleet = fleet(&server);
    submit(&fleet, &long_level());
    let wire = Wire::to(&server);
    let far = TestWorker::start(wire.address(), knobs("far"));
    far.wait_for("slices", |told| &told.n_slices, 2);
    wire.set_cut(true);
    sleep(Duration::from_secs(3));
    let near = TestWorker::start(server.address(), knobs("near").with_max_islands(1));
    near.wait_for("the other one's slices", |told| &told.n_slices, 3);
    wire.set_cut(false);
    far.wait_for("slices", |told| &told.n_slices, 2);
    let (far, near) = (far.end(), near.end());
    assert_eq!((far.n_waiting, near.n_waiting, far.n_failed + near.n_failed), (0, 0, 0));
    let view = fleet.view().unwrap();
    // Each open item has one message.
    let n_open = view.items.iter().filter(|item| item.is_open).count() as u64;
    wait_until("messages that count for nothing are dropped", || {
        let knobs = knobs("last").with_time(Some(Duration::from_millis(300)));
        fleet.work(&knobs, &NightControl::default(), &|_: WorkEvent<'_>| {}).unwrap();
        fleet.view().unwrap().n_queued == n_open
    });
}

#[test]
fn a_wire_that_is_cut_while_the_fleet_is_read_is_an_error_and_no_part_of_the_fleet() {
    let Some(server) = server() else { return };
    let levels =
        (0..40).map(|n| format!("Level {n}\n{}\n#@{}$.#\n{}\n\n", "#".repeat(n + 5), " ".repeat(n), "#".repeat(n + 5)));
    let whole = fleet(&server);
    submit(&whole, &levels.collect::<String>());
    let n_items = whole.view().unwrap().items.len();
    let fleets: Vec<_> = [4_000, 8_000, 12_000, 16_000, 24_000]
        .map(|n_bytes| {
            let wire = Wire::to(&server);
            let fleet = Fleet::open(&wire.address(), &FleetName::default()).unwrap();
            wire.cut_after(n_bytes);
            fleet
        })
        .into();
    let n_errors = AtomicUsize::new(0);
    thread::scope(|scope| {
        for fleet in &fleets {
            scope.spawn(|| match fleet.view() {
                Ok(view) => assert_eq!(view.items.len(), n_items),
                Err(error) => {
                    n_errors.fetch_add(1, Ordering::SeqCst);
                    assert!(matches!(error, FleetError::NoAnswer { .. }), "{error:?}");
                    assert!(error.to_string().contains("; look at it and at the network, and try again"), "{error}");
                }
            });
        }
    });
    assert!(n_errors.into_inner() >= 3);
}

#[test]
fn threads_without_a_slice_open_islands() {
    let Some(server) = server() else { return };
    let fleet = fleet(&server);
    submit(&fleet, &long_level());
    let island = |name| knobs(name).with_island_after(Duration::from_millis(500));
    let one = TestWorker::start(server.address(), island("one"));
    let two = TestWorker::start(server.address(), island("two"));
    let three = TestWorker::start(server.address(), island("three"));
    let four = TestWorker::start(server.address(), island("four"));
    let workers = [one, two, three, four];
    let sum = |counter: fn(&Told) -> &AtomicUsize| -> usize {
        workers.iter().map(|worker| counter(worker.told).load(Ordering::SeqCst)).sum()
    };
    wait_until("there are islands", || sum(|told| &told.n_of_islands) > 0);
    let view = fleet.view().unwrap();
    assert!(view.items.iter().any(|item| item.island > 0), "{:?}", view.items);
    for worker in workers {
        assert_eq!(worker.end().n_failed, 0);
    }
}
