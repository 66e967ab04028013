//! A source of solutions of other shapes: a search that solves the level anew, in slices.
//!
//! Local improvement does not lead from one shape of a solution to another. A solver does, but this crate does not know
//! solvers: a caller that has one passes it as a [`SolutionSource`].

use std::fmt;
use std::sync::Arc;

use sokocore::Solution;
use sokosearch::Stop;

/// Finds solutions of the level that is being optimized. Several threads may call it; it keeps its search trees between
/// slices.
pub trait SolutionSource: fmt::Debug + Send + Sync {
    /// Searches for about `ticks` units of work, or until it finds a solution. No solution is returned twice.
    ///
    /// # Errors
    /// The run is to stop.
    fn run_slice(&self, ticks: u64) -> Result<SourceSlice, Stop>;
}

/// The result of a slice of a [`SolutionSource`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceSlice {
    /// A solution of the level, replayed, most likely far from good.
    Solution(Solution),
    /// No solution yet.
    Pending,
    /// No solution, now or later.
    Exhausted,
}

/// A source among the settings of a run. Two are equal if they are the same object.
#[derive(Clone, Debug)]
pub struct SharedSolutionSource(Arc<dyn SolutionSource>);

impl SharedSolutionSource {
    /// Shares a source.
    #[must_use]
    pub fn new(source: impl SolutionSource + 'static) -> Self {
        Self(Arc::new(source))
    }

    /// Runs a slice, as [`SolutionSource::run_slice`] does.
    ///
    /// # Errors
    /// The run is to stop.
    pub fn run_slice(&self, ticks: u64) -> Result<SourceSlice, Stop> {
        self.0.run_slice(ticks)
    }
}

impl PartialEq for SharedSolutionSource {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for SharedSolutionSource {}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct NoSolutions;

    impl SolutionSource for NoSolutions {
        fn run_slice(&self, _: u64) -> Result<SourceSlice, Stop> {
            Ok(SourceSlice::Exhausted)
        }
    }

    #[test]
    fn a_source_equals_itself_only() {
        let (one, other) = (SharedSolutionSource::new(NoSolutions), SharedSolutionSource::new(NoSolutions));
        assert_eq!(one, one.clone());
        assert_ne!(one, other);
        assert_eq!(one.run_slice(1), Ok(SourceSlice::Exhausted));
    }
}
