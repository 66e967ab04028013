//! Packing-order search: a reverse game finds the order in which goals are filled, with boxes parked where they are not
//! in the way; a best-first search of single pushes follows this order.
//!
//! ```text
//!   level ─▶ ReverseGame ─▶ PackingOrder: phases n..1 ─▶ OrderSearch: open list by score ─▶ pushes
//!                    (four rules)                            │ ▲
//!                                      enclosed areas, stuck │ │ every push checked, those of old paths too
//!                                                  positions ▼ │
//!                                               DeadlockLearner: deadlock sets, shared by all order searches
//! ```
//!
//! No order fits every level, so there is one search for each of several orders; they take turns in growing slices, and
//! share what they learn about deadlocks.
//!
//! The method is Brian Damgaard's, of his solver YASS; written from a description of what it does. Here: patterns that
//! know the player's region exactly, short proofs, and several orders instead of one.
//!
//! # Contents, in reading order
//! * [`reverse_game`], [`pull_walk`]: the game that finds an order. [`order`], [`phase`]: the order, and the phase of a
//!   path.
//! * [`order_search`], [`score`], [`push_tree`], [`open_buckets`]: the search along an order.
//! * [`variant`], [`order_maker`], [`order_scheduler`]: several orders by turns.
//!
//! Invariant: the search loses solutions (corrals, trusted hashes), so nothing follows when all orders are exhausted.

mod open_buckets;
mod order;
mod order_maker;
mod order_scheduler;
mod order_search;
mod phase;
mod pull_walk;
mod push_tree;
mod reverse_game;
mod score;
pub(crate) mod variant;

use std::sync::Arc;

use sokocore::Level;
use sokosearch::Stop;

use self::order_scheduler::OrderScheduler;
use self::order_search::StepEnd;
use self::variant::CorralPolicy;
use crate::board::SearchDirection;
use crate::board::level_tables::LevelTables;
use crate::deadlock::library::DeadlockLibrary;
use crate::deadlock::library_parts::LibraryParts;
use crate::search_kind::SearchKind;
use crate::{Optimal, PartTimes, Search, SearchStats, Settings, Technique, Verdict, WorkMeter};

pub(crate) use variant::PackingVariant;

/// A packing-order search that can be paused.
#[derive(Debug)]
pub(crate) struct PackingSearch {
    name: &'static str,
    variants: &'static [PackingVariant],
    settings: Settings,
    /// The level, until the search begins.
    level: Option<Level>,
    /// `None` after that if the level has no solution, or is not of the kind that this search is for.
    prepared: Option<Prepared>,
}

#[derive(Debug)]
struct Prepared {
    tables: Arc<LevelTables>,
    library: DeadlockLibrary,
    scheduler: OrderScheduler,
}

impl PackingSearch {
    /// Makes a search by these variants; tables are made when it is first resumed, within its budget.
    pub(crate) fn new(name: &'static str, level: &Level, variants: &'static [PackingVariant]) -> Self {
        let settings = Settings::default();
        Self { name, variants, settings, level: Some(level.clone()), prepared: None }
    }

    /// Makes the tables, unless they are made.
    fn prepare(&mut self, meter: &mut WorkMeter) -> Result<(), Stop> {
        if let Some(level) = &self.level {
            self.prepared = LevelTables::within(level, meter)?.map(|tables| {
                let tables = Arc::new(tables);
                let library = DeadlockLibrary::new(&LibraryParts {
                    level: tables.level(),
                    board: tables.board(),
                    tables: Some(&tables),
                    patterns: None,
                    search: SearchKind::Packing,
                    direction: SearchDirection::Forward,
                    settings: &self.settings,
                    meter,
                });
                Prepared { tables, library, scheduler: OrderScheduler::new(&self.chosen()) }
            });
            self.level = None;
        }
        Ok(())
    }

    /// Returns the variants, without corrals if the settings say so, each order once.
    fn chosen(&self) -> Vec<PackingVariant> {
        let mut chosen = self.variants.to_vec();
        if !self.settings.uses(Technique::PiCorrals) {
            chosen.iter_mut().for_each(|variant| variant.corrals = CorralPolicy::Off);
            let mut known = Vec::new();
            chosen.retain(|variant| {
                let is_new = !known.contains(&variant.rules);
                known.push(variant.rules);
                is_new
            });
        }
        chosen
    }

    /// Returns the positions found by all order searches.
    #[cfg(test)]
    fn n_positions(&self) -> usize {
        self.prepared.as_ref().map_or(0, |prepared| prepared.scheduler.n_positions())
    }
}

/// Makes a packing-order search. It proves nothing, so it gives up at once if the settings ask for a proof.
pub(crate) fn packing(
    name: &'static str,
    level: &Level,
    settings: &Settings,
    variants: &'static [PackingVariant],
) -> Box<dyn Search> {
    let mut search = PackingSearch::new(name, level, variants);
    search.settings = settings.clone();
    if settings.optimal != Optimal::Any {
        search.level = None;
    }
    Box::new(search)
}

impl Search for PackingSearch {
    fn name(&self) -> &str {
        self.name
    }

    fn n_nodes(&self) -> u64 {
        self.stats().expanded
    }

    fn stats(&self) -> SearchStats {
        self.prepared.as_ref().map(|prepared| prepared.scheduler.stats()).unwrap_or_default()
    }

    fn part_times(&self) -> PartTimes {
        self.prepared.as_ref().map(|prepared| prepared.scheduler.part_times()).unwrap_or_default()
    }

    fn resume(&mut self, meter: &mut WorkMeter) -> Result<Verdict, Stop> {
        self.prepare(meter)?;
        meter.mark_set_up();
        let Some(Prepared { tables, library, scheduler }) = &mut self.prepared else { return Ok(Verdict::GaveUp) };
        if tables.board().starts().iter().all(|&sq| tables.is_goal(sq)) {
            return Ok(Verdict::Solved(Vec::new()));
        }
        loop {
            match scheduler.step(tables, library, meter)? {
                StepEnd::Advanced => {}
                StepEnd::Solved(pushes) => return Ok(Verdict::Solved(pushes)),
                StepEnd::Exhausted => return Ok(Verdict::GaveUp),
            }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
