//! A source of solutions among the settings of a run: the threads of a run, and the runs of one level, share it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;
use sokocore::Solution;
use sokosearch::{SolutionSource, SourceSlice};

/// A [`SolutionSource`] whose solutions are kept, so that each run on the level reads all of them and none is searched
/// twice. Two are equal if they are the same object.
#[derive(Clone, Debug)]
pub struct SharedSolutionSource(Arc<SourceState>);

#[derive(Debug)]
struct SourceState {
    /// None once it is exhausted, stopped or closed.
    source: Mutex<Option<Box<dyn SolutionSource>>>,
    /// All solutions so far, each with the name of the search that found it.
    found: Mutex<Vec<(Solution, String)>>,
    /// As [`SolutionSource::position`], after the last slice.
    position: AtomicU64,
}

impl SharedSolutionSource {
    /// Shares a source.
    #[must_use]
    pub fn new(source: impl SolutionSource + 'static) -> Self {
        let position = AtomicU64::new(source.position());
        Self(Arc::new(SourceState { source: Mutex::new(Some(Box::new(source))), found: Mutex::default(), position }))
    }

    /// Ends the source and frees its memory, after the slice that another thread runs. What it has found stays.
    pub fn close(&self) {
        drop(self.0.source.lock().take());
    }

    /// Skips what a source of an earlier run has done, unless the source is beyond that or at work.
    pub(crate) fn skip_to(&self, position: u64) {
        let Some(mut source) = self.0.source.try_lock() else { return };
        if let Some(source) = source.as_mut().filter(|source| source.position() < position) {
            source.skip_to(position);
            self.0.position.store(source.position(), Ordering::Relaxed);
        }
    }

    /// Returns a reader, which gives each solution once, from the first on.
    pub(crate) fn reader(&self) -> SourceReader {
        SourceReader { source: self.clone(), n_read: 0 }
    }
}

impl PartialEq for SharedSolutionSource {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for SharedSolutionSource {}

/// Reads the solutions of a source one after the other.
#[derive(Clone, Debug)]
pub(crate) struct SourceReader {
    source: SharedSolutionSource,
    n_read: usize,
}

impl SourceReader {
    /// Returns whether [`Self::run_slice`] would return something now: no other thread runs a slice, or there is a solution
    /// to read.
    pub(crate) fn is_ready(&self) -> bool {
        let state = &*self.source.0;
        !state.source.is_locked() || state.found.lock().len() > self.n_read
    }

    /// Returns how far the source has come.
    pub(crate) fn position(&self) -> u64 {
        self.source.0.position.load(Ordering::Relaxed)
    }

    /// Returns the next solution: one that is there already, or what a slice of so many units of work finds; `None` while
    /// another thread runs a slice. A source that was stopped is exhausted.
    pub(crate) fn run_slice(&mut self, ticks: u64) -> Option<SourceSlice> {
        if let Some(found) = self.next_found() {
            return Some(found);
        }
        let state = &*self.source.0;
        let mut source = state.source.try_lock()?;
        let Some(running) = source.as_mut() else { return Some(SourceSlice::Exhausted) };
        let slice = running.run_slice(ticks);
        state.position.store(running.position(), Ordering::Relaxed);
        match slice {
            Ok(SourceSlice::Solution { solution, by }) => state.found.lock().push((solution, by)),
            Ok(SourceSlice::Pending) => {}
            Ok(SourceSlice::Exhausted) | Err(_) => *source = None,
        }
        let is_over = source.is_none();
        drop(source);
        let none = if is_over { SourceSlice::Exhausted } else { SourceSlice::Pending };
        Some(self.next_found().unwrap_or(none))
    }

    fn next_found(&mut self) -> Option<SourceSlice> {
        let (solution, by) = self.source.0.found.lock().get(self.n_read)?.clone();
        self.n_read += 1;
        Some(SourceSlice::Solution { solution, by })
    }
}

#[cfg(test)]
mod tests {
    use sokocore::{Level, replay};
    use sokosearch::Stop;

    use super::*;

    /// Finds one solution, and is stopped then.
    #[derive(Debug)]
    struct StopsAfterOne(Option<Solution>);

    impl SolutionSource for StopsAfterOne {
        fn run_slice(&mut self, _: u64) -> Result<SourceSlice, Stop> {
            let solution = self.0.take().ok_or(Stop::Time)?;
            Ok(SourceSlice::Solution { solution, by: "once".to_owned() })
        }
    }

    fn source() -> SharedSolutionSource {
        let level = Level::parse("#####\n#@$.#\n#####").unwrap();
        SharedSolutionSource::new(StopsAfterOne(Some(replay(&level, &"R".parse().unwrap()).unwrap())))
    }

    fn is_solution(slice: Option<SourceSlice>) -> bool {
        matches!(slice, Some(SourceSlice::Solution { by, .. }) if by == "once")
    }

    #[test]
    fn a_source_equals_itself_only() {
        let (one, other) = (source(), source());
        assert_eq!(one, one.clone());
        assert_ne!(one, other);
    }

    #[test]
    fn each_reader_gets_every_solution_and_the_source_runs_once() {
        let source = source();
        let (mut one, mut other) = (source.reader(), source.reader());
        assert!(is_solution(one.run_slice(1)));
        assert_eq!(one.run_slice(1), Some(SourceSlice::Exhausted), "it was stopped");
        assert!(is_solution(other.run_slice(1)));
        assert_eq!(other.run_slice(1), Some(SourceSlice::Exhausted));
        source.close();
        assert!(is_solution(source.reader().run_slice(1)), "what was found stays");
    }

    #[test]
    fn a_source_that_another_thread_runs_is_not_ready() {
        let source = source();
        let guard = source.0.source.lock();
        assert_eq!((source.reader().is_ready(), source.reader().run_slice(1)), (false, None));
        drop(guard);
        assert!(source.reader().is_ready());
        source.close();
        assert_eq!(source.reader().run_slice(1), Some(SourceSlice::Exhausted));
    }
}
