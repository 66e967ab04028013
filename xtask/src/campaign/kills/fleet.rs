//! Kills in a fleet: of workers, of the server, of submissions and of collections. What a worker has reported is on the
//! server or on its disk, and the next worker with that disk delivers it.

use std::time::Duration;

use anyhow::Context as _;
use sokofleet::testing::NatsServer;
use sokosearch::Clock;

use super::{KEPT_WITHIN, LOOK_TIME, N_ROOMS, done, killed, sleep, some_time};
use crate::campaign::fleet_gains::lost_gain;
use crate::campaign::soko::{Desk, hard_level, room_levels};
use crate::dataset::SplitMix64;

/// Levels of a fleet that are easy; one more stays hard.
const N_EASY: usize = 8;
/// In one of so many trials the server is killed, too.
const SERVER_KILLS: usize = 3;
/// Where a worker keeps what it cannot deliver.
const SPOOL: &str = "spool";

/// A server, and the fleets on it: a new one for each kind of kills, and whenever its desk was cleared.
#[derive(Debug)]
pub(super) struct FleetKills {
    server: NatsServer,
    n_fleets: u64,
}

impl FleetKills {
    /// Starts a server; `None` where there is no program for it.
    pub(super) fn start() -> anyhow::Result<Option<Self>> {
        let server = NatsServer::start().context("no server of a fleet can be started")?;
        Ok(server.map(|server| Self { server, n_fleets: 0 }))
    }

    /// A command of the fleet with a name.
    fn line(&self, fleet: &str, command: &str) -> String {
        format!("fleet {command} --nats {} --fleet {fleet}", self.server.url())
    }

    /// The name of the fleet of a desk; a new one, with levels, where the desk was cleared.
    fn fleet(&mut self, desk: &Desk, levels: &str) -> anyhow::Result<String> {
        if desk.path("fleet").exists() {
            return desk.read("fleet");
        }
        self.n_fleets += 1;
        let fleet = format!("f{}", self.n_fleets);
        desk.write("fleet", &fleet)?;
        desk.write("levels.sok", levels)?;
        done(desk, &self.line(&fleet, "submit levels.sok --patience 2s"))?;
        Ok(fleet)
    }

    /// Kills a worker, and now and then the server some time before.
    pub(super) fn work(&mut self, desk: &Desk, chance: &mut SplitMix64) -> anyhow::Result<Option<String>> {
        let levels = room_levels(N_EASY, chance.next()) + "\n" + &hard_level();
        let fleet = self.fleet(desk, &levels)?;
        let work = format!("work --threads 1 --memory 200MiB --spool {SPOOL} --json");
        let worker = desk.started(desk.command(&self.line(&fleet, &work)))?;
        let time = some_time(chance, KEPT_WITHIN * 2);
        let server_dies = (chance.below(SERVER_KILLS) == 0).then(|| some_time(chance, time));
        let clock = Clock::start();
        let mut early = String::new();
        let kept_until = time.saturating_sub(KEPT_WITHIN);
        while clock.elapsed() < time {
            if server_dies.is_some_and(|at| clock.elapsed() >= at) {
                self.server.kill();
            }
            if clock.elapsed() <= kept_until {
                early = worker.stdout();
            }
            sleep(Duration::from_millis(20));
        }
        worker.killed()?;
        if self.server.pid().is_none() {
            self.server.start_again().context("the server does not start again")?;
        }
        done(desk, &self.line(&fleet, &format!("{work} --for 500ms")))?;
        let collected = done(desk, &self.line(&fleet, "collect --json"))?.lines("level");
        if let Some(gain) = lost_gain(&early, &collected) {
            return Ok(Some(format!("{gain} is not in the fleet; the server was killed: {}", server_dies.is_some())));
        }
        if std::fs::read_dir(desk.path(SPOOL)).is_ok_and(|mut left| left.next().is_some()) {
            return Ok(Some("the next worker has left solutions in the spool".to_owned()));
        }
        done(desk, &self.line(&fleet, "collect -o found.sok --force"))?;
        let verified = desk.soko("verify found.sok", LOOK_TIME)?;
        if verified.code() != Some(0) {
            return Ok(Some(format!("what was collected is broken: {}", verified.shown())));
        }
        self.stuck(desk, &fleet)
    }

    /// Kills a submission: a second one completes it.
    pub(super) fn submit(&mut self, desk: &Desk, chance: &mut SplitMix64) -> anyhow::Result<Option<String>> {
        self.n_fleets += 1;
        let fleet = format!("f{}", self.n_fleets);
        let submit = self.line(&fleet, "submit rooms.sok");
        killed(desk, &submit, chance, Duration::from_millis(600))?;
        done(desk, &submit)?;
        let n_items = done(desk, &self.line(&fleet, "status --json"))?.lines("item").len();
        let wrong = if n_items == N_ROOMS {
            self.stuck(desk, &fleet)?
        } else {
            Some(format!("{n_items} items of {N_ROOMS} levels that were submitted twice"))
        };
        done(desk, &self.line(&fleet, "drain --remove"))?;
        Ok(wrong)
    }

    /// Kills a collection, into a file or into a library.
    pub(super) fn collect(&mut self, desk: &Desk, chance: &mut SplitMix64) -> anyhow::Result<Option<String>> {
        let levels = room_levels(N_ROOMS, chance.next()) + "\n" + &hard_level();
        let fleet = self.fleet(desk, &levels)?;
        if !desk.path("whole.sok").exists() {
            done(desk, &self.line(&fleet, "collect -o whole.sok"))?;
        }
        let limit = Duration::from_millis(600);
        if chance.below(2) == 0 {
            killed(desk, &self.line(&fleet, "collect --library my.sqlite"), chance, limit)?;
            return Ok(None);
        }
        let old = "the old file\n";
        desk.write("out.sok", old)?;
        killed(desk, &self.line(&fleet, "collect -o out.sok --force"), chance, limit)?;
        let [out, whole] = [desk.read("out.sok")?, desk.read("whole.sok")?];
        Ok((out != old && out != whole).then(|| format!("the file is neither the old one nor the new one: {out}")))
    }

    /// Whether items are open that no worker will ever get: each has its message in the queue.
    fn stuck(&self, desk: &Desk, fleet: &str) -> anyhow::Result<Option<String>> {
        let status = done(desk, &self.line(fleet, "status --json"))?;
        let n_open = status.lines("item").iter().filter(|item| item["open"] == true).count() as u64;
        let queued = status.lines("status").first().and_then(|status| status["queued"].as_u64()).unwrap_or(0);
        Ok((queued < n_open).then(|| format!("{n_open} items are open, and {queued} slices are in the queue")))
    }
}
