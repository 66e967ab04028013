//! Boxes in tunnels that can only be moved on.
//!
//! ```text
//!   ######          the player is on the left of the box, and without moving it will never be on its right: whatever
//!   #  @$   .       else is done first, the box's next push is the one to the right, and nothing gets in its way
//!   ######
//! ```
//!
//! **Why nothing is lost.** The two sides of the box belong together for no player, whatever other boxes do, so the box
//! divides the board; as it is not home it has to move, and its first step is the one away from the player (by pulls:
//! toward him). Pushes: the square ahead lies where neither he nor any box of his can come before. Pulls: the box
//! comes to the square behind it, so that one must be part of the tunnel too: the player's own work never uses it.
//! In both games the step can then be made at once, at the same number of pushes, though not of moves: so it is left
//! alone where moves count.
//!
//! A tunnel that the player can walk around leads both ways, and boxes may have to be parked in it. There a box stops on
//! the tunnel's first square or on its last one, and between the two nothing else is moved:
//!
//! ```text
//!   #     #####     #       where no box starts and no goal is: two boxes in it would be lost, so one has it to itself,
//!   #  $  1---2     #       and bars the way as well on 1 as further in. Whether it goes on or comes back later, the
//!   #     #####     #       pushes from 1 are then as many, or fewer.
//!   #@              #
//! ```

use crate::bits::Bits;
use crate::ground::{Flood, Ground, Way};

/// Returns the squares between the first and the last one of each tunnel without goals and boxes at the start.
pub(crate) fn passages<const W: usize>(ground: &Ground) -> Bits<W> {
    let mut passages = Bits::default();
    for dir in 0..2 {
        let is_in = |sq: u16| ground.is_live(sq) && is_walled(ground, sq, dir);
        for first in (0..ground.wall()).filter(|&sq| is_in(sq) && !is_in(ground.step(sq, dir ^ 2))) {
            let next = |&sq: &u16| Some(ground.step(sq, dir)).filter(|&sq| is_in(sq));
            let tunnel: Vec<u16> = std::iter::successors(Some(first), next).collect();
            if !tunnel.iter().any(|sq| ground.goals().contains(sq) || ground.starts().contains(sq)) {
                let inner = tunnel.get(1..tunnel.len() - 1).unwrap_or_default();
                inner.iter().for_each(|&sq| passages.insert(sq));
            }
        }
    }
    passages
}

/// Returns a box in a tunnel that has to be moved on first, after a flood from the player. `home` are the squares
/// where boxes may stay.
pub(crate) fn box_to_move<const W: usize>(
    ground: &Ground,
    way: Way,
    flood: &Flood,
    squares: &[u16],
    home: &Bits<W>,
) -> Option<u16> {
    let goes_on = |sq: u16, side: usize| {
        let stand = ground.step(sq, side);
        let divides = ground.side_group(sq, side) != ground.side_group(sq, side ^ 2);
        if !divides || !is_walled(ground, sq, side) || !flood.reaches(stand) {
            return false;
        }
        match way {
            Way::Forward => {
                let ahead = ground.step(sq, side ^ 2);
                ground.is_live(ahead) && flood.is_free(ahead)
            }
            Way::Backward => {
                is_walled(ground, stand, side) && ground.is_live(stand) && flood.is_free(ground.step(stand, side))
            }
        }
    };
    squares.iter().copied().find(|&sq| !home.has(sq) && (0..4).any(|side| goes_on(sq, side)))
}

/// Returns whether there are walls on both sides of the way through the square.
fn is_walled(ground: &Ground, sq: u16, dir: usize) -> bool {
    ground.step(sq, dir + 1) == ground.wall() && ground.step(sq, dir + 3) == ground.wall()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sokocore::Level;

    fn check(rows: &[&str], way: Way, expect: Option<(usize, usize)>) {
        let level = Level::parse(&rows.join("\n")).unwrap();
        let ground = Ground::new(&level).unwrap();
        let boxes: Bits<1> = Ground::set(ground.starts());
        let mut flood = Flood::new(&ground);
        flood.run(&ground, &boxes, ground.player());
        let home: Bits<1> = if way == Way::Forward { Ground::set(ground.goals()) } else { Bits::default() };
        let found = box_to_move(&ground, way, &flood, ground.starts(), &home);
        let expect = expect.map(|(row, column)| ground.number(level.board().square_at(row, column).unwrap()));
        assert_eq!(found, expect, "{level:?}");
    }

    #[test]
    fn a_box_in_a_one_way_tunnel_goes_on() {
        let rows = ["###########", "#   ###   #", "# $@$    .#", "#   ###  .#", "###########"];
        check(&rows, Way::Forward, Some((2, 4)));
    }

    #[test]
    fn a_passage_leaves_out_both_ends_and_tunnels_with_goals() {
        let check = |second: &str, fourth: &str, expect: &[(usize, usize)]| {
            let rows = ["############", "# . #####  #", second, fourth, "#   #####  #", "#          #", "############"];
            let level = Level::parse(&rows.join("\n")).unwrap();
            let ground = Ground::new(&level).unwrap();
            let found = passages::<1>(&ground);
            let found: Vec<_> = found.iter().map(|sq| level.board().place(ground.square(sq))).collect();
            assert_eq!(found, expect, "{level:?}");
        };
        check("# $       @#", "# . #####$ #", &[(2, 5), (2, 6), (2, 7)]);
        check("# $    .  @#", "#   #####$ #", &[]);
        check("# $  $    @#", "# . #####  #", &[]);
    }

    #[test]
    fn a_box_in_a_two_way_tunnel_may_be_parked() {
        let rows = ["###########", "#   ###   #", "# $@$    .#", "#   ###  .#", "# #     # #", "###########"];
        check(&rows, Way::Forward, None);
    }

    /// By pulls the square behind the box must be in the tunnel too.
    #[test]
    fn a_pulled_box_leaves_the_tunnel_only_when_wanted() {
        let rows = ["###########", "#   ### . #", "# @ $   . #", "#   ###$  #", "#   ###   #", "###########"];
        check(&rows, Way::Backward, None);
        let rows = ["###########", "#   ### . #", "# @  $  . #", "#   ###$  #", "#   ###   #", "###########"];
        check(&rows, Way::Backward, Some((2, 5)));
    }
}
