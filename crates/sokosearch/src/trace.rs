//! Any one optimal path, found fast: depth first along the moves to go.
//!
//! Follows remainders (see `steps_to_go`) and counts moves, so that the first path that ends after exactly the right
//! number is optimal. Where a remainder deceived, it turns back; a state that failed with some number of moves left
//! is not tried with that number again. Nearly always the first descent succeeds.

use hashbrown::HashSet;
use sokocore::Push;

use crate::optimal_steps::OptimalSteps;
use crate::successors::{Edge, State};
use crate::{ConfigStore, Context};

/// Turns back so many times at most.
const MAX_FAILURES: usize = 100_000;
/// Dead ends between two looks at the budget: a path is worth some milliseconds after the end of a run, but no more.
const POLL_EVERY: usize = 1 << 12;

/// Which of the optimal paths to take.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Choice {
    /// Whichever comes first.
    First,
    /// One that the seed chooses.
    Random(u64),
}

/// Returns the pushes of an optimal path, or `None` if too many remainders deceived, or if many did and the run is over.
pub(crate) fn trace<S: ConfigStore>(
    optimal: &OptimalSteps<'_, S>,
    choice: Choice,
    cx: &Context<'_>,
) -> Option<Vec<Push>> {
    let mut key = optimal.key();
    let mut path: Vec<(Edge, Vec<Edge>)> = Vec::with_capacity(optimal.moves() as usize);
    let mut failed: HashSet<(u32, State)> = HashSet::new();
    let mut at = optimal.start();
    let mut moves_left = optimal.moves();
    while moves_left > 0 {
        let mut ways = Vec::with_capacity(4);
        optimal.step(at, moves_left - 1, &mut key, cx, &mut ways);
        if let Choice::Random(seed) = choice {
            shuffle(&mut ways, seed ^ u64::from(moves_left));
        }
        let next = loop {
            match ways.pop() {
                Some(edge) if failed.contains(&(moves_left - 1, edge.to)) => {}
                way => break way,
            }
        };
        if let Some(edge) = next {
            path.push((edge, ways));
            at = edge.to;
            moves_left -= 1;
            continue;
        }
        // A dead end: give it up, and take the next way out of the state before.
        loop {
            failed.insert((moves_left, at));
            let is_late = failed.len().is_multiple_of(POLL_EVERY) && cx.poll().is_err();
            if is_late || failed.len() > MAX_FAILURES {
                return None;
            }
            let (_, ways) = path.last_mut()?;
            moves_left += 1;
            if let Some(edge) = ways.pop() {
                path.last_mut()?.0 = edge;
                at = edge.to;
                moves_left -= 1;
                break;
            }
            path.pop();
            at = path.last().map_or_else(|| optimal.start(), |(edge, _)| edge.to);
        }
    }
    Some(path.iter().filter_map(|(edge, _)| edge.push()).collect())
}

/// Puts up to four ways into a random order (Marsaglia's xorshift).
fn shuffle(ways: &mut [Edge], seed: u64) {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    for at in (1..ways.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        ways.swap(at, usize::try_from((state >> 33) % (at as u64 + 1)).unwrap_or(0));
    }
}
