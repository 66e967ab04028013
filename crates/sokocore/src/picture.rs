//! Boards drawn in XSB letters, with boxes and a player where they are asked for.

use std::fmt::{self, Write};

use crate::{Board, Cell, Level, Position, Square, SquareSet};

/// A board to be drawn: its walls and goals, and what else was put on it.
///
/// Walls are drawn where they touch floor, corners included. The text is that of a level if it has boxes and a player:
/// the squares of that level have the same numbers.
///
/// ```
/// use sokocore::Level;
///
/// let level = Level::parse("#######\n#@$ . #\n# ### #\n#     #\n#######")?;
/// let (board, start) = (level.board(), level.start());
/// assert_eq!(start.display(board).to_string(), level.to_string());
///
/// let dead = !level.live();
/// let picture = board.picture().boxes(&start.boxes).mark(&dead, 'x');
/// assert_eq!(picture.to_string(), "#######\n#x$ .x#\n#x###x#\n#xxxxx#\n#######\n");
/// # Ok::<(), sokocore::ParseLevelError>(())
/// ```
#[derive(Clone, Copy)]
#[must_use = "a picture is drawn when it is written"]
pub struct Picture<'a> {
    board: &'a Board,
    boxes: Option<&'a SquareSet>,
    player: Option<Square>,
    marks: Option<(&'a SquareSet, char)>,
}

impl<'a> Picture<'a> {
    /// Puts boxes on these squares.
    pub const fn boxes(self, boxes: &'a SquareSet) -> Self {
        Self { boxes: Some(boxes), ..self }
    }

    /// Puts the player on this square. A box on the same square is drawn instead of the player.
    pub const fn player(self, player: Square) -> Self {
        Self { player: Some(player), ..self }
    }

    /// Draws this letter on those of the squares that have neither box, player nor goal.
    pub const fn mark(self, squares: &'a SquareSet, letter: char) -> Self {
        Self { marks: Some((squares, letter)), ..self }
    }

    /// Returns what stands on a square. Marks do not count.
    #[must_use]
    pub fn cell(&self, sq: Square) -> Cell {
        let has_box = self.boxes.is_some_and(|boxes| boxes.contains(sq));
        match (self.board.goals().contains(sq), has_box, self.player == Some(sq)) {
            (false, false, false) => Cell::Floor,
            (true, false, false) => Cell::Goal,
            (false, true, _) => Cell::Box,
            (true, true, _) => Cell::BoxOnGoal,
            (false, false, true) => Cell::Player,
            (true, false, true) => Cell::PlayerOnGoal,
        }
    }

    fn letter(&self, sq: Square) -> char {
        match (self.cell(sq), self.marks) {
            (Cell::Floor, Some((squares, letter))) if squares.contains(sq) => letter,
            (cell, _) => cell.letter(),
        }
    }
}

impl fmt::Display for Picture<'_> {
    /// Writes the rows without trailing floor, each ended by a line break.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(last) = self.board.squares().last() else { return Ok(()) };
        // A board is closed, so there is a row below its last square, and a column right of each.
        let mut rows = vec![vec![' '; self.board.width()]; self.board.place(last).0 + 2];
        for (row, column) in self.board.squares().map(|sq| self.board.place(sq)) {
            for row in &mut rows[row - 1..=row + 1] {
                row[column - 1..=column + 1].fill(Cell::Wall.letter());
            }
        }
        for sq in self.board.squares() {
            let (row, column) = self.board.place(sq);
            rows[row][column] = self.letter(sq);
        }
        for row in rows {
            let length = row.iter().rposition(|&letter| letter != ' ').map_or(0, |at| at + 1);
            row[..length].iter().try_for_each(|&letter| f.write_char(letter))?;
            f.write_char('\n')?;
        }
        Ok(())
    }
}

impl fmt::Debug for Picture<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{self}")
    }
}

impl Board {
    /// Returns the board as a picture, without boxes and player.
    pub const fn picture(&self) -> Picture<'_> {
        Picture { board: self, boxes: None, player: None, marks: None }
    }
}

impl fmt::Display for Board {
    /// Draws walls and goals; see [`Picture`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.picture().fmt(f)
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board\n{self}")
    }
}

impl Position {
    /// Returns the position as a picture, to be written or printed.
    pub const fn display<'a>(&'a self, board: &'a Board) -> Picture<'a> {
        board.picture().boxes(&self.boxes).player(self.player)
    }
}

impl fmt::Display for Level {
    /// Writes the picture that the level was read from, in standard letters: the start position and everything
    /// around it. [`Level::parse`] reads it as an equal level, if no row ends with floor outside the walls.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.grid().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PlantSpec, planted, pushes_of};
    use proptest::prelude::{prop_assert_eq, proptest};

    #[test]
    fn walls_are_drawn_where_they_touch_floor() {
        let level = Level::parse("  #####\n###   ##\n#@ $ . #\n########\n# *  #\n######").unwrap();
        let drawn = level.start().display(level.board()).to_string();
        assert_eq!(drawn, "  #####\n###   ##\n#@ $ . #\n########\n");
        assert_eq!(level.board().to_string(), drawn.replace(['@', '$'], " "));
        assert_eq!(level.to_string(), "  #####\n###   ##\n#@ $ . #\n########\n# *  #\n######\n");
    }

    proptest! {
        #[test]
        fn levels_and_positions_round_trip((level, moves) in planted(PlantSpec::default())) {
            prop_assert_eq!(&level.to_string().parse::<Level>().unwrap(), &level);
            let mut position = level.start().clone();
            for push in pushes_of(&level, &moves) {
                position.push(level.board(), push);
                let drawn = position.display(level.board()).to_string();
                let read = Level::parse(&drawn).unwrap();
                prop_assert_eq!(read.start(), &position, "{}", drawn);
                prop_assert_eq!(read.board(), level.board());
            }
        }
    }
}
