//! The settings of a run.

use std::sync::Arc;

use sokocore::{Level, Objective, Solution};
use sokosearch::{Engine, StoreKind};

use crate::{
    CustomMethod, ExchangeKey, Scope, SharedOptimalSearcher, SharedSolutionSource, SharedWindowExchange, TechniqueSet,
    WindowExchange,
};

/// Settings of all methods, with the defaults that the peers made standard.
///
/// ```
/// use sokomethods::Knobs;
///
/// let mut knobs = Knobs::default().with_vicinity([30, 10]).with_seed(7);
/// knobs.rearrange_ahead = 100;
/// assert_eq!((knobs.vicinity, knobs.free_boxes), (vec![30, 10], 4));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Knobs {
    /// How many nearest squares each displaced box may take, for one to four boxes. 1 to 999 each; default 20, 10.
    pub vicinity: Vec<usize>,
    /// Seed of all random choices. With one thread, equal seeds give equal runs.
    pub seed: u64,
    /// The engine of tube searches.
    pub engine: Engine,
    /// The store of generated tubes. By default the fast engine generates no tube if it can decide of each
    /// configuration that it reaches whether it belongs to the tube; the other two stores always hold a generated
    /// tube.
    pub store: StoreKind,
    /// How many pushes ahead rearrangement tries. 1 and up; default 400.
    pub rearrange_ahead: usize,
    /// By how many pushes the delaying method puts a push off at most. 1 and up; default 250.
    pub delay_ahead: usize,
    /// Up to how many boxes are free in the windows of box permutation. 2 to 6; default 4.
    pub free_boxes: usize,
    /// Ticks for one window of box permutation. Default 200,000: on large levels five times that gains little more.
    pub window_slice: u64,
    /// How many pushes early or late boxes may be in the phase lattice, added up. 3 to 5; default 4.
    pub phase_distance: usize,
    /// How many nearest squares one box may take around the configurations that are relinked. Default 10.
    pub relink_ring: usize,
    /// Whether solutions are relinked. Default yes.
    pub relinks: bool,
    /// Other solutions of the same level, to be relinked once at the start. Default none.
    pub others: Vec<Solution>,
    /// Threads that work on the solution. 1 and up; default 1, which alone makes runs repeatable.
    pub n_threads: usize,
    /// The source of solutions of other shapes, used when improvement has stalled. Default none.
    pub source: Option<SharedSolutionSource>,
    /// Begins optimal searches by the first metric of an objective, pruned by the best solution. Default none.
    pub searcher: Option<SharedOptimalSearcher>,
    /// The techniques that may run. Default those that [`crate::Technique::is_on_by_default`] names.
    pub techniques: TechniqueSet,
    /// The part of the solution that may change. Default all of it.
    pub scope: Option<Scope>,
    /// Methods from outside this crate, run beside those of the schedule. Default none.
    pub methods: Vec<CustomMethod>,
    /// What runs on the same level in other processes tell of windows. Default none.
    pub windows: Option<SharedWindowExchange>,
}

impl Default for Knobs {
    fn default() -> Self {
        Self {
            vicinity: vec![20, 10],
            seed: 0,
            engine: Engine::Fast,
            store: StoreKind::Auto,
            rearrange_ahead: 400,
            delay_ahead: 250,
            free_boxes: 4,
            window_slice: 200_000,
            phase_distance: 4,
            relink_ring: 10,
            relinks: true,
            others: Vec::new(),
            n_threads: 1,
            source: None,
            searcher: None,
            techniques: TechniqueSet::default(),
            scope: None,
            methods: Vec::new(),
            windows: None,
        }
    }
}

impl Knobs {
    /// Sets [`Knobs::vicinity`].
    #[must_use]
    pub fn with_vicinity(mut self, limits: impl Into<Vec<usize>>) -> Self {
        self.vicinity = limits.into();
        self
    }

    /// Sets [`Knobs::seed`].
    #[must_use]
    pub const fn with_seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Sets [`Knobs::engine`].
    #[must_use]
    pub const fn with_engine(mut self, engine: Engine) -> Self {
        self.engine = engine;
        self
    }

    /// Sets [`Knobs::store`].
    #[must_use]
    pub const fn with_store(mut self, store: StoreKind) -> Self {
        self.store = store;
        self
    }

    /// Sets [`Knobs::n_threads`].
    #[must_use]
    pub const fn with_threads(mut self, n_threads: usize) -> Self {
        self.n_threads = n_threads;
        self
    }

    /// Sets [`Knobs::others`].
    #[must_use]
    pub fn with_others(mut self, others: impl Into<Vec<Solution>>) -> Self {
        self.others = others.into();
        self
    }

    /// Sets [`Knobs::scope`].
    #[must_use]
    pub fn with_scope(mut self, scope: impl Into<Option<Scope>>) -> Self {
        self.scope = scope.into();
        self
    }

    /// Sets [`Knobs::source`].
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Option<SharedSolutionSource>>) -> Self {
        self.source = source.into();
        self
    }

    /// Sets [`Knobs::searcher`].
    #[must_use]
    pub fn with_searcher(mut self, searcher: impl Into<Option<SharedOptimalSearcher>>) -> Self {
        self.searcher = searcher.into();
        self
    }

    /// Sets [`Knobs::windows`].
    #[must_use]
    pub fn with_window_exchange(mut self, exchange: Arc<dyn WindowExchange>) -> Self {
        self.windows = Some(SharedWindowExchange::new(exchange));
        self
    }

    /// Returns what runs must have in common to exchange windows.
    #[must_use]
    pub fn exchange_key(&self, level: &Level, objective: Objective) -> ExchangeKey {
        ExchangeKey::of(self, level, objective)
    }

    /// Adds one of [`Knobs::methods`].
    #[must_use]
    pub fn with_method(mut self, method: CustomMethod) -> Self {
        self.methods.push(method);
        self
    }
}
