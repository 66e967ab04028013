//! The levels of a night, as the library has them.

use std::sync::OnceLock;
use std::time::Duration;

use hashbrown::HashSet;
use parking_lot::Mutex;
use sokocore::{Level, Metric, Metrics, Objective, ParseLevelError, Solution, replay};
use sokoio::LevelId;
use sokolibrary::{Library, LibraryError, StoredEntry};
use sokosearch::{Budget, Cancel, Pool};
use sokosolver::{LevelBounds, Optimal, Outcome};
use thiserror::Error;

use crate::{Finders, Gain, Purpose};

/// The longest time for bounds without a search: what is proved by then counts.
const MOST_FOR_BOUNDS: Duration = Duration::from_secs(1);
/// How a run of the solver ends that proves that there is no solution.
pub(crate) const UNSOLVABLE: &str = "unsolvable";

/// A level of a night, with what the library knows of it.
#[derive(Debug)]
#[non_exhaustive]
pub struct NightLevel {
    /// Its identity.
    pub id: LevelId,
    /// The level.
    pub level: Level,
    /// The collection that it was taken from; empty if it is in none.
    pub collection: String,
    /// Its number there, from 1; 0 if it is in none.
    pub number: u64,
    /// Its title there; empty without one.
    pub title: String,
    /// The solutions that the library has.
    pub known: Vec<Solution>,
    /// The objectives whose best solution is proved.
    pub proved: Vec<Objective>,
    /// The least moves and pushes of a solution, as far as that is proved.
    pub bounds: (u64, u64),
    /// What was done before, by what it was for.
    pub work: Vec<(Purpose, WorkBefore)>,
    /// Whether it is proved that it has no solution.
    pub is_unsolvable: bool,
}

/// The runs on a level for one purpose before a night.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct WorkBefore {
    /// How many there were.
    pub n_runs: u64,
    /// How long they took.
    pub spent: Duration,
    /// How long those took that came after the last one with a gain.
    pub dry: Duration,
}

/// Why the levels of a night cannot be taken out of a library.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum NightLevelError {
    /// The library cannot be read.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// A collection names a level that is not there.
    #[error("the library has lost level {0}; run `soko library check`")]
    Lost(LevelId),
    /// A board is no level.
    #[error("the library has a damaged level {id}; run `soko library check`")]
    Damaged {
        /// Its identity.
        id: LevelId,
        /// Why.
        source: ParseLevelError,
    },
}

/// What a night has reached on a level.
#[derive(Debug)]
pub(crate) struct LevelState<'a> {
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

/// What a night has made of a level.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LevelOutcome {
    /// The best solutions before and after, by objective; `None` without a solution.
    pub bests: Vec<(Objective, Option<Metrics>, Option<Metrics>)>,
}

impl NightLevel {
    /// Takes the levels of collections out of a library, each once. Those that are not wanted may be left out of the list.
    ///
    /// # Errors
    /// The library cannot be read, or is damaged.
    pub fn of_collections(
        library: &Library,
        collections: &[String],
        objectives: &[Objective],
    ) -> Result<Vec<Self>, NightLevelError> {
        let (mut levels, mut seen) = (Vec::new(), HashSet::new());
        for collection in collections {
            for entry in library.entries(collection)? {
                if let Some(id) = entry.id.filter(|&id| seen.insert(id)) {
                    levels.push(Self::of(library, Some(&entry), id, objectives)?);
                }
            }
        }
        Ok(levels)
    }

    /// Takes levels out of a library, each once; those that the library does not have are left out. A level that stands in
    /// several collections is that of the first one that is named here, or of any.
    ///
    /// ```
    /// use sokoio::{Collection, LevelId};
    /// use sokolibrary::Library;
    /// use sokonight::NightLevel;
    ///
    /// let level = "#######\n#@ $ .#\n#######".parse()?;
    /// let mut library = Library::in_memory()?;
    /// library.write(|changes| changes.add_level(&level))?;
    /// let levels = NightLevel::of_ids(&library, &[LevelId::of(&level)], &[], &[])?;
    /// assert!(levels[0].name().starts_with("level "));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The library cannot be read, or is damaged.
    pub fn of_ids(
        library: &Library,
        ids: &[LevelId],
        collections: &[String],
        objectives: &[Objective],
    ) -> Result<Vec<Self>, NightLevelError> {
        let (mut levels, mut seen) = (Vec::new(), HashSet::new());
        for &id in ids {
            if !seen.insert(id) || library.level(id)?.is_none() {
                continue;
            }
            let places = library.places(id)?;
            let named = |name: &String| places.iter().find(|place| place.collection.eq_ignore_ascii_case(name));
            let place = collections.iter().find_map(named).or(places.first());
            levels.push(Self::of(library, place, id, objectives)?);
        }
        Ok(levels)
    }

    /// Returns what a person calls it: `Microban:12 "Title"`, or the beginning of its identity if it is in no collection.
    #[must_use]
    pub fn name(&self) -> String {
        if self.collection.is_empty() {
            return format!("level {:.8}", self.id.to_string());
        }
        let title = if self.title.is_empty() { String::new() } else { format!(" \"{}\"", self.title) };
        format!("{}:{}{title}", self.collection, self.number)
    }

    /// Returns what was done before for a purpose.
    pub(crate) fn work_on(&self, purpose: Purpose) -> WorkBefore {
        self.work.iter().find(|(of, _)| *of == purpose).map(|(_, work)| *work).unwrap_or_default()
    }

    fn of(
        library: &Library,
        place: Option<&StoredEntry>,
        id: LevelId,
        objectives: &[Objective],
    ) -> Result<Self, NightLevelError> {
        let stored = library.level(id)?.ok_or(NightLevelError::Lost(id))?;
        let level = stored.level().map_err(|source| NightLevelError::Damaged { id, source })?;
        let solutions = library.solutions(id)?;
        let known: Vec<_> = solutions.iter().filter_map(|known| replay(&level, &known.moves).ok()).collect();
        let proofs = library.proofs(id)?;
        let is_proved = |objective: &Objective| {
            let best = known.iter().map(Solution::metrics).min_by_key(|metrics| objective.score(metrics));
            best.is_some_and(|best| proofs.iter().any(|proof| proof.proved.is_best_by(*objective, &best)))
        };
        let proved = objectives.iter().copied().filter(is_proved).collect();
        let all = library.all_work(id)?;
        let others = [Purpose::Solve, Purpose::Bound(Metric::Moves), Purpose::Bound(Metric::Pushes)];
        let purposes = objectives.iter().copied().map(Purpose::Improve).chain(others);
        let work = purposes.filter_map(|purpose| {
            let done = all.iter().find(|done| done.purpose == purpose.to_string())?;
            Some((purpose, WorkBefore { n_runs: done.n_runs, spent: done.elapsed, dry: done.dry }))
        });
        let work = work.collect();
        let of_solver = all.iter().find(|done| done.purpose == Purpose::Solve.to_string());
        let is_unsolvable = known.is_empty() && of_solver.is_some_and(|done| done.ended == UNSOLVABLE);
        let bounds = (stored.least_moves, stored.least_pushes);
        let place = place.map(|place| (place.collection.clone(), place.number, place.title.clone()));
        let (collection, number, title) = place.unwrap_or_default();
        Ok(Self { id, collection, number, title, known, proved, bounds, work, is_unsolvable, level })
    }
}

impl LevelOutcome {
    /// Returns whether it had no solution before, and has one now.
    #[must_use]
    pub fn is_newly_solved(&self) -> bool {
        self.bests.iter().any(|(_, before, after)| before.is_none() && after.is_some())
    }

    /// Returns how much less the best by an objective counts than before, in what it counts first.
    #[must_use]
    pub fn gained(&self, objective: Objective) -> u64 {
        let counted = |metrics: Metrics| objective.score(&metrics).primary();
        let bests = self.bests.iter().find(|(kept, ..)| *kept == objective);
        let gained = bests.and_then(|(_, before, after)| Some(counted((*before)?).saturating_sub(counted((*after)?))));
        gained.unwrap_or(0)
    }
}

impl<'a> LevelState<'a> {
    /// Begins with what the library has.
    pub(crate) fn new(of: &'a NightLevel, objectives: &[Objective]) -> Self {
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

    /// Begins with a first solution.
    pub(crate) fn begin(&self, first: &Solution) {
        let kept: Vec<_> = self.before.iter().map(|(objective, _)| *objective).collect();
        // A second first solution comes too late to be the first.
        self.pool.get_or_init(|| Pool::new(&self.of.level, first, &kept));
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
    pub(crate) fn best(&self, objective: Objective) -> Option<Metrics> {
        self.pool.get().map(|pool| pool.best(objective).metrics())
    }

    /// Returns the best solutions by all kept objectives.
    pub(crate) fn bests(&self) -> Vec<(Objective, Solution)> {
        let Some(pool) = self.pool.get() else { return Vec::new() };
        self.before.iter().map(|(objective, _)| (*objective, pool.best(*objective))).collect()
    }

    /// Returns what has become of the level.
    pub(crate) fn outcome(&self) -> LevelOutcome {
        let bests = self.before.iter().map(|&(objective, before)| (objective, before, self.best(objective)));
        LevelOutcome { bests: bests.collect() }
    }

    /// Returns whether the best by an objective is proved.
    pub(crate) fn is_proved(&self, objective: Objective) -> bool {
        self.pool.get().is_some_and(|pool| pool.is_proved(objective))
    }

    /// Returns the least value of moves or of pushes in a solution, as far as that is proved; 0 of other metrics.
    pub(crate) fn bound(&self, metric: Metric) -> u64 {
        self.bounds.lock().bound(metric)
    }

    /// Returns the bounds of moves and of pushes.
    pub(crate) fn known_bounds(&self) -> (u64, u64) {
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
