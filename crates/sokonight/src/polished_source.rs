//! The solver as a source of starts for the optimizer.
//!
//! Each strategy of the solver's portfolio gives the solution that it finds, polished for a few milliseconds. The
//! trees are kept between slices and dropped as soon as a strategy has given its solution; they may take a quarter of
//! the search's memory.

use sokocore::{Level, Objective};
use sokomethods::polish;
use sokosearch::{Budget, Cancel, SolutionSource, SourceSlice, Stop};
use sokosolver::{PortfolioSource, SolveKnobs};

/// A source that solves one level again and again, each time in another way.
#[derive(Debug)]
pub struct PolishedSource {
    level: Level,
    budget: Budget,
    cancel: Cancel,
    /// What an earlier pass has done, to be skipped.
    skipped: u64,
    /// Made when it is first asked.
    source: Option<PortfolioSource>,
}

impl PolishedSource {
    /// Makes a source within a search's budget.
    #[must_use]
    pub fn new(level: &Level, budget: &Budget, cancel: &Cancel) -> Self {
        let memory = budget.memory().part(budget.memory().limit() / PortfolioSource::SHARE);
        let budget = budget.clone().with_memory(memory);
        Self { level: level.clone(), budget, cancel: cancel.clone(), skipped: 0, source: None }
    }
}

impl SolutionSource for PolishedSource {
    fn run_slice(&mut self, ticks: u64) -> Result<SourceSlice, Stop> {
        let Self { level, budget, cancel, skipped, source } = self;
        let source = source.get_or_insert_with(|| {
            let mut source = PortfolioSource::new(level, &SolveKnobs::default(), budget);
            source.skip_to(*skipped);
            source
        });
        Ok(match source.run_slice(ticks)? {
            SourceSlice::Solution { solution, by } => {
                let polished = polish(level, &solution, Objective::MOVES, budget.memory(), cancel);
                tracing::debug!(by, found = %solution.metrics(), polished = %polished.metrics(), "fresh solution");
                SourceSlice::Solution { solution: polished, by }
            }
            slice @ (SourceSlice::Pending | SourceSlice::Exhausted) => slice,
        })
    }

    fn position(&self) -> u64 {
        self.source.as_ref().map_or(self.skipped, PortfolioSource::position)
    }

    fn skip_to(&mut self, position: u64) {
        self.skipped = position;
        if let Some(source) = &mut self.source {
            source.skip_to(position);
        }
    }
}
