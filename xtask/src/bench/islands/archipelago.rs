//! Several islands on one level, in turns.

use std::fmt;
use std::sync::Arc;

use parking_lot::Mutex;
use sokocore::{Objective, Solution};
use sokomethods::{IslandWindows, Knobs, optimize};
use sokosearch::{Budget, Cancel, Context, MemoryAccount, Pool, run_jobs};

use super::turns::{TurnWatch, Turns};
use crate::bench::level_set::BenchLevel;

/// What islands exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Exchanged {
    pub(super) windows: bool,
    pub(super) solutions: bool,
}

impl Exchanged {
    pub(super) const ALL: Self = Self { windows: true, solutions: true };
    pub(super) const NOTHING: Self = Self { windows: false, solutions: false };
    pub(super) const LESS: [Self; 3] =
        [Self { windows: false, solutions: true }, Self { windows: true, solutions: false }, Self::NOTHING];
}

/// Islands that share an amount of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Archipelago {
    pub(super) n_islands: usize,
    /// Ticks of a turn.
    pub(super) turn: u64,
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

impl Archipelago {
    /// Runs the islands from the level's start, each with so many bytes.
    pub(super) fn run(&self, level: &BenchLevel, objective: Objective, memory: u64) -> ArchipelagoEnd {
        let key = Knobs::default().exchange_key(&level.level, objective);
        let windows: Vec<_> =
            (0..self.n_islands).map(|_| Arc::new(IslandWindows::new(key, MemoryAccount::new(memory)))).collect();
        let pools: Vec<_> = windows.iter().map(|_| Pool::new(&level.level, &level.start, &[objective])).collect();
        let (turns, n_tubes) = (Turns::new(self.n_islands), Mutex::new(0));
        let run = |me: usize| {
            turns.wait(me);
            let exchange = || self.exchange(me, objective, &pools, &windows);
            let watch = TurnWatch::new(&turns, me, self.turn, &exchange);
            let work = self.work / self.n_islands as u64;
            let budget = Budget::new(None, MemoryAccount::new(memory), Cancel::default()).with_work(Some(work));
            let knobs = Knobs::default().with_seed(me as u64);
            let knobs = if self.exchanged.windows { knobs.with_window_exchange(windows[me].clone()) } else { knobs };
            let mut cx = Context::new(&pools[me], objective, &budget, &watch);
            // Whatever has ended it, its best solution is in the pool.
            let _: Result<(), sokosearch::Stop> = optimize(&knobs, &mut cx);
            *n_tubes.lock() += cx.tally().n_tubes;
            exchange();
            turns.end(me);
        };
        // A thread for each: all but one wait.
        run_jobs(self.n_islands, 0..self.n_islands, run);
        let mut bests: Vec<_> = pools.iter().map(|pool| pool.best(objective)).collect();
        bests.sort_by_key(|best| (objective.score(&best.metrics()), best.lurd().to_string()));
        bests.dedup_by(|one, other| one.lurd() == other.lurd());
        let n_skipped = windows.iter().map(|island| island.n_skipped()).sum();
        let (best, n_tubes) = (bests[0].clone(), n_tubes.into_inner());
        ArchipelagoEnd { best, n_tubes, n_skipped, n_bests: bests.len() }
    }

    /// Tells the other islands what one has found and searched.
    fn exchange(&self, me: usize, objective: Objective, pools: &[Pool<'_>], windows: &[Arc<IslandWindows>]) {
        let (best, news) = (pools[me].best(objective), windows[me].take_news());
        for other in (0..self.n_islands).filter(|&other| other != me) {
            if self.exchanged.solutions {
                pools[other].offer(best.lurd()).expect("invariant: it solves the level");
            }
            if self.exchanged.windows {
                windows[other].absorb(&format!("island {me}"), &news);
            }
        }
    }
}

impl fmt::Display for Archipelago {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.n_islands == 1 {
            return write!(f, "one run");
        }
        write!(f, "{} islands", self.n_islands)?;
        match self.exchanged {
            Exchanged::NOTHING => write!(f, ", each alone"),
            Exchanged { windows: false, .. } => write!(f, " without windows"),
            Exchanged { solutions: false, .. } => write!(f, " without solutions"),
            Exchanged { .. } => Ok(()),
        }
    }
}
