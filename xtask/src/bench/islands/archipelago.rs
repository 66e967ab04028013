//! Several islands on one level, in turns.

use std::fmt;
use std::sync::Arc;

use sokocore::{Objective, Solution};
use sokomethods::{Checkpoint, IslandWindows, Knobs, optimize_from};
use sokosearch::{Budget, Cancel, Context, MemoryAccount, Pool};

use crate::bench::level_set::BenchLevel;

/// What islands exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Exchanged {
    pub(super) windows: bool,
    pub(super) solutions: bool,
}

impl Exchanged {
    pub(super) const ALL: Self = Self { windows: true, solutions: true };
    pub(super) const LESS: [Self; 3] = [
        Self { windows: false, solutions: true },
        Self { windows: true, solutions: false },
        Self { windows: false, solutions: false },
    ];
}

/// Islands that share an amount of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Archipelago {
    pub(super) n_islands: u64,
    /// Slices of each island.
    pub(super) n_slices: u64,
    /// Ticks of all islands together.
    pub(super) work: u64,
    pub(super) exchanged: Exchanged,
}

/// What came of it.
#[derive(Clone, Debug)]
pub(super) struct ArchipelagoEnd {
    pub(super) best: Solution,
    pub(super) n_tubes: u64,
    /// Windows that were not searched because they had been searched before.
    pub(super) n_skipped: u64,
    /// Different solutions that the islands end with.
    pub(super) n_bests: usize,
}

/// One island between two slices.
struct Island {
    name: String,
    seed: u64,
    best: Solution,
    checkpoint: Option<Checkpoint>,
    windows: Arc<IslandWindows>,
}

impl Archipelago {
    /// Runs the islands from the level's start, each with so many bytes.
    pub(super) fn run(&self, level: &BenchLevel, objective: Objective, memory: u64) -> ArchipelagoEnd {
        let key = Knobs::default().exchange_key(&level.level, objective);
        let island = |seed: u64| Island {
            name: format!("island {seed}"),
            seed,
            best: level.start.clone(),
            checkpoint: None,
            windows: Arc::new(IslandWindows::new(key, MemoryAccount::new(memory))),
        };
        let mut islands: Vec<_> = (0..self.n_islands).map(island).collect();
        let slice = (self.work / self.n_islands / self.n_slices).max(1);
        let score = |solution: &Solution| objective.score(&solution.metrics());
        let mut n_tubes = 0;
        for _ in 0..self.n_slices {
            for at in 0..islands.len() {
                if self.exchanged.solutions
                    && let Some(best) = islands.iter().map(|island| &island.best).min_by_key(|best| score(best))
                    && score(best) < score(&islands[at].best)
                {
                    islands[at].best = best.clone();
                }
                n_tubes += islands[at].run_slice(level, objective, slice, memory, self.exchanged.windows);
                let news = islands[at].windows.take_news();
                if self.exchanged.windows {
                    let (name, others) = (islands[at].name.clone(), islands.iter().enumerate());
                    for (_, other) in others.filter(|(other, _)| *other != at) {
                        other.windows.absorb(&name, &news);
                    }
                }
            }
        }
        let mut bests: Vec<_> = islands.iter().map(|island| island.best.lurd().to_string()).collect();
        bests.sort_unstable();
        bests.dedup();
        let n_skipped = islands.iter().map(|island| island.windows.n_skipped()).sum();
        let best = islands.into_iter().map(|island| island.best).min_by_key(score);
        ArchipelagoEnd { best: best.expect("invariant: there is an island"), n_tubes, n_skipped, n_bests: bests.len() }
    }
}

impl Island {
    /// Runs for so many ticks from the last checkpoint. Returns the number of tubes searched.
    fn run_slice(&mut self, level: &BenchLevel, objective: Objective, ticks: u64, memory: u64, shares: bool) -> u64 {
        let pool = Pool::new(&level.level, &self.best, &[objective]);
        let budget = Budget::new(None, MemoryAccount::new(memory), Cancel::default()).with_work(Some(ticks));
        let knobs = Knobs::default().with_seed(self.seed);
        let knobs = if shares { knobs.with_window_exchange(self.windows.clone()) } else { knobs };
        let mut cx = Context::new(&pool, objective, &budget, &());
        let (_, last) = optimize_from(&knobs, self.checkpoint.as_ref(), None, &mut cx);
        self.checkpoint = last;
        self.best = pool.best(objective);
        cx.tally().n_tubes
    }
}

impl fmt::Display for Archipelago {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.n_islands, self.n_slices) {
            (1, 1) => write!(f, "one run")?,
            (1, _) => write!(f, "1 island")?,
            (n, _) => write!(f, "{n} islands")?,
        }
        match self.exchanged {
            Exchanged { windows: false, solutions: false } => write!(f, ", each alone"),
            Exchanged { windows: false, .. } => write!(f, " without windows"),
            Exchanged { solutions: false, .. } => write!(f, " without solutions"),
            Exchanged { .. } => Ok(()),
        }
    }
}
