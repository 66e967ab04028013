//! Phase lattice: every box stays on its path through the solution, but may be early or late.
//!
//! ```text
//!   path of box 1   a─b─c─d─e        phase vector (2, 1): box 1 on c, box 2 on q
//!   path of box 2   p─q─r            within distance 1: (1,1) (3,1) (2,0) (2,2)
//! ```
//!
//! A phase vector is the number of pushes of each box along its own path. The configurations are those of all vectors
//! within distance D (the sum over the boxes) of the vector of some spine state. A search through them is an exact
//! reordering with several boxes shifted at once, and finds shortcuts where paths cross. At each state only the boxes
//! that are pushed soonest before or after it are shifted, as many as keep the number of vectors within bounds.

use std::ops::Range;

use sokocore::pushes_of;
use sokosearch::{
    ConfigSet, ConfigStore, Context, Engine, LiveIndex, Order, Report, RingOrder, SearchWindow, Spine, Stop,
    search_by_objective,
};

use crate::next_start::{next_start, windows};
use crate::{Method, Piece, Spec};

mod phase_paths;

use phase_paths::PhasePaths;

pub(crate) const SPEC: Spec = Spec {
    name: "phase lattice",
    about: "exact reordering: several boxes early or late on their own ways",
    build: |knobs| Box::new(PhaseLattice::new(knobs.phase_distance, knobs.engine)),
};

/// Most vectors around one state: with more, fewer boxes are shifted.
const MAX_VECTORS: u64 = 10_000;
/// Configurations in one window. A longer solution is searched in overlapping windows.
const MAX_CONFIGS: usize = 100_000;

/// Pushes in one piece of the work.
const PIECE: usize = 100;

/// One pass of phase lattice search.
#[derive(Clone, Debug)]
pub struct PhaseLattice {
    distance: usize,
    pushes: Range<usize>,
    max_configs: usize,
    engine: Engine,
}

impl PhaseLattice {
    /// Makes a pass in which the boxes may be up to `distance` pushes early or late, added up.
    #[must_use]
    pub const fn new(distance: usize, engine: Engine) -> Self {
        Self { distance, pushes: 0..usize::MAX, max_configs: MAX_CONFIGS, engine }
    }

    /// Restricts the pass to these pushes of the solution, so that a schedule can resume after a slice.
    #[must_use]
    pub const fn within(mut self, pushes: Range<usize>) -> Self {
        self.pushes = pushes;
        self
    }

    /// Generates the configurations around the states from `from` to `last`, or as far as memory and the number of
    /// configurations allow. Returns them and the last state.
    pub(crate) fn configs<'s, 'a: 's>(
        &self,
        live: &'s LiveIndex,
        spine: &Spine,
        (from, last): (usize, usize),
        max_configs: usize,
        cx: &mut Context<'a>,
    ) -> Result<(ConfigSet<'s>, usize), Stop> {
        let paths = PhasePaths::new(cx.level(), live, spine, cx.budget().memory())?;
        let mut vectors = PhaseVectors {
            paths: &paths,
            n_active: n_active_boxes(self.distance),
            set: ConfigSet::new(live, self.engine, cx)?,
            phases: paths.phases_at(from),
            active: Vec::new(),
            moved: Vec::new(),
            key: Vec::new(),
        };
        let mut to = from;
        for at in from..=last {
            match vectors.add_around(at, &spine.states()[at].key, self.distance, cx) {
                Ok(()) => to = at,
                Err(Stop::Memory) if to > from => break,
                Err(stop) => return Err(stop),
            }
            if to > from && vectors.set.store().n_configs() > max_configs {
                break;
            }
            if at < last {
                vectors.phases[paths.pushed(at)] += 1;
            }
        }
        Ok((vectors.set, to))
    }

    /// Searches from state `from` to `last`, or as far as memory and the size of a window allow. Returns the last
    /// state.
    fn window(
        &self,
        live: &LiveIndex,
        spine: &Spine,
        (from, last): (usize, usize),
        cx: &mut Context<'_>,
    ) -> Result<(usize, Report), Stop> {
        cx.working("phase lattice", "generating");
        let (set, to) = self.configs(live, spine, (from, last), self.max_configs, cx)?;
        cx.working("phase lattice", "searching");
        let (order, directions) = (Order::of(&cx.objective()), RingOrder::ALL[0].directions());
        let search_window = SearchWindow { live, spine, from, to, order, directions, engine: self.engine };
        Ok((to, search_by_objective(search_window, set.store(), cx)?))
    }
}

impl Method for PhaseLattice {
    fn run(&self, cx: &mut Context<'_>) -> Result<bool, Stop> {
        let live = LiveIndex::new(cx.level());
        let (mut from, mut improved, mut longest) = (self.pushes.start, false, usize::MAX);
        loop {
            cx.poll()?;
            let incumbent = cx.incumbent();
            let spine = Spine::new(cx.level(), &live, &incumbent, cx.budget().memory())?;
            let end = spine.end().min(self.pushes.end);
            if from >= end {
                return Ok(improved);
            }
            let last = end.min(from.saturating_add(longest));
            let (to, report) = self.window(&live, &spine, (from, last), cx)?;
            let gain = cx.has_improved_on(&incumbent.metrics());
            improved |= gain;
            if !report.finished {
                longest = report.reached.saturating_sub(from).clamp(1, longest);
            }
            if to == end && report.finished && (from == self.pushes.start || !gain) {
                return Ok(improved);
            }
            if !gain {
                from = next_start(cx.level().board(), spine.pushes(), from..to);
            }
        }
    }

    fn pieces(&self, cx: &mut Context<'_>) -> Result<Vec<Piece>, Stop> {
        let pushes = pushes_of(cx.level(), cx.incumbent().lurd());
        Ok(windows(cx.level().board(), &pushes, PIECE).map(|pushes| Piece { pushes, kind: 0 }).collect())
    }

    fn run_piece(&self, piece: &Piece, cx: &mut Context<'_>) -> Result<bool, Stop> {
        self.clone().within(piece.pushes.clone()).run(cx)
    }
}

/// Generates the configurations of the phase vectors around spine states.
struct PhaseVectors<'c, 's> {
    paths: &'c PhasePaths,
    n_active: usize,
    set: ConfigSet<'s>,
    /// The phase vector of the current state.
    phases: Vec<usize>,
    /// The boxes that are shifted around the current state.
    active: Vec<usize>,
    /// The bits of the boxes that are shifted in the current vector.
    moved: Vec<usize>,
    /// The configuration of the current vector; two boxes on one square cancel out.
    key: Vec<u64>,
}

impl PhaseVectors<'_, '_> {
    fn add_around(&mut self, at: usize, center: &[u64], distance: usize, cx: &mut Context<'_>) -> Result<(), Stop> {
        self.set.add(center, cx)?;
        self.paths.nearest(at, &self.phases, self.n_active, &mut self.active);
        self.key.clear();
        self.key.extend_from_slice(center);
        let n_boxes = count(center);
        self.shift(0, distance, n_boxes, cx)
    }

    /// Shifts the active boxes from number `rank` on by at most `left` steps in all.
    fn shift(&mut self, rank: usize, left: usize, n_boxes: u32, cx: &mut Context<'_>) -> Result<(), Stop> {
        let Some(&n) = self.active.get(rank).filter(|_| left > 0) else { return self.add(n_boxes, cx) };
        self.shift(rank + 1, left, n_boxes, cx)?;
        let (path, phase) = (self.paths.of(n), self.phases[n]);
        let earliest = phase.saturating_sub(left);
        let latest = (phase + left).min(path.len() - 1);
        for other in (earliest..=latest).filter(|&other| other != phase) {
            self.toggle(path[phase], path[other]);
            self.moved.push(path[other]);
            let done = self.shift(rank + 1, left - phase.abs_diff(other), n_boxes, cx);
            self.moved.pop();
            self.toggle(path[phase], path[other]);
            done?;
        }
        Ok(())
    }

    fn add(&mut self, n_boxes: u32, cx: &mut Context<'_>) -> Result<(), Stop> {
        if count(&self.key) == n_boxes {
            self.set.add_unless_dead(&self.key, &self.moved, cx).map(|_| ())
        } else {
            cx.tick()
        }
    }

    fn toggle(&mut self, one: usize, other: usize) {
        self.key[one / 64] ^= 1 << (one % 64);
        self.key[other / 64] ^= 1 << (other % 64);
    }
}

fn count(key: &[u64]) -> u32 {
    key.iter().map(|word| word.count_ones()).sum()
}

/// The largest number of boxes whose vectors within `distance` of one vector are at most [`MAX_VECTORS`].
fn n_active_boxes(distance: usize) -> usize {
    // vectors[d]: of the boxes so far, exactly at distance d.
    let mut vectors = vec![0_u64; distance + 1];
    vectors[0] = 1;
    for n_boxes in 0..64 {
        let next = |d: usize| (1..=d).fold(vectors[d], |sum, step| sum + 2 * vectors[d - step]);
        let more: Vec<u64> = (0..=distance).map(next).collect();
        if more.iter().sum::<u64>() > MAX_VECTORS {
            return n_boxes;
        }
        vectors = more;
    }
    64
}

#[cfg(test)]
mod tests;
