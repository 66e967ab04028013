//! The parts of all work that are reserved for the comparison of starts, by the best of the run.

use sokocore::{Metric, Solution};
use sokosearch::Context;

use super::spare_pushes::{SparePushes, ticks_of_pass};
use crate::schedule::arm_context::ArmContext;

/// Part of all work while the starts of the first batch are collected, and while they are compared.
const COLLECTING_SHARE: f64 = 0.8;
const COMPARING_SHARE: f64 = 0.4;
/// The same in later batches.
const LATER_SHARE: f64 = 0.25;
/// Part of all these shares where the other arms gain more.
const SMALL_PART: f64 = 0.1;
/// A pass over a solution is short if it takes at most so many ticks: then the first round of the comparison tells starts
/// apart.
const SHORT_PASS: u64 = 2_000_000;

/// How large the reserved shares are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StartShares {
    /// The best has pushes to spare, so its shape may be wrong, or the level is too large to tell. Dense levels are of this
    /// kind, and on them most sources find no start at all: the share falls while none is found.
    Falling,
    /// It has none to spare, pushes count first, and a pass over it is short: the other arms soon end at a local optimum, and
    /// other starts at others. Measured: see `docs/experiments/2026-11-28-starts-by-pushes.md`.
    Full,
    /// It has none to spare otherwise: the other arms gain more, and the shares are a tenth of those that fall. Measured: see
    /// `docs/experiments/2026-11-26-starts-without-spare-pushes.md`.
    Small,
}

impl StartShares {
    /// Returns how large they are while this is the best of the run.
    pub(super) fn of(best: &Solution, spare: Option<SparePushes>, arm_cx: ArmContext<'_>, cx: &Context<'_>) -> Self {
        let counts_pushes_first = cx.objective().order()[0] == Metric::Pushes;
        if spare.is_none_or(|spare| spare.are_in(best)) {
            Self::Falling
        } else if counts_pushes_first && ticks_of_pass(best, arm_cx, cx) <= SHORT_PASS {
            Self::Full
        } else {
            Self::Small
        }
    }

    /// Returns the share while starts are collected and the first was found, after so many batches.
    pub(super) fn collecting(self, n_batches: u32) -> f64 {
        self.part() * if n_batches > 0 { LATER_SHARE } else { COLLECTING_SHARE }
    }

    /// Returns the share while so many slices of the source have found no start of the batch.
    pub(super) fn waiting(self, n_slices: u64, n_batches: u32) -> f64 {
        let most = self.collecting(n_batches);
        match self {
            Self::Falling | Self::Small => most.min(self.part() * waiting_share(n_slices)),
            Self::Full => most,
        }
    }

    /// Returns the share while starts are compared, after so many batches.
    pub(super) fn comparing(self, n_batches: u32) -> f64 {
        self.part() * if n_batches > 0 { LATER_SHARE } else { COMPARING_SHARE }
    }

    const fn part(self) -> f64 {
        match self {
            Self::Falling | Self::Full => 1.0,
            Self::Small => SMALL_PART,
        }
    }
}

/// Returns the part of all work after so many slices without a start: most sources find one in their first slices, and on
/// dense levels none at all, where the first slices of the other arms gain most. Measured: see
/// `docs/experiments/2026-11-29-less-work-for-a-start-at-first.md`.
const fn waiting_share(n_slices: u64) -> f64 {
    match n_slices {
        ..8 => 0.2,
        8..32 => 0.1,
        32.. => 0.05,
    }
}
