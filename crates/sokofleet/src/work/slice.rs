//! One slice of a worker: from its deal to its account.

use std::sync::atomic::Ordering;
use std::time::Duration;

use sokocore::{Metrics, Objective};
use sokoio::ProofNote;
use sokonight::{LevelState, NightEvent, Purpose, SliceLimits, SliceReport, Slices};
use sokosearch::Clock;
use tokio::sync::Notify;
use tokio::time::timeout;

use super::WorkEvent;
use super::known::LevelKnowledge;
use super::listener::PeerListener;
use super::slice_store::SliceStore;
use super::windows::SliceWindows;
use super::worker::{LAST_WORDS, SHORTEST_REST, TICK, WorkerRun};
use crate::FleetError;
use crate::class::class_of;
use crate::deal::{Deal, Ended};
use crate::insist::Insistence;
use crate::keys::ItemKey;
use crate::record::{DoingRecord, ItemRecord, ItemStatus, ProofsRecord};

/// Slices shorter than this do not listen to others.
const SHORTEST_WITH_LISTENER: Duration = Duration::from_secs(1);

/// How a slice ends for the fleet.
struct SliceAccount {
    after: ItemRecord,
    class: usize,
}

impl WorkerRun<'_> {
    /// Runs a slice that was dealt out, and ends it on the server.
    pub(super) fn run_slice(&self, thread: usize, deal: &Deal, insistence: &Insistence<'_>) {
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
            let after = ItemRecord { state: ItemStatus::TimeOver, by: self.name.to_owned(), ..deal.record.clone() };
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
            state: if is_settled { ItemStatus::Settled } else { ItemStatus::Open },
            n_slices: deal.record.n_slices.saturating_add(1),
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
        known: &LevelKnowledge,
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
        let is_done = Notify::new();
        let listener = PeerListener::new(self.name, self.server, state, store, windows.as_ref());
        let joined = crossbeam::scope(|scope| {
            let (is_done, level) = (&is_done, &*level);
            let beside = scope.builder().name("listen".to_owned()).spawn(move |_| {
                self.block_on(self.listen(listener, deal, level, is_long, is_done));
            });
            let report = slices.run(state, purpose, &limits);
            is_done.notify_one();
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
        mut listener: PeerListener<'_, '_>,
        deal: &Deal,
        level: &str,
        is_long: bool,
        is_done: &Notify,
    ) {
        if is_long {
            listener.open().await;
        }
        let mut since = Clock::start();
        loop {
            let taken = tokio::select! {
                () = is_done.notified() => return,
                taken = listener.hear(TICK) => taken,
            };
            if let Some(taken) = taken {
                self.observer.on(taken.event(level));
            }
            if since.elapsed() >= self.server.settings.patience() / 3 {
                since = Clock::start();
                deal.keep().await;
            }
        }
    }

    /// Returns what the islands of an item tell of windows, if there are several, and the server tells.
    fn windows_of(&self, deal: &Deal, known: &LevelKnowledge) -> Option<SliceWindows> {
        let opened = self.block_on(SliceWindows::open(self.server, &deal.key, &known.level.level, &self.memory));
        opened.inspect_err(|error| tracing::debug!(%error, "windows")).ok().flatten()
    }

    /// Delivers what a slice has found and done, and deals out what comes next.
    #[expect(clippy::too_many_arguments, reason = "everything about one slice, handed over once")]
    fn end_slice(
        &self,
        deal: &Deal,
        known: &LevelKnowledge,
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
        known: &LevelKnowledge,
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
    let proofs = state.proofs().into_iter().map(|proved| ProofNote::new(proved).to_string()).collect();
    ProofsRecord { bounds: state.known_bounds(), proofs, is_unsolvable: report.is_unsolvable() }
}
