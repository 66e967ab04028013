//! What all arms of a run share.

use sokosearch::LiveIndex;

use super::searched_windows::SearchedWindows;
use super::window_locks::WindowLocks;
use crate::Knobs;

/// The settings, the squares that boxes can use, and the state that the arms share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ArmContext<'a> {
    pub(crate) knobs: &'a Knobs,
    pub(crate) live: &'a LiveIndex,
    /// Windows that were searched without a gain.
    pub(crate) searched: &'a SearchedWindows,
    /// Windows that are being searched now.
    pub(crate) locks: &'a WindowLocks,
    /// Ticks of earlier runs that this one continues.
    pub(crate) past_ticks: u64,
}
