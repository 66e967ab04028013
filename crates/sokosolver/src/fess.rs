//! Search in the space of features: no evaluation, but cells of positions alike, visited in turn.
//!
//! ```text
//!   Terrain ──▶ Backward ──plan──▶ Forward ──▶ pushes
//!   tables      pulls, sinks       leaps, cells, advisors; deadlocks looked for when a leap is made
//! ```
//!
//! The method is Yaron Shoham's and Jonathan Schaeffer's (FESS, 2020), of the solver Festival; written from a
//! description of what it does. Moves are macro moves ([`leaps`]), and the order of packing comes from a backward
//! search that takes boxes off the board as they reach a start square.
//!
//! Invariant: plan and pruning lose solutions, so when the tree is exhausted nothing follows.

mod advisors;
mod backward;
mod forest;
mod forward;
mod hotspots;
mod leaps;
mod pairing;
mod plan;
mod rooms;
mod terrain;
mod verdict;
mod view;
mod zones;

use sokocore::Level;
use sokosearch::Stop;

use crate::ground::Way;
use crate::packing::Yard;
use crate::patterns::PatternMaker;
use crate::{Effort, Optimal, Search, Settings, Verdict};
use backward::Backward;
use forward::{Ending, Forward};
use hotspots::Hotspots;
use terrain::Terrain;

/// A search by features that can be paused.
#[derive(Debug)]
struct Fess<const W: usize> {
    name: &'static str,
    terrain: Terrain<W>,
    maker: Option<PatternMaker>,
    hotspots: Hotspots<W>,
    backward: Option<Backward<W>>,
    forward: Option<Forward<W>>,
}

/// Makes a search by features. It proves nothing, so it gives up at once if the settings ask for a proof.
pub(crate) fn fess(name: &'static str, level: &Level, settings: &Settings) -> Box<dyn Search> {
    let yard = Yard::new(level).filter(|_| settings.optimal == Optimal::Any);
    let Some(yard) = yard else { return Box::new(Nothing(name)) };
    match yard.ground().n_words() {
        0..=2 => Box::new(Fess::<2>::new(name, yard, settings)),
        3..=4 => Box::new(Fess::<4>::new(name, yard, settings)),
        5..=16 => Box::new(Fess::<16>::new(name, yard, settings)),
        _ => Box::new(Nothing(name)),
    }
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
    fn new(name: &'static str, yard: Yard, settings: &Settings) -> Self {
        let terrain = Terrain::new(yard);
        let settings = Settings { triples: false, ..settings.clone() };
        let maker = Some(PatternMaker::new(terrain.ground(), Way::Forward, &settings));
        Self { name, terrain, maker, hotspots: Hotspots::default(), backward: None, forward: None }
    }

    /// Makes the tables and the plan, then the forward search.
    fn prepare(&mut self, effort: &mut Effort) -> Result<(), Stop> {
        let ground = self.terrain.ground();
        while !self.hotspots.is_done(ground) {
            effort.ticks_of((ground.n_squares() * ground.n_boxes() / 64) as u64 + 1)?;
            self.hotspots.grow(ground, &self.terrain.goals);
        }
        if let Some(maker) = &mut self.maker {
            maker.go_on(ground, effort)?;
        }
        let backward = self.backward.get_or_insert_with(|| Backward::new(&self.terrain, effort));
        let plan = backward.go_on(&self.terrain, effort)?;
        tracing::debug!(steps = plan.len(), expanded = backward.n_nodes(), "packing plan");
        if let Some(maker) = self.maker.take() {
            let patterns = maker.finish(self.terrain.ground(), effort);
            let hotspots = std::mem::take(&mut self.hotspots);
            self.forward = Some(Forward::new(&self.terrain, plan, hotspots, patterns, effort));
        }
        Ok(())
    }
}

impl<const W: usize> Search for Fess<W> {
    fn name(&self) -> &str {
        self.name
    }

    fn go_on(&mut self, effort: &mut Effort) -> Result<Verdict, Stop> {
        if self.terrain.starts == self.terrain.goals {
            return Ok(Verdict::Solved(Vec::new()));
        }
        if self.forward.is_none() {
            self.prepare(effort)?;
        }
        let Some(forward) = &mut self.forward else { return Ok(Verdict::GaveUp) };
        match forward.go_on(&self.terrain, effort)? {
            Ending::Solved(pushes) => Ok(Verdict::Solved(pushes)),
            Ending::Exhausted => {
                tracing::debug!(expanded = forward.n_nodes(), cells = forward.n_cells(), "exhausted");
                Ok(Verdict::GaveUp)
            }
        }
    }

    fn n_nodes(&self) -> u64 {
        let backward = self.backward.as_ref().map_or(0, Backward::n_nodes);
        (backward + self.forward.as_ref().map_or(0, Forward::n_nodes)) as u64
    }
}

#[cfg(test)]
mod tests;
