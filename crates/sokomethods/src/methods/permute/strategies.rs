//! The three strategies at one place of a solution.
//!
//! All of them move a run of pushes to the cursor. A lower bound on the three new joints decides whether the order is
//! played.

use sokosearch::{Context, Stop};

use super::PermuteStrategy;
use crate::push_order::{Link, PushOrder, Trial};

/// Applies the strategy once at link `at`, the cursor. Returns whether it gained.
pub(super) fn apply(
    strategy: PermuteStrategy,
    order: &mut PushOrder<'_>,
    at: usize,
    ahead: usize,
    cx: &mut Context<'_>,
) -> Result<bool, Stop> {
    let links = order.links();
    let starts_session = at > 0 && links[at - 1].n != links[at].n;
    let window = links.len().min(at + ahead);
    match strategy {
        PermuteStrategy::SwapNeighbors if at + 1 < links.len() && links[at].n != links[at + 1].n => {
            move_before(order, at, at + 1, at + 2, cx)
        }
        PermuteStrategy::AdvanceSession if at == 0 || starts_session => advance_session(order, at, window, cx),
        PermuteStrategy::GroupBox if starts_session => group(order, at, window, cx),
        _ => Ok(false),
    }
}

/// Tries to move the next session of every other box before the session that starts at `at`.
fn advance_session(order: &mut PushOrder<'_>, at: usize, window: usize, cx: &mut Context<'_>) -> Result<bool, Stop> {
    let mut seen = vec![false; order.n_boxes()];
    let mut from = at;
    while from < window {
        cx.tick()?;
        let to = session_end(order.links(), from);
        let is_next = !std::mem::replace(&mut seen[usize::from(order.links()[from].n)], true);
        if from > at && is_next && move_before(order, at, from, to, cx)? {
            return Ok(true);
        }
        from = to;
    }
    Ok(false)
}

/// Tries to move the longest possible part of the box's next session behind its session that ends before `at`.
fn group(order: &mut PushOrder<'_>, at: usize, window: usize, cx: &mut Context<'_>) -> Result<bool, Stop> {
    let n = order.links()[at - 1].n;
    let Some(from) = order.links()[at..window].iter().position(|link| link.n == n).map(|skipped| at + skipped) else {
        return Ok(false);
    };
    for to in (from + 1..=session_end(order.links(), from)).rev() {
        cx.tick()?;
        if move_before(order, at, from, to, cx)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn session_end(links: &[Link], from: usize) -> usize {
    from + links[from..].iter().take_while(|link| link.n == links[from].n).count()
}

/// Moves links `from..to` before link `at` if that is better.
fn move_before(
    order: &mut PushOrder<'_>,
    at: usize,
    from: usize,
    to: usize,
    cx: &mut Context<'_>,
) -> Result<bool, Stop> {
    let mut old = order.cost(at) + order.cost(from);
    let mut new = order.joint(at.checked_sub(1), from) + order.joint(Some(to - 1), at);
    if to < order.links().len() {
        old += order.cost(to);
        new += order.joint(Some(from - 1), to);
    }
    let best = order.metrics();
    if !order.wins(old, new, &best) {
        return Ok(false);
    }
    let old = (at..order.links().len().min(to + 1)).map(|link| order.cost(link)).sum();
    let links = order.links();
    let mut trial: Vec<Link> = [&links[from..to], &links[at..from]].concat();
    trial.extend(links.get(to));
    let is_better = matches!(order.try_order(&mut trial, old, &best, cx)?, Trial::Better(_));
    if is_better {
        order.take(&trial);
    }
    Ok(is_better)
}
