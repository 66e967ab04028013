//! A fleet whose workers come and go, and whose server dies now and then: one worker stays, and is measured.

use std::time::Duration;

use anyhow::{Context as _, ensure};
use sokofleet::testing::NatsServer;
use sokosearch::Clock;

use super::samples::{Sample, Samples};
use super::{END, MEMORY_MIB, PACE, interrupt, lay_out, repeat, sleep};
use crate::campaign::run::CampaignRun;
use crate::campaign::soko::{Desk, Ended, Started};
use crate::dataset::SplitMix64;

/// The most workers beside the one that stays.
const MAX_GUESTS: usize = 2;
/// The server dies after one of so many samples, and is away for a while.
const SERVER_DEATHS: usize = 20;
const LONGEST_AWAY: Duration = Duration::from_secs(8);

/// What was done to a fleet.
#[derive(Debug, Default)]
struct FleetDisturbances {
    n_begun: u64,
    n_interrupted: u64,
    n_killed: u64,
    n_server_deaths: u64,
}

/// A fleet in progress.
struct SoakedFleet<'a> {
    desk: &'a Desk,
    server: NatsServer,
    guests: Vec<Started>,
    done: FleetDisturbances,
}

/// Lets a fleet work; `None` where there is no program for its server.
pub(super) fn run(run: &mut CampaignRun, desk: &Desk, time: Duration) -> anyhow::Result<Option<Samples>> {
    let Some(server) = NatsServer::start().context("no server of a fleet can be started")? else {
        run.log(&"skipped: no fleet, for want of nats-server (apt install nats-server)")?;
        return Ok(None);
    };
    lay_out(desk, run.seed())?;
    let mut fleet = SoakedFleet { desk, server, guests: Vec::new(), done: FleetDisturbances::default() };
    let submitted = fleet.ask("submit bundled.sok rooms.sok hard.sok --patience 5s")?;
    ensure!(submitted.code() == Some(0), "nothing can be submitted: {}", submitted.shown());
    let mut steady = fleet.worker("steady")?;
    let (clock, mut samples, mut chance) = (Clock::start(), Samples::default(), SplitMix64(run.seed()));
    while clock.elapsed() < time {
        if let Some(what) = fleet.disturb(&mut chance)? {
            run.defect(&what, &repeat(run), "")?;
        }
        sleep(PACE);
        if let Some(status) = steady.child.try_wait()? {
            run.defect(&format!("the worker that stays has ended: {status}"), &repeat(run), &steady.stdout())?;
            break;
        }
        let asked = Clock::start();
        let status = fleet.ask("status --json")?;
        if status.code() != Some(0) {
            run.defect("the fleet does not tell its status", &repeat(run), &status.shown())?;
        }
        samples.extend(Sample::of(steady.child.id(), clock.elapsed(), asked.elapsed()));
        run.tried(1)?;
    }
    run.log(&format_args!("fleet: {:?}", fleet.done))?;
    fleet.guests.push(steady);
    while !fleet.guests.is_empty() {
        if let Some(what) = fleet.interrupt_guest(0)? {
            run.defect(&what, &repeat(run), "")?;
        }
    }
    let collected = fleet.ask("collect -o found.sok")?;
    let verified = desk.soko("verify found.sok", END)?;
    if collected.code() != Some(0) || verified.code() != Some(0) {
        let shown = format!("{}\n{}", collected.shown(), verified.shown());
        run.defect("what a fleet has found is broken", &repeat(run), &shown)?;
    }
    Ok(Some(samples))
}

impl SoakedFleet<'_> {
    fn line(&self, command: &str) -> String {
        format!("fleet {command} --nats {}", self.server.url())
    }

    fn ask(&self, command: &str) -> anyhow::Result<Ended> {
        self.desk.soko(&self.line(command), END)
    }

    fn worker(&self, spool: &str) -> anyhow::Result<Started> {
        let work = format!("work --threads 1 --memory {MEMORY_MIB}MiB --spool {spool} --json");
        // What a worker prints has files of its own on each desk.
        self.desk.started_as(spool, self.desk.command(&self.line(&work)))
    }

    /// Does what may happen to a fleet, by chance; returns what is wrong then.
    fn disturb(&mut self, chance: &mut SplitMix64) -> anyhow::Result<Option<String>> {
        if chance.below(SERVER_DEATHS) == 0 {
            self.done.n_server_deaths += 1;
            self.server.kill();
            sleep(LONGEST_AWAY.mul_f64(chance.below(100) as f64 / 100.0));
            self.server.start_again().context("the server does not start again")?;
        }
        match chance.below(4) {
            0 | 1 if self.guests.len() < MAX_GUESTS => {
                self.done.n_begun += 1;
                // Two workers have two spools; those that come later deliver what is in them.
                self.guests.push(self.worker(&format!("guest{}", self.done.n_begun % 2))?);
            }
            2 if !self.guests.is_empty() => {
                self.done.n_interrupted += 1;
                return self.interrupt_guest(chance.below(self.guests.len()));
            }
            3 if !self.guests.is_empty() => {
                self.done.n_killed += 1;
                self.guests.swap_remove(chance.below(self.guests.len())).killed()?;
            }
            _ => {}
        }
        Ok(None)
    }

    /// Ends a worker as a person does; returns what is wrong with its end.
    fn interrupt_guest(&mut self, at: usize) -> anyhow::Result<Option<String>> {
        let guest = self.guests.swap_remove(at);
        interrupt(guest.child.id())?;
        let ended = guest.ended(END)?;
        Ok((ended.code() != Some(0)).then(|| format!("a worker does not end well: {}", ended.shown())))
    }
}
