//! What makes a level unsolvable, as far as the start position shows it, with the squares where it shows.

use sokocore::{
    Cell, Direction, FreezeCheck, Grid, Level, ParseGridError, ParseLevelError, PushDistances, Square, SquareSet,
};

/// A reason why a level has no solution that needs no search.
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
    /// Returns the squares of the boxes that the level fails by.
    #[must_use]
    pub const fn boxes(&self) -> &SquareSet {
        match self {
            Self::NoGoalInReach { boxes } | Self::Frozen { boxes } | Self::TooFewGoals { boxes, .. } => boxes,
        }
    }

    /// Looks for a fault of the start position; `None` if there is none that needs no search.
    ///
    /// Takes the time of the table of push distances: up to two seconds on the largest boards with many goals.
    #[must_use]
    pub fn of(level: &Level) -> Option<Self> {
        Self::at_a_glance(level).or_else(|| Self::of_matching(level))
    }

    /// Looks for boxes that are lost or frozen.
    pub(crate) fn at_a_glance(level: &Level) -> Option<Self> {
        let start = &level.start().boxes;
        let lost = subset(level, start, |sq| !level.live().contains(sq));
        if !lost.is_empty() {
            return Some(Self::NoGoalInReach { boxes: lost });
        }
        let mut frozen = level.board().no_squares();
        let is_lost = FreezeCheck::new(level).all_frozen(start, &mut frozen);
        is_lost.then(|| Self::Frozen { boxes: frozen_off_goal(level, &frozen) })
    }

    /// Looks for boxes that compete for too few goals. Boards that are too large for [`PushDistances`] have none.
    pub(crate) fn of_matching(level: &Level) -> Option<Self> {
        too_few_goals(level, &PushDistances::new(level)?)
    }

    /// Says in words what is wrong.
    #[must_use]
    pub const fn reason(&self) -> &'static str {
        match self {
            Self::NoGoalInReach { .. } => "a box stands where it can reach no goal",
            Self::Frozen { .. } => "boxes off goal can never be moved",
            Self::TooFewGoals { .. } => "the boxes cannot all reach goals of their own",
        }
    }
}

/// Returns the cells that an error about a picture is about, as (row, column) from zero.
#[must_use]
pub fn places_of(picture: &str, error: &ParseLevelError) -> Vec<(usize, usize)> {
    if let ParseLevelError::Grid(ParseGridError::Letter { row, column, .. }) = *error {
        return vec![(row - 1, column - 1)];
    }
    Grid::parse(picture).map_or_else(|_| Vec::new(), |grid| places_on(&grid, error))
}

fn places_on(grid: &Grid, error: &ParseLevelError) -> Vec<(usize, usize)> {
    let place = |cell: usize| (cell / grid.width(), cell % grid.width());
    let all = |is_meant: fn(Cell) -> bool| {
        let cells = grid.cells().iter().enumerate().filter(|(_, cell)| is_meant(**cell));
        cells.map(|(at, _)| place(at)).collect()
    };
    match *error {
        ParseLevelError::SeveralPlayers { .. } | ParseLevelError::NoBoxes => all(Cell::is_player),
        ParseLevelError::MoreBoxesThanGoals { .. } => all(Cell::is_box),
        ParseLevelError::OpenBorder { .. } => open_border(grid),
        ParseLevelError::PlayerOutside { row, column } | ParseLevelError::SealedBox { row, column } => {
            vec![(row - 1, column - 1)]
        }
        _ => Vec::new(),
    }
}

/// Returns whether an error about a picture says that the level has no solution, and nothing else is wrong.
#[must_use]
pub const fn is_unsolvable(error: &ParseLevelError) -> bool {
    matches!(error, ParseLevelError::MoreBoxesThanGoals { .. } | ParseLevelError::SealedBox { .. })
}

/// The border cells that the player can walk to.
fn open_border(grid: &Grid) -> Vec<(usize, usize)> {
    let (width, height) = (grid.width(), grid.height());
    let Some(player) = grid.cells().iter().position(|cell| cell.is_player()) else { return Vec::new() };
    let mut reached = vec![false; width * height];
    reached[player] = true;
    let mut todo = vec![player];
    let mut open = Vec::new();
    while let Some(cell) = todo.pop() {
        let (row, column) = (cell / width, cell % width);
        if row == 0 || column == 0 || row + 1 == height || column + 1 == width {
            open.push((row, column));
            continue;
        }
        for (down, right) in Direction::ALL.map(Direction::offset) {
            let next = row.wrapping_add_signed(down) * width + column.wrapping_add_signed(right);
            if grid.cells()[next] != Cell::Wall && !std::mem::replace(&mut reached[next], true) {
                todo.push(next);
            }
        }
    }
    open.sort_unstable();
    open
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

/// Matches boxes with goals by augmenting paths (Kuhn, 1955, breadth first). The boxes and goals that the search for a
/// box without a goal reaches are a set that violates Hall's condition.
fn too_few_goals(level: &Level, distances: &PushDistances) -> Option<Fault> {
    let boxes: Vec<_> = level.start().boxes.iter().collect();
    let n_goals = distances.goals().len();
    let mut owner_of: Vec<Option<usize>> = vec![None; n_goals];
    for first in 0..boxes.len() {
        // The box from which the search came to each goal.
        let mut came_from: Vec<Option<usize>> = vec![None; n_goals];
        let mut queue = vec![first];
        let mut free = None;
        let mut head = 0;
        while let (Some(&from), None) = (queue.get(head), free) {
            head += 1;
            for goal in 0..n_goals {
                if came_from[goal].is_some() || distances.get(boxes[from], goal).is_none() {
                    continue;
                }
                came_from[goal] = Some(from);
                match owner_of[goal] {
                    Some(owner) => queue.push(owner),
                    None => free = free.or(Some(goal)),
                }
            }
        }
        let Some(mut goal) = free else {
            let (mut squares, mut goals) = (level.board().no_squares(), level.board().no_squares());
            queue.iter().for_each(|&at| _ = squares.insert(boxes[at]));
            let seen = (0..n_goals).filter(|&goal| came_from[goal].is_some());
            seen.for_each(|goal| _ = goals.insert(distances.goals()[goal]));
            return Some(Fault::TooFewGoals { boxes: squares, goals });
        };
        // Each box on the way back takes the goal found from it, and gives up the one it had.
        while let Some(owner) = came_from[goal] {
            let given_up = (0..n_goals).find(|&other| owner_of[other] == Some(owner));
            owner_of[goal] = Some(owner);
            let Some(other) = given_up else { break };
            owner_of[other] = None;
            goal = other;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

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
        // A corner would be no way to any goal, so the frozen pair stands one square further.
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

    #[test]
    fn errors_about_pictures_are_placed() {
        let check = |rows: &[&str], expect: &[(usize, usize)]| {
            let picture = rows.join("\n");
            let error = Level::parse(&picture).unwrap_err();
            assert_eq!(places_of(&picture, &error), expect, "{error}");
        };
        check(&["######", "#@$ .#", "#  @ #", "######"], &[(1, 1), (2, 3)]);
        check(&["######", "#@$ . ", "#    #", "### ##"], &[(1, 5), (3, 3)]);
        check(&["######", "#@$$.#", "######"], &[(1, 2), (1, 3)]);
        check(&["######", "#$ #@#", "#  #$#", "#. #.#", "######"], &[(1, 1)]);
        check(&["######", "#$  .#", "######"], &[]);
        check(&["######", "#@$x.#", "######"], &[(1, 3)]);
    }
}
