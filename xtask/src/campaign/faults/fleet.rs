//! The commands of a fleet in a system whose calls fail, the wire to their server among them: what a worker has reported
//! is on the server, or on its disk and delivered by the next worker, and a submission that failed can be repeated.

use anyhow::{Context as _, ensure};
use sokofleet::testing::NatsServer;

use super::injector::{Call, Fault};
use super::promises::broken;
use super::{FaultRun, LIMIT, lay_out};
use crate::campaign::fleet_gains::lost_gain;
use crate::campaign::soko::{Desk, Ended};

/// Commands of a fleet, without its server and its name. `--for` is the time that a worker has to find its server.
const COMMANDS: [&str; 6] = [
    "submit levels.sok --patience 2s",
    "work --threads 1 --memory 64MiB --spool spool --until-empty --for 5s --json",
    "status --json",
    "collect -o out.sok",
    "collect --library my.sqlite",
    "drain",
];

/// A fleet on a server, for one trial.
struct TriedFleet<'a> {
    server: &'a NatsServer,
    name: String,
    /// Items of all levels.
    n_expected: usize,
}

/// Tries some calls of each kind, each once and from there on.
pub(super) fn run(faults: &mut FaultRun<'_>) -> anyhow::Result<()> {
    let Some(server) = NatsServer::start().context("no server of a fleet can be started")? else {
        return faults.run.log(&"skipped: no fleet, for want of nats-server (apt install nats-server)");
    };
    let whole = TriedFleet { server: &server, name: "whole".to_owned(), n_expected: 0 };
    lay_out(&faults.desk)?;
    whole.done(&faults.desk, COMMANDS[0])?;
    let n_expected = whole.n_items(&faults.desk)?;
    whole.remove(&faults.desk)?;
    let mut n_fleets = 0;
    let mut next = || {
        n_fleets += 1;
        TriedFleet { server: &server, name: format!("f{n_fleets}"), n_expected }
    };
    for command in COMMANDS {
        let fleet = next();
        fleet.lay_out(&faults.desk, command)?;
        let counts = faults.counts(&fleet.line(command))?;
        fleet.remove(&faults.desk)?;
        for fault in counts.into_iter().flat_map(|(call, count)| faults.some(call, count)).collect::<Vec<_>>() {
            // A library waits a minute for each lock that fails for good.
            if fault.call == Call::Lock && fault.is_lasting() {
                continue;
            }
            if !faults.run.has_time() {
                return Ok(());
            }
            let fleet = next();
            fleet.lay_out(&faults.desk, command)?;
            let ended = faults.with_fault(&fleet.line(command), fault)?;
            let mut wrong = broken(&faults.desk, command, Some(fault), &ended)?;
            wrong.extend(fleet.wrong(&faults.desk, command, fault, &ended)?);
            faults.report(&format!("fleet {command}"), &fault.to_string(), &wrong, &ended)?;
            fleet.remove(&faults.desk)?;
        }
    }
    Ok(())
}

impl TriedFleet<'_> {
    fn line(&self, command: &str) -> String {
        format!("fleet {command} --nats {} --fleet {}", self.server.url(), self.name)
    }

    /// Runs a command that must succeed.
    fn done(&self, desk: &Desk, command: &str) -> anyhow::Result<Ended> {
        let ended = desk.soko(&self.line(command), LIMIT)?;
        ensure!(ended.code() == Some(0), "soko fleet {command} fails: {}", ended.shown());
        Ok(ended)
    }

    /// A fleet that has the levels, unless the command is to submit them.
    fn lay_out(&self, desk: &Desk, command: &str) -> anyhow::Result<()> {
        lay_out(desk)?;
        if !command.starts_with("submit") {
            self.done(desk, COMMANDS[0])?;
        }
        Ok(())
    }

    fn n_items(&self, desk: &Desk) -> anyhow::Result<usize> {
        Ok(self.done(desk, "status --json")?.lines("item").len())
    }

    fn remove(&self, desk: &Desk) -> anyhow::Result<()> {
        self.done(desk, "drain --remove").map(|_| ())
    }

    /// What is lost or stuck after a command with a fault: the next submission and the next worker succeed, and have all.
    fn wrong(&self, desk: &Desk, command: &str, fault: Fault, ended: &Ended) -> anyhow::Result<Vec<String>> {
        self.done(desk, COMMANDS[0])?;
        let mut wrong = Vec::new();
        let n_items = self.n_items(desk)?;
        if n_items != self.n_expected {
            wrong.push(format!(
                "{n_items} items instead of {}, although the levels were submitted again",
                self.n_expected
            ));
        }
        // Memory that the system does not give ends a worker at once, as a kill would: the last second may be lost.
        if command.starts_with("work") && fault.call != Call::Map {
            self.done(desk, COMMANDS[1])?;
            let collected = self.done(desk, "collect --json")?.lines("level");
            let lost = lost_gain(&ended.stdout, &collected).filter(|_| !ended.stderr.contains("could not be saved"));
            wrong.extend(lost.map(|gain| format!("{gain} is not in the fleet")));
        }
        Ok(wrong)
    }
}
