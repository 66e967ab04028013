//! What every way of solving a level has in common.

use sokocore::Push;
use sokosearch::Stop;

use crate::{Effort, SearchStats};

/// What a search has to say when it is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// These pushes solve the level. Nobody has replayed them yet.
    Solved(Vec<Push>),
    /// These pushes solve the level, and the search can go on: it may find better ones. Only where the run asks for it.
    Better(Vec<Push>),
    /// Exhausted, by rules that lose no better solution than the best one known to the run: there is none.
    NoneBetter,
    /// Exhausted, by rules that lose no solution: there is none.
    Unsolvable,
    /// Exhausted, but by rules that may lose solutions: nothing follows.
    GaveUp,
}

/// A search for a solution that can be paused. It keeps its tree between the slices it is given.
pub trait Search: Send {
    /// Returns its name, in lower case.
    fn name(&self) -> &str;

    /// Goes on from where it paused.
    ///
    /// # Errors
    /// [`Stop::Work`] when the slice is used up, after which it can go on; any other reason ends the run.
    fn go_on(&mut self, effort: &mut Effort) -> Result<Verdict, Stop>;

    /// Returns how many positions it has expanded, 0 if it does not count them.
    fn n_nodes(&self) -> u64 {
        0
    }

    /// Returns what it has counted.
    fn stats(&self) -> SearchStats {
        SearchStats { expanded: self.n_nodes(), ..SearchStats::default() }
    }

    /// Returns what every solution costs at least, by the settings' rule of costs, as far as that is proved; or the best
    /// one known to the run, if that costs less. To be asked while it pauses, or when it is over. 0 if it proves nothing.
    fn proved_cost(&self) -> u64 {
        0
    }

    /// Returns how far along it looks, 0 to 1: by the best position it has come to, which may be a dead end. 0 if nothing
    /// tells.
    fn promise(&self) -> f64 {
        0.0
    }

    /// Returns a search that works on the same trees on another thread, at the same time; `None` if one is all there can
    /// be, now or ever. Whoever of them finds a solution has solved the level.
    fn another_hand(&self, _: &Effort) -> Option<Box<dyn Search>> {
        None
    }
}
