//! A position of the game and the pushes that lead out of it.

use std::fmt;

use crate::{Board, Direction, Reach, Square, SquareSet};

/// Where the boxes and the player are.
///
/// ```
/// use sokocore::Level;
///
/// let level = Level::parse("#######\n#.   .#\n# $ $ #\n#  @  #\n#######")?;
/// let board = level.board();
/// let mut position = level.start().clone();
/// assert_eq!(position.pushes(board).len(), 8);
///
/// let up = position.pushes(board)[0];
/// assert!(position.push(board, up));
/// assert_eq!(position.display(board).to_string(), "#######\n#.$  .#\n# @ $ #\n#     #\n#######\n");
/// assert!(position.pull(board, up));
/// assert_eq!(position.boxes, level.start().boxes);
/// # Ok::<(), sokocore::ParseLevelError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The squares with boxes.
    pub boxes: SquareSet,
    /// The player's square.
    pub player: Square,
}

/// One push: the box on `from` moves one square in direction `dir`.
///
/// ```
/// use sokocore::{Direction, Level, Push};
///
/// let level = Level::parse("######\n#@$ .#\n######")?;
/// let board = level.board();
/// let from = board.square_at(1, 2).expect("the square is floor");
/// let push = Push { from, dir: Direction::Right };
/// assert_eq!((push.stand(board), push.to(board)), (board.square_at(1, 1), board.square_at(1, 3)));
/// assert_eq!(push.to_string(), "1 right");
/// # Ok::<(), sokocore::ParseLevelError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Push {
    /// Square of the box before the push.
    pub from: Square,
    /// Direction of the push.
    pub dir: Direction,
}

impl Push {
    /// Returns the square of the box after the push; `None` if a wall is there.
    ///
    /// # Panics
    /// When the push is of another board, as [`Board::step`] does; so do the methods of [`Position`] that take a board.
    #[must_use]
    pub fn to(self, board: &Board) -> Option<Square> {
        board.step(self.from, self.dir)
    }

    /// Returns the square that the player pushes from; `None` if a wall is there.
    #[must_use]
    pub fn stand(self, board: &Board) -> Option<Square> {
        board.step(self.from, self.dir.opposite())
    }
}

impl fmt::Display for Push {
    /// Writes the number of the box's square and the direction, as in `1 right`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.from, self.dir)
    }
}

impl Position {
    /// Returns the pushes that the player can make, in the order of boxes and directions.
    ///
    /// For many positions, [`Position::region`] does the same with scratch space that is allocated once.
    #[must_use]
    pub fn pushes(&self, board: &Board) -> Vec<Push> {
        self.region(board, &mut Reach::new(board)).pushes().collect()
    }

    /// Returns the pushes that could have led to this position, in the order of boxes and directions.
    ///
    /// Each is the push that a pull would undo: after it, the player stands where the box was.
    /// For many positions, see [`Position::region`].
    #[must_use]
    pub fn pulls(&self, board: &Board) -> Vec<Push> {
        self.region(board, &mut Reach::new(board)).pulls().collect()
    }

    /// Makes a push; the player ends where the box was. Returns false, changing nothing, if there is no such box or
    /// if a wall or a box is in the way. Whether the player can walk to the box is not checked.
    pub fn push(&mut self, board: &Board, push: Push) -> bool {
        let Some(to) = push.to(board).filter(|&to| !self.boxes.contains(to)) else { return false };
        if !self.boxes.remove(push.from) {
            return false;
        }
        self.boxes.insert(to);
        self.player = push.from;
        true
    }

    /// Undoes a push; the player ends on the square that it pushed from. Returns false, changing nothing, if there is
    /// no such box or if a wall or a box is in the way.
    pub fn pull(&mut self, board: &Board, push: Push) -> bool {
        let (Some(to), Some(stand)) = (push.to(board), push.stand(board)) else { return false };
        if self.boxes.contains(push.from) || self.boxes.contains(stand) || !self.boxes.remove(to) {
            return false;
        }
        self.boxes.insert(push.from);
        self.player = stand;
        true
    }
}
