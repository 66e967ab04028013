//! Any objective, metric by metric: A* over pushes.
//!
//! Just after a push the player stands behind the box, facing it: the metrics of the rest depend only on configuration,
//! player and direction. And of the walk to the next push only steps and turns count, so the best pair of both suffices
//! ([`BestWalks`]). So states are those after a push, and all six metrics are exact.
//!
//! ```text
//!   prefix ──push from──▶ window ──push to──▶ joint ──▶ suffix     the joint is the first push of the suffix: the
//!   kept, sets history    searched            kept      kept       metrics after it do not depend on the window
//! ```
//!
//! The heuristic: every box on a square that has none at the end must be pushed, with a box change unless it was the last
//! one pushed. It is admissible and consistent, metric by metric.
//!
//! Invariant: states leave the open list in ascending order of their metrics plus the heuristic, so the first end to do so
//! is best.

mod best_walks;
mod open_list;

use std::ops::Range;

use hashbrown::HashMap;
use sokocore::{Board, Direction, Lurd, Metric, Objective, Push, Square, Step, moves_of, pushes_of};

use self::best_walks::{BestWalks, WalkCost};
use self::open_list::{ExactOpenEntry, OpenList};
use crate::store::bits::toggle_both;
use crate::{Charge, ConfigId, ConfigStore, Context, LiveIndex, Report, SearchWindow, Spine, Stop};

/// The player just after a push, or before the first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct PushState {
    config: ConfigId,
    player: Square,
    /// Direction of the push; `None` before the first one.
    facing: Option<Direction>,
}

/// A state that was generated, with its path.
#[derive(Clone, Copy)]
struct ExactNode {
    state: PushState,
    score: [u32; 6],
    /// The heuristic.
    to_go: [u32; 6],
    parent: u32,
    /// The push that led here; `None` at the start.
    push: Option<Push>,
}

/// Bytes for each node: itself and its entry in the index, twice, since both grow by doubling.
const BYTES_EACH: u64 = (size_of::<ExactNode>() + size_of::<PushState>() + 8) as u64 * 2;
/// Ticks for each state, with steps first and with turns first: the states of another engine that take as long.
const TICKS_EACH: [u64; 2] = [40, 100];

/// Searches the window by the context's objective, visiting only configurations of `store`, and offers the best path. All
/// six metrics of the path are counted as parts of the whole solution's, and are the best possible.
///
/// # Errors
/// The run was stopped; nothing is offered then. Lack of memory is not an error: the report says that the search did not
/// finish.
///
/// # Panics
/// If the store lacks the start or the end of the window.
pub fn search_exact<S: ConfigStore>(window: SearchWindow<'_>, store: &S, cx: &mut Context<'_>) -> Result<Report, Stop> {
    let SearchWindow { from, to, .. } = window;
    let halfway = from + (to - from) / 2;
    let unfinished =
        Report { improved: false, n_states: 0, bytes: 0, reached: halfway, finished: false, refined: false };
    let mut search = match ExactSearch::new(window, store, cx) {
        Ok(search) => search,
        Err(Stop::Memory) => return Ok(unfinished),
        Err(stop) => return Err(stop),
    };
    let end = search.run(cx);
    let (n_states, bytes) = (search.nodes.len() as u64, search.charge.bytes() + search.open.bytes());
    cx.count_tube(store.n_configs() as u64, n_states, store.bytes() + bytes);
    let report = Report { n_states, bytes, ..unfinished };
    match end {
        Ok(best) => {
            let improved = best.is_some_and(|best| cx.found(&search.solution(best, cx)));
            // The solution costs what was computed, so it improves, unless the incumbent has improved meanwhile.
            debug_assert!(
                improved || best.is_none() || cx.has_improved_on(&window.spine.states()[window.spine.end()].metrics)
            );
            Ok(Report { improved, reached: to, finished: true, refined: true, ..report })
        }
        Err(Stop::Memory) => Ok(report),
        Err(stop) => Err(stop),
    }
}

/// The moves of the incumbent, if the spine is the incumbent's; else the best moves for the spine's pushes.
fn moves_along(spine: &Spine, cx: &Context<'_>) -> Lurd {
    let incumbent = cx.incumbent();
    if pushes_of(cx.level(), incumbent.lurd()) == spine.pushes() {
        return incumbent.lurd().clone();
    }
    moves_of(cx.level(), spine.pushes()).expect("the pushes of a spine can be made")
}

/// The number of steps up to and with the push that leads to a state of the spine.
fn after_push(steps: &[Step], n_pushes: usize) -> usize {
    let pushes = steps.iter().enumerate().filter(|(_, step)| step.is_push());
    n_pushes.checked_sub(1).and_then(|last| pushes.map(|(at, _)| at + 1).nth(last)).unwrap_or(0)
}

/// The cost of the solution between two states of its spine.
fn cost_between(spine: &Spine, from: usize, to: usize, objective: &Objective) -> [u32; 6] {
    let cost = |at: usize, metric: Metric| metric.of(&spine.states()[at].metrics);
    objective.order().map(|metric| u32::try_from(cost(to, metric) - cost(from, metric)).unwrap_or(u32::MAX))
}

struct ExactSearch<'a, S> {
    live: &'a LiveIndex,
    store: &'a S,
    /// The solution, and the numbers of its steps up to the start of the window and to the end of the joint.
    moves: Lurd,
    step_range: Range<usize>,
    /// Configuration at the end of the window, and the push that follows; `None` where every solved one is an end.
    end: Option<(ConfigId, Push)>,
    /// Squares that boxes may stand on at the end, as bits.
    targets: Vec<u64>,
    objective: Objective,
    /// The cost to improve on: paths that cost as much are pruned.
    bound: [u32; 6],
    walks: BestWalks,
    /// For the nodes and the index.
    charge: Charge,
    nodes: Vec<ExactNode>,
    index: HashMap<PushState, u32>,
    open: OpenList,
    key: Vec<u64>,
}

impl<'a, S: ConfigStore> ExactSearch<'a, S> {
    fn new(window: SearchWindow<'a>, store: &'a S, cx: &Context<'_>) -> Result<Self, Stop> {
        let SearchWindow { live, spine, from, to, .. } = window;
        let objective = cx.objective();
        let find = |at: usize| store.find(&spine.states()[at].key).expect("the store holds both ends");
        let end = spine.pushes().get(to).map(|&joint| (find(to), joint));
        let last = to + usize::from(end.is_some());
        let moves = moves_along(spine, cx);
        let step_range = after_push(moves.steps(), from)..after_push(moves.steps(), last);
        let facing = from.checked_sub(1).map(|before| spine.pushes()[before].dir);
        let state = PushState { config: find(from), player: spine.states()[from].player, facing };
        let mut search = Self {
            live,
            store,
            moves,
            step_range,
            end,
            targets: if end.is_some() { spine.states()[to].key.to_vec() } else { live.goal_key().to_vec() },
            objective,
            bound: cost_between(spine, from, last, &objective),
            walks: BestWalks::new(cx.level().board(), &objective),
            charge: cx.budget().memory().nothing(),
            nodes: Vec::new(),
            index: HashMap::from([(state, 0)]),
            open: OpenList::new(cx.budget().memory()),
            key: spine.states()[from].key.to_vec(),
        };
        let box_sq = facing.and_then(|dir| cx.level().board().step(state.player, dir));
        let to_go = search.to_go(box_sq);
        search.nodes.push(ExactNode { state, score: [0; 6], to_go, parent: 0, push: None });
        search.open.push(ExactOpenEntry { estimate: to_go, node: 0, counts_joint: false })?;
        Ok(search)
    }

    /// Returns the best node at an end that beats the bound.
    fn run(&mut self, cx: &mut Context<'_>) -> Result<Option<u32>, Stop> {
        let kept_end = cx.kept_end();
        let ticks_each = TICKS_EACH[usize::from(self.walks.prefers_straight())];
        while let Some(ExactOpenEntry { estimate, node: at, counts_joint }) = self.open.pop() {
            cx.tick_by(ticks_each)?;
            if counts_joint {
                return Ok(Some(at));
            }
            let ExactNode { state, score, to_go, push, .. } = self.nodes[at as usize];
            if sum(score, to_go) < estimate {
                continue;
            }
            self.store.read(state.config, &mut self.key);
            if push.is_some() && self.live.is_solved(&self.key) {
                if self.end.is_none() && kept_end.is_none_or(|end| end == state.player) {
                    return Ok(Some(at));
                }
                // A solved position ends the game, wherever the player is.
                continue;
            }
            self.expand(at, cx.level().board())?;
        }
        Ok(None)
    }

    /// Generates all pushes from a node, whose configuration is in `self.key`.
    fn expand(&mut self, at: u32, board: &Board) -> Result<(), Stop> {
        let state = self.nodes[at as usize].state;
        let mut walks = std::mem::take(&mut self.walks);
        walks.fill(board, state.player, state.facing, |sq| self.live.has_box(&self.key, sq));
        let boxes: Vec<usize> = LiveIndex::bits_of(&self.key).collect();
        let mut result = Ok(());
        for (bit, dir) in boxes.iter().flat_map(|&bit| Direction::ALL.map(|dir| (bit, dir))) {
            let push = Push { from: self.live.square(bit), dir };
            let walk = push.stand(board).and_then(|stand| walks.onward(stand, dir));
            if let Some(walk) = walk {
                result = result.and_then(|()| self.push(at, push, walk, board));
            }
        }
        self.walks = walks;
        result
    }

    /// Generates a push from a node, whose configuration is in `self.key`.
    fn push(&mut self, at: u32, push: Push, walk: WalkCost, board: &Board) -> Result<(), Stop> {
        let ExactNode { state, score, .. } = self.nodes[at as usize];
        let ahead = push.to(board).filter(|&ahead| !self.live.has_box(&self.key, ahead));
        let Some((ahead, (from, to))) =
            ahead.and_then(|sq| Some((sq, self.live.bit(push.from).zip(self.live.bit(sq))?)))
        else {
            return Ok(());
        };
        let last_box = state.facing.and_then(|dir| Some((board.step(state.player, dir)?, dir)));
        let score = sum(score, self.price(push, walk, last_box));
        if score >= self.bound {
            return Ok(());
        }
        if self.end == Some((state.config, push)) {
            // The joint is the end of the search, not one of its states.
            return self.insert(ExactNode { state, score, to_go: [0; 6], parent: at, push: Some(push) }, true);
        }
        toggle_both(&mut self.key, from, to);
        let found = self.store.find(&self.key);
        let to_go = self.to_go(Some(ahead));
        toggle_both(&mut self.key, from, to);
        let Some(config) = found else { return Ok(()) };
        let state = PushState { config, player: push.from, facing: Some(push.dir) };
        self.insert(ExactNode { state, score, to_go, parent: at, push: Some(push) }, false)
    }

    /// The cost of a push, with the walk to it.
    fn price(&self, push: Push, walk: WalkCost, last_push: Option<(Square, Direction)>) -> [u32; 6] {
        let same_box = last_push.is_some_and(|(sq, _)| sq == push.from);
        let same_line = last_push == Some((push.from, push.dir));
        self.objective.order().map(|metric| match metric {
            Metric::Moves => walk.steps + 1,
            Metric::Pushes => 1,
            Metric::MostPushes => walk.steps,
            Metric::BoxLines => u32::from(!same_line),
            Metric::BoxChanges => u32::from(!same_box),
            Metric::PushingSessions => u32::from(walk.steps > 0 || last_push.is_none()),
            Metric::PlayerLines => walk.turns,
        })
    }

    /// The heuristic after a push of the box that is on `box_sq` now, from the configuration in `self.key`.
    fn to_go(&self, box_sq: Option<Square>) -> [u32; 6] {
        let displaced = self.key.iter().zip(&self.targets).map(|(boxes, targets)| (boxes & !targets).count_ones());
        let n_displaced: u32 = displaced.sum();
        let is_displaced = |bit: usize| self.targets[bit / 64] >> (bit % 64) & 1 == 0;
        let is_on_last_box = box_sq.and_then(|sq| self.live.bit(sq)).is_some_and(is_displaced);
        let joint = u32::from(self.end.is_some());
        self.objective.order().map(|metric| match metric {
            Metric::Moves | Metric::Pushes => n_displaced + joint,
            Metric::BoxLines | Metric::BoxChanges => n_displaced - u32::from(is_on_last_box),
            Metric::PushingSessions | Metric::PlayerLines | Metric::MostPushes => 0,
        })
    }

    /// Inserts a node, if its state is new or cheaper than before, or the end.
    fn insert(&mut self, new: ExactNode, is_end: bool) -> Result<(), Stop> {
        let estimate = sum(new.score, new.to_go);
        if estimate >= self.bound {
            return Ok(());
        }
        let known = if is_end { None } else { self.index.get(&new.state).copied() };
        let at = match known {
            Some(at) if self.nodes[at as usize].score <= new.score => return Ok(()),
            Some(at) => {
                self.nodes[at as usize] = new;
                at
            }
            None => {
                self.charge.add(BYTES_EACH)?;
                let at = u32::try_from(self.nodes.len()).map_err(|_| Stop::Memory)?;
                if !is_end {
                    self.index.insert(new.state, at);
                }
                self.nodes.push(new);
                at
            }
        };
        self.open.push(ExactOpenEntry { estimate, node: at, counts_joint: is_end })
    }

    /// The whole solution, with the path to this end in place of the window. Walks are recomputed: where few player lines
    /// count more than few moves, the best walk need not be a shortest one.
    fn solution(&mut self, end: u32, cx: &Context<'_>) -> Lurd {
        let board = cx.level().board();
        let mut numbers = vec![end];
        while let Some(&at) = numbers.last()
            && at != 0
        {
            numbers.push(self.nodes[at as usize].parent);
        }
        let mut middle = Vec::new();
        for pair in numbers.windows(2).rev() {
            let (state, push) = (self.nodes[pair[1] as usize].state, self.nodes[pair[0] as usize].push);
            let Some((push, stand)) = push.and_then(|push| Some((push, push.stand(board)?))) else { continue };
            self.store.read(state.config, &mut self.key);
            self.walks.fill(board, state.player, state.facing, |sq| self.live.has_box(&self.key, sq));
            middle.extend(self.walks.directions(board, stand, push.dir).into_iter().map(Step::Walk));
            middle.push(Step::Push(push.dir));
        }
        let steps = self.moves.steps();
        steps[..self.step_range.start].iter().chain(&middle).chain(&steps[self.step_range.end..]).copied().collect()
    }
}

fn sum(one: [u32; 6], other: [u32; 6]) -> [u32; 6] {
    std::array::from_fn(|at| one[at] + other[at])
}
