//! From positions to pushes: the path of a tree, and of two trees that meet, push by push.
//!
//! Between two neighbors on a path one box differs, or none if the box came back to its square with the player
//! elsewhere. A path that was found by pulls is read from its end.

use sokocore::{FloorSquare, Push};

use crate::board::bit_set::BitSet;
use crate::board::{Flood, SearchBoard, SearchDirection};

use crate::fess::macro_move::{MacroMove, MacroMoveGenerator};

/// A position on a path: boxes, and a square of the player's region.
pub(crate) type PathPosition<const W: usize> = (BitSet<W>, FloorSquare);

/// Returns the pushes along a path; `None` if two neighbors are more than a macro move apart.
pub(crate) fn pushes_along<const W: usize>(board: &SearchBoard, path: &[PathPosition<W>]) -> Option<Vec<Push>> {
    let (mut flood, mut generator) = (Flood::new(board), MacroMoveGenerator::new(board));
    let mut pushes = Vec::new();
    for pair in path.windows(2) {
        let [(before, player), (after, end)] = [pair[0], pair[1]];
        flood.run(board, &before, player);
        if before == after && flood.reaches(end) {
            continue;
        }
        let moved = before.iter().filter(|&sq| before == after || !after.has(sq));
        let reach = |sq| flood.reaches(sq);
        let walked = moved.map(|from| (from, after.iter().find(|&sq| !before.has(sq)).unwrap_or(from)));
        let mut walks = walked.filter(|&(from, to)| before.moved(from, to) == after);
        let steps = walks
            .find_map(|(from, to)| generator.pushes(board, &before, MacroMove { from, to, player: end }, reach))?;
        pushes.extend(steps.into_iter().map(|push| board.push(push)));
    }
    Some(pushes)
}

/// Returns the pushes from the start to the goals along a path and one of the other side, which begins at `side`. The
/// paths end in the same position, or in two that a macro move joins; `None` if they do not.
pub(crate) fn join<const W: usize>(
    board: &SearchBoard,
    side: SearchDirection,
    other: &[PathPosition<W>],
    path: &[PathPosition<W>],
) -> Option<Vec<Push>> {
    let (&near, &meet) = (other.last()?, path.last()?);
    // The same position twice does no harm.
    let (pair, [ahead, back]) = match side {
        SearchDirection::Forward => ([near, meet], [other, path]),
        SearchDirection::Backward => ([meet, near], [path, other]),
    };
    pushes_along(board, &pair)?;
    let whole: Vec<PathPosition<W>> = ahead.iter().chain(back.iter().rev()).copied().collect();
    pushes_along(board, &whole)
}
