//! Spare pushes: whether a solution has far more pushes than its boxes need, how long a pass over it takes by pushes, and
//! whether that saves much.

use sokocore::{PushLowerBound, Solution};
use sokosearch::Context;

use crate::schedule::arm_context::ArmContext;

/// A solution has far more pushes than its boxes need if it has more than so many times the lower bound.
const LEAST_RATIO: f64 = 1.5;
/// Most ticks of a pass, and least.
const MAX_PASS: u64 = 4_000_000;
const MIN_PASS: u64 = 100_000;
/// A slice or a round that saves no more than this share of a metric saves little.
pub(super) const LITTLE: f64 = 0.01;

/// The fewest pushes that the boxes of a level need, as a lower bound.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SparePushes {
    lower_bound: u64,
}

impl SparePushes {
    /// Makes it for the level of a run; `None` if that is too large for a lower bound.
    pub(crate) fn of(cx: &Context<'_>) -> Option<Self> {
        let lower_bound = PushLowerBound::new(cx.level())?.of(&cx.level().start().boxes)?;
        Some(Self { lower_bound })
    }

    /// Returns whether a solution has far more pushes than its boxes need.
    pub(crate) fn are_in(self, solution: &Solution) -> bool {
        solution.metrics().pushes as f64 > LEAST_RATIO * self.lower_bound as f64
    }
}

/// Returns the ticks of a pass over a solution with one box displaced everywhere, within bounds.
pub(crate) fn ticks_of_pass(solution: &Solution, arm_cx: ArmContext<'_>, cx: &Context<'_>) -> u64 {
    let n_displaced = (cx.level().n_boxes() * arm_cx.live.n_live()) as u64;
    solution.metrics().pushes.saturating_mul(n_displaced).clamp(MIN_PASS, MAX_PASS)
}

/// Returns whether more than a share of a metric is saved.
pub(super) fn saves(before: u64, after: u64, share: f64) -> bool {
    before.saturating_sub(after) as f64 > share * before as f64
}
