//! The survey of a level: facts that need no search, about squares, rooms, and the number of pushes.

use sokocore::{Level, PushLowerBound, Reach, Square, SquareSet};

use crate::board::SearchBoard;
use crate::fess::Rooms;

/// Facts about a level that need no search.
#[derive(Clone, Debug)]
pub struct Survey {
    /// Dead squares: floor squares from which no box can be pushed to a goal, or to which no box can be pushed.
    pub dead: SquareSet,
    /// Rooms, without the corridors between them: connected blocks of two by two floor squares, at most 64. Empty where
    /// the board is too large for the solver.
    pub rooms: Vec<SquareSet>,
    /// Squares that the player can walk to at the start.
    pub region: SquareSet,
    /// Whether every solution has an even or an odd number of pushes; `None` if that is open.
    pub parity: Option<Parity>,
    /// The lower bound on pushes from a matching of boxes and goals.
    pub least_pushes: LeastPushes,
}

/// Whether the number of pushes of every solution is even or odd.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parity {
    /// A multiple of two.
    Even,
    /// One more than a multiple of two.
    Odd,
}

/// A lower bound on pushes, from boxes and goals matched at least cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeastPushes {
    /// Every solution has so many pushes or more.
    AtLeast(u64),
    /// Boxes and goals cannot be matched.
    Unsolvable,
    /// The level is too large for the bound.
    NotComputed,
}

impl Survey {
    /// Surveys a level.
    #[must_use]
    pub fn of(level: &Level) -> Self {
        let (board, start) = (level.board(), level.start());
        let set = |squares: &mut dyn Iterator<Item = Square>| {
            let mut set = board.no_squares();
            squares.for_each(|sq| _ = set.insert(sq));
            set
        };
        let mut reach = Reach::new(board);
        let rooms = SearchBoard::new(level).map_or_else(Vec::new, |search_board| {
            let rooms = Rooms::of_board(&search_board);
            let room = |room| set(&mut rooms.squares(room).iter().map(|&sq| search_board.square(sq)));
            rooms.indices().map(room).filter(|room| !room.is_empty()).collect()
        });
        Self {
            dead: set(&mut board.squares().filter(|&sq| !level.live().contains(sq))),
            rooms,
            region: start.region(board, &mut reach).to_set(),
            parity: Parity::of(level),
            least_pushes: LeastPushes::of(level),
        }
    }
}

impl Parity {
    /// Returns the parity of the pushes of every solution.
    ///
    /// Every push changes the sum of all boxes' rows and columns by one, and the sum at the end is that of the goals
    /// that are taken. With spare goals it is not known which are taken, unless all goals are alike.
    #[must_use]
    pub fn of(level: &Level) -> Option<Self> {
        let is_odd = |sq| {
            let (row, column) = level.board().place(sq);
            (row + column) % 2 == 1
        };
        let goals = level.board().goals();
        let n_odd_goals = goals.iter().filter(|&sq| is_odd(sq)).count();
        let n_odd_taken = match goals.len() {
            n_goals if n_goals == level.n_boxes() => n_odd_goals,
            _ if n_odd_goals == 0 => 0,
            n_goals if n_odd_goals == n_goals => level.n_boxes(),
            _ => return None,
        };
        let n_odd_boxes = level.start().boxes.iter().filter(|&sq| is_odd(sq)).count();
        Some(if (n_odd_taken + n_odd_boxes) % 2 == 0 { Self::Even } else { Self::Odd })
    }

    /// Returns `even` or `odd`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Even => "even",
            Self::Odd => "odd",
        }
    }

    /// Returns the least number of this parity that is not below `n`.
    #[must_use]
    pub const fn at_least(self, n: u64) -> u64 {
        let is_odd = matches!(self, Self::Odd);
        if (n % 2 == 1) == is_odd { n } else { n + 1 }
    }
}

impl LeastPushes {
    /// Returns the bound of a level.
    #[must_use]
    pub fn of(level: &Level) -> Self {
        match PushLowerBound::new(level) {
            None => Self::NotComputed,
            Some(mut bound) => bound.of(&level.start().boxes).map_or(Self::Unsolvable, Self::AtLeast),
        }
    }

    /// Returns the number of pushes, if it is known and the level is not unsolvable.
    #[must_use]
    pub const fn at_least(self) -> Option<u64> {
        match self {
            Self::AtLeast(pushes) => Some(pushes),
            Self::Unsolvable | Self::NotComputed => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_parity(rows: &[&str], expect: Option<Parity>) {
        assert_eq!(Parity::of(&Level::parse(&rows.join("\n")).unwrap()), expect, "{rows:?}");
    }

    #[test]
    fn parity_is_that_of_every_solution() {
        check_parity(&["######", "#@$ .#", "######"], Some(Parity::Even));
        check_parity(&["#####", "#@$.#", "#####"], Some(Parity::Odd));
        check_parity(&["######", "##   #", "#@$ $#", "#.  .#", "######"], Some(Parity::Odd));
    }

    #[test]
    fn spare_goals_leave_parity_open_unless_they_are_alike() {
        check_parity(&["######", "#@$..#", "######"], None);
        check_parity(&["#######", "#.@$ .#", "#######"], Some(Parity::Even));
    }

    #[test]
    fn bounds_are_rounded_to_the_parity() {
        assert_eq!([0, 1, 2].map(|n| Parity::Even.at_least(n)), [0, 2, 2]);
        assert_eq!([0, 1, 2].map(|n| Parity::Odd.at_least(n)), [1, 1, 3]);
    }

    #[test]
    fn two_rooms_with_a_corridor_between_them() {
        let rows = ["###########", "#   ###   #", "# $     . #", "#@  ###   #", "###########"];
        let survey = Survey::of(&Level::parse(&rows.join("\n")).unwrap());
        assert_eq!(survey.rooms.iter().map(SquareSet::len).collect::<Vec<_>>(), [9, 9]);
        assert_eq!(survey.region.len(), 20);
        assert_eq!(survey.least_pushes, LeastPushes::AtLeast(6));
        assert_eq!(survey.parity, Some(Parity::Even));
        assert!(!survey.dead.is_empty());
    }
}
