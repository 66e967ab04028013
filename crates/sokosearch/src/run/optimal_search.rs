//! An optimal search beside local search: branch and bound, in slices.
//!
//! Local search improves a solution and cannot tell how far it is from the optimum. An optimal search prunes by the best
//! solution known, the incumbent, and raises a lower bound until the two meet (Land and Doig 1960). The optimizer
//! and the solver meet in this interface, and do not know each other.

use std::fmt;

use sokocore::{Level, Metric, Push, Solution, Square};

use crate::{Budget, SolutionSource, Stop};

/// A search for the solution of a level with the least value of one metric. It keeps its memory between slices.
pub trait OptimalSearch: fmt::Debug + Send {
    /// Searches for about `ticks` units of work, or until it finds a solution with less than the incumbent's value of the
    /// metric. What cannot lead to such a solution is pruned.
    ///
    /// # Errors
    /// The run is to stop, or [`Stop::Memory`] if the memory is used up. The lower bound stays proved.
    fn run_slice(&mut self, incumbent: &Solution, ticks: u64) -> Result<OptimalSlice, Stop>;

    /// Returns the proved lower bound: no solution has a smaller value of the metric. It never falls; 0 at the beginning.
    fn lower_bound(&self) -> u64;
}

/// A search for fewer pushes between the ends of a window of a solution: box sets, and regions of the player. It keeps
/// its memory between slices.
pub trait SubproblemSearch: fmt::Debug + Send {
    /// Searches for about `ticks` units of work, or until it finds fewer pushes than the window has or were found before.
    ///
    /// # Errors
    /// The run is to stop, or [`Stop::Memory`] if the memory is used up.
    fn run_slice(&mut self, ticks: u64) -> Result<SubproblemSlice, Stop>;

    /// Returns the units of work that it has done. A slice may do less than it was given, or a little more.
    fn ticks(&self) -> u64;
}

/// The result of a slice of a [`SubproblemSearch`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SubproblemSlice {
    /// Pushes that lead from one end of the window to the other, fewer than before.
    Better(Vec<Push>),
    /// The slice is used up.
    Pending,
    /// The search found no fewer pushes, and is over. This is no proof: rules that change the order of pushes keep their
    /// number, and may lose the region in which the player ends.
    Exhausted,
}

/// The result of a slice of an [`OptimalSearch`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptimalSlice {
    /// A solution with a smaller value of the metric, replayed. It is the incumbent of the next slice.
    Better(Solution),
    /// The slice is used up.
    Pending,
    /// No solution has a smaller value than the incumbent.
    Optimal,
    /// The search has ended without a proof: it prunes by rules that may lose solutions.
    GaveUp,
}

/// Begins optimal searches of levels: what an optimizer knows of a solver.
///
/// ```
/// use sokocore::{Level, Metric, Solution, replay};
/// use sokosearch::{
///     Budget, Cancel, MemoryAccount, OptimalSearch, OptimalSearcher, OptimalSlice, Stop,
/// };
///
/// /// Proves that a solution needs as many pushes as there are boxes off goals.
/// #[derive(Debug)]
/// struct BoxesOffGoals;
///
/// impl OptimalSearcher for BoxesOffGoals {
///     fn begin(&self, level: &Level, metric: Metric, _: &Budget) -> Option<Box<dyn OptimalSearch>> {
///         let goals = level.board().goals();
///         let n_off_goal = level.start().boxes.iter().filter(|&sq| !goals.contains(sq)).count();
///         (metric == Metric::Pushes).then(|| Box::new(Bound(n_off_goal as u64)) as Box<dyn OptimalSearch>)
///     }
/// }
///
/// /// A lower bound that needs no search.
/// #[derive(Debug)]
/// struct Bound(u64);
///
/// impl OptimalSearch for Bound {
///     fn run_slice(&mut self, incumbent: &Solution, _: u64) -> Result<OptimalSlice, Stop> {
///         let is_met = incumbent.metrics().pushes == self.0;
///         Ok(if is_met { OptimalSlice::Optimal } else { OptimalSlice::GaveUp })
///     }
///
///     fn lower_bound(&self) -> u64 {
///         self.0
///     }
/// }
///
/// let level = Level::parse("#####\n#@$.#\n#####")?;
/// let budget = Budget::new(None, MemoryAccount::new(1 << 20), Cancel::default());
/// let mut search = BoxesOffGoals.begin(&level, Metric::Pushes, &budget).expect("it counts pushes");
/// assert_eq!(search.run_slice(&replay(&level, &"R".parse()?)?, 100), Ok(OptimalSlice::Optimal));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait OptimalSearcher: fmt::Debug + Send + Sync {
    /// Begins a search of a level for the least value of a metric, within a budget; its limit of work does not apply.
    /// `None` if there is no such search.
    fn begin(&self, level: &Level, metric: Metric, budget: &Budget) -> Option<Box<dyn OptimalSearch>>;

    /// Begins a search of a [subproblem](Level::subproblem), a window of a solution, for fewer pushes than it has: its
    /// goals are the box set at the end of the window, and at its end the player can walk to the square `end`. Its limit
    /// of work does not apply. `None`, the default, if there is no such search.
    fn begin_subproblem(
        &self,
        subproblem: &Level,
        end: Square,
        n_pushes: u64,
        budget: &Budget,
    ) -> Option<Box<dyn SubproblemSearch>> {
        let _ = (subproblem, end, n_pushes, budget);
        None
    }

    /// Begins a search of a [subproblem](Level::subproblem), a window of a solution, for any solution of it: a plan of another
    /// shape, most likely longer, at whose end the player may be anywhere. Another `seed` begins another search. The
    /// budget's limit of work does not apply. `None`, the default, if there is no such search.
    fn begin_replanning(&self, subproblem: &Level, seed: u64, budget: &Budget) -> Option<Box<dyn SolutionSource>> {
        let _ = (subproblem, seed, budget);
        None
    }
}
