//! Any one optimal path, found fast: depth first along the moves to go.
//!
//! Follows remainders (see `steps_to_go`) and counts moves, so that the first path that ends after exactly the right
//! number is optimal. Where a remainder deceived, it turns back; a state that failed with some number of moves left
//! is not tried with that number again. Nearly always the first descent succeeds.

use hashbrown::HashSet;
use sokocore::Push;

use crate::optimal_steps::OptimalSteps;
use crate::successors::{Edge, State};
use crate::{Charge, ConfigStore, Context, MemoryAccount, Stop};

/// Bytes for each state of a path: with the other ways out of it.
const STATE_BYTES: u64 = (size_of::<(Edge, Vec<Edge>)>() + 4 * size_of::<Edge>()) as u64;
/// Bytes for each dead end, while the set of them grows.
const DEAD_END_BYTES: u64 = 4 * size_of::<(u32, State)>() as u64;
/// Turns back so many times at most.
const MAX_FAILURES: usize = 100_000;
/// Dead ends between two looks at the budget: a path is worth some milliseconds after the end of a run, but no more.
const POLL_EVERY: usize = 1 << 12;
/// Dead ends that are charged at once.
const CHARGED: usize = 1 << 8;

/// Which of the optimal paths to take.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Choice {
    /// Whichever comes first.
    First,
    /// One that the seed chooses.
    Random(u64),
}

/// Memory that is set aside for paths before a search takes all there is: without a path it would have been for nothing.
#[derive(Debug)]
pub(crate) struct PathRoom(Charge);

impl PathRoom {
    /// Sets aside what paths of so many moves need with a few dead ends.
    ///
    /// # Errors
    /// There is too little.
    pub(crate) fn new(moves: u32, account: &MemoryAccount) -> Result<Self, Stop> {
        account.charge(Self::bytes_for(moves, CHARGED)).map(Self)
    }

    fn bytes_for(moves: u32, n_dead_ends: usize) -> u64 {
        u64::from(moves) * STATE_BYTES + n_dead_ends as u64 * DEAD_END_BYTES
    }

    /// Makes sure of room for a path of so many moves with so many dead ends.
    fn grow(&mut self, moves: u32, n_dead_ends: usize) -> Result<(), Stop> {
        self.0.add(Self::bytes_for(moves, n_dead_ends).saturating_sub(self.0.bytes()))
    }
}

/// Returns the pushes of an optimal path, or `None` if too many remainders deceived, or if many did and the run is over or
/// there is no more room.
pub(crate) fn trace<S: ConfigStore>(
    optimal: &OptimalSteps<'_, S>,
    choice: Choice,
    room: &mut PathRoom,
    cx: &Context<'_>,
) -> Option<Vec<Push>> {
    room.grow(optimal.moves(), CHARGED).ok()?;
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
            if failed.len() > MAX_FAILURES {
                return None;
            }
            if failed.len().is_multiple_of(POLL_EVERY) {
                cx.poll().ok()?;
            }
            if failed.len().is_multiple_of(CHARGED) {
                room.grow(optimal.moves(), failed.len() + CHARGED).ok()?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_grows_with_what_it_is_for_and_asks_first() {
        let account = MemoryAccount::new(100_000);
        let mut room = PathRoom::new(100, &account).unwrap();
        let held = account.used();
        assert_eq!((room.grow(50, CHARGED), account.used()), (Ok(()), held), "a shorter path needs no more");
        room.grow(200, CHARGED).unwrap();
        assert_eq!(account.used(), held + 100 * STATE_BYTES);
        assert_eq!(room.grow(200, MAX_FAILURES), Err(Stop::Memory));
        assert_eq!(account.used(), held + 100 * STATE_BYTES, "what is refused is not held");
    }
}
