//! Live squares: where a box may stand. Every other floor square is a static deadlock (a *dead* square).
//!
//! Exact for one box alone, with the player's side taken into account: a state is (box square, side where the player
//! stands), and sides that the player can walk between are one (see [`Blocks`]). For the first push of a box the player
//! may stand on any side, which can only add squares.

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
    &pulled & &pushed
}

/// Returns the squares that a box from one of `sources` reaches when `shift` moves it, the player on `side`.
fn spread(
    board: &Board,
    blocks: &Blocks,
    sources: &SquareSet,
    shift: impl Fn(Square, Direction) -> Option<Square>,
) -> SquareSet {
    let mut seen = vec![[false; 4]; board.n_squares()];
    let mut reached = sources.clone();
    let mut todo = Vec::new();
    for sq in sources.iter() {
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
        level.board().picture().mark(level.live(), 'o').to_string()
    }

    #[test]
    fn corners_and_goalless_walls_are_dead() {
        let rows = ["#######", "#     #", "# @$ .#", "#     #", "#######"];
        assert_eq!(picture(&rows), "#######\n#     #\n# ooo.#\n#     #\n#######\n");
    }

    /// In a corridor the player cannot change sides: at the right end nobody could stand behind the box.
    #[test]
    fn the_player_side_counts() {
        let rows = ["########", "#.  $@ #", "########"];
        assert_eq!(picture(&rows), "########\n#.oooo #\n########\n");
    }
}
