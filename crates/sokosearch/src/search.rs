//! A search through a tube: what to search, with which engine, and what came of it.

use sokocore::{Direction, Metric, Objective};

use crate::{
    ClosedSet, ConfigStore, Context, LiveIndex, MemoryAccount, Order, Spine, Stop, backward, lockstep, search_exact,
};

/// The two engines. They agree on the two metrics that an order counts, which property tests check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// Backward, with all six metrics refined, where the order counts moves and pushes; else as the reference.
    #[default]
    Fast,
    /// The lockstep search of the YASO description: simple, forward.
    Reference,
}

/// From where to where to search, in which order, and how.
#[derive(Clone, Copy, Debug)]
pub struct Stretch<'a> {
    /// The live squares of the level.
    pub live: &'a LiveIndex,
    /// The spine to improve.
    pub spine: &'a Spine,
    /// Number of the spine state to start from.
    pub from: usize,
    /// Number of the spine state to end at; the last one stands for every solved state, or for those with the player
    /// on its square where the pool keeps ends.
    pub to: usize,
    /// What to minimize.
    pub order: Order,
    /// The order in which directions are tried.
    pub directions: [Direction; 4],
    /// Which engine to use.
    pub engine: Engine,
}

/// What a search did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// Whether the pool took a solution for the run's own objective.
    pub improved: bool,
    /// States expanded.
    pub n_states: u64,
    /// Bytes of what was kept for each state, and of queues at their largest.
    pub bytes: u64,
    /// How far a next attempt should go when this one did not finish for lack of memory.
    pub reached: usize,
    /// Whether everything cheaper than the result was searched.
    pub finished: bool,
    /// Whether the result is the best in all six metrics of what was searched, not only in those that the engine
    /// counts.
    pub refined: bool,
}

impl Engine {
    pub(crate) fn is_backward(self, order: Order) -> bool {
        self == Self::Fast && matches!(order, Order::MovesPushes | Order::PushesMoves)
    }

    /// Bytes that a search in this order keeps for each configuration.
    pub(crate) fn bytes_per_config(self, order: Order, n_squares: usize) -> u64 {
        let (bits, more) = if self.is_backward(order) { (2, 1) } else { (order.n_planes(), 0) };
        ClosedSet::bytes_for(8, n_squares, bits) / 8 + more
    }

    /// Bytes that configurations and what is kept for their states may take; the rest is for queues.
    pub(crate) fn byte_limit(self, order: Order, account: &MemoryAccount) -> u64 {
        account.free() / 10 * if self.is_backward(order) { 8 } else { 4 }
    }

    /// Returns whether the engines count the objective's first metric. If not, [`search`] does without them.
    #[must_use]
    pub fn counts(objective: &Objective) -> bool {
        !matches!(objective.order()[0], Metric::BoxChanges | Metric::PushingSessions | Metric::PlayerLines)
    }

    /// Returns whether a search through the whole space of a level proves its result optimal in all six metrics.
    #[must_use]
    pub fn proves(self, objective: &Objective) -> bool {
        let [first, second, ..] = *objective.order();
        let exact = first == Metric::Moves || (first == Metric::Pushes && second == Metric::Moves);
        exact && self.is_backward(Order::of(objective))
    }
}

/// Searches the stretch through the configurations of `store`, offering what it finds to the pool.
///
/// # Errors
/// The run was stopped; the best that was found by then has been offered. Lack of memory is not an error but a
/// report that says that the search did not finish.
///
/// # Panics
/// If the store lacks a configuration of the stretch.
pub fn search<S: ConfigStore>(stretch: Stretch<'_>, store: &S, cx: &mut Context<'_>) -> Result<Report, Stop> {
    if stretch.engine.is_backward(stretch.order) {
        backward::search(stretch, store, cx)
    } else {
        lockstep::search(stretch, store, cx)
    }
}

/// Searches the stretch like [`search`], but by the objective itself ([`search_exact`]) where no engine counts its
/// first metric.
///
/// # Errors
/// As for [`search`].
///
/// # Panics
/// If the store lacks a configuration of the stretch.
pub fn search_by_objective<S: ConfigStore>(
    stretch: Stretch<'_>,
    store: &S,
    cx: &mut Context<'_>,
) -> Result<Report, Stop> {
    if Engine::counts(&cx.objective()) { search(stretch, store, cx) } else { search_exact(stretch, store, cx) }
}
