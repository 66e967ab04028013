//! The moves to go of the other states of a configuration, from those of one.
//!
//! Along a walk moves to go change by one at most, and their remainders modulo 3 are kept, so from those of one state
//! those of all others follow that the player can walk to. An engine that also keeps with how many moves to go each
//! configuration was reached first can tell the exact moves to go of any of its states, where the configuration was
//! entered at one place only, which is the rule.

use std::collections::VecDeque;

/// Walks from one place to all that can be reached over places whose moves to go, modulo 3 and plus 1, are known;
/// these are set to 0. Returns how many more moves to go than the first place the nearest to the end has: none or less.
pub(crate) fn lowest_from<I: Iterator<Item = usize>>(
    from: usize,
    codes: &mut [u64],
    neighbors: impl Fn(usize) -> I,
) -> i64 {
    let mut lowest = 0;
    let mut todo = VecDeque::from([(from, std::mem::take(&mut codes[from]), 0)]);
    while let Some((place, code, height)) = todo.pop_front() {
        lowest = lowest.min(height);
        for next in neighbors(place) {
            let next_code = std::mem::take(&mut codes[next]);
            if next_code != 0 {
                let rise = [0, 1, -1][usize::try_from(next_code + 3 - code).unwrap_or(0) % 3];
                todo.push_back((next, next_code, height + rise));
            }
        }
    }
    lowest
}
