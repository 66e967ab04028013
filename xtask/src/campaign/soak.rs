//! The campaign `soak`: long runs whose memory, handles and latency must stay as they are once they are warm.
//!
//! | part | what runs | latency of |
//! |---|---|---|
//! | night | `soko night` on a collection of levels that stay hard | `soko library list` beside it |
//! | pages | `soko serve`, whose runs are begun, paused, continued and stopped over its interface, and whose pages are opened and closed | a list of the library |
//! | fleet | `soko fleet work`, beside other workers that come, are interrupted and are killed, at a server that dies now and then | `soko fleet status` |
//!
//! Each part has its share of the time. A sample every few seconds goes to `target/campaign/soak/NAME.csv`, its curves to
//! `NAME.svg`. The first third of a part warms it up; then [`flat`](samples) compares the second third with the last one.

mod curves;
mod fleet;
mod samples;

use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use anyhow::{Context as _, ensure};
use sokosearch::Clock;

use self::samples::{Sample, Samples};
use super::run::CampaignRun;
use super::served::Served;
use super::soko::{Desk, hard_level, room_levels};
use crate::dataset::SplitMix64;
use crate::workspace::root;

/// Time between two samples.
const PACE: Duration = Duration::from_secs(3);
/// Most time that a night or a server takes to end.
const END: Duration = Duration::from_secs(120);
/// Memory of a part, in MiB.
const MEMORY_MIB: u64 = 256;
/// What is done to a server between two samples.
const PER_SAMPLE: usize = 6;

/// Something that runs for long; `None` where it cannot run.
type Part = fn(&mut CampaignRun, &Desk, Duration) -> anyhow::Result<Option<Samples>>;

const PARTS: [(&str, Part); 3] = [("night", night), ("pages", pages), ("fleet", fleet::run)];

/// Lets each part run for the same time.
pub(super) fn run(run: &mut CampaignRun) -> anyhow::Result<()> {
    let soko = run.soko()?;
    let parts = run.chosen(PARTS.into(), |(name, _)| name)?;
    let share = run.time_left() / u32::try_from(parts.len())?;
    for (name, part) in parts {
        if let Some(samples) = part(run, &Desk::new(&soko)?, share)? {
            judge(run, name, &samples)?;
        }
    }
    Ok(())
}

/// Lays out levels for a library: some of ours, some that are made, and one that stays hard.
fn lay_out(desk: &Desk, seed: u64) -> anyhow::Result<()> {
    let bundled = fs::read_to_string(root().join("testdata/bench.sok")).context("cannot read testdata/bench.sok")?;
    desk.write("bundled.sok", bundled)?;
    desk.write("rooms.sok", room_levels(40, seed))?;
    desk.write("hard.sok", hard_level())?;
    let added = desk.soko("library --library my.sqlite add bundled.sok rooms.sok hard.sok", END)?;
    ensure!(added.code().is_some_and(|code| code < 2), "no library can be made: {}", added.shown());
    Ok(())
}

fn night(run: &mut CampaignRun, desk: &Desk, time: Duration) -> anyhow::Result<Option<Samples>> {
    lay_out(desk, run.seed())?;
    let seconds = time.as_secs();
    let line = format!("night --library my.sqlite --for {seconds}s --threads 2 --memory {MEMORY_MIB}MiB --json");
    let mut program = desk.started(desk.command(&line))?;
    let beside = Desk::new(&run.soko()?)?;
    let library = desk.path("my.sqlite");
    let (clock, mut samples) = (Clock::start(), Samples::default());
    while clock.elapsed() < time && program.child.try_wait()?.is_none() {
        sleep(PACE);
        let mut list = beside.command("library list --json");
        list.arg("--library").arg(&library);
        let asked = Clock::start();
        let listed = beside.run(list, END)?;
        ensure!(listed.code() == Some(0), "the library cannot be read: {}", listed.shown());
        samples.extend(Sample::of(program.child.id(), clock.elapsed(), asked.elapsed()));
        run.tried(1)?;
    }
    let ended = program.ended(END)?;
    if ended.code() != Some(0) {
        run.defect("a night does not end well", &repeat(run), &ended.shown())?;
    }
    check(run, desk)?;
    Ok(Some(samples))
}

fn pages(run: &mut CampaignRun, desk: &Desk, time: Duration) -> anyhow::Result<Option<Samples>> {
    lay_out(desk, run.seed())?;
    let options = format!("--library my.sqlite --threads 2 --memory {MEMORY_MIB}MiB");
    let served = Served::start(desk, &options)?;
    let (clock, mut samples) = (Clock::start(), Samples::default());
    let (mut chance, mut done) = (SplitMix64(run.seed()), Done::default());
    while clock.elapsed() < time {
        for _ in 0..PER_SAMPLE {
            if let Some(what) = disturb(&served, &mut chance, &mut done)? {
                run.defect(&what, &repeat(run), "")?;
            }
        }
        sleep(PACE);
        let asked = Clock::start();
        served.ask("GET", "library", "")?.json()?;
        samples.extend(Sample::of(served.program.child.id(), clock.elapsed(), asked.elapsed()));
        run.tried(1)?;
    }
    run.log(&format_args!("pages: {done:?}"))?;
    ensure!(done.n_begun > 0, "no run was begun");
    interrupt(served.program.child.id())?;
    let ended = served.program.ended(END)?;
    if ended.code() != Some(0) {
        run.defect("a server does not end well", &repeat(run), &ended.shown())?;
    }
    check(run, desk)?;
    Ok(Some(samples))
}

/// What was done to a server.
#[derive(Debug, Default)]
struct Done {
    n_begun: u64,
    n_steered: u64,
    n_closed: u64,
    n_looked_at: u64,
    /// Runs that have ended before they were steered, or that the server has no room or no work for.
    n_refused: u64,
}

/// Does something that a person may do, by chance; returns what is wrong with the answer.
fn disturb(served: &Served, chance: &mut SplitMix64, done: &mut Done) -> anyhow::Result<Option<String>> {
    let runs = served.ask("GET", "runs", "")?.json()?;
    let runs = runs["runs"].as_array().cloned().unwrap_or_default();
    let is_active =
        |run: &&serde_json::Value| ["loading", "running", "paused"].iter().any(|phase| run["phase"] == *phase);
    let active: Vec<u64> = runs.iter().filter(is_active).filter_map(|run| run["id"].as_u64()).collect();
    let (answer, count, may_refuse) = match chance.below(6) {
        0 | 1 => {
            let kind = ["night", "optimize", "solve"][chance.below(3)];
            let seconds = 5 + chance.below(40);
            let body = format!(r#"{{"kind": "{kind}", "seconds": {seconds}, "threads": 1, "memory_mib": 64}}"#);
            (served.ask("POST", "runs", &body)?, &mut done.n_begun, true)
        }
        2 | 3 => {
            let Some(&id) = active.get(chance.below(active.len().max(1))) else { return Ok(None) };
            let wish = ["stop", "pause", "resume"][chance.below(3)];
            (served.ask("POST", &format!("run?id={id}&do={wish}"), "")?, &mut done.n_steered, true)
        }
        4 => {
            // One page with a stream of events, and one that does not wait for its answer.
            drop((served.request("GET", "events", "")?, served.request("GET", "library", "")?));
            done.n_closed += 2;
            return Ok(None);
        }
        _ => (served.ask("GET", "collection?name=rooms", "")?, &mut done.n_looked_at, false),
    };
    let is_refused = may_refuse && (400..=503).contains(&answer.status) && answer.status != 500;
    *if is_refused { &mut done.n_refused } else { count } += 1;
    let is_right = is_refused || answer.status == 200;
    Ok((!is_right).then(|| format!("the server answers {}: {}", answer.status, answer.body)))
}

/// Ctrl-C, as a person ends it.
fn interrupt(id: u32) -> anyhow::Result<()> {
    let status = std::process::Command::new("kill").args(["-INT", &id.to_string()]).status();
    ensure!(status.context("there is no kill")?.success(), "the program has ended before");
    Ok(())
}

/// The library is whole after a part.
fn check(run: &mut CampaignRun, desk: &Desk) -> anyhow::Result<()> {
    let checked = desk.soko("library --library my.sqlite check", END)?;
    if checked.code() != Some(0) {
        run.defect("the library is broken", &repeat(run), &checked.shown())?;
    }
    Ok(())
}

/// Writes what was measured, and reports what is not flat.
fn judge(run: &mut CampaignRun, name: &str, samples: &Samples) -> anyhow::Result<()> {
    let path = |ending: &str| run.folder().join(format!("{name}.{ending}"));
    write(&path("csv"), &samples.csv())?;
    match curves::svg(samples) {
        Ok(text) => write(&path("svg"), &text)?,
        Err(error) => run.log(&format_args!("{name}: no curves: {error}"))?,
    }
    for line in samples.summary(name) {
        println!("{line}");
        run.log(&line)?;
    }
    for what in samples.not_flat(MEMORY_MIB) {
        run.defect(&format!("{name}: {what}"), &repeat(run), &samples.csv())?;
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    Ok(sokoio::write_file(path, text.as_bytes())?)
}

fn repeat(run: &CampaignRun) -> String {
    format!("soak --seed {} --for {}m", run.seed(), run.time().as_secs().div_ceil(60))
}
