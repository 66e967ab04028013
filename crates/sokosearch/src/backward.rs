//! The fast engine: searches a tube backward by pulls, then refines all six metrics on the optimal paths.
//!
//! 1. **Backward.** From the end of the stretch, in moves/pushes or pushes/moves order. Only states from which the end
//!    can be reached are ever visited, and each is known with its exact cost to go. No parents are kept: two bits a
//!    state remember the moves to go modulo 3 (see `steps_to_go`), queues are recycled, nothing else grows.
//! 2. **On the way**, a spine state whose cost to go is less than the spine's own gives a *join*: the spine up to it,
//!    then the new rest. The best join is announced as it grows, and saves what was found when the search is stopped.
//! 3. **Refine.** Forward from the start (or the join) through the states that lie on optimal paths, minimizing the
//!    remaining metrics (see `refine`).
//!
//! Which states are marked when. Coming from many ends at once, moves to go have no parity, so the forward engine's
//! argument fails (trap 14). Instead all states of one cost, a *group*, are taken together:
//! * pushes/moves: pulled states are marked when taken, the whole group before any of it is expanded; walks when
//!   generated. Whatever is generated later costs at least as much.
//! * moves/pushes: all are marked when generated. The walks of a group cost less than its pulls; where several solved
//!   configurations leave pushes to go without parity too, the walks of the whole group are generated first.

use sokocore::{Direction, Square};

use crate::join::Joins;
use crate::queue::RecyclingQueue;
use crate::span::Spans;
use crate::spine_index::{OfEqual, SpineIndex};
use crate::steps_to_go::{SquaresOf, StepsToGo};
use crate::{Charge, ConfigId, ConfigStore, Context, Cost, Engine, LiveIndex, Report, Stop, Stretch};

/// See [`crate::search`].
pub(crate) fn search<S: ConfigStore>(stretch: Stretch<'_>, store: &S, cx: &mut Context<'_>) -> Result<Report, Stop> {
    let halfway = stretch.from + (stretch.to - stretch.from) / 2;
    let unfinished =
        Report { improved: false, n_states: 0, bytes: 0, reached: halfway, finished: false, refined: false };
    let mut search = match Backward::new(stretch, store, cx) {
        Ok(search) => search,
        Err(Stop::Memory) => return Ok(unfinished),
        Err(stop) => return Err(stop),
    };
    let end = search.run(cx);
    let n_states = search.n_states;
    let bytes = search.steps.bytes() + search.walks.bytes() + search.pulls.bytes();
    cx.count_tube(store.n_configs() as u64, n_states, store.bytes() + bytes);
    let best = search.joins.best();
    let finished = best.is_some_and(|join| join.state == stretch.from);
    if let Some(join) = best {
        // Refinement only adds to a path that is in the pool already.
        let refines = finished && end.is_ok();
        let steps = SquaresOf { board: cx.level().board(), steps: &search.steps };
        search.joins.offer((join, refines), store, &steps, cx);
    }
    let finished = finished && !search.joins.paths_failed();
    let report = Report { improved: search.joins.improved(), n_states, bytes, ..unfinished };
    match end {
        Ok(()) | Err(Stop::Memory) if finished => {
            // The refinement may have been cut off.
            cx.poll()?;
            Ok(Report { reached: stretch.to, finished, refined: search.joins.refined(), ..report })
        }
        Ok(()) | Err(Stop::Memory) => Ok(report),
        Err(stop) => Err(stop),
    }
}

/// Searches the stretch, and turns to a random one of the best ways through it: often another solution of equal
/// worth. Returns whether the search came to its end. Orders that do not count moves and pushes stay where they are.
///
/// # Errors
/// The run was stopped.
///
/// # Panics
/// If the store lacks a configuration of the stretch.
pub fn wander<S: ConfigStore>(stretch: Stretch<'_>, store: &S, seed: u64, cx: &mut Context<'_>) -> Result<bool, Stop> {
    if stretch.order.moves_in(Cost::default()).is_none() || !Engine::counts(&cx.objective()) {
        return Ok(false);
    }
    let mut search = match Backward::new(stretch, store, cx) {
        Ok(search) => search,
        Err(Stop::Memory) => return Ok(false),
        Err(stop) => return Err(stop),
    };
    match search.run(cx) {
        Ok(()) | Err(Stop::Memory) => {}
        Err(stop) => return Err(stop),
    }
    let Some(join) = search.joins.best().filter(|join| join.state == stretch.from) else { return Ok(false) };
    let steps = SquaresOf { board: cx.level().board(), steps: &search.steps };
    Ok(search.joins.wander((join, seed), store, &steps, cx))
}

/// A state waiting on a queue.
#[derive(Clone, Copy)]
struct Waiting {
    config: ConfigId,
    player: Square,
}

/// All states of one cost.
struct Group {
    states: Vec<Waiting>,
    charge: Charge,
}

impl Group {
    /// Empties the group and makes room for `n` states.
    fn clear(&mut self, n: u64) -> Result<(), Stop> {
        self.states.clear();
        let n = usize::try_from(n).map_err(|_| Stop::Memory)?;
        let more = n.saturating_sub(self.states.capacity());
        self.charge.add((more * size_of::<Waiting>()) as u64)?;
        self.states.reserve_exact(n);
        Ok(())
    }
}

/// Which predecessors to make.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sweep {
    Both,
    Walks,
    Pulls,
}

struct Backward<'a, S> {
    stretch: Stretch<'a>,
    store: &'a S,
    steps: StepsToGo,
    walks: RecyclingQueue<Waiting>,
    walk_spans: Spans,
    pulls: RecyclingQueue<Waiting>,
    pull_spans: Spans,
    index: SpineIndex,
    /// Cost of the spine from the start of the stretch; spans above it are not expanded.
    limit: Cost,
    joins: Joins<'a>,
    /// Where the player has to be in a solved end. A solved position elsewhere ends the game, so none is passed then.
    kept_end: Option<Square>,
    /// Whether more than one solved configuration may be the end.
    several_ends: bool,
    n_states: u64,
    key: Vec<u64>,
}

impl<'a, S: ConfigStore> Backward<'a, S> {
    fn new(stretch: Stretch<'a>, store: &'a S, cx: &Context<'_>) -> Result<Self, Stop> {
        let account = cx.budget().memory();
        let Stretch { spine, from, to, order, live, .. } = stretch;
        let total = order.cost(&spine.states()[to].metrics);
        let kept_end = cx.kept_end().filter(|_| to == spine.end());
        Ok(Self {
            stretch,
            store,
            steps: StepsToGo::new(store.n_ids(), cx.level().board().n_squares(), account)?,
            walks: RecyclingQueue::new(account),
            walk_spans: Spans::default(),
            pulls: RecyclingQueue::new(account),
            pull_spans: Spans::default(),
            index: SpineIndex::new(spine, (from, to), OfEqual::First, store, account)?,
            limit: total.minus(order.cost(&spine.states()[from].metrics)),
            joins: Joins::new(stretch, kept_end, account)?,
            kept_end,
            several_ends: to == spine.end() && cx.level().n_boxes() < cx.level().board().goals().len(),
            n_states: 0,
            key: vec![0; live.words()],
        })
    }

    fn run(&mut self, cx: &mut Context<'_>) -> Result<(), Stop> {
        self.seed(cx)?;
        let mut group = Group { states: Vec::new(), charge: cx.budget().memory().nothing() };
        while let Some(cost) = self.pull_spans.cost().into_iter().chain(self.walk_spans.cost()).min() {
            if cost > self.limit {
                break;
            }
            self.take_group(cost, &mut group)?;
            let sweeps: &[Sweep] = if self.several_ends { &[Sweep::Walks, Sweep::Pulls] } else { &[Sweep::Both] };
            for &sweep in sweeps {
                for &waiting in &group.states {
                    if self.expand(waiting, cost, sweep, cx)? {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }

    /// Takes all states of one cost from the queues, marking those that were not marked when generated.
    fn take_group(&mut self, cost: Cost, group: &mut Group) -> Result<(), Stop> {
        group.clear(self.pull_spans.count(cost) + self.walk_spans.count(cost))?;
        let moves = self.moves_in(cost);
        let marked = self.stretch.order.marks_generated_pushes();
        while self.pull_spans.cost() == Some(cost) {
            self.pull_spans.pop();
            let new = self.pulls.pop().filter(|state| marked || self.steps.enter(state.config, state.player, moves));
            group.states.extend(new);
        }
        while self.walk_spans.cost() == Some(cost) {
            self.walk_spans.pop();
            group.states.extend(self.walks.pop());
        }
        Ok(())
    }

    fn moves_in(&self, cost: Cost) -> u32 {
        self.stretch.order.moves_in(cost).expect("the backward engine counts moves and pushes")
    }

    /// Enters the end of the stretch: one state, or what a last push into any solved configuration comes from.
    fn seed(&mut self, cx: &mut Context<'_>) -> Result<(), Stop> {
        let Stretch { spine, to, live, .. } = self.stretch;
        if to < spine.end() {
            let state = &spine.states()[to];
            let config = self.store.find(&state.key).expect("invariant: the tube holds its spine");
            self.steps.enter(config, state.player, 0);
            self.walk_spans.push(Cost::default());
            return self.walks.push(Waiting { config, player: state.player });
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

    /// Makes the predecessors of a state. Returns whether it is the start of the stretch.
    #[inline]
    fn expand(&mut self, waiting: Waiting, cost: Cost, sweep: Sweep, cx: &mut Context<'_>) -> Result<bool, Stop> {
        let Waiting { config, player } = waiting;
        if sweep != Sweep::Pulls {
            cx.tick()?;
            self.n_states += 1;
            if let Some(state) = self.index.find(config, player) {
                self.compare_with_spine(state, cost, cx);
                if state == self.stretch.from {
                    return Ok(true);
                }
            }
        }
        self.store.read(config, &mut self.key);
        let passes = self.kept_end.is_none() || !self.stretch.live.is_solved(&self.key);
        let board = cx.level().board();
        let order = self.stretch.order;
        let walked = cost.plus(order.walk());
        let moves = self.moves_in(walked);
        for dir in self.stretch.directions {
            let Some(next) = board.step(player, dir) else { continue };
            if self.stretch.live.has_box(&self.key, next) {
                if sweep != Sweep::Walks && passes {
                    self.pull(player, dir, cost, cx)?;
                }
            } else if sweep != Sweep::Pulls && self.steps.visit(config, next, moves) {
                self.walks.push(Waiting { config, player: next })?;
                self.walk_spans.push(walked);
            }
        }
        Ok(false)
    }

    /// Undoes the push in direction `dir` that left the player here. `self.key` holds the configuration after it.
    #[inline]
    fn pull(&mut self, player: Square, dir: Direction, cost: Cost, cx: &Context<'_>) -> Result<(), Stop> {
        let Stretch { live, order, .. } = self.stretch;
        let board = cx.level().board();
        let (Some(stand), Some(ahead)) = (board.step(player, dir.opposite()), board.step(player, dir)) else {
            return Ok(());
        };
        let (Some(from), Some(to)) = (live.bit(player), live.bit(ahead)) else { return Ok(()) };
        if live.has_box(&self.key, stand) {
            return Ok(());
        }
        self.toggle(from, to);
        let found = self.store.find(&self.key);
        self.toggle(from, to);
        let Some(config) = found else { return Ok(()) };
        let pulled = cost.plus(order.push());
        if order.marks_generated_pushes() && !self.steps.enter(config, stand, self.moves_in(pulled)) {
            return Ok(());
        }
        self.pulls.push(Waiting { config, player: stand })?;
        self.pull_spans.push(pulled);
        Ok(())
    }

    fn toggle(&mut self, one: usize, other: usize) {
        self.key[one / 64] ^= 1 << (one % 64);
        self.key[other / 64] ^= 1 << (other % 64);
    }

    /// Notes the cost to go of a spine state, and announces what has grown.
    fn compare_with_spine(&mut self, state: usize, to_go: Cost, cx: &mut Context<'_>) {
        if let Some(join) = self.joins.note(state, to_go) {
            let steps = SquaresOf { board: cx.level().board(), steps: &self.steps };
            self.joins.offer((join, false), self.store, &steps, cx);
        }
    }
}
