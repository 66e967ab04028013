//! A source of solutions: a search that solves one level again and again, in slices.
//!
//! Local improvement does not lead from one shape of a solution to another; a search that solves the level anew does.
//! The optimizer and the solver meet in this interface, and do not know each other.

use std::fmt;

use sokocore::Solution;

use crate::Stop;

/// A search that gives one solution of a level after the other. It keeps its memory between slices.
///
/// ```
/// use sokocore::{Level, Solution, replay};
/// use sokosearch::{SolutionSource, SourceSlice, Stop};
///
/// /// Gives solutions that are known.
/// #[derive(Debug)]
/// struct Known(Vec<Solution>);
///
/// impl SolutionSource for Known {
///     fn run_slice(&mut self, _: u64) -> Result<SourceSlice, Stop> {
///         let next = self.0.pop();
///         Ok(next.map_or(SourceSlice::Exhausted, |solution| SourceSlice::Solution { solution, by: "me".to_owned() }))
///     }
/// }
///
/// let level = Level::parse("#####\n#@$.#\n#####")?;
/// let mut source = Known(vec![replay(&level, &"R".parse()?)?]);
/// assert!(matches!(source.run_slice(100), Ok(SourceSlice::Solution { .. })));
/// assert_eq!(source.run_slice(100), Ok(SourceSlice::Exhausted));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait SolutionSource: fmt::Debug + Send {
    /// Searches for about `ticks` units of work, or until it finds a solution. No find is returned twice.
    ///
    /// # Errors
    /// The run is to stop.
    fn run_slice(&mut self, ticks: u64) -> Result<SourceSlice, Stop>;

    /// Returns how far it has come, for [`skip_to`](Self::skip_to) of a source of the same level in a later run. It never
    /// becomes less.
    fn position(&self) -> u64 {
        0
    }

    /// Skips what another source of the level had done when it was at this position, as far as it can.
    fn skip_to(&mut self, position: u64) {
        let _ = position;
    }
}

/// The result of a slice of a [`SolutionSource`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceSlice {
    /// A solution of the level, replayed, most likely far from good.
    Solution {
        /// The solution.
        solution: Solution,
        /// The name of the search that found it.
        by: String,
    },
    /// No solution yet: the slice is used up.
    Pending,
    /// No solution, now or later.
    Exhausted,
}
