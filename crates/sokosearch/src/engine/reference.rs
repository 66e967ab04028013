//! The reference engine: the lockstep search of the YASO description through a tube.
//!
//! A breadth-first search from one spine state to a later one that visits only states whose configuration is in the
//! tube. Three queues, each sorted by cost: walks, pushes, and (where box lines count) pushes along the line. The next
//! span to expand is the cheapest of the three heads, so cost pairs are expanded in ascending order:
//!
//! ```text
//!  moves/pushes            walks   ├ M/P-1 ┤├ M/P ┤   pushes  ├ M/P ┤├ M/P+1 ┤
//!  expanding M/P gives     walks   M+1/P              pushes  M+1/P+1
//! ```
//!
//! Walks are marked as visited when generated, pushes when popped (trap 1), except in moves/pushes order, where the parity
//! of pushes lets them be marked when generated. The first arrival at the target is optimal in both metrics within the
//! tube; arrivals of equal cost are all offered, since they may differ in the others.
//!
//! Every arrival at a spine state is compared with the spine's own cost up to there. The best of these *joins* is what a
//! stopped search offers.

mod push_log;

use sokocore::{Direction, Push, Square};

use self::push_log::{PushLog, PushRef, QueueNode};
use crate::engine::spine_index::{SpineIndex, SpineTieBreak};
use crate::engine::state::State;
use crate::order::Gain;
use crate::store::bits::toggle_both;
use crate::store::recycling_queue::RecyclingQueue;
use crate::store::spans::Spans;
use crate::tube::spine::SpineRange;
use crate::{ClosedSet, ConfigId, ConfigStore, Context, Cost, Report, SearchWindow, Stop};

/// Arrivals of equal cost that are offered.
const MAX_ARRIVALS: usize = 64;

/// See [`crate::search`].
pub(crate) fn search<S: ConfigStore>(
    window: SearchWindow<'_>,
    store: &S,
    cx: &mut Context<'_>,
) -> Result<Report, Stop> {
    let mut search = match LockstepSearch::new(window, store, cx) {
        Ok(search) => search,
        Err(Stop::Memory) => {
            return Ok(Report {
                improved: false,
                n_states: 0,
                bytes: 0,
                reached: window.from,
                finished: false,
                refined: false,
            });
        }
        Err(stop) => return Err(stop),
    };
    let end = search.run(cx);
    let report = search.report();
    cx.count_tube(store.n_configs() as u64, report.n_states, store.bytes() + report.bytes);
    let mut improved = search.announced_improvement;
    if search.arrivals.is_empty() {
        improved |= search.offer_join(cx);
    }
    for arrival in std::mem::take(&mut search.arrivals) {
        improved |= search.offer(arrival, window.to, cx);
    }
    match end {
        Ok(()) | Err(Stop::Memory) => Ok(Report { improved, ..report }),
        Err(stop) => Err(stop),
    }
}

struct LockstepSearch<'a, S> {
    window: SearchWindow<'a>,
    store: &'a S,
    closed: ClosedSet,
    walks: RecyclingQueue<QueueNode>,
    walk_spans: Spans,
    /// Pushes in general, and pushes along the line.
    pushes: [PushLog; 2],
    push_spans: [Spans; 2],
    index: SpineIndex,
    /// The square on which the player must end in the solved position; `None` if any square will do.
    end: Option<Square>,
    /// Spans above this cost are not expanded.
    limit: Cost,
    arrivals: Vec<PushRef>,
    target_reached: bool,
    join: Option<SpineArrival>,
    announced: i64,
    announced_improvement: bool,
    n_states: u64,
    key: Vec<u64>,
}

/// A cheaper path to a spine state.
#[derive(Clone, Copy)]
struct SpineArrival {
    gain: Gain,
    spine_state: usize,
    arrival: PushRef,
}

/// A state to expand.
#[derive(Clone, Copy)]
struct OpenState {
    config: ConfigId,
    player: Square,
    /// The latest push on the path.
    latest: PushRef,
    cost: Cost,
}

impl<'a, S: ConfigStore> LockstepSearch<'a, S> {
    fn new(window: SearchWindow<'a>, store: &'a S, cx: &Context<'_>) -> Result<Self, Stop> {
        let account = cx.budget().memory();
        let n_squares = cx.level().board().n_squares();
        let SearchWindow { spine, from, to, order, live, .. } = window;
        let spent = order.cost(&spine.states()[from].metrics);
        let total = order.cost(&spine.states()[to].metrics);
        Ok(Self {
            window,
            store,
            closed: ClosedSet::new(store.n_ids(), n_squares, order.n_planes(), account)?,
            walks: RecyclingQueue::new(account),
            walk_spans: Spans::default(),
            pushes: [PushLog::new(0, account), PushLog::new(1, account)],
            push_spans: [Spans::default(), Spans::default()],
            index: SpineIndex::new(SpineRange { spine, from, to }, SpineTieBreak::Last, store, account)?,
            end: cx.kept_end(),
            limit: total.minus(spent),
            arrivals: Vec::new(),
            target_reached: false,
            join: None,
            announced: 0,
            announced_improvement: false,
            n_states: 0,
            key: vec![0; live.words()],
        })
    }

    fn run(&mut self, cx: &mut Context<'_>) -> Result<(), Stop> {
        self.start(cx)?;
        while let Some((cost, queue)) = self.next_span() {
            if cost > self.limit {
                break;
            }
            match queue {
                QueueKind::Pushes(stream) => {
                    if let Some((node, own)) = self.pushes[stream].pop() {
                        self.push_spans[stream].pop();
                        self.arrive(node, own, cost, cx)?;
                    }
                }
                QueueKind::Walks => {
                    if let Some(node) = self.walks.pop() {
                        self.walk_spans.pop();
                        let (config, player) = (node.config(), node.player());
                        self.expand(OpenState { config, player, latest: node.ancestor(), cost }, None, cx)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Expands the first state. It is in the push log as the ancestor of its descendants, but is no push.
    fn start(&mut self, cx: &mut Context<'_>) -> Result<(), Stop> {
        let SearchWindow { spine, from, .. } = self.window;
        let state = &spine.states()[from];
        let config = self.store.find(&state.key).expect("invariant: the tube holds its spine");
        let pushed_before = from.checked_sub(1).map(|before| spine.pushes()[before].dir);
        let dir = pushed_before.unwrap_or(Direction::Up);
        self.pushes[0].push(QueueNode::new(config, state.player, dir, PushRef::START))?;
        let Some((_, latest)) = self.pushes[0].pop() else { return Ok(()) };
        self.closed.insert(config, 0, state.player);
        self.expand(OpenState { config, player: state.player, latest, cost: Cost::default() }, pushed_before, cx)
    }

    /// The cheapest span on the queues; of equal ones, pushes first.
    fn next_span(&self) -> Option<(Cost, QueueKind)> {
        let heads = [
            (self.push_spans[0].cost(), QueueKind::Pushes(0)),
            (self.push_spans[1].cost(), QueueKind::Pushes(1)),
            (self.walk_spans.cost(), QueueKind::Walks),
        ];
        heads.into_iter().filter_map(|(cost, queue)| Some((cost?, queue))).min_by_key(|(cost, _)| *cost)
    }

    /// Closes a push that was popped, and expands it.
    fn arrive(&mut self, node: QueueNode, own: PushRef, cost: Cost, cx: &mut Context<'_>) -> Result<(), Stop> {
        let (config, player, dir) = (node.config(), node.player(), node.dir());
        let order = self.window.order;
        if self.is_solved_target(config) {
            // A solved position ends the game, wherever the player is.
            if self.end.is_none_or(|end| end == player) {
                self.record_arrival(own, cost);
            }
            return Ok(());
        }
        let state = OpenState { config, player, latest: own, cost };
        if order.counts_lines() {
            if !self.closed.insert(config, 1 + dir.idx(), player) {
                return Ok(());
            }
            if !self.closed.insert(config, 0, player) {
                return self.push_on(state, dir, cx);
            }
        } else if !order.marks_generated_pushes() && !self.closed.insert(config, 0, player) {
            return Ok(());
        }
        self.expand(state, Some(dir), cx)
    }

    fn is_solved_target(&mut self, config: ConfigId) -> bool {
        self.window.to == self.window.spine.end() && {
            self.store.read(config, &mut self.key);
            self.window.live.is_solved(&self.key)
        }
    }

    fn record_arrival(&mut self, arrival: PushRef, cost: Cost) {
        self.limit = cost;
        self.target_reached = true;
        if self.arrivals.len() < MAX_ARRIVALS {
            self.arrivals.push(arrival);
        }
    }

    /// Generates all successors of a state. `pushed` is the direction of the push that ended in it.
    fn expand(&mut self, state: OpenState, pushed: Option<Direction>, cx: &mut Context<'_>) -> Result<(), Stop> {
        cx.tick()?;
        self.n_states += 1;
        if let Some(spine_state) = self.index.find(State { config: state.config, player: state.player }) {
            self.compare_with_spine(state, spine_state, cx);
            if spine_state == self.window.to && self.window.to != self.window.spine.end() {
                self.record_arrival(state.latest, state.cost);
                return Ok(());
            }
        }
        self.store.read(state.config, &mut self.key);
        let board = cx.level().board();
        for dir in self.window.directions {
            let Some(next) = board.step(state.player, dir) else { continue };
            if self.window.live.has_box(&self.key, next) {
                self.make_push(state, next, dir, pushed == Some(dir), cx)?;
            } else if self.closed.insert(state.config, 0, next) {
                self.walks.push(QueueNode::new(state.config, next, dir, state.latest))?;
                self.walk_spans.push(state.cost.plus(self.window.order.walk()));
            }
        }
        Ok(())
    }

    /// Generates only the successor along the line: the others were generated at an earlier arrival by walking.
    fn push_on(&mut self, state: OpenState, dir: Direction, cx: &mut Context<'_>) -> Result<(), Stop> {
        cx.tick()?;
        self.store.read(state.config, &mut self.key);
        match cx.level().board().step(state.player, dir) {
            Some(next) if self.window.live.has_box(&self.key, next) => self.make_push(state, next, dir, true, cx),
            _ => Ok(()),
        }
    }

    /// Pushes the box on `from`, if that leads to a configuration of the tube. `self.key` holds the state's key.
    fn make_push(
        &mut self,
        state: OpenState,
        from: Square,
        dir: Direction,
        along: bool,
        cx: &Context<'_>,
    ) -> Result<(), Stop> {
        let SearchWindow { live, order, .. } = self.window;
        let to = cx.level().board().step(from, dir).and_then(|to| live.bit(to));
        let (Some(to), Some(bit)) = (to, live.bit(from)) else { return Ok(()) };
        if self.key[to / 64] >> (to % 64) & 1 != 0 {
            return Ok(());
        }
        toggle_both(&mut self.key, bit, to);
        let found = self.store.find(&self.key);
        let solved = live.is_solved(&self.key);
        toggle_both(&mut self.key, bit, to);
        let Some(config) = found else { return Ok(()) };
        if order.marks_generated_pushes() && !solved && !self.closed.insert(config, 0, from) {
            return Ok(());
        }
        let (stream, step) = if along && order.counts_lines() { (1, order.push_along()) } else { (0, order.push()) };
        self.pushes[stream].push(QueueNode::new(config, from, dir, state.latest))?;
        self.push_spans[stream].push(state.cost.plus(step));
        Ok(())
    }

    /// Keeps the arrival if it is the best join so far, and announces it once the gain has grown by a quarter.
    fn compare_with_spine(&mut self, state: OpenState, spine_state: usize, cx: &mut Context<'_>) {
        let SearchWindow { spine, from, order, .. } = self.window;
        let spent = order.cost(&spine.states()[from].metrics);
        let gain = state.cost.gain_over(order.cost(&spine.states()[spine_state].metrics).minus(spent));
        if gain > self.join.map_or(Gain::default(), |join| join.gain) {
            self.join = Some(SpineArrival { gain, spine_state, arrival: state.latest });
            if gain.primary > self.announced + self.announced / 4 {
                self.announced = gain.primary;
                self.announced_improvement |= self.offer_join(cx);
            }
        }
    }

    fn offer_join(&self, cx: &mut Context<'_>) -> bool {
        self.join.is_some_and(|join| self.offer(join.arrival, join.spine_state, cx))
    }

    /// Offers the path to `arrival`, followed by the spine from `spine_state` on.
    fn offer(&self, arrival: PushRef, spine_state: usize, cx: &mut Context<'_>) -> bool {
        let pushes = self.path_to(arrival, cx);
        cx.found_pushes(&self.window.spine.spliced(self.window.from, spine_state, &pushes))
    }

    /// Follows the ancestors of a push back to the start.
    fn path_to(&self, arrival: PushRef, cx: &Context<'_>) -> Vec<Push> {
        let board = cx.level().board();
        let node_of = |at: PushRef| at.place().and_then(|(stream, number)| self.pushes[stream].get(number));
        let mut path = Vec::new();
        let mut at = node_of(arrival);
        while let Some(node) = at.filter(|node| node.ancestor() != PushRef::START) {
            // The player stands where the box was before the push.
            path.push(Push { from: node.player(), dir: node.dir() });
            debug_assert!(board.step(node.player(), node.dir()).is_some());
            at = node_of(node.ancestor());
        }
        path.reverse();
        path
    }

    fn report(&self) -> Report {
        Report {
            improved: false,
            n_states: self.n_states,
            bytes: self.closed.bytes() + self.walks.bytes() + self.pushes.iter().map(PushLog::bytes).sum::<u64>(),
            reached: if self.target_reached { self.window.to } else { self.index.reached() },
            finished: self.limit_was_reached(),
            refined: false,
        }
    }

    fn limit_was_reached(&self) -> bool {
        self.target_reached || self.next_span().is_none_or(|(cost, _)| cost > self.limit)
    }
}

#[derive(Clone, Copy)]
enum QueueKind {
    /// One of the two push streams.
    Pushes(usize),
    Walks,
}
