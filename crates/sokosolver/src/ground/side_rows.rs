//! Which row of a table of distances a box has: that of its square, or one for its square and the player's side of it.
//!
//! ```text
//!   #   ####   #     The player in the left room gets to the left side of a box on x only, whatever other boxes do,
//!   #     x    #     until that box is moved: they only take ways away. So of its two distances, with the player on the
//!   #   ####   #     left and on the right, it is the one on the left that counts, not the least of both.
//! ```
//!
//! A box parts the floor where it stands on the only way between two parts, and each part has a row of its own then. The
//! floor is numbered by a depth-first walk: what a box parts from where the walk came from is one branch of it each, so
//! the squares of a part are those of a range, or those of none.

use std::ops::Range;

use super::Ground;

/// The rows of live squares, by the player's square or side. Rows below [`Ground::n_live`] are those of squares alone.
#[derive(Clone, Debug)]
pub(crate) struct SideRows {
    n_live: usize,
    n_rows: usize,
    /// For each live square and side, the row with the player there.
    at_side: Vec<[u16; 4]>,
    /// For each live square, the row with the player in none of its `parts`.
    elsewhere: Vec<u16>,
    /// For each live square, where its parts begin; one more for the end.
    first_part: Vec<u16>,
    parts: Vec<Part>,
    /// When the walk came to each square.
    turns: Vec<u16>,
}

/// What a box on a square cuts off, and its row with the player there.
#[derive(Clone, Debug)]
struct Part {
    turns: Range<u16>,
    row: u16,
}

/// A depth-first walk through the floor.
#[derive(Debug)]
struct Walk {
    turns: Vec<u16>,
    /// The first turn past the branch of each square.
    ends: Vec<u16>,
    /// Where the walk came from; the wall for its start.
    came: Vec<u16>,
}

impl SideRows {
    /// Numbers the rows; `None` if no box parts the floor, or there are too many rows.
    pub(crate) fn new(ground: &Ground) -> Option<Self> {
        let n_live = u16::try_from(ground.n_live()).ok()?;
        let walk = Walk::new(ground);
        let mut rows = Self {
            n_live: ground.n_live(),
            n_rows: ground.n_live(),
            at_side: (0..n_live).map(|sq| [sq; 4]).collect(),
            elsewhere: (0..n_live).collect(),
            first_part: vec![0],
            parts: Vec::new(),
            turns: Vec::new(),
        };
        for sq in 0..n_live {
            rows.part(ground, &walk, sq)?;
            rows.first_part.push(u16::try_from(rows.parts.len()).ok()?);
        }
        rows.turns = walk.turns;
        (rows.n_rows > rows.n_live).then_some(rows)
    }

    /// Gives a square that parts the floor a row for each part.
    fn part(&mut self, ground: &Ground, walk: &Walk, sq: u16) -> Option<()> {
        let is_open = |side: usize| ground.step(sq, side) != ground.wall();
        let group = |side: usize| ground.side_group(sq, side);
        let is_first = |side: usize| is_open(side) && (0..side).all(|other| group(other) != group(side));
        if (0..4).filter(|&side| is_first(side)).count() < 2 {
            return Some(());
        }
        for first in (0..4).filter(|&side| is_first(side)) {
            let row = u16::try_from(self.n_rows).ok()?;
            self.n_rows += 1;
            for side in (first..4).filter(|&side| group(side) == group(first)) {
                self.at_side[usize::from(sq)][side] = row;
                let next = ground.step(sq, side);
                if next == walk.came[usize::from(sq)] {
                    self.elsewhere[usize::from(sq)] = row;
                } else if walk.came[usize::from(next)] == sq {
                    let next = usize::from(next);
                    self.parts.push(Part { turns: walk.turns[next]..walk.ends[next], row });
                }
            }
        }
        Some(())
    }

    /// Returns the number of rows.
    pub(crate) const fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// Returns the row of a box, wherever the player is.
    #[inline]
    pub(crate) fn of(&self, sq: u16, player: u16) -> u16 {
        let sq = usize::from(sq);
        let parts = usize::from(self.first_part[sq])..usize::from(self.first_part[sq + 1]);
        if parts.is_empty() {
            return self.elsewhere[sq];
        }
        let turn = self.turns[usize::from(player)];
        self.parts[parts].iter().find(|part| part.turns.contains(&turn)).map_or(self.elsewhere[sq], |part| part.row)
    }

    /// Returns the row of a box with the player on this side of it.
    #[inline]
    pub(crate) fn at(&self, sq: u16, side: usize) -> u16 {
        self.at_side[usize::from(sq)][side & 3]
    }

    /// Returns the row of a box with the player on this side of it, counted from the first one that is not a square's.
    #[inline]
    pub(super) fn beyond(&self, sq: u16, side: usize) -> Option<usize> {
        let row = self.at_side.get(usize::from(sq))?[side & 3];
        usize::from(row).checked_sub(self.n_live)
    }
}

impl Walk {
    fn new(ground: &Ground) -> Self {
        let n = ground.n_squares();
        let mut walk = Self { turns: vec![u16::MAX; n], ends: vec![0; n], came: vec![ground.wall(); n] };
        let mut clock = 0;
        let mut line = Vec::new();
        for start in 0..ground.wall() {
            if walk.turns[usize::from(start)] == u16::MAX {
                walk.turns[usize::from(start)] = clock;
                clock += 1;
                line.push((start, 0));
            }
            while let Some((sq, side)) = line.last_mut() {
                if *side == 4 {
                    walk.ends[usize::from(*sq)] = clock;
                    line.pop();
                    continue;
                }
                let (from, next) = (*sq, ground.step(*sq, *side));
                *side += 1;
                if next != ground.wall() && walk.turns[usize::from(next)] == u16::MAX {
                    (walk.turns[usize::from(next)], walk.came[usize::from(next)]) = (clock, from);
                    clock += 1;
                    line.push((next, 0));
                }
            }
        }
        walk
    }
}

#[cfg(test)]
mod tests {
    use super::super::Flood;
    use super::*;
    use sokocore::Level;

    /// For every square of a box and every square of the player: the row is that of a side he gets to.
    fn check(rows: &[&str], parts: bool) {
        let level = Level::parse(&rows.join("\n")).unwrap();
        let ground = Ground::new(&level).unwrap();
        let rows = SideRows::new(&ground);
        assert_eq!(rows.is_some(), parts, "{level:?}");
        let Some(rows) = rows else { return };
        let mut flood = Flood::new(&ground);
        for sq in (0..ground.wall()).filter(|&sq| ground.is_live(sq)) {
            for player in (0..ground.wall()).filter(|&player| player != sq) {
                flood.run(&ground, &Ground::set::<2>(&[sq]), player);
                for side in (0..4).filter(|&side| ground.step(sq, side) != ground.wall()) {
                    let is_same = rows.at(sq, side) == rows.of(sq, player);
                    assert_eq!(is_same, flood.reaches(ground.step(sq, side)), "{sq} {side} {player}");
                }
            }
        }
    }

    #[test]
    fn the_player_is_found_in_the_part_where_he_is() {
        check(&["#######", "#@ $ .#", "#     #", "#######"], false);
        check(&["#########", "#   #   #", "# $  @. #", "#   #   #", "#########"], true);
        check(
            &["##### #####", "#   ###   #", "# .     $ #", "#   # #   #", "### # # ###", "  #@  $.#", "  #######"],
            false,
        );
        check(&["  ###  ", "  # #  ", "### ###", "#  *  #", "### ###", "  #@#  ", "  ###  "], true);
        check(&["   ###   ", "   # #   ", "#### ####", "#@ $ . ##", "#### ####", "   # #   ", "   ###   "], true);
    }
}
