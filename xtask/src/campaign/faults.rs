//! The campaign `faults`: calls of the system that fail, and a system that is short of something, under every command that
//! writes.
//!
//! Each command is run once to count its calls, and then with a fault at one of them, once or from there on. After each
//! run what the program [promises] is looked at. The order is that of the seed, and all commands have their
//! turn, the server of the [pages] after them; a campaign that has tried all cases begins the next round with other calls.

mod injector;
mod pages;
mod promises;
mod shortages;

use std::time::Duration;

use anyhow::Context as _;

use self::injector::{Call, Fault, Injector};
use self::promises::{LEVELS, LIBRARY, broken};
use super::run::CampaignRun;
use super::soko::{Desk, SMALL};
use crate::dataset::SplitMix64;

/// The library waits a minute for a lock, more than once in a run.
const LIMIT: Duration = Duration::from_secs(300);
/// Calls of a kind that fail in one round, each once and from there on; a library waits for its locks.
const PER_ROUND: usize = 2;
const LOCKS_PER_ROUND: usize = 1;
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

/// Tries faults until the time is over.
pub(super) fn run(run: &mut CampaignRun) -> anyhow::Result<()> {
    let injector = Injector::build(run.folder())?;
    let desk = Desk::new(&run.soko()?)?;
    let mut seen_before = Vec::new();
    shortages::run(run, &desk)?;
    let mut chance = SplitMix64(run.seed());
    while run.has_time() {
        for line in LINES {
            let trial = FaultTrial { injector: &injector, desk: &desk, line };
            let counts = trial.counts()?;
            for (call, count) in counts {
                trial.round(run, &mut chance, call, count, &mut seen_before)?;
            }
        }
        pages::run(run, &injector, &desk, &mut chance, &mut seen_before)?;
    }
    Ok(())
}

/// Runs of one command.
struct FaultTrial<'a> {
    injector: &'a Injector,
    desk: &'a Desk,
    line: &'a str,
}

impl FaultTrial<'_> {
    /// Lays out the desk: levels, a file that grows, a library that has the levels.
    fn lay_out(&self) -> anyhow::Result<()> {
        lay_out(self.desk)
    }

    /// How many calls of each kind the command makes without a fault.
    fn counts(&self) -> anyhow::Result<Vec<(Call, u64)>> {
        self.lay_out()?;
        let seen = self.desk.rescued().join("seen");
        let ended = self.desk.run(self.injector.command(self.desk, self.line, None, &seen), LIMIT)?;
        anyhow::ensure!(ended.code() == Some(0), "{} fails without a fault: {}", self.line, ended.shown());
        Injector::counts(&seen)
    }

    /// Tries some calls of a kind.
    fn round(
        &self,
        run: &mut CampaignRun,
        chance: &mut SplitMix64,
        call: Call,
        count: u64,
        seen_before: &mut Vec<String>,
    ) -> anyhow::Result<()> {
        let n_tried = if call == Call::Lock { LOCKS_PER_ROUND } else { PER_ROUND };
        for _ in 0..n_tried.min(usize::try_from(count)?) {
            let first = chance.next() % count + 1;
            for &failure in call.failures() {
                for last in [first, u64::MAX] {
                    if !run.has_time() {
                        return Ok(());
                    }
                    if call == Call::Lock && last > first && !chance.next().is_multiple_of(LOCKS_THAT_STAY) {
                        continue;
                    }
                    let fault = Fault { call, first, last, failure };
                    self.lay_out()?;
                    let seen = self.desk.rescued().join("seen");
                    let command = self.injector.command(self.desk, self.line, Some(fault), &seen);
                    let ended = self.desk.run(command, LIMIT)?;
                    // It is no rescued file.
                    std::fs::remove_file(&seen).context("cannot remove the counts")?;
                    run.tried(1)?;
                    for what in broken(self.desk, self.line, Some(fault), &ended)? {
                        report(run, self.line, &fault.to_string(), &what, &ended.shown(), seen_before)?;
                    }
                }
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
    anyhow::ensure!(added.code() == Some(0), "no library can be made: {}", added.shown());
    Ok(())
}

/// Reports a defect, but each kind of it once for each command and kind of fault.
fn report(
    run: &mut CampaignRun,
    line: &str,
    fault: &str,
    what: &str,
    shown: &str,
    seen_before: &mut Vec<String>,
) -> anyhow::Result<()> {
    let kind = fault.split(' ').next().unwrap_or_default();
    let key = format!("{line}\n{kind}\n{}", what.chars().take(40).collect::<String>());
    if seen_before.contains(&key) {
        return Ok(());
    }
    seen_before.push(key);
    let what = format!("{what} (soko {line}; {fault})");
    let repeat = format!("faults --seed {}", run.seed());
    run.defect(&what, &repeat, shown)
}
