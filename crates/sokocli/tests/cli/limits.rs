//! Limits of time, memory and work.

use std::time::Duration;

use sokosearch::Clock;

use crate::cmd::{Desk, hard_level};

/// Tests that keep to a time: `cargo xtask ci` runs them when nothing else runs.
mod timed {
    use super::*;

    /// Trap 22: a short limit is kept, whatever the search is at, and what was found by then is saved. A machine that is
    /// busy with something else may be the cause of a late end, so one kept limit of ten tries will do.
    #[test]
    fn trap_22_fifty_milliseconds_are_fifty_milliseconds() {
        let is_kept = |_| {
            let desk = Desk::with(hard_level());
            let clock = Clock::start();
            let done = desk.soko("optimize levels.sok -o out.sok --time 50ms --threads 1 --json").expect(0);
            let elapsed = clock.elapsed();
            let lines = done.results();
            assert_eq!(lines[1]["ended_by"], "time");
            for line in &lines[..2] {
                let metric = line["objective"].as_str().unwrap();
                assert!(line["after"][metric].as_u64() <= line["before"][metric].as_u64());
            }
            desk.soko("verify out.sok").expect(0);
            let seconds = |line: usize| lines[line]["seconds"].as_f64().unwrap();
            elapsed < Duration::from_secs(1) && seconds(0) + seconds(1) < 0.15
        };
        assert!((0..10).any(is_kept), "fifty milliseconds took far longer");
    }
}

#[test]
fn a_small_memory_is_enough() {
    let desk = Desk::with(hard_level());
    let done = desk.soko("optimize levels.sok -o out.sok --time 2s --memory 64MiB --threads 2 --json").expect(0);
    for line in done.json().iter().filter(|line| line["type"] == "result") {
        assert!(line["peak_bytes"].as_u64().unwrap() <= 32 << 20, "{line}");
        assert_eq!(line["improved"], true);
    }
    desk.soko("verify out.sok").expect(0);
    desk.soko("optimize levels.sok -o tiny.sok --time 200ms --memory 16MiB").expect(0);
    desk.soko("verify tiny.sok").expect(0);
}

#[test]
fn work_is_counted() {
    let desk = Desk::with(hard_level());
    let done = desk.soko("optimize levels.sok --work 5000 --objective moves --json").expect(0);
    let line = &done.results()[0];
    assert_eq!(line["ended_by"], "work");
    assert!((5_000..6_000).contains(&line["work"].as_u64().unwrap()), "{line}");
}
