//! Whose turn it is: one run for each packing order, in slices that double.
//!
//! Invariant: orders are made when their first turn comes, within it and the ones after, and an order that is there
//! already gets no second run. A run that finds no more memory gives up its own, so that the others can go on; the
//! last one reports it.

use sokosearch::Stop;
use tracing::debug;

use crate::WorkMeter;
use crate::board::level_tables::LevelTables;
use crate::deadlock::learner::DeadlockLearner;
use crate::packing::order_maker::OrderMaker;
use crate::packing::run::{Run, Step};
use crate::packing::variant::Variant;

/// The runs and those yet to come.
#[derive(Debug)]
pub(crate) struct OrderScheduler {
    waiting: Vec<Variant>,
    makers: Vec<OrderMaker>,
    lanes: Vec<Lane>,
    /// The lane whose turn it is.
    at: usize,
    /// The ticks at which its turn is over.
    until: Option<u64>,
    slice: u64,
    /// Positions expanded by runs that are over.
    n_expanded: u64,
}

/// A variant whose order is still to be made, or its run.
#[derive(Debug)]
enum Lane {
    Ordering(Variant),
    Running(Box<Run>),
}

impl OrderScheduler {
    /// How long the first turn of each run is.
    const FIRST_SLICE: u64 = 200_000;

    pub(crate) fn new(variants: &[Variant]) -> Self {
        Self {
            waiting: variants.iter().rev().copied().collect(),
            makers: Vec::new(),
            lanes: Vec::new(),
            at: 0,
            until: None,
            slice: Self::FIRST_SLICE,
            n_expanded: 0,
        }
    }

    fn runs(&self) -> impl Iterator<Item = &Run> {
        self.lanes.iter().filter_map(|lane| match lane {
            Lane::Running(run) => Some(&**run),
            Lane::Ordering(_) => None,
        })
    }

    /// Returns the positions expanded by all runs.
    pub(crate) fn n_expanded(&self) -> u64 {
        self.n_expanded + self.runs().map(Run::n_expanded).sum::<u64>()
    }

    /// Returns the positions found by all runs that are still there.
    #[cfg(test)]
    pub(crate) fn n_positions(&self) -> usize {
        self.runs().map(Run::n_positions).sum()
    }

    /// Does one step of the run whose turn it is.
    pub(crate) fn step(
        &mut self,
        yard: &LevelTables,
        lessons: &mut DeadlockLearner,
        effort: &mut WorkMeter,
    ) -> Result<Step, Stop> {
        if self.until.is_none_or(|until| effort.ticks() >= until) {
            self.next_turn(effort.ticks());
        }
        let n_lanes = self.lanes.len();
        let run = match self.lanes.get_mut(self.at) {
            None => return Ok(Step::Exhausted),
            Some(Lane::Ordering(variant)) => {
                let variant = *variant;
                self.order(yard, lessons, variant, effort)?;
                return Ok(Step::Went);
            }
            Some(Lane::Running(run)) => run,
        };
        match run.step(yard, lessons, effort) {
            Ok(Step::Exhausted) => self.drop_lane(),
            Err(Stop::Memory) if n_lanes > 1 => self.drop_lane(),
            Ok(Step::Solved(pushes)) => {
                debug!(variant = ?run.variant(), n_positions = run.n_positions(), n_expanded = run.n_expanded(), "solved");
                return Ok(Step::Solved(pushes));
            }
            result => return result,
        }
        Ok(Step::Went)
    }

    /// Goes on with the order of a variant; once it is made the run begins, if there is none like it.
    fn order(
        &mut self,
        yard: &LevelTables,
        lessons: &DeadlockLearner,
        variant: Variant,
        effort: &mut WorkMeter,
    ) -> Result<(), Stop> {
        let maker = match self.makers.iter().position(|maker| maker.plan() == variant.plan) {
            Some(at) => &mut self.makers[at],
            None => self.makers.push_mut(OrderMaker::new(yard, variant.plan)),
        };
        let Some(order) = maker.step(yard, effort)? else { return Ok(()) };
        let is_same = |run: &Run| {
            let other = Variant { plan: variant.plan, ..run.variant() };
            other == variant && run.order().targets() == order.targets()
        };
        if self.runs().any(is_same) {
            self.drop_lane();
            return Ok(());
        }
        let run = Run::new(yard, lessons, order, variant, effort.memory())?;
        self.lanes[self.at] = Lane::Running(Box::new(run));
        self.until = Some(effort.ticks() + self.slice);
        Ok(())
    }

    fn drop_lane(&mut self) {
        if let Lane::Running(run) = self.lanes.remove(self.at) {
            self.n_expanded += run.n_expanded();
        }
        self.until = None;
        self.at = self.at.wrapping_sub(1);
    }

    /// Gives the turn to the next lane, new ones first; the slice doubles when all have had theirs.
    fn next_turn(&mut self, ticks: u64) {
        self.at = self.at.wrapping_add(1);
        if let Some(variant) = self.waiting.pop() {
            self.at = self.lanes.len();
            self.lanes.push(Lane::Ordering(variant));
        } else if self.at >= self.lanes.len() {
            self.at = 0;
            self.slice = self.slice.saturating_mul(2);
        }
        self.until = Some(ticks + self.slice);
    }
}
