//! The trait of every search of the solver: it can be paused and resumed, and ends with a verdict.

use sokocore::Push;
use sokosearch::Stop;

use crate::{PartTimes, SearchStats, WorkMeter};

/// How a search ends, or what it reports before its end.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// These pushes solve the level. They are not replayed yet.
    Solved(Vec<Push>),
    /// These pushes solve the level, and the search can be resumed to find better ones. A run for any solution does not.
    Better(Vec<Push>),
    /// Exhausted, by rules that lose no solution better than the best one known to the run: there is none.
    NoneBetter,
    /// Exhausted, by rules that lose no solution: there is none.
    Unsolvable,
    /// Exhausted, but by rules that may lose solutions: nothing follows.
    GaveUp,
}

/// A search for a solution that can be paused. It keeps its tree between slices.
///
/// It counts its work by [`WorkMeter::tick`], charges to [`WorkMeter::memory`] what grows, and passes every
/// [`Stop`] on at once, in a state from which it can be resumed. A search of one's own joins the portfolio as a
/// [`CustomStrategy`](crate::CustomStrategy).
pub trait Search: Send {
    /// Returns its name, in lower case.
    fn name(&self) -> &str;

    /// Starts, or continues from where it paused.
    ///
    /// # Errors
    /// [`Stop::Work`] when the slice is used up, after which it can be resumed; any other reason ends the run.
    fn resume(&mut self, meter: &mut WorkMeter) -> Result<Verdict, Stop>;

    /// Returns how many positions it has expanded, 0 if it does not count them.
    fn n_nodes(&self) -> u64 {
        0
    }

    /// Returns what it has counted.
    fn stats(&self) -> SearchStats {
        SearchStats { expanded: self.n_nodes(), ..SearchStats::default() }
    }

    /// Returns how some expansions have divided their time; nothing if it takes no samples.
    fn part_times(&self) -> PartTimes {
        PartTimes::default()
    }

    /// Returns the proved lower bound of the cost of every solution, by the settings' rule of costs; or the cost of the
    /// best one known to the run, if that is less. Valid while the search is paused, or over. 0 if it proves nothing.
    fn proved_cost(&self) -> u64 {
        0
    }

    /// Returns an estimate of its progress, 0 to 1, by the best position that it has reached, which may be a dead end.
    /// 0 if it has none.
    fn progress_estimate(&self) -> f64 {
        0.0
    }

    /// Returns a search that works on the same trees on another thread, at the same time; `None` if the search allows
    /// no further worker. A solution of any of them solves the level.
    fn fork_worker(&self, _: &WorkMeter) -> Option<Box<dyn Search>> {
        None
    }
}

/// A search that ends at once.
#[derive(Debug)]
pub(crate) struct FixedVerdict {
    pub(crate) name: &'static str,
    pub(crate) verdict: Verdict,
}

impl Search for FixedVerdict {
    fn name(&self) -> &str {
        self.name
    }

    fn resume(&mut self, _: &mut WorkMeter) -> Result<Verdict, Stop> {
        Ok(self.verdict.clone())
    }
}
