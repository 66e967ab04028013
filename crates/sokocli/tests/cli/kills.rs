//! Sudden death at any moment: the library is whole, and what was reported is in it.
//!
//! A few kills of each kind are part of every test run. A campaign, with `SOKO_FULL` set, kills a thousand times in eight
//! minutes, or in as many seconds as `SOKO_FULL_SECONDS` says:
//!
//! ```text
//! SOKO_FULL=1 SOKO_FULL_SECONDS=1200 cargo test -p sokocli --test cli -- kills --nocapture
//! ```
#![cfg(unix)]

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _, stderr};
use std::num::NonZeroUsize;
use std::process::{Child, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::{available_parallelism, sleep};
use std::time::{Duration, SystemTime};

use serde_json::Value;
use sokocore::{mix64, n_cases};
use sokosearch::Clock;

use crate::cmd::{Desk, hard_level, room_levels};

/// A find is in the library within a second; a busy machine gets two more.
const KEPT_WITHIN: Duration = Duration::from_secs(3);

/// How long a campaign takes if nothing is said.
const CAMPAIGN: Duration = Duration::from_secs(480);
/// Kinds of kills: each has an equal share of the time, and as many run at a time as there are processors.
const N_KINDS: usize = 5;
/// How often a kind of kills tells how far it is.
const N_REPORTS: usize = 10;

/// The kills of one kind, numbered, with word on stderr about how many are done. The time of the kind ends them.
fn kills(kind: &str, few: usize, all: usize) -> impl Iterator<Item = usize> {
    let n = n_cases(few, all);
    let told = std::env::var("SOKO_FULL_SECONDS").ok().and_then(|seconds| seconds.parse().ok());
    let n_at_a_time = available_parallelism().map_or(1, NonZeroUsize::get).min(N_KINDS);
    let time = told.map_or(CAMPAIGN, Duration::from_secs).mul_f64(n_at_a_time as f64 / N_KINDS as f64);
    let clock = Clock::start();
    let report = move |n_done: usize, why: &str| {
        let _ = writeln!(stderr(), "kills of {kind}: {n_done} of {n} in {:.0} s{why}", clock.elapsed().as_secs_f64());
    };
    (0..n).take_while(move |&case| {
        let is_over = case >= few && clock.elapsed() >= time;
        if is_over {
            report(case, ", and the time is over");
        } else if n > few && case % (n / N_REPORTS).max(1) == 0 {
            report(case, "");
        }
        !is_over
    })
}

/// Starts a command, kills it after so long, and waits for its end.
fn kill_after(desk: &Desk, line: &str, time: Duration) {
    let mut child = desk.start(line);
    sleep(time);
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Some time up to a limit, another one each time.
fn some_time(case: usize, limit: Duration) -> Duration {
    limit.mul_f64((mix64(case as u64) % 1_000) as f64 / 1_000.0)
}

/// Returns how many levels and solutions the library has, which must be whole.
#[track_caller]
fn whole(desk: &Desk) -> (u64, u64) {
    if !desk.path("my.sqlite").exists() {
        return (0, 0);
    }
    desk.soko("library --library my.sqlite check").expect(0);
    let summary = desk.soko("library --library my.sqlite list --json").expect(0).summary();
    (summary["levels"].as_u64().unwrap(), summary["solutions"].as_u64().unwrap())
}

#[test]
fn a_killed_add_adds_all_of_a_file_or_nothing() {
    let n = 200;
    let desk = Desk::with(room_levels(n));
    let clock = Clock::start();
    desk.soko("library --library whole.sqlite add levels.sok").expect(0);
    let limit = clock.elapsed() * 2;
    for case in kills("library add", 8, 450) {
        for name in ["my.sqlite", "my.sqlite-wal", "my.sqlite-shm"] {
            let _ = fs::remove_file(desk.path(name));
        }
        kill_after(&desk, "library --library my.sqlite add levels.sok", some_time(case, limit));
        let (n_levels, _) = whole(&desk);
        assert!(n_levels == 0 || n_levels == n as u64, "{n_levels} of {n}");
    }
}

#[test]
fn a_killed_export_leaves_the_old_file_or_the_new_one() {
    let desk = Desk::with(room_levels(200));
    desk.soko("library --library my.sqlite add levels.sok").expect(0);
    let clock = Clock::start();
    desk.soko("library --library my.sqlite export -o out.sok").expect(0);
    let limit = clock.elapsed() * 2;
    let new = desk.read("out.sok");
    for case in kills("library export", 8, 450) {
        desk.write("out.sok", "the old file");
        kill_after(&desk, "library --library my.sqlite export -o out.sok --force", some_time(case, limit));
        let left = desk.read("out.sok");
        assert!(left == "the old file" || left == new, "{} bytes", left.len());
        assert_eq!(whole(&desk).0, 200);
    }
    // The next export removes what dead ones have left, after a minute.
    let is_left = |name: &String| name.starts_with(".soko-");
    for left in desk.files().into_iter().filter(is_left) {
        let file = fs::File::options().write(true).open(desk.path(&left)).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(120)).unwrap();
    }
    desk.soko("library --library my.sqlite export -o out.sok --force").expect(0);
    assert_eq!(desk.files(), ["levels.sok", "my.sqlite", "out.sok"]);
}

#[test]
fn a_killed_repair_leaves_the_damaged_library_or_the_new_one() {
    let desk = Desk::with(room_levels(100));
    desk.soko("library --library whole.sqlite add levels.sok").expect(0);
    let mut damaged = fs::read(desk.path("whole.sqlite")).unwrap();
    // The schema.
    damaged[100..4_096].fill(0xA5);
    desk.write("damaged.sqlite", &damaged);
    let clock = Clock::start();
    desk.soko("library --library damaged.sqlite check --repair").expect(0);
    let limit = clock.elapsed() * 3 / 2;
    for case in kills("library check --repair", 4, 100) {
        for name in desk.files().iter().filter(|name| name.starts_with("my.sqlite")) {
            fs::remove_file(desk.path(name)).unwrap();
        }
        desk.write("my.sqlite", &damaged);
        kill_after(&desk, "library --library my.sqlite check --repair", some_time(case, limit));
        // The same again, to its end.
        desk.soko("library --library my.sqlite check --repair").expect(0);
        assert_eq!(whole(&desk).0, 100);
        let left = desk.files();
        let left: Vec<_> = left.iter().filter(|name| name.ends_with(".repaired") || name.contains(".pages")).collect();
        assert!(left.is_empty(), "{left:?}");
    }
}

/// A process that is killed when a test has done with it, or has failed.
struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Runs a command, kills it so long after the first line of a type, and returns the lines that it had printed, each with
/// its time, and the time of its death.
#[track_caller]
fn lines_until_killed(desk: &Desk, line: &str, first: &str, time: Duration) -> (Vec<(Duration, Value)>, Duration) {
    let child = desk.command(line).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut child = Killed(child);
    let (stdout, clock) = (child.0.stdout.take().unwrap(), Clock::start());
    let (sender, printed) = mpsc::channel();
    let reader = std::thread::spawn(move || {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            let _ = sender.send((clock.elapsed(), line));
        }
    });
    let mut lines: Vec<(Duration, Value)> = Vec::new();
    let read = |(at, line): (Duration, String)| Some((at, serde_json::from_str(&line).ok()?));
    while !lines.iter().any(|(_, line)| line["type"] == first) {
        match printed.recv_timeout(Duration::from_secs(60)) {
            Ok(line) => lines.extend(read(line)),
            Err(RecvTimeoutError::Timeout) => panic!("no line {first} is printed"),
            // It has ended by itself.
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    sleep(time);
    let died = clock.elapsed();
    drop(child);
    reader.join().unwrap();
    lines.extend(printed.iter().filter_map(read));
    (lines, died)
}

/// Whether the library knows a solution of a level that is as good in a metric.
fn knows(desk: &Desk, id: &str, metric: &str, found: u64) -> bool {
    let known = desk.soko(&format!("library --library my.sqlite show {id} --json")).expect(0).lines("known");
    let solutions = known[0]["solutions"].as_array().unwrap();
    solutions.iter().filter_map(|solution| solution["metrics"][metric].as_u64()).any(|least| least <= found)
}

#[test]
fn a_killed_run_has_kept_what_it_reported() {
    let desk = Desk::with(hard_level());
    let id = desk.soko("info levels.sok --json").expect(0).lines("info")[0]["id"].as_str().unwrap().to_owned();
    for case in kills("optimize", 1, 40) {
        let _ = fs::remove_file(desk.path("my.sqlite"));
        let line = "optimize levels.sok --library my.sqlite --time 10m --threads 1 --no-output --json";
        let time = if case == 0 { KEPT_WITHIN } else { some_time(case, KEPT_WITHIN * 2) };
        let (lines, died) = lines_until_killed(&desk, line, "improved", time);
        let early = |at: Duration| died.saturating_sub(at) >= KEPT_WITHIN.mul_f64(0.8);
        let finds = lines.iter().filter(|(at, line)| early(*at) && line["type"] == "improved");
        let finds: Vec<_> = finds.map(|(_, line)| line).collect();
        assert!(!finds.is_empty() || time < KEPT_WITHIN, "the first find was early enough");
        whole(&desk);
        for find in finds {
            let objective = find["objective"].as_str().unwrap();
            let found = find["metrics"][objective].as_u64().unwrap();
            assert!(knows(&desk, &id, objective, found), "{find} is not kept");
        }
    }
}

/// A night reports what is kept, so nothing of that is missing, and the next night continues.
#[test]
fn a_killed_night_has_kept_what_it_reported() {
    let desk = Desk::with(room_levels(40));
    let mut n_gains = 0;
    for case in kills("night", 3, 60) {
        if case % 6 == 0 {
            // Before nothing is left to do.
            let _ = fs::remove_file(desk.path("my.sqlite"));
        }
        let line = "night levels.sok --library my.sqlite --json";
        let (lines, _) = lines_until_killed(&desk, line, "gain", some_time(case, Duration::from_secs(2)));
        whole(&desk);
        for (_, gain) in lines.iter().filter(|(_, line)| line["type"] == "gain") {
            let (id, objective) = (gain["id"].as_str().unwrap(), gain["objective"].as_str().unwrap());
            let found = gain["after"][objective].as_u64().unwrap();
            assert!(knows(&desk, id, objective, found), "{gain} is not kept");
            n_gains += 1;
        }
    }
    assert!(n_gains > 0, "nothing was reported");
    desk.soko("night levels.sok --library my.sqlite --for 1s --quiet").expect(0);
}
