//! Joins: the spine up to one of its states, then a cheaper rest that a backward search has found.

use sokocore::{Push, Square};

use crate::optimal_steps::OptimalSteps;
use crate::refine::refine;
use crate::steps_to_go::MovesToGo;
use crate::trace::{Choice, PathRoom, trace};
use crate::{ConfigStore, Context, Cost, MemoryAccount, Order, Stop, Stretch};

/// A spine state with its cost to go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Join {
    pub(crate) state: usize,
    pub(crate) to_go: Cost,
    pub(crate) gain: (i64, i64),
}

/// The joins of one search.
#[derive(Debug)]
pub(crate) struct Joins<'a> {
    stretch: Stretch<'a>,
    kept_end: Option<Square>,
    best: Option<Join>,
    announced: i64,
    /// Whether the pool took one of the joins offered for the run's own objective.
    improved: bool,
    /// Whether no path could be read from the moves to go.
    paths_failed: bool,
    refined: bool,
    room: PathRoom,
}

impl<'a> Joins<'a> {
    /// Sets memory aside for reading paths.
    ///
    /// # Errors
    /// There is too little.
    pub(crate) fn new(stretch: Stretch<'a>, kept_end: Option<Square>, account: &MemoryAccount) -> Result<Self, Stop> {
        let moves = |at: usize| stretch.spine.states()[at].metrics.moves;
        // With fewer pushes a way may have more moves.
        let times = if stretch.order == Order::PushesMoves { 2 } else { 1 };
        let moves = times * (moves(stretch.to) - moves(stretch.from));
        let room = PathRoom::new(u32::try_from(moves).unwrap_or(u32::MAX), account)?;
        let (paths_failed, refined) = (false, false);
        Ok(Self { stretch, kept_end, best: None, announced: 0, improved: false, paths_failed, refined, room })
    }

    pub(crate) const fn best(&self) -> Option<Join> {
        self.best
    }

    pub(crate) const fn improved(&self) -> bool {
        self.improved
    }

    /// Returns whether the best of the optimal ways in all six metrics was found.
    pub(crate) const fn refined(&self) -> bool {
        self.refined
    }

    pub(crate) const fn paths_failed(&self) -> bool {
        self.paths_failed
    }

    /// Keeps the best join; the start of the stretch, where the search ends, counts as that. Returns it if it should be
    /// announced: when the gain has grown by a quarter.
    pub(crate) fn note(&mut self, state: usize, to_go: Cost) -> Option<Join> {
        let Stretch { spine, to, order, from, .. } = self.stretch;
        let old = order.cost(&spine.states()[to].metrics).minus(order.cost(&spine.states()[state].metrics));
        let gain = to_go.gain_over(old);
        let is_start = state == from;
        if !is_start && gain <= self.best.map_or((0, 0), |join| join.gain) {
            return None;
        }
        let join = Join { state, to_go, gain };
        self.best = Some(join);
        if is_start || gain.0 <= self.announced + self.announced / 4 {
            return None;
        }
        self.announced = gain.0;
        self.best
    }

    /// Offers the spine up to a join, then an optimal way from there; then, if asked, the best of the optimal ways.
    pub(crate) fn offer<S: ConfigStore>(
        &mut self,
        (join, refines): (Join, bool),
        store: &S,
        steps: &dyn MovesToGo,
        cx: &mut Context<'_>,
    ) {
        let stretch = Stretch { from: join.state, ..self.stretch };
        let moves = stretch.order.moves_in(join.to_go).expect("backward engines count moves and pushes");
        let optimal = OptimalSteps::new(stretch, store, steps, moves, self.kept_end);
        let spliced = |rest: &[Push]| stretch.spine.spliced(stretch.from, stretch.to, rest);
        let plain = trace(&optimal, Choice::First, &mut self.room, cx);
        self.paths_failed = plain.is_none();
        if let Some(rest) = plain.as_ref().filter(|_| join.gain > (0, 0)) {
            self.improved |= cx.found_pushes(&spliced(rest));
        }
        let refined = if refines { refine(&optimal, cx) } else { None };
        self.refined = refined.is_some();
        if refines && let Some(rest) = refined.or(plain) {
            self.improved |= cx.found_pushes(&spliced(&rest));
        }
    }

    /// Turns to the spine up to a join, then the one of the optimal ways from there that the seed chooses; returns
    /// whether one was read.
    pub(crate) fn wander<S: ConfigStore>(
        &mut self,
        (join, seed): (Join, u64),
        store: &S,
        steps: &dyn MovesToGo,
        cx: &mut Context<'_>,
    ) -> bool {
        let stretch = Stretch { from: join.state, ..self.stretch };
        let moves = stretch.order.moves_in(join.to_go).expect("backward engines count moves and pushes");
        let optimal = OptimalSteps::new(stretch, store, steps, moves, self.kept_end);
        let Some(rest) = trace(&optimal, Choice::Random(seed), &mut self.room, cx) else { return false };
        if stretch.order == Order::PushesMoves && rest.len() as u64 != u64::from(join.to_go.primary) {
            // As many moves, but more pushes: the moves to go do not tell.
            return false;
        }
        let pushes = stretch.spine.spliced(stretch.from, stretch.to, &rest);
        if !cx.found_pushes(&pushes) {
            cx.wander_to(&pushes);
        }
        true
    }
}
