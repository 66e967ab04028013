//! Why a level has no solution, as far as its start position shows it: the proofs that need no search.
//!
//! A box that can be pushed to no goal, boxes that are frozen off goal, or a set of boxes with too few goals (Hall,
//! 1935). Each fault names the squares of the boxes that show it.

use std::time::Duration;

use sokocore::{BipartiteMatching, Direction, FreezeCheck, Level, PushDistances, Square, SquareSet};
use sokosearch::Budget;

/// A proof, without a search, that a level has no solution.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// These boxes can be pushed to no goal, even with no other box on the board.
    NoGoalInReach {
        /// Squares of the boxes.
        boxes: SquareSet,
    },
    /// These boxes hold each other in place for good, and some of them are off goal.
    Frozen {
        /// Squares of the boxes, those on goals among them.
        boxes: SquareSet,
    },
    /// These boxes can be pushed to these goals only, which are too few for them (Hall, 1935).
    TooFewGoals {
        /// Squares of the boxes.
        boxes: SquareSet,
        /// The goals that they can be pushed to, one less than boxes.
        goals: SquareSet,
    },
}

impl Fault {
    /// Returns the squares of the boxes that show it.
    #[must_use]
    pub const fn boxes(&self) -> &SquareSet {
        match self {
            Self::NoGoalInReach { boxes } | Self::Frozen { boxes } | Self::TooFewGoals { boxes, .. } => boxes,
        }
    }

    /// Returns the fault of the start position; `None` if there is none that shows without a search.
    ///
    /// Takes the time of the table of push distances: up to two seconds on the largest boards with many goals.
    #[must_use]
    pub fn of(level: &Level) -> Option<Self> {
        Self::at_a_glance(level).or_else(|| Self::of_matching(level))
    }

    /// Returns the fault of the start position, as far as the budget leaves time to look for one.
    pub(crate) fn within(level: &Level, budget: &Budget) -> Option<Self> {
        let of_matching = || has_time_to_match(level, budget).then(|| Self::of_matching(level)).flatten();
        Self::at_a_glance(level).or_else(of_matching)
    }

    /// Finds boxes that reach no goal, or are frozen off goal.
    fn at_a_glance(level: &Level) -> Option<Self> {
        let start = &level.start().boxes;
        let lost = subset(level, start, |sq| !level.live().contains(sq));
        if !lost.is_empty() {
            return Some(Self::NoGoalInReach { boxes: lost });
        }
        let mut frozen = level.board().no_squares();
        let is_lost = FreezeCheck::new(level).all_frozen(start, &mut frozen);
        is_lost.then(|| Self::Frozen { boxes: frozen_off_goal(level, &frozen) })
    }

    /// Finds boxes that share too few goals. Boards that are too large for [`PushDistances`] have none.
    fn of_matching(level: &Level) -> Option<Self> {
        too_few_goals(level, &PushDistances::new(level)?)
    }

    /// Returns what is wrong, in words.
    #[must_use]
    pub const fn reason(&self) -> &'static str {
        match self {
            Self::NoGoalInReach { .. } => "a box stands where it can reach no goal",
            Self::Frozen { .. } => "boxes off goal can never be moved",
            Self::TooFewGoals { .. } => "the boxes cannot all reach goals of their own",
        }
    }
}

/// Returns whether a matching of all boxes and goals takes less than half of the time that is left. It cannot be
/// paused: for 400 boxes in a hall of 120 by 120 it takes a fifth of a second or more.
pub(crate) fn has_time_to_match(level: &Level, budget: &Budget) -> bool {
    const NANOS_PER_BOX_AND_SQUARE: u64 = 100;
    let size = level.n_boxes() as u64 * level.board().n_squares() as u64;
    let takes = Duration::from_nanos(size.saturating_mul(NANOS_PER_BOX_AND_SQUARE));
    budget.poll(0).is_ok() && budget.time().is_none_or(|time| budget.elapsed() + 2 * takes <= time)
}

/// The boxes off goal, and those on goals that are frozen together with one of them.
fn frozen_off_goal(level: &Level, frozen: &SquareSet) -> SquareSet {
    let board = level.board();
    let mut group = subset(level, frozen, |sq| !board.goals().contains(sq));
    let mut todo: Vec<_> = group.iter().collect();
    while let Some(sq) = todo.pop() {
        let beside = Direction::ALL.into_iter().filter_map(|dir| board.step(sq, dir));
        todo.extend(beside.filter(|&next| frozen.contains(next) && group.insert(next)));
    }
    group
}

fn subset(level: &Level, squares: &SquareSet, is_meant: impl Fn(Square) -> bool) -> SquareSet {
    let mut chosen = level.board().no_squares();
    squares.iter().filter(|&sq| is_meant(sq)).for_each(|sq| _ = chosen.insert(sq));
    chosen
}

/// Matches boxes with goals that they can be pushed to. Boxes that cannot all be matched are the fault, with their goals.
fn too_few_goals(level: &Level, distances: &PushDistances) -> Option<Fault> {
    let boxes: Vec<_> = level.start().boxes.iter().collect();
    let mut matching = BipartiteMatching::new(boxes.len(), distances.goals().len());
    let fits = |row: usize, goal: usize| distances.get(boxes[row], goal).is_some();
    (0..boxes.len()).find_map(|row| {
        let violator = matching.add(row, fits).err()?;
        let (mut squares, mut goals) = (level.board().no_squares(), level.board().no_squares());
        violator.rows().iter().for_each(|&at| _ = squares.insert(boxes[at]));
        violator.columns().for_each(|goal| _ = goals.insert(distances.goals()[goal]));
        Some(Fault::TooFewGoals { boxes: squares, goals })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use sokosearch::{Cancel, MemoryAccount};

    fn places(level: &Level, squares: &SquareSet) -> Vec<(usize, usize)> {
        squares.iter().map(|sq| level.board().place(sq)).collect()
    }

    #[track_caller]
    fn check(rows: &[&str], boxes: &[(usize, usize)]) -> Option<Fault> {
        let level = Level::parse(&rows.join("\n")).unwrap();
        let fault = Fault::of(&level);
        let found = fault.as_ref().map(|fault| places(&level, fault.boxes())).unwrap_or_default();
        assert_eq!(found, boxes, "{fault:?} {level:?}");
        fault
    }

    #[test]
    fn a_box_that_reaches_no_goal_is_named() {
        let rows = ["#######", "#$  $.#", "#  @ .#", "#######"];
        assert!(matches!(check(&rows, &[(1, 1)]), Some(Fault::NoGoalInReach { .. })));
    }

    #[test]
    fn frozen_boxes_are_named_and_those_that_do_no_harm_are_not() {
        let rows = ["##########", "#$$    **#", "#  @    .#", "#.       #", "##########"];
        // From a corner no box reaches a goal, so the frozen pair stands one square further.
        let rows = [rows[0], "#. $$  **#", rows[2], rows[3], rows[4]];
        assert!(matches!(check(&rows, &[(1, 3), (1, 4)]), Some(Fault::Frozen { .. })));
    }

    #[test]
    fn boxes_that_compete_are_named_with_their_goals() {
        let rows = ["##########", "#. $ $   #", "#        #", "#  @ $ $ #", "#  .  .. #", "#        #", "##########"];
        let Some(Fault::TooFewGoals { goals, .. }) = check(&rows, &[(1, 3), (1, 5)]) else { panic!("no such fault") };
        assert_eq!(goals.len(), 1);
    }

    #[test]
    fn a_sound_level_has_no_fault() {
        check(&["########", "#@$   .#", "#. $   #", "#      #", "########"], &[]);
    }

    /// Two boxes at the upper wall can only be pushed to the same goal. Only a matching shows it, which takes more than
    /// fifty milliseconds here.
    #[test]
    fn a_short_limit_leaves_out_what_takes_longer() {
        let row = |cells: &str| format!("#{cells}{}#", " ".repeat(120 - cells.len()));
        let wall = "#".repeat(122);
        let rows: Vec<_> = [wall.clone(), row(" $ $ ."), row(" @"), row(&"  $ .".repeat(24))]
            .into_iter()
            .chain((0..100).map(|_| row("")))
            .chain([row("."), wall])
            .collect();
        let level = Level::parse(&rows.join("\n")).unwrap();
        let found = |time| {
            let budget = Budget::new(time, MemoryAccount::new(0), Cancel::default());
            Fault::within(&level, &budget).map(|fault| fault.reason())
        };
        assert_eq!(found(Some(Duration::from_millis(50))), None);
        assert_eq!(found(None), Some("the boxes cannot all reach goals of their own"));
    }

    #[track_caller]
    fn check_reason(rows: &str, expect: Option<&str>) {
        let budget = Budget::new(None, MemoryAccount::new(0), Cancel::default());
        let found = Fault::within(&Level::parse(rows).unwrap(), &budget).map(|fault| fault.reason());
        assert_eq!(found.is_some(), expect.is_some(), "{rows}: {found:?}");
        assert!(found.unwrap_or_default().contains(expect.unwrap_or_default()), "{found:?}");
    }

    #[test]
    fn dead_starts_are_told_apart() {
        check_reason("#####\n#@$.#\n#####", None);
        check_reason("######\n#$@ .#\n######", Some("no goal"));
        check_reason("#########\n#       #\n#  $$   #\n#  $$ @ #\n#   ....#\n#########", Some("never be moved"));
        check_reason("########\n#@$ $ .#\n#.     #\n########", Some("goals of their own"));
        check_reason("########\n#@$   .#\n#. $   #\n#      #\n########", None);
    }
}
