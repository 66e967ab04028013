//! The threads of a worker, and the tasks beside them.

use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use sokonight::NightControl;
use sokosearch::{Clock, MemoryAccount};
use tokio::time::{sleep, timeout};

use super::heartbeat::{BEAT, Heartbeat};
use super::known::Boards;
use super::outbox::{FindOutbox, Parcel};
use super::{WorkEvent, WorkKnobs, WorkObserver, WorkOutcome};
use crate::insist::Insistence;
use crate::record::FindRecord;
use crate::server::FleetServer;
use crate::spool::Spool;
use crate::{Fleet, FleetError};

/// The first pause of a thread for which there is no slice; each later one is longer.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
/// How often finds are delivered.
const DELIVERY: Duration = Duration::from_millis(200);
/// After this time a find that was not delivered is kept on the disk.
const KEPT_WITHIN: Duration = Duration::from_secs(1);
/// How often threads look whether they are to stop.
pub(super) const TICK: Duration = Duration::from_millis(100);
/// The longest time, after a worker was told to stop, in which it tries to reach a server that is away.
pub(super) const LAST_WORDS: Duration = Duration::from_secs(10);
/// With less than this left, no slice is begun.
pub(super) const SHORTEST_REST: Duration = Duration::from_millis(50);

/// A worker with everything that its threads share.
pub(super) struct WorkerRun<'a> {
    pub(super) fleet: &'a Fleet,
    pub(super) server: &'a FleetServer,
    pub(super) name: &'a str,
    pub(super) knobs: &'a WorkKnobs,
    pub(super) control: &'a NightControl,
    pub(super) observer: &'a dyn WorkObserver,
    pub(super) outbox: FindOutbox,
    pub(super) boards: Boards,
    pub(super) heartbeat: Heartbeat,
    pub(super) memory: MemoryAccount,
    pub(super) clock: Clock,
    /// Since when it is to stop.
    pub(super) stopped: parking_lot::Mutex<Option<Clock>>,
    pub(super) is_ended: AtomicBool,
    pub(super) is_idle: AtomicBool,
    pub(super) n_failed: AtomicU64,
}

impl<'a> WorkerRun<'a> {
    pub(super) fn new(
        fleet: &'a Fleet,
        name: &'a str,
        knobs: &'a WorkKnobs,
        control: &'a NightControl,
        observer: &'a dyn WorkObserver,
    ) -> Self {
        let spool = knobs.spool.as_deref().map(Spool::at);
        Self {
            fleet,
            server: fleet.server(),
            name,
            knobs,
            control,
            observer,
            outbox: FindOutbox::new(name, spool),
            boards: Boards::default(),
            heartbeat: Heartbeat::new(name, &knobs.host, knobs.n_threads, knobs.memory),
            memory: MemoryAccount::new(knobs.memory),
            clock: Clock::start(),
            stopped: parking_lot::Mutex::new(None),
            is_ended: AtomicBool::new(false),
            is_idle: AtomicBool::new(false),
            n_failed: AtomicU64::new(0),
        }
    }

    pub(super) fn run(self) -> Result<WorkOutcome, FleetError> {
        let told = |error: Option<&FleetError>| {
            self.observer.on(error.map_or(WorkEvent::Recovered, |error| WorkEvent::Trouble { error }));
        };
        let is_over = || self.is_over();
        let insistence = Insistence::new(&self.server.refusals, &told, &is_over);
        // Who may not say that it is there may do nothing else: as under the name of another worker.
        if let Err(error @ FleetError::Refused { .. }) = self.fleet.ask(self.heartbeat.beat(self.server, 0)) {
            return Err(error);
        }
        // The server's clock is known before the first slice.
        self.block_on(insistence.on(|| self.heartbeat.beat(self.server, 0)));
        self.block_on(insistence.on(|| self.deliver_spooled()));
        let joined = crossbeam::scope(|scope| {
            scope.builder().name("beat".to_owned()).spawn(|_| self.beat()).map(drop).unwrap_or_default();
            scope
                .builder()
                .name("deliver".to_owned())
                .spawn(|_| self.deliver(&insistence))
                .map(drop)
                .unwrap_or_default();
            let others = 1..self.knobs.n_threads;
            let insistence = &insistence;
            let worker = &self;
            // Where the system gives fewer threads, fewer are used.
            let spawned =
                others.map_while(|thread| scope.builder().spawn(move |_| worker.work(thread, insistence)).ok());
            let threads: Vec<_> = spawned.collect();
            self.work(0, insistence);
            threads.into_iter().for_each(|thread| thread.join().unwrap_or_default());
            self.is_ended.store(true, Ordering::Relaxed);
        });
        joined.expect("invariant: a fault of a search ends its slice alone");
        self.block_on(async {
            timeout(LAST_WORDS, self.outbox.flush(self.server)).await.ok();
            timeout(LAST_WORDS, self.heartbeat.end(self.server)).await.ok();
        });
        Ok(WorkOutcome {
            worker: self.name.to_owned(),
            n_slices: self.heartbeat.n_slices.load(Ordering::Relaxed),
            n_finds: self.outbox.n_delivered(),
            n_failed: self.n_failed.load(Ordering::Relaxed),
            n_waiting: self.outbox.n_waiting(),
            ended: self.ended(),
        })
    }

    fn ended(&self) -> &'static str {
        if self.heartbeat.is_removed.load(Ordering::Relaxed) {
            "the fleet was removed"
        } else if self.heartbeat.is_drained.load(Ordering::Relaxed) {
            "drained"
        } else if self.knobs.time.is_some_and(|time| self.clock.elapsed() >= time) {
            "time"
        } else if self.control.is_stopped() {
            "interrupted"
        } else {
            "nothing left to do"
        }
    }

    pub(super) fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        self.fleet.block_on(future)
    }

    /// Returns whether no slice is to begin.
    fn is_stopping(&self) -> bool {
        let time = self.knobs.time;
        let stops = self.control.is_stopped()
            || self.heartbeat.is_drained.load(Ordering::Relaxed)
            || self.heartbeat.is_removed.load(Ordering::Relaxed)
            || time.is_some_and(|time| self.clock.elapsed() + SHORTEST_REST >= time);
        if stops {
            self.stopped.lock().get_or_insert_with(Clock::start);
            // Slices end at their checkpoints.
            self.control.stop();
        }
        stops
    }

    /// Returns whether the server is not to be asked any more.
    fn is_over(&self) -> bool {
        let is_removed = self.heartbeat.is_removed.load(Ordering::Relaxed);
        self.is_stopping() && (is_removed || self.stopped.lock().is_some_and(|since| since.elapsed() > LAST_WORDS))
    }

    /// Says that this worker is there, until it is not.
    fn beat(&self) {
        let mut since = Clock::start();
        while !self.is_ended.load(Ordering::Relaxed) {
            thread::sleep(TICK);
            self.is_stopping();
            if since.elapsed() >= BEAT {
                since = Clock::start();
                let beat = self.heartbeat.beat(self.server, self.outbox.n_delivered());
                if let Err(error) = self.block_on(beat) {
                    tracing::debug!(%error, "sign of life");
                    self.block_on(self.heartbeat.look_for_fleet(self.server));
                }
            }
        }
    }

    /// Delivers finds as they come.
    fn deliver(&self, insistence: &Insistence<'_>) {
        while !self.is_ended.load(Ordering::Relaxed) {
            self.block_on(async {
                timeout(TICK, self.outbox.has_mail.notified()).await.ok();
                if self.outbox.n_waiting() > 0 {
                    self.keeping(insistence.on(|| self.outbox.flush(self.server))).await;
                    sleep(DELIVERY).await;
                }
            });
        }
    }

    /// Waits for a delivery. A server that is away is known after seconds, in which the worker may be killed: what was not
    /// delivered within one is on the disk then.
    async fn keeping<T>(&self, delivery: impl Future<Output = T>) -> T {
        let mut delivery = pin!(delivery);
        loop {
            match timeout(KEPT_WITHIN, &mut delivery).await {
                Ok(done) => return done,
                Err(_) => self.outbox.keep_waiting(),
            }
        }
    }

    /// Delivers what an earlier run has left in the spool, if it is better than what the fleet has.
    async fn deliver_spooled(&self) -> Result<(), FleetError> {
        let Some(spool) = self.knobs.spool.as_deref().map(Spool::at) else { return Ok(()) };
        for spooled in spool.kept() {
            let Some(known) = self.boards.known(self.server, spooled.level).await? else { continue };
            let Some((head, solution)) = FindRecord::replayed(&spooled.bytes, &known.level.level) else {
                tracing::warn!(path = %spooled.path.display(), "a solution that solves nothing is left out");
                continue;
            };
            let (objective, metrics) = (spooled.objective, solution.metrics());
            let before = known.best(objective);
            if before.is_none_or(|before| objective.score(&metrics) < objective.score(&before)) {
                self.outbox.put(Parcel {
                    level: spooled.level,
                    name: known.level.name(),
                    objective,
                    before,
                    metrics,
                    moves: solution.lurd().clone(),
                    method: head.method,
                });
                self.outbox.flush(self.server).await?;
            }
            std::fs::remove_file(&spooled.path).ok();
        }
        Ok(())
    }

    /// Takes and runs slices.
    fn work(&self, thread: usize, insistence: &Insistence<'_>) {
        let mut pause = FIRST_PAUSE;
        let mut idle = Clock::start();
        while !self.is_stopping() {
            if self.control.is_paused() {
                thread::sleep(TICK);
                continue;
            }
            let Some(taken) = self.block_on(insistence.on(|| self.server.take())) else { break };
            let Some(deal) = taken else {
                if !self.is_idle.swap(true, Ordering::Relaxed) {
                    self.observer.on(WorkEvent::Idle);
                }
                if self.knobs.until_empty
                    && self.block_on(insistence.on(|| self.server.is_queue_empty())) != Some(false)
                {
                    break;
                }
                let asked = self.block_on(insistence.on(|| self.open_island(idle.elapsed())));
                if asked != Some(true) {
                    self.rest(pause);
                    pause = LONGEST_PAUSE.min(pause * 2);
                }
                continue;
            };
            self.is_idle.store(false, Ordering::Relaxed);
            self.run_slice(thread, &deal, insistence);
            (pause, idle) = (FIRST_PAUSE, Clock::start());
        }
    }

    /// Waits, and no longer than until the worker is to stop.
    fn rest(&self, pause: Duration) {
        let clock = Clock::start();
        while clock.elapsed() < pause && !self.is_stopping() {
            thread::sleep(TICK.min(pause));
        }
    }
}
