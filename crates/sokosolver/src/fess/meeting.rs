//! From positions to pushes: the way of a tree, and of two trees that meet, spelled out push by push.
//!
//! Between two neighbors on a way one box differs, or none if it came back to its square with the player elsewhere.
//! A way that was found by pulls is read from its end.

use sokocore::Push;

use crate::board::bit_set::BitSet;
use crate::board::{Flood, SearchBoard, SearchDirection};

use crate::fess::macro_move::{MacroMove, MacroMoves};

/// A position on a way: boxes, and a square of the player's region.
pub(crate) type Place<const W: usize> = (BitSet<W>, u16);

/// Spells out the pushes along a way; `None` if two neighbors are more than a leap apart.
pub(crate) fn spell<const W: usize>(ground: &SearchBoard, way: &[Place<W>]) -> Option<Vec<Push>> {
    let (mut flood, mut leaps) = (Flood::new(ground), MacroMoves::new(ground));
    let mut pushes = Vec::new();
    for pair in way.windows(2) {
        let [(before, player), (after, end)] = [pair[0], pair[1]];
        flood.run(ground, &before, player);
        if before == after && flood.reaches(end) {
            continue;
        }
        let moved = before.iter().filter(|&sq| before == after || !after.has(sq));
        let reach = |sq| flood.reaches(sq);
        let walked = moved.map(|from| (from, after.iter().find(|&sq| !before.has(sq)).unwrap_or(from)));
        let mut walks = walked.filter(|&(from, to)| before.moved(from, to) == after);
        let steps =
            walks.find_map(|(from, to)| leaps.walk(ground, &before, MacroMove { from, to, player: end }, reach))?;
        pushes.extend(steps.into_iter().map(|(sq, dir)| ground.push(sq, dir)));
    }
    Some(pushes)
}

/// Spells out the pushes from the start to the goals along a way and one of the other side, which begins at `side`, to
/// the same position or one that a leap joins with it; `None` if that is not so.
pub(crate) fn join<const W: usize>(
    ground: &SearchBoard,
    side: SearchDirection,
    other: &[Place<W>],
    way: &[Place<W>],
) -> Option<Vec<Push>> {
    let (&near, &meet) = (other.last()?, way.last()?);
    // The same position twice does no harm.
    let (pair, [ahead, back]) = match side {
        SearchDirection::Forward => ([near, meet], [other, way]),
        SearchDirection::Backward => ([meet, near], [way, other]),
    };
    spell(ground, &pair)?;
    let whole: Vec<Place<W>> = ahead.iter().chain(back.iter().rev()).copied().collect();
    spell(ground, &whole)
}
