//! A window of a solution as a level of its own, for the solver.

use std::ops::Range;

use sokocore::{Level, Position, Square};
use sokosearch::{LiveIndex, Spine};

/// Returns the level whose start is the state at the beginning of a window and whose goals are the box set at its end, and the
/// player's square there. `None` as for [`Level::subproblem`].
pub(crate) fn subproblem(
    spine: &Spine,
    window: &Range<usize>,
    live: &LiveIndex,
    level: &Level,
) -> Option<(Level, Square)> {
    let (from, to) = (&spine.states()[window.start], &spine.states()[window.end]);
    let boxes = |key: &[u64]| level.board().set_of(LiveIndex::bits_of(key).map(|bit| live.square(bit)));
    let start = Position { boxes: boxes(&from.key), player: from.player };
    Some((level.subproblem(&start, &boxes(&to.key))?, to.player))
}
