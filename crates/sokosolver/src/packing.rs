//! The packing-order search: goals are filled in an order found by playing the level backward, with boxes parked where
//! they are not in the way, and a best-first search of single pushes is guided along that order.
//!
//! ```text
//!   level ─▶ reverse game ─▶ Order: phases n..1 ─▶ Run: open list by score ─▶ pushes
//!             (four rules)                          │ ▲
//!                                     rooms met, dead ends │ │ every push checked, old paths too
//!                                                          ▼ │
//!                                                        DeadlockLearner: deadlock sets, shared by all runs
//! ```
//!
//! No order fits every level, so there is one run for each of several, and they take turns in growing slices. What one
//! learns about deadlocks holds for all.
//!
//! The method is Brian Damgaard's, of his solver YASS; written from a description of what it does. Here: patterns that
//! know the player's region exactly, short proofs, and several orders instead of one.
//!
//! Invariant: the search loses solutions (corrals, trusted hashes), so when all runs are exhausted nothing follows.
//!
//! **For other searches**: `deadlock_sets` says how a push is checked against what was learned.

mod open_buckets;
mod order;
mod order_maker;
mod order_scheduler;
mod phase;
mod pull_walk;
mod reverse_game;
mod run;
mod score;
mod tree;
pub(crate) mod variant;

use sokocore::Level;
use sokosearch::{Charge, Stop};

use self::order_scheduler::OrderScheduler;
use self::run::Step;
use self::variant::CorralPolicy;
use crate::board::level_tables::LevelTables;
use crate::deadlock::learner::DeadlockLearner;
use crate::{Optimal, Search, Settings, Verdict, WorkMeter};

pub(crate) use variant::Variant;

/// A search by packing orders that can be paused.
#[derive(Debug)]
pub(crate) struct Packing {
    name: &'static str,
    variants: &'static [Variant],
    settings: Settings,
    /// The level, as long as the search has not begun.
    level: Option<Level>,
    /// `None` after that if the level has no solution, or is not of the kind that this search is for.
    stage: Option<Stage>,
    charge: Option<Charge>,
}

#[derive(Debug)]
struct Stage {
    yard: LevelTables,
    lessons: DeadlockLearner,
    turns: OrderScheduler,
}

impl Packing {
    /// Makes a search by these orders; it is prepared when it goes on for the first time, with an eye on the clock.
    pub(crate) fn new(name: &'static str, level: &Level, variants: &'static [Variant]) -> Self {
        let settings = Settings::default();
        Self { name, variants, settings, level: Some(level.clone()), stage: None, charge: None }
    }

    /// Measures the level, unless that is done.
    fn prepare(&mut self, effort: &mut WorkMeter) -> Result<(), Stop> {
        if let Some(level) = &self.level {
            self.stage = LevelTables::within(level, effort)?.map(|yard| {
                let lessons = DeadlockLearner::new(&yard).by(&self.settings);
                Stage { yard, lessons, turns: OrderScheduler::new(&self.chosen()) }
            });
            self.level = None;
        }
        Ok(())
    }

    /// The variants, as far as the settings let them look for corrals.
    fn chosen(&self) -> Vec<Variant> {
        let mut chosen = self.variants.to_vec();
        if !self.settings.pi_corrals {
            chosen.iter_mut().for_each(|variant| variant.exempt = CorralPolicy::Nowhere);
            let mut plans = Vec::new();
            chosen.retain(|variant| !plans.contains(&variant.plan) && plans.push_mut(variant.plan) == &variant.plan);
        }
        chosen
    }

    /// Returns the positions found so far by all runs.
    #[cfg(test)]
    fn n_positions(&self) -> usize {
        self.stage.as_ref().map_or(0, |stage| stage.turns.n_positions())
    }
}

/// Makes a search by packing orders. It proves nothing, so it gives up at once if the settings ask for a proof.
pub(crate) fn packing(
    name: &'static str,
    level: &Level,
    settings: &Settings,
    variants: &'static [Variant],
) -> Box<dyn Search> {
    let mut search = Packing::new(name, level, variants);
    search.settings = settings.clone();
    if settings.optimal != Optimal::Any {
        search.level = None;
    }
    Box::new(search)
}

impl Search for Packing {
    fn name(&self) -> &str {
        self.name
    }

    fn n_nodes(&self) -> u64 {
        self.stage.as_ref().map_or(0, |stage| stage.turns.n_expanded())
    }

    fn resume(&mut self, effort: &mut WorkMeter) -> Result<Verdict, Stop> {
        self.prepare(effort)?;
        effort.mark_set_up();
        let Some(Stage { yard, lessons, turns }) = &mut self.stage else { return Ok(Verdict::GaveUp) };
        if yard.ground().starts().iter().all(|&sq| yard.is_goal(sq)) {
            return Ok(Verdict::Solved(Vec::new()));
        }
        let charge = self.charge.get_or_insert_with(|| effort.memory().nothing());
        loop {
            let owed = lessons.bytes().saturating_sub(charge.bytes());
            if owed > 0 {
                charge.add(owed + 64 * 1024)?;
            }
            match turns.step(yard, lessons, effort)? {
                Step::Went => {}
                Step::Solved(pushes) => return Ok(Verdict::Solved(pushes)),
                Step::Exhausted => return Ok(Verdict::GaveUp),
            }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
