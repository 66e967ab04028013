//! The items of a night: what each of them is about, and which are next.

use std::time::Duration;

use crate::schedule::Turn;
use crate::{LevelState, NightKnobs, Purpose, Schedule, SliceReport};

/// The shortest slice before a wide one begins: less is left idle.
const SHORTEST_BEFORE_WIDE: Duration = Duration::from_millis(100);

/// The items of the schedule.
#[derive(Debug)]
pub(crate) struct NightPlan {
    schedule: Schedule,
    items: Vec<PlanItem>,
    /// The slice of each worker.
    running: Vec<Option<RunningSlice>>,
    /// A wide slice that waits until all others have ended.
    reserved: Option<Turn>,
    /// Whether a wide slice is running.
    is_wide: bool,
    pub(crate) n_failed: usize,
}

/// What a slice that is running has.
#[derive(Clone, Copy, Debug)]
struct RunningSlice {
    /// When it will end, on the clock of the night.
    end: Duration,
    n_threads: usize,
}

/// What an item is about.
#[derive(Clone, Copy, Debug)]
struct PlanItem {
    idx: usize,
    purpose: Purpose,
    /// Slices that it has had, in this night and before.
    n_slices: u64,
}

/// An item in a slice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TakenItem {
    item: usize,
    /// The level.
    pub(crate) idx: usize,
    pub(crate) purpose: Purpose,
    pub(crate) time: Duration,
    pub(crate) n_threads: usize,
    /// Slices that the item has had before.
    pub(crate) n_slices: u64,
}

impl NightPlan {
    /// Makes an item for each level and objective that is open, with the time that it has had.
    pub(crate) fn new(states: &[LevelState<'_>], knobs: &NightKnobs) -> Self {
        let schedule = if knobs.has_equal_slices { Schedule::equal() } else { Schedule::default() };
        let running = vec![None; knobs.n_threads];
        let mut plan = Self { schedule, items: Vec::new(), running, reserved: None, is_wide: false, n_failed: 0 };
        for (idx, state) in states.iter().enumerate() {
            if state.pool.get().is_some() {
                plan.add_solved(idx, state, knobs);
            } else if !state.of.is_unsolvable {
                plan.add(idx, state, Purpose::Solve);
            }
        }
        plan
    }

    /// Adds the items of a level with a solution.
    fn add_solved(&mut self, idx: usize, state: &LevelState<'_>, knobs: &NightKnobs) {
        let is_compared = |purpose: &Purpose| !(knobs.has_equal_slices && matches!(purpose, Purpose::Bound(_)));
        for purpose in state.open_purposes(&knobs.objectives).into_iter().filter(is_compared) {
            self.add(idx, state, purpose);
        }
    }

    fn add(&mut self, idx: usize, state: &LevelState<'_>, purpose: Purpose) {
        let before = state.of.work_on(purpose);
        self.schedule.add(state.item(purpose).after(before.spent, before.dry));
        self.items.push(PlanItem { idx, purpose, n_slices: before.n_runs });
    }

    /// Returns how many items are open.
    pub(crate) fn n_open(&self) -> usize {
        self.schedule.n_open()
    }

    /// Takes the next item for a worker, on a night that has lasted for `now`. `None` if there is none for it now.
    ///
    /// A wide slice waits until all others have ended. Meanwhile the workers that are free take shorter slices.
    pub(crate) fn take(&mut self, worker: usize, n_threads: usize, now: Duration) -> Option<TakenItem> {
        if self.is_wide {
            return None;
        }
        let mut longest = Duration::MAX;
        if let Some(wide) = self.reserved {
            match self.running.iter().flatten().map(|running| running.end).max() {
                None => return Some(self.begin_wide(worker, wide, n_threads)),
                Some(end) => longest = end.saturating_sub(now),
            }
            if longest < SHORTEST_BEFORE_WIDE {
                return None;
            }
        }
        // Few items share all threads.
        let n_narrow = (self.n_free(n_threads) / self.n_waiting().max(1)).max(1);
        let may_be_wide = self.reserved.is_none() && n_narrow == 1;
        let turn = self.schedule.take(if may_be_wide { n_threads } else { 1 })?;
        if turn.is_wide {
            self.reserved = Some(turn);
            return self.take(worker, n_threads, now);
        }
        let time = turn.time.min(longest);
        self.running[worker] = Some(RunningSlice { end: now.saturating_add(time), n_threads: n_narrow });
        Some(self.taken(turn, time, n_narrow))
    }

    fn begin_wide(&mut self, worker: usize, turn: Turn, n_threads: usize) -> TakenItem {
        (self.is_wide, self.reserved) = (true, None);
        self.running[worker] = Some(RunningSlice { end: Duration::MAX, n_threads });
        self.taken(turn, turn.time, n_threads)
    }

    /// Threads that no slice has.
    fn n_free(&self, n_threads: usize) -> usize {
        n_threads.saturating_sub(self.running.iter().flatten().map(|running| running.n_threads).sum())
    }

    /// Items that are in no slice.
    fn n_waiting(&self) -> usize {
        let n_taken = self.running.iter().flatten().count() + usize::from(self.reserved.is_some());
        self.n_open().saturating_sub(n_taken)
    }

    fn taken(&self, turn: Turn, time: Duration, n_threads: usize) -> TakenItem {
        let PlanItem { idx, purpose, n_slices } = self.items[turn.item];
        TakenItem { item: turn.item, idx, purpose, time, n_threads, n_slices }
    }

    /// Tells the schedule what came of a slice; a level that is solved is to be improved from then on.
    pub(crate) fn end(
        &mut self,
        worker: usize,
        taken: &TakenItem,
        state: &LevelState<'_>,
        report: &SliceReport,
        knobs: &NightKnobs,
    ) {
        self.running[worker] = None;
        // A wide slice runs alone.
        self.is_wide = false;
        self.schedule.end(taken.item, &report.result);
        self.items[taken.item].n_slices += 1;
        self.n_failed += usize::from(report.has_failed);
        if taken.purpose == Purpose::Solve && state.pool.get().is_some() {
            self.add_solved(taken.idx, state, knobs);
        }
        // Slices for one objective may improve the best by another one.
        for at in (0..self.items.len()).filter(|&at| self.items[at].idx == taken.idx) {
            let (counted, bound) = state.standing(self.items[at].purpose);
            self.schedule.update(at, counted, bound);
        }
    }
}

#[cfg(test)]
mod tests;
