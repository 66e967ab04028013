//! The levels of a night, as the library has them.

use std::time::Duration;

use hashbrown::HashSet;
use sokocore::{Level, Metric, Metrics, Objective, ParseLevelError, Solution, replay};
use sokoio::LevelId;
use sokolibrary::{Library, LibraryError, StoredEntry};
use thiserror::Error;

use crate::Purpose;

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

/// What a night has made of a level.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LevelOutcome {
    /// The best solutions before and after, by objective; `None` without a solution.
    pub bests: Vec<(Objective, Option<Metrics>, Option<Metrics>)>,
}

impl NightLevel {
    /// Makes a level of which nothing is known, and that is in no collection.
    #[must_use]
    pub fn new(level: Level) -> Self {
        let (collection, number, title, known, proved, work) = Default::default();
        Self {
            id: LevelId::of(&level),
            level,
            collection,
            number,
            title,
            known,
            proved,
            bounds: (0, 0),
            work,
            is_unsolvable: false,
        }
    }

    /// Sets [`NightLevel::collection`], [`NightLevel::number`] and [`NightLevel::title`].
    #[must_use]
    pub fn placed(self, collection: impl Into<String>, number: u64, title: impl Into<String>) -> Self {
        Self { collection: collection.into(), number, title: title.into(), ..self }
    }

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
