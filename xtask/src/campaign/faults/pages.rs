//! The server of the pages in a system whose calls fail: every request has an answer, and what was answered is kept.

use std::fs;
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use anyhow::{Context as _, ensure};

use super::injector::{Call, Injector};
use super::promises::{LIBRARY, broken};
use super::{FaultRun, LIMIT, lay_out};
use crate::campaign::served::Served;
use crate::campaign::soko::{Desk, Ended, room_levels};

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
pub(super) fn run(faults: &mut FaultRun<'_>) -> anyhow::Result<()> {
    lay_out(&faults.desk)?;
    let seen = faults.seen();
    let trial = serve(&faults.desk, faults.injector.command(&faults.desk, LINE, None, &seen))?;
    ensure!(trial.ended.code() == Some(0), "{LINE} fails without a fault: {}", trial.ended.shown());
    for (call, count) in Injector::counts(&seen)? {
        for fault in faults.some(call, count) {
            // A library waits a minute for each lock that fails for good.
            if call == Call::Lock && fault.is_lasting() {
                continue;
            }
            // A machine that has slept does not wake up before it fell asleep; timers of a server rely on that.
            if call == Call::Sleep && !fault.is_lasting() {
                continue;
            }
            if !faults.run.has_time() {
                return Ok(());
            }
            let desk = &faults.desk;
            lay_out(desk)?;
            let trial = serve(desk, faults.injector.command(desk, LINE, Some(fault), &seen))?;
            fs::remove_file(&seen).context("cannot remove the counts")?;
            faults.run.tried(1)?;
            let mut wrong = broken(desk, LINE, Some(fault), &trial.ended)?;
            // The answer goes over the wire.
            if call != Call::Map && call != Call::Wire {
                wrong.extend(trial.wrong);
            }
            if call != Call::Map {
                wrong.extend(lost_upload(desk, trial.is_uploaded)?);
            }
            faults.report(LINE, &fault.to_string(), &wrong, &trial.ended)?;
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
