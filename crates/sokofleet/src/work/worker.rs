//! The threads of a worker, and the tasks beside them.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use sokocore::{Metrics, Objective};
use sokonight::{LevelState, NightControl, NightEvent, Purpose, SliceLimits, SliceReport, Slices};
use sokosearch::{Clock, MemoryAccount};
use tokio::time::{sleep, timeout};

use super::heartbeat::{BEAT, Heartbeat};
use super::known::{Boards, KnownLevel};
use super::listener::Listener;
use super::outbox::{Outbox, Parcel};
use super::slice_store::SliceStore;
use super::windows::SliceWindows;
use super::{WorkEvent, WorkKnobs, WorkObserver, WorkOutcome};
use crate::class::class_of;
use crate::deal::{Deal, Ended};
use crate::insist::Insistence;
use crate::keys::ItemKey;
use crate::record::{DoingRecord, FindRecord, ItemRecord, ItemState, ProofsRecord};
use crate::server::Server;
use crate::spool::Spool;
use crate::{Fleet, FleetError};

/// The first pause of a thread for which there is no slice; each later one is longer.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
/// How often finds are delivered.
const DELIVERY: Duration = Duration::from_millis(200);
/// How often threads look whether they are to stop.
const TICK: Duration = Duration::from_millis(100);
/// The longest time, after a worker was told to stop, in which it tries to reach a server that is away.
const LAST_WORDS: Duration = Duration::from_secs(10);
/// Slices shorter than this do not listen to others.
const SHORTEST_WITH_LISTENER: Duration = Duration::from_secs(1);
/// With less than this left, no slice is begun.
const SHORTEST_REST: Duration = Duration::from_millis(50);

/// A worker with everything that its threads share.
pub(super) struct Worker<'a> {
    fleet: &'a Fleet,
    pub(super) server: &'a Server,
    name: &'a str,
    pub(super) knobs: &'a WorkKnobs,
    control: &'a NightControl,
    observer: &'a dyn WorkObserver,
    outbox: Outbox,
    pub(super) boards: Boards,
    pub(super) heartbeat: Heartbeat,
    memory: MemoryAccount,
    clock: Clock,
    /// Since when it is to stop.
    stopped: parking_lot::Mutex<Option<Clock>>,
    is_ended: AtomicBool,
    is_idle: AtomicBool,
    n_failed: AtomicU64,
}

/// How a slice ends for the fleet.
struct SliceAccount {
    after: ItemRecord,
    class: usize,
}

impl<'a> Worker<'a> {
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
            outbox: Outbox::new(name, spool),
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
        let insistence = Insistence::new(&told, &is_over);
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
            let threads: Vec<_> = others.map(|thread| scope.spawn(move |_| worker.work(thread, insistence))).collect();
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
        if self.heartbeat.is_drained.load(Ordering::Relaxed) {
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
        self.is_stopping() && self.stopped.lock().is_some_and(|since| since.elapsed() > LAST_WORDS)
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
                    insistence.on(|| self.outbox.flush(self.server)).await;
                    sleep(DELIVERY).await;
                }
            });
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

    /// Runs a slice that was dealt out, and ends it on the server.
    fn run_slice(&self, thread: usize, deal: &Deal, insistence: &Insistence<'_>) {
        let objectives = deal.record.objectives();
        let known = self.block_on(insistence.on(|| self.boards.known(self.server, deal.key.level)));
        let Some(known) = known else {
            self.block_on(timeout(LAST_WORDS, deal.give_back())).ok();
            return;
        };
        let Some(known) = known.map(|known| known.with_proofs_of(&objectives)) else {
            let after = deal.record.clone().settled("no level", self.name);
            self.block_on(insistence.on(|| self.server.end(deal, after.clone(), 0)));
            return;
        };
        let before = self.block_on(insistence.on(|| self.server.checkpoint(&deal.key))).flatten();
        let state = LevelState::new(&known.level, &objectives);
        if !state.open_purposes(&objectives).contains(&deal.key.purpose) {
            self.block_on(insistence.on(|| self.open_items(&known, &state, &deal.record, &objectives)));
            let after = deal.record.clone().settled("done by another", self.name);
            self.block_on(insistence.on(|| self.server.end(deal, after.clone(), 0)));
            return;
        }
        let left = deal.record.left(self.heartbeat.server_now());
        if left < SHORTEST_REST {
            let after = ItemRecord { state: ItemState::TimeOver, by: self.name.to_owned(), ..deal.record.clone() };
            self.block_on(insistence.on(|| self.server.end(deal, after.clone(), 0)));
            return;
        }
        let mut item = state.item(deal.key.purpose).with_history(&deal.record.history());
        let of_worker = self.knobs.time.map_or(Duration::MAX, |time| time.saturating_sub(self.clock.elapsed()));
        let time = item.slice().min(left).min(of_worker);
        let level = known.level.name();
        let doing = DoingRecord { item: deal.key.to_string(), name: level.clone(), seconds: time.as_secs_f64() };
        self.heartbeat.set_doing(thread, Some(doing));
        let store = SliceStore::new(&self.outbox, &known.level, bests(&state), before);
        let report = self.search(deal, &known, &state, &store, time);
        self.heartbeat.set_doing(thread, None);
        item.end(&report.result);
        let (counted, bound) = state.standing(deal.key.purpose);
        item.update(counted, bound);
        let is_settled = item.is_settled() || !state.open_purposes(&objectives).contains(&deal.key.purpose);
        let after = ItemRecord {
            state: if is_settled { ItemState::Settled } else { ItemState::Open },
            n_slices: deal.record.n_slices + 1,
            ended: report.ended.to_owned(),
            by: self.name.to_owned(),
            ..deal.record.clone()
        };
        let account = SliceAccount { after: after.with_history(&item.history()), class: class_of(item.rate()) };
        self.end_slice(deal, &known, &state, store, &account, &report, insistence);
    }

    /// Searches, while others are listened to and the server is told that the slice is worked on.
    fn search(
        &self,
        deal: &Deal,
        known: &KnownLevel,
        state: &LevelState<'_>,
        store: &SliceStore<'_>,
        time: Duration,
    ) -> SliceReport {
        let level = known.level.name();
        let (purpose, island) = (deal.key.purpose, deal.key.island);
        let best = state.best(purpose.objective());
        self.observer.on(WorkEvent::SliceBegins { level: &level, purpose, island, time, best });
        let observer = |event: NightEvent<'_>| {
            if let NightEvent::Improved { objective, solution, by, .. } = event {
                let metrics = solution.metrics();
                self.observer.on(WorkEvent::Improved { level: &level, objective, metrics, by });
            }
        };
        let slices = Slices::new(store, &observer, island, self.memory.clone());
        let part = u64::try_from(self.knobs.n_threads).unwrap_or(u64::MAX).max(1);
        let limits = SliceLimits::new(time, self.knobs.memory / part, self.control.of_slice())
            .with_slices_before(deal.record.n_slices + island);
        let is_long = time >= SHORTEST_WITH_LISTENER;
        let windows = if is_long { self.windows_of(deal, known) } else { None };
        let limits = limits.with_windows(windows.as_ref().map(SliceWindows::exchange));
        let is_done = AtomicBool::new(false);
        let listener = Listener::new(self.name, self.server, state, store, windows.as_ref());
        let joined = crossbeam::scope(|scope| {
            let (is_done, level) = (&is_done, &*level);
            let beside = scope.builder().name("listen".to_owned()).spawn(move |_| {
                self.block_on(self.listen(listener, deal, level, is_long, is_done));
            });
            let report = slices.run(state, purpose, &limits);
            is_done.store(true, Ordering::Relaxed);
            beside.map(|beside| beside.join().unwrap_or_default()).unwrap_or_default();
            report
        });
        if let Some(windows) = &windows {
            self.block_on(windows.tell(self.server));
        }
        joined.expect("invariant: a fault of a search ends its slice alone")
    }

    /// Listens to others, and tells the server that a slice is worked on, until it has ended.
    async fn listen(
        &self,
        mut listener: Listener<'_, '_>,
        deal: &Deal,
        level: &str,
        is_long: bool,
        is_done: &AtomicBool,
    ) {
        if is_long {
            listener.open().await;
        }
        let mut since = Clock::start();
        while !is_done.load(Ordering::Relaxed) {
            if let Some(taken) = listener.hear(TICK).await {
                self.observer.on(taken.event(level));
            }
            if since.elapsed() >= self.server.settings.patience() / 3 {
                since = Clock::start();
                deal.keep().await;
            }
        }
    }

    /// Returns what the islands of an item tell of windows, if there are several, and the server tells.
    fn windows_of(&self, deal: &Deal, known: &KnownLevel) -> Option<SliceWindows> {
        let opened = self.block_on(SliceWindows::open(self.server, &deal.key, &known.level.level, &self.memory));
        opened.inspect_err(|error| tracing::debug!(%error, "windows")).ok().flatten()
    }

    /// Delivers what a slice has found and done, and deals out what comes next.
    #[expect(clippy::too_many_arguments, reason = "everything about one slice, handed over once")]
    fn end_slice(
        &self,
        deal: &Deal,
        known: &KnownLevel,
        state: &LevelState<'_>,
        store: SliceStore<'_>,
        account: &SliceAccount,
        report: &SliceReport,
        insistence: &Insistence<'_>,
    ) {
        let objectives = deal.record.objectives();
        let checkpoint = store.checkpoint();
        let proofs = proofs_of(state, report);
        let ended = self.block_on(insistence.on(async || {
            self.outbox.flush(self.server).await?;
            if proofs.says_more_than(&known.proofs) {
                self.server.put_proofs(known.level.id, self.name, &proofs).await?;
            }
            if let Some(checkpoint) = &checkpoint {
                self.server.put_checkpoint(&deal.key, checkpoint).await?;
            }
            if deal.key.purpose == Purpose::Solve {
                self.open_items(known, state, &deal.record, &objectives).await?;
            }
            self.server.end(deal, account.after.clone(), account.class).await
        }));
        self.heartbeat.n_slices.fetch_add(1, Ordering::Relaxed);
        self.n_failed.fetch_add(u64::from(report.has_failed), Ordering::Relaxed);
        let (level, purpose, island) = (&*known.level.name(), deal.key.purpose, deal.key.island);
        let is_overtaken = ended != Some(Ended::Counted);
        self.observer.on(WorkEvent::SliceEnds { level, purpose, island, report, is_overtaken });
    }

    /// Opens the items of a level that has a solution now.
    async fn open_items(
        &self,
        known: &KnownLevel,
        state: &LevelState<'_>,
        of: &ItemRecord,
        objectives: &[Objective],
    ) -> Result<(), FleetError> {
        for purpose in state.open_purposes(objectives) {
            let key = ItemKey { level: known.level.id, purpose, island: 0 };
            if purpose != Purpose::Solve {
                let class = class_of(state.item(purpose).rate());
                self.server.open_item(&key, of.of_next_item(), class).await?;
            }
        }
        Ok(())
    }
}

/// Returns the best of each objective that is kept.
fn bests(state: &LevelState<'_>) -> Vec<(Objective, Metrics)> {
    state.bests().into_iter().map(|(objective, solution)| (objective, solution.metrics())).collect()
}

/// Returns what is proved after a slice.
fn proofs_of(state: &LevelState<'_>, report: &SliceReport) -> ProofsRecord {
    let proofs = state.proofs().into_iter().map(|proved| sokoio::ProofNote::new(proved).to_string()).collect();
    ProofsRecord { bounds: state.known_bounds(), proofs, is_unsolvable: report.is_unsolvable() }
}
