//! A source of solutions among the settings of a run: several threads call it, one at a time.

use std::sync::Arc;

use parking_lot::Mutex;
use sokosearch::{SolutionSource, SourceSlice, Stop};

/// A [`SolutionSource`] that the threads of a run share. Two are equal if they are the same object.
#[derive(Clone, Debug)]
pub struct SharedSolutionSource(Arc<Mutex<dyn SolutionSource>>);

impl SharedSolutionSource {
    /// Shares a source.
    #[must_use]
    pub fn new(source: impl SolutionSource + 'static) -> Self {
        Self(Arc::new(Mutex::new(source)))
    }

    /// Runs a slice, as [`SolutionSource::run_slice`] does; [`SourceSlice::Pending`] while another thread runs one.
    ///
    /// # Errors
    /// The run is to stop.
    pub fn run_slice(&self, ticks: u64) -> Result<SourceSlice, Stop> {
        self.0.try_lock().map_or(Ok(SourceSlice::Pending), |mut source| source.run_slice(ticks))
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
        fn run_slice(&mut self, _: u64) -> Result<SourceSlice, Stop> {
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

    #[test]
    fn a_source_that_another_thread_runs_has_no_solution_yet() {
        let source = SharedSolutionSource::new(NoSolutions);
        let guard = source.0.lock();
        assert_eq!(source.run_slice(1), Ok(SourceSlice::Pending));
        drop(guard);
        assert_eq!(source.run_slice(1), Ok(SourceSlice::Exhausted));
    }
}
