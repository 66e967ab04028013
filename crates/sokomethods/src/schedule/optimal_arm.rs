//! The arm of an optimal search: branch and bound by the first metric, beside the arms that improve the incumbent.
//!
//! ```text
//!   incumbent ── upper bound ──▶ optimal search ── better solution ──▶ pool
//!                                      └── lower bound ──▶ the arm is done when the two meet
//! ```
//!
//! The search gains nothing before it is nearly over, so its share of the work cannot follow from its gains. It follows
//! from an estimate of the work left (`work_estimate`): a search that needs no more than the run has had so far gets
//! [`MAX_SHARE`], one that needs ten times as much a tenth of that. So each level gets its proof at a bounded part of
//! the cost, and a run on a level out of reach loses little.
//!
//! The tree is not part of a checkpoint. The search of the next run begins anew, when it has become due again.

mod work_estimate;

use sokocore::Metric;
use sokosearch::{Context, Event, OptimalSearch, OptimalSlice, Stop};
use tracing::debug;

use super::arm::{ArmSliceEnd, SavedSearch, SlicedSearch};
use super::arm_context::ArmContext;
use crate::checkpoint::field::fields;
use crate::shared_searcher::{TICKS_OF_SEARCH, search_budget};
use crate::{SharedOptimalSearcher, Technique, TechniqueSet};
use work_estimate::WorkEstimate;

/// Its rank among the arms.
pub(crate) const RANK: usize = 6;
/// Ticks of the search in one slice.
const SLICE: u64 = 12_500;
/// Ticks of the search before the estimate counts, and its share of the work until then.
const TRIAL: u64 = 150_000;
const TRIAL_SHARE: f64 = 0.05;
/// The most and the least of its share after that.
const MAX_SHARE: f64 = 0.4;
const MIN_SHARE: f64 = 0.01;

/// An optimal search with the estimate of its work.
#[derive(Debug)]
pub(crate) struct OptimalArm {
    searcher: SharedOptimalSearcher,
    metric: Metric,
    /// Begun in the first slice.
    search: Option<Box<dyn OptimalSearch>>,
    estimate: WorkEstimate,
    /// The incumbent's value of the metric in the last slice.
    upper_bound: u64,
    lower_bound: u64,
    is_done: bool,
}

/// The state of the arm as a checkpoint has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SavedOptimal {
    estimate: WorkEstimate,
    upper_bound: u64,
    lower_bound: u64,
    is_done: bool,
}

fields!(SavedOptimal { estimate, upper_bound, lower_bound, is_done });

impl SavedOptimal {
    /// Lets a search that ended for lack of memory begin again.
    pub(crate) const fn forget_lack_of_memory(&mut self) {
        self.is_done &= self.lower_bound >= self.upper_bound;
    }
}

impl OptimalArm {
    /// Makes the arm for the least value of a metric.
    pub(crate) fn new(searcher: SharedOptimalSearcher, metric: Metric) -> Self {
        let estimate = WorkEstimate::default();
        Self { searcher, metric, search: None, estimate, upper_bound: 0, lower_bound: 0, is_done: false }
    }

    /// Ends the search and frees its memory.
    fn finish(&mut self, end: ArmSliceEnd) -> ArmSliceEnd {
        (self.search, self.is_done) = (None, true);
        debug!(metric = ?self.metric, lower_bound = self.lower_bound, upper_bound = self.upper_bound, "optimal search over");
        end
    }

    /// Takes in the lower bound after a slice.
    fn note_bound(&mut self, bound: u64, cx: &Context<'_>) {
        if bound > self.lower_bound {
            self.lower_bound = bound;
            cx.progress().on(Event::Bound { metric: self.metric, at_least: bound });
        }
        self.estimate.note(bound);
    }
}

impl SlicedSearch for OptimalArm {
    fn name(&self) -> &str {
        Technique::OptimalSearch.name()
    }

    fn techniques(&self) -> TechniqueSet {
        TechniqueSet::EMPTY.with(Technique::OptimalSearch)
    }

    fn run_slice(&mut self, _: ArmContext<'_>, cx: &mut Context<'_>) -> Result<ArmSliceEnd, Stop> {
        cx.working(Technique::OptimalSearch.name(), "searching");
        let incumbent = cx.best();
        self.upper_bound = self.metric.of(&incumbent.metrics());
        if self.search.is_none() {
            self.estimate.restart();
            self.search = self.searcher.get().begin(cx.level(), self.metric, &search_budget(cx));
        }
        let Some(search) = &mut self.search else { return Ok(self.finish(ArmSliceEnd::Hopeless)) };
        let slice = search.run_slice(&incumbent, SLICE);
        let bound = search.lower_bound();
        self.estimate.add(SLICE);
        self.note_bound(bound, cx);
        let end = match slice {
            Ok(OptimalSlice::Pending) => ArmSliceEnd::CutShort,
            Ok(OptimalSlice::Better(solution)) => {
                cx.found(solution.lurd());
                ArmSliceEnd::CutShort
            }
            Ok(OptimalSlice::Optimal) => self.finish(ArmSliceEnd::Finished),
            Ok(OptimalSlice::GaveUp) => self.finish(ArmSliceEnd::Hopeless),
            Err(Stop::Memory) => {
                self.finish(ArmSliceEnd::Hopeless);
                return Err(Stop::Memory);
            }
            Err(stop) => return Err(stop),
        };
        cx.tick_by(SLICE * TICKS_OF_SEARCH)?;
        Ok(end)
    }

    fn is_done(&self) -> bool {
        self.is_done
    }

    /// A search that is over is over for every incumbent.
    fn revive(&mut self) {}

    fn save(&self) -> SavedSearch {
        let Self { estimate, upper_bound, lower_bound, is_done, .. } = self;
        let (estimate, upper_bound, lower_bound, is_done) = (estimate.clone(), *upper_bound, *lower_bound, *is_done);
        SavedSearch::Optimal(SavedOptimal { estimate, upper_bound, lower_bound, is_done })
    }

    fn restore(&mut self, saved: &SavedSearch, _: ArmContext<'_>, _: &Context<'_>) {
        let SavedSearch::Optimal(saved) = saved else { return };
        self.estimate = saved.estimate.clone();
        (self.upper_bound, self.lower_bound, self.is_done) = (saved.upper_bound, saved.lower_bound, saved.is_done);
    }

    fn reserved_share(&self, all_ticks: u64) -> f64 {
        if self.estimate.ticks() < TRIAL {
            return TRIAL_SHARE;
        }
        let left = self.estimate.until(self.upper_bound) * TICKS_OF_SEARCH as f64;
        (MAX_SHARE * all_ticks as f64 / left.max(1.0)).clamp(MIN_SHARE, MAX_SHARE)
    }
}

#[cfg(test)]
mod tests;
