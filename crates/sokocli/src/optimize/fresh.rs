//! The solver as a source of fresh solutions for the optimizer.
//!
//! Each strategy of the solver's portfolio gives the solution that it finds, polished for a few milliseconds. The
//! trees are kept between slices and dropped as soon as a strategy has given its solution; they may take a quarter of
//! the search's memory.

use parking_lot::Mutex;
use sokocore::Level;
use sokomethods::{SolutionSource, SourceSlice};
use sokosearch::{Budget, Cancel, Stop};
use sokosolver::{Optimal, SolveKnobs, Supplied, Supply};

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
    supply: Mutex<Option<Supply>>,
}

impl Fresh {
    /// Makes a source within a search's budget.
    pub(super) fn new(level: &Level, budget: &Budget, cancel: &Cancel) -> Self {
        let memory = budget.memory().part(budget.memory().limit() / SHARE);
        let budget = budget.clone().with_memory(memory);
        Self { level: level.clone(), budget, cancel: cancel.clone(), supply: Mutex::new(None) }
    }
}

impl SolutionSource for Fresh {
    fn run_slice(&self, ticks: u64) -> Result<SourceSlice, Stop> {
        // One thread searches at a time; the others get nothing now.
        let Some(mut supply) = self.supply.try_lock() else { return Ok(SourceSlice::Pending) };
        let supply = supply.get_or_insert_with(|| Supply::new(&self.level, &SolveKnobs::default(), &self.budget));
        Ok(match supply.go_on(ticks)? {
            Supplied::Solution(solution, by) => {
                let polished = polish(&self.level, &solution, Optimal::Any, &self.cancel);
                tracing::debug!(by, found = %solution.metrics(), polished = %polished.metrics(), "fresh solution");
                SourceSlice::Solution(polished)
            }
            Supplied::Nothing => SourceSlice::Pending,
            Supplied::Exhausted => SourceSlice::Exhausted,
        })
    }
}

#[cfg(test)]
mod tests {
    use sokosearch::MemoryAccount;

    use super::*;

    #[test]
    fn every_strategy_gives_its_solution_in_slices() {
        let level = Level::parse("######\n##   #\n#@$ $#\n#.  .#\n######").unwrap();
        let budget = Budget::new(None, MemoryAccount::new(64 << 20), Cancel::default());
        let fresh = Fresh::new(&level, &budget, &Cancel::default());
        let mut solutions = Vec::new();
        loop {
            match fresh.run_slice(1_000).unwrap() {
                SourceSlice::Solution(solution) => solutions.push(solution.metrics().pushes),
                SourceSlice::Pending => {}
                SourceSlice::Exhausted => break,
            }
        }
        assert!(solutions.len() > 1 && solutions.iter().all(|&pushes| pushes >= 3), "{solutions:?}");
        assert_eq!(budget.memory().used(), 0, "the trees are gone");
    }
}
