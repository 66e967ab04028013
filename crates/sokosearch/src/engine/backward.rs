//! The backward engine: searches a tube by pulls from the end, then refines all six metrics on the optimal paths.
//!
//! 1. **Backward.** From the end of the window, in moves/pushes or pushes/moves order. The search visits only states from
//!    which the end can be reached, each with its exact cost to go. No parents are stored: two bits a state hold the
//!    moves to go modulo 3 (see `mod3_distances`), queues are recycled, nothing else grows.
//! 2. **Joins.** A spine state whose cost to go is less than the spine's own gives a *join*: the spine up to it, then the
//!    new rest. The best join is announced as its gain grows, and is what a stopped search offers.
//! 3. **Refine.** Forward from the start (or the join) through the states that lie on optimal paths, minimizing the
//!    remaining metrics (see `refine`).
//!
//! When states are marked as visited: with several ends, moves to go have no parity, so the argument of the forward
//! engine fails (trap 14). Instead all states of one cost, a *group*, are popped together:
//! * pushes/moves: pulls are marked when popped, the whole group before any of it is expanded; walks when generated.
//!   States generated later cost at least as much.
//! * moves/pushes: all are marked when generated. The walks of a group cost less than its pulls; where pushes to go have
//!   no parity either, because several solved configurations are ends, the walks of the whole group are generated first.

mod mod3_distances;

use sokocore::{Direction, Square};

use self::mod3_distances::{DistancesOnBoard, Mod3Distances};
use crate::engine::path::joins::{Joins, Refinement};
use crate::engine::spine_index::{SpineIndex, SpineTieBreak};
use crate::engine::state::State;
use crate::store::bits::toggle_both;
use crate::store::recycling_queue::RecyclingQueue;
use crate::store::spans::Spans;
use crate::tube::spine::SpineRange;
use crate::{
    Charge, ConfigId, ConfigStore, Context, Cost, Engine, LiveIndex, MemoryAccount, Report, SearchWindow, Stop,
};

/// See [`crate::search`].
pub(crate) fn search<S: ConfigStore>(
    window: SearchWindow<'_>,
    store: &S,
    cx: &mut Context<'_>,
) -> Result<Report, Stop> {
    let halfway = window.from + (window.to - window.from) / 2;
    let unfinished =
        Report { improved: false, n_states: 0, bytes: 0, reached: halfway, finished: false, refined: false };
    let mut search = match BackwardSearch::new(window, store, cx) {
        Ok(search) => search,
        Err(Stop::Memory) => return Ok(unfinished),
        Err(stop) => return Err(stop),
    };
    let end = search.run(cx);
    let n_states = search.n_states;
    let bytes = search.distances.bytes() + search.walks.bytes() + search.pulls.bytes();
    cx.count_tube(store.n_configs() as u64, n_states, store.bytes() + bytes);
    let best = search.joins.best();
    let finished = best.is_some_and(|join| join.state == window.from);
    if let Some(join) = best {
        // Refinement only adds to a path that is in the pool already.
        let refinement = if finished && end.is_ok() { Refinement::AllMetrics } else { Refinement::None };
        let distances = DistancesOnBoard { board: cx.level().board(), distances: &search.distances };
        search.joins.offer(join, refinement, store, &distances, cx);
    }
    let finished = finished && !search.joins.paths_failed();
    let report = Report { improved: search.joins.improved(), n_states, bytes, ..unfinished };
    match end {
        Ok(()) | Err(Stop::Memory) if finished => {
            // The refinement may have been cut off.
            cx.poll()?;
            Ok(Report { reached: window.to, finished, refined: search.joins.refined(), ..report })
        }
        Ok(()) | Err(Stop::Memory) => Ok(report),
        Err(stop) => Err(stop),
    }
}

/// Searches the window, and moves the run to a random one of the optimal paths through it: often another solution of
/// equal worth, a step on the plateau. Returns whether the search finished. With orders that do not count moves and
/// pushes nothing happens.
///
/// # Errors
/// The run was stopped.
///
/// # Panics
/// If the store lacks a configuration of the window.
pub fn plateau_walk<S: ConfigStore>(
    window: SearchWindow<'_>,
    store: &S,
    seed: u64,
    cx: &mut Context<'_>,
) -> Result<bool, Stop> {
    if window.order.moves_in(Cost::default()).is_none() || !Engine::counts(&cx.objective()) {
        return Ok(false);
    }
    let mut search = match BackwardSearch::new(window, store, cx) {
        Ok(search) => search,
        Err(Stop::Memory) => return Ok(false),
        Err(stop) => return Err(stop),
    };
    match search.run(cx) {
        Ok(()) | Err(Stop::Memory) => {}
        Err(stop) => return Err(stop),
    }
    let Some(join) = search.joins.best().filter(|join| join.state == window.from) else { return Ok(false) };
    let distances = DistancesOnBoard { board: cx.level().board(), distances: &search.distances };
    Ok(search.joins.plateau_walk(join, seed, store, &distances, cx))
}

/// All states of one cost.
struct CostGroup {
    states: Vec<State>,
    charge: Charge,
    account: MemoryAccount,
}

impl CostGroup {
    fn new(account: &MemoryAccount) -> Self {
        Self { states: Vec::new(), charge: account.nothing(), account: account.clone() }
    }

    /// Empties the group and makes room for `n` states. The array before is freed before a larger one is made, so that
    /// never both are held.
    fn clear(&mut self, n: u64) -> Result<(), Stop> {
        self.states.clear();
        let n = usize::try_from(n).map_err(|_| Stop::Memory)?;
        if n > self.states.capacity() {
            *self = Self::new(&self.account);
            self.charge.add((n * size_of::<State>()) as u64)?;
            self.states.reserve_exact(n);
        }
        Ok(())
    }
}

/// Which predecessors to generate.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PredecessorKind {
    All,
    Walks,
    Pulls,
}

struct BackwardSearch<'a, S> {
    window: SearchWindow<'a>,
    store: &'a S,
    distances: Mod3Distances,
    walks: RecyclingQueue<State>,
    walk_spans: Spans,
    pulls: RecyclingQueue<State>,
    pull_spans: Spans,
    index: SpineIndex,
    /// Cost of the spine from the start of the window; spans above it are not expanded.
    limit: Cost,
    joins: Joins<'a>,
    /// The player's square in a solved end, where the pool keeps ends; no path passes other solved positions then.
    kept_end: Option<Square>,
    /// Whether more than one solved configuration may be the end.
    several_ends: bool,
    n_states: u64,
    key: Vec<u64>,
}

impl<'a, S: ConfigStore> BackwardSearch<'a, S> {
    fn new(window: SearchWindow<'a>, store: &'a S, cx: &Context<'_>) -> Result<Self, Stop> {
        let account = cx.budget().memory();
        let SearchWindow { spine, from, to, order, live, .. } = window;
        let total = order.cost(&spine.states()[to].metrics);
        let kept_end = cx.kept_end().filter(|_| to == spine.end());
        Ok(Self {
            window,
            store,
            distances: Mod3Distances::new(store.n_ids(), cx.level().board().n_squares(), account)?,
            walks: RecyclingQueue::new(account),
            walk_spans: Spans::default(),
            pulls: RecyclingQueue::new(account),
            pull_spans: Spans::default(),
            index: SpineIndex::new(SpineRange { spine, from, to }, SpineTieBreak::First, store, account)?,
            limit: total.minus(order.cost(&spine.states()[from].metrics)),
            joins: Joins::new(window, kept_end, account)?,
            kept_end,
            several_ends: to == spine.end() && cx.level().n_boxes() < cx.level().board().goals().len(),
            n_states: 0,
            key: vec![0; live.words()],
        })
    }

    fn run(&mut self, cx: &mut Context<'_>) -> Result<(), Stop> {
        self.seed(cx)?;
        let mut group = CostGroup::new(cx.budget().memory());
        while let Some(cost) = self.pull_spans.cost().into_iter().chain(self.walk_spans.cost()).min() {
            if cost > self.limit {
                break;
            }
            self.take_group(cost, &mut group)?;
            let kinds: &[PredecessorKind] = if self.several_ends {
                &[PredecessorKind::Walks, PredecessorKind::Pulls]
            } else {
                &[PredecessorKind::All]
            };
            for &kind in kinds {
                for &state in &group.states {
                    if self.expand(state, cost, kind, cx)? {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }

    /// Pops all states of one cost, marking those that were not marked when generated.
    fn take_group(&mut self, cost: Cost, group: &mut CostGroup) -> Result<(), Stop> {
        group.clear(self.pull_spans.count(cost) + self.walk_spans.count(cost))?;
        let moves = self.moves_in(cost);
        let marked = self.window.order.marks_generated_pushes();
        while self.pull_spans.cost() == Some(cost) {
            self.pull_spans.pop();
            let new = self
                .pulls
                .pop()
                .filter(|state| marked || self.distances.visit_after_pull(state.config, state.player, moves));
            group.states.extend(new);
        }
        while self.walk_spans.cost() == Some(cost) {
            self.walk_spans.pop();
            group.states.extend(self.walks.pop());
        }
        Ok(())
    }

    fn moves_in(&self, cost: Cost) -> u32 {
        self.window.order.moves_in(cost).expect("the backward engine counts moves and pushes")
    }

    /// Enqueues the end of the window: one state, or the predecessors of all solved configurations by a last push.
    fn seed(&mut self, cx: &mut Context<'_>) -> Result<(), Stop> {
        let SearchWindow { spine, to, live, .. } = self.window;
        if to < spine.end() {
            let state = &spine.states()[to];
            let config = self.store.find(&state.key).expect("invariant: the tube holds its spine");
            self.distances.visit_after_pull(config, state.player, 0);
            self.walk_spans.push(Cost::default());
            return self.walks.push(State { config, player: state.player });
        }
        let board = cx.level().board();
        for config in (0..self.store.n_ids()).filter_map(ConfigId::new) {
            if config.idx().is_multiple_of(1 << 14) {
                cx.poll()?;
            }
            self.store.read(config, &mut self.key);
            if self.key.iter().all(|&word| word == 0) || !live.is_solved(&self.key) {
                continue;
            }
            let boxes: Vec<Square> = LiveIndex::bits_of(&self.key).map(|bit| live.square(bit)).collect();
            for (box_sq, dir) in boxes.iter().flat_map(|&sq| Direction::ALL.map(|dir| (sq, dir))) {
                let ends_there = |sq: &Square| self.kept_end.is_none_or(|end| end == *sq);
                let player =
                    board.step(box_sq, dir.opposite()).filter(|&sq| !live.has_box(&self.key, sq)).filter(ends_there);
                if let Some(player) = player {
                    self.pull(player, dir, Cost::default(), cx)?;
                }
            }
        }
        Ok(())
    }

    /// Generates the predecessors of a state. Returns whether it is the start of the window.
    #[inline]
    fn expand(&mut self, state: State, cost: Cost, kind: PredecessorKind, cx: &mut Context<'_>) -> Result<bool, Stop> {
        let State { config, player } = state;
        if kind != PredecessorKind::Pulls {
            cx.tick()?;
            self.n_states += 1;
            if let Some(spine_state) = self.index.find(state) {
                self.compare_with_spine(spine_state, cost, cx);
                if spine_state == self.window.from {
                    return Ok(true);
                }
            }
        }
        self.store.read(config, &mut self.key);
        let passes = self.kept_end.is_none() || !self.window.live.is_solved(&self.key);
        let board = cx.level().board();
        let order = self.window.order;
        let walked = cost.plus(order.walk());
        let moves = self.moves_in(walked);
        for dir in self.window.directions {
            let Some(next) = board.step(player, dir) else { continue };
            if self.window.live.has_box(&self.key, next) {
                if kind != PredecessorKind::Walks && passes {
                    self.pull(player, dir, cost, cx)?;
                }
            } else if kind != PredecessorKind::Pulls && self.distances.visit(config, next, moves) {
                self.walks.push(State { config, player: next })?;
                self.walk_spans.push(walked);
            }
        }
        Ok(false)
    }

    /// Undoes the push in direction `dir` that left the player here. `self.key` holds the configuration after it.
    #[inline]
    fn pull(&mut self, player: Square, dir: Direction, cost: Cost, cx: &Context<'_>) -> Result<(), Stop> {
        let SearchWindow { live, order, .. } = self.window;
        let board = cx.level().board();
        let (Some(stand), Some(ahead)) = (board.step(player, dir.opposite()), board.step(player, dir)) else {
            return Ok(());
        };
        let (Some(from), Some(to)) = (live.bit(player), live.bit(ahead)) else { return Ok(()) };
        if live.has_box(&self.key, stand) {
            return Ok(());
        }
        toggle_both(&mut self.key, from, to);
        let found = self.store.find(&self.key);
        toggle_both(&mut self.key, from, to);
        let Some(config) = found else { return Ok(()) };
        let pulled = cost.plus(order.push());
        if order.marks_generated_pushes() && !self.distances.visit_after_pull(config, stand, self.moves_in(pulled)) {
            return Ok(());
        }
        self.pulls.push(State { config, player: stand })?;
        self.pull_spans.push(pulled);
        Ok(())
    }

    /// Records the cost to go of a spine state, and announces a join whose gain has grown.
    fn compare_with_spine(&mut self, state: usize, to_go: Cost, cx: &mut Context<'_>) {
        if let Some(join) = self.joins.record(state, to_go) {
            let distances = DistancesOnBoard { board: cx.level().board(), distances: &self.distances };
            self.joins.offer(join, Refinement::None, self.store, &distances, cx);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Room for two arrays would not do: the second one is made after the first was freed.
    #[test]
    fn a_cost_group_holds_one_array_and_charges_it() {
        let bytes = |n: usize| (n * size_of::<State>()) as u64;
        let account = MemoryAccount::new(bytes(1_000));
        let mut group = CostGroup::new(&account);
        for n in [600, 200, 1_000] {
            group.clear(n).unwrap();
            assert!(group.states.is_empty() && group.states.capacity() >= 600);
            assert_eq!(account.used(), bytes(group.states.capacity()));
        }
        assert_eq!(group.clear(1_001), Err(Stop::Memory));
        assert_eq!((account.used(), account.peak(), group.states.capacity()), (0, bytes(1_000), 0));
    }
}
