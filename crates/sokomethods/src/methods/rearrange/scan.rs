//! Finds the best reordering at one place of a solution: a chain of pushes promoted or put off.
//!
//! The scan runs once along the pushes ahead and keeps for every box the cost of its chain of pushes so far done at
//! once, and the cost of the other pushes without it. A candidate is then priced in constant time: new joints at
//! their lower bounds, everything else at its present cost. Only candidates whose price wins are played.
//!
//! The price is no strict bound: a walk may get shorter because a box has moved by then. Prices lowered by 2, 6 and
//! 20 steps to find such cases took 1.3, 2 and 2 to 11 times as long and saved 2 moves more in 19,700 (five levels of
//! 533 to 2,241 pushes, 2026-11). A lower bound on an order before the test of its boxes never rejected a candidate.
//!
//! Invariant: after the scan has added link `end`, `boxes[b]` describes the links of box `b` in `at..=end`.

use sokocore::{Metrics, Square};
use sokosearch::{Context, Stop};

use crate::push_order::{Link, OrderCost, PushOrder, Trial};

/// The pushes that are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BoxFilter {
    /// At the end of a box session, later pushes of the same box.
    SameBox,
    /// Everywhere, pushes of all boxes, with those that follow them, forward and backward.
    AllBoxes,
}

/// Pushes of a scan that count as one tick: a scan prices so many in the time that other searches need for a tick.
/// Measured: see `docs/experiments/2026-11-23-ticks-and-rank-of-rearrangement.md`.
const PUSHES_PER_TICK: usize = 4;

/// One box in the window.
#[derive(Clone, Copy, Default)]
struct BoxChain {
    /// Equal to the scan's round if the rest is valid.
    round: u32,
    /// The chain is impossible, and so is every longer one.
    dead: bool,
    /// First link of the chain.
    first: usize,
    /// First and last link of its last run.
    run: usize,
    last: usize,
    /// Cost of the chain, without the approach to its first link.
    chain: OrderCost,
    /// Cost of the other links before the last run, without the approach to the first of them.
    others: OrderCost,
}

/// A new order of the links from the place of the scan on.
#[derive(Clone, Copy)]
enum Reordering {
    /// Links of box `n` up to `end`, then the followers up to `to`, then what was skipped.
    Promote { n: u16, end: usize, to: usize },
    /// Links of other boxes up to `end` first, then those of box `n`.
    PutOff { n: u16, end: usize },
}

/// Scratch space of the scans over one solution.
pub(super) struct Scan {
    filter: BoxFilter,
    round: u32,
    boxes: Vec<BoxChain>,
    /// Present cost of the links from the place of the scan to each one.
    sums: Vec<OrderCost>,
    trial: Vec<Link>,
    best: Vec<Link>,
    best_metrics: Metrics,
}

impl Scan {
    pub(super) fn new(order: &PushOrder<'_>, filter: BoxFilter) -> Self {
        Self {
            filter,
            round: 0,
            boxes: vec![BoxChain::default(); order.n_boxes()],
            sums: Vec::new(),
            trial: Vec::new(),
            best: Vec::new(),
            best_metrics: Metrics::default(),
        }
    }

    /// Applies the best new order of the links from `at`, the cursor, on. Returns whether there was one.
    pub(super) fn improve(
        &mut self,
        order: &mut PushOrder<'_>,
        at: usize,
        ahead: usize,
        cx: &mut Context<'_>,
    ) -> Result<bool, Stop> {
        let only = match self.filter {
            BoxFilter::AllBoxes => None,
            BoxFilter::SameBox if at > 0 && order.links()[at - 1].n != order.links()[at].n => {
                Some(order.links()[at - 1].n)
            }
            BoxFilter::SameBox => return Ok(false),
        };
        let window = order.links().len().min(at + ahead);
        self.sum_up(order, at, window);
        self.best.clear();
        self.best_metrics = order.metrics();
        let mut may_put_off = only.is_none();
        for end in at..window {
            if (end - at).is_multiple_of(PUSHES_PER_TICK) {
                cx.tick()?;
            }
            let n = order.links()[end].n;
            self.extend(order, at, end);
            if n != order.links()[at].n {
                if only.is_none_or(|only| only == n) {
                    self.promote(order, at, end, window, cx)?;
                }
                may_put_off = may_put_off && self.put_off(order, at, end, cx)?;
            }
        }
        if self.best.is_empty() {
            return Ok(false);
        }
        order.take(&self.best);
        Ok(true)
    }

    fn sum_up(&mut self, order: &PushOrder<'_>, at: usize, window: usize) {
        self.round += 1;
        let mut sum = OrderCost::default();
        self.sums.clear();
        let with_joint = order.links().len().min(window + 1);
        self.sums.extend((at..with_joint).map(|link| {
            sum += order.cost(link);
            sum
        }));
    }

    /// Present cost of the links `from..=to`.
    fn sum(&self, at: usize, from: usize, to: usize) -> OrderCost {
        if from > to {
            return OrderCost::default();
        }
        let before = if from == at { OrderCost::default() } else { self.sums[from - 1 - at] };
        self.sums[to - at] - before
    }

    /// Adds link `end` to the chain of its box.
    fn extend(&mut self, order: &PushOrder<'_>, at: usize, end: usize) {
        let link = order.links()[end];
        let seen = self.boxes[usize::from(link.n)];
        let is_blocked = |to: Square| order.has_box(to);
        let next = if seen.round != self.round {
            BoxChain {
                round: self.round,
                dead: is_blocked(link.to),
                first: end,
                run: end,
                last: end,
                chain: OrderCost::default(),
                others: self.sum(at, at + 1, end.saturating_sub(1)),
            }
        } else if seen.last + 1 == end {
            let chain = seen.chain + order.cost(end);
            BoxChain { last: end, chain, dead: seen.dead || self.blocks(order, &seen, &link), ..seen }
        } else {
            BoxChain {
                run: end,
                last: end,
                chain: seen.chain + order.joint(Some(seen.last), end),
                others: self.others_up_to(order, at, &seen, end - 1),
                dead: seen.dead || self.blocks(order, &seen, &link),
                ..seen
            }
        };
        self.boxes[usize::from(link.n)] = next;
    }

    /// Whether another box occupies, at the place of the scan, the square that the chain's next link pushes to.
    fn blocks(&self, order: &PushOrder<'_>, seen: &BoxChain, link: &Link) -> bool {
        order.has_box(link.to) && order.links()[seen.first].push.from != link.to
    }

    /// Cost of the links of other boxes up to `end`, a link after the chain's last run, without the approach to the
    /// first of them.
    fn others_up_to(&self, order: &PushOrder<'_>, at: usize, seen: &BoxChain, end: usize) -> OrderCost {
        let over_the_gap = match seen.run.checked_sub(1).filter(|&prior| prior >= at && seen.run > at) {
            Some(prior) => order.joint(Some(prior), seen.last + 1),
            None => OrderCost::default(),
        };
        seen.others + over_the_gap + self.sum(at, seen.last + 2, end)
    }

    /// Prices and tries the promotion of the chain that ends with link `end` to `at`, alone and with followers.
    fn promote(
        &mut self,
        order: &mut PushOrder<'_>,
        at: usize,
        end: usize,
        window: usize,
        cx: &mut Context<'_>,
    ) -> Result<(), Stop> {
        let n = order.links()[end].n;
        let chain = self.boxes[usize::from(n)];
        if chain.dead {
            return Ok(());
        }
        let fixed = order.joint(at.checked_sub(1), chain.first) + chain.chain + chain.others;
        let last_skipped = chain.run - 1;
        let furthest = if self.filter == BoxFilter::AllBoxes { window } else { end + 1 };
        for to in end..furthest {
            if to > end && self.is_skipped(order.links()[to].n, n) {
                break;
            }
            let mut new = fixed + self.sum(at, end + 1, to) + order.joint(Some(to), at);
            let meets = to + 1 < order.links().len();
            if meets {
                new += order.joint(Some(last_skipped), to + 1);
            }
            let old = self.sum(at, at, to + usize::from(meets));
            let reordering = Reordering::Promote { n, end, to };
            if let Some(Trial::Impossible(place)) = self.price_and_try(order, at, old, new, reordering, cx)? {
                let in_chain = order.links()[at..=end].iter().filter(|link| link.n == n).count();
                self.boxes[usize::from(n)].dead |= place < in_chain;
                if place < in_chain + to - end || self.is_in_the_way(order.links()[end].to, place) {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Whether the link at this place of the trial needs the square.
    fn is_in_the_way(&self, sq: Square, place: usize) -> bool {
        self.trial.get(place).is_some_and(|link| link.to == sq || link.stand == sq)
    }

    /// Whether earlier pushes of box `follower` would be skipped if it followed box `n`.
    fn is_skipped(&self, follower: u16, n: u16) -> bool {
        follower != n && self.boxes[usize::from(follower)].round == self.round
    }

    /// Prices and tries to put off the box at `at` until after link `end` of another box. Returns false if the other
    /// boxes cannot be pushed that far without it.
    fn put_off(
        &mut self,
        order: &mut PushOrder<'_>,
        at: usize,
        end: usize,
        cx: &mut Context<'_>,
    ) -> Result<bool, Stop> {
        let n = order.links()[at].n;
        let chain = self.boxes[usize::from(n)];
        let first_other = self.first_other(order, at);
        let mut new = order.joint(at.checked_sub(1), first_other)
            + self.others_up_to(order, at, &chain, end)
            + order.joint(Some(end), at)
            + chain.chain;
        let meets = end + 1 < order.links().len();
        if meets {
            new += order.joint(Some(chain.last), end + 1);
        }
        let old = self.sum(at, at, end + usize::from(meets));
        match self.price_and_try(order, at, old, new, Reordering::PutOff { n, end }, cx)? {
            Some(Trial::Impossible(place)) => {
                let n_others = order.links()[at..=end].iter().filter(|link| link.n != n).count();
                Ok(place >= n_others)
            }
            _ => Ok(true),
        }
    }

    fn first_other(&self, order: &PushOrder<'_>, at: usize) -> usize {
        let n = order.links()[at].n;
        at + order.links()[at..].iter().take_while(|link| link.n == n).count()
    }

    /// Tries a reordering if its price wins, and keeps it if it is the best. `None` if the price does not win.
    fn price_and_try(
        &mut self,
        order: &mut PushOrder<'_>,
        at: usize,
        old: OrderCost,
        new: OrderCost,
        reordering: Reordering,
        cx: &mut Context<'_>,
    ) -> Result<Option<Trial>, Stop> {
        if !order.wins(old, new, &self.best_metrics) {
            return Ok(None);
        }
        self.lay_out(order, at, reordering);
        let trial = order.try_order(&mut self.trial, old, &self.best_metrics, cx)?;
        if let Trial::Better(metrics) = trial {
            std::mem::swap(&mut self.trial, &mut self.best);
            self.best_metrics = metrics;
        }
        Ok(Some(trial))
    }

    /// Writes the links of a reordering, and the link after it, into `trial`.
    fn lay_out(&mut self, order: &PushOrder<'_>, at: usize, reordering: Reordering) {
        let links = order.links();
        self.trial.clear();
        let (n, end, to) = match reordering {
            Reordering::Promote { n, end, to } => (n, end, to),
            Reordering::PutOff { n, end } => (n, end, end),
        };
        let of_box = links[at..=end].iter().filter(|link| link.n == n);
        let others = links[at..=end].iter().filter(|link| link.n != n);
        match reordering {
            Reordering::Promote { .. } => self.trial.extend(of_box.chain(&links[end + 1..=to]).chain(others)),
            Reordering::PutOff { .. } => self.trial.extend(others.chain(of_box)),
        }
        self.trial.extend(links.get(to + 1));
    }
}
