//! An arm of the bandit: a search that runs in slices, and the value of its next slice.

use std::cmp::Ordering;
use std::fmt;

use sokosearch::{Context, Stop};

use super::announce::announced;
use super::arm_context::ArmContext;
use super::window_locks::WindowLocks;
use super::worth::Worth;
use crate::TechniqueSet;

/// A search that runs slice by slice and keeps its state between slices.
pub(crate) trait SlicedSearch: fmt::Debug + Send {
    /// Its name in logs.
    fn name(&self) -> &str;

    /// Returns the techniques that its next slice belongs to.
    fn techniques(&self) -> TechniqueSet;

    /// Runs one slice.
    ///
    /// # Errors
    /// Why the run stopped, or [`Stop::Memory`] if the slice cannot even begin.
    fn run_slice(&mut self, arm_cx: ArmContext<'_>, cx: &mut Context<'_>) -> Result<ArmSliceEnd, Stop>;

    /// Returns whether nothing is left to try on the present spine.
    fn is_done(&self) -> bool;

    /// Resumes a search that is done: the spine has changed.
    fn revive(&mut self);

    /// Reports the gain of the last slice.
    fn note_gain(&mut self, gain: f64) {
        let _ = gain;
    }

    /// Returns how many boxes it displaces at once.
    fn n_displaced(&self) -> usize {
        0
    }

    /// Returns its reserved part of all work, 0 to 1: while it has had less, its slices come first.
    fn reserved_share(&self) -> f64 {
        0.0
    }

    /// Returns the number of its ticks that count as one.
    fn ticks_per_charge(&self) -> u64 {
        1
    }
}

/// How a slice ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArmSliceEnd {
    /// The search did all that it meant to do.
    Finished,
    /// The slice was too short for that.
    CutShort,
    /// There was nothing to do: the window had been searched before.
    Skipped,
    /// Other threads hold locks on all that is left to do.
    Blocked,
    /// The least part of the search does not fit into memory.
    Hopeless,
}

/// A search with its rank and its value.
#[derive(Debug)]
pub(crate) struct Arm {
    search: Box<dyn SlicedSearch>,
    rank: usize,
    worth: Worth,
    /// Ticks of all slices.
    ticks: u64,
    is_hopeless: bool,
    /// Number of locks that had been released when the arm was last blocked.
    blocked_at: Option<u64>,
}

impl Arm {
    pub(crate) fn new(search: impl SlicedSearch + 'static, rank: usize) -> Self {
        Self {
            search: Box::new(search),
            rank,
            worth: Worth::of_rank(rank),
            ticks: 0,
            is_hopeless: false,
            blocked_at: None,
        }
    }

    pub(crate) fn name(&self) -> &str {
        self.search.name()
    }

    /// Returns its place among the arms, from cheap to costly.
    pub(crate) const fn rank(&self) -> usize {
        self.rank
    }

    /// Returns how many boxes its search displaces at once.
    pub(crate) fn n_displaced(&self) -> usize {
        self.search.n_displaced()
    }

    /// Returns whether it has nothing left to try on the present spine.
    pub(crate) fn is_retired(&self) -> bool {
        self.is_hopeless || self.search.is_done()
    }

    /// Returns whether no lock was released since it was blocked.
    pub(crate) fn is_blocked(&self, locks: &WindowLocks) -> bool {
        self.blocked_at == Some(locks.n_released())
    }

    /// Brings a retired arm back: the spine has changed.
    pub(crate) fn revive(&mut self) {
        self.blocked_at = None;
        self.worth.discount_ticks();
        self.search.revive();
    }

    /// Retires the arm for good.
    pub(crate) const fn give_up(&mut self) {
        self.is_hopeless = true;
    }

    /// Returns whether it has had less than its reserved part of so many ticks.
    pub(crate) fn is_due(&self, all_ticks: u64) -> bool {
        (self.ticks as f64) < self.search.reserved_share() * all_ticks as f64
    }

    /// Compares by gain per tick.
    pub(crate) fn compare_worth(&self, other: &Self) -> Ordering {
        self.worth.compare(&other.worth)
    }

    /// Adds the gain of a slice on a solution of `n_pushes` pushes to its value.
    pub(crate) fn reward(&mut self, gain: f64, ticks: u64, n_pushes: u64) {
        self.ticks += ticks;
        self.worth.add(gain, ticks / self.search.ticks_per_charge(), n_pushes);
        self.search.note_gain(gain);
    }

    /// Runs one slice.
    pub(crate) fn run_slice(&mut self, arm_cx: ArmContext<'_>, cx: &mut Context<'_>) -> Result<ArmSliceEnd, Stop> {
        // Read before any lock is refused: a lock released later may be the one that was missing.
        let n_released = arm_cx.locks.n_released();
        let end = announced(self.search.techniques(), cx, |cx| self.search.run_slice(arm_cx, cx));
        self.blocked_at = (end == Ok(ArmSliceEnd::Blocked)).then_some(n_released);
        end
    }
}
