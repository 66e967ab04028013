//! One thread's share of the search: it works on slices that the scheduler of variants gives it.
//!
//! ```text
//!   worker 1 ── slice ──▶ VariantScheduler: variants, searches ◀── slice ── worker 2
//!       └── positions ──▶ KnownPositions ◀── positions ──┘    where two searches meet the level is solved
//! ```
//!
//! Invariant: slices are counted in ticks, so one thread does the same work whatever the slices from outside.

use std::sync::Arc;

use parking_lot::Mutex;
use sokocore::Push;
use sokosearch::Stop;

use crate::board::{Flood, SearchDirection};
use crate::{SearchStats, WorkMeter};

use super::slice_end::{Meeting, SliceEnd};
use super::variant::FessVariant;
use crate::fess::shared_tables::SharedTables;
use crate::fess::variant_scheduler::{VariantScheduler, VariantSlice};

/// The variants of a level, as one thread sees them.
#[derive(Debug)]
pub(crate) struct FessWorker<const W: usize> {
    pub(super) shared: SharedTables<W>,
    slice: Option<VariantSlice<W>>,
    common: Arc<CommonState<W>>,
    /// The searches that met when the level was solved, by their numbers.
    pub(super) met: Option<[u16; 2]>,
}

/// What the workers of all threads have in common.
#[derive(Debug)]
struct CommonState<const W: usize> {
    scheduler: Mutex<VariantScheduler<W>>,
    stats: Mutex<SearchStats>,
}

impl<const W: usize> FessWorker<W> {
    /// Ticks after which the lock of a search is released for a moment, so that another thread can read its tree.
    const LOCKED_TICKS: u64 = 5_000;

    /// Makes the first worker of a level.
    pub(crate) fn new(shared: SharedTables<W>, variants: &[&'static FessVariant]) -> Self {
        let (starts, player) = (shared.tables.starts, shared.tables.board().player());
        let mut flood = Flood::new(shared.tables.board());
        let zone = flood.run(shared.tables.board(), &starts, player);
        shared.known_positions.lock().add(SearchDirection::Forward, starts.hash_with(zone));
        let scheduler = Mutex::new(VariantScheduler::new(variants));
        let common = Arc::new(CommonState { scheduler, stats: Mutex::default() });
        Self { shared, slice: None, common, met: None }
    }

    /// Makes a worker for another thread.
    pub(crate) fn fork_worker(&self, meter: &WorkMeter) -> Self {
        Self { shared: self.shared.for_another_thread(meter), slice: None, common: Arc::clone(&self.common), met: None }
    }

    /// Returns what all workers have counted.
    pub(crate) fn stats(&self) -> SearchStats {
        *self.common.stats.lock()
    }

    /// Works until the level is solved; `None` when no variant is left for this thread.
    pub(crate) fn resume(&mut self, meter: &mut WorkMeter) -> Result<Option<Vec<Push>>, Stop> {
        loop {
            if self.slice.is_none() {
                self.slice = self.common.scheduler.lock().begin_slice(&self.shared, meter);
            }
            let Some(slice) = self.slice.clone() else { return Ok(None) };
            let until = slice.until.min(meter.ticks() + Self::LOCKED_TICKS);
            let (end, direction) = self.work(&slice, meter, until)?;
            match end {
                SliceEnd::Solved(pushes) => return Ok(Some(pushes)),
                SliceEnd::Met(meeting) => {
                    let pushes = self.join(&meeting, direction);
                    let strategy = self.common.scheduler.lock().name(&slice);
                    tracing::debug!(strategy, ok = pushes.is_some(), "met");
                    if pushes.is_some() {
                        return Ok(pushes);
                    }
                }
                SliceEnd::Paused if meter.ticks() < slice.until => {}
                SliceEnd::Paused => self.end_slice(&slice, false, meter.ticks()),
                SliceEnd::Exhausted => self.end_slice(&slice, true, meter.ticks()),
            }
        }
    }

    /// Works on the search of a slice; returns its direction, too.
    fn work(
        &mut self,
        slice: &VariantSlice<W>,
        meter: &mut WorkMeter,
        until: u64,
    ) -> Result<(SliceEnd<W>, SearchDirection), Stop> {
        let search = &mut *slice.search.lock();
        let end = search.resume(&mut self.shared, meter, until);
        *self.common.stats.lock() += search.take_stats();
        Ok((end?, search.direction()))
    }

    fn end_slice(&mut self, slice: &VariantSlice<W>, is_over: bool, now: u64) {
        self.common.scheduler.lock().end_slice(slice, is_over, now);
        self.slice = None;
    }

    /// Joins the path of a search with one of the other side; `None` if no tree of that side has the position, so that
    /// the hashes were equal by chance.
    fn join(&mut self, meeting: &Meeting<W>, direction: SearchDirection) -> Option<Vec<Push>> {
        let searches = self.common.scheduler.lock().searches();
        for (number, search) in (0..).zip(searches).filter(|&(number, _)| number != meeting.number) {
            let search = search.lock();
            if search.direction() == direction {
                continue;
            }
            if let Some(pushes) = search.join(&self.shared.tables, &meeting.path) {
                self.met = Some([meeting.number.min(number), meeting.number.max(number)]);
                return Some(pushes);
            }
        }
        None
    }
}

impl<const W: usize> Drop for FessWorker<W> {
    /// A worker that is dropped in the middle of a slice leaves its variant to other threads.
    fn drop(&mut self) {
        if let Some(slice) = self.slice.take() {
            self.common.scheduler.lock().end_slice(&slice, false, slice.until);
        }
    }
}
