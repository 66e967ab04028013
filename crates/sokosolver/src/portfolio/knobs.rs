//! The settings of a run of the portfolio.

use std::fmt;
use std::sync::Arc;

use sokocore::Solution;

use crate::{CustomStrategy, Optimal, Settings, Strategy};

/// A quick improvement of a solution, see [`SolveKnobs::polish`].
pub type Polish = dyn Fn(&Solution) -> Solution + Send + Sync;

/// Settings of a run.
///
/// ```
/// use sokosolver::{SolveKnobs, Strategy};
///
/// let knobs = SolveKnobs::default().with_strategy(Strategy::named("a-star")).with_threads(2);
/// assert_eq!(knobs.strategy.map(|strategy| strategy.name), Some("a-star"));
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub struct SolveKnobs {
    /// Only this strategy; the whole portfolio if `None`.
    pub strategy: Option<&'static Strategy>,
    /// Strategies from outside this crate, which run beside that. Default none.
    pub custom: Vec<CustomStrategy>,
    /// Whether the strategies of this crate take part, as `strategy` says. Default yes; otherwise only custom ones run.
    pub runs_built_in: bool,
    /// Whether a compact board, of at most 64 cells, is searched alone before the portfolio is set up. Default yes; a run
    /// of one strategy, or with custom ones, never does.
    pub looks_first: bool,
    /// The optimality mode and the techniques. Algorithm and heading apply only to the strategy called `systematic`;
    /// all others have their own.
    pub settings: Settings,
    /// Threads of the run. 1 and up; with one, equal runs do equal work.
    pub n_threads: usize,
    /// Known solutions of this level. A run for the best one prunes by them, and ends with the best of them proved if
    /// there is no better one. A run for any solution ignores them.
    pub known: Vec<Solution>,
    /// Applied by a run for the best solution to each solution found before the proof, so that it prunes by a better
    /// one. It must be quick, since a thread waits. The result is replayed, and ignored if it is no better.
    pub polish: Option<Arc<Polish>>,
}

impl Default for SolveKnobs {
    fn default() -> Self {
        Self {
            strategy: None,
            custom: Vec::new(),
            runs_built_in: true,
            looks_first: true,
            settings: Settings::default(),
            n_threads: 1,
            known: Vec::new(),
            polish: None,
        }
    }
}

impl fmt::Debug for SolveKnobs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { strategy, custom, runs_built_in, looks_first, settings, n_threads, known, polish } = self;
        f.debug_struct("SolveKnobs")
            .field("strategy", strategy)
            .field("custom", custom)
            .field("runs_built_in", runs_built_in)
            .field("looks_first", looks_first)
            .field("settings", settings)
            .field("n_threads", n_threads)
            .field("known", &known.len())
            .field("polish", &polish.is_some())
            .finish()
    }
}

impl SolveKnobs {
    /// Sets [`SolveKnobs::strategy`].
    #[must_use]
    pub fn with_strategy(mut self, strategy: impl Into<Option<&'static Strategy>>) -> Self {
        self.strategy = strategy.into();
        self
    }

    /// Sets [`SolveKnobs::settings`].
    #[must_use]
    pub fn with_settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// Sets [`SolveKnobs::n_threads`].
    #[must_use]
    pub const fn with_threads(mut self, n_threads: usize) -> Self {
        self.n_threads = n_threads;
        self
    }

    /// Sets [`SolveKnobs::known`].
    #[must_use]
    pub fn with_known(mut self, known: impl Into<Vec<Solution>>) -> Self {
        self.known = known.into();
        self
    }

    /// Adds one of [`SolveKnobs::custom`].
    #[must_use]
    pub fn with_custom(mut self, strategy: CustomStrategy) -> Self {
        self.custom.push(strategy);
        self
    }

    /// Returns the optimality mode of the run; [`Optimal::Any`] if any solution will do.
    #[must_use]
    pub fn optimal(&self) -> Optimal {
        self.strategy.map_or(self.settings.optimal, |strategy| strategy.optimal(&self.settings))
    }
}
