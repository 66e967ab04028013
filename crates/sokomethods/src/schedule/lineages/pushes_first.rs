//! Pushes first: a start with far more pushes than its boxes need is improved by pushes before all else.
//!
//! ```text
//!   start ──pushes──▶ ∙ ──pushes──▶ ∙      one lineage, while each slice saves LEAST_GAIN of the pushes
//!             ╲            ╲
//!              ▼            ▼
//!             pool of the run ──▶ the arms, by the run's own objective
//! ```
//!
//! A start of the wrong shape has many pushes to spare, and each costs moves, lines and sessions as well. A search by
//! pushes has one state for all squares that the player can reach, so its windows are longer and it saves such pushes
//! sooner. Changing the objective of a local search is reformulation descent (Mladenović, Plastria and Urošević, *Computers
//! & Operations Research* 32, 2005): a local optimum by one objective is seldom one by another.
//!
//! Measured: see `docs/experiments/2026-11-26-pushes-first.md`.

use sokocore::{Metric, Objective, PushLowerBound, Solution};
use sokosearch::{Context, Stop};
use tracing::debug;

use super::lineage::{Lineage, SavedLineage, Stage};
use crate::checkpoint::field::fields;
use crate::schedule::announce::announced;
use crate::schedule::arm::{ArmSliceEnd, SavedArm, SavedSearch, SlicedSearch};
use crate::schedule::arm_context::ArmContext;
use crate::{Technique, TechniqueSet};

/// Its rank among the arms.
pub(crate) const RANK: usize = 0;
/// A solution has far more pushes than its boxes need if it has more than so many times the lower bound.
const LEAST_RATIO: f64 = 1.5;
/// Most ticks of a slice, and least. A slice is as long as the whole solution with one box displaced everywhere needs:
/// shorter ones cut such windows short, and end the lineage too soon.
const MAX_SLICE: u64 = 4_000_000;
const MIN_SLICE: u64 = 100_000;
/// A slice that saves no more than this share of the pushes is the last.
const LEAST_GAIN: f64 = 0.01;

/// A lineage by pushes, with the lower bound that tells whether it is worth its work.
#[derive(Debug)]
pub(crate) struct PushesFirst {
    lower_bound: u64,
    /// Begun in the first slice.
    lineage: Option<Lineage>,
    /// Ticks of a slice.
    slice: u64,
    is_done: bool,
}

/// The state of the search as a checkpoint has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SavedPushesFirst {
    lineage: Option<SavedLineage>,
    slice: u64,
    is_done: bool,
}

fields!(SavedPushesFirst { lineage, slice, is_done });

impl SavedPushesFirst {
    /// Visits the arms of the lineage.
    pub(crate) fn arms_mut(&mut self) -> impl Iterator<Item = &mut [SavedArm]> {
        self.lineage.iter_mut().map(SavedLineage::arms_mut)
    }
}

impl PushesFirst {
    /// Makes the search for a run; `None` if it is switched off, or if pushes come first anyway, or the level is too large
    /// for a lower bound.
    pub(crate) fn within(arm_cx: ArmContext<'_>, cx: &Context<'_>) -> Option<Self> {
        if cx.objective().order()[0] == Metric::Pushes || !arm_cx.knobs.techniques.contains(Technique::PushesFirst) {
            return None;
        }
        let lower_bound = PushLowerBound::new(cx.level())?.of(&cx.level().start().boxes)?;
        Some(Self { lower_bound, lineage: None, slice: MIN_SLICE, is_done: false })
    }

    /// Runs all slices, or until other islands hold locks on all that is left to try.
    ///
    /// # Errors
    /// Why it was stopped.
    pub(super) fn run(mut self, arm_cx: ArmContext<'_>, cx: &mut Context<'_>) -> Result<(), Stop> {
        loop {
            let end = announced(self.techniques(), cx, |cx| self.run_slice(arm_cx, cx))?;
            if self.is_done || end == ArmSliceEnd::Blocked {
                return Ok(());
            }
        }
    }

    /// Returns a lineage by pushes from a solution, and sets the length of its slices.
    fn start_lineage(&mut self, start: Solution, arm_cx: ArmContext<'_>, cx: &Context<'_>) -> Lineage {
        let n_displaced = (cx.level().n_boxes() * arm_cx.live.n_live()) as u64;
        self.slice = start.metrics().pushes.saturating_mul(n_displaced).clamp(MIN_SLICE, MAX_SLICE);
        Lineage::new(start, vec![Stage::by(Objective::PUSHES)], arm_cx.knobs.clone(), arm_cx)
    }

    /// Returns whether a solution has far more pushes than its boxes need.
    fn has_spare_pushes(&self, solution: &Solution) -> bool {
        solution.metrics().pushes as f64 > LEAST_RATIO * self.lower_bound as f64
    }
}

impl SlicedSearch for PushesFirst {
    fn name(&self) -> &str {
        Technique::PushesFirst.name()
    }

    fn techniques(&self) -> TechniqueSet {
        TechniqueSet::EMPTY.with(Technique::PushesFirst)
    }

    /// Improves the lineage for one slice. A best solution with fewer pushes than the lineage replaces it.
    fn run_slice(&mut self, arm_cx: ArmContext<'_>, cx: &mut Context<'_>) -> Result<ArmSliceEnd, Stop> {
        let best = cx.best();
        let lineage = self.lineage.take().filter(|one| one.current().metrics().pushes <= best.metrics().pushes);
        if lineage.is_none() && !self.has_spare_pushes(&best) {
            self.is_done = true;
            return Ok(ArmSliceEnd::Skipped);
        }
        let mut lineage = lineage.unwrap_or_else(|| self.start_lineage(best, arm_cx, cx));
        let before = lineage.current().metrics().pushes;
        let end = lineage.improve(self.slice, arm_cx, cx);
        let after = lineage.current().metrics().pushes;
        let is_blocked = lineage.is_blocked();
        if end.is_ok() && !is_blocked {
            let least_gain = LEAST_GAIN * before as f64;
            self.is_done = lineage.is_exhausted() || before.saturating_sub(after) as f64 <= least_gain;
            debug!(before, after, self.slice, self.is_done, best = %cx.best().metrics(), "pushes first");
        }
        // A run that was stopped continues with it.
        self.lineage = (!self.is_done).then_some(lineage);
        end?;
        Ok(match (is_blocked, self.is_done) {
            (true, _) => ArmSliceEnd::Blocked,
            (false, true) => ArmSliceEnd::Finished,
            (false, false) => ArmSliceEnd::CutShort,
        })
    }

    fn is_done(&self) -> bool {
        self.is_done
    }

    /// What came first does not come again.
    fn revive(&mut self) {}

    fn save(&self) -> SavedSearch {
        let lineage = self.lineage.as_ref().map(Lineage::save);
        SavedSearch::PushesFirst(SavedPushesFirst { lineage, slice: self.slice, is_done: self.is_done })
    }

    fn restore(&mut self, saved: &SavedSearch, arm_cx: ArmContext<'_>, cx: &Context<'_>) {
        let SavedSearch::PushesFirst(saved) = saved else { return };
        self.lineage = saved.lineage.as_ref().and_then(|lineage| Lineage::restored(lineage, arm_cx, cx));
        (self.slice, self.is_done) = (saved.slice.clamp(MIN_SLICE, MAX_SLICE), saved.is_done);
    }

    /// All work that no other arm reserves.
    fn reserved_share(&self, _: u64) -> f64 {
        1.0
    }
}
