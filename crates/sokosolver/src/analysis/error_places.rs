//! The cells of a picture that an error about it refers to.

use sokocore::{Cell, Direction, Grid, ParseGridError, ParseLevelError};

/// Returns the cells that an error about a picture refers to, as (row, column) from zero.
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

#[cfg(test)]
mod tests {
    use super::*;
    use sokocore::Level;

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
