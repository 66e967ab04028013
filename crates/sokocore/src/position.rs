//! A position of the game and the pushes that lead out of it.

use crate::{Board, Direction, Reach, Square, SquareSet};

/// Where the boxes and the player are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The squares with boxes.
    pub boxes: SquareSet,
    /// The player's square.
    pub player: Square,
}

/// One push: the box on `from` goes one square in direction `dir`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Push {
    /// Square of the box before the push.
    pub from: Square,
    /// Direction of the push.
    pub dir: Direction,
}

impl Push {
    /// Returns the square of the box after the push; `None` if a wall is there.
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

impl Position {
    /// Returns the pushes that the player can make from the squares in `reach`, in order of box and direction.
    ///
    /// `reach` must be flooded from this position.
    pub fn pushes<'a>(&'a self, board: &'a Board, reach: &'a Reach) -> impl Iterator<Item = Push> + 'a {
        self.boxes.iter().flat_map(|from| Direction::ALL.map(|dir| Push { from, dir })).filter(|push| {
            let free = push.to(board).is_some_and(|to| !self.boxes.contains(to));
            free && push.stand(board).is_some_and(|sq| reach.contains(sq))
        })
    }

    /// Returns the pushes that could have led to this position, in order of box and direction.
    ///
    /// Each is given as the push that a pull would undo: after it, the player stands where the box was.
    /// `reach` must be flooded from this position.
    pub fn pulls<'a>(&'a self, board: &'a Board, reach: &'a Reach) -> impl Iterator<Item = Push> + 'a {
        let undone =
            |to: Square| Direction::ALL.map(|dir| board.step(to, dir.opposite()).map(|from| Push { from, dir }));
        self.boxes
            .iter()
            .flat_map(undone)
            .flatten()
            .filter(|push| reach.contains(push.from) && push.stand(board).is_some_and(|sq| !self.boxes.contains(sq)))
    }

    /// Makes a push; the player ends where the box was. Returns false, changing nothing, if a wall, a box or a
    /// missing box is in the way. Whether the player can get there is not asked.
    pub fn push(&mut self, board: &Board, push: Push) -> bool {
        let Some(to) = push.to(board).filter(|&to| !self.boxes.contains(to)) else { return false };
        if !self.boxes.remove(push.from) {
            return false;
        }
        self.boxes.insert(to);
        self.player = push.from;
        true
    }

    /// Undoes a push; the player ends where it stood before it. Returns false, changing nothing, if the box is
    /// not there or a square is taken.
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

#[cfg(test)]
mod tests {
    use crate::{Level, Reach};

    #[test]
    fn every_pull_undoes_a_push() {
        let level = Level::parse("#######\n#.   .#\n# $ $ #\n#  @  #\n#######").unwrap();
        let board = level.board();
        let mut reach = Reach::new(board);
        let mut position = level.start().clone();
        reach.flood(board, &position.boxes, position.player);
        let pushes: Vec<_> = position.pushes(board, &reach).collect();
        assert_eq!(pushes.len(), 8);
        for push in pushes {
            assert!(position.push(board, push));
            reach.flood(board, &position.boxes, position.player);
            assert!(position.pulls(board, &reach).any(|pull| pull == push));
            assert!(position.pull(board, push));
            assert_eq!(position.boxes, level.start().boxes);
        }
    }
}
