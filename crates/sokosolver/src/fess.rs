//! Search in the space of features: no evaluation, but cells of positions alike, visited in turn.
//!
//! ```text
//!   Commons: tables, proofs of deadlocks, positions known from either side
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
mod assignment;
mod backward;
mod closed;
mod commons;
mod descent;
mod edges;
mod forest;
mod forward;
mod hotspots;
mod leaps;
mod lifted;
mod links;
mod meeting;
mod nodes;
mod overlap;
mod pairing;
mod perimeter;
mod plan;
mod prints;
mod pull_aim;
mod push_aim;
mod ring;
mod roll;
mod rooms;
mod sinks;
mod slab;
mod step;
mod team;
mod terrain;
mod variant;
mod verdict;
mod view;
mod worth;
mod zones;

use sokocore::Level;
use sokosearch::Stop;

use crate::ground::Way;
use crate::packing::Yard;
use crate::patterns::PatternMaker;
use crate::{Effort, Optimal, Search, Settings, Verdict};
use commons::Commons;
use hotspots::Hotspots;
pub(crate) use rooms::Rooms;
use team::Team;
use terrain::Terrain;
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
    terrain: Terrain<W>,
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
    effort: &mut Effort,
) -> Result<Box<dyn Search>, Stop> {
    if settings.optimal != Optimal::Any {
        return Ok(Box::new(Nothing(name)));
    }
    let Some(yard) = Yard::within(level, effort)? else { return Ok(Box::new(Nothing(name))) };
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

    fn go_on(&mut self, _: &mut Effort) -> Result<Verdict, Stop> {
        Ok(Verdict::GaveUp)
    }
}

impl<const W: usize> Fess<W> {
    fn new(
        name: &'static str,
        yard: Yard,
        settings: &Settings,
        variants: &'static [&'static Variant],
        effort: &mut Effort,
    ) -> Result<Self, Stop> {
        let terrain = Terrain::within(yard, effort)?;
        let settings = Settings { triples: false, ..settings.clone() };
        let maker = |way| PatternMaker::new(terrain.ground(), way, &settings);
        let makers = [Way::Forward, Way::Backward].map(maker);
        let hotspots = Hotspots::default();
        Ok(Self { name, variants, state: State::Tables(Box::new(Tables { terrain, makers, hotspots, settings })) })
    }

    /// Makes the tables, then the team.
    fn prepare(&mut self, effort: &mut Effort) -> Result<(), Stop> {
        let State::Tables(tables) = &mut self.state else { return Ok(()) };
        let ground = tables.terrain.ground();
        while !tables.hotspots.is_done(ground) {
            effort.ticks_of((ground.n_squares() * ground.n_boxes() / 64) as u64 + 1)?;
            tables.hotspots.grow(ground, &tables.terrain.goals);
        }
        for maker in &mut tables.makers {
            maker.go_on(effort)?;
        }
        let State::Tables(tables) = std::mem::replace(&mut self.state, State::Over) else { return Ok(()) };
        let Tables { terrain, makers, hotspots, settings } = *tables;
        let patterns = makers.map(|maker| maker.finish(terrain.ground(), effort));
        let commons = Commons::new(terrain, hotspots, patterns, settings, effort);
        self.state = State::Team(Box::new(Team::new(commons, self.variants)));
        Ok(())
    }
}

impl<const W: usize> Search for Fess<W> {
    fn name(&self) -> &str {
        self.name
    }

    fn go_on(&mut self, effort: &mut Effort) -> Result<Verdict, Stop> {
        self.prepare(effort)?;
        effort.mark_set_up();
        let State::Team(team) = &mut self.state else { return Ok(Verdict::GaveUp) };
        Ok(team.go_on(effort)?.map_or(Verdict::GaveUp, Verdict::Solved))
    }

    fn n_nodes(&self) -> u64 {
        if let State::Team(team) = &self.state { team.n_nodes() } else { 0 }
    }

    fn another_hand(&self, effort: &Effort) -> Option<Box<dyn Search>> {
        let State::Team(team) = &self.state else { return None };
        let state = State::Team(Box::new(team.another_hand(effort)));
        Some(Box::new(Self { name: self.name, variants: self.variants, state }))
    }
}

#[cfg(test)]
mod tests;
