//! Eight real runs at a time: the page and the requests are answered meanwhile, and nothing is lost.

use std::time::Duration;

use serde_json::json;
use sokosearch::Clock;

use crate::browser::Browser;
use crate::desk::Desk;
use crate::levels::many;
use crate::patience::wait;

const N_RUNS: usize = 8;
/// Levels of each run: each is solved in no time, which is an event.
const N_LEVELS: usize = 60;

#[test]
fn eight_runs_leave_the_page_answering() {
    let Some(browser) = Browser::start() else { return };
    let desk = Desk::new();
    let levels: Vec<String> = many(N_RUNS * N_LEVELS).split("\n\nCorridor").skip(1).map(str::to_owned).collect();
    for (at, levels) in levels.chunks(N_LEVELS).enumerate() {
        let text: String = levels.iter().map(|level| format!("Corridor{level}\n\n")).collect();
        desk.post(&format!("upload?name=corridors{at}.sok"), text);
    }
    browser.open(&desk.link);
    browser.open(&format!("{}/runs", desk.origin()));
    for at in 0..N_RUNS {
        let run = json!({ "kind": "solve", "collections": [format!("corridors{at}")], "threads": 1, "memory_mib": 96 });
        desk.post("runs", run.to_string());
    }
    let mut slowest = Duration::ZERO;
    wait("all runs end", || {
        let clock = Clock::start();
        browser
            .script("return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))");
        slowest = slowest.max(clock.elapsed());
        let runs = desk.get("runs")["runs"].as_array().unwrap().clone();
        runs.iter().all(|run| run["phase"] == "ended").then_some(())
    });
    // Far more than people would bear, far less than a page that lags behind.
    assert!(slowest < Duration::from_secs(10), "{slowest:?}");
    let runs = desk.get("runs")["runs"].clone();
    assert!(runs.as_array().unwrap().iter().all(|run| run["n_newly_solved"] == N_LEVELS), "{runs}");
    assert_eq!(desk.get("library")["n_solved"], N_RUNS * N_LEVELS);
    browser.wait_until(&format!("document.querySelectorAll('.run .phase.ended').length === {N_RUNS}"));
    browser.assert_silent("eight runs");
}
