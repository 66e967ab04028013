//! A flood of events: what pages get stays small, is the latest, and leaves the page answering.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use serde_json::Value;
use sokocore::{Objective, Solution};
use sokolibrary::{Library, NewCollection};
use sokonight::{NightControl, NightLevel};
use sokosearch::{Cancel, Clock};

use self::browser::Browser;
use super::live_run::{LastImprovement, LiveRun};
use super::{PAUSE, Run, RunAccount, RunHead, RunRequest};
use crate::server::{Server, ServerOptions};

#[path = "../../tests/it/browser.rs"]
#[expect(dead_code, reason = "the other tests use more of it")]
mod browser;
#[path = "../../tests/it/patience.rs"]
mod patience;

/// How long it rains.
const FLOOD: Duration = Duration::from_secs(3);
/// Events of all runs in a second.
const RATE: u64 = 1_000;
const N_RUNS: u64 = 8;

const LEVEL: &[u8] = b"Two steps\n\n########\n#@ $ . #\n#      #\n########\n\nSolution\ndrurRR\n\nSolution\nrRR\n";

/// A server with runs that only these tests move.
struct EventFlood {
    levels: Vec<NightLevel>,
    lives: Vec<Arc<LiveRun>>,
}

impl EventFlood {
    fn begin(path: &Path, server: &Server) -> Self {
        let collection = sokoio::Collection::parse(LEVEL);
        let mut library = Library::create_or_open(path).unwrap();
        library.write(|changes| changes.add_collection(&NewCollection::new("steps", &collection))).unwrap();
        let levels = NightLevel::of_collections(&library, &["steps".to_owned()], &[Objective::MOVES]).unwrap();
        let request: RunRequest = serde_json::from_str(r#"{"kind": "night"}"#).unwrap();
        let runs = (0..N_RUNS).map(|_| library.write(|changes| changes.begin_run("{}", "{}")).unwrap());
        let lives: Vec<_> = runs
            .map(|stored| {
                let head = RunHead::of(&request).unwrap();
                Arc::new(LiveRun::new(&stored, head, RunAccount::default()))
            })
            .collect();
        for live in &lives {
            live.begin(&levels);
            let (live, control, kept) = (Arc::clone(live), NightControl::default(), String::new());
            let run = Run { live, control, memory: 0, request: Some(request.clone()), kept, thread: None };
            server.shared.runs.runs.lock().push(run);
        }
        Self { levels, lives }
    }

    /// Lets it rain; returns the number of events of each run.
    fn rain(&self) -> u64 {
        let level = &self.levels[0];
        let solution: &Solution = &level.known[0];
        let clock = Clock::start();
        let mut n_events = 0;
        while clock.elapsed() < FLOOD {
            let n_due = u64::try_from(clock.elapsed().as_millis()).unwrap() * RATE / 1_000 / N_RUNS;
            while n_events < n_due {
                for live in &self.lives {
                    live.improved(LastImprovement {
                        name: "Two steps",
                        id: level.id,
                        level: &level.level,
                        objective: Objective::MOVES,
                        solution,
                        by: "a flood",
                    });
                }
                n_events += 1;
            }
            thread::sleep(Duration::from_millis(1));
        }
        n_events
    }
}

/// Serves while something is tried.
fn with_server(work: impl FnOnce(&EventFlood, &str)) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("library.sqlite");
    let server = Server::bind(&ServerOptions::of_library(&path)).unwrap();
    let flood = EventFlood::begin(&path, &server);
    let link = server.link();
    let stop = Cancel::default();
    thread::scope(|scope| {
        let served = scope.spawn(|| server.run(&stop));
        work(&flood, &link);
        stop.cancel();
        served.join().unwrap().unwrap();
    });
}

#[test]
fn a_listener_gets_the_latest_and_not_every_event() {
    with_server(|flood, link| {
        let (origin, token) = link.split_once("/#token=").unwrap();
        let request = minreq::get(format!("{origin}/api/events")).with_header("x-soko-token", token).with_timeout(60);
        let lines = BufReader::new(request.send_lazy().unwrap()).lines();
        let (n_events, snapshots) = thread::scope(|scope| {
            let rain = scope.spawn(|| flood.rain());
            let mut snapshots = Vec::new();
            for line in lines.map_while(Result::ok) {
                let Some(state) = line.strip_prefix("data: ") else { continue };
                snapshots.push(state.len());
                let state: Value = serde_json::from_str(state).unwrap();
                let n_gains = |run: &Value| run["n_gains"].as_u64().unwrap();
                let runs = state["runs"].as_array().unwrap();
                if rain.is_finished() && runs.iter().all(|run| n_gains(run) == n_gains(&runs[0])) {
                    break;
                }
            }
            (rain.join().unwrap(), snapshots)
        });
        let most = FLOOD.as_millis() / PAUSE.as_millis() + 8;
        assert!(n_events > 100 && snapshots.len() as u128 <= most, "{n_events} events, {} snapshots", snapshots.len());
        let largest = snapshots.iter().max().unwrap();
        assert!(*largest < 200_000, "{largest} bytes");
    });
}

#[test]
fn a_thousand_events_a_second_from_eight_runs_leave_the_page_answering() {
    let Some(browser) = Browser::start() else { return };
    with_server(|flood, link| {
        browser.open(link);
        browser.open(&format!("{}/runs", link.split("/#").next().unwrap()));
        let slowest = thread::scope(|scope| {
            let rain = scope.spawn(|| flood.rain());
            let mut slowest = Duration::ZERO;
            while !rain.is_finished() {
                let clock = Clock::start();
                // Two frames are drawn before the answer.
                browser.script(
                    "return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))",
                );
                slowest = slowest.max(clock.elapsed());
            }
            slowest
        });
        let n_gains = flood.lives[0].account(&NightControl::default()).n_gains;
        // Far more than people would bear, far less than a page that lags behind.
        assert!(slowest < Duration::from_secs(2), "{slowest:?}");
        let text = format!("{} gains", n_gains);
        browser.wait_until(&format!("document.querySelectorAll('.run').length === {N_RUNS}"));
        browser.wait_until(&format!(
            "[...document.querySelectorAll('.run > .quiet')].every((facts) => facts.textContent.includes({text:?}))"
        ));
        browser.assert_silent("the flood");
    });
}
