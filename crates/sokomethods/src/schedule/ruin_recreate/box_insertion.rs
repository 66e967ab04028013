//! The insertion of one box into the pushes of a window.
//!
//! ```text
//!   pushes of the window      0       1       2       3 ...     in their order; the player stands where the last one ended
//!   box on its square        ─●──────▶●       ●──────▶●
//!   box a square further              └──────▶●               pushed while the player is between pushes 1 and 2
//! ```
//!
//! Dynamic programming over the pushes of the window. Between two of them the box may be pushed any number of times; a state
//! there is the square of the box alone, since the player stands where the last push has ended. Within such a gap a state is the
//! box and the side that it was pushed from, expanded cheapest first (Dijkstra). Walks are the shortest around all boxes.
//!
//! In long solutions a gap within a box line, between two pushes of one box without a walk, takes no search: the box to insert is
//! not pushed there. If pushes were taken out of a line, the box is pushed where they were, since it may return to its old pushes.
//! Measured: see `docs/experiments/2026-11-30-insertions-between-box-lines.md`.
//!
//! A state is pruned if its cost, what the rest of the window costs without the box, and an estimate of the pushes left exceed
//! the limit. Without the box all walks are as short or shorter. With the least cost of a push for each push left the sum is a
//! lower bound, and the insertion is the cheapest one that is allowed: the step of a push may be on the player's way.
//! Steps of ruin and recreate estimate a move more; that loses some insertions and expands far fewer states. The states grow with
//! what the limit leaves beyond the ruined window, so limits are small at first and are doubled (iterative deepening).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use sokocore::{Board, Direction, Push, Square};
use sokosearch::{Context, Stop};

use super::ruined_window::RuinedWindow;
use crate::pull_distances::PullDistances;
use crate::push_order::{EXPANDED_PER_TICK, Link, position_number};

/// Squares that walks expand in the time that a gap takes without them. A gap counts as a tick at least, which is more; counted
/// as these squares, the chain has more of the time and ends no lower (`docs/experiments/2026-11-29-shares-by-the-clock.md`).
const EXPANDED_PER_GAP: u64 = 2;
/// Most states of one insertion. One that needs more fails; others take less time for more.
const MAX_NODES: usize = 1 << 14;
/// Moves or pushes beyond the ruined window of the first limit. Each one has twice as many as the one before.
const FIRST_LIMIT: u64 = 1;
/// The parent of the first state.
const ROOT: u32 = u32::MAX;

/// How the box has come to a state.
#[derive(Clone, Copy, Debug)]
struct InsertionNode {
    parent: u32,
    /// The push of the box; `None` if the window's own push was made.
    push: Option<Push>,
    /// Steps walked before the push.
    walk: u32,
}

/// A state: the squares of the box and of the player, the cost of the window so far, and the node that leads to it.
#[derive(Clone, Copy, Debug)]
struct InsertionState {
    sq: Square,
    player: Square,
    cost: u64,
    node: u32,
    /// Steps out of the gap, for a state after it.
    walk: u32,
}

/// The box after a push of its own, with the player behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct PushedBox {
    cost: u64,
    node: u32,
    sq: Square,
    dir: Direction,
}

/// A gap between two pushes of the window, and what comes after it.
#[derive(Clone, Copy, Debug)]
struct PushGap {
    /// The square that the player leaves the gap from; `None` where the solution ends.
    stand: Option<Square>,
    /// Steps to it without the box.
    walk: u32,
    /// Cost of the push after the gap, without its walk.
    push_cost: u64,
    /// Where that push takes its box.
    occupied: Option<Square>,
    /// Whether the gap is within a box line: the same box is pushed before and after it, without a walk.
    is_within_box_line: bool,
    /// Whether the window ends with the gap.
    is_last: bool,
    /// What the window costs after that push, without the box.
    rest: u64,
}

impl PushGap {
    /// Returns the gap before push `at` of the window. From the gap on, the window costs `rest` without the box.
    fn before(at: usize, window: &RuinedWindow<'_>, rest: u64) -> Self {
        if let Some(link) = window.links().get(at) {
            let prior = at.checked_sub(1).map(|prior| &window.links()[prior]);
            return Self {
                stand: Some(link.stand),
                walk: link.walk,
                push_cost: window.weights.cost_of_push(0),
                occupied: Some(link.to),
                is_within_box_line: prior.is_some_and(|prior| link.continues_box_line(prior)),
                is_last: false,
                rest: rest - window.weights.cost_of_push(link.walk),
            };
        }
        let exit = window.exit();
        Self {
            stand: exit.map(|exit| exit.sq),
            walk: exit.map_or(0, |exit| exit.walk),
            push_cost: 0,
            occupied: None,
            is_within_box_line: false,
            is_last: true,
            rest: 0,
        }
    }
}

/// The least cost of a state of a gap, valid in that gap alone.
#[derive(Clone, Copy, Debug, Default)]
struct LeastCost {
    gap: u64,
    cost: u64,
}

impl LeastCost {
    /// Returns the least cost in a gap; `None` if the state was not reached in it.
    fn within(self, gap: u64) -> Option<u64> {
        (self.gap == gap).then_some(self.cost)
    }
}

/// Scratch space of insertions on one board.
#[derive(Debug)]
pub(super) struct BoxInsertion {
    /// What a push left is estimated to cost.
    cost_of_push_left: u64,
    /// Whether the box may be pushed within box lines.
    pub(super) interrupts_box_lines: bool,
    /// Pushes of the box from each square to the nearest target among walls alone; `None` where none leads there.
    pushes_left: PullDistances,
    nodes: Vec<InsertionNode>,
    /// For each square of the box after the gap.
    arrivals: Vec<LeastCost>,
    /// For each square and direction of the box within the gap.
    pushed: Vec<LeastCost>,
    /// The number of the gap.
    gap: u64,
    open: BinaryHeap<Reverse<PushedBox>>,
    /// States before the gap, and after it.
    entries: Vec<InsertionState>,
    next: Vec<InsertionState>,
    /// The cheapest state at the end of the window.
    end: Option<InsertionState>,
    limit: u64,
    /// Squares expanded that are not counted as ticks yet.
    n_expanded: u64,
}

impl BoxInsertion {
    pub(super) fn new(board: &Board, cost_of_push_left: u64) -> Self {
        let n_squares = board.n_squares();
        Self {
            cost_of_push_left,
            interrupts_box_lines: true,
            pushes_left: PullDistances::new(board),
            nodes: Vec::new(),
            arrivals: vec![LeastCost::default(); n_squares],
            pushed: vec![LeastCost::default(); Direction::ALL.len() * n_squares],
            gap: 0,
            open: BinaryHeap::new(),
            entries: Vec::new(),
            next: Vec::new(),
            end: None,
            limit: 0,
            n_expanded: 0,
        }
    }

    /// Puts box `n` back into the window, so that it ends on one of the targets and the window costs no more than `limit`.
    /// Returns its target; `None` if there is no such insertion, and the window stays as it was.
    ///
    /// # Errors
    /// Why it was stopped.
    pub(super) fn insert(
        &mut self,
        window: &mut RuinedWindow<'_>,
        n: u16,
        targets: &[Square],
        limit: u64,
        cx: &mut Context<'_>,
    ) -> Result<Option<Square>, Stop> {
        self.pushes_left.compute(window.board.board(), targets, |_| true, |_| true);
        let least = window.cost();
        let beyond = std::iter::successors(Some(FIRST_LIMIT * window.weights.unit()), |beyond| beyond.checked_mul(2));
        for tight in beyond.map(|beyond| least + beyond).take_while(|&tight| tight < limit) {
            if let Some(target) = self.insert_within(window, n, tight, cx)? {
                return Ok(Some(target));
            }
        }
        self.insert_within(window, n, limit, cx)
    }

    /// As [`BoxInsertion::insert`], with the pushes left to the last targets.
    fn insert_within(
        &mut self,
        window: &mut RuinedWindow<'_>,
        n: u16,
        limit: u64,
        cx: &mut Context<'_>,
    ) -> Result<Option<Square>, Stop> {
        let home = window.homes()[usize::from(n)];
        self.limit = limit;
        self.end = None;
        self.nodes.clear();
        self.entries.clear();
        let mut rest = window.cost();
        if rest > limit || self.pushes_left.get(home).is_none() {
            return Ok(None);
        }
        window.rewind();
        self.entries.push(InsertionState { sq: home, player: window.board.player(), cost: 0, node: ROOT, walk: 0 });
        for at in 0..=window.links().len() {
            let gap = PushGap::before(at, window, rest);
            rest = gap.rest;
            self.cross(gap, window);
            self.n_expanded += EXPANDED_PER_GAP + window.board.take_expanded();
            cx.tick_by((self.n_expanded / EXPANDED_PER_TICK).max(1))?;
            self.n_expanded %= EXPANDED_PER_TICK;
            if let Some(link) = window.links().get(at).copied() {
                window.board.push(&link);
                self.enter_next(window.board.player());
            }
            if self.nodes.len() > MAX_NODES || !gap.is_last && self.entries.is_empty() {
                return Ok(None);
            }
        }
        let Some(end) = self.end else { return Ok(None) };
        let links = self.trace(end.node, window, n);
        window.put_back(n, links, end.walk);
        debug_assert_eq!(window.cost(), end.cost, "walks that are not those of the states");
        Ok(Some(end.sq))
    }

    /// Returns the estimated cost of what comes after the walk out of a gap, with so many pushes of the box left.
    fn ahead(&self, gap: PushGap, pushes_left: u32) -> u64 {
        gap.push_cost + gap.rest + self.cost_of_push_left * u64::from(pushes_left)
    }

    /// Expands all states of a gap.
    fn cross(&mut self, gap: PushGap, window: &mut RuinedWindow<'_>) {
        self.gap += 1;
        self.next.clear();
        let entries = std::mem::take(&mut self.entries);
        for &state in &entries {
            let (weights, walls) = (window.weights, window.board.walls());
            // The way over the square of the box: only there it is in the way, and every push takes the player there.
            let way =
                walls.distance(state.player, state.sq) + gap.stand.map_or(0, |stand| walls.distance(state.sq, stand));
            let walk = if gap.stand.is_some() && way <= gap.walk { None } else { Some(gap.walk) };
            let left = self.pushes_left.get(state.sq).map_or(0, |pushes| pushes.saturating_sub(1));
            let least = state.cost + weights.cost_of_walk(way) + weights.least_cost_of_push() + self.ahead(gap, left);
            let may_push = least <= self.limit && (self.interrupts_box_lines || !gap.is_within_box_line);
            if walk.is_some() && !may_push {
                self.leave(gap, state, walk, window);
            } else {
                self.expand(gap, state, walk, window);
            }
        }
        self.entries = entries;
        while let Some(Reverse(PushedBox { cost, node, sq, dir })) = self.open.pop() {
            if self.pushed[position_number(sq, dir)].cost < cost || self.nodes.len() > MAX_NODES {
                continue;
            }
            let Some(player) = window.board.board().step(sq, dir.opposite()) else { continue };
            self.expand(gap, InsertionState { sq, player, cost, node, walk: 0 }, None, window);
        }
    }

    /// Leaves the gap from a state, and inserts the states after one more push of the box. `walk` is the way out of the gap, if
    /// it is known.
    fn expand(&mut self, gap: PushGap, state: InsertionState, walk: Option<u32>, window: &mut RuinedWindow<'_>) {
        window.board.set_box(state.sq, true);
        self.leave(gap, state, walk, window);
        for dir in Direction::ALL {
            self.push(gap, state, dir, window);
        }
        window.board.set_box(state.sq, false);
    }

    /// Makes the push of the window after the gap, or ends the window.
    fn leave(&mut self, gap: PushGap, state: InsertionState, walk: Option<u32>, window: &mut RuinedWindow<'_>) {
        let left = self.pushes_left.get(state.sq).unwrap_or(u32::MAX);
        if gap.occupied == Some(state.sq) || gap.is_last && left > 0 {
            return;
        }
        let Some(most) = self.limit.checked_sub(state.cost + self.ahead(gap, left)) else { return };
        let least = self.arrivals[state.sq.idx()].within(self.gap);
        let (weights, walls) = (window.weights, window.board.walls());
        let least_steps = gap.stand.map_or(0, |stand| walls.distance(state.player, stand));
        if least.is_some_and(|least| least <= state.cost + weights.cost_of_walk(least_steps) + gap.push_cost) {
            return;
        }
        let steps = match (walk, gap.stand) {
            (Some(walk), _) => Some(walk),
            (None, None) => Some(0),
            (None, Some(stand)) => window.board.steps(state.player, stand, weights.most_steps(most)),
        };
        let Some(steps) = steps.filter(|&steps| weights.cost_of_walk(steps) <= most) else { return };
        let after =
            InsertionState { cost: state.cost + weights.cost_of_walk(steps) + gap.push_cost, walk: steps, ..state };
        if gap.is_last {
            self.end = Some(after);
            // Only cheaper ones count from now on.
            self.limit = after.cost.saturating_sub(1);
            return;
        }
        match least {
            None => self.next.push(after),
            Some(least) if after.cost < least => {
                self.next.iter_mut().filter(|other| other.sq == after.sq).for_each(|other| *other = after);
            }
            Some(_) => return,
        }
        self.arrivals[after.sq.idx()] = LeastCost { gap: self.gap, cost: after.cost };
    }

    /// Inserts the state after a push of the box.
    fn push(&mut self, gap: PushGap, state: InsertionState, dir: Direction, window: &mut RuinedWindow<'_>) {
        let (board, weights, sq) = (window.board.board(), window.weights, state.sq);
        let (Some(to), Some(stand)) = (board.step(sq, dir), board.step(sq, dir.opposite())) else { return };
        let Some(left) = self.pushes_left.get(to) else { return };
        if window.board.has_box(to) || window.board.has_box(stand) {
            return;
        }
        let way_out = gap.stand.map_or(left, |out| window.board.walls().distance(sq, out));
        let Some(most) = self.limit.checked_sub(weights.cost_of_walk(way_out) + self.ahead(gap, left)) else { return };
        let least = self.pushed[position_number(to, dir)].within(self.gap);
        let most = least.map_or(most, |least| most.min(least.saturating_sub(1)));
        let Some(most) = most.checked_sub(state.cost + weights.cost_of_push(0)) else { return };
        let Some(steps) = window.board.steps(state.player, stand, weights.most_steps(most)) else { return };
        let cost = state.cost + weights.cost_of_push(steps);
        self.pushed[position_number(to, dir)] = LeastCost { gap: self.gap, cost };
        let node = self.add_node(InsertionNode { parent: state.node, push: Some(Push { from: sq, dir }), walk: steps });
        self.open.push(Reverse(PushedBox { cost, node, sq: to, dir }));
    }

    /// Makes the states after the gap those before the next one, with the player where the push between them has ended.
    fn enter_next(&mut self, player: Square) {
        std::mem::swap(&mut self.entries, &mut self.next);
        for at in 0..self.entries.len() {
            let InsertionState { node: parent, walk, .. } = self.entries[at];
            let node = self.add_node(InsertionNode { parent, push: None, walk });
            self.entries[at] = InsertionState { player, node, ..self.entries[at] };
        }
    }

    /// Keeps a node. Returns its number.
    fn add_node(&mut self, node: InsertionNode) -> u32 {
        self.nodes.push(node);
        u32::try_from(self.nodes.len() - 1).expect("invariant: insertions end soon after MAX_NODES nodes")
    }

    /// Returns the pushes that lead to the end of the window.
    fn trace(&self, mut node: u32, window: &RuinedWindow<'_>, n: u16) -> Vec<Link> {
        let mut links = Vec::with_capacity(window.links().len() + 8);
        let mut own = window.links().iter().rev();
        while let Some(&InsertionNode { parent, push, walk }) = self.nodes.get(node as usize) {
            let link = match push {
                Some(push) => Link::of(window.board.board(), push, n),
                None => own.next().copied(),
            };
            links.extend(link.map(|link| Link { walk, ..link }));
            node = parent;
        }
        links.reverse();
        links
    }
}
