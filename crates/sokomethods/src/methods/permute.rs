//! Push permutation: three simple ways to reorder pushes, in rounds until none of them gains.
//!
//! ```text
//!                          AAABBCCBAD
//!   1 swap neighbors       AABABCCBAD, AAABCBCBAD, ...        single pushes of two boxes
//!   2 advance a session    BBAAACCBAD, CCAAABBBAD, DAAABBCCBA   before the current session
//!   3 group                AAAABBCCBD, AAABBBCCAD             the longest part that can follow its box at once
//! ```
//!
//! The strategies are those of the blog post *Push-Permutation Optimization of Sokoban Solutions*; every gain is
//! applied at once. After each round one event logs its number, the moves, how often each strategy was applied so
//! far, and the boxes in the order in which they are pushed.
//!
//! Invariant: a new order is applied only if it is better by the context's objective.

mod strategies;

use sokosearch::{Context, Stop};
use tracing::debug;

use crate::push_order::PushOrder;
use crate::{Method, Spec};

pub(crate) const SPEC: Spec = Spec {
    name: "permute",
    about: "swaps neighboring pushes, advances box sessions and groups pushes of the same box",
    build: |knobs| Box::new(Permute::new(&PermuteStrategy::ALL, knobs.rearrange_ahead)),
};

/// One of the three ways to reorder pushes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PermuteStrategy {
    /// Two neighboring pushes of different boxes change places.
    SwapNeighbors,
    /// The next session of another box moves before the current session.
    AdvanceSession,
    /// Where a session ends, the longest possible part of the same box's next session joins it.
    GroupBox,
}

impl PermuteStrategy {
    /// All three, in the order of the post.
    pub const ALL: [Self; 3] = [Self::SwapNeighbors, Self::AdvanceSession, Self::GroupBox];
}

/// Rounds of push permutation over the whole solution.
#[derive(Clone, Debug)]
pub struct Permute {
    strategies: Vec<PermuteStrategy>,
    ahead: usize,
}

impl Permute {
    /// Makes a run with these strategies, which try pushes up to `ahead` pushes ahead.
    #[must_use]
    pub fn new(strategies: &[PermuteStrategy], ahead: usize) -> Self {
        Self { strategies: strategies.to_vec(), ahead }
    }
}

impl Method for Permute {
    fn run(&self, cx: &mut Context<'_>) -> Result<bool, Stop> {
        cx.working(SPEC.name, "reordering pushes");
        let mut order = PushOrder::new(cx)?;
        let mut applied = [0; 3];
        let mut improved = false;
        report(1, &order, applied);
        for iteration in 2_u32.. {
            let before = applied;
            let end = self.round(&mut order, &mut applied, cx);
            let end = order.offer(end, &mut improved, cx);
            if applied != before {
                report(iteration, &order, applied);
            }
            end?;
            if applied == before {
                break;
            }
        }
        Ok(improved)
    }
}

impl Permute {
    /// Applies each strategy at every place of the solution, and counts how often each gains.
    fn round(&self, order: &mut PushOrder<'_>, applied: &mut [u32; 3], cx: &mut Context<'_>) -> Result<(), Stop> {
        for &strategy in &self.strategies {
            order.seek(0);
            for at in 0..order.links().len() {
                cx.tick()?;
                if at % 64 == 0 {
                    cx.advanced(at as f64 / order.links().len() as f64);
                }
                order.seek(at);
                while strategies::apply(strategy, order, at, self.ahead, cx)? {
                    applied[strategy as usize] += 1;
                }
            }
        }
        Ok(())
    }
}

/// Most pushes whose boxes are logged.
const MAX_LETTERS: usize = 1_000;

/// Logs the state after a round.
fn report(iteration: u32, order: &PushOrder<'_>, [swapped, advanced, grouped]: [u32; 3]) {
    if !tracing::enabled!(tracing::Level::DEBUG) {
        return;
    }
    let moves = order.metrics().moves;
    let boxes: String = order.links().iter().take(MAX_LETTERS).map(|link| letter(link.n)).collect();
    debug!(iteration, moves, swapped, advanced, grouped, %boxes, "push permutation");
}

/// A letter for each of the first 52 boxes; the others share one sign.
fn letter(n: u16) -> char {
    ('a'..='z').chain('A'..='Z').nth(usize::from(n)).unwrap_or('*')
}
