//! What a run of `optimize` is going to do: options with their defaults filled in, as the crates below want them.

use sokocore::Objective;
use sokomethods::{Knobs, Scope, TechniqueSet, UnpushedBoxes};
use sokosearch::{Engine, MemoryAccount, StoreKind};

use crate::args::{EngineChoice, OptimizeArgs, StoreChoice};
use crate::bound_share::BoundShare;
use crate::exit::UsageError;

/// Most boxes that the vicinity search displaces.
const MAX_DISPLACED: usize = 4;

/// The settings of a run.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// What was asked for, each once.
    pub(crate) objectives: Vec<Objective>,
    /// For each level and objective.
    pub(crate) work: Option<u64>,
    /// For the whole process, in bytes.
    pub(crate) memory: u64,
    /// Searches at the same time.
    pub(crate) n_threads: usize,
    /// Whether the solver may be called: for levels without a solution, and for solutions of other shapes.
    pub(crate) solves: bool,
    /// Whether the player has to end where it does now.
    pub(crate) keeps_end: bool,
    /// Whether the first gain ends a search.
    pub(crate) ends_at_first: bool,
    /// The share of a level's time in which its lower bounds are raised; `None` for bounds without a search.
    pub(crate) bound_share: Option<BoundShare>,
    /// Whether results tell lower bounds.
    pub(crate) tells_bounds: bool,
    /// For the methods.
    pub(crate) knobs: Knobs,
}

impl Plan {
    /// Fills in the defaults.
    pub(crate) fn of(args: &OptimizeArgs) -> Result<Self, UsageError> {
        if args.vicinity.len() > MAX_DISPLACED {
            return Err(UsageError(format!("--vicinity takes one to {MAX_DISPLACED} numbers, such as 20,10")));
        }
        let mut objectives = Vec::new();
        for &objective in
            if args.objective.is_empty() { &[Objective::MOVES, Objective::PUSHES] } else { &*args.objective }
        {
            if !objectives.contains(&objective) {
                objectives.push(objective);
            }
        }
        let store = match args.store {
            StoreChoice::Auto => StoreKind::Auto,
            StoreChoice::Hash => StoreKind::Hash,
            StoreChoice::Tree => StoreKind::Tree,
        };
        let engine = match args.engine {
            EngineChoice::Fast => Engine::Fast,
            EngineChoice::Reference => Engine::Reference,
        };
        let mut knobs = Knobs::default()
            .with_vicinity(args.vicinity.clone())
            .with_seed(args.seed)
            .with_engine(engine)
            .with_store(store)
            .with_scope(scope(args));
        knobs.relinks = !args.no_relink;
        knobs.techniques = techniques(args);
        Ok(Self {
            objectives,
            work: args.run.work,
            memory: args.run.resources.memory()?,
            n_threads: args.run.resources.n_threads(),
            solves: !args.no_solve,
            keeps_end: args.keep_end,
            ends_at_first: args.first,
            bound_share: args.bound,
            tells_bounds: args.bound.is_some() || args.run.print.json || args.run.print.csv,
            knobs,
        })
    }

    /// Returns whether whole solutions are optimized, free to end anywhere.
    pub(crate) const fn is_whole(&self) -> bool {
        self.knobs.scope.is_none() && !self.keeps_end
    }

    /// Returns the push after which changes may begin, if a range was asked for that does not begin at the start.
    pub(crate) fn first_push(&self) -> Option<u64> {
        let first = self.knobs.scope.as_ref()?.pushes.start;
        u64::try_from(first).ok().filter(|&first| first > 0)
    }

    /// Returns the memory for each of `n_workers` searches: an equal part of what a process that occupies `own` bytes
    /// leaves.
    pub(crate) fn memory_of_worker(&self, n_workers: usize, own: u64) -> u64 {
        MemoryAccount::left_for_searches(self.memory, own, self.n_threads)
            / u64::try_from(n_workers.max(1)).unwrap_or(u64::MAX)
    }
}

/// The techniques that may run: one that is switched on and off as well is off.
fn techniques(args: &OptimizeArgs) -> TechniqueSet {
    let with = args.with.iter().copied().fold(TechniqueSet::default(), TechniqueSet::with);
    args.without.iter().copied().fold(with, TechniqueSet::without)
}

/// What may change, unless it is everything.
fn scope(args: &OptimizeArgs) -> Option<Scope> {
    if args.pushes.is_none() && args.interval.is_none() && !args.freeze {
        return None;
    }
    let unpushed = if args.freeze { UnpushedBoxes::Frozen } else { UnpushedBoxes::Free };
    let pushes = args.pushes.as_ref().map_or(0..usize::MAX, |range| range.0.clone());
    Some(Scope { pushes, interval: args.interval, unpushed })
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use sokomethods::Technique;

    use super::*;
    use crate::args::{Args, Command};

    fn plan(options: &str) -> Result<Plan, UsageError> {
        let args = Args::try_parse_from(format!("soko optimize a.sok {options}").split_whitespace()).unwrap();
        let Command::Optimize(optimize) = args.command else { panic!("not optimize") };
        Plan::of(&optimize)
    }

    #[test]
    fn both_objectives_unless_told() {
        let default = plan("").unwrap();
        assert_eq!(default.objectives, [Objective::MOVES, Objective::PUSHES]);
        assert_eq!(plan("--work 1000").unwrap().work, Some(1000));
        assert_eq!(plan("--objective moves --objective moves/pushes").unwrap().objectives, [Objective::MOVES]);
        assert!(plan("--vicinity 5,4,3,2,1").is_err());
    }

    #[test]
    fn techniques_are_switched_by_name() {
        let of = |options: &str| plan(options).unwrap().knobs.techniques;
        assert_eq!(of(""), TechniqueSet::default());
        for technique in Technique::ALL {
            assert!(of(&format!("--with {technique}")).contains(technique));
            assert!(!of(&format!("--without one-box,{technique} --with {technique}")).contains(technique));
        }
        assert!(Args::try_parse_from(["soko", "optimize", "a.sok", "--without", "dealy"]).is_err());
    }

    #[test]
    fn a_scope_is_made_of_what_was_asked_for() {
        assert_eq!(plan("").unwrap().knobs.scope, None);
        let scope = plan("--pushes 3.. --freeze").unwrap().knobs.scope.unwrap();
        assert_eq!((scope.pushes, scope.interval, scope.unpushed), (3..usize::MAX, None, UnpushedBoxes::Frozen));
        assert!(plan("--interval 8,2").unwrap().knobs.scope.unwrap().interval.is_some());
    }

    #[test]
    fn memory_is_shared_by_the_workers() {
        let memory = |options: &str, n_workers| plan(options).unwrap().memory_of_worker(n_workers, 8 << 20);
        let one = "--memory 64MiB --threads 1";
        assert_eq!(memory(one, 3), memory(one, 1) / 3);
        assert!(memory("--memory 64MiB --threads 2", 1) < memory(one, 1) && memory(one, 1) < 64 << 20);
    }
}
