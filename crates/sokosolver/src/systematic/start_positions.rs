//! The start positions and the goal test of each direction.

use sokocore::FloorSquare;

use crate::board::bit_set::BitSet;
use crate::board::{Flood, SearchBoard, SearchDirection};
use crate::systematic::cost::PlayerKey;

/// The most solved positions that a backward search may start from.
const MAX_ROOTS: usize = 4_096;

/// Returns the start positions, box set and player; `None` if there are too many.
///
/// With [`PlayerKey::Square`] each square of a region is a position of its own.
pub(crate) fn roots<const W: usize>(
    board: &SearchBoard,
    direction: SearchDirection,
    key: PlayerKey,
) -> Option<Vec<(BitSet<W>, FloorSquare)>> {
    let mut flood = Flood::new(board);
    if direction == SearchDirection::Forward {
        let boxes = SearchBoard::set(board.starts());
        let zone = flood.run(board, &boxes, board.player());
        return Some(vec![(boxes, if key == PlayerKey::Square { board.player() } else { zone })]);
    }
    let (mut roots, mut at_end) = (Vec::new(), Flood::new(board));
    let mut chosen: Vec<usize> = (0..board.n_boxes()).collect();
    loop {
        let squares: Vec<FloorSquare> = chosen.iter().map(|&at| board.goals()[at]).collect();
        let boxes = SearchBoard::set(&squares);
        if let Some(end) = board.end() {
            at_end.run(board, &boxes, end);
        }
        players(board, &mut flood, &boxes, key, |player| {
            if board.end().is_none() || at_end.reaches(player) {
                roots.push((boxes, player));
            }
        });
        if roots.len() > MAX_ROOTS {
            return None;
        }
        // The next subset of the goals.
        let n_goals = board.goals().len();
        let n_boxes = chosen.len();
        let Some(at) = (0..n_boxes).rev().find(|&at| chosen[at] < n_goals - n_boxes + at) else { return Some(roots) };
        chosen[at] += 1;
        (at + 1..n_boxes).for_each(|later| chosen[later] = chosen[later - 1] + 1);
    }
}

/// Visits the players of all start positions with these boxes.
fn players<const W: usize>(
    board: &SearchBoard,
    flood: &mut Flood,
    boxes: &BitSet<W>,
    key: PlayerKey,
    mut visit: impl FnMut(FloorSquare),
) {
    flood.place(boxes.iter());
    for player in board.squares().filter(|&player| !boxes.has(player)) {
        // The first square of a region is its least one, which names it.
        let is_new = !flood.reaches(player);
        if is_new {
            flood.spread(board, player);
        }
        if is_new || key == PlayerKey::Square {
            visit(player);
        }
    }
}

/// The goal test of a direction.
#[derive(Clone, Debug)]
pub(crate) struct GoalTest<const W: usize> {
    direction: SearchDirection,
    goals: BitSet<W>,
    starts: BitSet<W>,
    /// The least square of the region that the player starts in.
    player: FloorSquare,
    /// That of the region that the player is to end in; `None` if any will do.
    end: Option<FloorSquare>,
}

impl<const W: usize> GoalTest<W> {
    pub(crate) fn new(board: &SearchBoard, direction: SearchDirection) -> Self {
        let boxes = SearchBoard::set(board.starts());
        let goals = SearchBoard::set(board.goals());
        let mut flood = Flood::new(board);
        let player = flood.run(board, &boxes, board.player());
        let end = board.end().map(|end| flood.run(board, &goals, end));
        Self { direction, goals, starts: boxes, player, end }
    }

    /// Returns whether the position ends the search; `zone` is the least square of the player's region.
    #[inline]
    pub(crate) fn is_end(&self, boxes: &BitSet<W>, zone: FloorSquare) -> bool {
        match self.direction {
            SearchDirection::Forward => boxes.is_within(&self.goals) && self.end.is_none_or(|end| end == zone),
            SearchDirection::Backward => *boxes == self.starts && zone == self.player,
        }
    }

    pub(crate) const fn goals(&self) -> &BitSet<W> {
        &self.goals
    }

    pub(crate) const fn starts(&self) -> &BitSet<W> {
        &self.starts
    }
}
