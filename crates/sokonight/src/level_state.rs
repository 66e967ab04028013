//! What slices have reached on a level: its best solutions, proofs and lower bounds.

use std::sync::OnceLock;
use std::time::Duration;

use parking_lot::Mutex;
use sokocore::{Metric, Metrics, Objective, Solution};
use sokoio::Proved;
use sokosearch::{Budget, Cancel, Pool};
use sokosolver::{LevelBounds, Optimal, Outcome};

use crate::{Finders, Gain, Item, LevelOutcome, NightLevel, Purpose};

/// The longest time for bounds without a search: what is proved by then counts.
const MOST_FOR_BOUNDS: Duration = Duration::from_secs(1);

/// What slices have reached on a level. Slices for several purposes may share one.
///
/// ```
/// use sokocore::{Level, Objective, replay};
/// use sokonight::{LevelState, NightLevel, Purpose};
///
/// let level = Level::parse("#######\n#@ $ .#\n#######")?;
/// let night_level = NightLevel::new(level.clone());
/// let state = LevelState::new(&night_level, &[Objective::MOVES]);
/// assert_eq!(state.open_purposes(&[Objective::MOVES]), [Purpose::Solve]);
/// state.take_over(&replay(&level, &"rRR".parse()?)?);
/// assert_eq!(state.best(Objective::MOVES).map(|best| best.moves), Some(3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct LevelState<'a> {
    pub(crate) of: &'a NightLevel,
    /// The best solutions; empty while there is none.
    pub(crate) pool: OnceLock<Pool<'a>>,
    bounds: Mutex<StateBounds>,
    /// What has found the bests in this night.
    pub(crate) finders: Finders,
    /// The bests that slices have told.
    told: Mutex<Vec<(Objective, Option<Metrics>)>>,
    /// Where the night began.
    pub(crate) before: Vec<(Objective, Option<Metrics>)>,
}

/// Lower bounds of a level.
#[derive(Clone, Copy, Debug)]
struct StateBounds {
    /// What the library had of moves and of pushes.
    known: (u64, u64),
    /// What was computed in this night; `None` before.
    of_level: Option<LevelBounds>,
    /// Whether it was tried.
    is_computed: bool,
    /// Metrics whose bound a search has raised.
    raised: [bool; 2],
}

impl<'a> LevelState<'a> {
    /// Begins with what is known of a level. The best solutions by these objectives, by moves and by pushes are kept.
    #[must_use]
    pub fn new(of: &'a NightLevel, objectives: &[Objective]) -> Self {
        let mut kept = objectives.to_vec();
        kept.extend([Objective::MOVES, Objective::PUSHES].iter().filter(|objective| !objectives.contains(objective)));
        let best = |objective: &Objective| {
            of.known.iter().map(Solution::metrics).min_by_key(|metrics| objective.score(metrics))
        };
        let before: Vec<_> = kept.iter().map(|objective| (*objective, best(objective))).collect();
        let bounds = StateBounds { known: of.bounds, of_level: None, is_computed: false, raised: [false; 2] };
        let state = Self {
            of,
            pool: OnceLock::new(),
            bounds: Mutex::new(bounds),
            finders: Finders::default(),
            told: Mutex::new(before.clone()),
            before,
        };
        if let Some(first) = of.known.first() {
            state.begin(first);
            let pool = state.pool.get().expect("invariant: it was begun");
            for solution in &of.known {
                pool.offer(solution.lurd()).expect("invariant: it was replayed on this level");
            }
            of.proved.iter().for_each(|&objective| pool.set_proved(objective));
        }
        state
    }

    /// Returns the level.
    #[must_use]
    pub const fn level(&self) -> &NightLevel {
        self.of
    }

    /// Begins with a first solution.
    pub(crate) fn begin(&self, first: &Solution) {
        let kept: Vec<_> = self.before.iter().map(|(objective, _)| *objective).collect();
        // A second first solution comes too late to be the first.
        self.pool.get_or_init(|| Pool::new(&self.of.level, first, &kept));
    }

    /// Takes over a solution from elsewhere. It is no gain of a slice. Returns the objectives by which it is the best.
    ///
    /// # Panics
    /// The solution is not one of the level.
    pub fn take_over(&self, solution: &Solution) -> Vec<Objective> {
        let is_first = self.pool.get().is_none();
        self.begin(solution);
        let pool = self.pool.get().expect("invariant: it was begun");
        let (improved, _) = pool.offer(solution.lurd()).expect("a solution of the level");
        let mut told = self.told.lock();
        for (objective, told) in told.iter_mut().filter(|(objective, _)| is_first || improved.contains(objective)) {
            *told = self.best(*objective);
        }
        if is_first { told.iter().map(|(objective, _)| *objective).collect() } else { improved }
    }

    /// Returns what slices of the level may be for, with its proofs and bounds as they are.
    #[must_use]
    pub fn open_purposes(&self, objectives: &[Objective]) -> Vec<Purpose> {
        if self.pool.get().is_none() {
            return if self.of.is_unsolvable { Vec::new() } else { vec![Purpose::Solve] };
        }
        let open = objectives.iter().filter(|&&objective| !self.is_proved(objective));
        let improve = open.map(|&objective| Purpose::Improve(objective));
        let is_first = |metric: &Metric| objectives.iter().any(|objective| objective.order()[0] == *metric);
        let metrics = [Metric::Moves, Metric::Pushes].into_iter().filter(is_first);
        let bounds = metrics.filter(|&metric| !self.is_bound_met(metric)).map(Purpose::Bound);
        improve.chain(bounds).collect()
    }

    /// Returns the item of a purpose: with what its best solution counts, and the bound below it.
    #[must_use]
    pub fn item(&self, purpose: Purpose) -> Item {
        let (counted, bound) = self.standing(purpose);
        let item = match purpose {
            Purpose::Solve => Item::solving(),
            Purpose::Improve(objective) => Item::improving(counted, self.best(objective).map_or(0, |best| best.pushes)),
            Purpose::Bound(_) => Item::bounding(counted),
        };
        item.with_bound(bound)
    }

    /// Returns what the best solution counts for a purpose, and what every solution counts at least.
    #[must_use]
    pub fn standing(&self, purpose: Purpose) -> (u64, u64) {
        let objective = purpose.objective();
        let counted = self.best(objective).map_or(0, |best| objective.score(&best).primary());
        (counted, self.bound(objective.order()[0]))
    }

    /// Returns what is proved of the best solutions.
    #[must_use]
    pub fn proofs(&self) -> Vec<Proved> {
        let mut proofs = Vec::new();
        for (objective, solution) in self.bests() {
            if self.is_proved(objective) {
                proofs.push(Proved::Best { objective, metrics: solution.metrics() });
            }
        }
        for metric in [Metric::Moves, Metric::Pushes] {
            let met = self.least(metric).filter(|_| self.is_raised(metric) && self.is_bound_met(metric));
            proofs.extend(met.map(|least| match metric {
                Metric::Pushes => Proved::FewestPushes(least),
                _ => Proved::FewestMoves(least),
            }));
        }
        proofs
    }

    /// Returns what became better since this was last called. Slices for several objectives may run at a time, and what
    /// one of them finds may be better in all: each gain is returned once.
    pub(crate) fn take_gains(&self) -> Vec<Gain> {
        let gain = |(objective, told): &mut (Objective, Option<Metrics>)| {
            let (objective, after, before) = (*objective, self.best(*objective)?, *told);
            let is_better = before.is_none_or(|before| objective.score(&after) < objective.score(&before));
            *told = Some(after);
            is_better.then_some(Gain { objective, before, after })
        };
        self.told.lock().iter_mut().filter_map(gain).collect()
    }

    /// Returns the best by an objective, if there is a solution.
    #[must_use]
    pub fn best(&self, objective: Objective) -> Option<Metrics> {
        self.pool.get().map(|pool| pool.best(objective).metrics())
    }

    /// Returns the best solutions by all kept objectives.
    #[must_use]
    pub fn bests(&self) -> Vec<(Objective, Solution)> {
        let Some(pool) = self.pool.get() else { return Vec::new() };
        self.before.iter().map(|(objective, _)| (*objective, pool.best(*objective))).collect()
    }

    /// Returns what has become of the level.
    pub(crate) fn outcome(&self) -> LevelOutcome {
        let bests = self.before.iter().map(|&(objective, before)| (objective, before, self.best(objective)));
        LevelOutcome { bests: bests.collect() }
    }

    /// Returns whether the best by an objective is proved.
    #[must_use]
    pub fn is_proved(&self, objective: Objective) -> bool {
        self.pool.get().is_some_and(|pool| pool.is_proved(objective))
    }

    /// Returns the least value of moves or of pushes in a solution, as far as that is proved; 0 of other metrics.
    pub(crate) fn bound(&self, metric: Metric) -> u64 {
        self.bounds.lock().bound(metric)
    }

    /// Returns the bounds of moves and of pushes.
    #[must_use]
    pub fn known_bounds(&self) -> (u64, u64) {
        let bounds = self.bounds.lock();
        (bounds.bound(Metric::Moves), bounds.bound(Metric::Pushes))
    }

    /// Returns the least value of a metric among the best solutions.
    pub(crate) fn least(&self, metric: Metric) -> Option<u64> {
        self.bests().iter().map(|(_, solution)| metric.of(&solution.metrics())).min()
    }

    /// Returns whether the bound of a metric is that of the best solution.
    pub(crate) fn is_bound_met(&self, metric: Metric) -> bool {
        self.least(metric).is_some_and(|least| least <= self.bound(metric))
    }

    /// Returns whether a search of this night has raised the bound of a metric.
    pub(crate) fn is_raised(&self, metric: Metric) -> bool {
        self.bounds.lock().raised[side(metric)]
    }

    /// Computes what is proved without a search, some milliseconds' work beside the budget's time. Done once.
    pub(crate) fn compute_bounds(&self, budget: &Budget) {
        if self.bounds.lock().is_computed {
            return;
        }
        let budget = Budget::new(Some(MOST_FOR_BOUNDS), budget.memory().clone(), Cancel::default());
        let computed = LevelBounds::within(&self.of.level, &budget);
        let mut bounds = self.bounds.lock();
        (bounds.of_level, bounds.is_computed) = (computed, true);
    }

    /// Takes over what a search for the best solution has proved.
    pub(crate) fn learn(&self, optimal: Optimal, metric: Metric, outcome: &Outcome) {
        let mut bounds = self.bounds.lock();
        let before = bounds.bound(metric);
        if let Some(of_level) = &mut bounds.of_level {
            of_level.learn(optimal, outcome);
        }
        let is_higher = bounds.bound(metric) > before;
        bounds.raised[side(metric)] |= is_higher || outcome.is_proved();
    }
}

impl StateBounds {
    fn bound(&self, metric: Metric) -> u64 {
        let known = match metric {
            Metric::Moves => self.known.0,
            Metric::Pushes => self.known.1,
            _ => 0,
        };
        known.max(self.of_level.and_then(|bounds| bounds.at_least(metric)).unwrap_or(0))
    }
}

/// The place of a metric in [`StateBounds::raised`].
const fn side(metric: Metric) -> usize {
    match metric {
        Metric::Pushes => 1,
        _ => 0,
    }
}
