//! The player's region in one position, and the pushes and pulls that can be made from it.

use crate::{Board, Direction, Position, Push, Reach, Square, SquareSet};

/// The squares that the player can walk to, with the boxes that stand around them.
///
/// A region borrows everything that it was computed from, so it cannot outlive its position and its answers are never
/// those of another one. [`Position::region`] and [`Reach::flood`] make it.
///
/// ```
/// use sokocore::{Level, Reach};
///
/// let level = Level::parse("#######\n#@$ . #\n# ### #\n#     #\n#######")?;
/// let mut reach = Reach::new(level.board());
/// let region = level.start().region(level.board(), &mut reach);
/// assert_eq!((region.squares().len(), region.zone()), (11, level.start().player));
/// let pushes: Vec<String> = region.pushes().map(|push| push.to_string()).collect();
/// assert_eq!(pushes, ["1 right", "1 left"]);
/// # Ok::<(), sokocore::ParseLevelError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Region<'a> {
    board: &'a Board,
    boxes: &'a SquareSet,
    reach: &'a Reach,
}

impl<'a> Region<'a> {
    /// The caller has just flooded `reach` over this board, around these boxes.
    pub(crate) const fn of_flood(board: &'a Board, boxes: &'a SquareSet, reach: &'a Reach) -> Self {
        Self { board, boxes, reach }
    }

    /// Returns whether the player can walk to the square.
    #[must_use]
    pub fn contains(&self, sq: Square) -> bool {
        self.reach.contains(sq)
    }

    /// Returns the fewest steps to the square, or `None` if the player cannot walk there.
    #[must_use]
    pub fn distance(&self, sq: Square) -> Option<u32> {
        self.reach.distance(sq)
    }

    /// Returns the squares, nearest first; the player's own comes first of all.
    #[must_use]
    pub fn squares(&self) -> &'a [Square] {
        self.reach.squares()
    }

    /// Returns the least square, which stands for the region: two positions with equal boxes and zones allow the same
    /// pushes.
    #[must_use]
    pub fn zone(&self) -> Square {
        self.reach.zone().expect("invariant: a flood reaches the square that it starts from")
    }

    /// Returns the squares as a set.
    #[must_use]
    pub fn to_set(&self) -> SquareSet {
        self.board.set_of(self.squares().iter().copied())
    }

    /// Visits the pushes that the player can make, in the order of boxes and directions.
    pub fn pushes(&self) -> impl Iterator<Item = Push> + use<'a> {
        let Self { board, boxes, reach } = *self;
        boxes.iter().flat_map(|from| Direction::ALL.map(|dir| Push { from, dir })).filter(move |push| {
            let is_free = push.to(board).is_some_and(|to| !boxes.contains(to));
            is_free && push.stand(board).is_some_and(|sq| reach.contains(sq))
        })
    }

    /// Visits the pushes that could have led to the position, in the order of boxes and directions.
    ///
    /// Each is the push that a pull would undo: after it, the player stands where the box was.
    pub fn pulls(&self) -> impl Iterator<Item = Push> + use<'a> {
        let Self { board, boxes, reach } = *self;
        let undone =
            move |to: Square| Direction::ALL.map(|dir| board.step(to, dir.opposite()).map(|from| Push { from, dir }));
        let is_possible =
            move |push: &Push| reach.contains(push.from) && push.stand(board).is_some_and(|sq| !boxes.contains(sq));
        boxes.iter().flat_map(undone).flatten().filter(is_possible)
    }
}

impl Position {
    /// Floods the squares that the player can walk to. `reach` is scratch space for the board; what it was used for
    /// before does not count.
    ///
    /// # Panics
    /// When `reach` is scratch space for a smaller board.
    pub fn region<'a>(&'a self, board: &'a Board, reach: &'a mut Reach) -> Region<'a> {
        reach.flood(board, &self.boxes, self.player)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Level, Position, Reach};

    #[test]
    fn every_pull_undoes_a_push() {
        let level = Level::parse("#######\n#.   .#\n# $ $ #\n#  @  #\n#######").unwrap();
        let board = level.board();
        let mut reach = Reach::new(board);
        let mut position = level.start().clone();
        let pushes: Vec<_> = position.region(board, &mut reach).pushes().collect();
        assert_eq!(pushes.len(), 8);
        assert_eq!(pushes, position.pushes(board));
        for push in pushes {
            assert!(position.push(board, push));
            assert!(position.region(board, &mut reach).pulls().any(|pull| pull == push));
            assert!(position.pull(board, push));
            assert_eq!(position.boxes, level.start().boxes);
        }
    }

    /// Scratch space that was used for another position gives the same answers.
    #[test]
    fn scratch_space_forgets_what_it_was_used_for() {
        let level = Level::parse("########\n#@$  . #\n########").unwrap();
        let board = level.board();
        let mut reach = Reach::new(board);
        let beyond = Position { player: board.square_at(1, 6).unwrap(), ..level.start().clone() };
        let left: Vec<String> = beyond.region(board, &mut reach).pushes().map(|push| push.to_string()).collect();
        assert_eq!(left, ["1 left"]);
        let region = level.start().region(board, &mut reach);
        assert_eq!(region.to_set(), board.set_of([level.start().player]));
        assert_eq!(region.pushes().collect::<Vec<_>>(), level.start().pushes(board));
    }
}
