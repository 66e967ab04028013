//! Quick rearrangement: later pushes of a box are brought forward to follow its pushes now.
//!
//! At the end of each box session the next 1, 2, 3, ... pushes of the same box are tried right there. The skipped
//! pushes of other boxes must all stay possible; the order is compared where old and new meet again, after one more
//! common push. Sessions are kept whole, so no session is broken to save another.
//!
//! Invariant: the multiset of pushes never changes here; loops that arise are cut when the pass is over.

use sokocore::{Metrics, Objective, Position, Push, Reach, pushes_of};
use sokosearch::{Context, Stop};

use crate::tidy_path::without_loops;
use crate::{Method, Spec};

pub(crate) const SPEC: Spec = Spec {
    name: "rearrange",
    about: "brings later pushes of a box forward to follow its earlier ones",
    build: |knobs| Box::new(Rearrange::new(knobs.rearrange_ahead)),
};

/// One pass of rearrangement over the whole solution.
#[derive(Clone, Copy, Debug)]
pub struct Rearrange {
    ahead: usize,
}

impl Rearrange {
    /// Makes a pass that looks up to `ahead` pushes ahead.
    #[must_use]
    pub const fn new(ahead: usize) -> Self {
        Self { ahead }
    }
}

impl Method for Rearrange {
    fn run(&self, cx: &mut Context<'_>) -> Result<bool, Stop> {
        cx.working("rearrange", "promoting pushes");
        let pushes = pushes_of(cx.level(), cx.incumbent().lurd());
        let mut path = Path::new(cx, &pushes);
        let end = path.promote_all(self.ahead, cx);
        let pushes: Vec<Push> = path.links.iter().map(|link| link.push).collect();
        let improved = cx.found_pushes(&without_loops(cx.level(), &pushes));
        end.map(|()| improved)
    }
}

/// A push of the solution.
#[derive(Clone, Copy, Debug)]
struct Link {
    push: Push,
    /// Number of the box. Pushes of one box keep their order, so it stays right.
    n: usize,
    /// Steps walked before the push.
    walk: u64,
}

/// The solution as it is being rearranged.
struct Path {
    links: Vec<Link>,
    reach: Reach,
    objective: Objective,
}

impl Path {
    fn new(cx: &Context<'_>, pushes: &[Push]) -> Self {
        let level = cx.level();
        let mut path = Self {
            links: Vec::with_capacity(pushes.len()),
            reach: Reach::new(level.board()),
            objective: cx.objective(),
        };
        let mut box_on = vec![usize::MAX; level.board().n_squares()];
        level.start().boxes.iter().enumerate().for_each(|(n, sq)| box_on[sq.idx()] = n);
        let mut position: Position = level.start().clone();
        for &push in pushes {
            let n = box_on[push.from.idx()];
            if let Some(to) = push.to(level.board()) {
                box_on[to.idx()] = n;
            }
            let walk = path.walk_to(cx, &position, push).unwrap_or(0);
            position.push(level.board(), push);
            path.links.push(Link { push, n, walk });
        }
        path
    }

    /// Tries promotions at every end of a box session.
    fn promote_all(&mut self, ahead: usize, cx: &mut Context<'_>) -> Result<(), Stop> {
        let mut position: Position = cx.level().start().clone();
        for at in 0..self.links.len() {
            position.push(cx.level().board(), self.links[at].push);
            while self.ends_session(at) && self.promote_at(at, &position, ahead, cx)? {}
            if at % 64 == 0 {
                cx.advanced(at as f64 / self.links.len() as f64);
            }
        }
        Ok(())
    }

    fn ends_session(&self, at: usize) -> bool {
        self.links.get(at + 1).is_some_and(|next| next.n != self.links[at].n)
    }

    /// Brings forward the chain of later pushes of the same box that gains most. Returns whether one gained.
    fn promote_at(&mut self, at: usize, position: &Position, ahead: usize, cx: &mut Context<'_>) -> Result<bool, Stop> {
        let n = self.links[at].n;
        let last = self.links.len().min(at + 1 + ahead);
        let later: Vec<usize> = (at + 1..last).filter(|&later| self.links[later].n == n).collect();
        let mut best = None;
        for (chain, &end) in later.iter().enumerate() {
            let order: Vec<Link> = self.promoted(at, end, n);
            let meets = (end + 2).min(self.links.len());
            let old = self.metrics_after(at, &self.links[at + 1..meets]);
            match self.try_order(at, position, order, old, cx)? {
                Trial::Impossible if chain == 0 || !self.chain_is_possible(position, &later[..=chain], cx) => break,
                Trial::Better(new, order) => {
                    let gain = Gain { old, new };
                    if best.as_ref().is_none_or(|(_, found)| gain.is_more_than(found, &self.objective)) {
                        best = Some((order, gain));
                    }
                }
                _ => {}
            }
        }
        let Some((order, _)) = best else { return Ok(false) };
        self.links[at + 1..][..order.len()].copy_from_slice(&order);
        Ok(true)
    }

    /// The links after `at` up to one behind `end`, those of box `n` up to `end` first.
    fn promoted(&self, at: usize, end: usize, n: usize) -> Vec<Link> {
        let stretch = &self.links[at + 1..=end];
        let of_box = stretch.iter().filter(|link| link.n == n);
        let others = stretch.iter().filter(|link| link.n != n);
        of_box.chain(others).chain(self.links.get(end + 1)).copied().collect()
    }

    /// Whether the box's own pushes can be made one after the other; if not, longer chains cannot either.
    fn chain_is_possible(&mut self, position: &Position, chain: &[usize], cx: &Context<'_>) -> bool {
        let mut position = position.clone();
        chain.iter().all(|&later| {
            let push = self.links[later].push;
            self.walk_to(cx, &position, push).is_some() && position.push(cx.level().board(), push)
        })
    }

    /// Plays the links in a new order and measures them; gives up when the moves show that it cannot be better.
    fn try_order(
        &mut self,
        at: usize,
        position: &Position,
        mut order: Vec<Link>,
        old: Metrics,
        cx: &mut Context<'_>,
    ) -> Result<Trial, Stop> {
        let mut position = position.clone();
        let moves_decide = self.objective.score(&Metrics { moves: 1, ..Metrics::default() })
            > self.objective.score(&Metrics { box_lines: 1, ..Metrics::default() });
        let mut moves = 0;
        for link in &mut order {
            cx.tick()?;
            let Some(walk) = self.walk_to(cx, &position, link.push) else { return Ok(Trial::Impossible) };
            if !position.push(cx.level().board(), link.push) {
                return Ok(Trial::Impossible);
            }
            link.walk = walk;
            moves += walk + 1;
            if moves_decide && moves > old.moves {
                return Ok(Trial::Worse);
            }
        }
        let new = self.metrics_after(at, &order);
        let better = self.objective.score(&new) < self.objective.score(&old);
        Ok(if better { Trial::Better(new, order) } else { Trial::Worse })
    }

    /// Counts what the links add to the path up to `at`; player lines are left out, they need the walks themselves.
    fn metrics_after(&self, at: usize, links: &[Link]) -> Metrics {
        let mut metrics = Metrics::default();
        let mut last = self.links[at];
        for &link in links {
            let same_box = link.n == last.n;
            metrics.moves += link.walk + 1;
            metrics.pushes += 1;
            metrics.box_lines += u64::from(!same_box || link.push.dir != last.push.dir);
            metrics.box_changes += u64::from(!same_box);
            metrics.pushing_sessions += u64::from(link.walk > 0);
            last = link;
        }
        metrics
    }

    /// Steps to where the push is made from; `None` if the player cannot get there.
    fn walk_to(&mut self, cx: &Context<'_>, position: &Position, push: Push) -> Option<u64> {
        let board = cx.level().board();
        let stand = push.stand(board).filter(|&stand| !position.boxes.contains(stand))?;
        self.reach.flood_until(board, &position.boxes, position.player, |sq| sq == stand);
        self.reach.distance(stand).map(u64::from)
    }
}

/// What a new order came to.
enum Trial {
    Impossible,
    Worse,
    Better(Metrics, Vec<Link>),
}

/// Metrics of a stretch before and after.
#[derive(Clone, Copy)]
struct Gain {
    old: Metrics,
    new: Metrics,
}

impl Gain {
    /// Whether this saves more than another gain: what each leaves of the other's stretch is compared.
    fn is_more_than(&self, other: &Self, objective: &Objective) -> bool {
        let plus = |one: &Metrics, two: &Metrics| Metrics {
            moves: one.moves + two.moves,
            pushes: one.pushes + two.pushes,
            box_lines: one.box_lines + two.box_lines,
            box_changes: one.box_changes + two.box_changes,
            pushing_sessions: one.pushing_sessions + two.pushing_sessions,
            player_lines: 0,
        };
        objective.score(&plus(&self.new, &other.old)) < objective.score(&plus(&other.new, &self.old))
    }
}
