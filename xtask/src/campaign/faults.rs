//! The campaign `faults`: calls of the system that fail, and a system that is short of something, under every command that
//! writes.
//!
//! Each command is run once to count its calls, and then with a fault at one of them, once or from there on. After each
//! run what the program [promises] is looked at. The parts, [shortages], `commands`, the server of the [pages] and the
//! commands of a [fleet], take turns; a campaign that has tried all of them begins the next round with other calls.

mod fleet;
mod injector;
mod pages;
mod promises;
mod shortages;

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, ensure};

use self::injector::{Call, Fault, Injector};
use self::promises::{LEVELS, LIBRARY, broken};
use super::run::CampaignRun;
use super::soko::{Desk, Ended, SMALL};
use crate::dataset::SplitMix64;

/// The library waits a minute for a lock, more than once in a run.
const LIMIT: Duration = Duration::from_secs(300);
/// Calls of a kind that fail in one round, each once and from there on; a library waits for its locks.
const PER_ROUND: u64 = 2;
const LOCKS_PER_ROUND: u64 = 1;
/// One of so many runs has locks that fail for good, for each of which a library waits a minute.
const LOCKS_THAT_STAY: u64 = 16;

/// Commands that write, and some that read.
const LINES: [&str; 13] = [
    "optimize levels.sok -o out.sok --threads 1 --work 200000 --json",
    "optimize levels.sok --into in.sok --threads 2 --work 200000 --json",
    "optimize levels.sok --library my.sqlite --no-output --threads 1 --work 200000 --json",
    "optimize levels.sok --library my.sqlite -o out.sok --threads 2 --work 200000 --json",
    "solve levels.sok -o out.sok --threads 1 --json",
    "night --library my.sqlite --for 1s --threads 2 --json",
    "merge levels.sok in.sok -o out.sok",
    "library --library my.sqlite add levels.sok",
    "library --library my.sqlite export -o out.sok",
    "library --library my.sqlite compact",
    "draw levels.sok -o picture.svg",
    "report levels.sok -o report.html",
    "verify levels.sok --json",
];

/// Tries some calls of each kind.
type FaultPart = fn(&mut FaultRun<'_>) -> anyhow::Result<()>;

const PARTS: [(&str, FaultPart); 4] =
    [("shortages", shortages::run), ("commands", commands), ("pages", pages::run), ("fleet", fleet::run)];

/// Tries faults until the time is over.
pub(super) fn run(run: &mut CampaignRun) -> anyhow::Result<()> {
    let injector = Injector::build(run.folder())?;
    let desk = Desk::new(&run.soko()?)?;
    let parts = run.chosen(PARTS.into(), |(name, _)| name)?;
    let chance = SplitMix64(run.seed());
    let mut faults = FaultRun { run, injector, desk, chance, seen_before: Vec::new() };
    while faults.run.has_time() {
        for (_, part) in &parts {
            part(&mut faults)?;
        }
    }
    Ok(())
}

/// Every command, each on a desk of its own.
fn commands(faults: &mut FaultRun<'_>) -> anyhow::Result<()> {
    for line in LINES {
        lay_out(&faults.desk)?;
        let counts = faults.counts(line)?;
        for fault in counts.into_iter().flat_map(|(call, count)| faults.some(call, count)).collect::<Vec<_>>() {
            let waits = fault.call == Call::Lock && fault.is_lasting();
            if waits && !faults.chance.next().is_multiple_of(LOCKS_THAT_STAY) {
                continue;
            }
            if !faults.run.has_time() {
                return Ok(());
            }
            lay_out(&faults.desk)?;
            let ended = faults.with_fault(line, fault)?;
            let wrong = broken(&faults.desk, line, Some(fault), &ended)?;
            faults.report(line, &fault.to_string(), &wrong, &ended)?;
        }
    }
    Ok(())
}

/// A run of the campaign.
struct FaultRun<'a> {
    run: &'a mut CampaignRun,
    injector: Injector,
    desk: Desk,
    chance: SplitMix64,
    /// What was reported, since each kind of a defect is reported once for each command and kind of fault.
    seen_before: Vec<String>,
}

impl FaultRun<'_> {
    /// The file that the injector counts calls in.
    fn seen(&self) -> PathBuf {
        self.desk.rescued().join("seen")
    }

    /// How many calls of each kind a command makes without a fault.
    fn counts(&self, line: &str) -> anyhow::Result<Vec<(Call, u64)>> {
        let seen = self.seen();
        let ended = self.desk.run(self.injector.command(&self.desk, line, None, &seen), LIMIT)?;
        ensure!(ended.code() == Some(0), "{line} fails without a fault: {}", ended.shown());
        Injector::counts(&seen)
    }

    /// Faults at some calls of a kind, at each once and from there on.
    fn some(&mut self, call: Call, count: u64) -> Vec<Fault> {
        let n_tried = if call == Call::Lock { LOCKS_PER_ROUND } else { PER_ROUND };
        let mut faults = Vec::new();
        for _ in 0..count.min(n_tried) {
            let first = self.chance.next() % count + 1;
            for &failure in call.failures() {
                faults.extend([first, u64::MAX].map(|last| Fault { call, first, last, failure }));
            }
        }
        faults
    }

    /// Runs a command with a fault, and counts it.
    fn with_fault(&mut self, line: &str, fault: Fault) -> anyhow::Result<Ended> {
        let seen = self.seen();
        let ended = self.desk.run(self.injector.command(&self.desk, line, Some(fault), &seen), LIMIT)?;
        // It is no rescued file.
        fs::remove_file(&seen).context("cannot remove the counts")?;
        self.run.tried(1)?;
        Ok(ended)
    }

    /// Reports what is wrong after a run.
    fn report(&mut self, line: &str, fault: &str, wrong: &[String], ended: &Ended) -> anyhow::Result<()> {
        let kind = fault.split(' ').next().unwrap_or_default();
        for what in wrong {
            let key = format!("{line}\n{kind}\n{}", what.chars().take(40).collect::<String>());
            if !self.seen_before.contains(&key) {
                self.seen_before.push(key);
                let repeat = format!("faults --seed {}", self.run.seed());
                self.run.defect(&format!("{what} (soko {line}; {fault})"), &repeat, &ended.shown())?;
            }
        }
        Ok(())
    }
}

/// Lays out the desk: levels, a file that grows, a library that has the levels.
fn lay_out(desk: &Desk) -> anyhow::Result<()> {
    desk.clear()?;
    desk.write(LEVELS, SMALL)?;
    desk.write("in.sok", SMALL)?;
    let added = desk.soko(&format!("library --library {LIBRARY} add {LEVELS}"), LIMIT)?;
    ensure!(added.code() == Some(0), "no library can be made: {}", added.shown());
    Ok(())
}
