//! Search in the space of features: no evaluation, but cells of positions alike, visited in turn.
//!
//! ```text
//!   SharedTables: tables, proofs of deadlocks, positions known from either side
//!      ▲ shared by all
//!   Team ─── member ─── first phase:  Backward ──▶ a plan, or an open position
//!      │                second phase: Forward goes for it, with leaps, cells and advisors
//!      └──── member ─── ...            where two trees meet the level is solved
//! ```
//!
//! The method is Yaron Shoham's and Jonathan Schaeffer's (FESS, 2020), of the solver Festival, whose strategies the
//! [`variant`]s are; written from a description of what they do. Moves are macro moves ([`leaps`]).
//!
//! Invariant: plans and pruning lose solutions, so when all trees are exhausted nothing follows.

mod advisors;
mod backward;
mod features;
mod forward;
mod macro_move;
mod meeting;
mod perimeter;
mod plan;
mod pull_aim;
mod push_aim;
mod shared_tables;
mod sinks;
mod step;
pub(crate) mod tables;
mod team;
mod tree;
pub(crate) mod variant;
mod variant_scheduler;

use sokocore::Level;
use sokosearch::Stop;

use crate::board::SearchDirection;
use crate::board::level_tables::LevelTables;
use crate::deadlock::pattern_table::PatternMaker;
use crate::{Optimal, Search, Settings, Verdict, WorkMeter};
use features::hotspots::Hotspots;
pub(crate) use features::rooms::Rooms;
use shared_tables::SharedTables;
use tables::FessTables;
use team::Team;
pub(crate) use variant::Variant;

/// A search by features that can be paused.
#[derive(Debug)]
struct Fess<const W: usize> {
    name: &'static str,
    variants: &'static [&'static Variant],
    state: State<W>,
}

/// First the tables, then the search.
#[derive(Debug)]
enum State<const W: usize> {
    Tables(Box<Tables<W>>),
    Team(Box<Team<W>>),
    Over,
}

/// The tables in the making.
#[derive(Debug)]
struct Tables<const W: usize> {
    terrain: FessTables<W>,
    makers: [PatternMaker; 2],
    hotspots: Hotspots<W>,
    settings: Settings,
}

/// Makes a search by features. It proves nothing, so it gives up at once if the settings ask for a proof.
///
/// # Errors
/// The reason to stop while the level is measured; the end of a slice is none.
pub(crate) fn fess(
    name: &'static str,
    level: &Level,
    settings: &Settings,
    variants: &'static [&'static Variant],
    effort: &mut WorkMeter,
) -> Result<Box<dyn Search>, Stop> {
    if settings.optimal != Optimal::Any {
        return Ok(Box::new(Nothing(name)));
    }
    let Some(yard) = LevelTables::within(level, effort)? else { return Ok(Box::new(Nothing(name))) };
    Ok(match yard.ground().n_words() {
        0..=1 => Box::new(Fess::<1>::new(name, yard, settings, variants, effort)?),
        2 => Box::new(Fess::<2>::new(name, yard, settings, variants, effort)?),
        3..=4 => Box::new(Fess::<4>::new(name, yard, settings, variants, effort)?),
        5..=16 => Box::new(Fess::<16>::new(name, yard, settings, variants, effort)?),
        _ => Box::new(Nothing(name)),
    })
}

/// What is left when a level is not for this search.
#[derive(Debug)]
struct Nothing(&'static str);

impl Search for Nothing {
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
        yard: LevelTables,
        settings: &Settings,
        variants: &'static [&'static Variant],
        effort: &mut WorkMeter,
    ) -> Result<Self, Stop> {
        let terrain = FessTables::within(yard, effort)?;
        let settings = Settings { triples: false, ..settings.clone() };
        let maker = |way| PatternMaker::new(terrain.ground(), way, &settings);
        let makers = [SearchDirection::Forward, SearchDirection::Backward].map(maker);
        let hotspots = Hotspots::default();
        Ok(Self { name, variants, state: State::Tables(Box::new(Tables { terrain, makers, hotspots, settings })) })
    }

    /// Makes the tables, then the team.
    fn prepare(&mut self, effort: &mut WorkMeter) -> Result<(), Stop> {
        let State::Tables(tables) = &mut self.state else { return Ok(()) };
        let ground = tables.terrain.ground();
        while !tables.hotspots.is_done(ground) {
            effort.ticks_of((ground.n_squares() * ground.n_boxes() / 64) as u64 + 1)?;
            tables.hotspots.grow(ground, &tables.terrain.goals);
        }
        for maker in &mut tables.makers {
            maker.resume(effort)?;
        }
        let State::Tables(tables) = std::mem::replace(&mut self.state, State::Over) else { return Ok(()) };
        let Tables { terrain, makers, hotspots, settings } = *tables;
        let patterns = makers.map(|maker| maker.finish(terrain.ground(), effort));
        let commons = SharedTables::new(terrain, hotspots, patterns, settings, effort);
        self.state = State::Team(Box::new(Team::new(commons, self.variants)));
        Ok(())
    }
}

impl<const W: usize> Search for Fess<W> {
    fn name(&self) -> &str {
        self.name
    }

    fn resume(&mut self, effort: &mut WorkMeter) -> Result<Verdict, Stop> {
        self.prepare(effort)?;
        effort.mark_set_up();
        let State::Team(team) = &mut self.state else { return Ok(Verdict::GaveUp) };
        Ok(team.resume(effort)?.map_or(Verdict::GaveUp, Verdict::Solved))
    }

    fn n_nodes(&self) -> u64 {
        if let State::Team(team) = &self.state { team.n_nodes() } else { 0 }
    }

    fn fork_worker(&self, effort: &WorkMeter) -> Option<Box<dyn Search>> {
        let State::Team(team) = &self.state else { return None };
        let state = State::Team(Box::new(team.fork_worker(effort)));
        Some(Box::new(Self { name: self.name, variants: self.variants, state }))
    }
}

#[cfg(test)]
pub(crate) mod tests;
