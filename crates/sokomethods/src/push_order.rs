//! A solution as an order of pushes, with the cost of every walk kept beside the push that it leads to.
//!
//! ```text
//!   links    0  1  2 | 3  4  5  6 | 7  8 ...      a trial gives links 3..=6 a new order;
//!   walks    2  0  0 | 9  0  0  4 | 1  0          the last of them, the joint, is where old and new meet again
//!                    ^ cursor: the scene shows the boxes and the player before link 3
//! ```
//!
//! Invariant: `total` is the sum of the links' costs, every link's walk is a shortest one, and the pushes of one
//! box keep their order, so a link's box number stays right whatever is rearranged. Player lines are not counted
//! here: they need the walks themselves.
//!
//! A trial asks the cheapest question first: whether every box is where it is pushed and finds its square free.
//! Only then it asks how far the player really walks, and gives up as soon as that, with the rest at the least that
//! walls allow, cannot win.

mod cost;
mod scene;
mod wall_distances;

use sokocore::{Level, Metric, Metrics, Objective, Push, Square, pushes_of};
use sokosearch::{Context, Stop};

pub(crate) use cost::Cost;
use scene::Scene;

use crate::tidy_path::without_loops;

/// A push of the solution and the walk that leads to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    pub(crate) push: Push,
    /// Square of the box after the push.
    pub(crate) to: Square,
    /// Square that the player pushes from.
    pub(crate) stand: Square,
    /// Number of the box.
    pub(crate) n: u16,
    /// Steps walked before the push.
    pub(crate) walk: u32,
}

impl Link {
    /// What the link adds to a path that ends with `prior`, if the player walks so many steps in between.
    pub(crate) fn cost(&self, prior: Option<&Self>, walk: u32) -> Cost {
        let same_box = prior.is_some_and(|prior| prior.n == self.n);
        let same_line = same_box && prior.is_some_and(|prior| prior.push.dir == self.push.dir);
        Cost {
            moves: walk + 1,
            box_lines: u32::from(!same_line),
            box_changes: u32::from(!same_box),
            pushing_sessions: u32::from(walk > 0 || prior.is_none()),
        }
    }
}

/// What a trial came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trial {
    /// The link at this place of the trial cannot be pushed when its turn comes.
    Impossible(usize),
    /// It can be done, as far as was looked, and is not better.
    Worse,
    /// It is better: the metrics of the whole solution with it.
    Better(Metrics),
}

/// The solution as it is being reordered.
pub(crate) struct PushOrder<'a> {
    level: &'a Level,
    objective: Objective,
    links: Vec<Link>,
    total: Cost,
    scene: Scene<'a>,
    /// The scene shows the position before this link.
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
            total: Cost::default(),
            scene: Scene::new(level),
            cursor: 0,
            played: Vec::new(),
            n_taken: 0,
        };
        order.lay_out(&pushes_of(level, cx.incumbent().lurd()), cx)?;
        Ok(order)
    }

    /// Makes these pushes the solution; the cursor goes to its end.
    fn lay_out(&mut self, pushes: &[Push], cx: &mut Context<'_>) -> Result<(), Stop> {
        let board = self.level.board();
        let mut number = vec![0; board.n_squares()];
        self.level.start().boxes.iter().zip(0..).for_each(|(sq, n)| number[sq.idx()] = n);
        self.seek(0);
        self.links.clear();
        self.total = Cost::default();
        for &push in pushes {
            cx.tick()?;
            let (Some(to), Some(stand)) = (push.to(board), push.stand(board)) else { break };
            let n = number[push.from.idx()];
            number[to.idx()] = n;
            let mut link = Link { push, to, stand, n, walk: 0 };
            link.walk = self.scene.walk(&link).unwrap_or(0);
            self.scene.push(&link);
            self.total += link.cost(self.links.last(), link.walk);
            self.links.push(link);
            self.cursor += 1;
        }
        Ok(())
    }

    pub(crate) fn links(&self) -> &[Link] {
        &self.links
    }

    /// Metrics of the whole solution as it is now.
    pub(crate) fn metrics(&self) -> Metrics {
        self.total.metrics(self.links.len())
    }

    /// The number of boxes on the board.
    pub(crate) fn n_boxes(&self) -> usize {
        self.level.n_boxes()
    }

    /// Moves the cursor, and the scene with it, to the position before this link.
    pub(crate) fn seek(&mut self, at: usize) {
        while self.cursor < at {
            self.scene.push(&self.links[self.cursor]);
            self.cursor += 1;
        }
        while self.cursor > at {
            self.cursor -= 1;
            self.scene.pull(&self.links[self.cursor], self.before(self.cursor));
        }
    }

    /// Whether a box stands on the square at the cursor.
    pub(crate) fn has_box(&self, sq: Square) -> bool {
        self.scene.has_box(sq)
    }

    /// Where the player stands before it walks to this link.
    fn before(&self, at: usize) -> Square {
        at.checked_sub(1).map_or(self.level.start().player, |prior| self.links[prior].push.from)
    }

    /// What link `next` costs at least if it follows directly after link `prior`.
    pub(crate) fn joint(&self, prior: Option<usize>, next: usize) -> Cost {
        let next = &self.links[next];
        let prior = prior.map(|prior| &self.links[prior]);
        let from = prior.map_or(self.level.start().player, |prior| prior.push.from);
        next.cost(prior, self.scene.walls().distance(from, next.stand))
    }

    /// What link `at` costs now.
    pub(crate) fn cost(&self, at: usize) -> Cost {
        let prior = at.checked_sub(1).map(|prior| &self.links[prior]);
        self.links[at].cost(prior, self.links[at].walk)
    }

    /// Whether the whole solution becomes better than `best` if a stretch that costs `old` is done for `new`.
    #[inline]
    pub(crate) fn wins(&self, old: Cost, new: Cost, best: &Metrics) -> bool {
        // Nearly always the moves decide, so they are asked first.
        let moves = u64::from((self.total + new - old).moves);
        if moves > best.moves && self.objective.order()[0] == Metric::Moves {
            return false;
        }
        self.objective.score(&self.metrics_with(old, new)) < self.objective.score(best)
    }

    /// Metrics of the whole solution if a stretch that costs `old` is done for `new`.
    pub(crate) fn metrics_with(&self, old: Cost, new: Cost) -> Metrics {
        (self.total + new - old).metrics(self.links.len())
    }

    /// Tries `order` in place of as many links from the cursor on, which cost `old`, against the best whole solution
    /// known. The walks in `order` are set.
    ///
    /// # Errors
    /// Why it was stopped; the order is not to be used any more then, except for [`PushOrder::offer`].
    pub(crate) fn try_order(
        &mut self,
        order: &mut [Link],
        old: Cost,
        best: &Metrics,
        cx: &mut Context<'_>,
    ) -> Result<Trial, Stop> {
        for _ in 0..order.len() {
            cx.tick()?;
        }
        if let Some(at) = self.first_misfit(order) {
            return Ok(Trial::Impossible(at));
        }
        Ok(self.walk_order(order, old, best))
    }

    /// The least cost of each link in this order.
    fn least_costs<'b>(&'b self, order: &'b [Link]) -> impl Iterator<Item = Cost> + 'b {
        let mut prior = self.cursor.checked_sub(1).map(|prior| &self.links[prior]);
        let mut from = self.before(self.cursor);
        order.iter().map(move |link| {
            let cost = link.cost(prior, self.scene.walls().distance(from, link.stand));
            (prior, from) = (Some(link), link.push.from);
            cost
        })
    }

    /// The first link in this order whose box is elsewhere or whose squares are taken, wherever the player is.
    fn first_misfit(&mut self, order: &[Link]) -> Option<usize> {
        let misfit = order.iter().position(|link| !self.scene.push(link));
        let n_done = misfit.unwrap_or(order.len());
        self.undo(&order[..n_done]);
        misfit
    }

    /// Walks through an order whose pushes all fit.
    fn walk_order(&mut self, order: &mut [Link], old: Cost, best: &Metrics) -> Trial {
        let mut prior = self.cursor.checked_sub(1).map(|prior| self.links[prior]);
        let mut sum: Cost = self.least_costs(order).sum();
        let mut trial = None;
        let mut n_done = 0;
        for (at, link) in order.iter_mut().enumerate() {
            let least = self.scene.walls().distance(self.scene.player(), link.stand);
            let Some(walk) = self.scene.walk(link) else {
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
            self.scene.push(link);
            n_done += 1;
            prior = Some(*link);
        }
        self.undo(&order[..n_done]);
        match trial {
            Some(trial) => trial,
            None if self.wins(old, sum, best) => Trial::Better(self.metrics_with(old, sum)),
            None => Trial::Worse,
        }
    }

    /// Plays one more link after those played from the cursor on; returns its cost, or `None` if it cannot be pushed
    /// now.
    pub(crate) fn play(&mut self, link: Link) -> Option<Cost> {
        if !self.scene.fits(&link) {
            return None;
        }
        let walk = self.scene.walk(&link)?;
        let cost = link.cost(self.last_played(), walk);
        self.scene.push(&link);
        self.played.push(Link { walk, ..link });
        Some(cost)
    }

    /// Takes back the links played last, until so many are left.
    pub(crate) fn unplay(&mut self, n_left: usize) {
        while self.played.len() > n_left {
            let Some(link) = self.played.pop() else { return };
            let before = self.played.last().map_or_else(|| self.before(self.cursor), |prior| prior.push.from);
            self.scene.pull(&link, before);
        }
    }

    /// The links played from the cursor on.
    pub(crate) fn played(&self) -> &[Link] {
        &self.played
    }

    fn last_played(&self) -> Option<&Link> {
        self.played.last().or_else(|| self.cursor.checked_sub(1).map(|prior| &self.links[prior]))
    }

    /// What the link costs at least if it is played next.
    pub(crate) fn least_next(&self, link: &Link) -> Cost {
        link.cost(self.last_played(), self.scene.walls().distance(self.scene.player(), link.stand))
    }

    /// Takes back the links that were pushed from the cursor on.
    fn undo(&mut self, done: &[Link]) {
        for (at, link) in done.iter().enumerate().rev() {
            let before = at.checked_sub(1).map_or_else(|| self.before(self.cursor), |prior| done[prior].push.from);
            self.scene.pull(link, before);
        }
    }

    /// Puts a tried order in the place of as many links from the cursor on.
    pub(crate) fn take(&mut self, order: &[Link]) {
        let start = self.cursor;
        let stretch = start..start + order.len();
        let old: Cost = stretch.clone().map(|at| self.cost(at)).sum();
        self.links[stretch.clone()].copy_from_slice(order);
        let new: Cost = stretch.map(|at| self.cost(at)).sum();
        self.total = self.total + new - old;
        self.n_taken += 1;
    }

    /// Offers the order to the context if anything changed since the last offer, and sets `improved` if the incumbent
    /// got better. Goes on without the loops that arose, unless the work came to an `end`.
    ///
    /// # Errors
    /// Why the work ended, or now ends; the offer has been made by then.
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
