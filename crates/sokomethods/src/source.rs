//! Where solutions of other shapes come from: something that solves the level anew, in slices.
//!
//! Polishing does not lead from one shape of a solution to another. A solver does, but methods do not know solvers:
//! whoever calls the optimizer and has one hands it in as a [`Source`].

use std::fmt;
use std::sync::Arc;

use sokocore::Solution;
use sokosearch::Stop;

/// Finds solutions of the level that is being optimized. It may be asked by several threads, and keeps its trees
/// between the slices.
pub trait Source: fmt::Debug + Send + Sync {
    /// Goes on for about so many units of work, and returns early with a solution if it finds one. No solution is
    /// returned twice.
    ///
    /// # Errors
    /// The run is to stop.
    fn go_on(&self, ticks: u64) -> Result<Sourced, Stop>;
}

/// What a slice of a [`Source`] brought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sourced {
    /// A solution of the level, replayed, most likely far from good.
    Solution(Solution),
    /// Nothing yet.
    Nothing,
    /// Nothing, now or later.
    Exhausted,
}

/// A source among the settings of a run. Two are equal if they are the same one.
#[derive(Clone, Debug)]
pub struct SharedSource(Arc<dyn Source>);

impl SharedSource {
    /// Shares a source.
    #[must_use]
    pub fn new(source: impl Source + 'static) -> Self {
        Self(Arc::new(source))
    }

    /// Goes on as [`Source::go_on`] does.
    ///
    /// # Errors
    /// The run is to stop.
    pub fn go_on(&self, ticks: u64) -> Result<Sourced, Stop> {
        self.0.go_on(ticks)
    }
}

impl PartialEq for SharedSource {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for SharedSource {}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Dry;

    impl Source for Dry {
        fn go_on(&self, _: u64) -> Result<Sourced, Stop> {
            Ok(Sourced::Exhausted)
        }
    }

    #[test]
    fn a_source_equals_itself_only() {
        let (one, other) = (SharedSource::new(Dry), SharedSource::new(Dry));
        assert_eq!(one, one.clone());
        assert_ne!(one, other);
        assert_eq!(one.go_on(1), Ok(Sourced::Exhausted));
    }
}
