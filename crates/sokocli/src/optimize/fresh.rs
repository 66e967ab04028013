//! The solver as a source of fresh solutions for the optimizer.
//!
//! Each strategy of the solver's portfolio gives the solution that it finds, polished for a few milliseconds. The
//! trees are kept between slices and dropped as soon as a strategy has given its solution; they may take a quarter of
//! the search's memory.

use parking_lot::Mutex;
use sokocore::Level;
use sokomethods::{SolutionSource, SourceSlice};
use sokosearch::{Budget, Cancel, Stop};
use sokosolver::{Optimal, SolutionStream, SolveKnobs, StreamItem};

use crate::solve::polish::polish;

/// What part of the memory the trees may take: one in so many.
const SHARE: u64 = 4;

/// A source that solves one level again and again.
#[derive(Debug)]
pub(super) struct Fresh {
    level: Level,
    budget: Budget,
    cancel: Cancel,
    /// Made when it is first asked.
    stream: Mutex<Option<SolutionStream>>,
}

impl Fresh {
    /// Makes a source within a search's budget.
    pub(super) fn new(level: &Level, budget: &Budget, cancel: &Cancel) -> Self {
        let memory = budget.memory().part(budget.memory().limit() / SHARE);
        let budget = budget.clone().with_memory(memory);
        Self { level: level.clone(), budget, cancel: cancel.clone(), stream: Mutex::new(None) }
    }
}

impl SolutionSource for Fresh {
    fn run_slice(&self, ticks: u64) -> Result<SourceSlice, Stop> {
        // One thread searches at a time; the others get nothing now.
        let Some(mut stream) = self.stream.try_lock() else { return Ok(SourceSlice::Pending) };
        let stream =
            stream.get_or_insert_with(|| SolutionStream::new(&self.level, &SolveKnobs::default(), &self.budget));
        Ok(match stream.resume(ticks)? {
            StreamItem::Solution(solution, by) => {
                let polished = polish(&self.level, &solution, Optimal::Any, &self.cancel);
                tracing::debug!(by, found = %solution.metrics(), polished = %polished.metrics(), "fresh solution");
                SourceSlice::Solution(polished)
            }
            StreamItem::Nothing => SourceSlice::Pending,
            StreamItem::Exhausted => SourceSlice::Exhausted,
        })
    }
}
