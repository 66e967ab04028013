//! A board of at most 64 cells, with sets of squares as machine words.
//!
//! Cell `row * width + column` of the rectangle within the border is bit `row * width + column`.
//!
//! Invariant: sets hold floor squares only. A shift may move a bit into a wall or beyond the last row; what it gives is
//! intersected with floor before it is used.

use sokocore::{Board, Direction, Level, Push, Square};

use super::goal_distances::{GoalDistances, MAX_GOALS};

/// A set of squares.
pub(super) type Bits = u64;

/// A level as machine words.
#[derive(Clone, Debug)]
pub(super) struct BitBoard {
    /// Columns of the rectangle.
    width: u32,
    /// Row and column of its first cell in the level's picture.
    origin: (usize, usize),
    /// The cells that are not in the first and not in the last column.
    not_first: Bits,
    not_last: Bits,
    floor: Bits,
    goals: Bits,
    /// Squares from which a box can reach a goal.
    live: Bits,
    /// Squares between two that are not live, by axis: a box there is not pushed along it.
    walled_in: [Bits; 2],
    boxes: Bits,
    player: Bits,
    board: Board,
}

impl BitBoard {
    /// Returns whether a level has few enough cells and goals.
    pub(super) fn fits(level: &Level) -> bool {
        Rectangle::of(level).is_some()
    }

    /// Makes the board of a level; `None` if it has too many cells or goals.
    pub(super) fn new(level: &Level) -> Option<Self> {
        let Rectangle { top, left, width, height } = Rectangle::of(level)?;
        let board = level.board();
        let bit = |sq: Square| -> Bits {
            let (row, column) = board.place(sq);
            1 << ((row - top) * width + column - left)
        };
        let set = |squares: &mut dyn Iterator<Item = Square>| squares.fold(0, |set, sq| set | bit(sq));
        let first_column: Bits = (0..height).fold(0, |set, row| set | 1 << (row * width));
        let mut compact = Self {
            width: u32::try_from(width).expect("invariant: a row fits a word"),
            origin: (top, left),
            not_first: !first_column,
            not_last: !(first_column << (width - 1)),
            floor: set(&mut board.squares()),
            goals: set(&mut board.goals().iter()),
            live: set(&mut level.live().iter()),
            walled_in: [0; 2],
            boxes: set(&mut level.start().boxes.iter()),
            player: bit(level.start().player),
            board: board.clone(),
        };
        let live_beside = |dir| compact.step(compact.live, dir);
        compact.walled_in = [
            !(live_beside(Direction::Left) | live_beside(Direction::Right)),
            !(live_beside(Direction::Up) | live_beside(Direction::Down)),
        ];
        Some(compact)
    }

    /// The boxes at the start.
    pub(super) const fn boxes(&self) -> Bits {
        self.boxes
    }

    /// The player at the start.
    pub(super) const fn player(&self) -> Bits {
        self.player
    }

    pub(super) const fn floor(&self) -> Bits {
        self.floor
    }

    pub(super) const fn goals(&self) -> Bits {
        self.goals
    }

    pub(super) const fn live(&self) -> Bits {
        self.live
    }

    /// Moves all squares of a set one step.
    #[inline]
    pub(super) const fn step(&self, set: Bits, dir: Direction) -> Bits {
        match dir {
            Direction::Up => set >> self.width,
            Direction::Down => set << self.width,
            Direction::Left => (set & self.not_first) >> 1,
            Direction::Right => (set & self.not_last) << 1,
        }
    }

    /// The squares beside those of a set.
    #[inline]
    pub(super) const fn beside(&self, set: Bits) -> Bits {
        (set >> self.width) | (set << self.width) | ((set & self.not_first) >> 1) | ((set & self.not_last) << 1)
    }

    /// The squares of `free` that are reached from these.
    #[inline]
    pub(super) const fn flood(&self, from: Bits, free: Bits) -> Bits {
        let mut reach = from;
        loop {
            let next = (reach | self.beside(reach)) & free;
            if next == reach {
                return reach;
            }
            reach = next;
        }
    }

    /// The boxes that players on some squares can push in a direction onto live squares.
    #[inline]
    pub(super) const fn pushable(&self, boxes: Bits, players: Bits, dir: Direction) -> Bits {
        boxes & self.step(players, dir) & self.step(self.live & !boxes, dir.opposite())
    }

    /// The boxes that players on some squares can push in a direction onto squares from which they reach no goal.
    #[inline]
    pub(super) const fn pushable_to_dead(&self, boxes: Bits, players: Bits, dir: Direction) -> Bits {
        boxes & self.step(players, dir) & self.step(self.floor & !self.live & !boxes, dir.opposite())
    }

    /// Returns whether boxes hold each other in place for good, and one of them is off goal.
    ///
    /// The largest set is computed in which each box is blocked on both axes: by a wall, by a box of the set, or between
    /// two squares from which it could reach no goal. None of them can be the first to move.
    #[inline]
    pub(super) const fn is_frozen_off_goal(&self, boxes: Bits) -> bool {
        let mut frozen = boxes;
        loop {
            let open = self.floor & !frozen;
            let free_rows = self.step(open, Direction::Left) & self.step(open, Direction::Right);
            let free_columns = self.step(open, Direction::Up) & self.step(open, Direction::Down);
            let next = frozen & (self.walled_in[0] | !free_rows) & (self.walled_in[1] | !free_columns);
            if next & !self.goals == 0 {
                return false;
            }
            if next == frozen {
                return true;
            }
            frozen = next;
        }
    }

    /// The push of a box on one square in a direction.
    pub(super) fn push(&self, from: Bits, dir: Direction) -> Push {
        Push { from: self.square(from), dir }
    }

    fn square(&self, bit: Bits) -> Square {
        let cell = bit.trailing_zeros();
        let (row, column) = ((cell / self.width) as usize, (cell % self.width) as usize);
        let sq = self.board.square_at(self.origin.0 + row, self.origin.1 + column);
        sq.expect("invariant: sets hold floor squares only")
    }

    /// The distances of this board.
    pub(super) fn goal_distances(&self) -> GoalDistances {
        GoalDistances::new(self)
    }
}

/// The cells of a level's picture that enclose its floor.
struct Rectangle {
    top: usize,
    left: usize,
    width: usize,
    height: usize,
}

impl Rectangle {
    /// Most columns: a row has to fit a shift.
    const MAX_WIDTH: usize = 32;

    /// The rectangle of a level; `None` if it has too many cells, or the level too many goals.
    fn of(level: &Level) -> Option<Self> {
        let board = level.board();
        let n_cells = Bits::BITS as usize;
        if board.goals().len() > MAX_GOALS || board.n_squares() > n_cells {
            return None;
        }
        let [mut top, mut left, mut bottom, mut right] = [usize::MAX, usize::MAX, 0, 0];
        for (row, column) in board.squares().map(|sq| board.place(sq)) {
            (top, bottom) = (top.min(row), bottom.max(row));
            (left, right) = (left.min(column), right.max(column));
        }
        let (width, height) = (right - left + 1, bottom - top + 1);
        (width <= Self::MAX_WIDTH && width * height <= n_cells).then_some(Self { top, left, width, height })
    }
}

/// The number of the least square of a set that is not empty.
#[inline]
pub(super) fn number(set: Bits) -> u8 {
    u8::try_from(set.trailing_zeros()).expect("invariant: a word has fewer bits than a byte has values")
}

/// Visits the squares of a set.
pub(super) fn each(mut set: Bits) -> impl Iterator<Item = Bits> {
    std::iter::from_fn(move || {
        let bit = set & set.wrapping_neg();
        set ^= bit;
        (bit != 0).then_some(bit)
    })
}
