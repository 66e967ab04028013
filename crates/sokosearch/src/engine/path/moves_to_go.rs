//! Moves to go modulo 3, and exact ones that follow from them within a configuration.
//!
//! Along a walk moves to go change by one at most, and their remainders modulo 3 are stored; so those of one state give
//! those of all states that the player can walk to. An engine that also stores the moves to go with which each
//! configuration was reached first thus has the exact moves to go of any of its states, provided that the configuration
//! was entered on one square only, which is the rule.

use sokocore::Square;

use crate::ConfigId;

/// The distances of a backward search: for every visited state, the moves to go modulo 3.
pub(crate) trait MovesToGo {
    /// Whether a state was visited and may have these moves to go.
    fn may_have(&self, config: ConfigId, player: Square, moves: u32) -> bool;

    /// The same for a state that a push leads to, where the remainder alone can deceive.
    fn may_have_after_push(&self, config: ConfigId, player: Square, moves: u32) -> bool {
        self.may_have(config, player, moves)
    }
}

/// Walks from one square to all that can be reached over squares whose codes, the moves to go modulo 3 and plus 1, are not
/// 0; `take_code` returns the code of a square and sets it to 0. Returns the least moves to go of these squares, relative to
/// the first one: 0 or less.
pub(crate) fn lowest_from<I: Iterator<Item = usize>>(
    from: usize,
    mut take_code: impl FnMut(usize) -> u64,
    neighbors: impl Fn(usize) -> I,
) -> i64 {
    let mut lowest = 0;
    // In any order: all walks to a square rise as much.
    let mut todo = vec![(from, take_code(from), 0)];
    while let Some((place, code, height)) = todo.pop() {
        lowest = lowest.min(height);
        for next in neighbors(place) {
            let next_code = take_code(next);
            if next_code != 0 {
                let rise = [0, 1, -1]
                    [usize::try_from((next_code + 3 - code) % 3).expect("invariant: a remainder is an index")];
                todo.push((next, next_code, height + rise));
            }
        }
    }
    lowest
}
