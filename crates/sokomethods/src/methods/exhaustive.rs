//! Exhaustive search of levels whose whole space fits into memory: the result is optimal and independent of the start.
//!
//! If the search ends by itself and counts all metrics that decide, the result is *proved* optimal in all six
//! metrics, and the run is over.

use sokosearch::{
    Context, Engine, LiveIndex, Order, RingOrder, SearchWindow, Spine, Stop, n_placements, search_by_objective,
    search_everything, search_exact, whole_space,
};

use crate::{Knobs, Method, Spec};

pub(crate) const SPEC: Spec = Spec {
    name: "exhaustive",
    about: "searches the whole space of a small level and proves the result optimal",
    build: |knobs| Box::new(Exhaustive::new(knobs)),
};

/// Search of the whole space.
#[derive(Clone, Debug)]
pub struct Exhaustive {
    knobs: Knobs,
}

/// Ticks for each placement of the boxes: pulls tried when generating it, then states expanded.
const TICKS_PER_PLACEMENT: u64 = 20;

impl Exhaustive {
    /// Makes the method.
    #[must_use]
    pub fn new(knobs: &Knobs) -> Self {
        Self { knobs: knobs.clone() }
    }

    /// Returns an estimate of its ticks; `None` if the space is too large.
    #[must_use]
    pub fn estimate(live: &LiveIndex, cx: &Context<'_>) -> Option<u64> {
        n_placements(cx.level(), live).map(|n| n * TICKS_PER_PLACEMENT)
    }

    /// Returns whether several threads can share the search.
    pub(crate) fn is_shared(knobs: &Knobs, cx: &Context<'_>) -> bool {
        knobs.engine.proves(&cx.objective()) && cx.level().n_boxes() == cx.level().board().goals().len()
    }
}

impl Method for Exhaustive {
    fn run(&self, cx: &mut Context<'_>) -> Result<bool, Stop> {
        let live = LiveIndex::new(cx.level());
        let order = Order::of(&cx.objective());
        let engine = self.knobs.engine;
        let spine = Spine::new(cx.level(), &live, &cx.incumbent(), cx.budget().memory())?;
        let directions = RingOrder::ALL[0].directions();
        let search_window =
            SearchWindow { live: &live, spine: &spine, from: 0, to: spine.end(), order, directions, engine };
        let mut improved = false;
        if engine.proves(&cx.objective()) {
            cx.working("exhaustive", "searching");
            if let Some(report) = search_everything(search_window, cx)? {
                improved = report.improved;
                if report.refined {
                    cx.prove();
                }
                if report.refined || !report.finished {
                    return cx.poll().map(|()| improved);
                }
            }
        }
        cx.working("exhaustive", "collecting configurations");
        let Some(store) = whole_space(&live, engine, order, cx)? else { return cx.poll().map(|()| improved) };
        cx.working("exhaustive", "searching");
        let report = search_by_objective(search_window, &store, cx)?;
        improved |= report.improved;
        let by_objective = !Engine::counts(&cx.objective());
        let mut is_proved = report.refined && (by_objective || engine.proves(&cx.objective()));
        if report.finished && !is_proved {
            // The two metrics that an engine counts are optimal; now the others.
            cx.working("exhaustive", "searching all six metrics");
            let spine = Spine::new(cx.level(), &live, &cx.incumbent(), cx.budget().memory())?;
            let search_window = SearchWindow { spine: &spine, to: spine.end(), ..search_window };
            let report = search_exact(search_window, &store, cx)?;
            improved |= report.improved;
            is_proved = report.finished;
        }
        if is_proved {
            cx.prove();
        }
        Ok(improved)
    }
}
