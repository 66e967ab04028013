//! Delaying: a push is omitted and inserted later, together with the pushes that depend on it.
//!
//! ```text
//!   solution   A B C D E F G H I     D is omitted; E and F depend on it, so they join the queue
//!   played     A B C G H             after G, and again after H, the queue D E F is tried in all orders
//!   found      A B C G E D F H I
//! ```
//!
//! The idea is the Sokoban wiki's. For every push of the solution the search plays the next pushes without it, up to
//! `ahead` of them. A push that is impossible joins the queue. After each possible push all orders of the queue are
//! played; the pushes of one box keep their order, since no other can follow its box. Old and new order are compared at
//! the next push of the solution. Promotion, the other half of the idea, is [`Rearrange`].
//!
//! Limits: the queue holds pushes of at most [`MAX_BOXES`] boxes, and a push of one box more ends the attempt. In a
//! queue of more than [`MAX_MIXED`] pushes, the pushes of one box stay together, which leaves the orders of the
//! boxes. Orders of a part of the queue are not tried: they are the same as omitting the other part later.
//!
//! Invariant: an order is applied only if it was played push by push, with real walks, until old and new order meet.
//!
//! [`Rearrange`]: crate::Rearrange

mod queue;

use std::ops::Range;

use sokocore::Metrics;
use sokosearch::{Context, Stop};

use crate::push_order::{Link, OrderCost, PushOrder};
use crate::{Method, Piece, Spec};
use queue::DelayQueue;

pub(crate) const SPEC: Spec = Spec {
    name: "delay",
    about: "puts a push off, with those that need it, and makes up for them later in any order",
    build: |knobs| Box::new(Delay::new(knobs.delay_ahead)),
};

/// Boxes with pushes in the queue: at most 24 orders of them.
const MAX_BOXES: usize = 4;
/// Queues up to this length are tried in all orders, at most 120.
const MAX_MIXED: usize = 5;

/// Ticks for each push tried, which takes as long as so many states of a tube search (2026-11, six levels of 88 to 740
/// pushes: 60 to 320 ns against 65 to 110).
const TICKS_EACH: u64 = 2;
/// Pushes omitted, one after the other, in one piece of the work.
const PIECE: usize = 64;

/// One pass of delaying over the whole solution.
#[derive(Clone, Copy, Debug)]
pub struct Delay {
    ahead: usize,
}

impl Delay {
    /// Makes a pass that puts pushes off for up to `ahead` pushes.
    #[must_use]
    pub const fn new(ahead: usize) -> Self {
        Self { ahead }
    }
}

impl Method for Delay {
    fn run(&self, cx: &mut Context<'_>) -> Result<bool, Stop> {
        self.run_from(0..usize::MAX, cx)
    }

    fn pieces(&self, cx: &mut Context<'_>) -> Result<Vec<Piece>, Stop> {
        Ok(Piece::blocks(PIECE, self.ahead, 0, cx).collect())
    }

    fn run_piece(&self, piece: &Piece, cx: &mut Context<'_>) -> Result<bool, Stop> {
        self.run_from(piece.pushes.start..piece.pushes.start + PIECE, cx)
    }
}

impl Delay {
    /// Tries to put off each of these pushes.
    fn run_from(self, omitted: Range<usize>, cx: &mut Context<'_>) -> Result<bool, Stop> {
        cx.working(SPEC.name, "putting pushes off");
        let mut order = PushOrder::new(cx)?;
        let end = self.sweep(omitted, &mut order, cx);
        let mut improved = false;
        order.offer(end, &mut improved, cx).map(|()| improved)
    }

    fn sweep(self, omitted: Range<usize>, order: &mut PushOrder<'_>, cx: &mut Context<'_>) -> Result<(), Stop> {
        let mut attempt =
            PlacementSearch { order, queue: DelayQueue::default(), best: Vec::new(), best_metrics: Metrics::default() };
        for at in omitted.start..omitted.end.min(attempt.order.links().len()) {
            if at % 64 == 0 {
                cx.advanced(at as f64 / attempt.order.links().len() as f64);
            }
            attempt.order.seek(at);
            while attempt.improve(at, self.ahead, cx)? {}
        }
        Ok(())
    }
}

/// The search for the best place of one omitted push.
struct PlacementSearch<'a, 'b> {
    order: &'a mut PushOrder<'b>,
    queue: DelayQueue,
    best: Vec<Link>,
    best_metrics: Metrics,
}

impl PlacementSearch<'_, '_> {
    /// Puts off link `at`, the cursor, to its best place. Returns whether that gained.
    fn improve(&mut self, at: usize, ahead: usize, cx: &mut Context<'_>) -> Result<bool, Stop> {
        self.best.clear();
        self.best_metrics = self.order.metrics();
        self.queue.clear();
        self.queue.add(self.order.links()[at]);
        let (mut old, mut new) = (self.order.cost(at), OrderCost::default());
        for next in at + 1..self.order.links().len().min(at + 1 + ahead) {
            cx.tick_by(TICKS_EACH)?;
            old += self.order.cost(next);
            let link = self.order.links()[next];
            let played = if self.queue.has_box(link.n) { None } else { self.order.play(link) };
            if let Some(cost) = played {
                new += cost;
                self.try_orders(next, old, new, cx)?;
            } else {
                self.queue.add(link);
                if self.queue.n_boxes() > MAX_BOXES {
                    break;
                }
            }
        }
        self.order.unplay(0);
        if self.best.is_empty() {
            return Ok(false);
        }
        self.order.take(&self.best);
        Ok(true)
    }

    /// Tries all orders of the queue after link `last`. The links up to it cost `old` in the old order and `new` now.
    fn try_orders(&mut self, last: usize, old: OrderCost, new: OrderCost, cx: &mut Context<'_>) -> Result<(), Stop> {
        let meets = self.order.links().get(last + 1).copied();
        let old = if meets.is_some() { old + self.order.cost(last + 1) } else { old };
        let mixing = if self.queue.len() <= MAX_MIXED { Mixing::Allowed } else { Mixing::Forbidden };
        let n_played = self.order.played().len();
        self.play_queue(Flush { meets, old, mixing }, new, None, cx)?;
        debug_assert_eq!(n_played, self.order.played().len());
        Ok(())
    }

    /// Plays the rest of the queue in every order that can still be the best (branch and bound).
    fn play_queue(
        &mut self,
        flush: Flush,
        spent: OrderCost,
        last_n: Option<u16>,
        cx: &mut Context<'_>,
    ) -> Result<(), Stop> {
        if self.queue.is_played() {
            return self.meet(flush, spent, cx);
        }
        for place in 0..self.queue.n_boxes() {
            let Some(link) = self.queue.next_of(place) else { continue };
            let stays = last_n.is_none_or(|last| last == link.n || self.queue.is_done_with(last));
            if flush.mixing == Mixing::Forbidden && !stays {
                continue;
            }
            let to_come = OrderCost { moves: self.queue.n_waiting() - 1, ..OrderCost::default() };
            let at_least = spent + self.order.least_next(&link) + to_come;
            if !self.can_win(flush, at_least) {
                continue;
            }
            cx.tick_by(TICKS_EACH)?;
            let n_played = self.order.played().len();
            if let Some(cost) = self.order.play(link) {
                self.queue.advance(place);
                self.play_queue(flush, spent + cost, Some(link.n), cx)?;
                self.queue.retreat(place);
                self.order.unplay(n_played);
            }
        }
        Ok(())
    }

    /// Plays the link where old and new order meet, and compares them. The queue is empty.
    fn meet(&mut self, flush: Flush, spent: OrderCost, cx: &mut Context<'_>) -> Result<(), Stop> {
        let n_played = self.order.played().len();
        let mut total = spent;
        if let Some(link) = flush.meets {
            cx.tick()?;
            if !self.can_win(flush, spent + self.order.least_next(&link)) {
                return Ok(());
            }
            let Some(cost) = self.order.play(link) else { return Ok(()) };
            total += cost;
        }
        if self.can_win(flush, total) {
            self.best_metrics = self.order.metrics_with(flush.old, total);
            self.best.clear();
            self.best.extend_from_slice(self.order.played());
        }
        self.order.unplay(n_played);
        Ok(())
    }

    fn can_win(&self, flush: Flush, cost: OrderCost) -> bool {
        self.order.wins(flush.old, cost, &self.best_metrics)
    }
}

/// Whether pushes of another box may come between pushes of one box when the queue is played.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mixing {
    Allowed,
    Forbidden,
}

/// What all orders of one queue have in common.
#[derive(Clone, Copy)]
struct Flush {
    /// The link where old and new order meet; `None` at the end of the solution.
    meets: Option<Link>,
    /// Cost of the old order up to there.
    old: OrderCost,
    mixing: Mixing,
}
