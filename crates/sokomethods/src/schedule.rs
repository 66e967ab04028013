//! The order in which methods run: cheap ones first, each to its fixpoint.
//!
//! ```text
//!  tidy path ─▶ rearrange ─▶ spine ─▶ vicinity k1 ─▶ k2 ─▶ 999 ─▶ all limits ─▶ end
//!                                        ▲                              │
//!                                        └────────── any gain ──────────┘
//! ```
//!
//! A pass is repeated until all ring orders in a row brought nothing; every gain is followed by rearrangement.

use sokosearch::{Context, LiveIndex, RingOrder, Stop};
use tracing::debug;

use crate::rearrange::Rearrange;
use crate::tidy_path::TidyPath;
use crate::vicinity::Vicinity;
use crate::{Knobs, Method};

/// More squares than any quick pass needs: all that can be reached.
const EVERYWHERE: usize = 999;
/// A quick pass is skipped if the next one allows fewer than this many squares more.
const MIN_STEP: usize = 5;

/// Improves the context's incumbent until no method brings anything.
///
/// # Errors
/// Why it was stopped before that. Whatever was found by then is in the pool.
pub fn optimize(knobs: &Knobs, cx: &mut Context<'_>) -> Result<(), Stop> {
    let run = Schedule { knobs, n_live: LiveIndex::new(cx.level()).n_live() };
    run.step(&TidyPath, cx)?;
    run.step(&Rearrange::new(knobs.rearrange_ahead), cx)?;
    run.vicinity(&[], cx)?;
    loop {
        let mut improved = false;
        for limits in run.passes() {
            improved |= run.vicinity(&limits, cx)?;
        }
        if !improved {
            return Ok(());
        }
    }
}

struct Schedule<'a> {
    knobs: &'a Knobs,
    n_live: usize,
}

impl Schedule<'_> {
    /// One-box passes with each limit and with all squares, then the limits together.
    fn passes(&self) -> Vec<Vec<usize>> {
        let mut limits = self.knobs.vicinity.clone();
        limits.sort_unstable();
        let mut quick = limits.clone();
        if limits.last().is_none_or(|&last| last < self.n_live) {
            quick.push(EVERYWHERE);
        }
        let far_enough = |pair: &[usize]| pair[1] >= pair[0] + MIN_STEP;
        let mut passes: Vec<Vec<usize>> =
            quick.windows(2).filter(|pair| far_enough(pair)).map(|pair| vec![pair[0]]).collect();
        passes.extend(quick.last().map(|&last| vec![last]));
        if limits.len() > 1 {
            passes.push(limits);
        }
        passes
    }

    /// Repeats a pass until no ring order brings anything.
    fn vicinity(&self, limits: &[usize], cx: &mut Context<'_>) -> Result<bool, Stop> {
        // Rings that are never cut are the same in every order.
        let is_cut = limits.iter().any(|&limit| limit + 1 < self.n_live);
        let n_orders = if is_cut { RingOrder::ALL.len() } else { 1 };
        let first = usize::try_from(self.knobs.seed % RingOrder::ALL.len() as u64).unwrap_or(0);
        let (mut improved, mut failures) = (false, 0);
        for pass in first.. {
            let ring = RingOrder::ALL[pass % RingOrder::ALL.len()];
            if self.step(&Vicinity::new(limits, ring, self.knobs), cx)? {
                improved = true;
                failures = 0;
                self.step(&Rearrange::new(self.knobs.rearrange_ahead), cx)?;
            } else {
                failures += 1;
            }
            if failures == n_orders {
                break;
            }
        }
        Ok(improved)
    }

    /// Runs a method once. One that lacks memory has nothing to say; the others may still have.
    fn step(&self, method: &dyn Method, cx: &mut Context<'_>) -> Result<bool, Stop> {
        let before = cx.ticks();
        let result = method.run(cx);
        debug!(?method, ticks = cx.ticks() - before, ?result, metrics = %cx.incumbent().metrics(), "pass");
        match result {
            Err(Stop::Memory) => Ok(false),
            result => result,
        }
    }
}
