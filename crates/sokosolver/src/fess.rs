//! Feature space search: no single evaluation, but cells of positions with equal features, expanded in turn.
//!
//! ```text
//!   SharedTables: tables, proofs of deadlocks, positions known from either side
//!      ▲ shared by all
//!   FessWorker, one for each thread ── slices of ── VariantScheduler
//!                                                      │ variant ─── first phase:  a plan, or an open position
//!                                                      │             second phase: a search that aims at it
//!                                                      └ variant ─── ...
//!   a phase is a PullSearch or a PushSearch: macro moves ──▶ features, advisors ──▶ FessTree
//!   where a search by pushes and one by pulls meet the level is solved
//! ```
//!
//! The method is Yaron Shoham's and Jonathan Schaeffer's (FESS, 2020), of the solver Festival, whose strategies the
//! [`variant`]s are; written from a description of what they do.
//!
//! # Contents, in reading order
//! * [`macro_move`], [`features`], [`tree`]: the moves, what is measured of a position, and the tree.
//! * [`push_search`], [`pull_search`], [`search_core`], [`side_search`]: the searches from either side.
//! * [`push_aim`], [`pull_aim`]: their scores. [`advisors`]: the moves that go first. [`move_weights`]: what a macro move
//!   weighs. [`sinks`]: where pulled boxes leave the board.
//! * [`plan`]: the packing plan that a search by pulls finds. [`known_positions`], [`path`]: where two searches meet.
//! * [`variant`], [`variant_phases`], [`variant_searches`]: the variants, their phases and their searches.
//!   [`variant_scheduler`], [`worker`], [`slice_end`]: how threads share them.
//! * [`tables`], [`shared_tables`]: what is computed once for a level.
//!
//! Invariant: plans and pruning lose solutions, so nothing follows when all trees are exhausted.

mod advisors;
mod features;
mod known_positions;
mod macro_move;
mod move_weights;
mod path;
mod plan;
mod pull_aim;
mod pull_search;
mod push_aim;
mod push_search;
mod search_core;
mod shared_tables;
mod side_search;
mod sinks;
mod slice_end;
pub(crate) mod tables;
mod tree;
pub(crate) mod variant;
mod variant_phases;
mod variant_scheduler;
mod variant_searches;
mod worker;

use std::sync::Arc;

use sokocore::Level;
use sokosearch::Stop;

use crate::board::SearchDirection;
use crate::board::level_tables::LevelTables;
use crate::deadlock::pattern_table::PatternMaker;
use crate::{Optimal, PartTimes, Search, SearchStats, Settings, Technique, Verdict, WorkMeter};
use features::hotspots::Hotspots;
pub(crate) use features::rooms::Rooms;
use shared_tables::SharedTables;
use tables::FessTables;
pub(crate) use variant::FessVariant;
use worker::FessWorker;

/// A feature space search that can be paused.
#[derive(Debug)]
struct Fess<const W: usize> {
    name: &'static str,
    variants: &'static [&'static FessVariant],
    state: FessState<W>,
}

/// The tables, then the search.
#[derive(Debug)]
enum FessState<const W: usize> {
    SetUp(Box<SetUp<W>>),
    Worker(Box<FessWorker<W>>),
    Over,
}

/// The tables while they are made.
#[derive(Debug)]
struct SetUp<const W: usize> {
    tables: FessTables<W>,
    makers: [PatternMaker; 2],
    hotspots: Hotspots<W>,
    settings: Settings,
}

/// Makes a feature space search. It proves nothing, so it gives up at once if the settings ask for a proof.
///
/// # Errors
/// The reason to stop while the tables are made; the end of a slice is none.
pub(crate) fn fess(
    name: &'static str,
    level: &Level,
    settings: &Settings,
    variants: &'static [&'static FessVariant],
    meter: &mut WorkMeter,
) -> Result<Box<dyn Search>, Stop> {
    if settings.optimal != Optimal::Any {
        return Ok(Box::new(NotApplicable(name)));
    }
    let Some(level_tables) = LevelTables::within(level, meter)? else { return Ok(Box::new(NotApplicable(name))) };
    let level_tables = Arc::new(level_tables);
    Ok(match level_tables.board().n_words() {
        // Debug assertions mark a build for tests, which has fewer widths: each is compiled anew.
        #[cfg(not(debug_assertions))]
        0..=1 => Box::new(Fess::<1>::new(name, level_tables, settings, variants, meter)?),
        0..=2 => Box::new(Fess::<2>::new(name, level_tables, settings, variants, meter)?),
        #[cfg(not(debug_assertions))]
        3..=4 => Box::new(Fess::<4>::new(name, level_tables, settings, variants, meter)?),
        n_words if n_words <= 16 => Box::new(Fess::<16>::new(name, level_tables, settings, variants, meter)?),
        _ => Box::new(NotApplicable(name)),
    })
}

/// Takes the place of the search for a level that it cannot handle.
#[derive(Debug)]
struct NotApplicable(&'static str);

impl Search for NotApplicable {
    fn name(&self) -> &str {
        self.0
    }

    fn resume(&mut self, _: &mut WorkMeter) -> Result<Verdict, Stop> {
        Ok(Verdict::GaveUp)
    }
}

impl<const W: usize> Fess<W> {
    fn new(
        name: &'static str,
        level_tables: Arc<LevelTables>,
        settings: &Settings,
        variants: &'static [&'static FessVariant],
        meter: &mut WorkMeter,
    ) -> Result<Self, Stop> {
        let tables = FessTables::within(level_tables, meter)?;
        let settings = settings.clone().without(Technique::Triples);
        let maker = |direction| PatternMaker::new(tables.board(), direction, &settings);
        let makers = [SearchDirection::Forward, SearchDirection::Backward].map(maker);
        let hotspots = Hotspots::default();
        Ok(Self { name, variants, state: FessState::SetUp(Box::new(SetUp { tables, makers, hotspots, settings })) })
    }

    /// Makes the tables, then the worker.
    fn prepare(&mut self, meter: &mut WorkMeter) -> Result<(), Stop> {
        let FessState::SetUp(set_up) = &mut self.state else { return Ok(()) };
        let board = set_up.tables.board();
        while !set_up.hotspots.is_done(board) {
            meter.ticks_of((board.n_squares() * board.n_boxes() / 64) as u64 + 1)?;
            set_up.hotspots.grow(board, &set_up.tables.goals);
        }
        for maker in &mut set_up.makers {
            maker.resume(meter)?;
        }
        let FessState::SetUp(set_up) = std::mem::replace(&mut self.state, FessState::Over) else { return Ok(()) };
        let SetUp { tables, makers, hotspots, settings } = *set_up;
        let patterns = makers.map(|maker| Arc::new(maker.finish(tables.board(), meter)));
        let shared = SharedTables::new(Arc::new(tables), Arc::new(hotspots), patterns, settings, meter);
        self.state = FessState::Worker(Box::new(FessWorker::new(shared, self.variants)));
        Ok(())
    }
}

impl<const W: usize> Search for Fess<W> {
    fn name(&self) -> &str {
        self.name
    }

    fn resume(&mut self, meter: &mut WorkMeter) -> Result<Verdict, Stop> {
        self.prepare(meter)?;
        meter.mark_set_up();
        let FessState::Worker(worker) = &mut self.state else { return Ok(Verdict::GaveUp) };
        Ok(worker.resume(meter)?.map_or(Verdict::GaveUp, Verdict::Solved))
    }

    fn n_nodes(&self) -> u64 {
        self.stats().expanded
    }

    fn stats(&self) -> SearchStats {
        if let FessState::Worker(worker) = &self.state { worker.stats() } else { SearchStats::default() }
    }

    fn part_times(&self) -> PartTimes {
        if let FessState::Worker(worker) = &self.state { worker.shared.sampler.times() } else { PartTimes::default() }
    }

    fn fork_worker(&self, meter: &WorkMeter) -> Option<Box<dyn Search>> {
        let FessState::Worker(worker) = &self.state else { return None };
        let state = FessState::Worker(Box::new(worker.fork_worker(meter)));
        Some(Box::new(Self { name: self.name, variants: self.variants, state }))
    }
}

#[cfg(test)]
pub(crate) mod tests;
