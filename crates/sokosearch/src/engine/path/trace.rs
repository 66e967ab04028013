//! Finds one optimal path fast: depth first along the moves to go.
//!
//! The search follows remainders (see `moves_to_go`) and counts moves, so the first path that ends after exactly the
//! right number is optimal. Where a remainder deceived, it backtracks; a state that failed with some number of moves left
//! is not tried with that number again. Nearly always the first descent succeeds.

use hashbrown::HashSet;
use sokocore::Push;

use crate::engine::path::optimal_paths::OptimalPaths;
use crate::engine::path::successors::Edge;
use crate::engine::state::State;
use crate::{Charge, ConfigStore, Context, MemoryAccount, Stop};

/// Bytes for each state of a path, with the other steps from it.
const STATE_BYTES: u64 = (size_of::<(Edge, Vec<Edge>)>() + 4 * size_of::<Edge>()) as u64;
/// Bytes for each dead end, while the set of them grows.
const DEAD_END_BYTES: u64 = 4 * size_of::<(u32, State)>() as u64;
/// The most dead ends before it gives up.
const MAX_FAILURES: usize = 100_000;
/// Dead ends between two polls of the budget: a path is worth some milliseconds after the end of a run, but no more.
const POLL_EVERY: usize = 1 << 12;
/// Dead ends that are charged at once.
const CHARGED: usize = 1 << 8;

/// Which of the optimal paths to take.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PathChoice {
    /// The first one found.
    First,
    /// One that the seed chooses.
    Random(u64),
}

/// Memory reserved for reading a path before a search uses up the rest: without a path it has no result.
#[derive(Debug)]
pub(crate) struct PathReserve(Charge);

impl PathReserve {
    /// Reserves the memory for paths of this length with a few dead ends.
    ///
    /// # Errors
    /// There is too little.
    pub(crate) fn new(moves: u32, account: &MemoryAccount) -> Result<Self, Stop> {
        account.charge(Self::bytes_for(moves, CHARGED)).map(Self)
    }

    fn bytes_for(moves: u32, n_dead_ends: usize) -> u64 {
        u64::from(moves) * STATE_BYTES + n_dead_ends as u64 * DEAD_END_BYTES
    }

    /// Extends the reserve to a path of this length with this number of dead ends.
    fn grow(&mut self, moves: u32, n_dead_ends: usize) -> Result<(), Stop> {
        self.0.add(Self::bytes_for(moves, n_dead_ends).saturating_sub(self.0.bytes()))
    }
}

/// Returns the pushes of an optimal path, or `None` if too many remainders deceived, or if many did and the run was stopped
/// or memory is used up.
pub(crate) fn trace<S: ConfigStore>(
    optimal: &OptimalPaths<'_, S>,
    choice: PathChoice,
    reserve: &mut PathReserve,
    cx: &Context<'_>,
) -> Option<Vec<Push>> {
    reserve.grow(optimal.moves(), CHARGED).ok()?;
    let mut key = optimal.key();
    let mut path: Vec<(Edge, Vec<Edge>)> = Vec::with_capacity(optimal.moves() as usize);
    let mut failed: HashSet<(u32, State)> = HashSet::new();
    let mut at = optimal.start();
    let mut moves_left = optimal.moves();
    while moves_left > 0 {
        let mut steps = Vec::with_capacity(4);
        optimal.steps_from(at, moves_left - 1, &mut key, cx, &mut steps);
        if let PathChoice::Random(seed) = choice {
            shuffle(&mut steps, seed ^ u64::from(moves_left));
        }
        let next = loop {
            match steps.pop() {
                Some(edge) if failed.contains(&(moves_left - 1, edge.to)) => {}
                step => break step,
            }
        };
        if let Some(edge) = next {
            path.push((edge, steps));
            at = edge.to;
            moves_left -= 1;
            continue;
        }
        // A dead end: backtrack to the next step from an earlier state.
        loop {
            failed.insert((moves_left, at));
            if failed.len() > MAX_FAILURES {
                return None;
            }
            if failed.len().is_multiple_of(POLL_EVERY) {
                cx.poll().ok()?;
            }
            if failed.len().is_multiple_of(CHARGED) {
                reserve.grow(optimal.moves(), failed.len() + CHARGED).ok()?;
            }
            let (_, steps) = path.last_mut()?;
            moves_left += 1;
            if let Some(edge) = steps.pop() {
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

/// Shuffles up to four steps (Marsaglia's xorshift).
fn shuffle(steps: &mut [Edge], seed: u64) {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    for at in (1..steps.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        steps.swap(at, usize::try_from((state >> 33) % (at as u64 + 1)).expect("invariant: a remainder is an index"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reserve_grows_with_the_path_and_is_charged_first() {
        let account = MemoryAccount::new(100_000);
        let mut reserve = PathReserve::new(100, &account).unwrap();
        let held = account.used();
        assert_eq!((reserve.grow(50, CHARGED), account.used()), (Ok(()), held), "a shorter path needs no more");
        reserve.grow(200, CHARGED).unwrap();
        assert_eq!(account.used(), held + 100 * STATE_BYTES);
        assert_eq!(reserve.grow(200, MAX_FAILURES), Err(Stop::Memory));
        assert_eq!(account.used(), held + 100 * STATE_BYTES, "what is refused is not held");
    }
}
