//! Pushes first: a start with far more pushes than its boxes need is improved by pushes before all else.
//!
//! ```text
//!   start ──pushes──▶ ∙ ──pushes──▶ ∙      a lineage for each thread, while a slice saves more than little
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

use sokocore::{Objective, Solution};
use sokosearch::{Context, Stop};
use tracing::debug;

use super::lineage::{Lineage, SavedLineage, Stage};
use super::spare_pushes::{LITTLE, SparePushes, saves, ticks_of_pass};
use crate::checkpoint::field::fields;
use crate::schedule::announce::announced;
use crate::schedule::arm::{ArmSliceEnd, SavedArm, SavedSearch, SlicedSearch};
use crate::schedule::arm_context::ArmContext;
use crate::{Knobs, Technique, TechniqueSet};

/// Its rank among the arms.
pub(crate) const RANK: usize = 0;
/// Most such lineages of a run.
const MAX_LINEAGES: usize = 4;

/// A lineage by pushes.
#[derive(Debug)]
pub(crate) struct PushesFirst {
    spare: SparePushes,
    /// Its number among those of the run.
    number: u64,
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
    /// Makes one search for a run; `None` if the run does not use it, or as for [`SparePushes::of`].
    pub(super) fn within(arm_cx: ArmContext<'_>, cx: &Context<'_>) -> Option<Self> {
        let spare = arm_cx.uses(Technique::PushesFirst, cx).then(|| SparePushes::of(cx))?;
        Some(Self::new(spare?, 0))
    }

    /// Makes a search for each thread of a run, up to [`MAX_LINEAGES`]: by moves, the other threads would go elsewhere before
    /// the pushes are saved.
    pub(crate) fn for_threads(
        spare: Option<SparePushes>,
        arm_cx: ArmContext<'_>,
        cx: &Context<'_>,
    ) -> impl Iterator<Item = Self> + use<> {
        let n = arm_cx.knobs.n_threads.clamp(1, MAX_LINEAGES) as u64;
        let spare = spare.filter(|_| arm_cx.uses(Technique::PushesFirst, cx));
        spare.into_iter().flat_map(move |spare| (0..n).map(move |number| Self::new(spare, number)))
    }

    const fn new(spare: SparePushes, number: u64) -> Self {
        Self { spare, number, lineage: None, slice: 0, is_done: false }
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
        self.slice = ticks_of_pass(&start, arm_cx, cx);
        let knobs = Knobs { seed: arm_cx.knobs.seed.wrapping_add(self.number), ..arm_cx.knobs.clone() };
        Lineage::new(start, vec![Stage::by(Objective::PUSHES)], knobs, arm_cx)
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
        if lineage.is_none() && !self.spare.are_in(&best) {
            self.is_done = true;
            return Ok(ArmSliceEnd::Skipped);
        }
        let mut lineage = lineage.unwrap_or_else(|| self.start_lineage(best, arm_cx, cx));
        let before = lineage.current().metrics().pushes;
        let end = lineage.improve(self.slice, arm_cx, cx);
        let after = lineage.current().metrics().pushes;
        let is_blocked = lineage.is_blocked();
        if end.is_ok() && !is_blocked {
            self.is_done = lineage.is_exhausted() || !saves(before, after, LITTLE);
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
        (self.slice, self.is_done) = (saved.slice, saved.is_done);
    }

    /// All work that no other arm reserves.
    fn reserved_share(&self, _: u64) -> f64 {
        1.0
    }
}
