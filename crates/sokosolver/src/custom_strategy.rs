//! A strategy from outside this crate.

use std::fmt;
use std::sync::Arc;

use sokocore::Level;
use sokosearch::Stop;

use crate::{Search, WorkMeter};

/// Builds the search of a level.
pub(crate) type BuildSearch = dyn Fn(&Level, &mut WorkMeter) -> Result<Box<dyn Search>, Stop> + Send + Sync;

/// A strategy of one's own, which takes part in the portfolio beside those of [`STRATEGIES`](crate::STRATEGIES), or runs
/// alone.
///
/// It finds solutions; every one is replayed before it counts. In a run for the best solution it finds the first one, to
/// prune by, and leaves the proof to the strategies of this crate. A search that panics, or whose solution does not
/// replay, leaves the run, and the others continue. [`Verdict::Unsolvable`](crate::Verdict::Unsolvable) is believed.
///
/// ```
/// use sokocore::{Level, Lurd, pushes_of};
/// use sokosearch::Stop;
/// use sokosolver::{CustomStrategy, Search, Solver, Verdict, WorkMeter};
///
/// /// Knows the solution beforehand.
/// struct Oracle(Level, Lurd);
///
/// impl Search for Oracle {
///     fn name(&self) -> &str {
///         "oracle"
///     }
///
///     fn resume(&mut self, meter: &mut WorkMeter) -> Result<Verdict, Stop> {
///         meter.tick()?;
///         Ok(Verdict::Solved(pushes_of(&self.0, &self.1)))
///     }
/// }
///
/// let level = Level::parse("######\n#@$ .#\n######")?;
/// let moves: Lurd = "RR".parse()?;
/// let oracle = CustomStrategy::new("oracle", move |level, _| Ok(Box::new(Oracle(level.clone(), moves.clone()))));
/// let outcome = Solver::new(&level).custom(oracle).only_custom().run();
/// assert_eq!(outcome.by(), Some("oracle"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct CustomStrategy {
    name: Arc<str>,
    weight: u8,
    build: Arc<BuildSearch>,
}

impl CustomStrategy {
    /// The weight of an ordinary strategy of the portfolio.
    pub const ORDINARY_WEIGHT: u8 = 3;

    /// Makes a strategy. `build` is called in its first slice, perhaps more than once: a strategy whose memory others
    /// have taken starts again. It may be given another level than the one to be solved, since levels that start solved
    /// are solved from the position after each first push. What it allocates with the size of the level's space is to be
    /// charged to [`WorkMeter::memory`].
    #[must_use]
    pub fn new(
        name: impl Into<Arc<str>>,
        build: impl Fn(&Level, &mut WorkMeter) -> Result<Box<dyn Search>, Stop> + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), weight: Self::ORDINARY_WEIGHT, build: Arc::new(build) }
    }

    /// Sets its weight in the portfolio: with twice that of another strategy it gets twice the work, or the time. 1 and
    /// up; 0 counts as 1.
    #[must_use]
    pub const fn with_weight(mut self, weight: u8) -> Self {
        self.weight = weight;
        self
    }

    /// Returns its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns its weight.
    #[must_use]
    pub const fn weight(&self) -> u8 {
        self.weight
    }

    /// Builds its search for a level.
    pub(crate) fn build(&self, level: &Level, meter: &mut WorkMeter) -> Result<Box<dyn Search>, Stop> {
        let search = (self.build)(level, meter)?;
        meter.mark_set_up();
        Ok(search)
    }
}

impl fmt::Debug for CustomStrategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CustomStrategy").field("name", &self.name).field("weight", &self.weight).finish_non_exhaustive()
    }
}
