//! A* as the optimal search of an optimizer: in slices, pruned by the optimizer's incumbent.
//!
//! It runs the search that proves best alone, without the rest of the portfolio: the optimizer finds the solutions.
//! Single-threaded, counted in ticks, and so repeatable.

use sokocore::{Level, Metric, Solution, Square};
use sokosearch::{
    Budget, Cancel, OptimalSearch, OptimalSearcher, OptimalSlice, SolutionSource, SourceSlice, Stop, SubproblemSearch,
    SubproblemSlice,
};

use crate::portfolio::best_known::BestKnown;
use crate::portfolio::race::checked;
use crate::portfolio::selection;
use crate::portfolio::shares::SliceLength;
use crate::portfolio::strategy_spec::{StrategySpec, Worker};
use crate::upper_bound::UpperBound;
use crate::{Optimal, Verdict};

/// Begins A* by pushes or by moves, beside an optimizer.
///
/// ```
/// use sokocore::{Level, Metric, replay};
/// use sokosearch::{Budget, Cancel, MemoryAccount, OptimalSearch, OptimalSearcher, OptimalSlice};
/// use sokosolver::AStarSearcher;
///
/// let level = Level::parse("######\n##   #\n#@$ $#\n#.  .#\n######")?;
/// let budget = Budget::new(None, MemoryAccount::new(64 << 20), Cancel::default());
/// let mut search = AStarSearcher.begin(&level, Metric::Moves, &budget).expect("A* counts moves");
/// let mut incumbent = replay(&level, &"drruurDullDrdL".parse()?)?;
/// while let Ok(OptimalSlice::Better(solution)) = search.run_slice(&incumbent, 10_000) {
///     incumbent = solution;
/// }
/// assert_eq!(search.run_slice(&incumbent, 10_000), Ok(OptimalSlice::Optimal));
/// assert_eq!((incumbent.metrics().moves, search.lower_bound()), (12, 12));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A window of a solution is a subproblem of its level:
/// ```
/// use sokocore::Level;
/// use sokosearch::{Budget, Cancel, MemoryAccount, OptimalSearcher, SourceSlice, SubproblemSlice};
/// use sokosolver::AStarSearcher;
///
/// let window = Level::parse("#######\n#     #\n#@$ . #\n#     #\n#######")?;
/// let end = window.board().square_at(2, 3).expect("the player may end on the left of the goal");
/// let budget = Budget::new(None, MemoryAccount::new(64 << 20), Cancel::default());
/// let mut search = AStarSearcher.begin_subproblem(&window, end, 6, &budget).expect("the box moves");
/// let Ok(SubproblemSlice::Better(pushes)) = search.run_slice(10_000) else { panic!("it needs two pushes") };
/// assert_eq!(pushes.len(), 2);
/// assert_eq!(search.run_slice(10_000), Ok(SubproblemSlice::Exhausted));
///
/// let mut search = AStarSearcher.begin_replanning(&window, 0, &budget).expect("the box moves");
/// assert!(matches!(search.run_slice(10_000), Ok(SourceSlice::Solution { .. })), "a plan, whatever its length");
/// # Ok::<(), sokocore::ParseLevelError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct AStarSearcher;

impl OptimalSearcher for AStarSearcher {
    /// Searches by pushes or by moves; `None` for another metric, and for a level that starts solved.
    fn begin(&self, level: &Level, metric: Metric, budget: &Budget) -> Option<Box<dyn OptimalSearch>> {
        let optimal = match metric {
            Metric::Pushes => Optimal::Pushes,
            Metric::Moves => Optimal::Moves,
            _ => return None,
        };
        if level.is_solved(&level.start().boxes) {
            return None;
        }
        Some(Box::new(IncumbentSearch::new(level, optimal, selection::sole_prover, budget)))
    }

    /// `None` for a window that leaves the boxes where they are, and for one with more goals than boxes.
    fn begin_subproblem(
        &self,
        window: &Level,
        end: Square,
        n_pushes: u64,
        budget: &Budget,
    ) -> Option<Box<dyn SubproblemSearch>> {
        let boxes = &window.start().boxes;
        let is_searched = !window.is_solved(boxes) && window.board().goals().len() == boxes.len();
        is_searched.then(|| Box::new(SubproblemAStar::new(window, end, n_pushes, budget)) as _)
    }

    /// `None` for a window that leaves the boxes where they are, and for one that is too large for the strategy.
    fn begin_replanning(&self, window: &Level, seed: u64, budget: &Budget) -> Option<Box<dyn SolutionSource>> {
        if window.is_solved(&window.start().boxes) {
            return None;
        }
        let (spec, max_ticks) = selection::replanning_spec(window, seed)?;
        Some(Box::new(Replanner::new(window, spec, max_ticks, budget)))
    }
}

/// A search pruned by an incumbent from outside.
#[derive(Debug)]
struct IncumbentSearch {
    level: Level,
    /// The incumbent, the upper bound that the search prunes by, and the lower bound.
    best_known: BestKnown,
    spec: StrategySpec,
    worker: Worker,
    has_given_up: bool,
}

impl IncumbentSearch {
    /// Makes the search that a function configures.
    fn new(
        level: &Level,
        optimal: Optimal,
        spec: impl FnOnce(&Level, Optimal, &UpperBound) -> StrategySpec,
        budget: &Budget,
    ) -> Self {
        let best_known = BestKnown::new(level, optimal);
        let spec = spec(level, optimal, best_known.upper_bound());
        let worker = Worker::new(budget, budget.memory().clone(), Cancel::default());
        Self { level: level.clone(), best_known, spec, worker, has_given_up: false }
    }
}

/// The finder of the incumbents.
const OPTIMIZER: &str = "the optimizer";

impl OptimalSearch for IncumbentSearch {
    fn run_slice(&mut self, incumbent: &Solution, ticks: u64) -> Result<OptimalSlice, Stop> {
        self.best_known.offer(incumbent.clone(), OPTIMIZER);
        if self.best_known.is_proved() {
            return Ok(OptimalSlice::Optimal);
        }
        if self.has_given_up {
            return Ok(OptimalSlice::GaveUp);
        }
        let result = self.worker.run_slice(&self.spec, SliceLength::Ticks(ticks)).result;
        self.best_known.raise(self.worker.proved_cost());
        let found = match result {
            Some(Err(Stop::Work)) => None,
            Some(Err(stop)) => return Err(stop),
            Some(Ok(Verdict::Better(pushes) | Verdict::Solved(pushes))) => checked(&self.level, &pushes).ok(),
            Some(Ok(Verdict::NoneBetter | Verdict::Unsolvable | Verdict::GaveUp)) | None => {
                self.has_given_up = true;
                None
            }
        };
        Ok(match found {
            Some(solution) if self.best_known.offer(solution.clone(), &self.spec.name) => {
                OptimalSlice::Better(solution)
            }
            _ if self.best_known.is_proved() => OptimalSlice::Optimal,
            _ if self.has_given_up => OptimalSlice::GaveUp,
            _ => OptimalSlice::Pending,
        })
    }

    fn lower_bound(&self) -> u64 {
        self.best_known.bound().unwrap_or(0)
    }
}

/// A* from one end of a window to the other.
#[derive(Debug)]
struct SubproblemAStar {
    upper_bound: UpperBound,
    spec: StrategySpec,
    worker: Worker,
    is_over: bool,
}

impl SubproblemAStar {
    fn new(window: &Level, end: Square, n_pushes: u64, budget: &Budget) -> Self {
        let upper_bound = UpperBound::new();
        upper_bound.lower(n_pushes);
        let spec = selection::subproblem_spec(window, end, &upper_bound);
        let worker = Worker::new(budget, budget.memory().clone(), Cancel::default());
        Self { upper_bound, spec, worker, is_over: false }
    }
}

impl SubproblemSearch for SubproblemAStar {
    fn run_slice(&mut self, ticks: u64) -> Result<SubproblemSlice, Stop> {
        if self.is_over {
            return Ok(SubproblemSlice::Exhausted);
        }
        let pushes = match self.worker.run_slice(&self.spec, SliceLength::Ticks(ticks)).result {
            Some(Err(Stop::Work)) => return Ok(SubproblemSlice::Pending),
            Some(Err(stop)) => return Err(stop),
            Some(Ok(Verdict::Better(pushes))) => Some(pushes),
            Some(Ok(Verdict::Solved(pushes))) => {
                self.is_over = true;
                Some(pushes)
            }
            Some(Ok(Verdict::NoneBetter | Verdict::Unsolvable | Verdict::GaveUp)) | None => {
                self.is_over = true;
                None
            }
        };
        let better = pushes.filter(|pushes| (pushes.len() as u64) < self.upper_bound.cost());
        Ok(match better {
            Some(pushes) => {
                self.upper_bound.lower(pushes.len() as u64);
                SubproblemSlice::Better(pushes)
            }
            None if self.is_over => SubproblemSlice::Exhausted,
            None => SubproblemSlice::Pending,
        })
    }

    fn ticks(&self) -> u64 {
        self.worker.meter.ticks()
    }
}

/// One strategy as a source of one solution.
#[derive(Debug)]
struct Replanner {
    level: Level,
    spec: StrategySpec,
    max_ticks: u64,
    worker: Worker,
    is_over: bool,
}

impl Replanner {
    fn new(level: &Level, spec: StrategySpec, max_ticks: u64, budget: &Budget) -> Self {
        let worker = Worker::new(budget, budget.memory().clone(), Cancel::default());
        Self { level: level.clone(), spec, max_ticks, worker, is_over: false }
    }
}

impl SolutionSource for Replanner {
    fn run_slice(&mut self, ticks: u64) -> Result<SourceSlice, Stop> {
        let ticks = ticks.min(self.max_ticks.saturating_sub(self.worker.meter.ticks()));
        if self.is_over || ticks == 0 {
            return Ok(SourceSlice::Exhausted);
        }
        let found = match self.worker.run_slice(&self.spec, SliceLength::Ticks(ticks)).result {
            Some(Err(Stop::Work)) => return Ok(SourceSlice::Pending),
            Some(Err(stop)) => return Err(stop),
            Some(Ok(Verdict::Better(pushes) | Verdict::Solved(pushes))) => checked(&self.level, &pushes).ok(),
            Some(Ok(Verdict::NoneBetter | Verdict::Unsolvable | Verdict::GaveUp)) | None => None,
        };
        self.is_over = true;
        let solution = |solution| SourceSlice::Solution { solution, by: self.spec.name.clone() };
        Ok(found.map_or(SourceSlice::Exhausted, solution))
    }
}

#[cfg(test)]
mod tests;
