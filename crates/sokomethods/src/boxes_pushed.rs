//! Which box each push of a solution moves.

use sokocore::{Level, Push};
use sokosearch::Spine;

/// Returns the number of the box of every push: its place among the boxes of the start, in the order of the squares.
pub(crate) fn boxes_pushed(level: &Level, spine: &Spine) -> Vec<usize> {
    let mut box_on = vec![0; level.board().n_squares()];
    level.start().boxes.iter().enumerate().for_each(|(n, sq)| box_on[sq.idx()] = n);
    let follow = |push: &Push| {
        let n = box_on[push.from.idx()];
        if let Some(to) = push.to(level.board()) {
            box_on[to.idx()] = n;
        }
        n
    };
    spine.pushes().iter().map(follow).collect()
}
