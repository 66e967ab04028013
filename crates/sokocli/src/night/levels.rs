//! The levels of a night, as the library has them.

use std::sync::OnceLock;

use hashbrown::HashSet;
use sokocore::{Level, Metrics, Objective, Solution, replay};
use sokoio::LevelId;
use sokolibrary::{Library, StoredEntry};
use sokosearch::Pool;

/// A level of a night.
#[derive(Debug)]
pub(super) struct NightLevel {
    pub(super) id: LevelId,
    pub(super) level: Level,
    /// The collection that it was taken from.
    pub(super) collection: String,
    /// Its number there, from 1.
    pub(super) number: u64,
    pub(super) title: String,
    pub(super) known: Vec<Solution>,
    /// Whether the best solutions by moves and by pushes are proved, as the library says.
    pub(super) proved: Vec<Objective>,
}

/// What a night has reached on a level.
#[derive(Debug)]
pub(super) struct LevelState<'a> {
    pub(super) of: &'a NightLevel,
    /// The best solutions; empty while there is none.
    pub(super) pool: OnceLock<Pool<'a>>,
    /// Lower bounds of moves and of pushes.
    pub(super) bounds: OnceLock<Option<(u64, u64)>>,
    /// Where the night began.
    pub(super) before: Vec<(Objective, Option<Metrics>)>,
}

impl NightLevel {
    /// Returns what a person calls it: `Microban:12 "Title"`.
    pub(super) fn name(&self) -> String {
        let title = if self.title.is_empty() { String::new() } else { format!(" \"{}\"", self.title) };
        format!("{}:{}{title}", self.collection, self.number)
    }

    fn of(library: &Library, entry: &StoredEntry, id: LevelId, objectives: &[Objective]) -> anyhow::Result<Self> {
        let stored = library.level(id)?.ok_or_else(|| anyhow::anyhow!("the library has lost level {id}"))?;
        let level = stored.level()?;
        let solutions = library.solutions(id)?;
        let known: Vec<_> = solutions.iter().filter_map(|known| replay(&level, &known.moves).ok()).collect();
        let proofs = library.proofs(id)?;
        let is_proved = |objective: &Objective| {
            let best = known.iter().map(Solution::metrics).min_by_key(|metrics| objective.score(metrics));
            let settles = |metrics: &Metrics| {
                proofs.iter().any(|proof| crate::proofs::settles_objective(proof.proved, *objective, metrics))
            };
            best.as_ref().is_some_and(settles)
        };
        let proved = objectives.iter().copied().filter(is_proved).collect();
        let (collection, number, title) = (entry.collection.clone(), entry.number, entry.title.clone());
        Ok(Self { id, level, collection, number, title, known, proved })
    }
}

/// Takes the levels of collections out of the library, each once.
pub(super) fn levels_of(
    library: &Library,
    collections: &[String],
    objectives: &[Objective],
) -> anyhow::Result<Vec<NightLevel>> {
    let (mut levels, mut seen) = (Vec::new(), HashSet::new());
    for collection in collections {
        for entry in library.entries(collection)? {
            if let Some(id) = entry.id.filter(|&id| seen.insert(id)) {
                levels.push(NightLevel::of(library, &entry, id, objectives)?);
            }
        }
    }
    Ok(levels)
}

impl<'a> LevelState<'a> {
    /// Begins with what the library has.
    pub(super) fn new(of: &'a NightLevel, objectives: &[Objective]) -> Self {
        let mut kept = objectives.to_vec();
        kept.extend([Objective::MOVES, Objective::PUSHES].iter().filter(|objective| !objectives.contains(objective)));
        let best = |objective: &Objective| {
            of.known.iter().map(Solution::metrics).min_by_key(|metrics| objective.score(metrics))
        };
        let before = kept.iter().map(|objective| (*objective, best(objective))).collect();
        let state = Self { of, pool: OnceLock::new(), bounds: OnceLock::new(), before };
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
    pub(super) fn begin(&self, first: &Solution) {
        let kept: Vec<_> = self.before.iter().map(|(objective, _)| *objective).collect();
        // A second first solution comes too late to be the first.
        self.pool.get_or_init(|| Pool::new(&self.of.level, first, &kept));
    }

    /// Returns the best by an objective, if there is a solution.
    pub(super) fn best(&self, objective: Objective) -> Option<Metrics> {
        self.pool.get().map(|pool| pool.best(objective).metrics())
    }

    /// Returns the best solutions by all kept objectives.
    pub(super) fn bests(&self) -> Vec<(Objective, Solution)> {
        let Some(pool) = self.pool.get() else { return Vec::new() };
        self.before.iter().map(|(objective, _)| (*objective, pool.best(*objective))).collect()
    }

    /// Returns whether it had no solution when the night began, and has one now.
    pub(super) fn is_newly_solved(&self) -> bool {
        self.of.known.is_empty() && self.pool.get().is_some()
    }

    /// Returns how much less the best by an objective counts than when the night began.
    pub(super) fn gained(&self, objective: Objective) -> u64 {
        let counted = |metrics: Metrics| objective.score(&metrics).primary();
        let before = self.before.iter().find(|(kept, _)| *kept == objective).and_then(|(_, before)| *before);
        let gained =
            before.zip(self.best(objective)).map(|(before, best)| counted(before).saturating_sub(counted(best)));
        gained.unwrap_or(0)
    }

    /// Returns whether the best by an objective is proved.
    pub(super) fn is_proved(&self, objective: Objective) -> bool {
        self.pool.get().is_some_and(|pool| pool.is_proved(objective))
    }
}
