//! The server of the pages in a system whose calls fail: every request has an answer, and what was answered is kept.

use std::fs;
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use anyhow::{Context as _, ensure};

use super::injector::{Call, Fault, Injector};
use super::promises::{LIBRARY, broken};
use super::{LIMIT, LOCKS_PER_ROUND, PER_ROUND, lay_out, report};
use crate::campaign::run::CampaignRun;
use crate::campaign::served::Served;
use crate::campaign::soko::{Desk, Ended, room_levels};
use crate::dataset::SplitMix64;

/// The server.
const LINE: &str = "serve --no-open --library my.sqlite --threads 1 --memory 64MiB";
/// How long a run of it takes at most.
const RUN_TIME: Duration = Duration::from_millis(300);

/// What came of a server.
struct ServedTrial {
    ended: Ended,
    /// Whether the upload was answered with success.
    is_uploaded: bool,
    wrong: Option<String>,
}

/// Tries some calls of each kind, each once and from there on.
pub(super) fn run(
    run: &mut CampaignRun,
    injector: &Injector,
    desk: &Desk,
    chance: &mut SplitMix64,
    seen_before: &mut Vec<String>,
) -> anyhow::Result<()> {
    lay_out(desk)?;
    let seen = desk.rescued().join("seen");
    let trial = serve(desk, injector.command(desk, LINE, None, &seen))?;
    ensure!(trial.ended.code() == Some(0), "{LINE} fails without a fault: {}", trial.ended.shown());
    for (call, count) in Injector::counts(&seen)? {
        let n_tried = if call == Call::Lock { LOCKS_PER_ROUND } else { PER_ROUND };
        for _ in 0..n_tried.min(usize::try_from(count)?) {
            let first = chance.next() % count + 1;
            for &failure in call.failures() {
                for last in [first, u64::MAX] {
                    // A library waits a minute for each lock that fails for good.
                    if call == Call::Lock && last > first {
                        continue;
                    }
                    // A machine that has slept does not wake up before it fell asleep; timers of a server rely on that.
                    if call == Call::Sleep && last == first {
                        continue;
                    }
                    if !run.has_time() {
                        return Ok(());
                    }
                    let fault = Fault { call, first, last, failure };
                    lay_out(desk)?;
                    let trial = serve(desk, injector.command(desk, LINE, Some(fault), &seen))?;
                    fs::remove_file(&seen).context("cannot remove the counts")?;
                    run.tried(1)?;
                    let mut wrong = broken(desk, LINE, Some(fault), &trial.ended)?;
                    // It tries for its threads before it starts them; tokio ends it if one is refused between the two.
                    if call == Call::Thread && trial.ended.stderr.contains("OS can't spawn worker thread") {
                        wrong
                            .retain(|what| !what.starts_with("it panics") && !what.starts_with("it does not end with"));
                    }
                    if call != Call::Map {
                        wrong.extend(trial.wrong);
                        wrong.extend(lost_upload(desk, trial.is_uploaded)?);
                    }
                    for what in wrong {
                        report(run, LINE, &fault.to_string(), &what, &trial.ended.shown(), seen_before)?;
                    }
                }
            }
        }
    }
    Ok(())
}

/// Lets a server begin, asks it what a page asks, and ends it as a person does.
fn serve(desk: &Desk, command: Command) -> anyhow::Result<ServedTrial> {
    let served = match Served::begin(desk.started(command)?)? {
        Ok(served) => served,
        Err(started) => {
            let ended = started.ended(LIMIT)?;
            return Ok(ServedTrial { ended, is_uploaded: false, wrong: None });
        }
    };
    let (mut is_uploaded, mut wrong) = (false, None);
    let room = room_levels(1, 3);
    let asked = [
        ("POST", "upload?name=room.sok", &*room),
        ("GET", "library", ""),
        ("POST", "runs", r#"{"kind": "night", "threads": 1, "memory_mib": 16}"#),
        ("GET", "runs", ""),
    ];
    for (method, path, body) in asked {
        match served.ask(method, path, body) {
            Ok(answer) => is_uploaded |= path.starts_with("upload") && answer.status == 200,
            Err(error) => wrong = Some(format!("a request has no answer: {error:#}")),
        }
    }
    sleep(RUN_TIME);
    let told = Command::new("kill").args(["-INT", &served.program.child.id().to_string()]).output();
    told.context("there is no kill")?;
    let ended = served.program.ended(LIMIT)?;
    // A server that a fault of its own has ended answers nothing, and says why.
    let wrong = wrong.filter(|_| ended.code() == Some(0));
    Ok(ServedTrial { ended, is_uploaded, wrong })
}

fn lost_upload(desk: &Desk, is_uploaded: bool) -> anyhow::Result<Option<String>> {
    if !is_uploaded {
        return Ok(None);
    }
    let list = desk.soko(&format!("library --library {LIBRARY} list --json"), LIMIT)?;
    let is_there = list.lines("collection").iter().any(|collection| collection["collection"] == "room");
    Ok((!is_there).then(|| format!("an upload that was answered is lost: {}", list.shown())))
}
