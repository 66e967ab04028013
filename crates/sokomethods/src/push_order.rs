//! A solution as an order of pushes, each with the cost of the walk that leads to it.
//!
//! ```text
//!   links    0  1  2 | 3  4  5  6 | 7  8 ...      a trial gives links 3..=6 a new order;
//!   walks    2  0  0 | 9  0  0  4 | 1  0          the last of them is where old and new order meet again
//!                    ^ cursor: the board state is that before link 3
//! ```
//!
//! Invariant: `total` is the sum of the links' costs, every walk is a shortest one, and the pushes of one box keep
//! their order, so the box numbers of links never change. Player lines are not counted: they depend on the squares of
//! the walks.
//!
//! A trial does the cheapest test first: whether every box is on its square and finds the next one free. Only then it
//! computes the real walks, and is cut off as soon as their cost, with a lower bound for the rest, cannot win.

mod board_state;
mod box_path;
mod cost;
mod link;
mod walk_search;
mod wall_distances;

use sokocore::{Level, Metric, Metrics, Objective, Push, Square, pushes_of};
use sokosearch::{Context, Stop};

pub(crate) use board_state::WalkedBoard;
pub(crate) use box_path::{BoxPathSearch, position_number};
pub(crate) use cost::OrderCost;
pub(crate) use link::Link;
pub(crate) use walk_search::EXPANDED_PER_TICK;

use crate::loops::without_loops;

/// The result of a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trial {
    /// The link at this place of the trial cannot be pushed there.
    Impossible(usize),
    /// The trial is possible, as far as it was tested, and not better.
    Worse,
    /// The trial is better: the metrics of the whole solution with it.
    Better(Metrics),
}

/// The solution during reordering.
pub(crate) struct PushOrder<'a> {
    level: &'a Level,
    objective: Objective,
    links: Vec<Link>,
    total: OrderCost,
    state: WalkedBoard<'a>,
    /// The board state is that before this link.
    cursor: usize,
    /// Links played from the cursor on, one by one.
    played: Vec<Link>,
    /// Orders taken since the last offer.
    n_taken: usize,
}

impl<'a> PushOrder<'a> {
    /// Lays out the context's incumbent.
    ///
    /// # Errors
    /// Why it was stopped.
    pub(crate) fn new(cx: &mut Context<'a>) -> Result<Self, Stop> {
        let level = cx.level();
        let mut order = Self {
            level,
            objective: cx.objective(),
            links: Vec::new(),
            total: OrderCost::default(),
            state: WalkedBoard::new(level),
            cursor: 0,
            played: Vec::new(),
            n_taken: 0,
        };
        order.lay_out(&pushes_of(level, cx.incumbent().lurd()), cx)?;
        Ok(order)
    }

    /// Makes these pushes the solution, with the cursor at its end.
    fn lay_out(&mut self, pushes: &[Push], cx: &mut Context<'_>) -> Result<(), Stop> {
        let board = self.level.board();
        let mut number = vec![0; board.n_squares()];
        self.level.start().boxes.iter().zip(0..).for_each(|(sq, n)| number[sq.idx()] = n);
        self.seek(0);
        self.links.clear();
        self.total = OrderCost::default();
        for &push in pushes {
            cx.tick()?;
            let Some(mut link) = Link::of(board, push, number[push.from.idx()]) else { break };
            number[link.to.idx()] = link.n;
            link.walk = self.state.walk(&link).unwrap_or(0);
            self.state.push(&link);
            self.total += link.cost(self.links.last(), link.walk);
            self.links.push(link);
            self.cursor += 1;
        }
        Ok(())
    }

    pub(crate) fn links(&self) -> &[Link] {
        &self.links
    }

    /// Returns the metrics of the whole solution.
    pub(crate) fn metrics(&self) -> Metrics {
        self.total.metrics(self.links.len())
    }

    /// Returns the number of boxes on the board.
    pub(crate) fn n_boxes(&self) -> usize {
        self.level.n_boxes()
    }

    /// Moves the cursor, and the board state, to the position before this link.
    pub(crate) fn seek(&mut self, at: usize) {
        while self.cursor < at {
            self.state.push(&self.links[self.cursor]);
            self.cursor += 1;
        }
        while self.cursor > at {
            self.cursor -= 1;
            self.state.pull(&self.links[self.cursor], self.before(self.cursor));
        }
    }

    /// Returns whether a box is on the square at the cursor.
    pub(crate) fn has_box(&self, sq: Square) -> bool {
        self.state.has_box(sq)
    }

    /// The player's square before the walk to this link.
    fn before(&self, at: usize) -> Square {
        at.checked_sub(1).map_or(self.level.start().player, |prior| self.links[prior].push.from)
    }

    /// Returns a lower bound on the cost of link `next` directly after link `prior`.
    pub(crate) fn joint(&self, prior: Option<usize>, next: usize) -> OrderCost {
        let next = &self.links[next];
        let prior = prior.map(|prior| &self.links[prior]);
        let from = prior.map_or(self.level.start().player, |prior| prior.push.from);
        next.cost(prior, self.state.walls().distance(from, next.stand))
    }

    /// Returns the cost of link `at`.
    pub(crate) fn cost(&self, at: usize) -> OrderCost {
        let prior = at.checked_sub(1).map(|prior| &self.links[prior]);
        self.links[at].cost(prior, self.links[at].walk)
    }

    /// Returns whether replacing links of cost `old` by links of cost `new` makes the whole solution better than
    /// `best`.
    #[inline]
    pub(crate) fn wins(&self, old: OrderCost, new: OrderCost, best: &Metrics) -> bool {
        // Moves nearly always decide, so they are compared first.
        let moves = u64::from((self.total + new - old).moves);
        if moves > best.moves && self.objective.order()[0] == Metric::Moves {
            return false;
        }
        self.objective.score(&self.metrics_with(old, new)) < self.objective.score(best)
    }

    /// Returns the metrics of the whole solution with links of cost `new` in place of links of cost `old`.
    pub(crate) fn metrics_with(&self, old: OrderCost, new: OrderCost) -> Metrics {
        self.metrics_with_others((0, old), (0, new))
    }

    /// Returns the metrics of the whole solution with `n_new` links of cost `new` in place of `n_old` links of cost `old`.
    pub(crate) fn metrics_with_others(
        &self,
        (n_old, old): (usize, OrderCost),
        (n_new, new): (usize, OrderCost),
    ) -> Metrics {
        (self.total + new - old).metrics(self.links.len() + n_new - n_old)
    }

    /// Tries `order` in place of as many links from the cursor on, whose cost is `old`, against the best whole solution
    /// known. Sets the walks in `order`.
    ///
    /// # Errors
    /// Why it was stopped; afterwards only [`PushOrder::offer`] may be called.
    pub(crate) fn try_order(
        &mut self,
        order: &mut [Link],
        old: OrderCost,
        best: &Metrics,
        cx: &mut Context<'_>,
    ) -> Result<Trial, Stop> {
        for _ in 0..order.len() {
            cx.tick()?;
        }
        if let Some(at) = self.state.first_misfit(order) {
            return Ok(Trial::Impossible(at));
        }
        Ok(self.walk_order(order, old, best))
    }

    /// A lower bound on the cost of each link in this order.
    fn least_costs<'b>(&'b self, order: &'b [Link]) -> impl Iterator<Item = OrderCost> + 'b {
        let mut prior = self.cursor.checked_sub(1).map(|prior| &self.links[prior]);
        let mut from = self.before(self.cursor);
        order.iter().map(move |link| {
            let cost = link.cost(prior, self.state.walls().distance(from, link.stand));
            (prior, from) = (Some(link), link.push.from);
            cost
        })
    }

    /// Computes the walks of an order whose pushes all fit.
    fn walk_order(&mut self, order: &mut [Link], old: OrderCost, best: &Metrics) -> Trial {
        let mut prior = self.cursor.checked_sub(1).map(|prior| self.links[prior]);
        let mut sum: OrderCost = self.least_costs(order).sum();
        let mut trial = None;
        let mut n_done = 0;
        for (at, link) in order.iter_mut().enumerate() {
            let least = self.state.walls().distance(self.state.player(), link.stand);
            let Some(walk) = self.state.walk(link) else {
                trial = Some(Trial::Impossible(at));
                break;
            };
            if walk > least {
                sum = sum + link.cost(prior.as_ref(), walk) - link.cost(prior.as_ref(), least);
                if !self.wins(old, sum, best) {
                    trial = Some(Trial::Worse);
                    break;
                }
            }
            link.walk = walk;
            self.state.push(link);
            n_done += 1;
            prior = Some(*link);
        }
        self.state.pull_all(&order[..n_done], self.before(self.cursor));
        match trial {
            Some(trial) => trial,
            None if self.wins(old, sum, best) => Trial::Better(self.metrics_with(old, sum)),
            None => Trial::Worse,
        }
    }

    /// Plays one more link after those played from the cursor on. Returns its cost, or `None` if it cannot be pushed.
    pub(crate) fn play(&mut self, link: Link) -> Option<OrderCost> {
        if !self.state.fits(&link) {
            return None;
        }
        let walk = self.state.walk(&link)?;
        let cost = link.cost(self.last_played(), walk);
        self.state.push(&link);
        self.played.push(Link { walk, ..link });
        Some(cost)
    }

    /// Unmakes the links played last, until `n_left` are left.
    pub(crate) fn unplay(&mut self, n_left: usize) {
        while self.played.len() > n_left {
            let Some(link) = self.played.pop() else { return };
            let before = self.played.last().map_or_else(|| self.before(self.cursor), |prior| prior.push.from);
            self.state.pull(&link, before);
        }
    }

    /// Returns the links played from the cursor on.
    pub(crate) fn played(&self) -> &[Link] {
        &self.played
    }

    fn last_played(&self) -> Option<&Link> {
        self.played.last().or_else(|| self.cursor.checked_sub(1).map(|prior| &self.links[prior]))
    }

    /// Returns a lower bound on the cost of the link if it is played next.
    pub(crate) fn least_next(&self, link: &Link) -> OrderCost {
        link.cost(self.last_played(), self.state.walls().distance(self.state.player(), link.stand))
    }

    /// Replaces links from the cursor on by a tried order of them.
    pub(crate) fn take(&mut self, order: &[Link]) {
        let start = self.cursor;
        let range = start..start + order.len();
        let old: OrderCost = range.clone().map(|at| self.cost(at)).sum();
        self.links[range.clone()].copy_from_slice(order);
        let new: OrderCost = range.map(|at| self.cost(at)).sum();
        self.total = self.total + new - old;
        self.n_taken += 1;
    }

    /// Offers the order to the context if it has changed since the last offer, and sets `improved` if the incumbent was
    /// improved. Then cuts the loops that arose, unless `end` is an error.
    ///
    /// # Errors
    /// The error in `end`, or why the run stops now. The offer has been made by then.
    pub(crate) fn offer(
        &mut self,
        end: Result<(), Stop>,
        improved: &mut bool,
        cx: &mut Context<'_>,
    ) -> Result<(), Stop> {
        if std::mem::take(&mut self.n_taken) == 0 {
            return end;
        }
        let pushes: Vec<Push> = self.links.iter().map(|link| link.push).collect();
        let cut = without_loops(self.level, &pushes);
        *improved |= cx.found_pushes(&cut);
        end?;
        if cut.len() < pushes.len() { self.lay_out(&cut, cx) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests;
