//! Joins: the spine up to one of its states, then a cheaper rest found by a backward search.

use sokocore::{Push, Square};

use crate::engine::path::moves_to_go::MovesToGo;
use crate::engine::path::optimal_paths::OptimalPaths;
use crate::engine::path::refine::refine;
use crate::engine::path::trace::{PathChoice, PathReserve, trace};
use crate::order::Gain;
use crate::{ConfigStore, Context, Cost, MemoryAccount, Order, SearchWindow, Stop};

/// A spine state, with its cost to go and how much less than the spine's own that is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Join {
    pub(crate) state: usize,
    pub(crate) to_go: Cost,
    pub(crate) gain: Gain,
}

/// Whether to search the optimal paths for the best in all six metrics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refinement {
    /// Any optimal path will do.
    None,
    /// The best in all six metrics is wanted as well.
    AllMetrics,
}

/// The joins of one search.
#[derive(Debug)]
pub(crate) struct Joins<'a> {
    window: SearchWindow<'a>,
    kept_end: Option<Square>,
    best: Option<Join>,
    announced: i64,
    /// Whether the pool took one of the joins offered for the run's own objective.
    improved: bool,
    /// Whether no path could be read from the moves to go.
    paths_failed: bool,
    refined: bool,
    reserve: PathReserve,
}

impl<'a> Joins<'a> {
    /// Reserves memory for reading paths.
    ///
    /// # Errors
    /// There is too little.
    pub(crate) fn new(
        window: SearchWindow<'a>,
        kept_end: Option<Square>,
        account: &MemoryAccount,
    ) -> Result<Self, Stop> {
        let moves = |at: usize| window.spine.states()[at].metrics.moves;
        // A path with fewer pushes may have more moves.
        let times = if window.order == Order::PushesMoves { 2 } else { 1 };
        let moves = times * (moves(window.to) - moves(window.from));
        let reserve = PathReserve::new(u32::try_from(moves).unwrap_or(u32::MAX), account)?;
        let (paths_failed, refined) = (false, false);
        Ok(Self { window, kept_end, best: None, announced: 0, improved: false, paths_failed, refined, reserve })
    }

    pub(crate) const fn best(&self) -> Option<Join> {
        self.best
    }

    pub(crate) const fn improved(&self) -> bool {
        self.improved
    }

    /// Returns whether the best of the optimal paths in all six metrics was found.
    pub(crate) const fn refined(&self) -> bool {
        self.refined
    }

    pub(crate) const fn paths_failed(&self) -> bool {
        self.paths_failed
    }

    /// Keeps the join if it is the best so far; one at the start of the window, where the search ends, always is. Returns
    /// it if it should be announced: when the gain has grown by a quarter.
    pub(crate) fn record(&mut self, state: usize, to_go: Cost) -> Option<Join> {
        let SearchWindow { spine, to, order, from, .. } = self.window;
        let old = order.cost(&spine.states()[to].metrics).minus(order.cost(&spine.states()[state].metrics));
        let gain = to_go.gain_over(old);
        let is_start = state == from;
        if !is_start && gain <= self.best.map_or(Gain::default(), |join| join.gain) {
            return None;
        }
        let join = Join { state, to_go, gain };
        self.best = Some(join);
        if is_start || gain.primary <= self.announced + self.announced / 4 {
            return None;
        }
        self.announced = gain.primary;
        self.best
    }

    /// Offers the spine up to a join followed by an optimal path; then, if asked, by the best of the optimal paths.
    pub(crate) fn offer<S: ConfigStore>(
        &mut self,
        join: Join,
        refinement: Refinement,
        store: &S,
        moves_to_go: &dyn MovesToGo,
        cx: &mut Context<'_>,
    ) {
        let window = SearchWindow { from: join.state, ..self.window };
        let moves = window.order.moves_in(join.to_go).expect("backward engines count moves and pushes");
        let optimal = OptimalPaths::new(window, store, moves_to_go, moves, self.kept_end);
        let spliced = |rest: &[Push]| window.spine.spliced(window.from, window.to, rest);
        let plain = trace(&optimal, PathChoice::First, &mut self.reserve, cx);
        self.paths_failed = plain.is_none();
        if let Some(rest) = plain.as_ref().filter(|_| join.gain > Gain::default()) {
            self.improved |= cx.found_pushes(&spliced(rest));
        }
        let refines = refinement == Refinement::AllMetrics;
        let refined = if refines { refine(&optimal, cx) } else { None };
        self.refined = refined.is_some();
        if refines && let Some(rest) = refined.or(plain) {
            self.improved |= cx.found_pushes(&spliced(&rest));
        }
    }

    /// Moves the run to the spine up to a join followed by the optimal path that the seed chooses; returns whether a path
    /// could be read.
    pub(crate) fn plateau_walk<S: ConfigStore>(
        &mut self,
        join: Join,
        seed: u64,
        store: &S,
        moves_to_go: &dyn MovesToGo,
        cx: &mut Context<'_>,
    ) -> bool {
        let window = SearchWindow { from: join.state, ..self.window };
        let moves = window.order.moves_in(join.to_go).expect("backward engines count moves and pushes");
        let optimal = OptimalPaths::new(window, store, moves_to_go, moves, self.kept_end);
        let Some(rest) = trace(&optimal, PathChoice::Random(seed), &mut self.reserve, cx) else { return false };
        if window.order == Order::PushesMoves && rest.len() as u64 != u64::from(join.to_go.primary) {
            // The table of moves to go cannot exclude a path with as many moves but more pushes.
            return false;
        }
        let pushes = window.spine.spliced(window.from, window.to, &rest);
        if !cx.found_pushes(&pushes) {
            cx.focus_on(&pushes);
        }
        true
    }
}
