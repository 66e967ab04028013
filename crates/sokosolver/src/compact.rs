//! Searches on compact boards, of at most 64 cells within their border: a set of squares is one machine word.
//!
//! ```text
//!   ######     cells 0 1 2 3      boxes   0000 0010 0000       a flood step is four shifts,
//!   #    #           4 5 6 7      goals   0000 0001 0000       and so are all pushes in one direction
//!   #@$. #           8 9 ..       reach   1111 1101 1111
//!   ######
//! ```
//!
//! A level of ten by ten cells with four boxes has some thousand positions, so that the tables of the other searches
//! take longer than the whole search. Here nothing is made that depends on more than the 64 cells: the distances of
//! each square to each goal are a kibibyte, and the rest grows with the positions that are reached.
//!
//! **Invariant**: the searches are complete: every rule here loses no solution, so an exhausted search proves that there
//! is none.
//!
//! # Contents, in reading order
//! * [`bit_board`]: the board, floods, and frozen boxes. [`goal_distances`]: the lower bound.
//! * [`push_search`]: any solution, or one of fewest pushes. [`move_search`]: one of fewest moves.
//! * [`bucket_queue`]: the open list of both.

mod bit_board;
mod bucket_queue;
mod goal_distances;
mod move_search;
mod push_search;
#[cfg(test)]
mod tests;

use sokocore::Level;

use self::bit_board::BitBoard;
use self::move_search::CompactMoveSearch;
use self::push_search::CompactPushSearch;
use crate::search::FixedVerdict;
use crate::{Optimal, Search, Verdict};

/// The name of the searches, in reports.
pub(crate) const COMPACT: &str = "compact";

/// Expansions that count as a tick: they take about a microsecond.
const EXPANSIONS_PER_TICK: u64 = 4;

/// Returns whether a level and a mode of optimality have a search here.
pub(crate) fn is_compact(level: &Level, optimal: Optimal) -> bool {
    !matches!(optimal, Optimal::PushesMoves | Optimal::MovesPushes) && BitBoard::fits(level)
}

/// Builds the search for a level. It gives up at once if [`is_compact`] says no.
pub(crate) fn compact(level: &Level, optimal: Optimal) -> Box<dyn Search> {
    let board = BitBoard::new(level).filter(|_| is_compact(level, optimal));
    match (board, optimal) {
        (Some(board), Optimal::Moves) => Box::new(CompactMoveSearch::new(board)),
        (Some(board), _) => Box::new(CompactPushSearch::new(board, optimal)),
        (None, _) => Box::new(FixedVerdict { name: COMPACT, verdict: Verdict::GaveUp }),
    }
}
