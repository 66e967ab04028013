//! The walks that the displacement of the boxes asks for.
//!
//! ```text
//!   #########     Three boxes are pushed five columns to the right each, and each push takes the player one column to
//!   #$    . #     the right: fifteen in all. The player ends at most five columns to the right of where it starts, so
//!   #$@   . #     walks take it ten steps to the left at least, however the pushes are ordered.
//!   #$    . #
//!   #########
//! ```
//!
//! A push moves the box and the player by one square in the same direction. So over all pushes the player's coordinate
//! changes as much as the coordinates of all boxes together, and walks make up the difference to where the player ends.
//! That holds for rows and for columns at once, and does not depend on the number of pushes.
//!
//! The bound takes the best end for each diagonal by itself, so it may be less than the walks that an end of its own asks
//! for: nine in the picture, where the end that is best along a diagonal is in another row.

use sokocore::{Level, Square};

use crate::board::SearchBoard;

/// The signs of a row and a column in a sum of both.
pub(super) const DIAGONALS: [[i32; 2]; 4] = [[1, 1], [1, -1], [-1, 1], [-1, -1]];

/// Returns the least steps of all walks together; 0 if it is open which goals are filled.
pub(super) fn least_walks(level: &Level, board: &SearchBoard) -> u64 {
    if level.board().goals().len() != level.n_boxes() {
        return 0;
    }
    DIAGONALS.iter().map(|&signs| along(level, board, signs)).max().unwrap_or(0)
}

/// The place of a square along a diagonal. Neighbors differ by one.
pub(super) fn place_along(level: &Level, sq: Square, [down, right]: [i32; 2]) -> i32 {
    let (row, column) = level.board().place(sq);
    let as_i32 = |n: usize| i32::try_from(n).expect("invariant: a grid has at most 2^22 cells");
    down * as_i32(row) + right * as_i32(column)
}

/// The least steps of walks by the places along a diagonal.
fn along(level: &Level, board: &SearchBoard, signs: [i32; 2]) -> u64 {
    let place = |sq| i64::from(place_along(level, sq, signs));
    let goals: i64 = level.board().goals().iter().map(place).sum();
    let starts: i64 = level.start().boxes.iter().map(place).sum();
    let Some(end) = ends(board).map(|sq| place(board.square(sq))).min() else { return 0 };
    u64::try_from(starts - goals + end - place(level.start().player)).unwrap_or(0)
}

/// Visits the squares where the player may stand after the last push: beside a goal.
pub(super) fn ends(board: &SearchBoard) -> impl Iterator<Item = sokocore::FloorSquare> {
    board.goals().iter().flat_map(|&goal| board.steps(goal)).filter(|&sq| sq != board.wall())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two boxes go three columns to the right and two rows down; the player starts beyond the goals.
    const HALL: [&str; 8] = [
        "##########",
        "#        #",
        "# $ $    #",
        "#        #",
        "#    . . #",
        "#        #",
        "#       @#",
        "##########",
    ];

    /// The hall and its mirror images, each with the signs of the diagonal along which its boxes go back.
    fn halls() -> [(Level, [i32; 2]); 4] {
        [[-1, -1], [-1, 1], [1, -1], [1, 1]].map(|[down, right]| {
            let row_of = |row: &&str| if right < 0 { (*row).to_owned() } else { row.chars().rev().collect() };
            let mut rows: Vec<String> = HALL.iter().map(row_of).collect();
            if down > 0 {
                rows.reverse();
            }
            (Level::parse(&rows.join("\n")).unwrap(), [down, right])
        })
    }

    /// The rows and columns of the last squares, in ascending order.
    fn places_of_ends(level: &Level) -> Vec<(usize, usize)> {
        let board = SearchBoard::new(level).unwrap();
        let mut places: Vec<_> = ends(&board).map(|sq| level.board().place(board.square(sq))).collect();
        places.sort_unstable();
        places
    }

    #[test]
    fn a_place_along_a_diagonal_is_a_sum_of_row_and_column_with_signs() {
        let level = Level::parse(&HALL.join("\n")).unwrap();
        let sq = level.board().square_at(4, 7).unwrap();
        let places = [[1, 1], [1, -1], [-1, 1], [-1, -1]].map(|signs| place_along(&level, sq, signs));
        assert_eq!(places, [11, -3, 3, -11]);
    }

    /// Ten pushes take the player ten places on, from place 14; it has to end at place 12 or before.
    #[test]
    fn walks_go_back_along_the_diagonal_of_the_pushes() {
        for (level, back) in halls() {
            let board = SearchBoard::new(&level).unwrap();
            for signs in [[1, 1], [1, -1], [-1, 1], [-1, -1]] {
                let expect = if signs == back { 12 } else { 0 };
                assert_eq!(along(&level, &board, signs), expect, "{signs:?} {level:?}");
            }
            assert_eq!(least_walks(&level, &board), 12, "{level:?}");
        }
    }

    #[test]
    fn nothing_is_known_about_walks_if_a_goal_is_spare() {
        let level = Level::parse(&HALL.join("\n").replacen("#        #", "#   .    #", 1)).unwrap();
        assert_eq!(least_walks(&level, &SearchBoard::new(&level).unwrap()), 0);
    }

    #[test]
    fn the_player_ends_beside_a_goal() {
        let level = Level::parse(&HALL.join("\n")).unwrap();
        let around = [(3, 5), (3, 7), (4, 4), (4, 6), (4, 6), (4, 8), (5, 5), (5, 7)];
        assert_eq!(places_of_ends(&level), around);
        assert_eq!(places_of_ends(&Level::parse("#####\n#@$.#\n#####").unwrap()), [(1, 2)]);
    }
}
