//! The portfolio as a source of solutions, one of each strategy, in slices: for an optimizer that cannot improve the
//! solutions it has.
//!
//! Each strategy of the portfolio finds its own solution and ends. Single-threaded, counted in ticks, and so
//! repeatable.

use sokocore::Level;
use sokosearch::{Budget, Cancel, SolutionSource, SourceSlice, Stop};

use crate::portfolio::knobs::SolveKnobs;
use crate::portfolio::race::checked;
use crate::portfolio::scheduler::{NextSlice, PortfolioScheduler};
use crate::portfolio::selection;
use crate::portfolio::shares::Resource;
use crate::{AttemptEnd, Verdict};

/// The strategies of a portfolio as a source of solutions of one level.
///
/// ```
/// use sokocore::Level;
/// use sokosearch::{Budget, Cancel, MemoryAccount, SolutionSource, SourceSlice};
/// use sokosolver::{PortfolioSource, SolveKnobs};
///
/// let level = Level::parse("######\n##   #\n#@$ $#\n#.  .#\n######")?;
/// let budget = Budget::new(None, MemoryAccount::new(64 << 20), Cancel::default());
/// let mut source = PortfolioSource::new(&level, &SolveKnobs::default(), &budget);
/// let mut strategies = Vec::new();
/// loop {
///     match source.run_slice(10_000) {
///         Ok(SourceSlice::Solution { by, .. }) => strategies.push(by),
///         Ok(SourceSlice::Pending) => {}
///         Ok(SourceSlice::Exhausted) | Err(_) => break,
///     }
/// }
/// assert!(strategies.len() > 1, "one of each strategy");
/// # Ok::<(), sokocore::ParseLevelError>(())
/// ```
#[derive(Debug)]
pub struct PortfolioSource {
    level: Level,
    scheduler: PortfolioScheduler,
}

impl PortfolioSource {
    /// Selects the strategies that the knobs ask for on this level. The budget's limit of work does not apply.
    #[must_use]
    pub fn new(level: &Level, knobs: &SolveKnobs, budget: &Budget) -> Self {
        let specs = if level.is_solved(&level.start().boxes) {
            Vec::new()
        } else {
            selection::select(level, knobs, budget.memory(), None)
        };
        let budget = budget.clone().with_work(None);
        Self {
            level: level.clone(),
            scheduler: PortfolioScheduler::new(specs, Resource::Work, 1, &budget, &Cancel::default()),
        }
    }

    /// Returns the units of work done so far.
    #[must_use]
    pub const fn ticks(&self) -> u64 {
        self.scheduler.ticks()
    }
}

impl SolutionSource for PortfolioSource {
    /// Each strategy gives the solution that it finds first, and ends; its memory is freed.
    ///
    /// # Errors
    /// The time is over, or the user asked for an end.
    fn run_slice(&mut self, ticks: u64) -> Result<SourceSlice, Stop> {
        let end = self.scheduler.ticks().saturating_add(ticks);
        while self.scheduler.ticks() < end {
            let NextSlice::Run(mut slice) = self.scheduler.next(end - self.scheduler.ticks()) else {
                return Ok(SourceSlice::Exhausted);
            };
            let result = slice.worker.run_slice(&slice.spec, slice.length);
            let (ticks, elapsed) = (result.ticks, result.elapsed);
            let by = slice.spec.name.clone();
            match result.result {
                Some(Err(Stop::Work)) => self.scheduler.put_back(slice, ticks, elapsed),
                Some(Err(Stop::Memory)) => {
                    self.scheduler.finish(slice, AttemptEnd::Stopped(Stop::Memory), ticks, elapsed);
                }
                Some(Err(stop)) => {
                    self.scheduler.finish(slice, AttemptEnd::Stopped(stop), ticks, elapsed);
                    return Err(stop);
                }
                Some(Ok(Verdict::Solved(pushes) | Verdict::Better(pushes))) => {
                    let found = checked(&self.level, &pushes).ok();
                    let end = if found.is_some() { AttemptEnd::Solved } else { AttemptEnd::Wrong };
                    self.scheduler.finish(slice, end, ticks, elapsed);
                    if let Some(solution) = found {
                        return Ok(SourceSlice::Solution { solution, by });
                    }
                }
                Some(Ok(Verdict::NoneBetter | Verdict::Unsolvable | Verdict::GaveUp)) => {
                    self.scheduler.finish(slice, AttemptEnd::GaveUp, ticks, elapsed);
                }
                None => drop(self.scheduler.finish(slice, AttemptEnd::Failed, ticks, elapsed)),
            }
        }
        Ok(SourceSlice::Pending)
    }
}
