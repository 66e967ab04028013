//! Live squares: where a box may stand. Every other floor square is a static deadlock (a *dead* square).
//!
//! Exact for one box alone, with the player's side taken into account: a state is (box square, side where the
//! player stands), sides that the player can walk between are one (see [`Blocks`]). Only for the first push of a box is the
//! player allowed on every side, which can but add squares.

use crate::{Blocks, Board, Direction, Square, SquareSet};

/// Returns the squares that some box of `boxes` can be pushed to and from which it can still reach a goal.
#[must_use]
pub(crate) fn live_squares(board: &Board, boxes: &SquareSet) -> SquareSet {
    let blocks = Blocks::of(board);
    let pulled = spread(board, &blocks, board.goals(), |sq, side| {
        let to = board.step(sq, side)?;
        board.step(to, side).map(|_| to)
    });
    let pushed = spread(board, &blocks, boxes, |sq, side| board.step(sq, side.opposite()));
    let mut live = board.no_squares();
    for sq in pulled.iter().filter(|&sq| pushed.contains(sq)) {
        live.insert(sq);
    }
    live
}

/// Returns the squares that a box from one of `sources` reaches when `shift` moves it, the player on `side`.
fn spread(
    board: &Board,
    blocks: &Blocks,
    sources: &SquareSet,
    shift: impl Fn(Square, Direction) -> Option<Square>,
) -> SquareSet {
    let mut seen = vec![[false; 4]; board.n_squares()];
    let mut reached = board.no_squares();
    let mut todo = Vec::new();
    for sq in sources.iter() {
        reached.insert(sq);
        for side in Direction::ALL {
            if board.step(sq, side).is_some() {
                seen[sq.idx()][side.idx()] = true;
                todo.push((sq, side));
            }
        }
    }
    while let Some((sq, side)) = todo.pop() {
        let Some(to) = shift(sq, side) else { continue };
        reached.insert(to);
        for next in Direction::ALL {
            if blocks.joins(to, side, next) && !seen[to.idx()][next.idx()] {
                seen[to.idx()][next.idx()] = true;
                todo.push((to, next));
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use crate::Level;

    fn picture(rows: &[&str]) -> String {
        let level = Level::parse(&rows.join("\n")).unwrap();
        let letter = |row, column| match level.board().square_at(row, column) {
            Some(sq) if level.live().contains(sq) => 'o',
            Some(_) => ' ',
            None => '#',
        };
        let row = |row| (0..level.grid().width()).map(|column| letter(row, column)).collect::<String>();
        (0..level.grid().height()).map(row).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn corners_and_goalless_walls_are_dead() {
        let rows = ["#######", "#     #", "# @$ .#", "#     #", "#######"];
        assert_eq!(picture(&rows), "#######\n#     #\n# oooo#\n#     #\n#######");
    }

    /// In a corridor the player cannot change sides: at the right end nobody could stand behind the box.
    #[test]
    fn the_player_side_counts() {
        let rows = ["########", "#.  $@ #", "########"];
        assert_eq!(picture(&rows), "########\n#ooooo #\n########");
    }
}
