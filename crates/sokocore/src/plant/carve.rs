//! The floor of planted levels: cut out of rock, connected, without unused dead ends.
//!
//! **Invariant**: floor never lies on the border, and all of it is connected.

use super::{Carving, ChoiceStream, PlantSpec};
use crate::{Cell, Direction, Grid, Level, Lurd, Position, SquareSet};

/// Returns walls around connected floor, cropped to what is needed.
pub(super) fn hollow(spec: &PlantSpec, choices: &mut ChoiceStream<'_>) -> Grid {
    let width = choices.within(&spec.width).clamp(3, 1_000);
    let height = choices.within(&spec.height).clamp(3, 1_000);
    let mut grid = Grid::filled(width, height, Cell::Wall);
    match &spec.carving {
        Carving::Rooms(rooms) => {
            let n_rooms = choices.within(rooms).max(1);
            let mut anchor = (height / 2, width / 2);
            for _ in 0..n_rooms {
                cut_room(&mut grid, choices, anchor);
                let floor = cells_of(&grid, Cell::Floor);
                anchor = floor[choices.below(floor.len())];
            }
        }
        Carving::Pillars(percent) => {
            for (row, column) in inner_cells(width, height) {
                let cell = if choices.chance(*percent) { Cell::Wall } else { Cell::Floor };
                grid.set(row, column, cell);
            }
            keep_largest_part(&mut grid);
        }
    }
    crop(&grid)
}

/// Returns the level's picture with this start, unused dead ends filled up.
pub(super) fn fill_dead_ends(level: &Level, start: &Position, moves: &Lurd) -> Grid {
    let board = level.board();
    let used = used_squares(level, start, moves);
    let mut grid = level.grid().clone();
    for sq in board.squares() {
        let (row, column) = board.place(sq);
        grid.set(row, column, start.display(board).cell(sq));
    }
    let mut changed = true;
    while changed {
        changed = false;
        for sq in board.squares().filter(|&sq| !used.contains(sq)) {
            let (row, column) = board.place(sq);
            if grid.at(row, column) == Cell::Floor && n_open_sides(&grid, row, column) <= 1 {
                grid.set(row, column, Cell::Wall);
                changed = true;
            }
        }
    }
    crop(&grid)
}

/// The squares that the player or a box touches in the solution.
fn used_squares(level: &Level, start: &Position, moves: &Lurd) -> SquareSet {
    let board = level.board();
    let mut used = start.boxes.clone();
    let mut player = start.player;
    used.insert(player);
    for step in moves.steps() {
        let Some(next) = board.step(player, step.dir()) else { break };
        used.insert(next);
        if let Some(pushed_to) = board.step(next, step.dir()).filter(|_| step.is_push()) {
            used.insert(pushed_to);
        }
        player = next;
    }
    used
}

fn cut_room(grid: &mut Grid, choices: &mut ChoiceStream<'_>, (row, column): (usize, usize)) {
    let (height, width) = (1 + choices.below(4), 1 + choices.below(5));
    let top = row.saturating_sub(choices.below(height)).max(1);
    let left = column.saturating_sub(choices.below(width)).max(1);
    for (row, column) in inner_cells(grid.width(), grid.height()) {
        if (top..top + height).contains(&row) && (left..left + width).contains(&column) {
            grid.set(row, column, Cell::Floor);
        }
    }
    grid.set(row, column, Cell::Floor);
}

fn inner_cells(width: usize, height: usize) -> impl Iterator<Item = (usize, usize)> {
    (1..height - 1).flat_map(move |row| (1..width - 1).map(move |column| (row, column)))
}

fn cells_of(grid: &Grid, cell: Cell) -> Vec<(usize, usize)> {
    inner_cells(grid.width(), grid.height()).filter(|&(row, column)| grid.at(row, column) == cell).collect()
}

fn keep_largest_part(grid: &mut Grid) {
    let mut parts: Vec<Vec<(usize, usize)>> = Vec::new();
    while let Some(&seed) = cells_of(grid, Cell::Floor).first() {
        grid.set(seed.0, seed.1, Cell::Wall);
        let mut part = vec![seed];
        let mut head = 0;
        while let Some(&(row, column)) = part.get(head) {
            head += 1;
            for (down, right) in Direction::ALL.map(Direction::offset) {
                let next = (row.wrapping_add_signed(down), column.wrapping_add_signed(right));
                if grid.at(next.0, next.1) == Cell::Floor {
                    grid.set(next.0, next.1, Cell::Wall);
                    part.push(next);
                }
            }
        }
        parts.push(part);
    }
    for (row, column) in parts.into_iter().max_by_key(Vec::len).unwrap_or_default() {
        grid.set(row, column, Cell::Floor);
    }
}

fn n_open_sides(grid: &Grid, row: usize, column: usize) -> usize {
    let is_open =
        |(down, right)| grid.at(row.wrapping_add_signed(down), column.wrapping_add_signed(right)) != Cell::Wall;
    Direction::ALL.map(Direction::offset).into_iter().filter(|&offset| is_open(offset)).count()
}

/// Cuts off rows and columns of rock beyond one layer around the floor.
fn crop(grid: &Grid) -> Grid {
    let open: Vec<_> =
        inner_cells(grid.width(), grid.height()).filter(|&(row, column)| grid.at(row, column) != Cell::Wall).collect();
    let Some(&(first, _)) = open.first() else { return grid.clone() };
    let (last, left, right) = open.iter().fold((first, grid.width(), 0), |(last, left, right), &(row, column)| {
        (last.max(row), left.min(column), right.max(column))
    });
    let mut cropped = Grid::filled(right - left + 3, last - first + 3, Cell::Wall);
    for (row, column) in open {
        cropped.set(row + 1 - first, column + 1 - left, grid.at(row, column));
    }
    cropped
}
