//! The tunnel macro: boxes in tunnels that can only be moved on (Junghanns and Schaeffer).
//!
//! ```text
//!   ######          the player is on the left of the box, and cannot get to its right without moving it: the next
//!   #  @$   .       push of the box is the one to the right, whatever is pushed before, and nothing blocks it
//!   ######
//! ```
//!
//! **Why nothing is lost.** The player cannot walk between the two sides of the box, whatever other boxes do, so the
//! box divides the board. It is on no target, so it has to move, and its first step is the one away from the player (by
//! pulls: toward the player). Pushes: the square ahead is out of reach of the player, and of every box the player can
//! push, until then. Pulls: the box moves to the square behind it, so that one must belong to the tunnel too: the
//! player's other pulls never use it. In both games the step can then be made at once, at the same number of pushes.
//! The number of moves may rise, so the macro is off where moves count.
//!
//! A tunnel that the player can walk around is open at both ends, and boxes may have to be parked in it. There a box
//! stops on the tunnel's first square or on its last one, and between the two no other box is moved:
//!
//! ```text
//!   #     #####     #       if no box starts and no goal lies in the tunnel: two boxes in it would be a deadlock, so
//!   #  $  1---2     #       there is one at most, and it blocks the tunnel on 1 as well as further in. Whether the box
//!   #     #####     #       leaves by 2 or by 1, the pushes from 1 are as many, or fewer.
//!   #@              #
//! ```

use sokocore::FloorSquare;

use crate::board::bit_set::BitSet;
use crate::board::{Flood, SearchBoard, SearchDirection};

/// Returns the squares between the first and the last one of each tunnel without goals and start squares.
pub(crate) fn passages<const W: usize>(board: &SearchBoard) -> BitSet<W> {
    let mut passages = BitSet::default();
    for dir in 0..2 {
        let is_in = |sq: FloorSquare| board.is_live(sq) && is_walled(board, sq, dir);
        for first in board.squares().filter(|&sq| is_in(sq) && !is_in(board.step(sq, dir ^ 2))) {
            let next = |&sq: &FloorSquare| Some(board.step(sq, dir)).filter(|&sq| is_in(sq));
            let tunnel: Vec<FloorSquare> = std::iter::successors(Some(first), next).collect();
            if !tunnel.iter().any(|sq| board.goals().contains(sq) || board.starts().contains(sq)) {
                let inner = tunnel.get(1..tunnel.len() - 1).unwrap_or_default();
                inner.iter().for_each(|&sq| passages.insert(sq));
            }
        }
    }
    passages
}

/// Returns a box in a tunnel that has to be moved first, after a flood from the player. Boxes on `targets` may stay.
pub(crate) fn box_to_move<const W: usize>(
    board: &SearchBoard,
    direction: SearchDirection,
    flood: &Flood,
    squares: &[FloorSquare],
    targets: &BitSet<W>,
) -> Option<FloorSquare> {
    let must_move = |sq: FloorSquare, side: usize| {
        let stand = board.step(sq, side);
        let divides = board.sides().group(sq, side) != board.sides().group(sq, side ^ 2);
        if !divides || !is_walled(board, sq, side) || !flood.reaches(stand) {
            return false;
        }
        match direction {
            SearchDirection::Forward => {
                let ahead = board.step(sq, side ^ 2);
                board.is_live(ahead) && flood.is_free(ahead)
            }
            SearchDirection::Backward => {
                is_walled(board, stand, side) && board.is_live(stand) && flood.is_free(board.step(stand, side))
            }
        }
    };
    squares.iter().copied().find(|&sq| !targets.has(sq) && (0..4).any(|side| must_move(sq, side)))
}

/// Returns whether there are walls on both sides of a step through the square.
fn is_walled(board: &SearchBoard, sq: FloorSquare, dir: usize) -> bool {
    board.step(sq, dir + 1) == board.wall() && board.step(sq, dir + 3) == board.wall()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sokocore::Level;

    fn check(rows: &[&str], direction: SearchDirection, expect: Option<(usize, usize)>) {
        let level = Level::parse(&rows.join("\n")).unwrap();
        let board = SearchBoard::new(&level).unwrap();
        let boxes: BitSet<2> = SearchBoard::set(board.starts());
        let mut flood = Flood::new(&board);
        flood.run(&board, &boxes, board.player());
        let targets: BitSet<2> =
            if direction == SearchDirection::Forward { SearchBoard::set(board.goals()) } else { BitSet::default() };
        let found = box_to_move(&board, direction, &flood, board.starts(), &targets);
        let expect = expect.map(|(row, column)| board.number(level.board().square_at(row, column).unwrap()));
        assert_eq!(found, expect, "{level:?}");
    }

    #[test]
    fn a_box_in_a_one_way_tunnel_is_moved_on() {
        let rows = ["###########", "#   ###   #", "# $@$    .#", "#   ###  .#", "###########"];
        check(&rows, SearchDirection::Forward, Some((2, 4)));
    }

    #[test]
    fn a_passage_leaves_out_both_ends_and_tunnels_with_goals() {
        let check = |second: &str, fourth: &str, expect: &[(usize, usize)]| {
            let rows = ["############", "# . #####  #", second, fourth, "#   #####  #", "#          #", "############"];
            let level = Level::parse(&rows.join("\n")).unwrap();
            let board = SearchBoard::new(&level).unwrap();
            let found = passages::<2>(&board);
            let found: Vec<_> = found.iter().map(|sq| level.board().place(board.square(sq))).collect();
            assert_eq!(found, expect, "{level:?}");
        };
        check("# $       @#", "# . #####$ #", &[(2, 5), (2, 6), (2, 7)]);
        check("# $    .  @#", "#   #####$ #", &[]);
        check("# $  $    @#", "# . #####  #", &[]);
    }

    #[test]
    fn a_box_in_a_two_way_tunnel_may_be_parked() {
        let rows = ["###########", "#   ###   #", "# $@$    .#", "#   ###  .#", "# #     # #", "###########"];
        check(&rows, SearchDirection::Forward, None);
    }

    /// By pulls the square behind the box must be in the tunnel too.
    #[test]
    fn a_pulled_box_leaves_the_tunnel_only_when_wanted() {
        let rows = ["###########", "#   ### . #", "# @ $   . #", "#   ###$  #", "#   ###   #", "###########"];
        check(&rows, SearchDirection::Backward, None);
        let rows = ["###########", "#   ### . #", "# @  $  . #", "#   ###$  #", "#   ###   #", "###########"];
        check(&rows, SearchDirection::Backward, Some((2, 5)));
    }
}
