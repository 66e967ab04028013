//! Session exchange: two box sessions exchange the squares that they begin or end on.
//!
//! ```text
//!   sessions   A: a ──▶ x      B  C      D: b ──▶ y
//!   starts     A: b ──▶ x      B  C      D: a ──▶ y     another box takes the goal now, this one later
//!   ends       A: a ──▶ y      B  C      D: b ──▶ x     the box goes where the other one would have gone
//!   both       A: b ──▶ y      B  C      D: a ──▶ x     the sessions change their turns
//! ```
//!
//! A box session is a run of pushes of one box. Large levels consist of long ones that bring a box each to its goal, and
//! which box takes which goal in which turn decides how far the player walks in between. It is the exchange of vehicle routing
//! with pickup and delivery (two requests change places; Savelsbergh and Sol, *Transportation Science* 29, 1995), where a walk
//! is what the vehicle drives empty.
//!
//! A neighborhood with one displaced box holds the first two as well, if its window reaches from one session to the other; on
//! large boards that is far more work.
//!
//! The two sessions take the shortest way that the other boxes leave. The pushes between stay, with new walks. A candidate is
//! dropped as soon as its walks are too long; the replay of the whole solution decides.

use std::ops::Range;

use sokocore::{Metric, Metrics, Push, Square};
use sokosearch::{Context, Stop};

use crate::push_order::{BoxPathSearch, Link, OrderCost, PushOrder};
use crate::{Method, Piece, Spec};

pub(crate) const SPEC: Spec = Spec {
    name: "session exchange",
    about: "exchanges the starts, the ends or the turns of two box sessions",
    build: |_| Box::new(SessionExchange),
};

/// How far ahead of a session the other one is, in box sessions, and most pushes from the beginning of the one to the end of
/// the other. Nine tenths of the gain come from pairs within them.
const SESSIONS_AHEAD: usize = 16;
const PUSHES_AHEAD: usize = 300;
/// Pushes that the first sessions of a piece of the work begin with.
const PIECE: usize = 64;
/// Ticks for each push played, as for [`Delay`](crate::Delay), and for each position of a box path.
const TICKS_OF_PUSH: u64 = 4;
const TICKS_OF_POSITION: u64 = 8;

/// What two sessions exchange.
#[derive(Clone, Copy, Debug)]
enum Exchanged {
    Starts,
    Ends,
    Both,
}

/// Links of the solution that others take the place of.
#[derive(Clone, Copy, Debug)]
struct Replaced {
    n_links: usize,
    cost: OrderCost,
}

/// A run of pushes of one box.
#[derive(Clone, Debug)]
struct BoxSession {
    links: Range<usize>,
    n: u16,
    from: Square,
    to: Square,
}

/// One pass over all pairs of box sessions that are near each other.
#[derive(Clone, Copy, Debug, Default)]
pub struct SessionExchange;

impl Method for SessionExchange {
    fn run(&self, cx: &mut Context<'_>) -> Result<bool, Stop> {
        run_from(0..usize::MAX, cx)
    }

    fn pieces(&self, cx: &mut Context<'_>) -> Result<Vec<Piece>, Stop> {
        Ok(Piece::blocks(PIECE, PUSHES_AHEAD, 0, cx).collect())
    }

    fn run_piece(&self, piece: &Piece, cx: &mut Context<'_>) -> Result<bool, Stop> {
        run_from(piece.pushes.start..piece.pushes.start + PIECE, cx)
    }
}

/// Exchanges the sessions that begin with one of these pushes with later ones.
fn run_from(starts: Range<usize>, cx: &mut Context<'_>) -> Result<bool, Stop> {
    cx.working(SPEC.name, "exchanging boxes");
    let mut search = SessionExchangeSearch::new(cx)?;
    let mut improved = false;
    let mut at = starts.start;
    loop {
        let first = search.sessions.partition_point(|one| one.links.start < at);
        let Some(session) = search.sessions.get(first).filter(|one| one.links.start < starts.end) else {
            return Ok(improved);
        };
        at = session.links.start;
        if search.improve(first, cx)? {
            improved = true;
            search = SessionExchangeSearch::new(cx)?;
        } else {
            at += 1;
        }
    }
}

/// The box sessions of a solution.
fn sessions(order: &PushOrder<'_>) -> Vec<BoxSession> {
    let mut sessions: Vec<BoxSession> = Vec::new();
    for (at, link) in order.links().iter().enumerate() {
        match sessions.last_mut().filter(|last| last.n == link.n) {
            Some(last) => (last.links.end, last.to) = (at + 1, link.to),
            None => sessions.push(BoxSession { links: at..at + 1, n: link.n, from: link.push.from, to: link.to }),
        }
    }
    sessions
}

/// The search for a better exchange in one solution.
struct SessionExchangeSearch<'a> {
    order: PushOrder<'a>,
    sessions: Vec<BoxSession>,
    paths: BoxPathSearch,
    path: Vec<Link>,
    best: Metrics,
}

impl<'a> SessionExchangeSearch<'a> {
    fn new(cx: &mut Context<'a>) -> Result<Self, Stop> {
        let order = PushOrder::new(cx)?;
        let (sessions, paths, best) = (sessions(&order), BoxPathSearch::new(&order), order.metrics());
        Ok(Self { order, sessions, paths, path: Vec::new(), best })
    }

    /// Tries to exchange a session with each later one, until the solution is better. Returns whether it is.
    fn improve(&mut self, first: usize, cx: &mut Context<'_>) -> Result<bool, Stop> {
        let start = self.sessions[first].links.start;
        self.order.seek(start);
        for second in first + 1..self.sessions.len().min(first + 1 + SESSIONS_AHEAD) {
            let end = self.sessions[second].links.end;
            if end - start > PUSHES_AHEAD {
                break;
            }
            let meeting = self.order.links().len().min(end + 1);
            let cost = (start..meeting).map(|at| self.order.cost(at)).sum();
            let replaced = Replaced { n_links: meeting - start, cost };
            for exchanged in [Exchanged::Starts, Exchanged::Ends, Exchanged::Both] {
                let played = self.play((first, second), exchanged, replaced, cx);
                let candidate = (played == Ok(true)).then(|| self.pushes(start, meeting));
                self.order.unplay(0);
                played?;
                if candidate.is_some_and(|pushes| cx.found_pushes(&pushes)) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Plays an exchange of two sessions up to the link after them, where the old and the new solution meet. Returns whether the
    /// new one is better.
    fn play(
        &mut self,
        (first, second): (usize, usize),
        exchanged: Exchanged,
        replaced: Replaced,
        cx: &mut Context<'_>,
    ) -> Result<bool, Stop> {
        let (one, other) = (self.sessions[first].clone(), self.sessions[second].clone());
        if one.to == other.from || one.n == other.n {
            return Ok(false);
        }
        let [early, late] = match exchanged {
            Exchanged::Starts => [(other.n, other.from, one.to), (one.n, one.from, other.to)],
            Exchanged::Ends => [(one.n, one.from, other.to), (other.n, other.from, one.to)],
            Exchanged::Both => [(other.n, other.from, other.to), (one.n, one.from, one.to)],
        };
        let mut new = OrderCost::default();
        if !self.play_path(early, replaced, &mut new, cx)? {
            return Ok(false);
        }
        for at in one.links.end..other.links.start {
            if !self.play_link(at, replaced, &mut new, cx)? {
                return Ok(false);
            }
        }
        let is_last = other.links.end == self.order.links().len();
        Ok(self.play_path(late, replaced, &mut new, cx)?
            && (is_last || self.play_link(other.links.end, replaced, &mut new, cx)?))
    }

    /// Plays the shortest way of a box. Returns whether there is one, and the solution may still become better.
    fn play_path(
        &mut self,
        (n, from, to): (u16, Square, Square),
        replaced: Replaced,
        new: &mut OrderCost,
        cx: &mut Context<'_>,
    ) -> Result<bool, Stop> {
        if from == to || !self.order.has_box(from) || self.order.has_box(to) {
            return Ok(false);
        }
        let limit = match cx.objective().order()[0] {
            Metric::Moves => (replaced.cost.moves + 1).saturating_sub(new.moves),
            _ => u32::MAX,
        };
        let is_found = self.paths.find(&mut self.order, (from, to), n, limit, &mut self.path);
        cx.tick_by(TICKS_OF_POSITION * self.paths.take_expanded())?;
        for at in 0..self.path.len() {
            let Some(cost) = self.order.play(self.path[at]) else { return Ok(false) };
            *new += cost;
        }
        Ok(is_found && self.may_win(replaced, *new, cx))
    }

    /// Plays a link of the solution. Returns whether it is possible, and the solution may still become better.
    fn play_link(
        &mut self,
        at: usize,
        replaced: Replaced,
        new: &mut OrderCost,
        cx: &mut Context<'_>,
    ) -> Result<bool, Stop> {
        cx.tick_by(TICKS_OF_PUSH)?;
        let Some(cost) = self.order.play(self.order.links()[at]) else { return Ok(false) };
        *new += cost;
        Ok(self.may_win(replaced, *new, cx))
    }

    /// Returns whether the links played so far leave it open, in place of these, that the solution becomes better.
    fn may_win(&self, replaced: Replaced, new: OrderCost, cx: &Context<'_>) -> bool {
        let played = (self.order.played().len(), new);
        let metrics = self.order.metrics_with_others((replaced.n_links, replaced.cost), played);
        cx.objective().score(&metrics) < cx.objective().score(&self.best)
    }

    /// Returns the pushes of the whole solution with the links played in place of `start..meeting`.
    fn pushes(&self, start: usize, meeting: usize) -> Vec<Push> {
        let links = self.order.links();
        let new = links[..start].iter().chain(self.order.played()).chain(&links[meeting..]);
        new.map(|link| link.push).collect()
    }
}
