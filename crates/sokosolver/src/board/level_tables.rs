//! Tables of a level for searches that move single boxes, computed once.
//!
//! Invariant: nothing here depends on a position. Tables have one entry more than there are squares where that spares
//! a test: the wall is the last number.

use sokocore::{FloorSquare, Level, WEYL_STEP, mix64};
use sokosearch::Stop;

use crate::WorkMeter;
use crate::board::{Distances, GoalIndex, SearchBoard, SearchDirection};

/// What the hash keys of boxes are drawn from.
const KEY_SEED: u64 = 0x5eed;

/// A level with these tables.
#[derive(Debug)]
pub(crate) struct LevelTables {
    level: Level,
    board: SearchBoard,
    goal_of: Vec<Option<GoalIndex>>,
    is_start: Vec<bool>,
    nearest: Vec<u16>,
    n_in_reach: usize,
    parkable: Vec<bool>,
    keys: Vec<u64>,
    places: Vec<(u16, u16)>,
}

impl LevelTables {
    /// Computes the tables; `None` if the level cannot be compiled, or if its boxes and goals differ in number.
    #[cfg(test)]
    pub(crate) fn new(level: &Level) -> Option<Self> {
        Self::on(level, SearchBoard::new(level)?)
    }

    /// Computes the tables, and polls the budget.
    ///
    /// # Errors
    /// The reason to stop; the end of a slice is none.
    pub(crate) fn within(level: &Level, meter: &mut WorkMeter) -> Result<Option<Self>, Stop> {
        let Some(board) = SearchBoard::within(level, meter)? else { return Ok(None) };
        meter.tick_unpausable((board.n_squares() * board.n_boxes() / 256) as u64)?;
        Ok(Self::on(level, board))
    }

    /// Computes the tables of a level that has been compiled.
    pub(crate) fn on(level: &Level, board: SearchBoard) -> Option<Self> {
        if board.goals().len() != board.n_boxes() {
            return None;
        }
        let place = |sq: FloorSquare| level.board().place(board.square(sq));
        let small = |n: usize| u16::try_from(n).unwrap_or(u16::MAX);
        let places = board.squares().map(place).map(|(row, column)| (small(row), small(column))).collect();
        let n = board.n_squares();
        let mut goal_of = vec![None; n + 1];
        for (index, &goal) in board.goals().iter().enumerate() {
            goal_of[goal.idx()] = Some(GoalIndex::new(index));
        }
        let mut is_start = vec![false; n + 1];
        board.starts().iter().for_each(|&start| is_start[start.idx()] = true);
        let nearest = board.squares().map(|sq| least(board.to_goals().row(sq))).collect();
        let in_reach: Vec<bool> =
            board.squares().map(|sq| board.is_live(sq) && least(board.to_starts().row(sq)) < Distances::NONE).collect();
        let parkable =
            board.squares().map(|sq| in_reach[sq.idx()] && !is_tunnel(&board, sq) && !is_gate(&board, sq)).collect();
        let n_in_reach = in_reach.iter().filter(|&&reach| reach).count();
        let keys = (1..=n as u64).map(|number| mix64(number.wrapping_mul(WEYL_STEP).wrapping_add(KEY_SEED))).collect();
        let level = level.clone();
        Some(Self { level, board, goal_of, is_start, nearest, n_in_reach, parkable, keys, places })
    }

    /// Returns the level.
    pub(crate) const fn level(&self) -> &Level {
        &self.level
    }

    /// Returns the level compiled for search.
    pub(crate) const fn board(&self) -> &SearchBoard {
        &self.board
    }

    /// Returns the index of the goal on a square among [`SearchBoard::goals`].
    #[inline]
    pub(crate) fn goal_of(&self, sq: FloorSquare) -> Option<GoalIndex> {
        self.goal_of[sq.idx()]
    }

    /// Returns whether the square is a goal.
    #[inline]
    pub(crate) fn is_goal(&self, sq: FloorSquare) -> bool {
        self.goal_of[sq.idx()].is_some()
    }

    /// Returns whether a box starts on the square.
    #[inline]
    pub(crate) fn is_start(&self, sq: FloorSquare) -> bool {
        self.is_start[sq.idx()]
    }

    /// Returns the pushes from a live square to its nearest goal.
    #[inline]
    pub(crate) fn nearest(&self, sq: FloorSquare) -> u16 {
        self.nearest[sq.idx()]
    }

    /// Returns how many squares boxes can be pushed to.
    pub(crate) const fn n_in_reach(&self) -> usize {
        self.n_in_reach
    }

    /// Returns whether a box may be parked there: in reach, and neither in a tunnel nor splitting the board in two.
    /// Doors are allowed: without them XSokoban 44 has no order.
    pub(crate) fn is_parkable(&self, sq: FloorSquare) -> bool {
        self.parkable[sq.idx()]
    }

    /// Returns the hash key of a box on the square.
    #[inline]
    pub(crate) fn key(&self, sq: FloorSquare) -> u64 {
        self.keys[sq.idx()]
    }

    /// Returns the row and column of a square.
    pub(crate) fn place(&self, sq: FloorSquare) -> (u16, u16) {
        self.places[sq.idx()]
    }

    /// Returns the pushes from every square to each target; for each, by its number, some squares are walls.
    pub(crate) fn distances(&self, targets: &[FloorSquare], walls: impl Fn(usize, FloorSquare) -> bool) -> Distances {
        Distances::each(self.board.sides(), SearchDirection::Forward, targets, walls)
    }

    /// Squares that are flooded in about a tick.
    pub(crate) const FLOODED_PER_TICK: usize = 128;

    /// Returns the ticks that a step takes longer on a very large board.
    pub(crate) const fn extra_ticks(&self) -> u64 {
        (self.board.n_squares() / 512) as u64
    }

    /// Returns the ticks of a flood of the whole board.
    pub(crate) const fn flood_ticks(&self) -> u64 {
        1 + (self.board.n_squares() / Self::FLOODED_PER_TICK) as u64
    }
}

fn least(row: &[u16]) -> u16 {
    row.iter().copied().min().unwrap_or(Distances::NONE)
}

/// Returns whether a box pushed to the square has to be pushed further: walls on both sides of it, and of the player
/// behind it. A door, one square long, is no tunnel, and a goal is not part of one.
fn is_tunnel(board: &SearchBoard, sq: FloorSquare) -> bool {
    let is_narrow = |sq: FloorSquare, dir: usize| [1, 3].iter().all(|side| board.step(sq, dir + side) == board.wall());
    let goes_on = |dir: usize| {
        let behind = board.step(sq, dir);
        behind != board.wall() && is_narrow(sq, dir) && is_narrow(behind, dir)
    };
    !board.goals().contains(&sq) && (0..4).any(goes_on)
}

/// Returns whether a box on the square cuts the floor: its open sides are then not all of one group.
fn is_gate(board: &SearchBoard, sq: FloorSquare) -> bool {
    let mut groups =
        (0..4).filter(|&side| board.step(sq, side) != board.wall()).map(|side| board.sides().group(sq, side));
    let first = groups.next();
    groups.any(|group| Some(group) != first)
}
