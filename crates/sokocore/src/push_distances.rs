//! How many pushes a lone box needs from every square to every goal, the player's side taken into account.
//!
//! For each goal one breadth-first search by pulls over (box square, side of the player), where sides that the
//! player can walk between are one (see [`Blocks`]). The player may start on any side. So the numbers are exact
//! for a board with one box, and lower bounds for any other.
//!
//! Memory is two bytes for each pair of square and goal. Time is about 45 ns for each on the largest halls and a
//! third of that on common boards (2026-11-21, one thread).

use crate::{Blocks, Board, Direction, Level, Square, SquareSet};

/// A table of push distances from squares to goals: the pushes that a lone box needs, the player starting on any side.
///
/// One breadth-first search by pulls for each goal; two bytes for each pair of square and goal.
///
/// ```
/// use sokocore::{Level, PushDistances};
///
/// let level = Level::parse("#######\n#.    #\n# $   #\n#    .#\n#  @  #\n#######")?;
/// let distances = PushDistances::new(&level).expect("the level is small");
/// let sq = level.start().boxes.iter().next().expect("the level has a box");
/// assert_eq!([distances.get(sq, 0), distances.get(sq, 1)], [Some(2), Some(4)]);
/// assert_eq!(distances.get(level.start().player, 0), None);
/// # Ok::<(), sokocore::ParseLevelError>(())
/// ```
#[derive(Clone, Debug)]
pub struct PushDistances {
    goals: Vec<Square>,
    /// `distances[square * n_goals + goal]`.
    distances: Vec<u16>,
}

const UNREACHABLE: u16 = u16::MAX;

impl PushDistances {
    /// The largest number of pairs of square and goal: 64 MiB, computed in one to two seconds. The largest board may
    /// have 512 goals, a board of 5,000 squares any number.
    pub const MAX_ENTRIES: usize = 1 << 25;

    /// The largest distance that the table can hold; farther goals count as this far.
    pub const MAX: u16 = UNREACHABLE - 1;

    /// Makes the table, or returns `None` if it would have more than [`PushDistances::MAX_ENTRIES`] entries.
    #[must_use]
    pub fn new(level: &Level) -> Option<Self> {
        Self::around(level, &level.board().no_squares())
    }

    /// As [`PushDistances::new`], with boxes on the squares `frozen` that never move again: nothing passes there, and
    /// each of them reaches only the goal on its own square. Whether the player can walk round a box is still read off
    /// the board without them, so the distances may be too small but never too large.
    #[must_use]
    pub fn around(level: &Level, frozen: &SquareSet) -> Option<Self> {
        let board = level.board();
        let goals: Vec<Square> = board.goals().iter().collect();
        let n_entries = goals.len().checked_mul(board.n_squares()).filter(|&n| n <= Self::MAX_ENTRIES)?;
        let mut distances = vec![UNREACHABLE; n_entries];
        let mut search = PullFlood::new(board, frozen);
        for (column, &goal) in goals.iter().enumerate() {
            search.run(goal, |sq, distance| {
                let entry = &mut distances[sq.idx() * goals.len() + column];
                *entry = (*entry).min(u16::try_from(distance).unwrap_or(Self::MAX).min(Self::MAX));
            });
        }
        Some(Self { goals, distances })
    }

    /// Returns the goals in the order in which rows list them: ascending.
    #[must_use]
    pub fn goals(&self) -> &[Square] {
        &self.goals
    }

    /// Returns the fewest pushes from `sq` to the goal with this number, or `None` if no pushes lead there. Goals have
    /// their numbers from zero, in the order of [`PushDistances::goals`].
    ///
    /// # Panics
    /// When there is no such goal, or when `sq` is of a larger board.
    #[must_use]
    pub fn get(&self, sq: Square, goal: usize) -> Option<u16> {
        assert!(goal < self.goals.len(), "there are {} goals, and none with number {goal}", self.goals.len());
        Some(self.distances[sq.idx() * self.goals.len() + goal]).filter(|&pushes| pushes != UNREACHABLE)
    }
}

/// Breadth-first search by pulls over (box square, group of sides that the player can walk between).
struct PullFlood<'a> {
    board: &'a Board,
    frozen: &'a SquareSet,
    /// The group of each side of each square: the first side in it.
    groups: Vec<[Direction; 4]>,
    round: u32,
    /// A state is reached if its stamp is the current round.
    stamps: Vec<[u32; 4]>,
    layer: Vec<(Square, Direction)>,
    next_layer: Vec<(Square, Direction)>,
}

impl<'a> PullFlood<'a> {
    fn new(board: &'a Board, frozen: &'a SquareSet) -> Self {
        let blocks = Blocks::of(board);
        let first_side = |sq, side| {
            let joined = Direction::ALL.into_iter().find(|&first| blocks.joins(sq, first, side));
            joined.unwrap_or(side)
        };
        Self {
            board,
            frozen,
            groups: board.squares().map(|sq| Direction::ALL.map(|side| first_side(sq, side))).collect(),
            round: 0,
            stamps: vec![[0; 4]; board.n_squares()],
            layer: Vec::new(),
            next_layer: Vec::new(),
        }
    }

    /// Calls `found` with every square reached and its distance, perhaps more than once, nearest first.
    fn run(&mut self, goal: Square, mut found: impl FnMut(Square, u32)) {
        self.round += 1;
        self.next_layer.clear();
        found(goal, 0);
        if !self.frozen.contains(goal) {
            for side in Direction::ALL {
                self.arrive(goal, side);
            }
        }
        let mut distance = 0;
        while !self.next_layer.is_empty() {
            std::mem::swap(&mut self.layer, &mut self.next_layer);
            self.next_layer.clear();
            distance += 1;
            for at in 0..self.layer.len() {
                let (sq, group) = self.layer[at];
                for side in Direction::ALL {
                    let walks_there = self.groups[sq.idx()][side.idx()] == group;
                    let Some(to) = self.pulled(sq, side).filter(|_| walks_there) else { continue };
                    if self.arrive(to, side) {
                        found(to, distance);
                    }
                }
            }
        }
    }

    /// Where a pull to this side takes the box.
    fn pulled(&self, sq: Square, side: Direction) -> Option<Square> {
        let free = |sq: Square| self.board.step(sq, side).filter(|&next| !self.frozen.contains(next));
        free(sq).filter(|&to| free(to).is_some())
    }

    /// Notes the box on `sq` with the player on `side`; returns whether that is new.
    fn arrive(&mut self, sq: Square, side: Direction) -> bool {
        let group = self.groups[sq.idx()][side.idx()];
        let stamp = &mut self.stamps[sq.idx()][group.idx()];
        let is_new = *stamp != self.round;
        if is_new {
            *stamp = self.round;
            self.next_layer.push((sq, group));
        }
        is_new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rows: &[&str], from: (usize, usize), expect: &[Option<u16>]) {
        let level = Level::parse(&rows.join("\n")).unwrap();
        let distances = PushDistances::new(&level).unwrap();
        let sq = level.board().square_at(from.0, from.1).unwrap();
        let found: Vec<_> = (0..distances.goals().len()).map(|goal| distances.get(sq, goal)).collect();
        assert_eq!(found, expect);
    }

    #[test]
    fn counts_pushes_in_the_open() {
        let rows = ["#######", "#.    #", "# $   #", "#    .#", "#  @  #", "#######"];
        check(&rows, (2, 2), &[Some(2), Some(4)]);
        check(&rows, (4, 4), &[None, None]);
        check(&rows, (1, 1), &[Some(0), None]);
    }

    /// The box in the lower corridor could go left only with the player on its right, where it cannot get.
    #[test]
    fn sides_that_the_player_cannot_reach_do_not_count() {
        let rows = ["########", "#.  $@ #", "########"];
        check(&rows, (1, 5), &[Some(4)]);
        check(&rows, (1, 6), &[None]);
    }

    /// To turn a box, the player must be able to walk round it.
    #[test]
    fn turns_need_room() {
        let closed = ["#####", "#@$ #", "###.#", "#####"];
        check(&closed, (1, 2), &[None]);
    }

    #[test]
    fn frozen_boxes_bar_the_way() {
        let level = Level::parse("########\n#@$ * .#\n########").unwrap();
        let square = |column| level.board().square_at(1, column).unwrap();
        let mut frozen = level.board().no_squares();
        frozen.insert(square(4));
        let (free, barred) = (PushDistances::new(&level).unwrap(), PushDistances::around(&level, &frozen).unwrap());
        assert_eq!((free.get(square(2), 0), free.get(square(2), 1)), (Some(2), Some(4)));
        assert_eq!((barred.get(square(2), 0), barred.get(square(2), 1)), (None, None));
        assert_eq!((barred.get(square(4), 0), barred.get(square(4), 1)), (Some(0), None));
    }
}
