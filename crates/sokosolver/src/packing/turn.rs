//! Whose turn it is: one run for each packing order, in slices that double.
//!
//! Invariant: orders are made when their first turn comes, and an order that is there already gets no second run. A
//! run that finds no more memory gives up its own, so that the others can go on; the last one reports it.

use sokosearch::Stop;
use tracing::debug;

use super::lessons::Lessons;
use super::run::{Run, Step};
use super::score::Judge;
use super::variant::Variant;
use super::yard::Yard;
use crate::Effort;

/// The runs and those yet to come.
#[derive(Debug)]
pub(super) struct Turns {
    waiting: Vec<Variant>,
    runs: Vec<Run>,
    /// The run whose turn it is.
    at: usize,
    /// The ticks at which its turn is over.
    until: Option<u64>,
    slice: u64,
    /// Positions expanded by runs that are over.
    n_expanded: u64,
}

impl Turns {
    /// How long the first turn of each run is.
    const FIRST_SLICE: u64 = 200_000;

    pub(super) fn new(variants: &[Variant]) -> Self {
        let waiting = variants.iter().rev().copied().collect();
        Self { waiting, runs: Vec::new(), at: 0, until: None, slice: Self::FIRST_SLICE, n_expanded: 0 }
    }

    /// Returns the positions expanded by all runs.
    pub(super) fn n_expanded(&self) -> u64 {
        self.n_expanded + self.runs.iter().map(Run::n_expanded).sum::<u64>()
    }

    /// Returns the positions found by all runs that are still there.
    #[cfg(test)]
    pub(super) fn n_positions(&self) -> usize {
        self.runs.iter().map(Run::n_positions).sum()
    }

    /// Does one step of the run whose turn it is.
    pub(super) fn step(&mut self, yard: &Yard, lessons: &mut Lessons, effort: &mut Effort) -> Result<Step, Stop> {
        if self.until.is_none_or(|until| effort.ticks() >= until) {
            self.next_turn(yard, lessons, effort)?;
        }
        let n_runs = self.runs.len();
        let Some(run) = self.runs.get_mut(self.at) else { return Ok(Step::Exhausted) };
        match run.step(yard, lessons, effort) {
            Ok(Step::Exhausted) => self.drop_run(),
            Err(Stop::Memory) if n_runs > 1 => self.drop_run(),
            Ok(Step::Solved(pushes)) => {
                debug!(n_positions = run.n_positions(), n_expanded = run.n_expanded(), "solved");
                return Ok(Step::Solved(pushes));
            }
            result => return result,
        }
        Ok(Step::Went)
    }

    fn drop_run(&mut self) {
        self.n_expanded += self.runs.remove(self.at).n_expanded();
        self.until = None;
        self.at = self.at.wrapping_sub(1);
    }

    /// Gives the turn to the next run, new ones first; the slice doubles when all have had theirs.
    fn next_turn(&mut self, yard: &Yard, lessons: &Lessons, effort: &mut Effort) -> Result<(), Stop> {
        while let Some(&variant) = self.waiting.last() {
            effort.tick()?;
            let order = variant.order(yard, effort)?;
            self.waiting.pop();
            let (making, n_phases) = (order.making(), order.n_phases());
            debug!(?variant, ?making, n_phases, n_targets = order.targets().len(), "a packing order");
            let is_same = |run: &Run| run.exempt() == variant.exempt && run.order().targets() == order.targets();
            if !self.runs.iter().any(is_same) {
                self.runs.push(Run::new(yard, lessons, order, Judge::default(), variant.exempt, effort.memory())?);
                self.at = self.runs.len() - 1;
                self.until = Some(effort.ticks() + self.slice);
                return Ok(());
            }
        }
        self.at = self.at.wrapping_add(1);
        if self.at >= self.runs.len() {
            self.at = 0;
            self.slice = self.slice.saturating_mul(2);
        }
        self.until = Some(effort.ticks() + self.slice);
        Ok(())
    }
}
