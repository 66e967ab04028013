//! Small levels of every kind from numbers: open and narrow, with sealed rooms, spare goals, boxes on goals, solvable or
//! not, turned and mirrored.
//!
//! The same number gives the same level, forever.

use sokocore::{Carving, Cell, Grid, Level, PlantSpec, Symmetry, mix64, plant};

use crate::dataset::SplitMix64;

/// Most cells inside the outer walls, in each direction.
const MAX_INSIDE: usize = 6;

/// Makes the level of a number; `None` if its choices make no level.
pub(super) fn level(number: u64) -> Option<Level> {
    let mut dice = SplitMix64(mix64(number));
    let grid = match dice.below(10) {
        0..4 => strewn(&mut dice)?,
        4 | 5 => with_rooms(&mut dice)?,
        6 | 7 => planted(&mut dice)?,
        _ => {
            let mut grid = planted(&mut dice)?;
            disturb(&mut grid, &mut dice);
            grid
        }
    };
    let symmetry = Symmetry::ALL[dice.below(Symmetry::ALL.len())];
    Level::from_grid(symmetry.grid(&grid)).ok()
}

/// Boxes, goals and walls anywhere.
fn strewn(dice: &mut SplitMix64) -> Option<Grid> {
    let mut grid = hall(dice);
    fill(&mut grid, dice)?;
    Some(grid)
}

/// Two or three rooms, with doors that may be missing or hold a box.
fn with_rooms(dice: &mut SplitMix64) -> Option<Grid> {
    let mut grid = hall(dice);
    for _ in 0..=dice.below(2) {
        let (height, width) = (grid.height(), grid.width());
        if dice.below(2) == 0 && height > 4 {
            let row = 2 + dice.below(height - 4);
            (1..width - 1).for_each(|column| grid.set(row, column, Cell::Wall));
            for _ in 0..dice.below(3) {
                grid.set(row, 1 + dice.below(width - 2), Cell::Floor);
            }
        } else if width > 4 {
            let column = 2 + dice.below(width - 4);
            (1..height - 1).for_each(|row| grid.set(row, column, Cell::Wall));
            for _ in 0..dice.below(3) {
                grid.set(1 + dice.below(height - 2), column, Cell::Floor);
            }
        }
    }
    fill(&mut grid, dice)?;
    Some(grid)
}

/// An empty hall with some walls in it.
fn hall(dice: &mut SplitMix64) -> Grid {
    let [width, height] = [0; 2].map(|_| 2 + dice.below(MAX_INSIDE - 1));
    let mut grid = Grid::filled(width + 2, height + 2, Cell::Wall);
    let walls = [0, 10, 20, 33][dice.below(4)];
    for (row, column) in (1..=height).flat_map(|row| (1..=width).map(move |column| (row, column))) {
        grid.set(row, column, if dice.below(100) < walls { Cell::Wall } else { Cell::Floor });
    }
    grid
}

/// Puts boxes, goals and the player on the floor; `None` if there is no room.
fn fill(grid: &mut Grid, dice: &mut SplitMix64) -> Option<()> {
    let mut free: Vec<usize> = (0..grid.cells().len()).filter(|&cell| grid.cells()[cell] == Cell::Floor).collect();
    // Many boxes are seldom solvable, and many positions cost time.
    let n_boxes = 2 + dice.below(5).min(dice.below(5)).min(dice.below(5));
    let n_on_goal = dice.below(n_boxes + 1).min(dice.below(n_boxes + 1));
    let n_spare = [0, 0, 0, 1, 2][dice.below(5)];
    let player = if dice.below(6) == 0 { Cell::PlayerOnGoal } else { Cell::Player };
    let n_goals = (n_boxes - n_on_goal + n_spare).saturating_sub(usize::from(player == Cell::PlayerOnGoal));
    let pieces = [(1, player), (n_on_goal, Cell::BoxOnGoal), (n_boxes - n_on_goal, Cell::Box), (n_goals, Cell::Goal)];
    for (count, piece) in pieces {
        for _ in 0..count {
            if free.is_empty() {
                return None;
            }
            let cell = free.swap_remove(dice.below(free.len()));
            grid.set(cell / grid.width(), cell % grid.width(), piece);
        }
    }
    Some(())
}

/// A level that has a solution.
fn planted(dice: &mut SplitMix64) -> Option<Grid> {
    let carving = if dice.below(2) == 0 { Carving::Rooms(2..=5) } else { Carving::Pillars([5, 15, 25][dice.below(3)]) };
    let max = MAX_INSIDE + 2;
    let most = 3 + dice.below(3);
    let spec = PlantSpec {
        width: 4..=max,
        height: 4..=max,
        carving,
        boxes: 2..=most,
        spare_goals: 0..=dice.below(3),
        pulls: 1..=5 + dice.below(36),
        detours: 30,
    };
    plant(&spec, &mut |n| dice.below(n)).map(|(level, _)| level.grid().clone())
}

/// Changes a few cells, which makes some levels unsolvable by little.
fn disturb(grid: &mut Grid, dice: &mut SplitMix64) {
    for _ in 0..=dice.below(3) {
        let mut any = || (1 + dice.below(grid.height() - 2), 1 + dice.below(grid.width() - 2));
        let (from, to) = (any(), any());
        let (one, other) = (grid.at(from.0, from.1), grid.at(to.0, to.1));
        match (one, other) {
            // A piece moves to other floor, or a wall.
            (_, Cell::Floor | Cell::Wall) if one != Cell::Wall => {
                grid.set(from.0, from.1, Cell::Floor);
                grid.set(to.0, to.1, one);
            }
            (Cell::Floor, _) => grid.set(from.0, from.1, Cell::Wall),
            (Cell::Wall, _) => grid.set(from.0, from.1, Cell::Floor),
            _ => {}
        }
    }
}
