//! What all arms of a run share.

use sokosearch::{Context, LiveIndex};

use super::searched_windows::SearchedWindows;
use super::window_locks::WindowLocks;
use crate::{Knobs, Technique};

/// The settings, the squares that boxes can use, and the state that the arms share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ArmContext<'a> {
    pub(crate) knobs: &'a Knobs,
    pub(crate) live: &'a LiveIndex,
    /// Windows that were searched without a gain.
    pub(crate) searched: &'a SearchedWindows,
    /// Windows that are being searched now.
    pub(crate) locks: &'a WindowLocks,
    /// Ticks of the run that the context of a thread does not count: those of other threads, and of earlier runs that this
    /// one continues.
    pub(crate) ticks_elsewhere: u64,
}

impl ArmContext<'_> {
    /// Returns whether a technique is on and has an effect on this run.
    pub(crate) fn uses(&self, technique: Technique, cx: &Context<'_>) -> bool {
        self.knobs.techniques.contains(technique) && technique.affects(cx.objective())
    }

    /// Returns the ticks of the run so far: of all threads, and of earlier runs that this one continues.
    pub(crate) fn run_ticks(&self, cx: &Context<'_>) -> u64 {
        self.ticks_elsewhere + cx.ticks()
    }
}
