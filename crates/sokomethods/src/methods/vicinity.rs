//! Vicinity search: an exact shortest path through the configurations near the solution.
//!
//! The idea is Sébastien Gouëzel's; the data structures are those of Brian Damgaard's YASO description. One run is
//! one pass over the whole solution. If that does not fit into memory, the pass searches overlapping windows with
//! fixed ends (see `next_start`); after a gain it searches the same window of the better solution again.

use std::ops::RangeInclusive;

use sokosearch::{
    Boxes, Context, Engine, LiveIndex, Neighborhood, Order, Report, RingOrder, SearchWindow, Spine, Stop, StoreKind,
    Tube, TubeOptions, TubeStore, search_by_objective, search_near, search_round,
};

use crate::next_start::next_start;
use crate::{Knobs, Method, Spec};

pub(crate) const SPEC: Spec = Spec {
    name: "vicinity",
    about: "exact search through the configurations with a few boxes displaced from the solution",
    build: |knobs| Box::new(Vicinity::new(&knobs.vicinity, RingOrder::ALL[0], knobs)),
};

/// One pass of vicinity search with fixed settings.
#[derive(Clone, Debug)]
pub struct Vicinity {
    neighborhood: Neighborhood,
    engine: Engine,
    store: StoreKind,
    name: String,
}

impl Vicinity {
    /// Makes a pass that displaces up to `limits.len()` boxes, each to so many of its nearest squares. Without
    /// limits only the solution's own configurations are visited, in the best order.
    #[must_use]
    pub fn new(limits: &[usize], ring: RingOrder, knobs: &Knobs) -> Self {
        let mut limits = limits.to_vec();
        limits.sort_unstable();
        let name = match limits.as_slice() {
            [] => "spine".to_owned(),
            limits => {
                let numbers: Vec<_> = limits.iter().rev().map(ToString::to_string).collect();
                format!("vicinity {}", numbers.join("/"))
            }
        };
        let neighborhood = Neighborhood { limits, ring, boxes: Boxes::All };
        Self { neighborhood, engine: knobs.engine, store: knobs.store, name }
    }

    /// Displaces only boxes that the solution pushes within the window.
    #[must_use]
    pub fn of_pushed_boxes(mut self) -> Self {
        self.neighborhood.boxes = Boxes::Pushed;
        self.name += " of pushed boxes";
        self
    }

    /// Displaces only these boxes, given as live squares of the first state of the spine.
    #[must_use]
    pub fn of_group(mut self, group: Vec<usize>) -> Self {
        self.neighborhood.boxes = Boxes::Group(group);
        self.name += " of a group";
        self
    }

    /// Returns the displaced boxes' limits, ascending.
    #[must_use]
    pub fn limits(&self) -> &[usize] {
        &self.neighborhood.limits
    }

    /// Searches one window of the spine: from the first of `states` to the last, or as far as memory allows.
    ///
    /// # Errors
    /// It was stopped, or even two states do not fit into memory.
    pub fn run_window(
        &self,
        live: &LiveIndex,
        spine: &Spine,
        states: RangeInclusive<usize>,
        cx: &mut Context<'_>,
    ) -> Result<WindowReport, Stop> {
        let (from, last) = states.into_inner();
        let search_window = SearchWindow { from, to: last, ..self.whole(live, spine, cx) };
        if self.store == StoreKind::Auto {
            cx.working(&self.name, "searching");
            if let Some(report) = search_near(search_window, &self.neighborhood, cx)? {
                return Ok(WindowReport { to: last, report });
            }
        }
        cx.working(&self.name, "generating");
        let options = TubeOptions { engine: self.engine, order: search_window.order, store: self.store };
        let tube = Tube::around(live, spine, from..=last, &self.neighborhood, options, cx)?;
        cx.working(&self.name, "searching");
        let search_window = SearchWindow { to: tube.to, ..search_window };
        let report = match tube.into_store(live, cx)? {
            TubeStore::Hash(store) => search_by_objective(search_window, &store, cx)?,
            TubeStore::Tree(store) => search_by_objective(search_window, &store, cx)?,
        };
        Ok(WindowReport { to: search_window.to, report })
    }

    /// Searches the whole spine, with displacements around some of its states only. If the engine cannot do that,
    /// searches the window of these states.
    ///
    /// # Errors
    /// As for [`Vicinity::run_window`].
    pub fn run_round(
        &self,
        live: &LiveIndex,
        spine: &Spine,
        states: RangeInclusive<usize>,
        cx: &mut Context<'_>,
    ) -> Result<WindowReport, Stop> {
        if self.store == StoreKind::Auto {
            cx.working(&self.name, "searching");
            let (whole, last) = (self.whole(live, spine, cx), *states.end());
            if let Some(report) = search_round(whole, states.clone(), &self.neighborhood, cx)? {
                return Ok(WindowReport { to: last, report });
            }
        }
        self.run_window(live, spine, states, cx)
    }

    /// The search of the whole spine.
    fn whole<'a>(&self, live: &'a LiveIndex, spine: &'a Spine, cx: &Context<'_>) -> SearchWindow<'a> {
        let (order, directions) = (Order::of(&cx.objective()), self.neighborhood.ring.directions());
        SearchWindow { live, spine, from: 0, to: spine.end(), order, directions, engine: self.engine }
    }
}

/// The result of a window or a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowReport {
    /// Number of the last spine state searched.
    pub to: usize,
    /// The report of the search.
    pub report: Report,
}

impl Method for Vicinity {
    fn run(&self, cx: &mut Context<'_>) -> Result<bool, Stop> {
        let live = LiveIndex::new(cx.level());
        let (mut from, mut improved, mut longest) = (0, false, usize::MAX);
        loop {
            let spine = Spine::new(cx.level(), &live, &cx.incumbent(), cx.budget().memory())?;
            let end = spine.end();
            if from >= end {
                return Ok(improved);
            }
            let last = end.min(from.saturating_add(longest));
            // A spine that does not fit as a whole is searched in rounds.
            let WindowReport { to, report } = self.run_round(&live, &spine, from..=last, cx)?;
            improved |= report.improved;
            if !report.finished && last - from > 1 {
                longest = (last - from) / 2;
                continue;
            }
            if to == end && report.finished && (from == 0 || !report.improved) {
                return Ok(improved);
            }
            if !report.improved {
                from = next_start(cx.level().board(), spine.pushes(), from..to);
            }
        }
    }
}
